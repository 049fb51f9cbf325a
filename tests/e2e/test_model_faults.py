"""Whatever a model server does, the user gets an answer; whatever our own code does wrong is an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.sign_in.issuer import Issuer
from tests.fakes.deployment.faulty_twins import BuggyTwin
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.twin_with_bugs import SECRET
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import free_port
from tests.fakes.models.model_script import Reply, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.run.bad_inputs import row

pytestmark = pytest.mark.e2e

UNDERSTOOD = Reply(decision={"action_type": "query_info", "confidence": 0.95, "entities": {}})
SLOW_MS = 20_000
"""How long the slow server takes; no turn may."""

PASSING_FAULTS = {
    "slow": (Reply(decision=UNDERSTOOD.decision, delay_ms=SLOW_MS), "deadline"),
    "hung": (Reply(mode="hang"), "deadline"),
    "drip-feeding": (Reply(decision=UNDERSTOOD.decision, mode="drip"), "deadline"),
    "closing half-way": (Reply(decision=UNDERSTOOD.decision, mode="reset"), "unreachable"),
    "asking for patience": (Reply(status=429, retry_after="60"), "rate_limited"),
    "failing": (Reply(status=500), "server_error"),
    "no model server": (Reply(mode="garbage"), "invalid_output"),
    "cut short": (Reply(decision=UNDERSTOOD.decision, mode="truncated"), "invalid_output"),
    "talking instead": (Reply(content="Sure, I can help with that!"), "invalid_output"),
    "answering nothing": (Reply(content=None), "invalid_output"),
}
REFUSALS = (401, 403, 404)
GIVEAWAYS = ("error", "exception", "traceback", "scripted refusal", "litellm", "openai", "<html>", SECRET)


@dataclass(frozen=True)
class Assistant:
    """A twin with a model server of its own, and a user."""

    twin: Twin
    server: ModelServer
    token: str

    def ask(self, message: str = "List my agents") -> dict[str, Any]:
        response = self.twin.chat(message, token=self.token)
        assert response.status_code == 200, response.text
        reply: dict[str, Any] = response.json()
        return reply

    def asks_its_model(self) -> bool:
        return bool(self.ask()["metadata"]["decision"]["source"] == "model")

    def require_remembered_fallback(self, reply: dict[str, Any], reason: str) -> None:
        """The reply was made offline for this reason, says nothing of how, and is stored like any other."""
        decision = reply["metadata"]["decision"]
        assert (decision["source"], decision["fallback_reason"]) == ("offline", reason)
        content = reply["message"]["content"]
        assert content
        assert not [giveaway for giveaway in GIVEAWAYS if giveaway in content.lower()]
        path = f"/v1/conversations/{reply['conversation_id']}/messages"
        asked, answer = self.twin.get(path, token=self.token)["items"]
        assert asked["content"] == "List my agents"
        assert answer["content"] == content
        assert answer["metadata"]["decision"]["fallback_reason"] == reason


def _assistant(twin: Twin, server: ModelServer) -> Assistant:
    token = Issuer(twin.data).access_token(tenant="acme", user="maya", now=datetime.now(UTC))
    return Assistant(twin, server, token)


def _environ(server: ModelServer) -> dict[str, str]:
    """A server of one's own that speaks OpenAI's protocol needs no key."""
    return {"OPENAI_BASE_URL": server.base_url}


BUGS = (
    "intent.analysis.prompt:build_request",
    "intent.analysis.output_parser:parse_verdict",
    "intent.offline.offline_classifier:OfflineClassifier.classify",
    "llm.adapters.openai_chat:OpenAIChat.complete",
    "agent.chat.master_agent:MasterAgent.reply",
)
"""Code of ours before, around and after the model call, where a fallback could swallow its failure."""


@dataclass(frozen=True)
class Assistants:
    """One for faults that pass and for bugs of ours, and one per refusal, which rests a model for long."""

    patient: Assistant
    refused: dict[int, Assistant]


@pytest.fixture(scope="module")
def assistants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistants]:
    def folder(name: str) -> Path:
        return tmp_path_factory.mktemp(name)

    with ExitStack() as stack, ThreadPoolExecutor() as pool:

        def started(make: Callable[[dict[str, str]], Twin]) -> Assistant:
            server = stack.enter_context(ModelServer(Script(default=UNDERSTOOD)))
            assistant = _assistant(make(_environ(server)), server)
            stack.push(assistant.twin)
            return assistant

        patient = started(lambda environ: BuggyTwin(folder("patient"), bugs=BUGS, environ=environ))
        refused = {
            status: started(lambda environ: Twin(folder("refused"), environ=environ)) for status in REFUSALS
        }
        everybody = (patient, *refused.values())
        list(pool.map(lambda assistant: assistant.twin.start(), everybody))
        list(pool.map(lambda each: eventually(each.asks_its_model, within_s=120), everybody))
        yield Assistants(patient, refused)


@pytest.fixture
def faulty(assistants: Assistants) -> Iterator[Assistant]:
    """Its model works before and after each test, so that no fault is answered for an earlier one."""
    assistant = assistants.patient
    yield assistant
    assistant.server.use(Script(default=UNDERSTOOD))
    eventually(assistant.asks_its_model, within_s=30)


@row("J1", "J3", "J18", "J19")
@pytest.mark.parametrize(("fault", "reason"), PASSING_FAULTS.values(), ids=PASSING_FAULTS.keys())
def test_a_message_is_answered_offline_whatever_the_model_server_does(
    faulty: Assistant, fault: Reply, reason: str
) -> None:
    faulty.server.use(Script(default=fault))
    faulty.server.forget()
    reply = faulty.ask()
    assert faulty.server.log().requests
    faulty.require_remembered_fallback(reply, reason)


def test_an_answer_comes_before_the_slow_model_server_s(faulty: Assistant) -> None:
    faulty.server.use(Script(default=Reply(decision=UNDERSTOOD.decision, delay_ms=SLOW_MS)))
    response = faulty.twin.chat("List my agents", token=faulty.token)
    assert response.elapsed.total_seconds() * 1000 < SLOW_MS / 2
    assert response.json()["metadata"]["decision"]["fallback_reason"] == "deadline"


def test_a_model_server_nobody_listens_at_is_answered_for(tmp_path: Path) -> None:
    environ = {"OPENAI_BASE_URL": f"http://127.0.0.1:{free_port()}/v1", "OPENAI_API_KEY": "test"}
    with Twin(tmp_path, environ=environ) as twin, ModelServer() as unused:
        assistant = _assistant(twin, unused)
        assistant.require_remembered_fallback(assistant.ask(), "unreachable")


@row("J16")
@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refused_key_or_model_is_answered_for_and_not_asked_again(
    assistants: Assistants, refusal: int
) -> None:
    assistant = assistants.refused[refusal]
    assistant.server.use(Script(default=Reply(status=refusal)))
    assistant.server.forget()
    assistant.require_remembered_fallback(assistant.ask(), "refused")
    assistant.require_remembered_fallback(assistant.ask(), "breaker_open")
    asked = [request.body["model"] for request in assistant.server.log().requests]
    assert len(asked) == len(set(asked)), "a refused model was asked again"


@pytest.mark.parametrize("place", BUGS)
def test_a_bug_of_ours_is_an_error_and_never_a_fallback(assistants: Assistants, place: str) -> None:
    assistant = assistants.patient
    twin = assistant.twin
    assert isinstance(twin, BuggyTwin)
    twin.activate(place)
    failed = twin.chat("List my agents", token=assistant.token, key=place)
    twin.deactivate()
    assert failed.status_code == 500
    assert failed.headers["Content-Type"] == "application/problem+json"
    assert failed.json()["code"] == "internal"
    assert SECRET not in failed.text
    assert "TypeError" not in failed.text
    retried = twin.chat("List my agents", token=assistant.token, key=place)
    assert _is_first_answer(retried)
    path = f"/v1/conversations/{retried.json()['conversation_id']}/messages"
    stored = [message["content"] for message in twin.get(path, token=assistant.token)["items"]]
    assert stored == ["List my agents", retried.json()["message"]["content"]]


def _is_first_answer(response: httpx.Response) -> bool:
    return response.status_code == 200 and "Idempotency-Replayed" not in response.headers
