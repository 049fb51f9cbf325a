"""When a new agent shall run, by the words of its request: what is wished, and what comes near to propose."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from agent.dialogue.agent_acts.open_days import without_windows
from agent.dialogue.agent_acts.request_parts import parts_of, wished
from agent.dialogue.agent_acts.schedule_steps import steps
from agent.dialogue.agent_acts.schedules import Requested, requested_schedule
from agent.workspace.agents import Schedule
from intent.acts.act import Act
from intent.regular_expressions import lower_pattern
from intent.times.words.neighbouring_days import tells_past
from intent.times.words.tokens import LEFT_OUT

_MOST_CHARACTERS = 400
_ASKS_HOW_OFTEN = lower_pattern(
    r"\b(?:dunno|don'?t know|not sure|no idea|unsure|can'?t say)\b[^.!?]{0,20}"
    r"\b(?:how often|when|what time)\b"
    r"|\bhow often (?:would|do|should|is|shall)\b"
)


class WishedTime(NamedTuple):
    """``words`` say when it shall run; with ``proposed`` they say nothing of it, but when its owner works."""

    words: str
    proposed: Schedule | None = None


def wished_time(act: Act, job: str, *, now: datetime, zone: str) -> WishedTime:
    """Return when a request wants the agent to run; times in the words of its job are the job's own.

    A sentence that says the time of day counts more than one that only names a part of the day.
    """
    found = _wished_time(act, job, now=now, zone=zone)
    if not found.words:
        return found
    text = act.clause.text
    parts = [text[part.start : part.end] for part in parts_of(text) if not part.is_story]
    timed = [part for part in parts if _read(part, now, zone) is not None]
    exact = [part for part in timed if len(parts) > 1 and _is_exact(part, now, zone)]
    if len(exact) != 1 or (len(timed) == 1 and _is_exact(found.words, now, zone)):
        return found
    if len(timed) == 1:
        return WishedTime(exact[0])
    joined = ". ".join(_DAILY.sub(" ", part) for part in parts)
    return WishedTime(joined) if _is_exact(joined, now, zone) else found  # no day of them is lost


_DAILY = re.compile(
    r"\b(?:(?:once|twice|two times|three times) a day|every ?day|each day|daily)\b,?", re.IGNORECASE
)


def _is_exact(words: str, now: datetime, zone: str) -> bool:
    """Return whether words say on which days and at which time of day, and leave nothing to be supposed."""
    found = _read(words, now, zone)
    return found is not None and found.schedule is not None and not found.asks and not found.assumed


def _wished_time(act: Act, job: str, *, now: datetime, zone: str) -> WishedTime:
    text, said = act.clause.text, _without_slots(act)
    usual = without_windows(_without(_unnumbered(act.slot("when") or text[:_MOST_CHARACTERS]), job))
    said = without_windows(_unnumbered(_without(said, job)))
    wish = wished(text)
    if wish == text:
        is_better = len(steps(said)) > 1 or not _is_whole(usual, now, zone)
        return WishedTime(said if is_better and _is_whole(said, now, zone) else usual)
    in_wish = "".join(mark if kept != " " else " " for mark, kept in zip(said, wish, strict=True))
    if _read(in_wish, now, zone) is not None:
        return WishedTime(in_wish if _is_whole(in_wish, now, zone) else usual)
    told = _read(usual, now, zone)
    if told is None:
        return WishedTime("")
    nearest = told.offers[0] if told.offers else None
    near = Schedule.of(nearest.timing, nearest.said) if nearest is not None else None
    return WishedTime("", told.schedule or near)


def telling_words(when: str, whole: str, *, now: datetime, zone: str) -> str:
    """Return the words that are said to say when, or the whole sentence where only that says it all."""
    is_better = not _is_whole(when, now, zone) and _is_whole(whole, now, zone)
    return whole if is_better else when


def asks_how_often(text: str) -> bool:
    """Return whether somebody leaves it to us how often an agent runs."""
    return _ASKS_HOW_OFTEN.search(text) is not None


def _read(words: str, now: datetime, zone: str) -> Requested | None:
    return requested_schedule(words, now=now, zone=zone)


def _is_whole(words: str, now: datetime, zone: str) -> bool:
    found = _read(words, now, zone)
    return found is not None and found.schedule is not None and not found.asks


def _unnumbered(words: str) -> str:
    """Return words of the same length without the number of a list before them: ``1. weekdays at 9``."""
    found = _NUMBER.match(words)
    return words if found is None else f"{LEFT_OUT}{' ' * (found.end() - 1)}{words[found.end() :]}"


_NUMBER = re.compile(r"\s*\d{1,2} ?[.):](?!\d)")


def _without(words: str, job: str) -> str:
    """Return words of the same length in which those of the job are blank, with the day that it happened on:
    ``the tickets closed the day before``.
    """
    at = words.find(job) if job else -1
    if at < 0:
        return words
    end = at + len(job)
    if tells_past(job.lower().split()) and (day := _ITS_DAY.match(words, end)) is not None:
        end = day.end()
    return f"{words[:at]}{LEFT_OUT}{' ' * (end - at - 1)}{words[end:]}"


_ITS_DAY = lower_pattern(
    r"(?: (?:in|from) [\w-]+)? the (?:day before|day prior|previous day)\b(?!,? (?:at|around|by|@|\d))"
)


def _without_slots(act: Act) -> str:
    """Return the clause with the words blank that say from where, where to and by which name."""
    text = list(act.clause.text)
    for name in ("source", "where", "name"):
        if name not in act.slots:
            continue
        span = act.slots[name]
        start, end = span.start - act.clause.start, span.end - act.clause.start
        if 0 <= start < end <= len(text):
            text[start:end] = LEFT_OUT + " " * (end - start - 1)
    return "".join(text)
