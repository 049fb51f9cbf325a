"""Ways to send results of which there are enough already, and an address behind "just mail"."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "answer",
    [
        "just tell me here, I get enough emails",
        "post it here, I get too many mails already",
        "here. I have plenty of emails as it is.",
        "And just tell me here, I have enough emails.",
        "here please, my inbox is full",
    ],
)
def test_mails_of_which_there_are_enough_are_no_way(answer: str) -> None:
    talk = Talk()
    talk.classify_and_answer("check Stripe for failed payments every Monday at 9")
    talk.classify_and_answer(answer)
    [agent] = talk.agents()
    assert agent.delivery.channels == (Channel.CONVERSATION,)


@pytest.mark.parametrize(
    "message",
    [
        "just email me who's got an unpaid membership in Stripe, on the 5th of every month, 9am, boss@b.co",
        "only mail me the late rents in Buildium, Fridays, 4pm, boss@b.co",
        "email me the late rents in Buildium, Fridays, 4pm, boss@b.co",
        "check Stripe for failed payments every Monday at 9 and just mail boss@b.co",
    ],
)
def test_an_address_behind_just_mail_gets_the_results(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert (agent.delivery.channels, agent.delivery.recipients) == ((Channel.EMAIL,), ("boss@b.co",))


def test_just_mail_leaves_out_another_way() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "check Stripe for failed payments every Monday at 9, mail ann@b.co and post it in Slack #pay"
    )
    talk.classify_and_answer("just email please")
    [agent] = talk.agents()
    assert (agent.delivery.channels, agent.delivery.recipients) == ((Channel.EMAIL,), ("ann@b.co",))
