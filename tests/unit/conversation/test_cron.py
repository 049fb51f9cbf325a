from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from cronsim import CronSim
from hypothesis import given
from hypothesis import strategies as st

from conversation.cron import Cron

START = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)

EXPRESSIONS = [
    "0 9 * * *", "30 6 * * 1-5", "*/15 * * * *", "0 */2 * * *", "5,35 8-18/2 * * 1,3,5", "0 0 1 * *",
    "0 0 31 * *", "0 12 29 2 *", "0 9 1,15 * 1", "0 9 13 * 5", "45 23 * 12 *", "0 7 * * 0", "0 7 * * 7",
    "0 7 * * 5-7", "10 10 10 10 *", "0 9 */2 * *", "0 9 1-7 * 1", "0 9 * 1-6/2 *", "0 9 1-31 * 1",
    "0 9 15 1-3 0-6", "0,30 9,17 28-31 * *", "0 9 * 2,4,6 2-4",
]  # fmt: skip


def is_match(cron: Cron, moment: datetime) -> bool:
    """Whether the fields name the moment."""
    is_day, is_weekday = moment.day in cron.days, moment.isoweekday() % 7 in cron.weekdays
    is_named = is_day or is_weekday if cron.matches_either_day_field else is_day and is_weekday
    is_time = moment.hour in cron.hours and moment.minute in cron.minutes
    return is_named and is_time and moment.month in cron.months


def moments(text: str, *, count: int) -> list[datetime]:
    """The newest moments before the start that the fields name, last first."""
    cron, found, day = Cron.parse(text), list[datetime](), START.replace(hour=0)
    times = [
        timedelta(hours=hour, minutes=minute)
        for hour in sorted(cron.hours, reverse=True)
        for minute in sorted(cron.minutes, reverse=True)
    ]
    while len(found) < count:
        found += [at for time in times if (at := day + time) <= START and is_match(cron, at)]
        day -= timedelta(days=1)
    return found[:count]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_names_the_moments_that_cron_names(text: str) -> None:
    count = 3 if text == "0 12 29 2 *" else 40 if "10 10" not in text else 5
    expected = list(islice(CronSim(text, START + timedelta(minutes=1), reverse=True), count))
    assert moments(text, count=count) == expected


fields = st.tuples(
    st.sampled_from(["0", "30", "*/20", "5,10,50", "7-40/11"]),
    st.sampled_from(["*", "9", "8-17/3", "0,23"]),
    st.sampled_from(["*", "1", "15,31", "10-20", "*/10"]),
    st.sampled_from(["*", "2", "1,7", "3-9/2"]),
    st.sampled_from(["*", "1", "0,6", "1-5", "7"]),
).map(" ".join)


@given(fields)
def test_any_expression_agrees_with_cron_or_is_refused(text: str) -> None:
    try:
        Cron.parse(text)
    except ValueError:
        _, _, day, month, weekday = text.split()
        assert (day == "*/10" and weekday != "*") or (day, month) == ("31", "2")
        return
    expected = list(islice(CronSim(text, START + timedelta(minutes=1), reverse=True), 5))
    assert moments(text, count=5) == expected


@pytest.mark.parametrize(
    "text",
    ["", "0 9 * *", "0 9 * * * *", "60 9 * * *", "0 24 * * *", "0 9 0 * *", "0 9 * 13 *", "0 9 * * 8",
     "0 9 */0 * *", "5-1 9 * * *", "a 9 * * *", "0 9 W * *", "0 9 32W * *", "0 9 * * L",
     "0 9 * * 2#6", "0 9 31 2 *", "0 9 */2 * 1", "0 9 2 * */2"],
)  # fmt: skip
def test_what_names_no_moment_or_cron_reads_otherwise_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[a-z ,:']+$"):
        Cron.parse(text)


def test_the_times_an_hour_are_counted() -> None:
    assert [Cron.parse(text).max_times_per_hour for text in ("* * * * *", "*/5 * * * *", "0 9 * * *")] == [
        60,
        12,
        1,
    ]
