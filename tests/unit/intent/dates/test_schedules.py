"""Plain English to five cron fields and a text for people."""

from __future__ import annotations

import pytest

from intent.dates.schedules import find_schedule, parse_schedule


@pytest.mark.parametrize(
    ("said", "cron", "text"),
    [
        ("Every morning at 9am", "0 9 * * *", "Daily at 9:00 AM"),
        ("daily", "0 9 * * *", "Daily at 9:00 AM"),
        ("once a day, 18:30", "30 18 * * *", "Daily at 6:30 PM"),
        ("at nine", "0 9 * * *", "Daily at 9:00 AM"),
        ("7am", "0 7 * * *", "Daily at 7:00 AM"),
        ("at midnight", "0 0 * * *", "Daily at 12:00 AM"),
        ("every day at 9 in the evening", "0 21 * * *", "Daily at 9:00 PM"),
        ("every night", "0 22 * * *", "Daily at 10:00 PM"),
        ("daily at 9 and 17:00", "0 9,17 * * *", "Daily at 9:00 AM and 5:00 PM"),
        ("twice a day", "0 9,17 * * *", "Twice a day"),
        ("weekdays at 8:30", "30 8 * * 1-5", "Every weekday at 8:30 AM"),
        ("mon-fri at 7.15", "15 7 * * 1-5", "Every weekday at 7:15 AM"),
        ("Monday to Friday, half past eight", "30 8 * * 1-5", "Every weekday at 8:30 AM"),
        ("each Monday", "0 9 * * 1", "Every Monday at 9:00 AM"),
        ("Monday at 9", "0 9 * * 1", "Every Monday at 9:00 AM"),
        ("Fridays 17:00", "0 17 * * 5", "Every Friday at 5:00 PM"),
        ("mondays and thursdays, 8 in the morning", "0 8 * * 1,4", "Every Monday and Thursday at 8:00 AM"),
        ("each Tues and Thurs at noon", "0 12 * * 2,4", "Every Tuesday and Thursday at 12:00 PM"),
        ("weekends at 10", "0 10 * * 0,6", "Every weekend day at 10:00 AM"),
        ("weekly", "0 9 * * 1", "Every Monday at 9:00 AM"),
        ("weekly on Friday at 16:30", "30 16 * * 5", "Every Friday at 4:30 PM"),
        ("every hour", "0 * * * *", "Every hour"),
        ("hourly on weekdays", "0 * * * 1-5", "Every hour on weekdays"),
        ("every 2 hours", "0 */2 * * *", "Every 2 hours"),
        ("every 15 min", "*/15 * * * *", "Every 15 minutes"),
        ("every half an hour", "*/30 * * * *", "Every 30 minutes"),
        ("monthly on the 1st", "0 9 1 * *", "Monthly on the 1st at 9:00 AM"),
        ("on the 15th of each month at 6 pm", "0 18 15 * *", "Monthly on the 15th at 6:00 PM"),
        ("quarterly", "0 9 1 1,4,7,10 *", "Quarterly on the 1st at 9:00 AM"),
    ],
)
def test_an_answer_to_when_becomes_a_schedule(said: str, cron: str, text: str) -> None:
    schedule = parse_schedule(said)
    assert schedule is not None
    assert (schedule.cron, schedule.text) == (cron, text)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("real-time", "In real time"),
        ("as soon as it happens", "In real time"),
        ("only when I ask", "Only when asked"),
        ("every two weeks", "Every two weeks on Monday at 9:00 AM"),
        ("every other Tuesday at 10", "Every two weeks on Tuesday at 10:00 AM"),
        ("on the last day of each month", "Monthly on the last day at 9:00 AM"),
        ("every 45 minutes", "Every 45 minutes"),
        ("every 3 days", "Every 3 days at 9:00 AM"),
        ("every 3 weeks on Friday", "Every 3 weeks on Friday at 9:00 AM"),
        ("the last Friday of the month at 8", "Monthly on the last Friday at 8:00 AM"),
    ],
)
def test_what_five_fields_cannot_say_has_words_only(said: str, text: str) -> None:
    schedule = parse_schedule(said)
    assert schedule is not None
    assert (schedule.cron, schedule.text) == (None, text)


@pytest.mark.parametrize(
    "said", ["", "Slack", "revenue and costs by month", "tomorrow", "the second one", "v2.8.0"]
)
def test_no_schedule_is_heard_where_none_is_named(said: str) -> None:
    assert parse_schedule(said) is None


def test_the_phrase_is_what_of_a_longer_text_said_so() -> None:
    schedule = find_schedule("Our team wastes hours every Monday compiling updates, at 10:00 mostly.")
    assert schedule is not None
    assert schedule.phrase == "every Monday at 10:00"


@pytest.mark.parametrize(
    "text", ["The meeting is on Monday at 9", "run weekly-digest now", "send it by 5pm", "he came at noon"]
)
def test_a_single_date_in_a_longer_text_is_no_schedule(text: str) -> None:
    assert find_schedule(text) is None
