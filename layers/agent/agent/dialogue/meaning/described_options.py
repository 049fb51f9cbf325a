"""Answers to "which one?" that describe the option: when it runs or is due, where it goes, what it does.

``just the morning one`` names none of two agents, but only one of them runs in the morning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.dialogue import texts
from agent.dialogue.held_acts import AskedQuestion
from agent.dialogue.task_acts.due_times import Due
from agent.dialogue.workbench import Workbench
from agent.workspace.agents import Agent
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.lexicon import LEADS, verb_forms
from intent.acts.references import stem
from intent.acts.scene import Asked
from intent.acts.tokens import Token, tokenise
from tasks.task import Task

K = ActKind
_MAY_DESCRIBE = frozenset(
    {
        K.NONE, K.REMEMBER, K.UNSURE, K.SMALL_TALK, K.ANSWER, K.SHOW_AGENT, K.LIST_TASKS, K.YES, K.CLOCK,
        K.ADD_TASK, K.CHANGE_TASK, K.CHANGE_AGENT, K.WHY, K.RECALL, K.ASK_WORKSPACE, K.CREATE_AGENT,
    }
)  # fmt: skip
"""The kinds that an answer which only describes an option may be taken for."""
_MOST_WORDS = 14
_ENDS = frozenset(",.;!\n")
_PARTS = (("morning", 4, 12), ("noon", 12, 13), ("lunch", 11, 14), ("afternoon", 12, 18), ("evening", 17, 24),
          ("night", 20, 28), ("overnight", 0, 6))  # fmt: skip


def as_picked(acts: Sequence[Act], asked: AskedQuestion | None, bench: Workbench) -> Sequence[Act]:
    """Return the acts; as the choice of an option, where they do nothing else than describe just one."""
    if asked is None or asked.asked is not Asked.WHICH or len(asked.options) < 2 or not acts:
        return acts
    message = bench.turn.message
    tokens = tokenise(message)
    if "?" in message or len(tokens) > _MOST_WORDS or not all(_may_describe(act) for act in acts):
        return acts
    known = {one.id: _described_by(one, bench) for one in asked.options}
    for part in _parts(tokens):
        fitting = [one for one in asked.options if _fits(part, known[one.id], known.values())]
        if len(fitting) == 1:
            chosen = Meant(things=(Thing(fitting[0].id, fitting[0].name),))
            return [Act(K.PICK, Span(message, 0, len(message)), meant=chosen)]
        if fitting:
            return acts
    return acts


def _may_describe(act: Act) -> bool:
    first = next((token.word for token in tokenise(act.clause.text) if token.word not in LEADS), "")
    form = verb_forms().get(first)
    if act.kind is K.PICK:
        return not act.meant.things
    if act.kind is K.CHANGE_TASK and act.meant.things and act.slots:
        return False  # ``the shampoo is for thursday`` is no choice of what to delete
    return act.kind in _MAY_DESCRIBE and not (form is not None and form.is_base)


def _parts(tokens: Sequence[Token]) -> Iterator[frozenset[str]]:
    """Yield the stems of each part of a message, up to a mark."""
    part: set[str] = set()
    for token in tokens:
        if token.text in _ENDS:
            yield frozenset(part)
            part = set()
        elif token.is_word:
            part.add(stem(token.word))
    yield frozenset(part)


def _fits(said: frozenset[str], words: frozenset[str], all_words: Collection[frozenset[str]]) -> bool:
    """Return whether words have something of an option that not every option has."""
    shared = frozenset.intersection(*all_words)
    return bool(said & (words - shared))


def _described_by(option: Reference, bench: Workbench) -> frozenset[str]:
    """Return the stems of what an option can be told by."""
    if option.kind == "task":
        task = bench.task(option.id)
        words = option.name if task is None else f"{option.name} {_of_task(task, bench)}"
    else:
        agent = bench.agent(option.id)
        words = option.name if agent is None else f"{option.name} {_of_agent(agent)}"
    return frozenset(stem(token.word) for token in tokenise(words.replace("-", " ")) if token.is_word) - _IDLE


_IDLE = frozenset(stem(word) for word in "the a an at of and in to for from on one every it is".split())


def _of_task(task: Task, bench: Workbench) -> str:
    due = Due.of(task)
    if due is None:
        return ""
    part = _parts_of_day([due.at.hour]) if due.at else ""
    return f"{due.words(bench.turn.today)} {due.day:%A} {due.day:%B} {part}"


def _of_agent(agent: Agent) -> str:
    said = [agent.what, *agent.sources, *(channel.value for channel in agent.delivery.channels)]
    said += [part for one in agent.delivery.recipients for part in one.replace("@", " ").split(".")]
    if agent.schedule is not None:
        hours = [int(one.split()[1]) for one in agent.schedule.timing().crons if one.split()[1].isdigit()]
        said += [texts.schedule(agent.schedule), agent.schedule.frequency(), _parts_of_day(hours)]
    return " ".join(said)


def _parts_of_day(hours: Sequence[int]) -> str:
    """Return the parts of the day in which hours lie."""
    return " ".join(
        name for name, first, end in _PARTS if any(first <= hour < end or hour + 24 < end for hour in hours)
    )
