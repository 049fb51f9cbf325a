"""What a message asks for beside an undo is done too, on the agent as it is again."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

MONDAYS = {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM", "time_zone": "UTC"}


def talk_with(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, f"what {name} is about", sources=["xero"], schedule=MONDAYS)
    return talk


def state(talk: Talk) -> dict[str, tuple[str, str, bool]]:
    return {
        agent.name: (agent.status.value, agent.schedule.cron if agent.schedule else "", agent.shared)
        for agent in talk.agents()
    }


@pytest.mark.parametrize(
    ("before", "say", "after"),
    [
        ("rename bills to dues", "undo that and pause bills", ("paused", "0 9 * * 1", False)),
        ("move bills to 11", "undo that and share it", ("active", "0 9 * * 1", True)),
        ("pause bills", "undo that, and move it to Tuesdays", ("active", "0 9 * * 2", False)),
        ("pause bills", "undo that, switch it back on", ("active", "0 9 * * 1", False)),
    ],
)
def test_a_deed_beside_an_undo_is_done_to_the_agent_as_it_is_again(
    before: str, say: str, after: tuple[str, str, bool]
) -> None:
    talk = talk_with("bills")
    talk.classify_and_answer(before)

    talk.classify_and_answer(say)

    assert state(talk) == {"bills": after}


def test_an_agent_that_is_brought_back_is_changed_in_the_same_message() -> None:
    talk = talk_with("bills", "rota")
    talk.classify_and_answer("delete bills")
    talk.classify_and_answer("yes")

    talk.classify_and_answer("bring it back and make it tuesdays")

    assert state(talk)["bills"] == ("active", "0 9 * * 2", False)
    talk.classify_and_answer("undo")
    assert set(state(talk)) == {"rota"}


def test_the_undo_of_both_takes_back_both() -> None:
    talk = talk_with("bills")
    talk.classify_and_answer("move bills to 11")
    talk.classify_and_answer("undo that and share it")

    talk.classify_and_answer("undo")

    assert state(talk) == {"bills": ("active", "0 11 * * 1", False)}


def test_an_agent_named_beside_an_undo_is_not_what_is_undone() -> None:
    talk = talk_with("rota")
    talk.classify_and_answer("every friday at 4 post new leads from HubSpot to slack #crm, call it leads")

    talk.classify_and_answer("undo that and pause rota")

    assert state(talk) == {"rota": ("paused", "0 9 * * 1", False)}


def test_a_task_is_added_behind_a_sentence_that_takes_the_new_agent_back() -> None:
    talk = talk_with()
    talk.classify_and_answer("every friday at 4 post new leads from HubSpot to slack #crm, call it leads")

    talk.classify_and_answer("Forget that, I don't want it. Just put 'look at the new ones' on my list")

    assert talk.agents() == []
    assert [task.title for task in talk.tasks.list(talk.caller, limit=5)[0]] == ["look at the new ones"]
