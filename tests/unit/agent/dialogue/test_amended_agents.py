"""What is said right after an agent was saved or changed amends it, and starts nothing new."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus, Schedule
from tests.fakes.data.chat_session import Talk

SAVED = "overdue invoices from xero mondays at 9 mail to ops@acme.example"


def amended(say: str, saved: str = SAVED, user: str = "maya") -> Talk:
    talk = Talk()
    talk.classify_and_answer(saved)
    talk.classify_and_answer(say)
    assert len(talk.agents()) == 1
    return talk


@pytest.mark.parametrize(
    ("say", "places"),
    [
        ("ok here then", ("conversation",)),
        ("no, slack", ("slack",)),
        ("actually #finance", ("slack", "#finance")),
        ("and #finance as well", ("email", "slack", "ops@acme.example", "#finance")),
        ("mail it to me instead", ("email",)),
        ("cc bob@acme.example", ("email", "ops@acme.example", "bob@acme.example")),
        ("and bob@acme.example", ("email", "ops@acme.example", "bob@acme.example")),
        ("ok whatever, in the chat", ("conversation",)),
    ],
)
def test_another_place_is_where_its_results_go(say: str, places: tuple[str, ...]) -> None:
    [agent] = amended(say).agents()
    assert (*agent.delivery.channels, *agent.delivery.recipients) == places


@pytest.mark.parametrize("say", ["and me", "Actually, to me as well.", "cc me please"])
def test_the_owner_s_own_address_is_asked_for_beside_others(say: str) -> None:
    talk = amended(say)
    assert "Which one should I mail as well?" in talk.history[-1].content
    talk.classify_and_answer("maya@acme.example")
    [agent] = talk.agents()
    assert agent.delivery.recipients == ("ops@acme.example", "maya@acme.example")


@pytest.mark.parametrize(
    "say", ["slack?", "thanks to you both", "he said to me it was late", "the mail was here this morning"]
)
def test_words_that_only_mention_a_place_change_nothing(say: str) -> None:
    [agent] = amended(say).agents()
    assert agent.delivery.recipients == ("ops@acme.example",)


DAILY = "mail me the zendesk backlog at 5pm every day"
WEEKDAYS = "mail me the zendesk backlog every weekday at 9"
TWO_DAYS = "mail me the zendesk backlog mondays and thursdays at 6:30 am"


@pytest.mark.parametrize(
    ("saved", "say", "schedule"),
    [
        (DAILY, "skip it on fridays", "Every day except Friday at 5:00 PM"),
        (DAILY, "stop it on weekends", "Weekdays at 5:00 PM"),
        (DAILY, "stop him on weekend", "Weekdays at 5:00 PM"),
        (DAILY, "pause on saturdays", "Every day except Saturday at 5:00 PM"),
        (DAILY, "no need on sundays", "Mondays to Saturdays at 5:00 PM"),
        (DAILY, "leave out weekends", "Weekdays at 5:00 PM"),
        (DAILY, "at 6.30 on tuesdays though", "Every day except Tuesday at 5:00 PM and Tuesdays at 6:30 PM"),
        (
            DAILY,
            "can you do that at 17:30 on friday? the other days stay like it is",
            "Every day except Friday at 5:00 PM and Fridays at 5:30 PM",
        ),
        (
            WEEKDAYS,
            "7.45 on Mondays only; the other days stay",
            "Tuesdays, Wednesdays, Thursdays and Fridays at 9:00 AM and Mondays at 7:45 AM",
        ),
        (
            WEEKDAYS,
            "on Mondays I need it earlier, at 7:45. other days are fine",
            "Tuesdays, Wednesdays, Thursdays and Fridays at 9:00 AM and Mondays at 7:45 AM",
        ),
        (
            WEEKDAYS,
            "fridays at 8",
            "Mondays, Tuesdays, Wednesdays and Thursdays at 9:00 AM and Fridays at 8:00 AM",
        ),
        (WEEKDAYS, "only mondays", "Mondays at 9:00 AM"),
        (WEEKDAYS, "actually mondays at 8", "Mondays at 8:00 AM"),
        (TWO_DAYS, "add fridays at 7", "Mondays and Thursdays at 6:30 AM and Fridays at 7:00 AM"),
        (TWO_DAYS, "move monday to tuesday", "Tuesdays and Thursdays at 6:30 AM"),
        (TWO_DAYS, "drop the thursday thing", "Mondays at 6:30 AM"),
    ],
)
def test_days_that_change_leave_the_others_as_they_are(saved: str, say: str, schedule: str) -> None:
    [agent] = amended(say, saved).agents()
    assert agent.schedule is not None
    assert (agent.schedule.text, agent.status) == (schedule, AgentStatus.ACTIVE)


@pytest.mark.parametrize(
    "say",
    [
        "well that is that then. they say the sun comes out for the weekend, about time",
        "they ring him every morning about it",
        "june keeps the sheet",
    ],
)
def test_a_remark_with_a_time_in_it_changes_nothing(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(SAVED)
    [before] = talk.agents()
    talk.classify_and_answer("thanks")
    talk.classify_and_answer(say)
    [after] = talk.agents()
    assert (after.schedule, after.instructions) == (before.schedule, before.instructions)


def test_a_person_called_like_a_month_is_no_month() -> None:
    talk = Talk()
    talk.classify_and_answer(f"{SAVED}, june keeps the data")
    talk.classify_and_answer("could june have it too, she is june@acme.example")
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 9 * * 1"
    assert agent.delivery.recipients == ("ops@acme.example", "june@acme.example")


@pytest.mark.parametrize(
    "amendment",
    [
        "Sorry, the 5th is too early, our clients pay late. Make it the 10th.",
        "our clients pay late. Make it the 10th.",
        "hm, nobody has paid by then. Move it to the 10th please",
    ],
)
def test_what_is_told_before_the_change_names_no_agent(amendment: str) -> None:
    talk = Talk()
    talk.create("unpaid-invoices", "unpaid invoices", schedule=Schedule(cron="0 8 5 * *"))
    assert talk.classify_and_answer("what does unpaid-invoices do?").text
    talk.classify_and_answer(amendment)
    [agent] = talk.agents()
    assert agent.schedule
    assert agent.schedule.cron == "0 8 10 * *"


@pytest.mark.parametrize(
    "words", ["Same thing for Freshdesk also please, but at 11 am.", "the same for Freshdesk too, at 11"]
)
def test_a_copy_at_another_time_keeps_none_of_its_models(words: str) -> None:
    talk = Talk()
    talk.classify_and_answer("check Zendesk for stale tickets every day at 10:30 and tell me here")
    talk.classify_and_answer(words)
    crons = {agent.sources[0]: agent.schedule for agent in talk.agents()}
    assert {name.lower(): (one.cron, one.more_crons) for name, one in crons.items() if one} == {
        "zendesk": ("30 10 * * *", ()),
        "freshdesk": ("0 11 * * *", ()),
    }
