"""Talk about the user's own tasks, understood and answered without a model."""

from __future__ import annotations

from datetime import date

import pytest

from intent.decision import ActionType, DecisionSource
from tasks.task import TaskChange, TaskSpec
from tests.fakes.data.chat_session import Talk


def with_tasks(*titles: str) -> Talk:
    talk = Talk()
    for title in titles:
        talk.clock.advance(1)
        talk.tasks.create(talk.caller, TaskSpec(title=title))
    return talk


def titles(talk: Talk, *, completed: bool | None = None) -> list[str]:
    found, _ = talk.tasks.list(talk.caller, completed=completed)
    return [task.title for task in found]


def test_a_task_is_added_by_saying_so() -> None:
    talk = Talk()
    said = talk.classify_and_answer("add a task to buy groceries")
    assert said.text == "Added to your list: “buy groceries”."
    assert said.tools == ("create_task",)
    assert titles(talk) == ["buy groceries"]


def test_the_day_it_is_due_is_taken_out_of_the_title_and_named() -> None:
    talk = Talk()
    said = talk.classify_and_answer("Please add a task to call the dentist by tomorrow")
    [task], _ = talk.tasks.list(talk.caller)
    assert task.title == "call the dentist"
    assert task.due_date == date(2026, 1, 31)
    assert said.text == "Added to your list: “call the dentist”, due tomorrow."


@pytest.mark.parametrize(
    "more", ["and one to call the bank", "another one: call the bank", "oh, and one more for call the bank"]
)
def test_one_more_is_a_task_where_tasks_were_talked_about(more: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task to buy groceries")
    talk.classify_and_answer(more)
    assert set(titles(talk)) == {"buy groceries", "call the bank"}


def test_several_are_added_at_once() -> None:
    talk = Talk()
    said = talk.classify_and_answer("Add these tasks: buy milk, call mom; pay rent")
    assert said.text == "Added to your list: “buy milk”, “call mom” and “pay rent”."
    assert titles(talk) == ["buy milk", "call mom", "pay rent"]
    talk.classify_and_answer("mark the second one done")
    assert titles(talk, completed=True) == ["call mom"]


def test_none_of_several_tasks_is_lost_behind_a_time() -> None:
    talk = Talk()
    talk.classify_and_answer("Add these tasks: buy milk, call mom tomorrow; pay rent")
    assert titles(talk) == ["buy milk", "call mom", "pay rent"]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("add a task to write a report", ["write a report"]),
        ("new todo: write a report", ["write a report"]),
        ("create a reminder to put out the bins", ["put out the bins"]),
        ("add a to-do to make the beds and set the tables", ["make the beds", "set the tables"]),
        ("I need a task to record the meter", ["record the meter"]),
    ],
)
def test_a_task_keeps_its_verb(message: str, found: list[str]) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    assert titles(talk) == found


def test_titles_in_quotes_are_a_task_each() -> None:
    talk = Talk()
    talk.classify_and_answer("Put 'order toner' and 'book the venue' on my task list")
    assert titles(talk) == ["order toner", "book the venue"]


def test_one_task_may_have_commas() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: buy milk, bread and butter")
    assert titles(talk) == ["buy milk, bread and butter"]


def test_what_does_not_fit_a_title_is_kept_as_description() -> None:
    talk = Talk()
    sentence = "read the " + "very long report " * 15
    talk.classify_and_answer(f"add a task to {sentence}")
    [task], _ = talk.tasks.list(talk.caller)
    assert len(task.title) == 200
    assert task.description == sentence.strip()


def test_the_list_shows_what_is_open_in_the_order_it_came() -> None:
    talk = with_tasks("buy groceries", "call the dentist")
    said = talk.classify_and_answer("what's on my list")
    assert said.text == "You have 2 open tasks:\n\n1. buy groceries\n2. call the dentist"
    assert said.tools == ("list_tasks",)


def test_an_empty_list_is_told() -> None:
    assert Talk().classify_and_answer("show my tasks").text == "Nothing is on your list."


def test_the_second_one_of_the_list_just_shown_is_marked_done() -> None:
    talk = with_tasks("buy groceries", "call the dentist")
    talk.classify_and_answer("what's on my list")
    talk.classify_and_answer("mark the second one done")
    assert titles(talk, completed=True) == ["call the dentist"]
    assert titles(talk, completed=False) == ["buy groceries"]


def test_several_are_marked_done_at_once() -> None:
    talk = with_tasks("a tax form", "call the dentist", "pay rent")
    talk.classify_and_answer("my tasks")
    talk.classify_and_answer("1 and 3 are done")
    assert titles(talk, completed=True) == ["a tax form", "pay rent"]


def test_one_is_deleted_by_a_word_of_its_title() -> None:
    talk = with_tasks("buy groceries", "call the dentist")
    talk.classify_and_answer("list my tasks")
    assert (
        talk.classify_and_answer("delete the dentist one").text
        == "Deleted from your list: “call the dentist”."
    )
    assert titles(talk) == ["buy groceries"]


def test_without_a_list_the_title_is_looked_for_among_all_tasks() -> None:
    talk = with_tasks("buy groceries", "call the dentist")
    talk.classify_and_answer("mark buy groceries as done")
    assert titles(talk, completed=True) == ["buy groceries"]


def test_a_title_that_fits_two_tasks_is_asked_back_and_picked_by_number() -> None:
    talk = with_tasks("call mom", "call dad")
    said = talk.classify_and_answer("mark the call as done")
    assert "“call mom” or “call dad”" in said.text
    assert titles(talk, completed=True) == []
    talk.classify_and_answer("2")
    assert titles(talk, completed=True) == ["call dad"]


def test_it_is_the_task_just_added() -> None:
    talk = with_tasks("call mom")
    talk.classify_and_answer("add a task to buy milk")
    talk.classify_and_answer("mark it as done")
    assert titles(talk, completed=True) == ["buy milk"]


def test_a_done_task_is_put_back() -> None:
    talk = with_tasks("call mom")
    talk.classify_and_answer("mark call mom as done")
    talk.classify_and_answer("mark it as not done")
    assert titles(talk, completed=False) == ["call mom"]


def test_a_task_is_renamed_and_gets_another_day() -> None:
    talk = with_tasks("buy milk")
    talk.classify_and_answer("my tasks")
    talk.classify_and_answer("rename the first one to buy oat milk")
    talk.classify_and_answer("move it to Friday")
    [task], _ = talk.tasks.list(talk.caller)
    assert (task.title, task.due_date) == ("buy oat milk", date(2026, 2, 6))


@pytest.mark.parametrize(
    "words",
    ["remove the due date of the milk one", "delete its deadline", "remove the deadline from buy milk"],
)
def test_without_its_due_date_a_task_is_still_there(words: str) -> None:
    talk = with_tasks("buy milk")
    talk.classify_and_answer("move buy milk to Friday")
    said = talk.classify_and_answer(words)
    assert said.text == "“buy milk” has no due date any more."
    [task], _ = talk.tasks.list(talk.caller)
    assert task.due_date is None


def test_the_day_of_the_task_just_talked_about_may_be_told() -> None:
    talk = with_tasks("buy milk")
    talk.classify_and_answer("rename buy milk to buy oat milk")
    talk.classify_and_answer("it's due on Friday")
    [task], _ = talk.tasks.list(talk.caller)
    assert task.due_date == date(2026, 2, 6)


def test_several_are_deleted_only_after_a_yes() -> None:
    talk = with_tasks("call mom", "call dad")
    talk.classify_and_answer("my tasks")
    assert "call mom" in talk.classify_and_answer("delete all of them").text
    assert len(titles(talk)) == 2
    talk.classify_and_answer("yes")
    assert titles(talk) == []


def test_what_a_turn_writes_is_the_same_when_it_is_thought_through_again() -> None:
    talk = Talk()
    turn = talk.turn("c" * 32 + ".01JQZZZZZZZZZZZZZZZZZZZZZZ", "add a task to buy milk")
    first, second = (talk.answer(turn.turn_id, turn.message, talk.classify(turn.message)) for _ in range(2))
    assert first.effects == second.effects


def test_a_task_that_is_gone_meanwhile_is_not_claimed_to_be_done() -> None:
    talk = with_tasks("call mom", "call dad")
    talk.classify_and_answer("my tasks")
    gone = talk.tasks.list(talk.caller)[0][1]
    talk.tasks.delete(talk.caller, gone.id)
    said = talk.classify_and_answer("mark the second one done")
    assert "marked" not in said.text
    assert titles(talk, completed=True) == []


def test_another_user_sees_none_of_them() -> None:
    talk = with_tasks("call mom")
    noah = talk.as_other_user("noah")
    assert "call mom" not in noah.classify_and_answer("what's on my list").text
    noah.classify_and_answer("mark call mom as done")
    assert titles(talk, completed=False) == ["call mom"]


@pytest.mark.parametrize(
    "message",
    [
        "create a task in Jira for each new lead",
        "create a task to check Jira every morning at 9",
        "what tasks can you automate?",
        "whenever a lead comes in, create a task to call them",
    ],
)
def test_what_is_asked_of_agents_is_left_to_agents(message: str) -> None:
    talk = Talk()
    talk.create("notion-reporter", "Notion pages")
    said = talk.classify_and_answer(message)
    assert titles(talk) == []
    assert "create_task" not in said.tools


def test_a_task_may_be_added_while_the_wizard_waits_for_a_place() -> None:
    talk = Talk()
    talk.classify_and_answer("every Monday at 9, report open Jira tickets")
    said = talk.classify_and_answer("add a task to follow up")
    assert titles(talk) == ["follow up"]
    assert said.text.endswith("Where should I send the results: by e-mail, to Slack or here?")
    assert talk.classify_and_answer("here").text.startswith("Saved: ")


def test_a_reminder_for_oneself_is_no_job_for_the_agent_in_the_making() -> None:
    talk = Talk()
    asked = talk.classify_and_answer("create an agent").note
    said = talk.classify_and_answer("remind me to water the plants")
    assert titles(talk) == ["water the plants"]
    assert said.note.draft == {**(asked.draft or {}), "is_recalled": True}


def test_what_is_asked_for_as_a_reminder_is_kept_and_no_reminder_promised() -> None:
    talk = Talk()
    said = talk.classify_and_answer("remind me to buy milk")
    assert titles(talk) == ["buy milk"]
    assert said.text == "Added to your list: “buy milk”."


def test_where_a_model_decided_otherwise_plain_talk_about_tasks_still_counts() -> None:
    talk = with_tasks("call mom")
    talk.classify_and_answer("my tasks")
    talk.say("delete the mom one", ActionType.UPDATE_AGENT, source=DecisionSource.MODEL, operation="delete")
    assert titles(talk) == []


def test_a_task_done_before_keeps_the_time_it_was_done() -> None:
    talk = with_tasks("call mom")
    task = talk.tasks.list(talk.caller)[0][0]
    before = talk.tasks.update(talk.caller, task.id, TaskChange(completed=True))
    talk.clock.advance(60)
    assert "already done" in talk.classify_and_answer("mark call mom as done").text
    assert talk.tasks.get(talk.caller, task.id).completed_at == before.completed_at


def test_all_tasks_are_those_on_the_list_and_not_the_one_just_talked_about() -> None:
    talk = with_tasks("call mom", "buy milk")
    talk.classify_and_answer("add a task to water the plants")
    asked = talk.classify_and_answer("delete all my tasks")
    assert asked.text == "Shall I delete “call mom”, “buy milk” and “water the plants”?"
    assert len(titles(talk)) == 3
    talk.classify_and_answer("yes")
    assert titles(talk) == []


def test_a_bare_done_completes_the_task_just_talked_about() -> None:
    talk = with_tasks("call mom")
    talk.classify_and_answer("add a task to water the plants")
    assert "water the plants" in talk.classify_and_answer("done").text
    assert [task.title for task in talk.tasks.list(talk.caller, completed=True)[0]] == ["water the plants"]


def test_what_is_due_is_listed() -> None:
    talk = with_tasks("call mom", "pay rent")
    talk.classify_and_answer("move call mom to today")
    said = talk.classify_and_answer("what's due this week?")
    assert "call mom" in said.text
    assert "pay rent" not in said.text


@pytest.mark.xfail(strict=True, reason="when one task is due is no question that is answered")
def test_a_task_that_is_asked_about_is_the_one_that_is_changed_next() -> None:
    talk = with_tasks("call mom", "buy milk")
    talk.classify_and_answer("my tasks")
    first = talk.classify_and_answer("when is the second one due?").text
    talk.classify_and_answer("push it to friday")
    assert first.endswith("has no due date.")
    second = talk.classify_and_answer("when is the second one due?").text
    assert "is due" in second
    assert "has no due date" in talk.classify_and_answer("when is the first one due?").text


def test_a_title_in_quotes_is_one_more_task_where_tasks_were_talked_about() -> None:
    talk = with_tasks("call mom")
    talk.classify_and_answer("my tasks")
    talk.classify_and_answer('add "call caterer" too')
    assert "call caterer" in titles(talk)


@pytest.mark.parametrize(
    "correction",
    [
        "it's the cones that came. Would you undo that and tick off order training cones instead?",
        "tick off order training cones instead",
    ],
)
def test_the_task_ticked_off_by_mistake_is_open_again_once_the_other_is_done(correction: str) -> None:
    talk = with_tasks("order vests", "order training cones")
    talk.classify_and_answer("tick off order vests")
    talk.classify_and_answer(correction)
    assert titles(talk, completed=True) == ["order training cones"]
    assert titles(talk, completed=False) == ["order vests"]


def test_a_task_that_is_put_back_on_the_list_is_open_again() -> None:
    talk = with_tasks("order plasterboard", "ring the engineer")
    talk.classify_and_answer("order plasterboard is done")
    talk.classify_and_answer("what's left?")
    talk.classify_and_answer("put order plasterboard back on the list")
    assert "order plasterboard" in titles(talk, completed=False)


def test_an_answer_to_what_should_change_is_about_the_task_in_question() -> None:
    talk = with_tasks("submit the assignment", "buy paper")
    talk.classify_and_answer("submit the assignment is due on 14 August")
    asked = talk.classify_and_answer(
        "they gave us an extension for submit the assignment, shift it accordingly"
    )
    assert "another due date" in asked.text
    assert "is now due Monday, August 17" in talk.classify_and_answer("the date, 3 days later").text


def test_how_a_day_looks_is_what_is_due_then() -> None:
    talk = with_tasks("buy paper")
    talk.classify_and_answer("add vendor review on Monday")
    assert "vendor review" in talk.classify_and_answer("so what does Monday look like?").text


@pytest.mark.parametrize("question", ["is that in?", "what date did you put?", "got that?"])
def test_a_question_what_was_put_down_shows_the_task_and_ticks_nothing_off(question: str) -> None:
    talk = with_tasks()
    talk.classify_and_answer("remind me to ring Mrs Byrne about her crown tomorrow at half ten")
    reply = talk.classify_and_answer(question)
    assert "ring Mrs Byrne about her crown" in reply.text
    assert titles(talk, completed=False) == ["ring Mrs Byrne about her crown"]


def test_an_exclamation_that_names_a_task_does_nothing_to_it() -> None:
    talk = with_tasks("renew the club insurance on friday", "find an umpire")
    talk.classify_and_answer("what's still open on my list, please?")
    talk.classify_and_answer("Oh heavens, the insurance. Could you put the insurance one off by a week?")
    assert len(titles(talk, completed=False)) == 2


@pytest.mark.parametrize(
    ("message", "added"),
    [
        ("remind me to pay the rent, it's due on the 3rd", ["pay the rent"]),
        ("remind me to send the note home, it has to go out by Thursday", ["send the note home"]),
        (
            "two things: send Ruth the draft by Thursday, and ring the harbour master back, there's no date",
            ["send Ruth the draft", "ring the harbour master back"],
        ),
        (
            "Batches will move, so I will see. Please put in my list to call the piano tuner. Thanks, Mina",
            ["call the piano tuner"],
        ),
        ("add a task to check overtime list on Friday", ["check overtime list"]),
        ("make sure I don't forget to sign off the testing by August 28th", ["sign off the testing"]),
    ],
)
def test_a_title_is_what_is_to_be_done(message: str, added: list[str]) -> None:
    talk = with_tasks()
    talk.classify_and_answer(message)
    assert sorted(titles(talk)) == sorted(added)


def test_several_tasks_that_are_told_to_be_done_are_ticked_off() -> None:
    talk = with_tasks()
    talk.classify_and_answer(
        "four todos: patch the vpn gateway / order docking stations / answer the audit mail / update the wiki"
    )
    talk.classify_and_answer("vpn, docking stations and wiki are done. audit mail isn't")
    assert titles(talk, completed=False) == ["answer the audit mail"]


def test_a_question_when_a_task_is_due_changes_nothing() -> None:
    talk = with_tasks()
    talk.classify_and_answer("remind me Friday at 10 to send the Botha quote")
    assert "Friday" in talk.classify_and_answer("hi again, me. when must that Botha quote go?").text


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("add a task to buy 3 apples and 2 pears", "buy 3 apples and 2 pears"),
        ("put 4 lamps and 6 bulbs on my list", "4 lamps and 6 bulbs"),
        ("add order 6 toners and 2 drums to my list", "order 6 toners and 2 drums"),
        ("add a task to pack 3 tents, 2 stoves and 5 mats", "pack 3 tents, 2 stoves and 5 mats"),
    ],
)
def test_a_task_keeps_all_that_it_counts(message: str, title: str) -> None:
    assert f"“{title}”" in Talk().classify_and_answer(message).text
