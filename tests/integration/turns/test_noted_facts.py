"""What a user noted in a conversation answers their question before anything about the product does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment import functions


class Chat:
    """One conversation with the chat function."""

    def __init__(self, folder: Path) -> None:
        self.function = functions.load("chat", functions.settings(folder))
        self.conversation: dict[str, str] = {}

    def say(self, message: str) -> str:
        """Return the text of the answer to a message."""
        body: dict[str, Any] = {"message": message, **self.conversation}
        answer = functions.invoke(self.function, request("POST", "/v1/chat", body=body))
        assert answer.status == 200, answer.json
        self.conversation = {"conversation_id": answer.json["conversation_id"]}
        text: str = answer.json["message"]["content"]
        return text


@pytest.mark.parametrize(
    ("told", "question", "fact"),
    [
        (
            "memo to me: the spare keys are with Mrs. Ogilvie at No. 12",
            "where are the spare keys?",
            "Ogilvie",
        ),
        ("note for later - our VAT number is GB 417 2290 11", "what's our vat number?", "2290"),
    ],
)
def test_a_noted_fact_goes_before_an_answer_about_the_product(
    tmp_path: Path, told: str, question: str, fact: str
) -> None:
    chat = Chat(tmp_path)
    chat.say(told)

    assert fact in chat.say(question)
    assert "told me" not in chat.say("where are my chats stored?")
