"""What a reply puts before the user, and that a message after it is understood by that."""

from __future__ import annotations

import pytest

from intent.classifier.context_features import MESSAGE, context_texts
from intent.decision import ActionType
from intent.offline.offline_classifier import OfflineClassifier
from intent.rules.offered_options import find_offer, find_picked_option, last_sentence
from tests.fakes.data.situations import agent_note, situation_after

TWO_WAYS = (
    "I see two ways:\n1. I check today's deliveries against the orders, once.\n"
    "2. I build an agent that checks each delivery as it comes in.\nWhich do you prefer?"
)


@pytest.mark.parametrize(
    ("reply", "offered"),
    [
        ("All done. Shall I send it to the team?", "send it to the team"),
        ("Want me to set that up for you? It takes a minute.", "set that up for you"),
        ("It failed at 7:30.", ""),
    ],
)
def test_an_offer_is_what_would_be_done(reply: str, offered: str) -> None:
    assert find_offer(reply) == offered


@pytest.mark.parametrize(
    ("message", "picked"),
    [
        ("the second one please", "build an agent that checks each delivery as it comes in."),
        ("1", "check today's deliveries against the orders, once."),
        ("number 3", ""),
        ("the second one is broken since Monday", ""),
    ],
)
def test_a_bare_number_picks_the_words_of_its_option(message: str, picked: str) -> None:
    assert find_picked_option(TWO_WAYS, message) == picked


def test_a_reply_ends_with_its_last_sentence() -> None:
    assert last_sentence("It ran at 9:00. Two rows failed! Run it again? ") == "Run it again?"
    assert last_sentence("") == ""


def test_the_texts_before_a_message_are_judged_by_their_part() -> None:
    parts = context_texts(
        situation_after(agent_note(), "number two", reply=TWO_WAYS, wish="deliveries never match")
    )
    assert parts["wish"] == "deliveries never match"
    assert parts["asked"] == "Which do you prefer?"
    assert parts[MESSAGE].startswith("build an agent")
    assert "earlier" not in parts


@pytest.mark.parametrize(
    ("message", "action"),
    [("number one", ActionType.EXECUTE_TASK), ("the second please", ActionType.CREATE_AGENT)],
)
def test_the_option_decides_what_a_number_means(message: str, action: ActionType) -> None:
    situation = situation_after(
        agent_note(), message, reply=TWO_WAYS, wish="deliveries never match", agents=()
    )
    assert OfflineClassifier().classify(situation).action_type is action


def test_a_picked_name_is_no_command_of_its_own() -> None:
    names = "Which one should I run? 1. Till Check 2. Waste Log"
    situation = situation_after(agent_note(), "the second", reply=names, wish="run my agent", agents=())
    assert OfflineClassifier().classify(situation).action_type is ActionType.EXECUTE_TASK
