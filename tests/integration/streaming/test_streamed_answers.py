"""Questions answered word by word through a composed chat function, by a scripted model over real HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from agent.inference.question_answering import UNREACHABLE
from agent.templates.budget_texts import budget_spent
from agent.turn_events import Answer, Chunk, Done, Restarted, TurnEvent
from agent.turns import lease_holder
from agent.turns.lease_renewal import LeaseRenewer
from agent.turns.reply_accumulator import ReplyAccumulator
from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from conversation.running_turns.cancellation import TurnCancellation
from conversation.running_turns.frames import Frame, FrameStore, record_frames
from conversation.tenants.policy import Budget, TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from conversation.turns.lease import TurnAttempt
from conversation.usage.budget_scope import BudgetScope
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelServers
from llm.circuit_breaker import ModelCircuitBreakers
from storage.keys import TenantId
from tests.fakes.aws.proxy_events import request
from tests.fakes.data.scripted_turns import MAYA
from tests.fakes.deployment import functions
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.sse_client import stream
from tests.fakes.models.model_script import Gate, Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.slow

AT_ONCE_S = 0.01
FAST, STRONG = "gpt-4o-mini", "openai/deep-thinker"
QUESTION = "Who wrote Moby-Dick?"
WISH = "Who wrote Moby-Dick? And add buy milk and call mum to my tasks, in that order, as two tasks"
TEXT = "Herman Melville wrote it, in 1851."
CALCULATOR = [{"name": "calculator", "arguments": {"expression": "6 * 7"}}]
TASK = [{"name": "create_task", "arguments": {"title": "buy milk"}}]


@dataclass
class Chat:
    """The chat function of a deployment with a strong model, and that model's server."""

    function: ModuleType
    server: ModelServer
    caller: Caller = MAYA

    def answers(self, *strong: Reply, tools: tuple[str, ...] = ()) -> None:
        """Let questions be answered by the strong model with these tools, one reply after the other."""
        question: dict[str, Any] = {"kind": "world.ask", "text": WISH, "target": None, "slots": {}}
        decided = Reply(decision={"action_type": "query_info", "confidence": 0.95, "acts": [question]})
        routed = Reply(decision={"model": STRONG, "tools": list(tools), "can_answer": True, "reason": ""})
        name = STRONG.partition("/")[2]
        said = [
            Rule("", reply, model=name, after="" if place else None) for place, reply in enumerate(strong)
        ]
        self.server.use(Script([*said, Rule("", routed, prompt="Pick who answers")], decided))

    def events(self, message: str = QUESTION, attempt: TurnAttempt | None = None) -> Iterator[TurnEvent]:
        """What happens while the message is answered."""
        deadline = Deadline.after(self.function.clock, 25.0)
        turns: Iterator[TurnEvent] = self.function.turns().run(
            IncomingMessage(self.caller, message), deadline, attempt=attempt
        )
        return turns

    def stored(self, answer: Answer) -> str:
        """The reply as it lies in the table."""
        *_, reply = self.repository.messages(self.caller, answer.conversation_id)
        return reply.content

    def kept(self, turn_id: str) -> tuple[Frame, ...]:
        """What is kept of the running turn's frames."""
        store = FrameStore(tables=self.function.tables, clock=self.function.clock)
        return store.read_frames(self.caller.tenant, self.repository.turn(self.caller, turn_id), after=0)

    @property
    def repository(self) -> ConversationRepository:
        """What lies in the table."""
        return ConversationRepository(tables=self.function.tables, clock=self.function.clock)

    def post(self, message: str = QUESTION) -> dict[str, Any]:
        """The answer in one piece, over the function's handler."""
        answered = functions.invoke(self.function, request("POST", "/v1/chat", body={"message": message}))
        assert answered.status == 200, answered.body
        reply: dict[str, Any] = answered.json
        return reply


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("streamed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "test")
        settings = functions.settings(
            folder,
            OMNIFORGE_INTENT_MODEL=FAST,
            OMNIFORGE_STRONG_MODELS=STRONG,
            OMNIFORGE_INTENT_DEADLINE_MS="5000",
        )
        return functions.load("chat", settings)


@pytest.fixture
def chat(function: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chat]:
    with ModelServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "test")
        direct = DirectAdapters(ModelServers(openai_url=server.base_url), max_connections=8)
        monkeypatch.setattr(function.models().completion, "_direct", direct)
        # Faults of one test are no other's.
        monkeypatch.setattr(
            function.models().completion, "_breaker", ModelCircuitBreakers(SystemClock().monotonic)
        )
        yield Chat(function, server)


def done(events: list[TurnEvent]) -> Answer:
    assert isinstance(events[-1], Done)
    return events[-1].answer


def told(events: list[TurnEvent]) -> str:
    """What somebody who listens has before them in the end."""
    gathered = ReplyAccumulator()
    for event in events:
        if isinstance(event, Chunk | Restarted):
            gathered.add(event)
    return gathered.text


def test_the_first_word_is_told_before_the_model_has_made_the_second(chat: Chat) -> None:
    gate = Gate(let=1)
    chat.answers(Reply(content=TEXT, gate=gate))
    events = chat.events()

    first = next(event for event in events if isinstance(event, Chunk))

    assert (first.text, chat.server.running()) == ("Herman", 1)
    gate.release(100)
    rest = list(events)
    assert [event.text for event in rest if isinstance(event, Chunk)][:2] == [" Melville", " wrote"]
    assert told([first, *rest]) == TEXT == chat.stored(done(rest))


@pytest.mark.parametrize(
    ("strong", "text"),
    [
        ((Reply(content=f"\n {TEXT} \n"),), TEXT),
        ((Reply(content="Let me see. ", tool_calls=CALCULATOR), Reply(content="It is 42.")), "It is 42."),
        (
            (Reply(content="I will.", tool_calls=TASK), Reply(content="I bought it.")),
            'I\'ve added the task "buy milk".',
        ),
        (
            (Reply(tool_calls=TASK), Reply(content="Half of", mode="broken")),
            'I\'ve added the task "buy milk".',
        ),
    ],
    ids=["words", "words after a tool", "a change", "a change and a failure"],
)
def test_what_was_told_is_what_is_stored_and_what_a_buffered_request_gets(
    chat: Chat, strong: tuple[Reply, ...], text: str
) -> None:
    chat.answers(*strong, tools=("calculator", "create_task"))

    events, reply = list(chat.events(WISH)), chat.post(WISH)

    answer = done(events)
    assert told(events) == answer.content == chat.stored(answer) == reply["message"]["content"]
    assert answer.content.removesuffix(f"\n\n{UNREACHABLE}") == text
    assert _calls(answer.metadata) == _calls(reply["metadata"])
    assert answer.metadata["usage"] == reply["metadata"]["usage"]
    assert answer.metadata["usage"]["model_calls"] == 2 + len(strong)  # type: ignore[index,call-overload]


def _calls(metadata: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return [
        tuple(map(call.get, ("name", "ok", "arguments", "error_code"))) for call in metadata["tool_calls"]
    ]


FAULTS = {
    "reset": Reply(content=TEXT, mode="reset"),
    "silent from there on": Reply(content=TEXT, mode="stall"),
    "ended without an end": Reply(content=TEXT, mode="unended"),
    "a frame that is no JSON": Reply(content=TEXT, mode="malformed"),
    "an error amid the answer": Reply(content=TEXT, mode="broken"),
    "no stream at all": Reply(mode="garbage"),
    "nothing said": Reply(content=None),
    "refused": Reply(status=400),
    "failing": Reply(status=500),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_an_answer_that_breaks_off_is_taken_back_for_friendly_words(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, fault: Reply
) -> None:
    monkeypatch.setattr(
        "agent.inference.question_answering.MARGIN_S", 24.0
    )  # a second is left for the answer
    chat.answers(fault)

    events = list(chat.events())

    answer = done(events)
    said = any(isinstance(event, Chunk) and event.text == "Herman" for event in events)
    assert (said, any(isinstance(event, Restarted) for event in events)) == (fault.content is not None,) * 2
    assert told(events) == answer.content == chat.stored(answer)
    assert answer.content.startswith(UNREACHABLE)
    assert "Melville" not in answer.content
    for giveaway in ("scripted refusal", "openai", "<html>", "error"):
        assert giveaway not in answer.content.lower()


def test_what_is_added_behind_an_answer_is_told_as_well(chat: Chat) -> None:
    thrifty = Chat(chat.function, chat.server, Caller(TenantId("thrifty"), "maya"))
    # Too little for a model whose price is known.
    policy = TenantPolicy(budget=Budget(usd_per_day=0.000001))
    tenants = TenantStore(tables=chat.function.tables, clock=chat.function.clock)
    tenants.save(thrifty.caller.tenant, policy)
    chat.answers(Reply(content=TEXT))

    events = list(thrifty.events())

    answer = done(events)
    assert told(events) == answer.content == thrifty.stored(answer)
    assert answer.content == TEXT + budget_spent(BudgetScope(thrifty.caller.tenant))


def test_an_answer_is_stopped_while_the_model_is_silent(chat: Chat) -> None:
    chat.answers(Reply(content=TEXT, mode="stall"))
    attempt = TurnAttempt()
    events = chat.events(attempt=attempt)
    heard: list[TurnEvent] = []
    for event in events:
        heard.append(event)
        if isinstance(event, Chunk) and event.text == " wrote":
            threading.Timer(0.2, attempt.stop.set).start()

    answer = done(heard)
    assert (answer.content, answer.metadata["partial"]) == ("Herman Melville wrote", True)
    assert told(heard) == chat.stored(answer) == answer.content
    eventually(lambda: chat.server.running() == 0)


def test_who_wants_a_silent_model_stopped_is_heard_where_there_are_no_frames_to_keep(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_holder, "LeaseRenewer", partial(LeaseRenewer, every_s=3_600))
    monkeypatch.setattr(chat.function, "record_frames", partial(record_frames, every_s=AT_ONCE_S))
    chat.answers(Reply(content=TEXT, mode="stall"))
    frames = stream(chat.function, request("POST", "/v1/chat/stream", body={"message": QUESTION})).frames()
    turn_id = next(frames).data["turn_id"]
    assert any(frame.data == {"text": " wrote"} for frame in frames)
    eventually(lambda: any(" wrote" in frame.data for frame in chat.kept(turn_id)))

    TurnCancellation(tables=chat.function.tables, conversations=chat.repository).cancel(MAYA, turn_id)

    *_, last = frames
    assert last.data["message"]["content"] == "Herman Melville wrote"
    assert last.data["metadata"]["partial"] is True


def test_a_model_that_tells_no_tokens_is_counted_all_the_same(chat: Chat) -> None:
    chat.answers(Reply(content=TEXT, usage=False))

    usage: Any = done(list(chat.events())).metadata["usage"]

    assert usage["model_calls"] == 3
    assert usage["prompt_tokens"] > 2 * 600 + 100
    assert usage["completion_tokens"] > 2 * 80
