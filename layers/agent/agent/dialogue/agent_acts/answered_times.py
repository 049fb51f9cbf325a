"""Answers to a question about a schedule that say a part of it; the other part was said before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from agent.dialogue.agent_acts.schedules import Requested, requested_schedule
from agent.dialogue.workbench import Workbench
from agent.workspace.agents import Schedule
from intent.acts.act import Act, ActKind, Span
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.words.lexicon import WEEKDAYS

_PARTS = ({"day"}, {"time"}, {"day", "time"})


def with_told_parts(held: Act, answer: Act, slots: Mapping[str, Span], bench: Workbench) -> Act | None:
    """Return a change of a schedule with the days or the time that were told before the question beside
    those that answer it: ``Tuesdays, late afternoon``, ``at 4:30 pm``. ``slots`` are those of the answer.

    None where the answer says all of it, or where the words don't go together.
    """
    words = held.slot("when")
    if held.kind is not ActKind.CHANGE_AGENT or not words or len(held.meant.things) != 1:
        return None
    agent = bench.agent(held.meant.things[0].id)
    said = slots["when"].text if "when" in slots else answer.clause.text
    if agent is None or agent.schedule is None or slots.keys() - {"when"}:
        return None
    joined = _joined(words, said, agent.schedule, bench.turn.situation.now)
    if joined is None:
        return None
    span = Span(joined, 0, len(joined))
    return replace(held, slots={**held.slots, "when": span}, clause=span)


def _joined(told: str, said: str, was: Schedule, now: datetime) -> str | None:
    """Return the words that were told and those of the answer as one text; None where they aren't to be."""
    zone = was.time_zone
    before = requested_schedule(told, now=now, zone=zone, was=was)
    if before is None or before.schedule is not None or set(before.asks) not in _PARTS:
        return None
    joined = f"{told.rstrip(' .!?;,')}, {said.lstrip(' ,;')}"
    alone = requested_schedule(said, now=now, zone=zone)
    if alone is not None and _is_time_only(alone, said):
        return None if _has_time(told, was, now) else joined
    names_days = alone is None or alone.asks == ("time",)
    both = requested_schedule(joined, now=now, zone=zone, was=was)
    is_made = both is not None and both.schedule is not None and not both.asks
    return joined if names_days and is_made and "day" in before.asks else None


def _is_time_only(answer: Requested, said: str) -> bool:
    """Return whether an answer names a time of day and no days."""
    if answer.schedule is not None:
        return False
    names_day = any(token.word in WEEKDAYS for token in tokenise(said))
    return answer.asks == ("day",) or (answer.asks == ("am_pm",) and not names_day)


def _has_time(told: str, was: Schedule, now: datetime) -> bool:
    """Return whether the words before the question named the time of day already."""
    return any(one.at for one in read_times(told, now=now, zone=was.time_zone, was=was.timing()))
