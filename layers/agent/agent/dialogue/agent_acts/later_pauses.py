"""Pauses that are to begin on a later day: they can't, so the deed is offered for now instead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from agent.dialogue import texts
from agent.dialogue.agent_acts.left_out_dates import stretch_in
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent, AgentStatus
from intent.acts.act import Act, ActKind, Thing
from intent.acts.scene import Asked
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times

_BEGINNING = (("from",), ("starting",), ("beginning",), ("as", "of"), ("after",), ("once",))
_ENDING = frozenset({"until", "till", "til", "through", "to", "and"})
_NOW = frozenset({"now", "today", "tonight", "here"})


def asked_first(agents: Sequence[Agent], act: Act, bench: Workbench) -> Result | None:
    """Return the question whether to pause now, where the words want it on a later day; None otherwise."""
    day = begins_later(act, bench) if act.kind is ActKind.PAUSE_AGENT else None
    changing = [agent for agent in agents if agent.status is not AgentStatus.PAUSED]
    if day is None or not changing:
        return None
    things = [Thing(agent.id, agent.name) for agent in agents]
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, things),))
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    names = texts.join([agent.name for agent in changing])
    return Result(
        texts.pauses_only_now(names, texts.due(day, bench.turn.today)), about=about, question=question
    )


def begins_later(act: Act, bench: Workbench) -> date | None:
    """Return the later day from which an act's words want a pause; None where they name none."""
    stretch = stretch_in(act.clause.text, bench.turn.today)
    if stretch is not None:
        return stretch.first if stretch.first > bench.turn.today else None
    tokens = tokenise(act.clause.text)
    begin = _beginning(tokens)
    if begin is None:
        return None
    end = next((at for at in range(begin, len(tokens)) if tokens[at].word in _ENDING), len(tokens))
    words = act.clause.text[tokens[begin].start : tokens[end - 1].end] if end > begin else ""
    situation = bench.turn.situation
    found = read_times(words, now=situation.now, zone=situation.time_zone) if words else ()
    days = [one.day for one in found if one.day is not None and one.day > bench.turn.today]
    return days[0] if len(days) == 1 and not _NOW & {token.word for token in tokens[begin:end]} else None


def _beginning(tokens: Sequence[Token]) -> int | None:
    words = [token.word for token in tokens]
    for place in range(len(words)):
        for phrase in _BEGINNING:
            if tuple(words[place : place + len(phrase)]) == phrase and place + len(phrase) < len(words):
                return place + len(phrase)
    return None
