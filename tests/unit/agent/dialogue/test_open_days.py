"""A time of day without days, said when an agent should run, and periods that are no time to run."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_WISH = "I want a list of unpaid invoices from Xero, here"


def test_a_time_of_day_alone_is_kept_and_its_days_are_asked_for() -> None:
    talk = Talk()
    talk.classify_and_answer(_WISH)

    assert "On which days" in talk.classify_and_answer("at 9").text
    talk.classify_and_answer("on weekdays")

    schedule = talk.agents()[0].schedule
    assert schedule is not None
    assert schedule.cron == "0 9 * * 1-5"


def test_who_names_no_days_twice_gets_every_day_and_is_told() -> None:
    talk = Talk()
    for message in (_WISH, "9 in the morning, I guess"):
        talk.classify_and_answer(message)

    said = talk.classify_and_answer("9 in the morning, I guess").text

    assert "daily at 9:00 AM (as you named no days)" in said


def test_a_time_of_day_belongs_to_the_days_that_were_named_before() -> None:
    talk = Talk()
    for message in (
        "could you tell me each day which orders have to go out? in the morning some time, not early, idk",
        "the orders sit in Shopify. and just here is fine, I have this open on the counter anyway",
        "9 in the morning, I guess",
    ):
        talk.classify_and_answer(message)

    schedule = talk.agents()[0].schedule
    assert schedule is not None
    assert schedule.cron == "0 9 * * *"


@pytest.mark.parametrize("period", ["within two weeks", "within the next 30 days", "within a month"])
def test_a_period_within_which_something_happens_is_no_time_to_run(period: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "Hoi! Please every Tuesday and Thursday at 17:15 a list of the patients whose referral runs out"
        f" {period}. They are in Fysiomanager. Mail to balie@fysiodelinde.nl"
    )

    schedule = talk.agents()[0].schedule
    assert schedule is not None
    assert schedule.cron == "15 17 * * 2,4"
