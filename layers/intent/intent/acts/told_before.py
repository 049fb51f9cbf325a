"""Requests to put down what was told before them: ``aye, put that down for me. And thanking the bakery``."""

from __future__ import annotations

from dataclasses import replace

from intent.acts.act import Act, ActKind, Meant, Span
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.slots import find_slots
from intent.acts.task_reading.behind_told import asking_part
from intent.acts.task_reading.commands import puts_down_told
from intent.acts.task_reading.told_chores import chore_title
from intent.acts.task_titles import find_titles
from intent.acts.tokens import tokenise
from intent.acts.when_words import when_words

_SENTENCE_ENDS = frozenset(".!?;\n")
_FEWEST_BEFORE = 3


def apart_from_told(segment: Segment, marked: MarkedMessage) -> list[Segment]:
    """Return a segment; as two where its first sentence only puts down what was told before."""
    tokens = tuple(one.token for one in marked.tokens[segment.start : segment.end])
    cut = next((at for at, token in enumerate(tokens) if token.text in _SENTENCE_ENDS), len(tokens))
    is_first = segment.kind is ActKind.ADD_TASK and 0 < cut < len(tokens) - 1
    if not is_first or not puts_down_told(Clause(marked.text, tokens[:cut])):
        return [segment]
    place = segment.start + cut + 1
    rest = replace(segment, start=place)
    if not names_gerund(Clause(marked.text, tokens[cut + 1 :])) and not asks_for_something(tokens[cut + 1 :]):
        others = tuple(one for one in segment.ranked if one.kind is not ActKind.ADD_TASK)
        rest = replace(rest, ranked=others or segment.ranked)
    return [replace(segment, end=place), rest]


def told_before(act: Act, clause: Clause, scene: Scene) -> Act:
    """Return the act that adds what the words before told, in this message or the one before, for the day
    that the clause says; on the task that was just added, if it was.
    """
    before = clause.message[: clause.start].strip()
    is_of_message = len(before.split()) >= _FEWEST_BEFORE
    is_added = scene.did == ActKind.ADD_TASK and scene.focus_kind == "task" and not is_of_message
    when = when_words(clause, ActKind.ADD_TASK, {}, scene)
    if is_added and scene.focus is not None:
        meant = Meant(things=(scene.focus,), is_focus=True)
        if when is not None:
            return replace(act, kind=ActKind.CHANGE_TASK, meant=meant, slots={"when": when}, several=())
        return replace(act, meant=meant, slots={}, several=())
    said = before if is_of_message else scene.said_before
    said = chore_title(said) or said
    tokens = tokenise(said)
    if not tokens or (scene.last and not is_of_message and _asked_before(scene)):
        return replace(act, slots={} if when is None else {"when": when}, several=())
    told = asking_part(Clause(said, tokens))
    slots_told = find_slots(told.text, tokens, now=scene.now, zone=scene.zone, offset=told.start)
    titles = find_titles(told, (), slots_told.times)
    when = when or when_words(told, ActKind.ADD_TASK, {"title": titles}, scene)
    slots = {"when": Span(when.text, clause.start, clause.end)} if when else {}
    several = tuple(Span(one.text, clause.start, clause.end) for one in titles)
    return replace(act, slots=slots, several=several)


def _asked_before(scene: Scene) -> bool:
    """Return whether the message before asked for something else, and told of nothing to do."""
    return scene.said_before.rstrip().endswith("?") or bool(_NO_CHORES & set(scene.last))


_NO_CHORES = (ON_AGENTS | ON_TASKS | {ActKind.UNDO, ActKind.SUM, ActKind.CLOCK}) - {ActKind.ADD_TASK}


def names_gerund(clause: Clause) -> bool:
    """Return whether a clause goes on with a deed as a noun: ``and thanking the bakery``."""
    words = [word for word in clause.words if word[0].isalnum()]
    return len(words) > 2 and words[0] in {"and", "also", "plus"} and words[1].endswith("ing")
