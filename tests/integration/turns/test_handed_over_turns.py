"""Messages that one process takes and another answers, because the first one can't reach every model."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

import pytest

from agent.turn_events import Accepted, Done, Thinking, TurnStarted
from conversation.clock import Deadline, SystemClock
from conversation.turns.admission import IncomingMessage
from conversation.turns.deferred_turn import DeferredTurn, QueueUnavailable
from storage.factory import open_table
from storage.keys import TenantId
from storage.table import Table
from tests.fakes.aws.proxy_events import Answer, Context, answer, request
from tests.fakes.aws.queues import queue_bodies
from tests.fakes.data.scripted_turns import MAYA, Fixture, scripted_service
from tests.fakes.deployment import functions

CLOCK = SystemClock()
NOBODY = "http://127.0.0.1:9"


class OtherProcess:
    """A queue whose receiver answers what it is asked to, as the finish function does."""

    def __init__(self, table: Table, *, is_reachable: bool = True, works: bool = True) -> None:
        self.service = scripted_service(table, CLOCK)
        self._is_reachable, self._works = is_reachable, works
        self.asked: list[str] = []

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        if not self._is_reachable:
            raise QueueUnavailable
        self.asked.append(conversation_id)
        if self._works:
            Thread(target=self.drain, args=(tenant, conversation_id), daemon=True).start()

    def drain(self, tenant: TenantId, conversation_id: str) -> None:
        assert self.service.service.drain(tenant, conversation_id, Deadline.after(CLOCK, 60.0))

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        raise AssertionError("storage is there")


@pytest.fixture
def table() -> Table:
    return open_table("sqlite:///:memory:")


def handing_over(table: Table, other: OtherProcess) -> Fixture:
    return scripted_service(table, CLOCK, queue=other, hands_over=True)


def test_the_process_that_the_queue_asks_answers(table: Table) -> None:
    other = OtherProcess(table)
    here = handing_over(table, other)
    first = here.say("hello")
    second = here.say("go on", first.conversation_id)

    assert (first.content, second.content) == ("re: hello", "re: go on")
    assert (other.service.master.received, here.master.received) == (["hello", "go on"], [])
    assert other.asked == [first.conversation_id] * 2


def test_a_message_repeated_under_its_key_has_its_first_answer(table: Table) -> None:
    other = OtherProcess(table)
    here = handing_over(table, other)
    first, again = (here.say("hello", key="k") for _ in range(2))

    assert (again.message_id, again.replayed) == (first.message_id, True)
    assert other.service.master.received == ["hello"]


def test_what_takes_longer_than_its_caller_can_wait_is_promised_and_answered_later(table: Table) -> None:
    other = OtherProcess(table, works=False)
    here = handing_over(table, other)
    started, *_, last = here.run(IncomingMessage(MAYA, "hello"), seconds=1.2)

    assert isinstance(started, TurnStarted)
    assert isinstance(last, Accepted)
    other.drain(MAYA.tenant, last.conversation_id)
    assert (other.service.master.received, here.master.received) == (["hello"], [])


def test_the_message_is_answered_here_when_nobody_can_be_asked(table: Table) -> None:
    other = OtherProcess(table, is_reachable=False)
    here = handing_over(table, other)

    assert here.say("hello").content == "re: hello"
    assert here.master.received == ["hello"]


def test_the_client_hears_that_its_message_waits(table: Table) -> None:
    events = handing_over(table, OtherProcess(table)).run(IncomingMessage(MAYA, "hello"))

    assert {event.stage for event in events if isinstance(event, Thinking)} <= {"waiting"}
    assert isinstance(events[-1], Done)


@pytest.mark.parametrize(
    ("model", "is_handed_over"),
    [
        ({}, False),
        ({"ANTHROPIC_API_KEY": "test", "ANTHROPIC_BASE_URL": NOBODY}, False),
        ({"OPENAI_API_KEY": "test"}, True),  # its thinking models take tools by another protocol
        ({"OPENAI_API_KEY": "test", "OPENAI_BASE_URL": f"{NOBODY}/v1"}, False),
        ({"GEMINI_API_KEY": "test"}, True),
    ],
    ids=["no model", "anthropic", "openai", "a server of OpenAI's protocol", "gemini"],
)
def test_a_chat_over_mcp_is_handed_over_where_it_may_need_litellm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: dict[str, str], is_handed_over: bool
) -> None:
    for name, value in model.items():
        monkeypatch.setenv(name, value)
    settings = functions.settings(tmp_path)
    if model:
        del settings["OMNIFORGE_INTENT_MODEL"]
    settings["OMNIFORGE_INTENT_DEADLINE_MS"] = "50"
    mcp = functions.load("mcp", settings)
    mcp.turns()
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "chat", "arguments": {"message": "What is 2 + 2?"}},
    }
    headers = {"Accept": "application/json, text/event-stream"}
    context = Hurried() if is_handed_over else Context()
    got = answer(mcp.handler(request("POST", "/mcp", body=body, headers=headers), context))

    told = said(got)
    assert told["deferred"] is is_handed_over
    assert is_handed_over is bool(queue_bodies(tmp_path / "queue.db"))


class Hurried(Context):
    """An invocation that does not wait long for another process."""

    @staticmethod
    def get_remaining_time_in_millis() -> int:
        return 3_000


def said(got: Answer) -> dict[str, object]:
    """What the tool returned."""
    result = got.json["result"]
    assert not result["isError"], result
    told: dict[str, object] = json.loads(result["content"][0]["text"])
    return told
