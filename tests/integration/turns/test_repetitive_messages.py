"""No message keeps a function busy: repetitive ones are answered like others, also as answers."""

from __future__ import annotations

import time
from pathlib import Path
from types import ModuleType

import pytest

from tests.expressions.messages import KNOWN, repetitive_messages
from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment.functions import invoke, load, settings

MOST_S = 1.0
"""Processor time of one message."""


@pytest.fixture
def function(tmp_path: Path) -> ModuleType:
    chat = load("chat", settings(tmp_path))
    cpu_seconds(chat, "create an agent that reports overdue tickets from Jira every Monday at 9")
    return chat  # warm: what a process loads for its first message is no part of what a message takes


def cpu_seconds(function: ModuleType, message: str, conversation: str | None = None) -> float:
    """Say something, and return the processor time of the answer."""
    said = {"message": message} | ({"conversation_id": conversation} if conversation else {})
    started = time.process_time()
    answer = invoke(function, request("POST", "/v1/chat", body=said))
    assert answer.status == 200, (answer.body, message)
    return time.process_time() - started


@pytest.mark.parametrize("message", KNOWN, ids=lambda message: message[:10])
def test_a_message_that_once_took_for_ever_is_answered(function: ModuleType, message: str) -> None:
    assert cpu_seconds(function, message) < MOST_S


@pytest.mark.slow
def test_two_hundred_repetitive_messages_are_answered(function: ModuleType) -> None:
    taken = {message: cpu_seconds(function, message) for message in repetitive_messages(200)}
    assert {message: seconds for message, seconds in taken.items() if seconds > MOST_S} == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    [
        pytest.param("I want an agent", id="a setup asks"),
        pytest.param("add a task to call mom\nadd a task to buy milk", id="tasks were shown"),
        pytest.param(
            "create an agent that reports overdue tickets from Jira every Monday at 9", id="a draft"
        ),
    ],
)
def test_repetitive_answers_to_a_question_are_understood(function: ModuleType, before: str) -> None:
    for message in (*KNOWN, *repetitive_messages(40, seed=15)):
        opened = invoke(function, request("POST", "/v1/chat", body={"message": before})).json
        assert cpu_seconds(function, message, opened["conversation_id"]) < MOST_S, message
