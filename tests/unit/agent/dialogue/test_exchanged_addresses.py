"""An address is exchanged wherever agents send to it, and nowhere else."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def recipients(talk: Talk) -> dict[str, tuple[str, ...]]:
    return {one.name: one.delivery.recipients for one in talk.agents()}


def talk_with_three() -> Talk:
    talk = Talk()
    for name, address in (("rent", "herb@aon.at"), ("oil", "herb@aon.at"), ("flat", "ilse@gmx.at")):
        talk.create(name, f"news of {name}", delivery={"channels": ("email",), "recipients": (address,)})
    return talk


@pytest.mark.parametrize(
    "message",
    [
        "Everything what you send until now to herb@aon.at please send in future to herb@gmx.at",
        "What goes to herb@aon.at must go to herb@gmx.at. What my wife Ilse gets stays how it is.",
        "everything that goes to herb@aon.at should go to herb@gmx.at from now on",
        "replace herb@aon.at with herb@gmx.at everywhere",
        "whatever you mail to herb@aon.at, mail it to herb@gmx.at instead",
        "all the agents that mail herb@aon.at must mail herb@gmx.at, not the old address any more",
        "send everything to herb@gmx.at instead of herb@aon.at",
    ],
)
def test_an_address_is_exchanged_where_it_is_used(message: str) -> None:
    talk = talk_with_three()

    said = talk.classify_and_answer(message)

    assert recipients(talk) == {
        "rent": ("herb@gmx.at",), "oil": ("herb@gmx.at",), "flat": ("ilse@gmx.at",),
    }  # fmt: skip
    assert "look that up" not in said.text


def test_another_address_beside_the_old_one_is_added_where_that_is_used() -> None:
    talk = talk_with_three()

    talk.classify_and_answer("everything you send to herb@aon.at should also go to herb@gmx.at")

    assert recipients(talk) == {
        "rent": ("herb@aon.at", "herb@gmx.at"), "oil": ("herb@aon.at", "herb@gmx.at"),
        "flat": ("ilse@gmx.at",),
    }  # fmt: skip


def test_the_other_recipients_of_an_agent_stay() -> None:
    talk = Talk()
    both = {"channels": ("email",), "recipients": ("herb@aon.at", "bob@b.co")}
    talk.create("rent", "rents", delivery=both)

    talk.classify_and_answer("everything for herb@aon.at goes to herb@gmx.at from today")

    assert set(recipients(talk)["rent"]) == {"bob@b.co", "herb@gmx.at"}


def test_an_agent_that_is_named_changes_alone() -> None:
    talk = talk_with_three()

    talk.classify_and_answer("send oil to herb@gmx.at instead of herb@aon.at")

    assert recipients(talk) == {
        "rent": ("herb@aon.at",), "oil": ("herb@gmx.at",), "flat": ("ilse@gmx.at",),
    }  # fmt: skip
