"""What the user's agents are and how they are set up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from agent.dialogue import texts
from agent.dialogue.agent_acts import field_answers, field_texts, pause_reasons
from agent.dialogue.agent_acts.changes import meant_agents
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference, agent_references
from agent.readiness import readiness
from agent.templates import agent_texts
from agent.workspace.agents import Agent, AgentCard, AgentStatus
from conversation.cron import Cron
from intent.acts.act import Act, Thing
from intent.acts.agent_filters import AgentFilter, asks_for_all_first, read_filter
from intent.acts.agent_questions import AgentQuestion, Field, read_question
from intent.acts.agents_by_subject import agents_on_subject, asks_who_does
from intent.acts.hour_ranges import HourRange
from intent.acts.tokens import tokenise

_OWNING = frozenset({"whose", "belongs", "owner"})
_MOST_READ = 30
"""The most agents read for one answer; each is a request."""


def list_agents(act: Act, bench: Workbench) -> Result:
    """List the agents the user can see; only those that the words ask for when they say which, and all
    before them where the words ask for all first.
    """
    tokens = tokenise(act.clause.text)
    words = {token.word for token in tokens}
    cards = list(bench.visible_agents())
    wanted = read_filter(tokens)
    if wanted.says_something:
        some = _list_some(wanted, cards, bench, is_counted="many" in words)
        return _behind_all(some, cards, bench) if cards and asks_for_all_first(tokens) else some
    if not cards:
        return Result(texts.no_agents())
    if asks_who_does(tokens):
        things = [Thing(card.id, card.name, card.summary) for card in cards]
        on_subject = {one.id for one in agents_on_subject(tokens, things)}
        cards = [card for card in cards if card.id in on_subject] or cards
        if on_subject:
            return _list_some(wanted, cards, bench, is_counted=False)
    if _asks_how(act, words):
        return _list_some(wanted, cards, bench, is_counted=True)
    return _list_all(cards, bench)


def _behind_all(some: Result, cards: Sequence[AgentCard], bench: Workbench) -> Result:
    """Return what is said of some agents behind the list of all."""
    every = _list_all(cards, bench)
    return replace(some, text=f"{every.text}\n\n{some.text}", listed=every.listed)


def _list_all(cards: Sequence[AgentCard], bench: Workbench) -> Result:
    user = bench.turn.caller.user
    lines = []
    for card in cards:
        state = " (paused)" if card.status is AgentStatus.PAUSED else ""
        by = card.shared_by(user)
        mark = f"{state} (shared by {by})" if by else state
        lines.append((card.name, agent_texts.described(card, user), mark))
    return Result(texts.listed_agents(lines), listed=agent_references(cards), tool="list_agents")


def _asks_how(act: Act, words: AbstractSet[str]) -> bool:
    """Return whether a list is to say when agents run or where they send: ``and when do they run?``"""
    question = read_question(act.clause.text, is_marked=True)
    fields = frozenset(question.fields) if question is not None else frozenset()
    return bool(fields & {Field.WHEN, Field.NEXT, Field.RUNS, Field.WHERE} or words & _SCHEDULES)


_SCHEDULES = frozenset({"schedule", "schedules", "times"})


def _list_some(
    wanted: AgentFilter, cards: Sequence[AgentCard], bench: Workbench, *, is_counted: bool
) -> Result:
    """List the agents that are as asked, with when they run and where their results go."""
    zone = bench.turn.situation.time_zone
    found = [
        agent for card in cards[:_MOST_READ] if (agent := bench.agent(card.id)) and _is_wanted(agent, wanted)
    ]
    count = field_texts.how_many(len(cards)) if is_counted else ""
    if not found:
        return Result(f"{count}{field_texts.no_agents(_what(wanted))}", tool="list_agents")
    lines = [(agent.name, field_texts.in_short(agent, zone)) for agent in found]
    about = agent_reference(found[0]) if len(found) == 1 else None
    listed = agent_references([agent.card() for agent in found]) if about is None else ()
    count = f"{count.rstrip()}\n\n" if count and len(lines) > 1 else count
    return Result(f"{count}{field_texts.some_agents(lines)}", about=about, listed=listed, tool="list_agents")


def _is_wanted(agent: Agent, wanted: AgentFilter) -> bool:
    if wanted.is_paused is not None and wanted.is_paused is not (agent.status is AgentStatus.PAUSED):
        return False
    if wanted.is_shared is not None and wanted.is_shared is not agent.shared:
        return False
    if wanted.weekdays and not wanted.weekdays & _weekdays(agent):
        return False
    if wanted.hours is not None and not _runs_within(agent, wanted.hours):
        return False
    places = {one.lower() for one in agent.delivery.recipients} | {
        one.value for one in agent.delivery.channels
    }
    if wanted.places and not wanted.places & places:
        return False
    read = {word for source in agent.sources for word in texts.services((source,)).lower().split()}
    return not wanted.services or bool(wanted.services & (read | places))


def _weekdays(agent: Agent) -> frozenset[int]:
    """Return the days of the week on which an agent may run, Sunday is 0."""
    crons = agent.schedule.timing().crons if agent.schedule else ()
    return frozenset(day for cron in crons for day in Cron.parse(cron).weekdays)


def _runs_within(agent: Agent, hours: HourRange) -> bool:
    """Return whether an agent may run in a part of the day, on its own clocks."""
    crons = [Cron.parse(cron) for cron in agent.schedule.timing().crons] if agent.schedule else []
    return any(hours.holds(hour, minute) for one in crons for hour in one.hours for minute in one.minutes)


def _what(wanted: AgentFilter) -> str:
    """Return what no agent is."""
    if wanted.is_paused is not None:
        return "is paused" if wanted.is_paused else "is active"
    if wanted.is_shared is not None:
        return "is shared" if wanted.is_shared else "is yours alone"
    if wanted.weekdays:
        return f"runs on {texts.either([field_texts.weekday(day) for day in sorted(wanted.weekdays)])}"
    if wanted.hours is not None:
        return "runs at that time of day"
    if wanted.places:
        return f"sends anything to {texts.either(sorted(wanted.places))}"
    return f"reads {texts.services(sorted(wanted.services))}"


def show_agents(act: Act, bench: Workbench) -> Result:
    """Say how agents are set up: what was asked about, or all in short."""
    agents, problem = meant_agents(act, bench)
    if problem is not None:
        return problem
    question = read_question(_with_pronouns(act), is_marked=True)
    text = "\n".join(_described(agent, act, question, bench) for agent in agents[:5])
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    is_on_lacks = question is not None and Field.READY in question.fields
    lacks = (
        [one for agent in agents[:5] for one in readiness(agent, bench.turn.provision)] if is_on_lacks else []
    )
    return Result(text, about=about, tool="show_agent", remarks=texts.links_wanted(lacks))


def _with_pronouns(act: Act) -> str:
    """Return the question with ``it`` for the exact name of the agent: it asks the same of both."""
    if len(act.meant.things) != 1:
        return act.clause.text
    return re.sub(
        rf"(?<![\w-]){re.escape(act.meant.things[0].name)}(?![\w-])",
        "it",
        act.clause.text,
        flags=re.IGNORECASE,
    )


def _described(agent: Agent, act: Act, question: AgentQuestion | None, bench: Workbench) -> str:
    user = bench.turn.caller.user
    words = {token.word for token in tokenise(act.clause.text)}
    is_own = agent.owner == user
    if _OWNING & words and not is_own:
        question = AgentQuestion((Field.SHARED,), is_open=True)
    if is_own and (why := pause_reasons.answer(agent, act, bench)):
        return why
    if question is not None and question.fields and (is_own or Field.SHARED in question.fields):
        return field_answers.answer(agent, question, bench)
    if not is_own:
        return agent_texts.agent_shown(agent, user, ())
    return f"{agent.name}: {texts.described(agent, bench.turn.situation.time_zone)}"
