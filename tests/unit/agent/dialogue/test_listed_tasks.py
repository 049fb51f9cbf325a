"""Tasks that list several things, lists that are no title, and what is overdue or due."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agent.workspace.agents import Schedule
from tasks.task import TaskChange, TaskSpec
from tests.fakes.data.chat_session import Talk


def told(talk: Talk, *messages: str) -> str:
    return [talk.classify_and_answer(message) for message in messages][-1].text


def tasks(talk: Talk) -> dict[str, bool]:
    return {task.title: task.completed for task in talk.tasks.list(talk.caller, completed=None)[0]}


@pytest.mark.parametrize(
    ("title", "message"),
    [
        ("milk, bread and the visa form", "visa form is done"),
        ("milk, bread and the visa form", "the bread is done"),
        ("passport, tickets and insurance", "tickets are done"),
        ("order paper, toner and stamps", "the toner is done"),
    ],
)
def test_a_part_that_is_done_is_not_the_whole(title: str, message: str) -> None:
    talk = Talk()
    assert title in told(talk, f"add {title} for friday")
    assert "Shall I tick off all of it" in told(talk, message)
    assert tasks(talk) == {title: False}
    told(talk, "yes")
    assert tasks(talk) == {title: True}


@pytest.mark.parametrize(
    "message", ["it's done", "that task is done", "milk, bread and the visa form are done"]
)
def test_a_task_that_is_named_as_a_whole_is_ticked_off(message: str) -> None:
    talk = Talk()
    told(talk, "add milk, bread and the visa form for friday", message)
    assert tasks(talk) == {"milk, bread and the visa form": True}


@pytest.mark.parametrize(
    "message",
    [
        "add to my list order gloves size m, fax dr patel the med list and call the pharmacy",
        "please add to my list: order gloves size m, fax dr patel the med list and call the pharmacy",
    ],
)
def test_the_list_is_no_part_of_a_title(message: str) -> None:
    talk = Talk()
    told(talk, message)
    assert list(tasks(talk)) == ["order gloves size m", "fax dr patel the med list", "call the pharmacy"]


def test_a_list_of_something_is_a_title() -> None:
    talk = Talk()
    told(talk, "add a task: print our list of suppliers")
    assert list(tasks(talk)) == ["print our list of suppliers"]


@pytest.mark.parametrize(
    "message",
    ["good morning, what is overdue or due tomorrow?", "what is overdue or due this week?",
     "what's late or due tomorrow?"],
)  # fmt: skip
def test_what_is_overdue_or_due_lists_both(message: str) -> None:
    talk = Talk()
    told(talk, "to-do for wednesday: renew the parking permits")
    told(talk, "and for friday: send the quote to Lindqvist", "add a task to call Ann in three weeks")
    now = talk.clock.now()
    talk.clock.advance(timedelta(days=(3 - now.weekday()) % 7).total_seconds())
    reply = told(talk, message)
    assert "permits" in reply
    assert "Lindqvist" in reply
    assert "Ann" not in reply


@pytest.mark.parametrize(
    "message", ["it's done", "that's done already", "oh it's finished", "it is completed"]
)
def test_what_is_said_to_be_done_right_after_it_was_added_is_ticked_off(message: str) -> None:
    talk = Talk()
    told(talk, "add a task to call Ann for friday", message)
    assert tasks(talk) == {"call Ann": True}


def test_two_agents_are_shared_and_private() -> None:
    talk = Talk()
    for name in ("alpha-one", "beta-two"):
        talk.create(name, "new orders", sources=["shopify"])
    assert told(talk, "share alpha-one and beta-two").startswith("alpha-one and beta-two are now shared: ")
    assert told(talk, "make alpha-one and beta-two private") == (
        "alpha-one and beta-two are private now: only you can see them."
    )


def with_tasks(**dues: int | None) -> Talk:
    """Return a talk on a Wednesday with tasks that are due so many days from then; None: never."""
    talk = Talk()
    talk.clock.advance(timedelta(days=(2 - talk.clock.now().weekday()) % 7).total_seconds())
    for title, days in dues.items():
        due = None if days is None else talk.clock.now().date() + timedelta(days=days)
        talk.tasks.create(talk.caller, TaskSpec(title=title.replace("_", " "), due_date=due))
    return talk


def tick_off(talk: Talk, title: str) -> None:
    [task] = [one for one in talk.tasks.list(talk.caller, limit=9)[0] if one.title == title]
    talk.tasks.update(talk.caller, task.id, TaskChange(completed=True))


@pytest.mark.parametrize(
    "question",
    [
        "What remains to be done?",
        "what is left to be finished",
        "what still has to be done?",
        "what hasn't been done yet?",
        "Is there anything left to get done?",
        "which tasks are not done?",
        "what still needs to be ticked off?",
        "have I got anything undone?",
        "which ones on my list are not completed?",
        "what should be done next?",
    ],
)
def test_what_is_to_be_done_is_what_is_open(question: str) -> None:
    talk = with_tasks(file_the_report=1, book_the_hall=20)
    tick_off(talk, "file the report")
    reply = told(talk, question)
    assert "book the hall" in reply
    assert "file the report" not in reply


@pytest.mark.parametrize(
    "question",
    ["which tasks are done?", "show me my completed tasks", "list the ones I've finished",
     "what on my list is already ticked off?"],
)  # fmt: skip
def test_what_is_done_is_what_was_ticked_off(question: str) -> None:
    talk = with_tasks(file_the_report=1, book_the_hall=20)
    tick_off(talk, "file the report")
    reply = told(talk, question)
    assert "file the report" in reply
    assert "book the hall" not in reply


@pytest.mark.parametrize(
    "question",
    [
        "So what's left for me this week?",
        "what do I still have to do this week?",
        "and what else is there for this week?",
        "what's outstanding this week",
        "what remains for the week?",
    ],
)
def test_what_is_left_of_a_week_has_what_is_late_and_what_has_no_date(question: str) -> None:
    talk = with_tasks(send_the_quote=-3, ring_the_bank=2, book_the_hall=20, water_the_ficus=None)
    reply = told(talk, question)
    assert reply.index("send the quote") < reply.index("ring the bank")
    assert reply.endswith("Without a date: “water the ficus”.")
    assert "hall" not in reply


@pytest.mark.parametrize("question", ["So what's left for me this week?", "and what is still due this week?"])
def test_this_week_does_not_mean_the_task_talked_of_last(question: str) -> None:
    talk = with_tasks(ring_the_bank=2)
    reply = told(talk, "add a task to call the plumber back by tomorrow", question)
    assert "ring the bank" in reply


@pytest.mark.parametrize(
    "question", ["what have I still got to do by Friday?", "what must be finished until friday"]
)
def test_what_is_due_by_a_day_is_due_on_the_days_before_it_too(question: str) -> None:
    talk = with_tasks(send_the_quote=1, ring_the_bank=2, book_the_hall=4)
    reply = told(talk, question)
    assert "quote" in reply
    assert "bank" in reply
    assert "hall" not in reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what do I have coming up this week", "Due this week: “ring the bank” (tomorrow)."),
        ("what's coming up tomorrow?", "Due tomorrow: “ring the bank”."),
        ("what is scheduled for tomorrow?", "Due tomorrow: “ring the bank”."),
        ("which agents run tomorrow?", "Nothing is scheduled tomorrow."),
    ],
)
def test_what_comes_up_has_the_tasks_that_are_due(question: str, answer: str) -> None:
    assert told(with_tasks(ring_the_bank=1, book_the_hall=20), question) == answer


def test_what_comes_up_has_the_agents_and_the_tasks() -> None:
    talk = with_tasks(ring_the_bank=1)
    talk.create("open-tickets", schedule=Schedule(cron="0 8 * * *", text="Daily at 8:00 AM"))
    reply = told(talk, "what's coming up tomorrow?")
    assert "- open-tickets: 8:00 AM" in reply
    assert reply.endswith("Due tomorrow: “ring the bank”.")


@pytest.mark.parametrize(
    "request_",
    [
        "tell me what I need to get done by friday",
        "remind me what I still have to do",
        "let me know what I must do this week",
        "can you tell me what I should do next",
        "could you kindly remind me what is still outstanding?",
    ],
)
def test_to_be_told_what_there_is_to_do_is_no_new_task(request_: str) -> None:
    talk = with_tasks(ring_the_bank=1)
    assert "ring the bank" in told(talk, request_)
    assert list(tasks(talk)) == ["ring the bank"]


def test_to_be_reminded_of_a_deed_is_a_task() -> None:
    talk = Talk()
    told(talk, "remind me to do what I promised")
    assert list(tasks(talk)) == ["do what I promised"]


@pytest.mark.parametrize(
    "question",
    [
        "Which of my tasks is due first?", "what's the next thing due?", "which task comes first?",
        "what do I have to do first?", "what is most urgent on my list?", "which one is due next?",
    ],
)  # fmt: skip
def test_what_is_due_first_is_told_alone_and_may_be_ticked_off(question: str) -> None:
    talk = Talk()
    for message in (
        "add a task to file the return by February 20",
        "add a task to run payroll by February 10",
    ):
        talk.classify_and_answer(message)
    said = talk.classify_and_answer(question).text
    assert "“run payroll” is due Tuesday, February 10." in said
    assert "return" not in said
    assert "Done: “run payroll”" in talk.classify_and_answer("that's done already, tick it off please").text


@pytest.mark.parametrize(
    "question", ["anything overdue?", "how many of my to-dos are overdue by now", "which tasks are past due?"]
)
def test_a_task_is_overdue_once_its_time_of_the_day_has_passed(question: str) -> None:
    talk = Talk()
    now = talk.clock.now()
    for title, hours in (("book the crane", -1), ("send the permit", 1)):
        due = (now + timedelta(hours=hours)).replace(tzinfo=None)
        spec = TaskSpec(title=title, due_at=due, time_zone="UTC")
        talk.tasks.create(talk.caller, spec)
    talk.classify_and_answer("hello")

    reply = told(talk, question)

    assert "book the crane" in reply
    assert "send the permit" not in reply


@pytest.mark.parametrize(
    "question", ["Show me everything that's due this week", "Everything due today please"]
)
def test_everything_that_is_due_are_the_tasks_of_that_time(question: str) -> None:
    talk = Talk()
    talk.create("daily-orders", "new orders")
    told(talk, "add a task to buy gloves today", "add a task to call Ann in three weeks")

    reply = told(talk, question)

    assert "buy gloves" in reply
    assert "call Ann" not in reply
    assert "daily-orders" not in reply
