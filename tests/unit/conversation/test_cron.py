from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim
from hypothesis import given
from hypothesis import strategies as st

from conversation.cron import Cron

BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
START = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)

EXPRESSIONS = [
    "0 9 * * *", "30 6 * * 1-5", "*/15 * * * *", "0 */2 * * *", "5,35 8-18/2 * * 1,3,5", "0 0 1 * *",
    "0 0 31 * *", "0 12 29 2 *", "0 9 1,15 * 1", "0 9 13 * 5", "45 23 * 12 *", "0 7 * * 0", "0 7 * * 7",
    "0 7 * * 5-7", "10 10 10 10 *", "0 9 */2 * *", "0 9 1-7 * 1", "0 9 * 1-6/2 *", "0 9 1-31 * 1",
    "0 9 15 1-3 0-6", "0,30 9,17 28-31 * *", "0 9 * 2,4,6 2-4",
]  # fmt: skip


def moments(text: str, *, count: int) -> list[datetime]:
    """The newest moments up to the start, last first."""
    cron, until, found = Cron.parse(text), START, []
    for _ in range(count):
        moment = cron.latest(after=START - timedelta(days=4000), until=until, zone=UTC_ZONE)
        assert moment is not None
        found.append(moment)
        until = moment - timedelta(seconds=1)
    return found


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


def test_nothing_is_due_between_two_moments() -> None:
    cron = Cron.parse("0 9 * * *")
    nine = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
    assert cron.latest(after=nine, until=nine + timedelta(hours=23), zone=UTC_ZONE) is None
    assert cron.latest(after=nine - timedelta(seconds=1), until=nine, zone=UTC_ZONE) == nine


def test_after_a_long_pause_only_the_newest_moment_is_due() -> None:
    cron = Cron.parse("0 9 * * *")
    until = datetime(2036, 5, 4, 8, 59, tzinfo=UTC)
    assert cron.latest(after=START, until=until, zone=UTC_ZONE) == datetime(2036, 5, 3, 9, 0, tzinfo=UTC)


def test_the_fields_are_read_in_their_time_zone() -> None:
    cron = Cron.parse("0 9 * * *")
    until = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    assert cron.latest(after=START, until=until, zone=BERLIN) == datetime(2026, 7, 1, 7, 0, tzinfo=UTC)


def test_a_time_that_a_clock_change_skips_is_left_out() -> None:
    cron = Cron.parse("30 2 * * *")
    until = datetime(2026, 3, 29, 12, 0, tzinfo=UTC)
    assert cron.latest(after=START, until=until, zone=BERLIN) == datetime(2026, 3, 28, 1, 30, tzinfo=UTC)


def test_a_time_that_comes_twice_counts_once() -> None:
    cron = Cron.parse("30 2 * * *")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert cron.latest(after=START, until=first + timedelta(minutes=1), zone=BERLIN) == first
    assert cron.latest(after=first, until=first + timedelta(hours=12), zone=BERLIN) is None


@pytest.mark.parametrize(
    "text",
    ["", "0 9 * *", "0 9 * * * *", "60 9 * * *", "0 24 * * *", "0 9 0 * *", "0 9 * 13 *", "0 9 * * 8",
     "0 9 */0 * *", "5-1 9 * * *", "a 9 * * *", "0 9 L * *", "0 9 31 2 *", "0 9 */2 * 1", "0 9 2 * */2"],
)  # fmt: skip
def test_what_names_no_moment_or_cron_reads_otherwise_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^[a-z ,:']+$"):
        Cron.parse(text)


def test_where_both_days_are_given_either_counts() -> None:
    cron = Cron.parse("0 9 13 * 5")
    assert [cron.matches_day(date(2026, 2, day)) for day in (12, 13, 20)] == [False, True, True]
    assert cron.matches_day(date(2026, 5, 13))


def test_the_times_an_hour_are_counted() -> None:
    assert [Cron.parse(text).max_times_per_hour for text in ("* * * * *", "*/5 * * * *", "0 9 * * *")] == [
        60,
        12,
        1,
    ]
