"""Places that words say shall stay, beside another one that is given."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel, Delivery
from tests.fakes.data.chat_session import Talk

SALES, BOSS = "sales@acme.example", "boss@acme.example"


def said(say: str, delivery: Delivery) -> tuple[str, ...]:
    talk = Talk()
    talk.create("van-orders", delivery=delivery)
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    return agent.delivery.recipients


@pytest.mark.parametrize(
    "say",
    [
        f"keep van-orders at {SALES} and send it to {BOSS}",
        f"keep van-orders going to {SALES}, and mail it to {BOSS}",
        f"don't take {SALES} off van-orders, just add {BOSS}",
        f"leave {SALES} on van-orders and put {BOSS} on it",
        f"don't remove {SALES} from van-orders but have it go to {BOSS}",
        f"{SALES} stays, but van-orders goes to {BOSS} from now on",
        f"send van-orders to {BOSS}, keep {SALES}",
        f"let {SALES} keep getting van-orders and have it sent to {BOSS}",
        f"please keep sending van-orders to {SALES}, and mail it to {BOSS}",
    ],
)
def test_an_address_that_is_kept_stays_beside_the_new_one(say: str) -> None:
    assert set(said(say, Delivery(channels=(Channel.EMAIL,), recipients=(SALES,)))) == {SALES, BOSS}


@pytest.mark.parametrize(
    "say",
    [f"keep van-orders in #sales and send it to {BOSS}", f"van-orders stays in slack and goes to {BOSS}"],
)
def test_a_room_that_is_kept_stays_with_its_channel(say: str) -> None:
    assert said(say, Delivery(channels=(Channel.SLACK,), recipients=("#sales",))) == ("#sales", BOSS)


@pytest.mark.parametrize(
    "say",
    [
        f"van-orders: keep the time, but send it to {BOSS}",
        f"don't keep sending van-orders to {SALES}, send it to {BOSS}",
        f"send van-orders to {BOSS}",
    ],
)
def test_an_address_that_is_not_kept_makes_way(say: str) -> None:
    assert said(say, Delivery(channels=(Channel.EMAIL,), recipients=(SALES,))) == (BOSS,)
