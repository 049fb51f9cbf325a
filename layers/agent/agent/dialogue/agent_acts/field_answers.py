"""Answers a question about agents by what it asks: the field, or whether what it supposes is so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from agent.dialogue.agent_acts import field_texts as texts
from agent.dialogue.agent_acts.supposed_times import is_so, named_day
from agent.dialogue.texts import services
from agent.dialogue.workbench import Workbench
from agent.readiness import readiness
from agent.workspace.agents import Agent, AgentStatus
from agent.workspace.delivery_targets import Channel
from conversation.cron import Cron
from intent.acts.agent_filters import WEEKDAYS
from intent.acts.agent_questions import AgentQuestion, Field
from intent.acts.tokens import tokenise

_OFF = frozenset("paused off stopped inactive disabled suspended dormant".split())
_BY_HAND = frozenset({"hand", "manually", "myself"})
_ONLY = frozenset({"only", "but", "else", "except"})
_WAYS = {"mail": Channel.EMAIL, "email": Channel.EMAIL, "e-mail": Channel.EMAIL,
         "slack": Channel.SLACK, "teams": Channel.TEAMS}  # fmt: skip


def answer(agent: Agent, question: AgentQuestion, bench: Workbench) -> str:
    """Return the answer to a question about one agent; it has at least one field."""
    facts = [] if question.is_open else [_fact(agent, field, question, bench) for field in question.fields]
    known = {fact for fact in facts if fact is not None}
    lead = _lead(known.pop(), question) if len(known) == 1 else ""
    only = lead in {"No", "Right"}
    said = [_said(agent, field, question, bench, only=only) for field in question.fields]
    is_told = {Field.STATUS, Field.NEXT, Field.LEFT_OUT} & set(question.fields)
    is_timed = {Field.WHEN, Field.MANUAL} & set(question.fields)
    is_paused = agent.status is AgentStatus.PAUSED and bool(is_timed) and not is_told
    return texts.answer(lead, agent.name, list(dict.fromkeys(said)), is_paused=is_paused)


def _lead(fact: bool, question: AgentQuestion) -> str:
    if question.asks_to_confirm:
        return "Right" if fact is not question.is_negated else "No"
    return "Yes" if fact else "No"


def _said(agent: Agent, field: Field, question: AgentQuestion, bench: Workbench, *, only: bool) -> str:
    zone, user = bench.turn.situation.time_zone, bench.turn.caller.user
    match field:
        case Field.NEXT:
            return _next_said(agent, question, bench)
        case Field.LEFT_OUT:
            return texts.leaves_out(_left_out(agent))
        case Field.WHERE:
            return texts.sends(agent, only=only and not question.is_open)
        case Field.READS:
            return texts.reads(agent)
        case Field.SHARED:
            return texts.seen_by(agent, user)
        case Field.STATUS:
            return texts.state(agent)
        case Field.MANUAL:
            return texts.started_by(agent, zone)
        case Field.READY:
            return texts.can_work(
                agent, readiness(agent, bench.turn.provision), _coming(agent, bench), zone, bench.turn.today
            )
        case _:
            return _time_said(agent, question, bench, only=only)


def _next_said(agent: Agent, question: AgentQuestion, bench: Workbench) -> str:
    """Return when an agent runs next, in UTC where the question names that: ``next run, in UTC?``"""
    coming, situation = _coming(agent, bench), bench.turn.situation
    is_utc = bool({"utc", "gmt"} & {token.word for token in tokenise(question.text)})
    if not is_utc or coming is None:
        return texts.runs_next(agent, coming, situation.time_zone, bench.turn.today)
    today = situation.now.astimezone(ZoneInfo("UTC")).date()
    return f"{texts.runs_next(agent, coming, 'UTC', today)} (UTC)"


def _time_said(agent: Agent, question: AgentQuestion, bench: Workbench, *, only: bool) -> str:
    """Return when an agent runs; of a certain day, whether it runs on it."""
    situation, today = bench.turn.situation, bench.turn.today
    day = None if question.is_open else named_day(question.text, situation.now, situation.time_zone)
    if day is None or agent.schedule is None:
        asks_zone = _asks_zone([token.word for token in tokenise(question.text)])
        said = texts.runs(agent, "" if asks_zone else situation.time_zone, only=only)
        coming = _coming(agent, bench)
        is_elsewhere = agent.schedule is not None and agent.schedule.time_zone != situation.time_zone
        return (
            texts.in_own_time(said, coming, situation.time_zone, today) if is_elsewhere and coming else said
        )
    zone = ZoneInfo(agent.schedule.time_zone)
    first = datetime(day.year, day.month, day.day, tzinfo=zone)
    at = next(agent.schedule.timing().moments(first), None)
    if at is not None and at.astimezone(zone).date() == day:
        return texts.on_day(at, situation.time_zone, today)
    return texts.not_on_day(day, _coming(agent, bench), situation.time_zone, today)


def _asks_zone(words: Sequence[str]) -> bool:
    """Return whether a question is whose time is meant: ``is that London time?``, ``in which time zone?``"""
    if _ZONES & set(words):
        return True
    return any(word == "time" and before not in _ANY_TIME for before, word in pairwise(words))


_ZONES = frozenset({"zone", "timezone", "utc", "gmt"})
_ANY_TIME = frozenset("what which the this that same a any first next last every each one".split())


def _coming(agent: Agent, bench: Workbench) -> datetime | None:
    if agent.schedule is None:
        return None
    return next(agent.schedule.timing().moments(bench.turn.situation.now), None)


def _left_out(agent: Agent) -> Sequence[str]:
    """Return the days of the week on which an agent never runs, Monday first."""
    if agent.schedule is None:
        return ()
    runs = {day for cron in agent.schedule.timing().crons for day in Cron.parse(cron).weekdays}
    order = (*range(1, 7), 0)
    return [WEEKDAYS[day].capitalize() for day in order if day not in runs]


def _fact(agent: Agent, field: Field, question: AgentQuestion, bench: Workbench) -> bool | None:
    """Return whether what a question supposes of a field is so, its negation aside; None: that is open."""
    words = {token.word for token in tokenise(question.text)}
    is_paused = agent.status is AgentStatus.PAUSED
    match field:
        case Field.STATUS:
            return None if "or" in words and "not" not in words else bool(_OFF & words) is is_paused
        case Field.SHARED:
            return None if "or" in words else agent.shared is not bool({"private"} & words)
        case Field.MANUAL:
            is_by_hand = agent.schedule is None
            return is_by_hand if _BY_HAND & words else not is_by_hand
        case Field.READS:
            return _reads(agent, words)
        case Field.READY:
            return not readiness(agent, bench.turn.provision)
        case Field.WHERE:
            return _goes_there(agent, question.text, words, is_negated=question.is_negated)
        case Field.WHEN if "or" in words and "not" not in words:
            return None
        case Field.WHEN:
            situation = bench.turn.situation
            return is_so(agent.schedule, question.text, situation.now, situation.time_zone)
        case _:
            return None


def _reads(agent: Agent, words: set[str]) -> bool:
    return any(
        set(services((source,)).lower().split()) & words or source in words for source in agent.sources
    )


def _goes_there(agent: Agent, text: str, words: set[str], *, is_negated: bool) -> bool | None:
    """Return whether results go where the words say; that they go nowhere else where that is denied."""
    named = {token.text.lower() for token in tokenise(text) if token.text[0] == "#" or "@" in token.text}
    mine = {one.lower() for one in agent.delivery.recipients}
    if named and _ONLY & words:
        return (mine == named) is not is_negated
    if named:
        return named <= mine
    ways = {channel for word, channel in _WAYS.items() if word in words}
    return ways <= set(agent.delivery.channels) if ways and not _ONLY & words else None
