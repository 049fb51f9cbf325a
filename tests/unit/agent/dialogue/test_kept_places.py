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


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ("add mia@b.example to van-orders", "Oops, typo. It's mya@b.example", "mya@b.example"),
        ("also send van-orders to jon@b.example", "sorry, john@b.example", "john@b.example"),
        ("cc ruth@b.example on van-orders too", "no wait, it's ruth.k@b.example", "ruth.k@b.example"),
        ("van-orders should also go to ops@b.example", "wrong one, I meant hq@b.example", "hq@b.example"),
        ("add mia@b.example to van-orders", "I misspelt her. mya@b.example it is", "mya@b.example"),
    ],
)
def test_a_corrected_address_takes_the_place_of_the_one_just_given(first: str, then: str, kept: str) -> None:
    talk = Talk()
    talk.create("van-orders", delivery=Delivery(channels=(Channel.EMAIL,), recipients=(SALES,)))
    talk.classify_and_answer(first)
    talk.classify_and_answer(then)
    [agent] = talk.agents()
    assert set(agent.delivery.recipients) == {SALES, kept}


@pytest.mark.parametrize(
    "say",
    [
        "not only by email though! keep the Slack channel too",
        "no, as well as Slack, not instead of it",
        "but still post it in Slack as well",
        "the Slack post should stay too",
        "and Slack too",
    ],
)
def test_a_channel_that_is_wanted_again_has_the_room_it_had(say: str) -> None:
    talk = Talk()
    talk.create("van-orders", delivery=Delivery(channels=(Channel.SLACK,), recipients=("#sales",)))
    talk.classify_and_answer(f"I'd rather get van-orders by email, {BOSS}")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert set(agent.delivery.recipients) == {BOSS, "#sales"}
    assert set(agent.delivery.channels) == {Channel.EMAIL, Channel.SLACK}


def test_mail_that_is_kept_stays_beside_a_new_room() -> None:
    talk = Talk()
    talk.create("van-orders", delivery=Delivery(channels=(Channel.EMAIL,), recipients=(SALES,)))
    talk.classify_and_answer("post van-orders to slack #travel")
    talk.classify_and_answer("keep the email too")
    [agent] = talk.agents()
    assert set(agent.delivery.recipients) == {SALES, "#travel"}
