"""What is told beside a new value, such as a reason or the old value, changes nothing by itself."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from agent.workspace.delivery_targets import Channel, Delivery
from tests.fakes.data.chat_session import Talk

OLD, NEW = "shop@wren.example", "nora@wren.example"
MEMORY = "My mother did the books on Sunday evenings with a glass of sherry, and I'd like to keep that up."
WEEKLY = f"sales from Square on Fridays at 9 to {OLD}"


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        (
            f"{MEMORY} Every Sunday at 7 in the evening send me the sales from Square, to {NEW}",
            "Sundays at 7:00 PM",
        ),
        (
            f"The morning is chaos here. Every weekday at 7:30 am mail the sales from Square to {NEW}",
            "Weekdays at 7:30 AM",
        ),
        (
            f"Mornings are slow in the shop. Send the sales from Square to {NEW} every day at 8:15 am",
            "Daily at 8:15 AM",
        ),
        (
            f"I count the till in the evening. Every day at 9 pm mail the sales from Square to {NEW}",
            "Daily at 9:00 PM",
        ),
    ],
)
def test_an_explicit_time_counts_more_than_a_part_of_the_day_elsewhere(say: str, schedule: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == schedule


@pytest.mark.parametrize(
    ("say", "schedule"),
    [
        ("On Fridays the boss is away. Thursdays at 10 am please.", "Thursdays at 10:00 AM"),
        (
            "On Sundays we are at the table with eight people. Mondays at 8 in the morning.",
            "Mondays at 8:00 AM",
        ),
        ("No, on Thursdays, the boss is away on Fridays.", "Thursdays at 9:00 AM"),
        ("my mistake, Thursdays", "Thursdays at 9:00 AM"),
        ("ay sorry, 9:30 pala", "Fridays at 9:30 AM"),
        ("oops, I meant Tuesdays", "Tuesdays at 9:00 AM"),
        ("sorry for the wait", "Fridays at 9:00 AM"),
    ],
)
def test_a_reason_beside_a_new_time_of_an_agent_is_none_itself(say: str, schedule: str) -> None:
    talk = Talk()
    talk.classify_and_answer(WEEKLY)
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == schedule


@pytest.mark.parametrize(
    ("say", "weekday"),
    [
        ("No, for Friday, the shop closes on Saturday.", 4),
        ("make it Tuesday, we are away on Thursday", 1),
        ("Wednesday please; my sister comes on Thursday", 2),
        ("I misspoke; Tuesday. On Monday I have the dentist.", 1),
        ("oops, I meant Wednesday", 2),
        ("sorry, Friday", 4),
    ],
)
def test_the_day_of_a_reason_is_not_the_due_day(say: str, weekday: int) -> None:
    talk = Talk()
    talk.classify_and_answer("add 'buy communion wine' for Saturday")
    talk.classify_and_answer(say)
    [task] = talk.tasks.list(talk.caller, completed=None, limit=10)[0]
    assert task.title == "buy communion wine"
    assert task.due_date is not None
    assert task.due_date.weekday() == weekday


@pytest.mark.parametrize(
    ("say", "recipients"),
    [
        (f"low-stock still goes to {OLD} and nobody reads that. Send it to {NEW} instead", (NEW,)),
        (f"low-stock goes to {OLD}. Mail it to {NEW} instead.", (NEW,)),
        (f"low-stock is mailed to {OLD} and nobody looks there. It should go to {NEW}.", (NEW,)),
        (f"Right now low-stock mails {OLD}, change that to {NEW}", (NEW,)),
        (f"{OLD} is dead. low-stock to {NEW}", (NEW,)),
        (f"low-stock from {OLD} to {NEW} please", (NEW,)),
        (f"low-stock still goes to {OLD}, please send it to {NEW} too", (OLD, NEW)),
        (f"low-stock goes to {OLD} and should also go to {NEW}", (OLD, NEW)),
        (f"send low-stock to {NEW} and {OLD}", (NEW, OLD)),
    ],
)
def test_a_new_address_takes_the_place_of_the_one_that_is_told_of(
    say: str, recipients: tuple[str, ...]
) -> None:
    talk = Talk()
    talk.create(
        "low-stock",
        "low stock",
        sources=("square",),
        schedule=Schedule(cron="0 9 * * *", time_zone="UTC", text="Daily at 9:00 AM"),
        delivery=Delivery(channels=(Channel.EMAIL,), recipients=(OLD,)),
    )
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.delivery.recipients == recipients


@pytest.mark.parametrize(
    "say",
    [
        "Let it begin at ten from now on; the heating is slow.",
        "Have it start at ten; the tills are slow.",
        "It should come at ten from now on, the ushers count slowly.",
    ],
)
def test_a_bare_hour_that_is_past_today_changes_a_schedule_all_the_same(say: str) -> None:
    talk = Talk(time_zone="Asia/Tokyo")  # where it is afternoon
    talk.classify_and_answer(WEEKLY)
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Fridays at 10:00 AM"


def test_only_the_half_of_the_day_is_asked_about_where_only_that_is_open() -> None:
    talk = Talk()
    talk.classify_and_answer(WEEKLY.replace("at 9", "at 5 pm"))
    reply = talk.classify_and_answer("make it 8")
    assert "with AM or PM?" in reply.text
    talk.classify_and_answer("8 pm")
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.text == "Fridays at 8:00 PM"


@pytest.mark.parametrize(
    "say",
    [
        "new jobs come over Google Drive and not over Gmail anymore. Can new-jobs please read from there?",
        "new jobs come over Google Drive and not over Gmail anymore. Could new-jobs use that now?",
        "new jobs come over Google Drive, not over Gmail anymore. Will new-jobs take them from there please?",
    ],
)
def test_a_question_for_what_the_sentence_before_it_changes_is_not_answered_apart(say: str) -> None:
    talk = Talk()
    talk.create("new-jobs", "new jobs", sources=("gmail",))
    reply = talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.sources == ("google drive",)
    assert "look that up" not in reply.text
    assert "What should change" not in reply.text
