"""A schedule is read only where all words of time in a text are part of it; else it is asked about."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conversation.timing import Timing
from intent.times.reader import read_times
from intent.times.reading import Kind, Problem, TimeReading

NOW = datetime(2026, 4, 7, 9, 30, tzinfo=UTC)
WEEKDAYS = "0 9 * * 1-5"


def read(say: str, was: str = "") -> TimeReading:
    former = Timing((was,), "Europe/London") if was else None
    [reading] = read_times(say, now=NOW, zone="Europe/London", was=former, wanted=Kind.SCHEDULE)
    return reading


@pytest.mark.parametrize(
    "say",
    [
        "every Monday at 9 but the second Monday of the month at 10",
        "Tuesdays or Wednesdays at 2",
        "every hour from 8 until I leave",
        "9am Mondays, 10am Tuesdays and noon on the rest",
        "three times on Mondays",
        "daily at 9, on Mondays also at 5pm",
        "every weekday at 9 and 12, Fridays only at 9",
        "Mondays and Thursdays, 9 and 4 respectively",
        "every hour but not between 12 and 1",
        "every 10 minutes on the weekend, otherwise hourly",
        "9am London and 9am New York every weekday",
        "every Monday at 9, just twice",
        "every month on the 15th at 9 and 15 minutes later",
        "on the 28th of each month at 9am tell me that rent is due on the 1st",
        "quarter past and quarter to every hour",
        "mornings at 5 pm",
        "Monday at 9, or better 10",
        "every morning but Saturday's at 8",
        "on 5 May at 9",
        "every day at 9 on 5 May",
        "twice daily",
        "hourly was nice, every 3 hours 9 to 6",
        "on the 3rd to the 7th at 9",
        "school mornings",
        "every day 8am, noon on Saturdays",
        "8am every day and noon on Saturdays",
        "between Saturday noon and Sunday noon",
        "every Monday this month at 9",
        "Mondays at 9, Mondays at 10",
        "check prices hourly and mail me at 9",
        "daily at 9, on Mondays also at 17:00",
        "daily at 9 and 2 hours later",
    ],
)  # fmt: skip
def test_a_schedule_that_uses_not_all_words_of_time_is_asked(say: str) -> None:
    assert read(say).problem is Problem.ASK


@pytest.mark.parametrize(
    ("say", "crons"),
    [
        ("weekdays at 8, Saturdays at 10, never on Sundays", ("0 8 * * 1-5", "0 10 * * 6")),
        ("don't run it on Fridays, every day at 9", ("0 9 * * 0,1,2,3,4,6",)),
        ("every day of the week but Sunday, 7 pm", ("0 19 * * 1,2,3,4,5,6",)),
        ("at 8, no 8:30, every weekday", ("30 8 * * 1-5",)),
        ("Mondays... sorry Tuesdays at 9", ("0 9 * * 2",)),
        ("weekdays 8:00, saturdays an hour later", ("0 8 * * 1-5", "0 9 * * 6")),
        ("Tu/Th/Sa 06:15 class numbers", ("15 6 * * 2,4,6",)),
        ("every 15 minutes tell me if the page changes", ("*/15 * * * *",)),
        ("every weekday at 8, pull the last 24 hours of tickets", ("0 8 * * 1-5",)),
        ("on Fridays post room 1030 bookings at 16:00", ("0 16 * * 5",)),
        ("weekdays at 9am, post it in #daily-news", ("0 9 * * 1-5",)),
        ("before the market opens, say 7:15, on weekdays", ("15 7 * * 1-5",)),
        ("every day at 9, Sundays at 11", ("0 9 * * 1,2,3,4,5,6", "0 11 * * 0")),
        ("weekdays at 9 but Fridays at 8", ("0 9 * * 1,2,3,4", "0 8 * * 5")),
        ("every morning at 7 and every evening at 6", ("0 7,18 * * *",)),
        ("Monday to Friday, not Wednesday, 10am", ("0 10 * * 1,2,4,5",)),
        ("8am daily, 10am on Wednesdays", ("0 8 * * 0,1,2,4,5,6", "0 10 * * 3")),
        ("Wed at noon, Sat at noon, Sun 1pm", ("0 12 * * 3,6", "0 13 * * 0")),
        ("Fridays lunchtime, 12:30", ("30 12 * * 5",)),
        ("weekdays first thing, 8:15", ("15 8 * * 1-5",)),
        ("not on Mondays, otherwise every day at 3:40 pm", ("40 15 * * 0,2,3,4,5,6",)),
        ("weekdays, Tuesdays excluded, at 7:55", ("55 7 * * 1,3,4,5",)),
        ("Monday to Friday inclusive at 9", ("0 9 * * 1-5",)),
        ("each 1 March and 1 September at 9", ("0 9 1 3,9 *",)),
        ("at 6, 12 and 23 hrs daily", ("0 6,12,23 * * *",)),
        ("every day after dinner, 20:30", ("30 20 * * *",)),
        ("the 1st to the 3rd of every month at 9", ("0 9 1,2,3 * *",)),
        ("check for a version past 3.12 each Sunday 11:00 pm", ("0 23 * * 0",)),
    ],
)
def test_words_that_are_part_of_a_schedule_or_no_time_are_no_reason_to_ask(
    say: str, crons: tuple[str, ...]
) -> None:
    timing = read(say).timing
    assert timing is not None
    assert timing.crons == crons


@pytest.mark.parametrize(
    "say",
    [
        "Good morning, what's new", "Morning! How are things", "this morning the server crashed",
        "the Sunday Times crossword", "sync monday.com with the CRM", "call it 'Daily digest'",
        "rename it to friday-report", "upgrade us to version 10.30", "ring 0161 496 0000",
    ],
)  # fmt: skip
def test_names_greetings_and_numbers_of_things_are_no_times(say: str) -> None:
    readings = read_times(say, now=NOW, zone="Europe/London")
    assert [reading.kind for reading in readings if reading.kind is not Kind.PERIOD] == []


@pytest.mark.parametrize(
    ("say", "moment"),
    [
        ("tonight 11pm do a one time backup", "2026-04-07 23:00:00"),
        ("14/09 at 08:30, a single run", "2026-09-14 08:30:00"),
        ("this Saturday at 7:30 am only", "2026-04-11 07:30:00"),
    ],
)
def test_what_is_to_come_once_is_a_moment_where_a_schedule_was_asked_for(say: str, moment: str) -> None:
    reading = read(say)
    assert (reading.kind, f"{reading.day} {reading.at}") == (Kind.MOMENT, moment)


def test_every_second_weekday_is_asked_with_both_meanings_on_offer() -> None:
    offers = [offer.said for offer in read("every second Wednesday at 9").nearest]
    assert offers == [
        "Every other week on Wednesday at 9:00 AM, starting April 8, 2026",
        "The second Wednesday of every month at 9:00 AM",
    ]


@pytest.mark.parametrize(
    ("say", "text"),
    [
        ("don't run on Fridays", "0 9 * * 1,2,3,4"),
        ("not Mondays", "0 9 * * 2,3,4,5"),
        ("swap Friday for Saturday", "0 9 * * 1,2,3,4,6"),
        ("pause it until 4 May", "0 9 * * 1-5; start 2026-05-04T00:00"),
        ("nothing before June", "0 9 * * 1-5; start 2026-06-01T00:00"),
        ("stop after 30 June", "0 9 * * 1-5; end 2026-06-30"),
        ("9pm not 9am", "0 21 * * 1-5"),
        ("make it pm not am", "0 21 * * 1-5"),
        ("quarter to eight", "45 7 * * 1-5"),
    ],
)
def test_a_denial_a_pause_and_an_exchange_change_only_what_they_name(say: str, text: str) -> None:
    timing = read(say, WEEKDAYS).timing
    assert timing is not None
    assert timing.to_text() == text


@pytest.mark.parametrize(
    "say",
    [
        "make Fridays 10 instead", "half an hour later, on Mondays", "move Monday's to 10",
        "also at 3, but not on Fridays", "8 or 8:30", "not this Friday",
    ],
)  # fmt: skip
def test_a_change_of_a_part_is_asked(say: str) -> None:
    assert read(say, WEEKDAYS).problem is Problem.ASK
