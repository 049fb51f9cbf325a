"""Tasks that people report as done, move by a length of time, call off, ask for and correct by a word."""

from __future__ import annotations

from datetime import datetime

import pytest

from tasks.task import TaskSpec
from tests.fakes.data.chat_session import Talk

TITLES = ("file form 11B", "file the Hartley lease", "order toner", "ring the plumber")


def talk_with(*tasks: str | tuple[str, str]) -> Talk:
    talk = Talk()
    for task in tasks:
        title, at = (task, "") if isinstance(task, str) else task
        due = {"due_at": datetime.fromisoformat(at), "time_zone": "UTC"} if at else {}
        talk.tasks.create(talk.caller, TaskSpec.model_validate({"title": title, **due}))
    return talk


def done(talk: Talk) -> set[str]:
    return {task.title for task in talk.turn("", "").situation.read_tasks() if task.completed}


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("I've rung the plumber", {"ring the plumber"}),
        ("just spoke to the plumber", {"ring the plumber"}),
        ("the plumber's been rung", {"ring the plumber"}),
        ("that's the Hartley lease filed", {"file the Hartley lease"}),
        ("the Hartley one's done", {"file the Hartley lease"}),
        ("got the toner", {"order toner"}),
        ("that's the toner out of the way", {"order toner"}),
        ("finally managed to file form 11B", {"file form 11B"}),
        ("I did the toner and the plumber this morning", {"order toner", "ring the plumber"}),
        ("the Hartley lease and form 11B are both filed", {"file the Hartley lease", "file form 11B"}),
        ("plumber sorted, toner too", {"ring the plumber", "order toner"}),
    ],
)
def test_a_deed_that_is_reported_is_ticked_off(say: str, expected: set[str]) -> None:
    talk = talk_with(*TITLES)
    talk.classify_and_answer(say)
    assert done(talk) == expected


@pytest.mark.parametrize(
    "say",
    [
        "the plumber rang this morning", "I've got to ring the plumber", "I rang Ana",
        "I forgot the toner", "I got a letter from the plumber", "have I ordered the toner?",
        "I haven't rung the plumber", "I'll have filed form 11B by Friday", "the toner was cheap",
        "I nearly ordered the toner", "Jo said she rang the plumber", "I filed the Mills lease",
    ],
)  # fmt: skip
def test_what_is_not_reported_as_done_stays_open(say: str) -> None:
    talk = talk_with(*TITLES)
    talk.classify_and_answer(say)
    assert done(talk) == set()


@pytest.mark.parametrize(
    ("say", "day"),
    [
        ("the drill slips by three days", "2026-02-13"),
        ("I'd like the drill two days earlier than planned, please", "2026-02-08"),
        ("drill a day later please", "2026-02-11"),
        ("the drill is put back by a week", "2026-02-17"),
        ("I need another two days for the drill", "2026-02-12"),
        ("is the drill later than planned?", "2026-02-10"),
    ],
)
def test_a_task_moves_by_a_length_of_time(say: str, day: str) -> None:
    talk = talk_with(("fire drill", "2026-02-10T10:00"), ("test the alarm", "2026-02-11T10:00"))
    talk.classify_and_answer(say)
    dues = {task.title: f"{task.due_at:%Y-%m-%d %H:%M}" for task in talk.turn("", "").situation.read_tasks()}
    assert dues == {"fire drill": f"{day} 10:00", "test the alarm": "2026-02-11 10:00"}


@pytest.mark.parametrize(
    "say",
    [
        "the Leeds train and the Leeds hotel can both go, the trip's off",
        "the trip is off so both Leeds tasks can go",
        "the train and the hotel are no longer needed",
        "we don't need the train or the hotel any more, delete both",
    ],
)
def test_tasks_that_are_called_off_are_deleted_after_a_yes(say: str) -> None:
    talk = talk_with("book the train to Leeds", "reserve the Leeds hotel", "order toner")
    asked = talk.classify_and_answer(say)
    assert asked.text.startswith("Shall I delete ")
    talk.classify_and_answer("yes")
    assert [task.title for task in talk.turn("", "").situation.read_tasks()] == ["order toner"]


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("Ellen, not Helen", "send 20 chairs to Ellen Park"),
        ("25, not 20", "send 25 chairs to Helen Park"),
        ("make that 30 chairs", "send 30 chairs to Helen Park"),
        ("it should say 30 chairs", "send 30 chairs to Helen Park"),
        ("it's for Helen & Ann, not just Helen", "send 20 chairs to Helen & Ann Park"),
        ("I meant Helena with an a", "send 20 chairs to Helena Park"),
        ("not the chairs, the stools", "send 20 stools to Helen Park"),
        ("thanks, not bad", "send 20 chairs to Helen Park"),
        ("that should be Tuesday", "send 20 chairs to Helen Park"),
    ],
)
def test_a_correction_exchanges_the_words_that_it_names(say: str, expected: str) -> None:
    talk = talk_with()
    talk.classify_and_answer("add send 20 chairs to Helen Park by Monday")
    talk.classify_and_answer(say)
    assert [task.title for task in talk.turn("", "").situation.read_tasks()] == [expected]


def test_a_question_about_a_subject_lists_what_is_on_it_and_the_only_one_is_talked_of() -> None:
    talk = talk_with(("coffee with Sasha", "2026-02-05T10:00"), ("pay for the booth", "2026-02-09T12:00"))
    said = talk.classify_and_answer("is there anything with Sasha among my to-dos?")
    assert "coffee with Sasha" in said.text
    assert "booth" not in said.text
    said = talk.classify_and_answer("wats on feb 9?")
    assert "pay for the booth" in said.text
    assert "is now due" in talk.classify_and_answer("move it to the 10th").text


def test_a_list_stands_in_the_order_of_its_days() -> None:
    talk = talk_with(("pay rent", "2026-02-09T12:00"), ("call Ana", "2026-02-05T10:00"), "buy paint")
    text = talk.classify_and_answer("sort my list by date").text
    assert text.index("call Ana") < text.index("pay rent") < text.index("buy paint")


def tasks_behind(talk: Talk) -> dict[str, tuple[bool, str]]:
    """Return each task that is left by its title: whether it is done, and when it is due."""
    tasks = talk.turn("", "").situation.read_tasks()
    return {task.title: (task.completed, str(task.due_date or "")) for task in tasks}


@pytest.mark.parametrize(
    ("titles", "say", "expected"),
    [
        (
            ("badge for Caio", "send tax form to accounting", "birthday cake for Renata"),
            "The badge for Caio is done, the tax form thing can be deleted, and the cake moves to Monday",
            {"badge for Caio": (True, ""), "birthday cake for Renata": (False, "2026-02-02")},
        ),
        (
            ("photographer contract", "wedding cake tasting", "pay the florist"),
            "photographer contract is signed, the tasting can be scrapped, the florist moves to Thursday",
            {"photographer contract": (True, ""), "pay the florist": (False, "2026-02-05")},
        ),
        (
            ("fix printer", "call IT", "update wiki"),
            "Printer is fixed; the IT call can be dropped; wiki update should be due Thursday",
            {"fix printer": (True, ""), "update wiki": (False, "2026-02-05")},
        ),
        (
            ("weekly report", "clean the fridge"),
            "Weekly report's done and the fridge thing can be deleted",
            {"weekly report": (True, "")},
        ),
        (
            ("print labels", "call the bank", "submit VAT return"),
            (
                "The labels should be moved to Monday, the bank call is no longer needed and the VAT return"
                " has been submitted"
            ),
            {"print labels": (False, "2026-02-02"), "submit VAT return": (True, "")},
        ),
    ],
)
def test_each_task_gets_the_deed_that_is_said_of_it(
    titles: tuple[str, ...], say: str, expected: dict[str, tuple[bool, str]]
) -> None:
    talk = talk_with(*titles)
    talk.classify_and_answer(say)
    assert tasks_behind(talk) == expected


def test_a_condition_on_one_task_does_nothing_to_another() -> None:
    talk = talk_with("pay the gardener", "renew passport")
    talk.classify_and_answer("If the gardener is paid the passport can be deleted")
    assert tasks_behind(talk) == {"pay the gardener": (False, ""), "renew passport": (False, "")}


@pytest.mark.parametrize(
    "say",
    [
        "great, that's me done", "lovely, that's us finished", "nice one. that's me sorted",
        "we're done here, cheers", "right, I'm done for the day",
    ],
)  # fmt: skip
def test_who_takes_leave_has_done_no_task(say: str) -> None:
    talk = talk_with("print audit checklist")
    talk.classify_and_answer("move the audit checklist to Thursday")
    talk.classify_and_answer(say)
    assert tasks_behind(talk) == {"print audit checklist": (False, "2026-02-05")}


@pytest.mark.parametrize(
    "say",
    [
        "ugh, expenses. put them off till thursday", "argh expenses... move them to thursday",
        "oh dear, expenses! Can you shift those to Thursday?", "the expenses, move them to thursday",
    ],
)  # fmt: skip
def test_the_words_before_a_pronoun_say_what_it_means(say: str) -> None:
    talk = talk_with("finish the slides", "hand in travel expenses")
    talk.classify_and_answer("the slides are done")
    talk.classify_and_answer(say)
    expected = {"finish the slides": (True, ""), "hand in travel expenses": (False, "2026-02-05")}
    assert tasks_behind(talk) == expected


def test_an_agent_named_before_a_pronoun_is_meant_although_a_task_was_talked_about() -> None:
    talk = talk_with()
    talk.classify_and_answer("each weekday at 8:45 show me here the Freshdesk tickets that breach their SLA")
    talk.classify_and_answer("put 'print the audit checklist' on my to-do list")
    talk.classify_and_answer("where was I. the sla thing, make it 8:15 please, I start early")
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "15 8 * * 1-5"
    talk.classify_and_answer("and the checklist: rename it to print checklist x3")
    assert talk.agents()[0].name == agent.name
    assert tasks_behind(talk) == {"print checklist x3": (False, "")}
