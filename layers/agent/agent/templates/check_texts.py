"""What checks of web addresses say: their news, and what they find when somebody asks. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from agent.checks.check import Check, Expectation
from agent.checks.check_state import CheckState, News
from agent.checks.observation import Observation

ADDRESS_NOT_ALLOWED = "I can't watch that address: it has to be a public one that begins with https://."
"""Declines an address that is not requested from here."""
UNCHANGED = "From now on I compare its text with what it is now."
VOLATILE = "The page reads differently on every load, so I can't tell when it changes."


def news_text(
    check: Check,
    news: Sequence[News],
    found: Observation,
    *,
    before: CheckState | None,
    after: CheckState,
    now: datetime,
    time_zone: str,
) -> str:
    """Tells what changed, a sentence each; ``before`` None: it was the first check."""
    is_known = before is not None and before.holds is not None
    since = (before.down_since if before is not None else None) or after.down_since or now
    return " ".join(
        _news(check, each, found, since=since, is_known=is_known, now=now, time_zone=time_zone)
        for each in news
    )


def finding_text(
    check: Check, found: Observation, state: CheckState, *, now: datetime, time_zone: str
) -> str:
    """Says how it stands, whether or not that is news."""
    if not found.is_up:
        return _down(check, found, state.down_since or now, now, time_zone)
    match check.expect:
        case Expectation.REACHABLE:
            return f"{check.url} is up ({found.reason})."
        case Expectation.STATUS:
            return f"{check.url} answers {found.reason}, as it should."
        case Expectation.CONTAINS | Expectation.LACKS:
            is_there = found.holds == (check.expect is Expectation.CONTAINS)
            return f"{check.url} {_says(is_there=is_there, is_known=False)} {_quoted(check)}."
        case Expectation.UNCHANGED:
            is_same = bool(state.fingerprint) and state.fingerprint == found.fingerprint
            return f"{check.url} is up. {UNCHANGED if is_same else VOLATILE}"
        case Expectation.CERTIFICATE:
            return (
                f"The certificate of {check.host} is valid until {_day(found.expires_at or now, time_zone)}."
            )
        case _:
            assert_never(check.expect)


def duration_text(passed: timedelta) -> str:
    """Returns a duration in its largest whole unit: ``15 minutes``."""
    minutes = max(1, round(passed.total_seconds() / 60))
    for unit, size in (("day", 24 * 60), ("hour", 60)):
        if minutes >= 2 * size or minutes == size:
            return _counted(minutes // size, unit)
    return _counted(minutes, "minute")


def _news(
    check: Check,
    news: News,
    found: Observation,
    *,
    since: datetime,
    is_known: bool,
    now: datetime,
    time_zone: str,
) -> str:
    match news:
        case News.DOWN:
            return _down(check, found, since, now, time_zone)
        case News.BACK:
            return f"{check.url} is back after {duration_text(now - since)}."
        case News.CHANGED:
            return f"{check.url} has changed."
        case News.BROKEN if check.expect is Expectation.CERTIFICATE:
            expires_at = found.expires_at or now
            left = _counted(max(0, (expires_at - now).days), "day")
            return f"The certificate of {check.host} expires in {left}, on {_day(expires_at, time_zone)}."
        case News.RESTORED if check.expect is Expectation.CERTIFICATE:
            until = _day(found.expires_at or now, time_zone)
            return f"The certificate of {check.host} was renewed. It is valid until {until}."
        case News.BROKEN | News.RESTORED:
            is_there = (news is News.RESTORED) == (check.expect is Expectation.CONTAINS)
            return f"{check.url} {_says(is_there=is_there, is_known=is_known)} {_quoted(check)}."
        case _:
            assert_never(news)


def _says(*, is_there: bool, is_known: bool) -> str:
    if not is_known:
        return "says" if is_there else "doesn't say"
    return "now says" if is_there else "no longer says"


def _down(check: Check, found: Observation, since: datetime, now: datetime, time_zone: str) -> str:
    return f"{check.url} has been down since {_time(since, now, time_zone)} ({found.reason})."


def _quoted(check: Check) -> str:
    return f'"{check.text}"'


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _time(moment: datetime, now: datetime, time_zone: str) -> str:
    """Returns the time of day, with the day where that is another one."""
    local, today = moment.astimezone(ZoneInfo(time_zone)), now.astimezone(ZoneInfo(time_zone))
    time = f"{local.hour % 12 or 12}:{local:%M} {'AM' if local.hour < 12 else 'PM'}"
    return time if local.date() == today.date() else f"{time} on {local.day} {local:%B}"


def _day(moment: datetime, time_zone: str) -> str:
    local = moment.astimezone(ZoneInfo(time_zone))
    return f"{local.day} {local:%B %Y}"
