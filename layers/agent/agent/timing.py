"""A new time for an old schedule: what the words don't mention stays. ``make it 10am`` keeps the Monday,
``weekly`` keeps the 10am, and ``only on weekdays`` keeps every hour of them.
"""

from __future__ import annotations

from agent.agents import Schedule
from intent.patterns import Form
from intent.schedules import find_schedule
from intent.times import days_in, times_in

_AT, _ON = " at ", ", "
"""What stands in front of the time of day, and of the days on which something happens several times."""
_ONLY = Form(r"\b(only|just)\b")


def adjusted(old: Schedule | None, new: Schedule, words: str) -> Schedule:
    """The new schedule, with the old days where the words name only a time, and the old time where they name
    only days.
    """
    if old is None or not _has_one_time(new):
        return new
    says_time = bool(times_in(words))
    if not _has_one_time(old):
        return _on_the_days_of(new, old) if narrows(words) and days_in(words) and not says_time else new
    says_days = bool(days_in(words)) or find_schedule(words) is not None
    if says_time == says_days:
        return new
    if not says_time and not days_in(words) and new.frequency() == old.frequency():
        return old
    days, time = (old, new) if says_time else (new, old)
    cron = " ".join([*time.cron.split()[:2], *days.cron.split()[2:]])
    day_text, time_text = days.text.partition(_AT)[0], time.text.rpartition(_AT)[2]
    return new.model_copy(update={"cron": cron, "text": f"{day_text}{_AT}{time_text}"})


def narrows(words: str) -> bool:
    """Whether the words leave something out of what was: ``only on Mondays``."""
    return _ONLY.search(words) is not None


def _on_the_days_of(new: Schedule, old: Schedule) -> Schedule:
    """What happens several times a day, on some days only."""
    cron = " ".join([*old.cron.split()[:2], *new.cron.split()[2:]])
    rhythm, days = old.text.partition(_ON)[0], new.text.partition(_AT)[0]
    return new.model_copy(update={"cron": cron, "text": f"{rhythm}{_ON}{days[:1].lower()}{days[1:]}"})


def _has_one_time(schedule: Schedule) -> bool:
    minute, hour, *_ = schedule.cron.split()
    return minute.isdigit() and hour.isdigit() and _AT in schedule.text
