"""What the last reply did is called off, and two agents get their names in one breath."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def tasks(talk: Talk) -> dict[str, bool]:
    found, _ = talk.tasks.list(talk.caller, limit=20)
    return {one.title: one.completed for one in found}


@pytest.mark.parametrize(
    "message",
    [
        "No, scrap that, it was his brother. Not done at all.",
        "scrap that, I still have to",
        "oh wait, forget that, it was the wrong person",
        "ignore that",
        "cancel that, he didn't pick up",
        "strike that please",
    ],
)
def test_a_completion_that_is_called_off_opens_the_task_again(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: ring the referee")
    talk.classify_and_answer("the referee's rung, mark it done")

    talk.classify_and_answer(message)

    assert tasks(talk) == {"ring the referee": False}


@pytest.mark.parametrize("message", ["scrap that task", "delete it", "scrap it", "bin that one"])
def test_a_thing_that_is_thrown_away_is_deleted(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: ring the referee")
    talk.classify_and_answer("move ring the referee to friday")

    talk.classify_and_answer(message)

    assert tasks(talk) == {}


def test_a_deletion_that_is_called_off_brings_the_task_back() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: ring the referee")
    talk.classify_and_answer("delete ring the referee")

    talk.classify_and_answer("oh wait, scrap that - he never called back")

    assert tasks(talk) == {"ring the referee": False}


def test_another_day_behind_what_is_called_off_is_the_new_day() -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: ring the referee")
    talk.classify_and_answer("move ring the referee to friday")

    assert "Thursday" in talk.classify_and_answer("scrap that, make it thursday").text


@pytest.mark.parametrize("message", ["no, scrap that, keep it running", "scratch that", "forget that, sorry"])
def test_a_pause_that_is_called_off_is_undone(message: str) -> None:
    talk = Talk()
    talk.create("stock-digest", "the stock", schedule={"cron": "0 9 * * *", "time_zone": "UTC"})
    talk.classify_and_answer("pause stock-digest")

    talk.classify_and_answer(message)

    assert talk.agents()[0].status.value == "active"


@pytest.mark.parametrize(
    "message",
    [
        "call r1 roster and r2 payslips so i stop mixing them up at 4am",
        "name r1 roster and r2 payslips because I never know which one comes at 9",
        "r1 should be called roster, r2 payslips",
        "rename r1 to roster, r2 to payslips since we open at 8",
        'can you call r1 "roster" and r2 "payslips"',
        "call r1 roster, and r2 payslips please",
    ],
)
def test_two_agents_get_their_names_whatever_is_told_as_the_reason(message: str) -> None:
    talk = Talk()
    talk.create("r1", "my shifts", schedule={"cron": "0 15 * * 3", "time_zone": "UTC"})
    talk.create("r2", "new payslips", schedule={"cron": "0 16 * * 5", "time_zone": "UTC"})

    said = talk.classify_and_answer(message)

    assert {one.name: one.schedule.cron for one in talk.agents() if one.schedule} == {
        "roster": "0 15 * * 3",
        "payslips": "0 16 * * 5",
    }
    assert "can't" not in said.text


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("call r1 roster and pause r2", {"roster", "r2"}),
        ("call r1 roster and r2 stays as it is", {"roster", "r2"}),
        ("call r1 roster and r2 off", {"roster", "r2"}),
    ],
)
def test_what_becomes_of_another_agent_is_no_name(message: str, names: set[str]) -> None:
    talk = Talk()
    talk.create("r1", "my shifts", schedule={"cron": "0 15 * * 3", "time_zone": "UTC"})
    talk.create("r2", "new payslips", schedule={"cron": "0 16 * * 5", "time_zone": "UTC"})

    talk.classify_and_answer(message)

    assert {one.name for one in talk.agents()} == names


def test_a_wish_in_a_reason_for_a_name_is_read() -> None:
    talk = Talk()
    talk.create("r1", "my shifts", schedule={"cron": "0 15 * * 3", "time_zone": "UTC"})

    talk.classify_and_answer("rename r1 to roster because I want it to run at 7am")

    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert (agent.name, agent.schedule.cron) == ("roster", "0 7 * * 3")


@pytest.mark.parametrize(
    "message",
    [
        "Oh dear, no, Geoffrey tells me he rang him already. Do take it off again.",
        "Margaret has booked it already, it appears. Could you take it off again please.",
        "can you take it off again?",
        "you may strike that off the list again",
        "please could you delete it again",
        "Tom told me he did it already. take it off",
    ],
)
def test_the_task_just_added_is_taken_off_the_list(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("Kindly put on my list that I must telephone the organ tuner on the 14th.")

    talk.classify_and_answer(message)

    assert tasks(talk) == {}


@pytest.mark.parametrize("message", ["don't take it off", "Tom told me he did it already.", "tick it off"])
def test_a_task_stays_where_nobody_asks_to_take_it_off(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add a task: telephone the organ tuner on the 14th")

    talk.classify_and_answer(message)

    assert list(tasks(talk)) == ["telephone the organ tuner"]
