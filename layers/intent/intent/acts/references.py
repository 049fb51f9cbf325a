"""Which of the user's agents or tasks a clause means: by name, description, place in a list or pronoun."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import compress

from intent.acts import lexicon
from intent.acts.act import Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.list_places import by_place, find_numbered, with_ordinals
from intent.acts.tokens import Token
from intent.letter_slips import is_one_slip

_ALL = frozenset(["all", "every", "each", "both", "everything", "everyone"])
_NOTHING_SAID = frozenset(
    "a an the my our your of for to from in on at by with and or is be been was are as so it's please again"
    " now today just only also too me us i we you that this it them these those one ones thing things up off"
    " back down out over away new old same other another agent agents bot bots task tasks todo todos item"
    " items list report reports job jobs automation automations off-list them all every each both everything"
    " can could would will should do does did have has had want need like not don't no yes moment while bit"
    " instead time until till anymore more longer else".split()
)
_KEPT = frozenset({"all", "both", "everything", "else", "except", "exept", "but"})
"""Words that say how many things are meant, wherever they stand."""
_FEWEST_SHARED = 4


def find_meant(
    clause: Clause,
    things: Sequence[Thing],
    *,
    listed: Sequence[Thing] = (),
    used: Sequence[tuple[int, int]] = (),
) -> Meant:
    """Return what a clause means among ``things``; ``listed`` are those a list showed last, in its order.

    ``used`` spans say something else (times, addresses, titles) and are not looked at. A clause that names
    nothing gives an empty result; pronouns are the caller's to resolve.
    """
    return _find_meant(clause.tokens, tuple(things), tuple(listed), tuple(used))


@lru_cache(maxsize=64)  # a turn asks what the same clauses mean many times over
def _find_meant(
    said: tuple[Token, ...],
    things: tuple[Thing, ...],
    listed: tuple[Thing, ...],
    used: tuple[tuple[int, int], ...],
) -> Meant:
    tokens = tuple(
        token for token in said if token.word in _KEPT or not any(s <= token.start < e for s, e in used)
    )
    kept_first = kept_first_place(said)
    cut = exception_place(said) if kept_first is None else None
    # What is left out is never looked over, whatever else its words were tagged as.
    behind = said[cut + 1 :] if cut is not None else ()
    before = tokens if cut is None else tuple(one for one in tokens if one.start < said[cut].start)
    if kept_first is not None:
        behind = said[:kept_first]
        before = tuple(one for one in tokens if one.start > said[kept_first].start)
    excepted = _named(behind, things) or _described(behind, things)[0] if behind else ()
    named = _with_described(_named(before, things), before, things)
    is_any = cut is not None and bool(_ANY & {token.word for token in before})
    if not named and (is_any or says_all(before) or kept_first is not None):
        kept = tuple(thing for thing in things if thing not in excepted)
        return Meant(things=kept, is_all=True, excepted=excepted)
    if named:
        return Meant(things=named, excepted=excepted, is_named=True)
    if numbered := find_numbered(before, listed):
        return Meant(things=numbered, excepted=excepted)
    if placed := by_place(before, listed or things, is_list=bool(listed)):
        return Meant(things=placed, excepted=excepted)
    if several := _listed_parts(before, things):
        return Meant(things=several, excepted=excepted)
    best, words = _described(with_ordinals(before), things)
    best = tuple(thing for thing in best if thing not in excepted)
    if len(best) == 1:
        return Meant(things=best, excepted=excepted)
    return Meant(candidates=best, words=words, excepted=excepted)


def points_back(clause: Clause) -> bool:
    """Return whether a clause has a pronoun or nothing at all in place of a name."""
    return bool(lexicon.POINTERS & set(clause.words))


def exception_place(tokens: Sequence[Token]) -> int | None:
    """Return the place of the word that begins an exception, such as ``except``; None without one."""
    for place, token in enumerate(tokens):
        if token.word in lexicon.EXCEPTIONS and place:
            return place
        behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
        if token.word in {"apart", "aside", "other"} and behind in {"from", "than"}:
            return place + 1
        if token.word == "exception" and behind in {"of", ":", "being", "is"}:
            return place
        if token.word == "not" and place and tokens[place - 1].word in _BEFORE_EXCEPTION:
            before = {one.word for one in tokens[: place - 1]}
            return place if before - lexicon.CORRECTIONS - lexicon.LEADS else None
        if token.word == "not" and place and _ends_with_exception(tokens, place):
            return place
    return None


def _ends_with_exception(tokens: Sequence[Token], place: int) -> bool:
    """Return whether ``not`` begins a last sentence that only names what is left out: ``…? not bonus-calc
    though``.
    """
    words = [token.word for token in tokens[place + 1 :] if token.is_word]
    if tokens[place - 1].text not in {".", "?", "!", ";"} or not 0 < len(words) <= _MOST_EXCEPTED:
        return False
    return not any(word in _NO_EXCEPTION or word in lexicon.verb_forms() for word in words)


_MOST_EXCEPTED = 4
_NO_EXCEPTION = (
    lexicon.AUXILIARIES
    | lexicon.SUBJECTS - {"this", "that", "these", "those"}
    | frozenset("sure now yet really at only just today tomorrow before after until on in by anymore".split())
)


def kept_first_place(tokens: Sequence[Token]) -> int | None:
    """Return the place behind what a clause leaves out before it says what is meant: ``except for parcels,
    pause them all``, ``leave parcels alone but pause the others``; None where it doesn't.
    """
    begin = next((at for at, token in enumerate(tokens) if token.word not in lexicon.LEADS), len(tokens))
    words = [token.word for token in tokens[begin:]]
    is_exception = words[:1] in _EXCEPTION_WORDS or words[:2] in _LEADING_EXCEPTIONS
    if not is_exception and words[:1] not in _KEEPING:
        return None
    for place in range(begin + 2, len(tokens)):
        rest = {token.word for token in tokens[place + 1 :]}
        if tokens[place].word in _APART and (says_all(tokens[place + 1 :]) or rest & _OTHERS):
            return place
    return None


_LEADING_EXCEPTIONS = [["except", "for"], ["apart", "from"], ["aside", "from"], ["other", "than"]]
_KEEPING = [["leave"], ["keep"], ["spare"]]
_APART = frozenset({",", "but", "and", ";", "."})
_OTHERS = frozenset({"others", "rest", "remaining"})
_BEFORE_EXCEPTION = frozenset({",", "only", "just"})


def begins_restriction(tokens: Sequence[Token], cut: int) -> bool:
    """Return whether words that only restrict what is before them begin at ``cut``: ``only not parcels``."""
    words = [token.word for token in tokens[cut : cut + 3] if token.is_word]
    if words[:1] == ["and"]:
        words = words[1:]
    if words[:1] in _EXCEPTION_WORDS or words[:2] in _EXCEPTION_PHRASES:
        return True
    is_set_off = not tokens[cut - 1].is_word and tokens[cut - 1].text == ","
    return is_set_off and bool(words[:1] in _ONLY and words[1:] and words[1] in _PREPOSITIONS)


_EXCEPTION_WORDS = [["except"], ["exept"], ["excluding"]]
_EXCEPTION_PHRASES = [["only", "not"], ["just", "not"], ["apart", "from"], ["aside", "from"]]
_ONLY = [["only"], ["just"]]
_PREPOSITIONS = frozenset("for from in on with at about".split())


def says_all(tokens: Sequence[Token]) -> bool:
    """Return whether words say that all of several things are meant."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        if _is_lot(words, place) or (word in _ANY and _excepts(words[place + 1 :])):
            return True
        if word not in _ALL:
            continue
        following = words[place + 1] if place + 1 < len(words) else ""
        if following == "else":
            continue  # ``everything else stays as it is``
        if word in {"every", "each"}:
            if following in lexicon.AGENT_NOUNS | lexicon.TASK_NOUNS | {"one", "single", "of", "last"}:
                return True
        elif following in {"of", "the"} and _PERIODS & set(words[place + 2 : place + 4]):
            continue  # ``all of August``, ``all the time``
        elif word in {"both", "everything"} or following in {
            "", "of", "my", "the", "them", "agents", "tasks", "bots", "those", "these", "except", "but", ",",
            "three", "four", "five", "todos", "reminders", "items", "automations", "other", "others",
            "please", "for", "until", "till",
        }:  # fmt: skip
            return True
    return False


_ANY = frozenset({"anything", "any"})


def _is_lot(words: Sequence[str], place: int) -> bool:
    """Return whether a word is that of ``the lot``, and of no lot of something."""
    is_lot = words[place] == "lot" and words[place - 1 : place] in (["the"], ["whole"])
    return is_lot and (words[place + 1 : place + 2] != ["of"] or words[place + 2 : place + 3] == ["them"])


def _excepts(behind: Sequence[str]) -> bool:
    """Return whether words go on with an exception: ``anything but parcels``, ``any of them but not it``."""
    rest = behind[2:] if behind[:2] in (["of", "them"], ["of", "those"]) else behind
    return rest[:1] != [] and rest[0] in lexicon.EXCEPTIONS


_PERIODS = frozenset(
    "time day week weekend month year morning evening summer winter spring autumn holidays while way january"
    " february march april may june july august september october november december next last this".split()
)


def _named(tokens: Sequence[Token], things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the things whose whole name the words contain, in the order of the words, longest first.

    Of several with the same name the first counts: one's own stand before those of others.
    """
    words = [token.word for token in tokens]
    raw = [token.text.lower() for token in tokens]
    found: list[tuple[int, int, Thing]] = []
    for thing in things:
        place = find_name_place(raw, thing.name) if raw else None
        if place is None:
            place = find_name_place(words, thing.name)
        if place is not None and not any(thing.name == other.name for _, _, other in found):
            found.append((*place, thing))
    kept = [one for one in found if not any(_covers(other, one) for other in found)]
    return tuple(thing for _, _, thing in sorted(kept, key=lambda one: one[0]))


def _with_described(
    named: tuple[Thing, ...], tokens: Sequence[Token], things: Sequence[Thing]
) -> tuple[Thing, ...]:
    """Return the things that are named, and those that stand joined to them by a description only: ``the
    backup one and also invoices``.
    """
    if not named:
        return named
    found = list(named)
    for part in _parts(tokens):
        words = [token.word for token in part if token.is_word]
        if words[-1:] not in _ENDS_OF_DESCRIPTION or "the" not in words or _named(part, things):
            continue
        described = _described(part, things)[0]
        if len(described) == 1 and described[0] not in found:
            found.append(described[0])
    return tuple(found)


_ENDS_OF_DESCRIPTION = (["one"], ["agent"], ["bot"], ["task"])


def _covers(other: tuple[int, int, Thing], one: tuple[int, int, Thing]) -> bool:
    is_within = other[0] <= one[0] and one[1] <= other[1]
    return is_within and (other[1] - other[0]) > (one[1] - one[0])


def find_name_place(words: Sequence[str], name: str) -> tuple[int, int] | None:
    """Return where the words have the name, however its parts are joined, with one slip in a long part."""
    parts = name_parts(name)
    if not parts:
        return None
    flat = _parts_with_places(tuple(words))
    alike = {part for part in {part for _, part in flat} if _same(part, parts[0])}
    for at in range(len(flat) - len(parts) + 1) if alike else ():
        if flat[at][1] not in alike:
            continue
        window = flat[at : at + len(parts)]
        if all(_same(part, wanted) for (_, part), wanted in zip(window, parts, strict=True)):
            whole = len(parts) > 1 or len(name_parts(words[window[0][0]])) == 1
            if whole:
                return window[0][0], window[-1][0] + 1
    joined = "".join(parts)
    for place, word in enumerate(words):
        if len(joined) > _FEWEST_SHARED and word == joined:
            return place, place + 1
        if len(parts) == 1 and word + "".join(words[place + 1 : place + 2]) == joined:
            return place, min(place + 2, len(words))  # ``kpi1`` is written as one word
    return None


@lru_cache(maxsize=16)
def _parts_with_places(words: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    return tuple((place, part) for place, word in enumerate(words) for part in name_parts(word))


def _same(part: str, wanted: str) -> bool:
    if part == wanted:
        return True
    is_long = len(wanted) >= 5 and len(part) >= 5
    # A figure is no slip: ``report1`` is another agent than ``report2``.
    return is_long and part.isalpha() and wanted.isalpha() and is_one_slip(part, wanted)


@lru_cache(maxsize=512)
def name_parts(name: str) -> tuple[str, ...]:
    """Return the words of a name: ``("sales", "north")`` for ``sales-north``."""
    return tuple(re.findall(r"[^\W_]+", name.casefold().replace("'s", "")))


def _described(tokens: Sequence[Token], things: Sequence[Thing]) -> tuple[tuple[Thing, ...], str]:
    """Return the things that fit the content words best, and these words."""
    tokens = _as_described(tokens, things)
    content = [is_content(token) for token in tokens]
    words = " ".join(compress((token.text for token in tokens), content))
    if not things:
        return (), words
    said = [stem(token.word) for place, token in enumerate(tokens)
            if content[place] or _is_framed(tokens, place)]  # fmt: skip
    scores = {thing.id: _score(said, thing) for thing in things}
    top = max(scores.values(), default=0.0)
    if top <= 0:
        said = _verbs_behind_command(tokens)
        scores = {thing.id: float(_shared(said, thing)) for thing in things}
        top = max(scores.values(), default=0.0)
    if top <= 0:
        return (), words
    return tuple(thing for thing in things if scores[thing.id] >= top - 0.01), words


def _as_described(tokens: Sequence[Token], things: Sequence[Thing]) -> Sequence[Token]:
    """Return the tokens, with the words that describe a thing as they are written: ``products`` is no slip of
    ``produces`` there.
    """
    if all(token.word == token.text.lower() for token in tokens):
        return tokens
    known = {part for thing in things for part in (*_stems(thing.name), *_stems(thing.words))}
    return [
        token._replace(word=token.text.lower()) if stem(token.text.lower()) in known else token
        for token in tokens
    ]


def is_in_frame(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is part of ``the us one``."""
    return any(_is_framed(tokens, at) for at in range(max(0, place - 1), min(len(tokens), place + 2)))


def _is_framed(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word describes what ``the us one`` means, whatever it means elsewhere."""
    before = tokens[place - 1].word if place else ""
    behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
    is_plain = tokens[place].word in _NO_DESCRIPTIONS or not tokens[place].is_word
    return before in {"the", "my"} and behind in {"one", "ones", "agent"} and not is_plain


_NO_DESCRIPTIONS = frozenset("other same new old only last next first second whole right wrong one".split())


def _verbs_behind_command(tokens: Sequence[Token]) -> list[str]:
    """Return the words that look like verbs, without the command itself: ``bin the one about till rolls``."""
    words = [token.word for token in tokens if token.is_word and token.word not in lexicon.LEADS]
    return [stem(word) for word in words[1:] if word in lexicon.verb_forms() and word not in _NOTHING_SAID]


def _shared(said: Sequence[str], thing: Thing) -> int:
    name = _stems(thing.name)
    return sum(word in name for word in said)


_MOST_LISTED = 40


def _listed_parts(tokens: Sequence[Token], things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the things that the parts of ``a, b and c`` mean, when each part means exactly one."""
    affirmed = [part for part in _parts(tokens) if not any(token.word in lexicon.NEGATIONS for token in part)]
    described = [part for part in affirmed if any(map(is_content, part))][:_MOST_LISTED]
    if len(described) < 2:
        return ()
    found = [_described(part, things)[0] for part in described]
    if any(len(one) != 1 for one in found):
        return ()
    return tuple(dict.fromkeys(one[0] for one in found))


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the parts of ``a, b and c``."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.word in {",", "and", "&", "plus", ".", ";", "!"}:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def is_content(token: Token) -> bool:
    """Return whether a token may describe a thing: no verb of a command, no filler, no pronoun."""
    word = token.word
    if not token.text[0].isalnum() or word in _NOTHING_SAID or word in lexicon.LEADS:
        return False
    return word not in lexicon.verb_forms() or word in {"report", "check", "list", "digest", "watch", "alert"}


def _score(said: Sequence[str], thing: Thing) -> float:
    name = _stems(thing.name)
    words = (_stems(thing.words) | (_OF_PAGES if "://" in thing.words else frozenset())) - name
    return sum(times * _score_in(word, name, words) for word, times in Counter(said).items())


_OF_PAGES = frozenset({"websit", "website", "sit", "site", "page", "pag", "web", "url"})
"""Stems of what people call a web address that an agent watches."""


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(part) for part in name_parts(text))


def _score_in(word: str, name: Set[str], words: Set[str]) -> float:
    if _in(word, name):
        return 2.0
    if _in(word, words):
        return 1.0
    is_slip = len(word) >= _FEWEST_OF_SLIP and any(
        one[0] == word[0] and len(one) > _FEWEST_OF_SLIP and is_one_slip(word, one) for one in name
    )
    return _SLIPPED if is_slip else 0.0


_FEWEST_OF_SLIP, _SLIPPED = 4, 1.5


def _in(word: str, words: Set[str]) -> bool:
    return word in words or (
        len(word) >= 5
        and any(
            len(other) >= 5 and word.startswith(other[:6]) and other.startswith(word[:6]) for other in words
        )
    )


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its usual endings, so that its forms are equal."""
    for ending in ("'s", "ings", "ing", "ies", "ied", "es", "ed", "s", "ern"):
        if word.endswith(ending) and len(word) - len(ending) >= (2 if ending == "s" else 3):
            return word[: -len(ending)] + ("y" if ending in {"ies", "ied"} else "")
    return word
