"""The chat function as Lambda would hold it, over a table of its own, with every DynamoDB request counted.

The function is composed by its own module from its settings; nothing in it is replaced. The table is
ministack's, the model a scripted server on loopback. Both answers it is asked for have about the 1,000
characters of the workload: the tenant's settings, which every turn has at hand, and the list of the user's
agents, which is read anew and leaves a note of what was listed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Any, cast
from unittest.mock import patch
from uuid import uuid4

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentSpec
from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.tenants.policy import Budget, TenantPolicy
from conversation.tenants.store import PolicyCache, TenantStore
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tests.benchmarks.workload import QUESTION_CHARACTERS, StoredTurn, exchange, seed
from tests.fakes.aws.dynamodb import REGION, dynamo_client
from tests.fakes.aws.dynamodb_meter import Meter, Totals
from tests.fakes.aws.proxy_events import request
from tests.fakes.deployment.functions import LONG_STORAGE_DEADLINE, invoke, load
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

MODEL = "gpt-4o-mini"
MODEL_LOADS_WITHIN_S = 300.0
WHICH_AGENTS = "Which agents do I have, and what does each of them do? "

SETTINGS_QUESTION = exchange(0).question
AGENTS_QUESTION = (WHICH_AGENTS + exchange(0).question)[:QUESTION_CHARACTERS]

BUCKET = keys.bucket(TenantId("any")).sort

_AGENTS = 6
_SUMMARY_CHARACTERS = 140
_OTHER_MODELS = 26


@dataclass(frozen=True, slots=True)
class MeteredTurn:
    """An answered turn and what it cost."""

    conversation_id: str
    content: str
    source: str
    """Which tier understood the message: explicit, model or offline."""
    spent: Totals
    drawn: Totals
    """What went to the tenant's token bucket before it, as one turn in ten asks."""


@dataclass(frozen=True, slots=True)
class MeteredChat:
    """One execution environment of the chat function and its user."""

    function: ModuleType
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
        said = invoke(self.function, event)
        assert said.status == 200, said.body
        reply = said.json
        source = reply["metadata"]["decision"]["source"]
        return MeteredTurn(
            reply["conversation_id"], reply["message"]["content"], source, *_apart(self.meter.totals)
        )

    def workload_turn(
        self, messages: int, *, keyed: bool = False, question: str = AGENTS_QUESTION
    ) -> MeteredTurn:
        """One turn in a conversation that already has so many messages.

        The history is seeded, every message with what this function stores along with the same question's.
        """
        first = self.say(question, key=_key(keyed))
        repository = ConversationRepository(tables=Tables(self.table), clock=SystemClock())
        pattern = StoredTurn(*repository.page(self.caller, first.conversation_id, limit=2))
        conversation_id = seed(self.table, self.caller, pattern, messages)
        # The workspace is cached for a minute, which a slow machine may have spent on the history.
        self.say(question)
        return self.say(question, conversation_id=conversation_id, key=_key(keyed))

    def wait_for_model(self) -> None:
        """Send messages until one is understood by the model: meanwhile its library is imported."""
        deadline = time.monotonic() + MODEL_LOADS_WITHIN_S
        while self.say(WHICH_AGENTS).source != "model":
            assert time.monotonic() < deadline, "no message was understood by the model"
            time.sleep(0.1)


@contextmanager
def metered_chat(
    endpoint: str, caller: Caller, *, model: bool = True, usd_per_day: float | None = None
) -> Iterator[MeteredChat]:
    """The function over a new table at the endpoint; with ``model`` it is ready to be asked, else offline.

    ``usd_per_day`` is the cap of the tenant's budget.
    """
    client, name = dynamo_client(endpoint), f"chat-{uuid4().hex[:8]}"
    create_table(client, name)
    table = DynamoTable(client, name)
    furnish(table, caller, Budget(usd_per_day=usd_per_day))
    with ExitStack() as stack:
        server = stack.enter_context(ModelServer(script())) if model else None
        stack.enter_context(patch.dict(os.environ, aws_environment(endpoint, server)))
        # A policy is read again after seconds, which a slow machine may spend on one turn.
        defaults = cast("dict[str, Any]", PolicyCache.__init__.__kwdefaults__)
        stack.enter_context(patch.dict(defaults, max_age=timedelta(hours=1)))
        meter = Meter()
        with meter.watch_new_clients():
            function = load("chat", _settings(name, model=model))
        chat = MeteredChat(function, meter, table, caller)
        if model:
            chat.wait_for_model()
        yield chat


def _apart(totals: Totals) -> tuple[Totals, Totals]:
    """What a turn spent, and what its turnstile did before."""
    drawn = [charge for charge in totals.charges if charge.what == BUCKET]
    rest = [charge for charge in totals.charges if charge.what != BUCKET]
    count = len(drawn)
    return Totals(totals.requests[count:], rest), Totals(totals.requests[:count], drawn)


def aws_environment(endpoint: str, server: ModelServer | None) -> dict[str, str]:
    """What the libraries read, some of it only while they are used."""
    return {
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENAI_API_KEY": "test",
        "OPENAI_BASE_URL": server.base_url if server else "",
    }


def _settings(table: str, *, model: bool) -> dict[str, str]:
    return {
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": table,
        "OMNIFORGE_TENANTS": "open",
        "OMNIFORGE_INTENT_MODEL": MODEL if model else "",
        "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
        **LONG_STORAGE_DEADLINE,
    }


def furnish(table: Table, caller: Caller, budget: Budget | None = None) -> None:
    """A workspace with a policy and agents of the user."""
    tables, clock = Tables(table), SystemClock()
    others = (f"vendor-{number:02}/model-for-long-texts" for number in range(_OTHER_MODELS))
    policy = TenantPolicy(allowed_models=(MODEL, *others), budget=budget or Budget())
    TenantStore(tables=tables, clock=clock).save(caller.tenant, policy)
    store = AgentStore(tables=tables, clock=clock)
    for number in range(_AGENTS):
        summary = exchange(number).answer[:_SUMMARY_CHARACTERS].strip()
        store.create(caller, AgentSpec(name=f"reader-{number}", what="pages that changed", summary=summary))


def script() -> Script:
    """The model that understands both questions."""
    return Script([Rule(WHICH_AGENTS.strip(), _decided("list_agents"))], _decided("show_policy"))


def _decided(operation: str) -> Reply:
    reasoning = "The user asks for something they have set up before and wants to see it in full."
    decision = {
        "action_type": "query_info",
        "confidence": 0.95,
        "entities": {"operation": operation},
        "reasoning": reasoning,
    }
    return Reply(decision=decision)


def _key(keyed: bool) -> str | None:
    return uuid4().hex if keyed else None
