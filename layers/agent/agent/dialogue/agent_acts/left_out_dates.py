"""Requests that an agent leaves out a stretch of the year, or a single run: ``skip the holidays, 20 July to 1
September``, ``no rota tomorrow``.

A schedule leaves out days of the week and whole months. Single dates can't be left out, so nothing is
changed, and what comes near is said or offered.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from agent.dialogue.agent_acts import left_out_texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.texts import due
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent, AgentStatus
from intent.acts.act import Act, ActKind, Thing
from intent.acts.lexicon import EXCEPTIONS, NEGATIONS
from intent.acts.scene import Asked
from intent.acts.single_days import is_next_run, says_once
from intent.acts.tokens import tokenise
from intent.dates.times import MONTH, month_number, valid_date
from intent.regular_expressions import lower_pattern

_LEAVING = (
    NEGATIONS
    | (EXCEPTIONS - {"but"})
    | frozenset("skip skipping leave exclude excluding no cancel omit miss without needn't".split())
)
_MAY_LEAVE_OUT = frozenset({ActKind.CHANGE_AGENT, ActKind.SET_POLICY, ActKind.NONE, ActKind.UNSURE})


class Stretch(NamedTuple):
    """A stretch of days, both ends within it."""

    first: date
    last: date

    def whole_months(self) -> list[date]:
        """Return the first days of the months that lie within it entirely."""
        days = (self.first + timedelta(days=ahead) for ahead in range((self.last - self.first).days + 1))
        return [day for day in days if day.day == 1 and _last_of(day) <= self.last]


def _last_of(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def answer(act: Act, bench: Workbench) -> Result | None:
    """Say that a stretch of dates can't be left out, and what can; None for any other act."""
    if act.kind not in _MAY_LEAVE_OUT:
        return None
    words = [token.word for token in tokenise(act.clause.text)]
    if not _LEAVING & set(words):
        return None
    thing = act.meant.things[0] if len(act.meant.things) == 1 else bench.turn.note.subject
    agent = bench.agent(thing.id) if thing is not None else None
    if agent is None or agent.owner != bench.turn.caller.user:
        return None
    stretch = stretch_in(act.clause.text, bench.turn.today)
    if stretch is None:
        is_once = act.kind is ActKind.CHANGE_AGENT and says_once(words)
        return _of_run(agent, act, is_next=is_next_run(words)) if is_once else None
    today = bench.turn.today
    months = [f"{day:%B}" for day in stretch.whole_months()]
    text = left_out_texts.cannot_leave_out(
        agent.name, due(stretch.first, today), due(stretch.last, today), months
    )
    return Result(text, about=agent_reference(agent))


def _of_run(agent: Agent, act: Act, *, is_next: bool) -> Result:
    """Offer a pause in place of leaving out the next run; say of a later one that it stays."""
    about = agent_reference(agent)
    if not is_next or agent.status is AgentStatus.PAUSED:
        return Result(left_out_texts.cannot_leave_out_run(agent.name), about=about)
    pause = HeldAct.of(replace(act, kind=ActKind.PAUSE_AGENT, slots={}), [Thing(agent.id, agent.name)])
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(pause,))
    return Result(left_out_texts.ask_pause_instead(agent.name), about=about, question=question)


def stretch_in(text: str, today: date) -> Stretch | None:
    """Return the dates on both sides of ``to``, the next to come; None without two of them in order."""
    found = _RANGE.search(text)
    if found is None or (found["joint"] == "and" and "between" not in text[: found.start()].lower()):
        return None
    month = found["m1"] or found["m2"] or found["m3"] or found["m4"]
    first = _date(found["d1"] or found["d2"], found["m1"] or found["m2"] or month, today.year)
    last = _date(found["d3"] or found["d4"], found["m3"] or found["m4"] or month, today.year)
    if not month or first is None or last is None:
        return None
    last = last if last >= first else last.replace(year=last.year + 1)
    if last < today:
        first, last = first.replace(year=first.year + 1), last.replace(year=last.year + 1)
    return Stretch(first, last)


def _date(day: str, month: str, year: int) -> date | None:
    return valid_date(year, month_number(month.lower()), int(day)) if month else None


_DAY = r"\d{1,2}"
_ORDINAL = r"(?:st|nd|rd|th)?"
_RANGE = lower_pattern(
    rf"(?<![\d.:])(?:(?P<d1>{_DAY}){_ORDINAL}(?:(?: of)? (?P<m1>{MONTH}))?"
    rf"|(?P<m2>{MONTH}) (?P<d2>{_DAY}){_ORDINAL})"
    r" ?(?P<joint>to|until|till|til|through|and|-|\u2013) ?(?:the )?"
    rf"(?:(?P<d3>{_DAY}){_ORDINAL}(?:(?: of)? (?P<m3>{MONTH}))?"
    rf"|(?P<m4>{MONTH}) (?P<d4>{_DAY}){_ORDINAL})(?![\d.:])"
)
