"""Answers a few messages before the first request, so that a turn finds everything loaded.

Patterns are compiled, weights, vocabulary and answers read, and modules imported when a turn first needs
them. The rehearsal takes its turns on an empty table in memory, with a model that answers by script. It
reaches no network, stores nothing and logs nothing. What it loads belongs to the process: the turn service
of the function is not used.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from agent.inference.model_access import ModelAccess
from agent.turns.factory import TurnSettings, compose_turns
from conversation.clock import Clock, Deadline
from conversation.identity import Caller
from conversation.turns.admission import IncomingMessage
from llm.adapters.adapter import ModelAttempt, StreamLink, StreamPiece
from llm.adapters.registry import DirectAdapters
from llm.available_models import Credentials, ModelServers, ModelSettings
from llm.request_types import ModelRequest, ModelResponse
from storage.factory import open_tables
from storage.keys import TenantId
from tools.outbound.client import ToolSettings

MESSAGES = (
    "Which agents do I have?",
    "Remind me tomorrow at 9 to call Anna",
    "I want our project updates from Notion every Monday",
    "When does the trade fair in Lisbon open next year?",
    "What can you do?",
)
"""A list, a task with a time, a chore, an open question, and one about the product."""
LIBRARY_S = 6.0
"""How long to wait for litellm, where a model needs it: Lambda stops an init phase after ten seconds."""
TURN_S = 5.0


def rehearse_turns(settings: TurnSettings, *, models: ModelAccess, tools: ToolSettings, clock: Clock) -> None:
    """Load all that turns need, first without a model, then with one where the deployment has any."""
    models.prepare(LIBRARY_S)
    with _unlogged():
        for answering in (_offline(clock), _scripted(clock)) if models.has_models() else (_offline(clock),):
            turns = compose_turns(
                settings,
                models=answering,
                tools=tools,
                tables=open_tables("sqlite:///:memory:"),
                clock=clock,
                queue=None,
            )
            for message in MESSAGES:
                incoming = IncomingMessage(Caller(TenantId("rehearsal"), "nobody"), message)
                for _ in turns.run(incoming, Deadline.after(clock, TURN_S)):
                    pass


def _offline(clock: Clock) -> ModelAccess:
    settings = ModelSettings(
        credentials=Credentials(), intent_model="", strong_models=(), api_key=lambda _vendor: None
    )
    return ModelAccess(settings, clock=clock)


def _scripted(clock: Clock) -> ModelAccess:
    settings = ModelSettings(
        credentials=Credentials(openai=True),
        intent_model=None,
        strong_models=None,
        api_key=lambda _vendor: None,
    )
    return ModelAccess(settings, clock=clock, direct=_ScriptedAdapters(ModelServers(), max_connections=1))


class _ScriptedAdapters(DirectAdapters):
    """Adapters of a model that answers by script, whichever is asked."""

    def prepare(self, model: str) -> None:
        """There is nothing to prepare."""

    def find(self, model: str, request: ModelRequest | None = None) -> _Script:  # noqa: ARG002 - any will do
        return _Script()


class _Script:
    """A `llm.adapters.adapter.ModelAdapter` that takes every message for a question."""

    def complete(self, attempt: ModelAttempt) -> ModelResponse:
        decision = {"action_type": "query_info", "confidence": 0.9, "entities": {}}
        routing = {"model": "", "tools": [], "can_answer": True}
        return _response(json.dumps({**decision, **routing}) if attempt.request.schema else "I see.")

    def stream(self, attempt: ModelAttempt, link: StreamLink) -> Generator[StreamPiece, None, ModelResponse]:
        link.detach()
        answer = self.complete(attempt)
        yield StreamPiece(answer.text, len(answer.text))
        return answer

    def price(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:  # noqa: ARG002
        return 0.0


def _response(text: str) -> ModelResponse:
    return ModelResponse(text=text, prompt_tokens=1, completion_tokens=1, cost_usd=0.0)


@contextmanager
def _unlogged() -> Iterator[None]:
    """Within it nothing is logged, so that nothing is counted either: metrics are made from log events."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
