"""Changes that first tell when an agent comes, and then when it is wanted: ``6 is too early for rota. 8``,
``I always started rota by hand. Have it run by itself, Mondays at 7``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import CORRECTIONS, LEADS, NEGATIONS, POINTERS, verb_forms
from intent.acts.question_words import DAYS, FINITE, SELF
from intent.acts.reasons import TIME_WORDS, is_hour, reason_place
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something, is_question
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.times.words.lexicon import MONTHS, NUMBERS, ORDINALS

_MARKS = frozenset(",.;:!?\n\u2013\u2014-")
_ENDS = frozenset(".;!?\n")
_JOINTS = frozenset({"but", "so", "and"})
_RATES = frozenset(
    "hour hours hourly minute minutes min mins week weeks weekly fortnight fortnightly month months monthly"
    " quarter quarterly once twice day days weekday weekdays weekend weekends o'clock half each time".split()
)
_TIMES = TIME_WORDS | _RATES | DAYS | MONTHS.keys() | NUMBERS.keys() | ORDINALS.keys()
_TELLING_WHEN = _TIMES - frozenset("at on by in the and past to each time day days a an".split())
_AROUND = LEADS - {"also", "plus"} | frozenset(
    "make makes do have has get let set put move bring shift run it that this them i i'd we we'd want"
    " need like would will could can go should automate be is it's that's let's say does suffice suffices"
    " works work suits me us fine best better enough plenty right ideal perfect grand ok instead rather"
    " take use pick choose only still same usual at on by around about the of for from a an to automatically"
    " automatic itself"
    " themselves own its their schedule please and past later earlier every until till between maybe".split()
)
"""The words around a time by which it is wished."""
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_WISHING = frozenset(
    "want need like prefer wish should would must let please make instead rather change switch reschedule"
    " add also too well plus".split()
)
_AGREEING = frozenset(
    "enough plenty suffices suffice better best instead rather fine grand right make".split()
)
_COMPLAINING = frozenset(
    "overkill pointless useless noise noisy chatty spam spamming annoying nobody no-one noone never rarely"
    " hardly seldom silly daft madness nuisance".split()
)
_EXCESS = frozenset(
    "early late soon often much many long little few frequent frequently rarely seldom".split()
)
_VERY = frozenset({"too", "bit", "little", "way", "rather", "quite"})
_BY_HAND = (*SELF, "manually", "myself", "on demand", "when i ask", "no schedule", "ourselves")
_NEAR = 3


def wished_time(clause: Clause) -> Span | None:
    """Return the words that wish another time than the one which the words before them tell of; None for any
    clause that does not do both.
    """
    kept = replace(clause, tokens=clause.tokens[: reason_place(clause.words)])
    return _wished(clause) or (_wished(kept) if 0 < len(kept.tokens) < len(clause.tokens) else None)


def wished_words(text: str) -> str:
    """Return the words of a text that wish another time than it tells of; the text where none do."""
    tokens = tokenise(text)
    wished = wished_time(Clause(text, tokens)) if tokens else None
    return text if wished is None else text[wished.start : wished.end]


def changes_present(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause wishes another time for the agent of which it tells when it comes."""
    if scene.has_draft or scene.question is not None or not scene.agents:
        return False
    begin = _wish_place(clause.tokens)
    if not begin:
        return False
    told = replace(clause, tokens=clause.tokens[:begin])
    meant = find_meant(told, scene.agents)
    if meant.is_named:
        return True
    is_known = scene.focus_kind == "agent" or len(scene.agents) == 1
    points = is_known and bool(POINTERS & set(told.words))
    wish = [one.word for one in clause.tokens[begin:] if one.is_word and one.word not in LEADS]
    commands = scene.focus_kind == "agent" and bool(_TAKING & set(wish[:1]))
    return (_complains(told.tokens) and (len(meant.things) == 1 or points)) or commands


_TAKING = frozenset({"use", "take", "make", "pick", "choose"})
"""Commands that only say which time is wanted."""


def with_wish_joined(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments, with what tells when a named agent comes and the wish behind it as one change."""
    if len(segments) < 2:
        return tuple(segments)
    first = next(
        (
            at for at, one in enumerate(segments)
            if any(token.mask == "AGENT" for token in marked.tokens[one.start : one.end])
        ),
        len(segments) - 1,
    )  # fmt: skip
    start, end = segments[first].start, segments[-1].end
    if first == len(segments) - 1 or not _wish_place([one.token for one in marked.tokens[start:end]]):
        return tuple(segments)
    ranked = (RankedKind(ActKind.CHANGE_AGENT, _SURE), *segments[first].ranked)
    return (*segments[:first], replace(segments[first], end=end, ranked=ranked))


_SURE = 0.6


def _wished(clause: Clause) -> Span | None:
    begin = _wish_place(clause.tokens)
    if not begin:
        return None
    wish = clause.tokens[begin:]
    said = [one.word for one in wish if one.is_word and one.word not in _AROUND]
    start, end = wish[0].start, wish[-1].end
    is_day = bool(_SUFFIXES & {one.word for one in wish})
    is_bare = len(said) == 1 and is_hour(said[0]) and not is_day
    return Span(f"at {said[0]}" if is_bare else clause.message[start:end], start, end)


def _wish_place(tokens: Sequence[Token]) -> int:
    """Return the place of the wish behind what tells when something comes; 0 without both."""
    begin = len(tokens)
    for start in _starts(tokens):
        if not all(not one.is_word or _is_of_wish(one) for one in tokens[start:begin]):
            break
        begin = start
    told, wish = tokens[:begin], tokens[begin:]
    words = {one.word for one in wish}
    if not wish or not told or not any(_says_time(one) for one in wish):
        return 0
    is_asked = tokens[-1].text == "?" and not {"could", "can", "would"} & words
    if is_asked or not _tells(told):
        return 0
    is_apart = told[-1].text in _ENDS - {"?"} or (wish[0].word == "so" and bool(_TAKING & words))
    return begin if is_apart or _AGREEING & words or _complains(told) or _says_by_hand(told) else 0


def _starts(tokens: Sequence[Token]) -> list[int]:
    """Return where the parts of the words begin, the last one first."""
    return [
        at + 1 if tokens[at].text in _MARKS else at
        for at in range(len(tokens) - 1, 0, -1)
        if tokens[at].text in _MARKS or tokens[at].word in _JOINTS - {"and"}
    ]


def _is_of_wish(token: Token) -> bool:
    return token.word in _AROUND | _TIMES | _SUFFIXES or token.text[0].isdigit()


def _says_time(token: Token) -> bool:
    return token.text[0].isdigit() or token.word in _TELLING_WHEN


def _tells(tokens: Sequence[Token]) -> bool:
    """Return whether words state when something comes, or that it is started by hand, and ask for nothing."""
    words = [one.word for one in tokens]
    is_stated = any(_is_finite(one.word) for one in tokens)
    has_time = any(map(_says_time, tokens))
    wishes = any(
        word in _WISHING and not _limits_another(words, at) and not _denies(words[max(0, at - _NEAR) : at])
        for at, word in enumerate(words)
    )
    asks = any(part[0].word in CORRECTIONS or _commands(part) for part in _parts(tokens)[1:])
    asks = asks or _commands(tokens) or "?" in words
    return is_stated and (has_time or _says_by_hand(tokens)) and not wishes and not asks


def _commands(part: Sequence[Token]) -> bool:
    """Return whether a part begins with a command: what begins as a question does not."""
    return asks_for_something(part) and not is_question(part)


def _says_by_hand(tokens: Sequence[Token]) -> bool:
    line = f" {' '.join(one.word for one in tokens)} "
    return any(f" {phrase} " in line for phrase in _BY_HAND)


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in _MARKS or token.word in _JOINTS:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _is_finite(word: str) -> bool:
    form = verb_forms().get(word)
    return word in FINITE or word in _HAVING or word.endswith("'s") or (form is not None and not form.is_base)


_HAVING = frozenset("have keep kept don't i've i'm we've we're do always fires comes needs".split())


def _denies(words: Sequence[str]) -> bool:
    return bool((NEGATIONS | {"no", "nobody"}) & set(words))


def _limits_another(words: Sequence[str], at: int) -> bool:
    """Return whether ``too`` stands before what there is too much of, or ``a bit`` before ``early``."""
    behind = words[at + 1 : at + 2]
    is_much = words[at] == "too" and behind != [] and behind[0][0].isalnum()
    return is_much or (words[at] in _VERY and bool(_EXCESS & set(behind)))


def _complains(tokens: Sequence[Token]) -> bool:
    """Return whether words find fault with what they tell."""
    words = [one.word for one in tokens]
    is_excess = any(one in _VERY and two in _EXCESS for one, two in pairwise(words))
    return is_excess or bool((_COMPLAINING | NEGATIONS | {"no"}) & set(words))
