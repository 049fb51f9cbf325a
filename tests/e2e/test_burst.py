"""Many messages at once to one conversation, through two processes that share a folder."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from conversation.messages.items import head_from_item
from local.sign_in.issuer import Issuer
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Request
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

UNDERSTOOD = Reply(decision={"action_type": "query_info", "confidence": 0.95, "entities": {}})
MAY_WAIT = 32
MODEL_DEADLINE_MS = "20000"
"""Longer than any test holds the model back."""


@dataclass
class HeldModel:
    """Answers nobody while it is held."""

    free: threading.Event = field(default_factory=threading.Event)

    def __call__(self, request: Request) -> Reply:
        self.free.wait()
        return UNDERSTOOD


@dataclass(frozen=True)
class World:
    """Two gateways on one folder, and the model both ask."""

    data: Path
    gateways: tuple[Twin, Twin]
    server: ModelServer
    model: HeldModel
    token: str

    def waiting(self, conversation_id: str) -> list[str]:
        """The messages in the conversation's inbox, in the order of their admission."""
        item = SqliteTable(self.data / "omniforge.db").get(keys.head(TenantId("acme"), conversation_id))
        return [entry.content for entry in head_from_item(item).inbox] if item else []

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        path = f"/v1/conversations/{conversation_id}/messages?limit=100"
        items: list[dict[str, Any]] = self.gateways[0].get(path, token=self.token)["items"]
        return items

    def new_conversation(self) -> str:
        made = self.gateways[0].request("POST", "/v1/conversations", token=self.token, json={})
        return str(made.json()["id"])


@pytest.fixture(scope="module")
def _gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    data, model = tmp_path_factory.mktemp("burst"), HeldModel()
    with ModelServer(model) as server:
        environ = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_INTENT_DEADLINE_MS": MODEL_DEADLINE_MS,
            "OMNIFORGE_STRONG_MODELS": "",  # one question to the model per message
        }
        with Twin(data, environ=environ) as one, Twin(data, environ=environ) as other:
            token = Issuer(data).access_token(tenant="acme", user="maya", now=datetime.now(UTC))
            model.free.set()
            for gateway in (one, other):
                eventually(partial(_asks_the_model, gateway, token), within_s=120)
            yield World(data, (one, other), server, model, token)
            model.free.set()


def _asks_the_model(gateway: Twin, token: str) -> bool:
    decision = gateway.chat("Hello", token=token).json()["metadata"]["decision"]
    return bool(decision["source"] == "model")


@pytest.fixture
def world(_gateways: World) -> Iterator[World]:
    """The model is held back, and nothing was asked of it yet."""
    _gateways.server.forget()
    _gateways.model.free.clear()
    yield _gateways
    _gateways.model.free.set()


@pytest.fixture
def senders() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MAY_WAIT) as pool:
        yield pool


def burst(
    world: World, senders: ThreadPoolExecutor, conversation_id: str
) -> dict[str, Future[httpx.Response]]:
    """As many messages as may wait, sent at once to both gateways in turn; what each will be answered."""

    def send(message: str, gateway: Twin) -> httpx.Response:
        return gateway.chat(message, token=world.token, conversation_id=conversation_id)

    return {
        message: senders.submit(send, message, world.gateways[n % 2])
        for n, message in enumerate(f"message {n} of the burst" for n in range(MAY_WAIT))
    }


def answered(world: World, response: httpx.Response) -> dict[str, Any]:
    """The reply that belongs to a response, whether it was there at once or is announced."""
    if response.status_code == 200:
        reply: dict[str, Any] = response.json()["message"]
        return reply
    assert response.status_code == 202, response.text
    where = response.headers["Location"]
    return eventually(lambda: world.gateways[0].get(where, token=world.token)["message"], within_s=120)


def test_a_burst_is_answered_one_after_the_other_in_the_order_of_admission(
    world: World, senders: ThreadPoolExecutor
) -> None:
    conversation_id = world.new_conversation()
    sent = burst(world, senders, conversation_id)
    eventually(lambda: len(world.waiting(conversation_id)) == MAY_WAIT)
    admitted = world.waiting(conversation_id)
    world.model.free.set()
    replies = {message: answered(world, response.result()) for message, response in sent.items()}
    stored = world.messages(conversation_id)
    assert sorted(admitted) == sorted(sent)
    assert [message["content"] for message in stored[::2]] == admitted
    assert [message["sequence"] for message in stored] == list(range(1, 2 * MAY_WAIT + 1))
    for asked, answer in zip(stored[::2], stored[1::2], strict=True):
        assert (asked["role"], answer["role"]) == ("user", "assistant")
        assert asked["turn_id"] == answer["turn_id"]
        assert answer["id"] == replies[asked["content"]]["id"]
    log = world.server.log()
    assert len(log.requests) == MAY_WAIT
    assert log.max_concurrency == 1


def test_one_message_more_than_may_wait_is_turned_away_and_not_kept(
    world: World, senders: ThreadPoolExecutor
) -> None:
    conversation_id = world.new_conversation()
    sent = burst(world, senders, conversation_id)
    eventually(lambda: len(world.waiting(conversation_id)) == MAY_WAIT)
    for gateway in world.gateways:
        refused = gateway.chat("one too many", token=world.token, conversation_id=conversation_id)
        assert refused.status_code == 429
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert refused.json()["code"] == "conversation_busy"
        assert int(refused.headers["Retry-After"]) >= 1
    assert "one too many" not in world.waiting(conversation_id)
    world.model.free.set()
    for response in sent.values():
        answered(world, response.result())
    assert "one too many" not in {message["content"] for message in world.messages(conversation_id)}
    later = world.gateways[0].chat("one too many", token=world.token, conversation_id=conversation_id)
    assert later.status_code == 200


@pytest.mark.parametrize("begins_a_conversation", [False, True], ids=["within a conversation", "first"])
def test_eight_requests_under_one_key_are_one_turn(
    world: World, senders: ThreadPoolExecutor, begins_a_conversation: bool
) -> None:
    conversation_id = None if begins_a_conversation else world.new_conversation()
    key = f"one of eight, {begins_a_conversation}"

    def send(n: int) -> httpx.Response:
        gateway = world.gateways[n % 2]
        return gateway.chat("Only once", token=world.token, conversation_id=conversation_id, key=key)

    sent = [senders.submit(send, n) for n in range(8)]
    eventually(lambda: sum(each.done() for each in sent) == 7)
    world.model.free.set()
    responses = [each.result() for each in sent]
    assert sorted(response.status_code for response in responses) == [200, *[409] * 7]
    codes = {response.json()["code"] for response in responses if response.status_code == 409}
    assert codes == {"idempotency_in_progress"}
    (reply,) = (response.json() for response in responses if response.status_code == 200)
    assert len(world.server.log().requests) == 1
    stored = [message["content"] for message in world.messages(reply["conversation_id"])]
    assert stored == ["Only once", reply["message"]["content"]]
