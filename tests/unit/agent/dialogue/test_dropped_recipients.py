"""Recipients that are taken off an agent, by their address or by their name."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

MAIL = {"channels": ["email"], "recipients": ["ida@fern.example", "kurt@fern.example"]}


def _talk() -> Talk:
    talk = Talk()
    talk.create("bulb-list", "bulbs to order", delivery=MAIL)
    talk.create("rota", "shifts")
    return talk


def _recipients(talk: Talk) -> tuple[str, ...]:
    return next(agent for agent in talk.agents() if agent.name == "bulb-list").delivery.recipients


@pytest.mark.parametrize(
    "say",
    [
        "Kurt has left, take kurt@fern.example off bulb-list",
        "please remove kurt@fern.example from bulb-list",
        "drop Kurt from bulb-list",
        "Kurt needn't get bulb-list any longer",
        "no more bulb-list for kurt@fern.example",
        "unsubscribe kurt from bulb-list",
        "stop sending bulb-list to kurt",
        "bulb-list only to Ida from now on",
    ],
)
def test_one_of_several_recipients_is_taken_off(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert _recipients(talk) == ("ida@fern.example",)
    assert len(talk.agents()) == 2


def test_another_one_may_take_their_place_in_the_same_message() -> None:
    talk = _talk()
    talk.classify_and_answer("take kurt@fern.example off bulb-list and add ole@fern.example")

    assert _recipients(talk) == ("ida@fern.example", "ole@fern.example")


@pytest.mark.parametrize(
    "say", ["Kurt doesn't work here", "delete bulb-list, Kurt doesn't need it", "who gets bulb-list?"]
)
def test_other_words_with_a_name_take_nobody_off(say: str) -> None:
    talk = _talk()
    talk.classify_and_answer(say)

    assert _recipients(talk) == ("ida@fern.example", "kurt@fern.example")


@pytest.mark.parametrize(
    "say",
    [
        "Kurt is away until April. Take him away from the mails.",
        "please take kurt off the mails",
        "kurt is on leave, take him off the list",
        "Kurt has left us, so he shouldn't get it any more",
        "drop kurt from the recipients",
        "Kurt's gone. Don't mail him any more",
        "stop mailing kurt",
        "take kurt off again",
        "ugh legal just yelled at me. take kurt off again",
        "remove kurt@fern.example again",
    ],
)
def test_a_recipient_is_taken_off_the_agent_last_spoken_of(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "every Monday at 9 list bulbs to order from Airtable, mail ida@fern.example and kurt@fern.example,"
        " call it bulb-list"
    )
    talk.classify_and_answer(say)

    assert _recipients(talk) == ("ida@fern.example",)


@pytest.mark.parametrize(
    "say", ["why don't you mail kurt any more?", "don't forget to mail kurt", "kurt can read it"]
)
def test_what_is_said_of_a_recipient_takes_nobody_off(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "every Monday at 9 list bulbs to order from Airtable, mail ida@fern.example and kurt@fern.example,"
        " call it bulb-list"
    )
    talk.classify_and_answer(say)

    assert _recipients(talk) == ("ida@fern.example", "kurt@fern.example")
