"""Models a request names: kept for the conversation, listed as the tenant may use them, else refused."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Done
from agent.turns.service import TurnService
from agent.workspace.errors import ModelUnknown
from agent.workspace.roster import RosterCache
from conversation.clock import Deadline, SystemClock
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.proactive_messages import ProactiveMessage, ProactiveMessages
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import ActionType, Decision, DecisionSource
from intent.situation import Situation
from llm.available_models import Credentials, build_registry
from llm.spend_guard import SpendGuard
from storage.factory import open_table
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import request
from tests.fakes.data.scripted_turns import MAYA, EchoMaster
from tests.fakes.deployment import functions

OPENAI = {"OPENAI_API_KEY": "sk-test", "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini", "OMNIFORGE_BEDROCK": "no"}


@dataclass
class ModelRecorder:
    """Writes down which model each message was to be understood by."""

    models: list[str | None] = field(default_factory=list)

    def analyze(self, situation: Situation, purse: SpendGuard | None = None) -> Decision:
        self.models.append(situation.model)
        return Decision(action_type=ActionType.QUERY_INFO, confidence=0.9, source=DecisionSource.OFFLINE)


class Talk:
    """One conversation of Maya's, after her first message."""

    def __init__(self) -> None:
        self.clock = SystemClock()
        self.tables = Tables(open_table("sqlite:///:memory:"))
        self.heard = ModelRecorder()
        self.turns = TurnService(
            protocol=TurnProtocol(tables=self.tables, clock=self.clock, tokens=TokenCounter(None)),
            rosters=RosterCache(tables=self.tables, clock=self.clock),
            analyzer=self.heard,
            master=EchoMaster(),
            clock=self.clock,
            turn_budgets=TurnBudgets(Budgets(tables=self.tables, clock=self.clock)),
            registry=build_registry(Credentials(openai=True), intent_model="gpt-4o-mini", strong_models=None),
        )
        self.conversation_id: str | None = None

    def say(self, model: str | None = None) -> None:
        incoming = IncomingMessage(MAYA, "go on", self.conversation_id, None, model=model)
        done = [*self.turns.run(incoming, Deadline.after(self.clock, 25.0))][-1]
        assert isinstance(done, Done)
        self.conversation_id = done.answer.conversation_id

    def post(self) -> None:
        assert self.conversation_id is not None
        poster = ProactiveMessages(tables=self.tables, clock=self.clock, tokens=TokenCounter(None))
        assert poster.post(
            MAYA.tenant,
            self.conversation_id,
            ProactiveMessage("run-1", "done"),
            Deadline.after(self.clock, 5.0),
        )


def test_a_named_model_stays_until_another_is_named() -> None:
    talk = Talk()
    for model in (None, "gpt-6-luna", None, None, "claude-haiku", None):
        talk.say(model)
    assert talk.heard.models == [
        None, "gpt-6-luna", "gpt-6-luna", "gpt-6-luna", "claude-haiku", "claude-haiku",
    ]  # fmt: skip


def test_a_message_posted_in_between_changes_no_model() -> None:
    talk = Talk()
    talk.say("gpt-6-luna")
    talk.post()
    talk.say()
    assert talk.heard.models == ["gpt-6-luna"] * 2


def test_another_conversation_keeps_its_own_model() -> None:
    talk = Talk()
    talk.say("gpt-6-luna")
    talk.conversation_id = None
    talk.say()
    assert talk.heard.models == ["gpt-6-luna", None]


def test_a_model_nobody_knows_is_refused_before_anything_is_understood() -> None:
    talk = Talk()
    with pytest.raises(ModelUnknown):
        talk.say("gpt-99")
    assert talk.heard.models == []


@pytest.fixture
def workspace(tmp_path: Path) -> ModuleType:
    return functions.load("workspace", functions.settings(tmp_path, **OPENAI))


def listed(workspace: ModuleType) -> list[dict[str, Any]]:
    answer = functions.invoke(workspace, request("GET", "/v1/models"))
    assert answer.status == 200, answer.body
    assert answer.json["next_cursor"] is None
    return list(answer.json["items"])


def test_models_are_listed_with_their_prices_and_what_they_are_for(
    workspace: ModuleType,
) -> None:
    models = listed(workspace)
    assert {model["vendor"] for model in models} == {"openai"}
    first = models[0]
    assert (first["id"], first["tier"], first["understands_by_default"]) == ("gpt-4o-mini", "fast", True)
    assert (first["input_usd_per_million"], first["output_usd_per_million"]) == (0.15, 0.6)
    assert [model["understands_by_default"] for model in models].count(True) == 1
    assert {model["tier"] for model in models if model["answers_by_default"]} == {"strong"}


def test_only_what_the_policy_allows_is_listed(workspace: ModuleType, tmp_path: Path) -> None:
    tables = Tables(open_table(f"sqlite:///{tmp_path}/omniforge.db"))
    tenants = TenantStore(tables=tables, clock=SystemClock())
    tenants.save(MAYA.tenant, TenantPolicy(allowed_models=("openai/gpt-4.1", "claude-haiku")))
    assert [model["id"] for model in listed(workspace)] == ["gpt-4.1"]


def test_where_no_model_is_used_none_is_listed(tmp_path: Path) -> None:
    assert listed(functions.load("workspace", functions.settings(tmp_path))) == []


@pytest.mark.parametrize("environ", [OPENAI, {}], ids=["with a model", "offline"])
def test_an_unknown_model_is_a_bad_request_and_nothing_is_stored(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    chat = functions.load("chat", functions.settings(tmp_path, **environ))
    body = {"message": "hello", "model": "gpt-99-hunter2"}
    refused = functions.invoke(chat, request("POST", "/v1/chat", body=body))
    assert (refused.status, refused.code) == (400, "model_unknown")
    assert "hunter2" not in refused.body
    with sqlite3.connect(tmp_path / "omniforge.db") as connection:
        assert not [line for line in connection.iterdump() if "INSERT" in line]


def test_a_model_this_deployment_has_no_key_for_leaves_the_rules(tmp_path: Path) -> None:
    chat = functions.load("chat", functions.settings(tmp_path, **OPENAI))
    answered = functions.invoke(
        chat, request("POST", "/v1/chat", body={"message": "list my agents", "model": "claude-haiku"})
    )
    decision = answered.json["metadata"]["decision"]
    assert (decision["source"], decision["fallback_reason"]) == ("offline", "not_configured")


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_policy_that_allows_a_model_nobody_knows_is_refused_by_name(
    workspace: ModuleType, method: str
) -> None:
    body = {"allowed_models": ["gpt-4.1", "gpt-4.1-mnii"]}
    refused = functions.invoke(workspace, request(method, "/v1/tenant/policy", body=body, roles="admin"))
    assert (refused.status, refused.code) == (400, "model_unknown")
    assert "'gpt-4.1-mnii'" in refused.json["detail"]
    body = {"allowed_models": ["gpt-4.1", "claude-haiku"]}
    assert (
        functions.invoke(workspace, request(method, "/v1/tenant/policy", body=body, roles="admin")).status
        == 200
    )
