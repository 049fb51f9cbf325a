"""What people say that they forget again and again, or that they must not forget this time.

The first is a trouble, for which a reminder may be offered; the second is a task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.lexicon import NEGATIONS, QUESTION_WORDS
from intent.acts.tokens import Token, tokenise

_SPEAKERS = frozenset("i i'm i've i'd we we're we've we'd somebody someone".split())
_FORGETTING = frozenset("forget forgetting forgot forgotten miss missing overlook overlooking".split())
_HABITS = frozenset(
    "keep kept always constantly often sometimes usually tend never again every forever repeatedly".split()
)
_BOUND = frozenset("must mustn't mustnt can can't cant cannot shouldn't should may don't dont want".split())
_REFUSALS = NEGATIONS | {"mustn't", "mustnt", "can't", "cant", "cannot", "shouldn't", "don't", "dont"}
_OBLIGED = frozenset("must have got need gotta should ought".split())
_ENDS = frozenset(".!?;\n")
_CUTS = frozenset("until till because but so when unless again although though every while then".split())
_INQUIRING = frozenset("look check see find know whether if".split())
_ALL = frozenset("everything things stuff it that them this what half appointments names".split())
_NEAR, _AHEAD, _LONGEST = 4, 4, 10


def habitually_forgotten(message: str) -> str:
    """Return what somebody says they keep forgetting to do: ``order paper``; empty for any other words."""
    sentences = [one for one in _sentences(tokenise(message)) if any(token.is_word for token in one)]
    found = next((one for one in map(_habit_object, sentences) if one), ())
    if not found or len(sentences) > _MOST_SENTENCES:
        return ""
    return message[found[0].start : found[-1].end]


_MOST_SENTENCES = 2


def _habit_object(sentence: Sequence[Token]) -> tuple[Token, ...]:
    words = [token.word for token in sentence]
    at = next((at for at, word in enumerate(words) if word in _FORGETTING or word == "remember"), -1)
    before = words[max(0, at - _NEAR) : at]
    is_habit = bool(_HABITS & {*before, *words[-1:]}) or words[:1] in (["every"], ["each"])
    is_habit = is_habit or "again" in words[at + 1 : at + 1 + _LONGEST]
    if at < 0 or not is_habit or not _SPEAKERS & set(before) or words[-1] == "?":
        return ()
    if (words[at] == "remember") != ("never" in before):
        return ()
    behind = list(sentence[at + 1 :])
    is_deed = behind[:1] != [] and behind[0].word == "to"
    behind = behind[1:] if behind and behind[0].word in {"to", "about"} else behind
    end = next((n for n, one in enumerate(behind) if not one.is_word or one.word in _CUTS), len(behind))
    told = tuple(behind[: _clause_end(behind[:end])])
    is_named = bool(told) and told[0].word not in QUESTION_WORDS | _INQUIRING | _ALL
    return told if is_named and (is_deed or len(told) > 1) and len(told) <= _LONGEST else ()


def _clause_end(told: Sequence[Token]) -> int:
    """Return where what is forgotten ends: before ``and everybody shouts``, ``again``, or a last ``and``."""
    words = [token.word for token in told]
    near = range(1, len(words))
    end = next((at for at in near if words[at] == "again" or _tells_on(words[at : at + 2])), len(words))
    return end - 1 if words[end - 1 : end] in (["and"], ["or"]) else end


def _tells_on(pair: Sequence[str]) -> bool:
    return pair[0] == "and" and pair[1:] != [] and pair[1] in _SPEAKERS | _OTHERS


_OTHERS = frozenset(
    "everybody everyone nobody they he she people it then that everything everything's".split()
)


def not_to_forget(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return what somebody says they must not forget or miss: ``the dentist on Friday``; empty without it."""
    return next((one for one in map(_binding, _sentences(tokens)) if one), ())


def _binding(sentence: Sequence[Token]) -> tuple[Token, ...]:
    words = [token.word for token in sentence]
    reason = next((at for at, word in enumerate(words) if word in _REASONS), len(words))
    for place, word in enumerate(words[: reason + 1]):
        ahead = words[place + 1 : place + 1 + _AHEAD]
        at = next((n for n, one in enumerate(ahead) if one in {"forget", "miss", "remember"}), -1)
        if at < 0 or any(not one[0].isalnum() for one in ahead[:at]):
            continue
        deed, between = ahead[at], {word, *ahead[:at]}
        is_refused = deed != "remember" and word in _BOUND and bool(_REFUSALS & between)
        is_obliged = deed == "remember" and word in _OBLIGED and not _REFUSALS & between
        rest = [one for one in words[place + at + 2 :] if one[0].isalnum()]
        if (is_refused or is_obliged) and rest[:1] != [] and rest[0] not in QUESTION_WORDS | _NO_THINGS:
            begin = place + at + 2 + (rest[0] in {"to", "about"})
            end = next((n for n in range(begin, len(words) - 1) if _goes_on(words, n)), len(words))
            return tuple(sentence[begin:end]) if words[-1] != "?" else ()
    return ()


def event_not_to_forget(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the statement of which somebody says behind it that they must not forget it: ``the fire drill is
    on the 15th`` of ``the fire drill is on the 15th, that I must in no case forget``; empty without it.
    """
    for sentence in _sentences(tokens):
        words = [token.word for token in sentence]
        at = next((at for at, word in enumerate(words) if word in {"forget", "miss"}), 0)
        cut = next((n for n in range(at, 0, -1) if words[n] in _CUTTING), 0)
        bound, told = words[cut:at], words[:cut]
        points = at + 1 == len(words) or words[at + 1] in _POINTING or not words[at + 1][0].isalnum()
        is_bound = bool(_BOUND & set(bound)) and bool((_REFUSALS | {"no"}) & set(bound))
        if points and is_bound and _SPEAKERS & set(bound) and {"is", "are"} & set(told):
            return tuple(sentence[:cut])
    return ()


_CUTTING = frozenset({",", "and", "so", "-", "\u2013", "\u2014"})
_POINTING = frozenset({"that", "it", "this"})


def _goes_on(words: Sequence[str], place: int) -> bool:
    """Return whether a comma ends what is to be kept: ``…, no idea how you could help``."""
    return words[place] == "," and words[place + 1] in _SPEAKERS | QUESTION_WORDS | _GOING_ON


_GOING_ON = frozenset("no not don't can could would is do but so because it it's that's please".split())
_REASONS = frozenset({"so", "case", "lest"})
_NO_THINGS = frozenset({"that", "if", "whether", "you", "him", "her", "me", "it", "anything", "everything"})


def _sentences(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text in _ENDS or place + 1 == len(tokens):
            end = place + 1 if token.is_word or token.text == "?" else place
            if end > begin:
                yield tokens[begin:end]
            begin = place + 1
