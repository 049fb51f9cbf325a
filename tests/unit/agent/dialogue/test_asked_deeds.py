"""Questions whether something was done, which one it was, and how it was before, behind a remark."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentChange, AgentStatus
from tests.fakes.data.chat_session import Talk

_SCHEDULE = {"cron": "30 8 * * 1-5", "time_zone": "UTC", "text": "Every weekday at 8:30 AM"}


def with_tasks(*titles: str) -> Talk:
    talk = Talk()
    for title in titles:
        talk.classify_and_answer(f"add a task: {title}")
    return talk


@pytest.mark.parametrize(
    "question",
    ["did I already have you tick off the roofer or did I dream that?", "have I ticked the roofer off yet?",
     "sorry, brain like a sieve. did I finish the roofer thing?"],
)  # fmt: skip
def test_whether_a_task_was_ticked_off_is_told(question: str) -> None:
    talk = with_tasks("call the roofer", "book a skip")
    talk.classify_and_answer("tick off call the roofer")
    talk.clock.advance(86_400)

    said = talk.classify_and_answer(question)

    assert "“call the roofer” is done: you ticked it off yesterday." in said.text
    assert "skip" not in said.text
    assert not said.effects


def test_what_was_not_ticked_off_is_said_to_be_open() -> None:
    talk = with_tasks("call the roofer", "book a skip")

    said = talk.classify_and_answer("did I finish booking the skip already?")

    assert "“book a skip” is still open" in said.text
    assert not said.effects


def test_a_deleted_agent_is_said_to_be_deleted_and_a_paused_one_to_be_there() -> None:
    talk = Talk()
    gone = talk.create("gym-churn", "members without a visit")
    kept = talk.create("newsletter-draft", "a draft of the newsletter")
    talk.store.delete(talk.caller, gone.id)
    talk.store.update(talk.caller, kept.id, AgentChange(status=AgentStatus.PAUSED))

    assert "gym-churn is deleted" in talk.classify_and_answer("did we delete the gym one?").text
    said = talk.classify_and_answer("Did I throw the newsletter one away or is it still there?").text
    assert "newsletter-draft" in said
    assert "paused" in said


def test_which_one_was_deleted_is_told() -> None:
    talk = Talk()
    gone = talk.create("gym-churn", "members without a visit")
    talk.create("locker-faults", "lockers reported broken")
    talk.store.delete(talk.caller, gone.id)
    talk.clock.advance(7 * 86_400)

    assert "gym-churn" in talk.classify_and_answer("which agent was it that I binned last week?").text


def test_a_former_name_leads_to_the_agent() -> None:
    talk = Talk()
    talk.create("report1", "chlorine readings out of range")
    talk.classify_and_answer("rename report1 to pool-chlorine")
    talk.history.clear()

    said = talk.classify_and_answer(
        "Someone here asked about 'report1'. Is that one of ours, did we have something by that name?"
    )

    assert "report1 is called pool-chlorine now" in said.text


@pytest.mark.parametrize(
    ("change", "question", "part"),
    [
        ("Shift sensor-gaps to 6 in the morning, weekdays stay as they are.",
         "Hm, the gateway only uploads at seven, so that'd be empty. What time was it on before?", "8:30"),
        ("switch sensor-gaps to Athens time",
         "My colleague in London asks: in which time zone was sensor-gaps until I changed it?", "8:30 AM"),
    ],
)  # fmt: skip
def test_how_it_was_before_is_told_behind_a_remark(change: str, question: str, part: str) -> None:
    talk = Talk()
    talk.create("sensor-gaps", "sensors that sent nothing", schedule=_SCHEDULE)
    talk.classify_and_answer(change)

    said = talk.classify_and_answer(question).text

    assert said.startswith("Until the change today")
    assert part in said
