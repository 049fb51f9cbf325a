"""Tasks that are told as lists, reports, groups, and by another date or task, with the shipped weights."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache

import pytest

from intent.acts.act import Act, ActKind, Thing
from intent.acts.learned.act_model import load_model
from intent.acts.reader import ActReader
from intent.acts.scene import Scene
from intent.acts.task_reading.lists import find_list
from intent.acts.task_reading.reports import find_report
from intent.acts.tokens import tokenise
from intent.acts.unsure_chores import says_unsure
from intent.sums.result import EarlierSum

NOW = datetime(2026, 6, 10, 9, tzinfo=UTC)  # a Wednesday
TASKS = (
    Thing("1", "Hargreaves: order tiles", due=date(2026, 6, 11)),
    Thing("2", "Hargreaves: final bill", due=date(2026, 6, 12)),
    Thing("3", "Service the van", due=date(2026, 6, 19)),
    Thing("4", "Return the ladder", is_done=True),
    Thing("5", "Freezer check"),
)
SCENE = Scene(now=NOW, zone="UTC", read_tasks=lambda: TASKS)


@cache
def reader() -> ActReader:
    model = load_model()
    assert model is not None
    return ActReader(model)


def read(message: str, scene: Scene = SCENE) -> tuple[Act, ...]:
    return reader().read(message, scene)


def ids(act: Act) -> list[str]:
    return [thing.id for thing in act.meant.things]


def test_each_task_of_a_list_has_its_own_day() -> None:
    (act,) = read(
        "Kindly put these on my list: the tax forms, due on 6 July; the roof, due on 19 June;"
        " and chasing Mr Okafor, which has no date."
    )

    assert [span.text for span in act.several] == ["the tax forms", "the roof", "chasing Mr Okafor"]
    assert [bool(due) for due in act.dues] == [True, True, False]


@pytest.mark.parametrize(
    "message",
    [
        "on my todo for monday pls: 1) descale the boiler 2) ring Shaz",
        "two for my list, both due monday: one, descale the boiler, two, ring Shaz",
    ],
)
def test_a_day_said_before_a_list_is_the_day_of_all(message: str) -> None:
    (act,) = read(message)

    assert [span.text for span in act.several] == ["descale the boiler", "ring Shaz"]
    assert all("monday" in due for due in act.dues)


def test_numbered_wishes_that_are_no_tasks_are_no_list() -> None:
    assert find_list(tokenise("Two things. 1) mondays at 8 the open orders. 2) pause parcels")) is None


def test_a_report_ticks_off_what_is_done_and_leaves_the_rest() -> None:
    (act,) = read("freezer chek done, tiles orderd. van not yet, waiting for a part")

    assert act.kind is ActKind.COMPLETE_TASK
    assert ids(act) == ["5", "1"]


@pytest.mark.parametrize("message", ["done and dusted", "what is done, what isn't?"])
def test_other_words_are_no_report(message: str) -> None:
    assert find_report(tokenise(message)) == ()


@pytest.mark.parametrize(
    ("message", "kind", "meant"),
    [
        ("clear the finished ones off my list", ActKind.DELETE_TASK, ["4"]),
        ("get rid of everything I've ticked off already", ActKind.DELETE_TASK, ["4"]),
        ("delete all tasks of Hargreaves except the final bill", ActKind.DELETE_TASK, ["1"]),
        ("push everything due this week to next monday, except the final bill", ActKind.CHANGE_TASK, ["1"]),
        ("cant do this weeks stuff, move it all to monday, not the final bill", ActKind.CHANGE_TASK, ["1"]),
    ],
)  # fmt: skip
def test_a_group_is_what_its_words_say_and_no_more(message: str, kind: ActKind, meant: list[str]) -> None:
    act = next(act for act in read(message) if act.kind is kind)

    assert ids(act) == meant


def test_all_of_somebody_unknown_is_nothing() -> None:
    (act,) = read("delete all tasks of Maria")

    assert (act.kind, ids(act)) == (ActKind.DELETE_TASK, [])


def test_a_task_moves_to_the_day_of_another() -> None:
    (act,) = read("move the final bill to the same day as the van")

    assert (act.kind, ids(act), act.slot("when")) == (ActKind.CHANGE_TASK, ["2"], "2026-06-19")


@pytest.mark.parametrize(
    ("message", "due", "title"),
    [
        (
            "crane certificate ends 30 june, put renewal one week before this date",
            "2026-06-23",
            "renewal (crane certificate ends 30 june)",
        ),
        (
            "passport ends 2 september. remind me 3 weeks before that to go to the consulate",
            "2026-08-12",
            None,
        ),
    ],
)
def test_a_task_is_due_so_long_before_a_date_that_was_said(message: str, due: str, title: str | None) -> None:
    acts = read(message, replace(SCENE, read_tasks=tuple))

    assert [act.slot("when") for act in acts] == [due]
    assert title is None or [span.text for span in acts[0].several] == [title]


@pytest.mark.parametrize(
    "message",
    [
        "hi, I rented out 14 violins this term, just noting that. no task needed",
        "omg what a nite. 40 covers and the dishwasher died",
    ],
)
def test_a_remark_is_no_task(message: str) -> None:
    assert all(act.kind is not ActKind.ADD_TASK for act in read(message, replace(SCENE, read_tasks=tuple)))


def test_what_arrived_is_ticked_off_and_not_deleted() -> None:
    (act,) = read("the tiles have arrived at last, so you can tick that one off my list please")

    assert (act.kind, ids(act)) == (ActKind.COMPLETE_TASK, ["1"])


def test_putting_a_task_off_completes_nothing() -> None:
    acts = read("Oh heavens, the final bill. Could you put the final bill off by a week, to the 19th?")

    assert ActKind.COMPLETE_TASK not in {act.kind for act in acts}


def test_the_last_result_is_put_in_the_task_talked_about() -> None:
    scene = replace(
        SCENE, focus_kind="task", focus=TASKS[1], did="sum", earlier_sum=EarlierSum("340 + 20%", "408")
    )

    (act,) = read("put that amount in the reminder so i dont forget it", scene)

    assert (act.kind, ids(act), act.slot("amount")) == (ActKind.CHANGE_TASK, ["2"], "408")


def test_numbers_and_their_question_are_one_sum() -> None:
    (act,) = read("quick maths: quota is 85k, i've closed 61,200. what % am I at")

    assert act.kind is ActKind.SUM


@pytest.mark.parametrize(
    ("message", "is_unsure"),
    [
        ("I honestly don't know what to ask for", True),
        ("no idea what I'd want", True),
        ("I know what I want", False),
        ("dunno how often tho", False),
        ("not the blue one", False),
    ],
)
def test_tells_who_does_not_know_what_to_ask_for(message: str, *, is_unsure: bool) -> None:
    assert says_unsure([token.word for token in tokenise(message)]) is is_unsure


def test_somebody_unsure_who_tells_a_chore_and_its_source_asked_for_nothing_yet() -> None:
    (act,) = read(
        "I honestly don't know what to ask for. People give us money, it's all written in a Google sheet, and"
        " nobody ever thanked them."
    )

    assert act.kind is ActKind.UNSURE


def test_marking_something_as_not_done_completes_nothing() -> None:
    acts = read("mark the freezer check as not done")

    assert ActKind.COMPLETE_TASK not in {act.kind for act in acts}


@pytest.mark.parametrize(
    ("message", "titles"),
    [
        ("on my list please\n- wax the skis, 3 July\n- sell the sled", ["wax the skis", "sell the sled"]),
        (
            "For my to-do list\nwax the skis 3 July\nsell the sled\nthanks a lot",
            ["wax the skis", "sell the sled"],
        ),
        ("Two for the list: wax the skis and mail Ada's aunt.", ["wax the skis", "mail Ada's aunt"]),
        (
            "todos:\n\u2022 stop the milk\n\u2022 delete the old flyers",
            ["stop the milk", "delete the old flyers"],
        ),
    ],
)
def test_tasks_stand_behind_bullets_one_a_line_or_as_many_as_were_announced(
    message: str, titles: list[str]
) -> None:
    (act,) = read(message)

    assert act.kind is ActKind.ADD_TASK
    assert [span.text for span in act.several] == titles


def test_what_is_due_of_both_holds_for_both_titles() -> None:
    (act,) = read('add a task called "stop it all" and another one called "wipe the board", both due Friday')

    assert [span.text for span in act.several] == ["stop it all", "wipe the board"]
    assert "Friday" in act.slot("when")


def test_a_sentence_behind_a_list_may_say_when_all_are_due() -> None:
    (act,) = read("two for the list: wax the skis, sell the sled. Both tomorrow")

    assert [span.text for span in act.several] == ["wax the skis", "sell the sled"]
    assert all("tomorrow" in due for due in act.dues)


def test_behind_an_added_task_a_that_clause_adds_another_one() -> None:
    (act,) = read("And also, that I call Mr. Brandt on Thursday", replace(SCENE, did=ActKind.ADD_TASK))

    assert act.kind is ActKind.ADD_TASK
    assert [span.text for span in act.several] == ["call Mr. Brandt"]
