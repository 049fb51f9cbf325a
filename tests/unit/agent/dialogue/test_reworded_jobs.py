"""Words of an agent's job that are put in place of others, and copies of the agent talked of."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

ASKED = (
    "list every Monday at 8 tickets from Zendesk that nobody answered for 3 days, mail ines@soluna.example"
)


@pytest.mark.parametrize(
    "say",
    [
        "Change the 3 days to 5",
        "change 3 days to 5 days",
        "it should be 5 days instead of 3",
        "make that 5 days, not 3",
        "replace 3 by 5 days",
    ],
)
def test_a_number_of_the_job_is_exchanged_and_the_schedule_stays(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(ASKED)
    reply = talk.classify_and_answer(say).text

    [agent] = talk.agents()
    assert "answered for 5 days" in agent.what
    assert "answered for 5 days" in agent.brief
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * 1"
    assert "5 days" in reply


@pytest.mark.parametrize(
    ("say", "cron"), [("change Monday to Tuesday", "0 8 * * 2"), ("move it to 9 instead of 8", "0 9 * * 1")]
)
def test_words_of_the_schedule_change_the_schedule(say: str, cron: str) -> None:
    talk = Talk()
    talk.classify_and_answer(ASKED)
    talk.classify_and_answer(say)

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == cron
    assert "3 days" in agent.what


def test_words_that_the_job_lacks_change_nothing() -> None:
    talk = Talk()
    talk.classify_and_answer(ASKED)
    [before] = talk.agents()
    talk.classify_and_answer("change the 14 days to 5")

    assert talk.agents() == [before]


@pytest.mark.parametrize(
    "say",
    [
        "Make a copy for Fridays at noon",
        "I need another copy for Fridays at noon",
        "create a copy: Fridays at 12pm",
    ],
)
@pytest.mark.parametrize("before", ["", "which of my agents mail me?"])
def test_a_copy_for_another_time_leaves_the_first_one_as_it_is(say: str, before: str) -> None:
    talk = Talk()
    talk.classify_and_answer(ASKED)
    if before:
        talk.classify_and_answer(before)
    talk.classify_and_answer(say)

    assert sorted(agent.schedule.cron for agent in talk.agents() if agent.schedule) == [
        "0 12 * * 5",
        "0 8 * * 1",
    ]


def test_an_hour_exchanged_is_no_word_of_the_job() -> None:
    talk = Talk()
    talk.create(
        "morning-heads", "empty beds on ward 7", sources=["google sheets"],
        schedule={"cron": "0 7 * * *", "time_zone": "UTC", "text": "Daily at 7:00 AM"},
    )  # fmt: skip
    talk.classify_and_answer("Please rename morning-heads to bed-count and let it come at 6 instead of 7")

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.name, agent.what, agent.schedule.cron) == ("bed-count", "empty beds on ward 7", "0 6 * * *")
