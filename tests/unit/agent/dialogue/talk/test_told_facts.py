"""Facts that a person tells, changes and asks for again, and words that only look like new tasks."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def said(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


def titles(talk: Talk, *, completed: bool = False) -> list[str]:
    return sorted(task.title for task in talk.tasks.list(talk.caller, completed=completed, limit=20)[0])


@pytest.mark.parametrize(
    ("told", "change", "question", "last"),
    [
        ("i owe sam 15 bucks", "actually its 20", "how much do i owe sam", "20"),
        ("the taxi was 34 euros", "no, 43", "how much was the taxi?", "43"),
        ("lunch cost me 12.50", "sorry it was 13.50", "what did lunch cost", "13.50"),
        ("my passport is in the blue folder", "i moved it to the safe", "where is my passport?", "safe"),
        ("Remember that my blood pressure was 142 over 88 this morning.", "It was 138 over 85, I misread it.",
         "What was my blood pressure this morning?", "138"),
        ("the keys are with Tom", "he gave them to Ana", "who has the keys?", "Ana"),
        ("note that the dentist is in room 12", "oops it's 14", "which room is the dentist in?", "14"),
    ],
)  # fmt: skip
def test_a_fact_is_told_back_with_what_changed_it(told: str, change: str, question: str, last: str) -> None:
    first, second, answer = said(told, change, question)

    assert first.startswith("Noted")
    assert "remember" in second or "Noted" in second or "mind" in second
    assert last in answer


@pytest.mark.parametrize(
    ("told", "question", "more", "part"),
    [
        ("Our guest code is Sunflower22 and the alarm code is 9917.", "What's the guest code?",
         "And the other one?", "9917"),
        ("My grandson's birthday is on 12 March. My granddaughter's is on 3 July.",
         "When is my grandson's birthday?", "And my granddaughter's?", "3 July"),
        ("our oven guy is called Bernd, his number is 0176 5550142", "what was bernds number again?",
         "and his name?", "Bernd"),
        ("my boss is called Ingrid and her birthday is 4 may", "whats my boss called",
         "and when is her birthday?", "4 may"),
    ],
)  # fmt: skip
def test_a_question_goes_on_from_what_was_told_back(told: str, question: str, more: str, part: str) -> None:
    assert part in said(told, question, more)[-1]


def test_the_other_of_two_facts_is_not_the_one_just_quoted() -> None:
    answers = said(
        "the locker code is 4410", "and the gate code is 221", "what's the locker code", "and the other one?"
    )

    assert "4410" in answers[2]
    assert "221" in answers[3]


def test_a_number_that_names_something_is_no_amount() -> None:
    answers = said("the locker code is 4410", "and the alarm code is 2210", "what's the locker code")

    assert "4,410" not in answers[-1]
    assert "4410" in answers[-1]


def test_a_told_amount_that_went_up_counts_as_it_is_now() -> None:
    assert said("Catering is 640, music 300.", "Music went up to 350.", "what is the total?")[-1] == (
        "640 + 350 = 990."
    )


def test_what_was_told_is_not_said_to_be_forgotten() -> None:
    answers = said(
        "My grandson's birthday is on 12 March.", "Please forget what I told you about my grandson."
    )

    assert answers[-1].startswith("I can't forget")
    assert "12 March" in answers[-1]


@pytest.mark.parametrize(
    "message",
    [
        "I should like to cancel the reminder for the cardiologist.",
        "i want to delete the dentist reminder, no longer needed",
        "move my dentist task to friday",
        "Mark the invoice task as done",
        "Done with all of today's tasks.",
        "everything on my list is done",
        "cancel the reminder about the gym",
        "please tick my passport task as finished",
    ],
)
def test_a_command_for_a_task_that_is_not_there_becomes_none(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)

    assert not titles(talk)


@pytest.mark.parametrize(
    "message",
    ["done with everything on my list", "all of today's tasks are done", "done with all of today's",
     "everything on my list is done", "finished with all the tasks"],
)  # fmt: skip
def test_a_report_on_the_whole_list_ticks_it_off(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("remind me to water the plants today")
    talk.classify_and_answer("remind me to fix the door today")
    talk.classify_and_answer(message)

    assert not titles(talk)
    assert len(titles(talk, completed=True)) == 2


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("remind me to cancel the gym membership tomorrow", "cancel the gym membership"),
        ("add a task: delete the old reminder emails", "delete the old reminder emails"),
        ("put move the task cards to the new board on my list", "move the task cards to the new board"),
    ],
)
def test_a_task_may_be_about_tasks(message: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)

    assert titles(talk) == [title]


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("what did i have for friday?", "Nothing due Friday, February 6 is on your list."),
        ("which tasks are due tomorrow?", "Nothing due tomorrow is on your list."),
        ("what's due next week?", "Nothing due next week is on your list."),
        ("do i have anything overdue?", "Nothing overdue is on your list."),
    ],
)
def test_an_empty_list_names_the_days_asked_for(message: str, reply: str) -> None:
    assert said(message) == [reply]


@pytest.mark.parametrize("message", ["delete the sugar one", "delete the last one", "remove the top one"])
def test_a_command_on_one_of_nothing_is_about_no_chat(message: str) -> None:
    assert "chat" not in said(message)[0]


@pytest.mark.parametrize(
    ("told", "more", "total"),
    [
        (("i paid 340 for the bark and 89 for the gate. what is that altogether",),
         "and with another 60 for the diesel on top of it?", "489"),
        (("ludlow took 3180, leominster 2240 and hereford 4210. what is the total?",),
         "that is not bad for february. and without hereford how much", "5,420"),
        (("today i spent 210 on seed, the price is a scandal", "and 65 on labels today on top of it"),
         "how much is that together so far", "275"),
        (("i spent 45 on fuel and the parking was 12", "plus 8 for coffee"), "what's the total", "65"),
        (("we earned 310 at the fair, lovely weather", "and 90 for jam"), "what is that together?", "400"),
        (("log for me: reship cost 412.50 today", "n 130 today"), "running total?", "542.50"),
        (("log for me: reship cost 412.50 today", "and 130 more", "running total?"),
         "crap the first one was 421.50, typo", "551.50"),
        (("today i spent 210 on seed", "and 65 on labels", "how much is that together",
          "i see on the receipt the labels were 56 and not 65"), "so what does it come to now", "266"),
    ],
)  # fmt: skip
def test_amounts_told_one_after_the_other_are_added_up(told: tuple[str, ...], more: str, total: str) -> None:
    assert total in said(*told, more)[-1]


@pytest.mark.parametrize(
    "message",
    ["6.5 hours on the Hartley site today", "i spent 45 on fuel", "we paid 20 for parking, outrageous"],
)
def test_what_was_spent_or_worked_is_noted_and_no_task(message: str) -> None:
    talk = Talk()

    assert talk.classify_and_answer(message).text.startswith("Noted")
    assert not titles(talk)


def test_a_question_is_not_quoted_as_a_fact() -> None:
    answers = said(
        "the fencing chap is called gwilym and he has the number 07700 900412",
        "good morning. there is snow forecast. what was the name again of the fencing chap",
        "and his number",
    )

    assert "gwilym" in answers[1]
    assert "900412" in answers[2]
    assert "snow" not in answers[2]


@pytest.mark.parametrize(
    "message",
    [
        "fyi new 3PL contact = Marisol, daily cutoff 3:15p. keep that for later",
        "carrier rep is Tomasz, claims every friday, hang on to that for me",
        "the alarm is serviced each march by Kessler, mind that please",
    ],
)
def test_what_is_to_be_kept_is_noted_whatever_it_says(message: str) -> None:
    talk = Talk()

    assert talk.classify_and_answer(message).text.startswith("Noted")
    assert talk.history[-1].note.draft is None


@pytest.mark.parametrize(
    ("message", "open_titles"),
    [
        ("del milk", ["call bob"]),
        ("rm the milk one", ["call bob"]),
        ("k n cxl call bob pls", ["milk"]),
    ],
)
def test_shortened_words_are_read_as_what_they_stand_for(message: str, open_titles: list[str]) -> None:
    talk = Talk()
    talk.classify_and_answer("add milk tday n call bob tmrw")
    talk.classify_and_answer(message)

    assert titles(talk) == open_titles


def test_a_halt_before_a_correction_deletes_nothing() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: recount the bin by friday")
    talk.classify_and_answer("add a task: qbr slides by next monday")
    reply = talk.classify_and_answer("scratch that, recount is due thurs not fri")

    assert titles(talk) == ["qbr slides", "recount the bin"]
    assert reply.text == "“recount the bin” is now due Thursday, February 5."


def test_numbered_tasks_in_one_line_may_have_a_number_sign() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "gm. todos: 1) cycle count by wed 2) carrier claim #8841 by thurs 3) call marisol"
    )

    assert titles(talk) == ["call marisol", "carrier claim #8841", "cycle count"]
