"""What an answer waits for is told beside its text, so that a client can show it as buttons."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions


class Deployment:
    """The chat function and that of conversations, over one table."""

    def __init__(self, folder: Path) -> None:
        settings = functions.settings(folder)
        self.chat = functions.load("chat", settings)
        self.conversations = functions.load("conversations", settings)

    def say(self, message: str, **body: Any) -> dict[str, Any]:
        """The answer to a message."""
        return self._asked(self.chat, "POST", "/v1/chat", body={"message": message, **body})

    def stored(self, conversation_id: str) -> dict[str, Any]:
        """The newest message of a conversation."""
        path = f"/v1/conversations/{conversation_id}/messages"
        newest: dict[str, Any] = self._asked(self.conversations, "GET", path)["items"][-1]
        return newest

    def _asked(self, function: ModuleType, method: str, path: str, **more: Any) -> dict[str, Any]:
        answer = functions.invoke(function, request(method, path, **more))
        assert answer.status == 200, answer.json
        told: dict[str, Any] = answer.json
        return told


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    return Deployment(tmp_path_factory.mktemp("choices"))


def asked_which(deployment: Deployment) -> dict[str, Any]:
    """The answer that asks which of two agents is meant."""
    for job in ("open Jira tickets", "new invoices in Gmail"):
        deployment.say(f"every Monday at 9, report {job} here")
    return deployment.say("pause my agent")


def test_the_options_of_an_answer_are_told_in_its_order_and_kept(deployment: Deployment) -> None:
    answer = asked_which(deployment)

    options = answer["metadata"]["options"]
    assert len(options) > 1
    places = [answer["message"]["content"].find(one) for one in options]
    assert places == sorted(places)
    assert places[0] > 0
    assert not answer["metadata"]["asks_yes_or_no"]
    assert deployment.stored(answer["conversation_id"])["metadata"]["options"] == options


@pytest.mark.parametrize("by", ["number", "words"])
def test_an_option_is_picked_by_its_number_and_by_its_words(deployment: Deployment, by: str) -> None:
    answer = asked_which(deployment)
    second = answer["metadata"]["options"][1]

    said = "2" if by == "number" else second
    picked = deployment.say(said, conversation_id=answer["conversation_id"])

    told = picked["message"]["content"]
    assert told.startswith((f"{second} is paused.", f"{second} is already paused."))


def test_a_question_that_waits_for_a_yes_says_so(deployment: Deployment) -> None:
    deployment.say("every Monday at 9, report overdue parcels in Slack here")
    answer = deployment.say("delete all my agents")

    assert answer["metadata"]["asks_yes_or_no"]
    assert answer["metadata"]["options"] == []
    assert deployment.stored(answer["conversation_id"])["metadata"]["asks_yes_or_no"]


def test_an_answer_that_waits_for_nothing_stores_nothing_about_it(deployment: Deployment) -> None:
    answer = deployment.say("help")

    assert not answer["metadata"]["asks_yes_or_no"]
    assert answer["metadata"]["options"] == []
    assert {"options", "asks_yes_or_no"} & deployment.stored(answer["conversation_id"])[
        "metadata"
    ].keys() == set()
