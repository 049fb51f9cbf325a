"""The chat function as Lambda would hold it, over a table of its own, with every DynamoDB request counted.

The function is composed by its own module from its environment; nothing in it is replaced. The table is
ministack's, the model a scripted server on loopback that understands every message as a question for the
user's agents, so that the answer has about the 1,000 characters of the workload.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from agent.agents import AgentSpec
from agent.store import AgentStore
from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.repository import ConversationRepository
from storage.dynamodb import DynamoTable, create_table
from storage.table import Table
from storage.tenant import Tables
from tests.benchmarks.workload import StoredTurn, exchange, seed
from tests.fakes.dynamo import REGION, dynamo_client
from tests.fakes.gateway import Context, answer, request
from tests.fakes.meter import Meter, Totals
from tests.fakes.model_server import ModelServer, Reply, Script

FUNCTION = "functions.chat.app"
MODEL_LOADS_WITHIN_S = 120.0
AGENTS = 5
SUMMARY_CHARACTERS = 130
LISTS_AGENTS = Script(
    default=Reply(
        decision={
            "action_type": "query_info",
            "confidence": 0.95,
            "entities": {"operation": "list_agents"},
            "reasoning": "The user wants to know which agents they have and what each of them does.",
        }
    )
)


@dataclass(frozen=True, slots=True)
class MeteredTurn:
    """An answered turn and what it cost."""

    conversation_id: str
    content: str
    source: str
    """Which tier understood the message: explicit, model or offline."""
    spent: Totals


@dataclass(frozen=True, slots=True)
class MeteredChat:
    """One execution environment of the chat function and its user."""

    handler: Callable[[dict[str, Any], Any], Mapping[str, Any]]
    meter: Meter
    table: Table
    caller: Caller

    def say(self, message: str, *, conversation_id: str | None = None, key: str | None = None) -> MeteredTurn:
        """The answer to a message."""
        body = {"message": message, **({"conversation_id": conversation_id} if conversation_id else {})}
        headers = {"Idempotency-Key": key} if key else {}
        caller = self.caller
        event = request(
            "POST", "/v1/chat", body=body, headers=headers, tenant=caller.tenant, user=caller.user
        )
        self.meter.reset()
        said = answer(self.handler(event, Context()))
        assert said.status == 200, said.body
        reply = said.json
        source = reply["metadata"]["decision"]["source"]
        return MeteredTurn(reply["conversation_id"], reply["message"]["content"], source, self.meter.totals)

    def workload_turn(self, messages: int, *, keyed: bool) -> MeteredTurn:
        """One turn of the workload in a conversation that already has so many messages."""
        conversation_id = self.seeded(messages, keyed=keyed)
        return self.say(exchange(0).question, conversation_id=conversation_id, key=_key(keyed))

    def seeded(self, messages: int, *, keyed: bool) -> str:
        """A conversation of the workload, its messages carrying what this function really stores with
        them."""
        return seed(self.table, self.caller, self._stored_turn(keyed=keyed), messages)

    def wait_for_model(self) -> None:
        """Send messages until one is understood by the model: meanwhile its library is imported."""
        deadline = time.monotonic() + MODEL_LOADS_WITHIN_S
        while self.say("Which agents do I have?").source != "model":
            assert time.monotonic() < deadline, "no message was understood by the model"

    def _stored_turn(self, *, keyed: bool) -> StoredTurn:
        turn = self.say(exchange(0).question, key=_key(keyed))
        repository = ConversationRepository(tables=Tables(self.table), clock=SystemClock())
        return StoredTurn(*repository.page(self.caller, turn.conversation_id, limit=2))


@contextmanager
def metered_chat(endpoint: str, caller: Caller, *, model: bool = True) -> Iterator[MeteredChat]:
    """The function over a new table at the endpoint; with ``model`` it is ready to be asked, else offline."""
    client, name = dynamo_client(endpoint), f"chat-{uuid4().hex[:8]}"
    create_table(client, name)
    table = DynamoTable(client, name)
    _create_agents(table, caller)
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(LISTS_AGENTS)) if model else None
        stack.enter_context(patch.dict(os.environ, _environment(endpoint, name, server)))
        meter = Meter()
        handler = stack.enter_context(_composed(meter))
        chat = MeteredChat(handler, meter, table, caller)
        if model:
            chat.wait_for_model()
        yield chat


@contextmanager
def _composed(meter: Meter) -> Iterator[Callable[[dict[str, Any], Any], Mapping[str, Any]]]:
    """The handler of a module imported anew: composing happens while it is imported, once per environment."""
    others = sys.modules.pop(FUNCTION, None)
    try:
        with meter.watching():
            module = importlib.import_module(FUNCTION)
        yield module.handler
    finally:
        del sys.modules[FUNCTION]
        if others is not None:
            sys.modules[FUNCTION] = others


def _environment(endpoint: str, table: str, server: ModelServer | None) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": table,
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_FINISH_QUEUE": "",
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini" if server else "",
        "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
        "OPENAI_API_KEY": "test",
        "OPENAI_BASE_URL": server.base_url if server else "",
    }


def _create_agents(table: Table, caller: Caller) -> None:
    store = AgentStore(tables=Tables(table), clock=SystemClock())
    for number in range(AGENTS):
        summary = exchange(number).answer[:SUMMARY_CHARACTERS].strip()
        store.create(caller, AgentSpec(name=f"reader-{number}", what="pages that changed", summary=summary))


def _key(keyed: bool) -> str | None:
    return uuid4().hex if keyed else None
