"""A new time for an old schedule: what the words don't mention stays. ``make it 10am`` keeps the Monday,
``weekly`` keeps the 10am.
"""

from __future__ import annotations

from agent.agents import Schedule
from intent.schedules import find_schedule
from intent.times import days_in, times_in

_AT = " at "


def adjusted(old: Schedule | None, new: Schedule, words: str) -> Schedule:
    """The new schedule, with the old days where the words name only a time, and the old time where they name
    only days.
    """
    if old is None or not (_has_one_time(old) and _has_one_time(new)):
        return new
    says_time = bool(times_in(words))
    says_days = bool(days_in(words)) or find_schedule(words) is not None
    if says_time == says_days:
        return new
    if not says_time and not days_in(words) and new.frequency() == old.frequency():
        return old
    days, time = (old, new) if says_time else (new, old)
    cron = " ".join([*time.cron.split()[:2], *days.cron.split()[2:]])
    day_text, time_text = days.text.partition(_AT)[0], time.text.rpartition(_AT)[2]
    return new.model_copy(update={"cron": cron, "text": f"{day_text}{_AT}{time_text}"})


def _has_one_time(schedule: Schedule) -> bool:
    minute, hour, *_ = schedule.cron.split()
    return minute.isdigit() and hour.isdigit() and _AT in schedule.text
