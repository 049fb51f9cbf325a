from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from conversation.timing import Timing, Unit

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def next_ones(timing: Timing, count: int = 3, after: datetime = NOW) -> list[str]:
    zone = ZoneInfo(timing.zone)
    return [f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" for moment in islice(timing.moments(after), count)]


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("0 16 L * *", ["2026-03-31 16:00", "2026-04-30 16:00", "2026-05-31 16:00"]),
        ("0 16 LW * *", ["2026-03-31 16:00", "2026-04-30 16:00", "2026-05-29 16:00"]),
        ("0 9 1W * *", ["2026-04-01 09:00", "2026-05-01 09:00", "2026-06-01 09:00"]),
        ("0 9 15W * *", ["2026-03-16 09:00", "2026-04-15 09:00", "2026-05-15 09:00"]),
        ("0 9 * * 5L", ["2026-03-27 09:00", "2026-04-24 09:00", "2026-05-29 09:00"]),
        ("0 9 * * 2#2,2#4", ["2026-03-10 09:00", "2026-03-24 09:00", "2026-04-14 09:00"]),
        ("0 9 31 * *", ["2026-03-31 09:00", "2026-05-31 09:00", "2026-07-31 09:00"]),
    ],
)
def test_days_with_a_place_in_the_month_come_where_they_are(cron: str, expected: list[str]) -> None:
    assert next_ones(Timing((cron,), "Europe/Berlin")) == expected


def test_every_other_week_keeps_its_local_hour_when_the_clocks_change() -> None:
    timing = Timing(
        ("0 9 * * 1",), "Europe/Berlin", 2, Unit.WEEKS, datetime.fromisoformat("2026-03-16T00:00")
    )
    assert next_ones(timing) == ["2026-03-16 09:00", "2026-03-30 09:00", "2026-04-13 09:00"]


def test_an_interval_that_fits_into_no_hour_counts_from_its_start() -> None:
    timing = Timing(("*/15 * * * *",), "UTC", 45, Unit.MINUTES, datetime.fromisoformat("2026-03-04T14:00"))
    assert next_ones(timing) == ["2026-03-04 14:00", "2026-03-04 14:45", "2026-03-04 15:30"]


def test_every_third_day_and_every_other_month_count_from_their_start() -> None:
    days = Timing(("0 7 * * *",), "UTC", 3, Unit.DAYS, datetime.fromisoformat("2026-03-05T00:00"))
    months = Timing(("0 7 10 * *",), "UTC", 2, Unit.MONTHS, datetime.fromisoformat("2026-04-01T00:00"))
    assert next_ones(days) == ["2026-03-05 07:00", "2026-03-08 07:00", "2026-03-11 07:00"]
    assert next_ones(months) == ["2026-04-10 07:00", "2026-06-10 07:00", "2026-08-10 07:00"]


def test_a_schedule_ends_with_its_last_day() -> None:
    timing = Timing(("0 9 * * *",), "UTC", end=date(2026, 3, 6))
    assert next_ones(timing, 5) == ["2026-03-05 09:00", "2026-03-06 09:00"]
    assert not timing.matches(datetime(2026, 3, 7, 9, 0, tzinfo=UTC))


def test_several_expressions_are_one_schedule() -> None:
    timing = Timing(("0 9 * * 1-4", "0 11 * * 5,6"), "UTC")
    assert next_ones(timing, 4, NOW + timedelta(days=1)) == [
        "2026-03-06 11:00", "2026-03-07 11:00", "2026-03-09 09:00", "2026-03-10 09:00",
    ]  # fmt: skip


def test_the_latest_moment_is_the_last_of_those_ahead() -> None:
    timing = Timing(("0 9 * * 1",), "UTC", 2, Unit.WEEKS, datetime.fromisoformat("2026-03-02T00:00"))
    until = NOW + timedelta(days=30)
    assert timing.latest(after=NOW, until=until) == list(timing.moments(NOW))[1]
    assert timing.latest(after=NOW, until=NOW + timedelta(days=5)) is None


@pytest.mark.parametrize(
    "timing",
    [
        Timing(("0 9 * * 1",)),
        Timing(("0 9 * * 1", "0 11 * * 5L"), "UTC", end=date(2026, 12, 24)),
        Timing(
            ("*/15 * * * *",), "Europe/Berlin", 45, Unit.MINUTES, datetime.fromisoformat("2026-03-04T14:00")
        ),
    ],
)
def test_a_schedule_survives_being_written_as_one_line(timing: Timing) -> None:
    assert Timing.from_text(timing.to_text(), timing.zone) == timing


def test_one_cron_expression_is_written_as_it_is() -> None:
    assert Timing(("0 9 * * 1",)).to_text() == "0 9 * * 1"


@pytest.mark.parametrize(
    ("timing", "is_too_frequent"),
    [
        (Timing(("*/5 * * * *",)), False),
        (Timing(("*/4 * * * *",)), True),
        (Timing(("*/10 9 * * *", "5-55/10 9 * * *", "1 9 * * *")), True),
        (
            Timing(("*/5 * * * *",), "UTC", 35, Unit.MINUTES, datetime.fromisoformat("2026-03-04T00:00")),
            False,
        ),
    ],
)
def test_what_comes_more_often_than_every_five_minutes_is_too_frequent(
    timing: Timing, is_too_frequent: bool
) -> None:
    assert timing.is_too_frequent is is_too_frequent
