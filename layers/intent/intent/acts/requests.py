"""Whether words ask for something, even what no kind of act stands for: ``translate the handbook``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intent.acts.lexicon import AUXILIARIES, LEADS, POINTERS, QUESTION_WORDS, SUBJECTS, classes_of, verb_forms
from intent.acts.tokens import Token, tokenise

_JOINTS = frozenset({"and", "then", "but", "also", "plus"})
_MARKS = frozenset(".;,!?")
_OBJECTS = frozenset(
    "the a an my our your his her their this that these those me us it them all every".split()
)
_NO_VERBS = (
    _OBJECTS | SUBJECTS | AUXILIARIES | QUESTION_WORDS | _JOINTS
    | frozenset(
        "excuse pardon forgive trust believe bear due"
        " in on at to of for from with by as if because since so or not no than like love hate see know think"
        " hope thank guess wish need want appreciate enjoy got had both until till before after over under"
        " into about only just even when while though although maybe perhaps one two three".split()
    )
)  # fmt: skip
_LIMITS = frozenset({"skip", "skipping", "ignore", "except"})
_FEWEST_OF_QUESTION = 3


def asks_for_something(tokens: Sequence[Token]) -> bool:
    """Return whether words begin as a command or a question does, and are no remark."""
    words = [token for token in tokens if token.is_word and token.word not in LEADS]
    if len(words) < 2:
        return False
    first, second = words[0], words[1]
    if is_question(tokens):
        return len(words) >= _FEWEST_OF_QUESTION
    form = verb_forms().get(first.word)
    if form is not None:
        return form.is_base and bool(classes_of(first.word)) and first.word not in _NO_VERBS
    is_verb = (
        first.text.isalpha() and first.word not in _NO_VERBS and not first.word.endswith(("ed", "ing", "s"))
    )
    return is_verb and (second.word in _OBJECTS or first.word in _LIMITS)


def is_question(tokens: Sequence[Token]) -> bool:
    """Return whether words begin with a question word or an auxiliary verb."""
    first = next((token.word for token in tokens if token.is_word and token.word not in LEADS), "")
    return first in QUESTION_WORDS | AUXILIARIES


def asks_for_reason(tokens: Sequence[Token]) -> bool:
    """Return whether words ask why something was said or done; a command such as ``call it X`` does not."""
    return is_question(tokens) or not _REASONS.isdisjoint(token.word for token in tokens)


_REASONS = frozenset("why how where explain reason reasons mean meant".split())


def has_question(tokens: Sequence[Token]) -> bool:
    """Return whether one of several sentences begins as a question that is no request for help."""
    starts = [0, *(place + 1 for place, token in enumerate(tokens) if token.text in _MARKS)]
    sentences = (tokens[start:] for start in starts)
    return any(is_question(one) and not _asks_for_help(one) for one in sentences)


def question_behind_colon(text: str) -> str:
    """Return what stands behind the last colon of a text, where that begins as a question does; else empty:
    ``a client asked me this: how long do you keep it?``
    """
    _, mark, behind = text.rpartition(": ")
    return behind.strip() if mark and is_question(tokenise(behind)) else ""


def question_in(text: str) -> str:
    """Return the last sentence or part of a text that begins as a question does; empty without one."""
    tokens = tokenise(text)
    starts = [place + 1 for place, token in enumerate(tokens[:-1]) if token.text in _MARKS]
    found = [place for place in starts if is_question(tokens[place:])]
    return text[tokens[found[-1]].start :] if found else ""


def _asks_for_help(tokens: Sequence[Token]) -> bool:
    """Return whether words begin with ``can you help`` or ``could you do``."""
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    return words[:1] != [] and words[0] in {"can", "could", "would", "will"} and words[1:2] == ["you"]


def joined_requests(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield what is asked for in each of several joined parts of a clause: ``and translate the handbook``."""
    bounds = [0, *(place for place in range(len(tokens)) if _begins_part(tokens, place)), len(tokens)]
    if len(bounds) < 3:
        return
    for begin, end in pairwise(bounds):
        part = [token for token in tokens[begin:end] if token.text not in _MARKS]
        while part and part[0].word in _JOINTS | LEADS:
            part = part[1:]
        points = _POINTING & {token.word for token in part} or {"that", "this"} & {
            one.word for one in part[1:2]
        }
        if asks_for_something(part) and not points:
            yield part


_POINTING = POINTERS - {"this", "that", "these", "those"}


def _begins_part(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a mark or a joint stands there, and a request of its own behind it."""
    is_joint = tokens[place].word in _JOINTS or tokens[place].text in _MARKS
    behind = tokens[place + 1 : place + _LOOKED_AHEAD]
    return is_joint and asks_for_something(behind) and tokens[place + 1].word not in _JOINTS


_LOOKED_AHEAD = 6
