"""Statements of when tasks are due: ``the shampoo is for thursday``, ``letters monday, gloves tuesday``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from conversation.search.words import stem
from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_TASKS
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import CORRECTIONS, LEADS, NEGATIONS
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times
from intent.times.words.lexicon import SHORT_WEEKDAYS, SINGULAR_WEEKDAYS

_STATING = frozenset("is are was were for on due by should be it's the my a an one its".split())
_WRONG = frozenset("wrong day date time btw mixed swapped instead only".split())
_TAKING_BACK = frozenset("scratch strike forget ignore scrap that".split())
_MOST_NAMED = 4
_JOINTS = frozenset({"and", "but", "so"})
_MARKS = frozenset(",.;:!\n")
_MAY_STATE = ON_TASKS - {ActKind.ADD_TASK} | {
    ActKind.NONE, ActKind.REMEMBER, ActKind.UNSURE, ActKind.SMALL_TALK, ActKind.PICK, ActKind.ANSWER,
}  # fmt: skip
"""The kinds that words which only say when a task is due may be taken for."""


def states_due(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says nothing but when one of the user's open tasks is due."""
    return (
        not clause.is_question
        and _may_be_on_tasks(clause.words, scene)
        and _states(clause.tokens, clause.message, scene)
    )


def corrects_day(words: Sequence[str]) -> bool:
    """Return whether words put a day in place of another: ``the dentist is on thursday, not wednesday``."""
    said = [word for word in words if word not in _BETWEEN_DAYS]
    return any(
        word == "not" and before in _DAYS and behind in _DAYS
        for before, word, behind in zip(said, said[1:], said[2:], strict=False)
    )


_DAYS = frozenset(SINGULAR_WEEKDAYS) | frozenset(SHORT_WEEKDAYS) | {"today", "tomorrow"}
_BETWEEN_DAYS = frozenset({",", "and", "on", "for", "the", "next", "this"})


def is_on_tasks(scene: Scene) -> bool:
    """Return whether tasks were talked about just before."""
    asked_of = scene.question.of if scene.question is not None else ""
    return "task" in (scene.focus_kind, scene.listed_kind, asked_of.partition(".")[0])


def _may_be_on_tasks(words: Sequence[str], scene: Scene) -> bool:
    return is_on_tasks(scene) or (scene.focus_kind != "agent" and corrects_day(words))


def with_dues_apart(segments: Sequence[Segment], marked: MarkedMessage, scene: Scene) -> tuple[Segment, ...]:
    """Return the segments, each statement of when another task is due as one of its own."""
    if not _may_be_on_tasks([one.token.word for one in marked.tokens], scene):
        return tuple(segments)
    return tuple(part for segment in segments for part in _apart(segment, marked, scene))


def _apart(segment: Segment, marked: MarkedMessage, scene: Scene) -> Iterator[Segment]:
    pieces = list(_pieces(segment, marked)) if segment.kind in _MAY_STATE else []
    stating = [one for one in pieces if _states(_tokens(marked, *one), marked.text, scene)]
    if len(pieces) < 2 or not stating:
        yield segment
        return
    begin = segment.start
    for start, end in stating:
        before = _tokens(marked, begin, start)
        is_told = any(one.is_word and one.word not in LEADS | CORRECTIONS | _TAKING_BACK for one in before)
        if is_told:
            yield replace(segment, start=begin, end=start)
        yield replace(segment, start=start if is_told else begin, end=end, ranked=_CHANGED)
        begin = end
    rest = _tokens(marked, begin, segment.end)
    if any(one.is_word for one in rest):
        is_done = _tells_done(rest, scene)
        yield replace(segment, start=begin, ranked=_COMPLETED if is_done else segment.ranked)


def _tells_done(tokens: Sequence[Token], scene: Scene) -> bool:
    """Return whether words tell of one open task that it is done: ``and the mill call is done already``."""
    said = [one.word for one in tokens if one.is_word]
    is_told = bool(_DONE & set(said)) and not NEGATIONS & set(said)
    named = {stem(word) for word in said if word not in _DONE | _STATING | LEADS | _JOINTS | {"already"}}
    fitting = [
        one for one in scene.tasks
        if not one.is_done and named & {stem(word.word) for word in tokenise(one.name) if word.is_word}
    ]  # fmt: skip
    return is_told and len(fitting) == 1


_DONE = frozenset("done finished sorted completed".split())
_COMPLETED = (RankedKind(ActKind.COMPLETE_TASK, 1.0),)
_CHANGED = (RankedKind(ActKind.CHANGE_TASK, 1.0),)


def _pieces(segment: Segment, marked: MarkedMessage) -> Iterator[tuple[int, int]]:
    """Yield the places of the stretches between joints and marks."""
    begin = segment.start
    for place in range(segment.start, segment.end):
        token = marked.tokens[place].token
        if token.text == "," and [one.token.word for one in marked.tokens[place + 1 : place + 2]] == ["not"]:
            continue  # "thursday, not wednesday" is one time
        if token.text in _MARKS or (token.word in _JOINTS and place > begin):
            yield begin, place
            begin = place + 1 if token.text in _MARKS else place
    if begin < segment.end:
        yield begin, segment.end


def _tokens(marked: MarkedMessage, start: int, end: int) -> tuple[Token, ...]:
    return tuple(one.token for one in marked.tokens[start:end])


def _states(tokens: Sequence[Token], message: str, scene: Scene) -> bool:
    if not tokens:
        return False
    start = tokens[0].start
    times = read_times(message[start : tokens[-1].end], now=scene.now, zone=scene.zone)
    if len(times) != 1 or times[0].is_recurring or times[0].problem is not None:
        return False
    first, last = (start + place for place in times[0].span)
    untimed = [one.word for one in tokens if one.is_word and not first <= one.start < last]
    named = [word for word in untimed if word not in _STATING | _WRONG | LEADS | CORRECTIONS | _JOINTS]
    if not 0 < len(named) <= _MOST_NAMED:
        return False
    tasks = [one.name for one in scene.tasks if not one.is_done]
    return sum(_has_all(title, named) for title in tasks) == 1


def _has_all(title: str, named: Sequence[str]) -> bool:
    said = {stem(one.word) for one in tokenise(title) if one.is_word}
    return all(stem(word) in said for word in named)
