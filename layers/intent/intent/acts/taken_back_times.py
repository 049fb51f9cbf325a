"""Times that their own sentence takes back for another one: ``by Friday, no sorry, by Thursday``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from intent.acts.lexicon import CORRECTIONS, LEADS, LIST_NOUNS, TASK_NOUNS, classes_of
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading

Place: TypeAlias = tuple[int, int]

_PHRASES = tuple(
    tuple(one.split())
    for one in (
        "scratch that", "i mean", "i meant", "make that", "make it", "or rather", "rather", "hang on",
        "hold on", "better make that", "better make it",
    )
)  # fmt: skip
_MARKS = frozenset(",:-\u2013\u2014\u2026(")
_BEFORE_TIME = frozenset("by on at for until till due before from the around about".split())
_SENTENCE_ENDS = frozenset(".!?;\n")
_ASKING = frozenset({"add", "remind", "change"})


def without_taken_back_times(message: str, scene: Scene) -> str:
    """Return a message of the same length without the times of tasks that it takes back itself."""
    small = message.lower()
    if not any(word in small for word in _SIGNS) or scene.question is not None or scene.has_draft:
        return message
    tokens = tokenise(message)
    if not _is_on_tasks(tokens):
        return message
    place = 1
    while place < len(tokens):
        end = _correction_end(tokens, place)
        if end > place and (blanked := _without(message, tokens, place, end, scene)) != message:
            return blanked
        place = max(end, place + 1)
    return message


_SIGNS = (*CORRECTIONS, "mean", "make", "rather", "scratch", "hang on", "hold on")


def _is_on_tasks(tokens: Sequence[Token]) -> bool:
    """Return whether a message adds a task, or moves something."""
    words = {token.word for token in tokens}
    return bool(words & (TASK_NOUNS | LIST_NOUNS)) or any(_ASKING & classes_of(word) for word in words)


def _correction_end(tokens: Sequence[Token], begin: int) -> int:
    """Return the place behind the words that take back what stands before a place; the place for none."""
    place, end = begin, begin
    while place < len(tokens):
        words = tuple(token.word for token in tokens[place : place + _LONGEST])
        phrase = next((one for one in _PHRASES if words[: len(one)] == one), ())
        if phrase or words[0] in CORRECTIONS:
            place += len(phrase) or 1
            end = place
        elif tokens[place].text[0] in _MARKS or _is_ellipsis(tokens, place):
            place += 1
        else:
            break
    return place if end > begin else begin


_LONGEST = 3


def _is_ellipsis(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a full stop is one of several."""
    around = (*tokens[max(0, place - 1) : place], *tokens[place + 1 : place + 2])
    return tokens[place].text == "." and any(one.text == "." for one in around)


def _without(message: str, tokens: Sequence[Token], begin: int, end: int, scene: Scene) -> str:
    """Return a message without the time that words from ``begin`` to ``end`` take back, and those words."""
    start = max((at + 1 for at in range(begin) if tokens[at].text in _SENTENCE_ENDS), default=0)
    stop = next((at for at in range(end, len(tokens)) if tokens[at].text in _SENTENCE_ENDS), len(tokens))
    old, new = _spans(message, tokens[start:begin], scene), _spans(message, tokens[end:stop], scene)
    if not old or not new or not _begins(tokens[end:stop], new[0]):
        return message
    gone = _replaced(message, old, new)
    is_next = bool(gone) and not any(one.is_word for one in tokens[start:begin] if one.start >= gone[-1][1])
    is_alone = not any(
        one.is_word and one.word not in LEADS for one in tokens[end:stop] if one.start >= new[-1][1]
    )
    if not gone or not (is_next or is_alone):
        return message
    kept = list(message)
    before = [one for one in tokens[start:begin] if one.end <= gone[0][0]]
    while before and before[-1].word in _BEFORE_TIME:
        gone.insert(0, (before[-1].start, before[-1].end))
        before.pop()
    for first, last in (*gone, (tokens[begin].start, tokens[end].start)):
        kept[first:last] = " " * (last - first)
    return "".join(kept)


def _spans(message: str, tokens: Sequence[Token], scene: Scene) -> list[Place]:
    """Return where a stretch says when something is to be once; empty where it says how often."""
    if not tokens:
        return []
    start = tokens[0].start
    found = read_times(message[start : tokens[-1].end], now=scene.now, zone=scene.zone)
    told = [one for one in found if one.kind is not Kind.PERIOD]
    if any(_is_regular(one) for one in told):
        return []
    return sorted((start + first, start + last) for one in told for first, last in one.spans)


def _is_regular(reading: TimeReading) -> bool:
    return reading.is_recurring or reading.timing is not None


def _begins(tokens: Sequence[Token], span: Place) -> bool:
    first = next((one for one in tokens if one.is_word and one.word not in _BEFORE_TIME | LEADS), None)
    return first is not None and span[0] <= first.start < span[1]


def _replaced(message: str, old: Sequence[tuple[int, int]], new: Sequence[tuple[int, int]]) -> list[Place]:
    """Return the old spans that the new ones stand for: of a day and a time of day only the same sort."""
    wanted, had = _sorts(message, new), _sorts(message, old)
    if had <= wanted:
        return list(old)
    return [span for span in old if _sorts(message, [span]) <= wanted]


def _sorts(message: str, spans: Sequence[Place]) -> frozenset[str]:
    """Return what words say of when: a ``clock`` time, a ``day`` or both."""
    said = [word for first, last in spans for word in message[first:last].lower().split()]
    others = [word for word in said if word not in _OF_CLOCK]
    days = [word for word in others if word.isalpha() or word.endswith(("st", "nd", "rd", "th"))]
    has_clock = len(days) < len(others) or bool(_CLOCKS & set(said))
    return frozenset((["clock"] if has_clock else []) + (["day"] if days else []))


_CLOCKS = frozenset({"noon", "midday", "midnight"})
_OF_CLOCK = _CLOCKS | frozenset("am pm at by half past quarter to o'clock a.m p.m".split())
