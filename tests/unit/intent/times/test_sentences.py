"""Words about times among others; what is no time is left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.times.reader import read_times
from intent.times.reading import Kind, Problem

NOW = datetime(2026, 3, 4, 10, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    "say",
    [
        "watch the 9 o'clock news", "two invoices", "7-Eleven", "the Q3 report", "24/7 monitoring",
        "by 10% more", "at 5 stores", "version 2.30 is out", "delete task 3", "mark the second draft as done",
        "what did we decide last Tuesday?", "notify me when an invoice is older than 30 days",
        "tell me whenever a ticket is overdue", "The weekly report should include totals by month",
        "Send the 9am report to Bob", "I may march in", "each store should send its numbers",
    ],
)  # fmt: skip
def test_what_is_no_time_is_left_alone(say: str) -> None:
    assert read_times(say, now=NOW, zone="Europe/London") == ()


def test_a_past_period_is_a_filter() -> None:
    [reading] = read_times("last week's sales", now=NOW, zone="Europe/London")
    assert (reading.kind, reading.span) == (Kind.PERIOD, (0, 11))


def test_a_schedule_is_found_in_pieces_and_its_spans_are_those_of_its_words() -> None:
    text = "every Friday I copy the numbers from the sheet at 4, send it to #sales"
    [reading] = read_times(text, now=NOW, zone="Europe/London")
    assert reading.timing is not None
    assert reading.timing.crons == ("0 16 * * 5",)
    assert [text[start:end] for start, end in reading.spans] == ["every Friday", "4"]
    assert reading.assumed == ("4 is taken as 4:00 PM",)
    assert reading.said == "Fridays at 4:00 PM"


@pytest.mark.parametrize(
    ("say", "said"),
    [
        ("remind me to call Bob tomorrow at 3", "tomorrow at 3:00 PM"),
        ("buy milk by Friday", "Friday, March 6"),
        ("the 5th of next month", "Sunday, April 5"),
        ("in 45 min", "today at 11:05 AM"),
        ("first Monday in June", "Monday, June 1"),
        ("last day of April", "Thursday, April 30"),
        ("Wednesday next week at 3", "Wednesday, March 11 at 3:00 PM"),
        ("half an hour before 3", "today at 2:30 PM"),
        ("Thurs eve", "tomorrow at 6:00 PM"),
        ("the 14th at 2", "Saturday, March 14 at 2:00 PM"),
        ("last Monday in May", "Monday, May 25"),
        ("tomorrow first thing, 7:45am", "tomorrow at 7:45 AM"),
        ("in 2h30", "today at 12:50 PM"),
        ("in about an hour and 20 minutes", "today at 11:40 AM"),
        ("not today, tomorrow", "tomorrow"),
        ("Easter Monday", "Monday, April 6"),
        ("before the weekend", "Friday, March 6"),
        ("1 Feb 27", "Monday, February 1, 2027"),
        ("by COB Friday", "Friday, March 6 at 5:00 PM"),
    ],
)
def test_a_day_or_a_moment_is_reckoned_from_now(say: str, said: str) -> None:
    [reading] = read_times(say, now=NOW, zone="Europe/London")
    assert (reading.said, reading.problem) == (said, None)


@pytest.mark.parametrize(
    ("say", "why"),
    [
        ("weekdays at 9 except bank holidays", "no schedule knows public holidays"),
        ("every day at sunset", "that moves every day, and a schedule has fixed times"),
        ("every 10 seconds", "a minute is the finest step"),
        ("every 7 minutes", "intervals are five minutes or a multiple"),
    ],
)
def test_what_no_schedule_can_do_is_refused_with_the_reason(say: str, why: str) -> None:
    [reading] = read_times(say, now=NOW, zone="Europe/London", wanted=Kind.SCHEDULE)
    assert (reading.problem, reading.why) == (Problem.UNSUPPORTED, why)


def test_a_refusal_offers_the_rest_of_what_was_said() -> None:
    [reading] = read_times("weekdays at 9 except bank holidays", now=NOW, zone="Europe/London")
    assert [offer.said for offer in reading.nearest] == ["Weekdays at 9:00 AM"]


def test_an_open_hour_is_asked_with_both_halves_of_the_day_on_offer() -> None:
    [reading] = read_times("every day at 6", now=NOW, zone="Europe/London")
    assert reading.missing == ("am_pm",)
    assert [offer.said for offer in reading.nearest] == ["Daily at 6:00 AM", "Daily at 6:00 PM"]


@pytest.mark.parametrize(
    "say", ["every 0 weeks", "every 99999 weeks on Monday", "in 99999 days", "CW 60", "31/31"]
)
def test_odd_numbers_are_no_times(say: str) -> None:
    for reading in read_times(say, now=NOW, zone="Europe/London", wanted=Kind.SCHEDULE):
        assert reading.timing is None or reading.timing.every == 1


@pytest.mark.parametrize(
    "say",
    [
        "remind me on the 3rd that rent is due on the 5th",
        "remind me at 4 for the next 3 days",
        "in 3 hours, no make that 4",
        "March 5th to 9th",
        "after Easter",
        "in the next week",
        "remind me tomorrow after lunch",
        "remind me tomorrow at twenty past",
    ],
)
def test_a_moment_that_is_not_sure_is_asked(say: str) -> None:
    [reading] = read_times(say, now=NOW, zone="Europe/London", wanted=Kind.DAY)
    assert reading.problem == "ask"


@pytest.mark.parametrize(
    ("say", "crons", "start", "zone"),
    [
        ("every other Friday, beginning on Friday 13 March, at 9:30", ("30 9 * * 5",), "2026-03-13", ""),
        ("every second Monday 10:00, first 16 march", ("0 10 * * 1",), "2026-03-16", ""),
        ("on the 10th of January, April and October at 9", ("0 9 10 1,4,10 *",), "", ""),
        ("Tuesdays and Thursdays at 16:30 and on no other days", ("30 16 * * 2,4",), "", ""),
        ("weekdays 08:00 Rotterdam time", ("0 8 * * 1-5",), "", "Europe/Amsterdam"),
    ],
)
def test_schedules_of_careful_people(say: str, crons: tuple[str, ...], start: str, zone: str) -> None:
    [reading] = read_times(say, now=NOW, zone="Europe/London")
    assert reading.timing is not None
    assert reading.timing.crons == crons
    assert (reading.timing.start.date().isoformat() if reading.timing.start else "") == start
    assert reading.timing.zone == (zone or "Europe/London")


def test_every_second_weekday_from_the_second_of_the_month_on_has_two_meanings() -> None:
    [reading] = read_times("every second Wednesday at 9 from 11 March", now=NOW, zone="Europe/London")
    assert (reading.problem, reading.missing) == (Problem.ASK, ("rate",))
