"""Asking a model for an answer as it is made, over real HTTP: when its pieces come, what ends it early."""

from __future__ import annotations

import json
import math
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from llm.completion import CompletionClient
from llm.errors import ModelUnavailable
from llm.request_types import ModelRequest, ModelResponse, ToolCall, ToolSchema
from llm.spend_guard import CallUsage, estimate_prompt_tokens, estimate_tokens
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate, Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer
from tests.unit.conftest import Completions

CALCULATOR = ToolSchema("calculator", "Works out a sum.", {"type": "object", "properties": {}})
QUESTION = ModelRequest(
    messages=[{"role": "user", "content": "Why is the sky blue?"}],
    max_tokens=500,
    temperature=0.1,
    tools=[CALCULATOR],
)
MODEL = "gpt-4o-mini"
TEXT = "Because  of the air:\nit scatters blue light. "
OK = Reply(content=TEXT)


@dataclass
class Ledger:
    """A purse that writes everything down."""

    spent: list[CallUsage] = field(default_factory=list)

    def reserve(self, estimate_usd: float) -> Ledger:
        return self

    def settle(self, spent: CallUsage) -> None:
        self.spent.append(spent)


@dataclass
class Heard:
    """What came of a stream: its pieces, and the whole or the reason why there is none."""

    pieces: list[str] = field(default_factory=list)
    completed: ModelResponse | None = None
    reason: str | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def stream(
    completion: CompletionClient,
    question: ModelRequest = QUESTION,
    *,
    model: str = MODEL,
    deadline_s: float = 5.0,
    silent_s: float = math.inf,
    ledger: Ledger | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Any:
    return completion.stream(
        question,
        model=model,
        deadline_s=deadline_s,
        max_silence_s=silent_s,
        budget=ledger,
        is_stopped=is_stopped,
    )


def listen(pieces: Iterator[str | ModelResponse]) -> Heard:
    heard = Heard()
    try:
        for piece in pieces:
            assert heard.completed is None
            if isinstance(piece, ModelResponse):
                heard.completed = piece
            else:
                heard.pieces.append(piece)
    except ModelUnavailable as error:
        heard.reason = error.reason
    return heard


def test_the_first_piece_is_out_before_the_second_is_made(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    gate = Gate(let=1)
    model_server.use(Script(default=Reply(pieces=["Because", " of", " air."], gate=gate)))
    pieces = stream(completion)

    assert next(pieces) == "Because"
    assert model_server.running() == 1
    gate.release(2)
    assert listen(pieces).pieces == [" of", " air."]


def test_no_piece_is_held_back(completion: CompletionClient, model_server: ModelServer) -> None:
    gate, count = Gate(), 20
    model_server.use(Script(default=Reply(pieces=[f"{place} " for place in range(count)], gate=gate)))
    took_s = []
    with closing(stream(completion)) as pieces:
        for place in range(count):
            threading.Timer(0.02, gate.release).start()
            waited_from = time.monotonic()
            assert next(pieces) == f"{place} "
            took_s.append(time.monotonic() - waited_from - 0.02)
    assert statistics.median(took_s) < 0.05


@pytest.mark.parametrize("model", [MODEL, "gpt-4.1", "gpt-4o", "openai/house-model"])
def test_a_stream_comes_to_what_the_same_question_is_answered_in_one_piece(
    completion: CompletionClient, model_server: ModelServer, model: str
) -> None:
    model_server.use(Script(default=OK))
    buffered_ledger, ledger = Ledger(), Ledger()
    buffered = completion.complete(QUESTION, model=model, deadline_s=5.0, budget=buffered_ledger)

    heard = listen(stream(completion, model=model, ledger=ledger))

    assert (heard.text, heard.completed) == (TEXT, buffered)
    assert len(heard.pieces) > 5
    assert ledger.spent == buffered_ledger.spent


def test_calls_come_with_the_whole_as_they_would_in_one_piece(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    calls: list[dict[str, Any]] = [
        {"name": "calculator", "arguments": {"expression": "6 * 7", "why": "wörk"}},
        {"name": "calculator", "arguments": "{}"},
        {"name": "calculator", "arguments": ""},
    ]
    model_server.use(Script(default=Reply(content="Let me see. ", tool_calls=calls)))
    buffered = completion.complete(QUESTION, model=MODEL, deadline_s=5.0)

    heard = listen(stream(completion))

    assert (heard.text, heard.completed) == ("Let me see. ", buffered)
    assert heard.completed
    assert [call.id for call in heard.completed.tool_calls] == ["call_0", "call_1", "call_2"]


def raw(*deltas: dict[str, object], finish: str | None = "tool_calls") -> Reply:
    """A stream of exactly these deltas."""
    frames = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    frames.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    envelope = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    told = "".join(f"data: {json.dumps({**envelope, **frame})}\n\n" for frame in frames)
    return Reply(body=f"{told}data: [DONE]\n\n")


def part(index: int, call_id: str | None, name: str | None, arguments: str | None) -> dict[str, object]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": function}]}


def test_calls_may_come_mixed_or_all_at_one_place(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    mixed = [
        part(0, "a", "one", "{"),
        part(1, "b", "two", None),
        part(0, None, None, "}"),
        part(1, "b", None, "[]"),
    ]
    at_one_place = [part(0, "a", "one", "{}"), part(0, "b", "two", "["), part(0, None, None, "]")]
    for deltas in (mixed, at_one_place):
        model_server.use(Script(default=raw(*deltas)))
        heard = listen(stream(completion))
        assert heard.completed
        assert heard.completed.tool_calls == (ToolCall("a", "one", "{}"), ToolCall("b", "two", "[]"))


@pytest.mark.parametrize(
    "reply",
    [
        raw(part(0, None, "calculator", "{}")),
        raw(part(0, "a", None, "{}")),
        raw({"role": "assistant", "content": None}, finish="stop"),
        raw({"role": "assistant", "content": "Because"}, finish=None),
        raw(part(0, "a", "calculator", "{"), finish=None),
    ],
)
def test_what_no_model_would_send_is_no_answer(
    completion: CompletionClient, model_server: ModelServer, reply: Reply
) -> None:
    model_server.use(Script(default=reply))
    assert listen(stream(completion)).reason == "invalid_output"


def test_the_request_asks_for_a_stream_with_its_usage_and_carries_nothing_internal(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=OK))
    listen(stream(completion))
    body = model_server.log().requests[0].body
    assert (body["stream"], body["stream_options"]) == (True, {"include_usage": True})
    assert set(body) == {
        "model", "messages", "tools", "temperature", "max_tokens", "stream", "stream_options",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "reason", "requests"),
    [
        (Reply(status=400), "refused", 1),
        (Reply(status=401), "refused", 1),
        (Reply(status=404), "refused", 1),
        (Reply(status=429), "rate_limited", 2),
        (Reply(status=429, retry_after="30"), "rate_limited", 1),
        (Reply(status=500), "server_error", 2),
        (Reply(mode="hang"), "deadline", 1),
        (Reply(mode="garbage"), "invalid_output", 1),
        (Reply(content=None), "invalid_output", 1),
        (Reply(content=TEXT, mode="drip"), "deadline", 1),
        (Reply(content=TEXT, mode="reset", breaks_after=0), "unreachable", 2),
        (Reply(content=TEXT, mode="broken", breaks_after=0), "server_error", 2),
        (Reply(content=TEXT, mode="unended", breaks_after=0), "invalid_output", 1),
        (Reply(content=TEXT, mode="malformed", breaks_after=0), "invalid_output", 1),
        (Reply(content=TEXT, mode="stall", breaks_after=0), "deadline", 1),
    ],
)
def test_a_stream_that_says_nothing_fails_as_an_answer_in_one_piece_does(
    completion: CompletionClient, model_server: ModelServer, reply: Reply, reason: str, requests: int
) -> None:
    model_server.use(Script(default=reply))
    heard = listen(stream(completion, deadline_s=_until(reason)))
    assert (heard.reason, heard.text) == (reason, "")
    assert len(model_server.log().requests) == requests


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("reset", "unreachable"),
        ("broken", "server_error"),
        ("unended", "invalid_output"),
        ("malformed", "invalid_output"),
        ("stall", "deadline"),
        ("trickle", "deadline"),
    ],
)
@pytest.mark.parametrize("calls", [(), ({"name": "calculator", "arguments": "{}"},)])
def test_a_stream_that_breaks_off_amid_its_answer_is_not_begun_again(
    completion: CompletionClient,
    model_server: ModelServer,
    mode: Any,
    reason: str,
    calls: tuple[dict[str, str], ...],
) -> None:
    said = "" if calls else "Because  of the"
    reply = Reply(content="" if calls else TEXT, tool_calls=calls, mode=mode, breaks_after=1 if calls else 3)
    model_server.use(Script(default=reply))
    ledger = Ledger()

    heard = listen(stream(completion, deadline_s=_until(reason), ledger=ledger))

    assert (heard.reason, heard.text, heard.completed) == (reason, said, None)
    assert len(model_server.log().requests) == 1
    # What the provider made of it, and sends a bill for, nobody can tell.
    assert [(spent.prompt_tokens, spent.completion_tokens) for spent in ledger.spent] == [
        (estimate_prompt_tokens(QUESTION), 500)
    ]


def test_a_fault_before_the_first_piece_is_tried_again_and_paid_once(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script([Rule("", Reply(status=503), times=1)], OK))
    ledger = Ledger()
    heard = listen(stream(completion, ledger=ledger))
    assert heard.text == TEXT
    assert [(spent.prompt_tokens, spent.completion_tokens) for spent in ledger.spent] == [(600, 80)]


def test_an_answer_that_was_cut_for_its_length_is_an_answer(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=replace(OK, mode="truncated")))
    heard = listen(stream(completion))
    assert heard.completed
    assert TEXT.startswith(heard.completed.text)
    assert heard.text == heard.completed.text


def test_words_said_over_and_over_are_an_answer(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(pieces=["-----"] * 200)))
    assert listen(stream(completion)).text == "-----" * 200


def test_tokens_nobody_told_are_estimated_and_priced(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    calls = [{"name": "calculator", "arguments": {"expression": "1 + 1"}}]
    model_server.use(Script(default=Reply(content=TEXT, tool_calls=calls, usage=False)))
    ledger = Ledger()

    heard = listen(stream(completion, ledger=ledger))

    size = len(TEXT) + len("calculator") + len('{"expression": "1 + 1"}')
    expected = estimate_prompt_tokens(QUESTION), estimate_tokens(size)
    assert heard.completed
    assert (heard.completed.prompt_tokens, heard.completed.completion_tokens) == expected
    cost = expected[0] * 0.15e-6 + expected[1] * 0.6e-6
    assert heard.completed.cost_usd == pytest.approx(cost)
    assert ledger.spent == [CallUsage(MODEL, *expected, pytest.approx(cost))]  # type: ignore[arg-type]


@pytest.mark.parametrize("by", ["asking", "closing"])
def test_a_stream_that_is_stopped_says_no_more_and_costs_what_came_of_it(
    completion: CompletionClient, model_server: ModelServer, by: str
) -> None:
    gate = Gate(let=3)
    model_server.use(Script(default=Reply(content=TEXT, gate=gate)))
    ledger, stopped = Ledger(), threading.Event()
    pieces = stream(completion, ledger=ledger, is_stopped=stopped.is_set)
    said = [next(pieces) for _ in range(2)]

    if by == "asking":
        stopped.set()
        assert listen(pieces) == Heard()
    else:
        pieces.close()

    assert said == ["Because", "  of"]
    (spent,) = ledger.spent
    assert spent.prompt_tokens == estimate_prompt_tokens(QUESTION)
    assert 0 < spent.completion_tokens <= estimate_tokens(len(TEXT))
    assert spent.cost_usd == pytest.approx(spent.prompt_tokens * 0.15e-6 + spent.completion_tokens * 0.6e-6)


def test_what_a_model_thought_unseen_before_it_was_stopped_is_taken_at_its_most(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(content=TEXT, mode="stall")))
    ledger = Ledger()
    thinking = replace(QUESTION, tools=(), thinking="low")
    pieces = stream(completion, thinking, model="gpt-6.1-sol", ledger=ledger)
    next(pieces)
    pieces.close()
    assert [spent.completion_tokens for spent in ledger.spent] == [500]


@pytest.mark.parametrize("mode", ["stall", "trickle"])
def test_a_silent_stream_is_stopped_as_well_and_hung_up_on(
    completions: Completions, model_server: ModelServer, mode: Any
) -> None:
    model_server.use(Script([Rule("", Reply(content=TEXT, mode=mode), times=1)], OK))
    single = completions(max_calls=1)
    stopped = threading.Event()
    threading.Timer(0.3, stopped.set).start()
    began = time.monotonic()

    assert listen(stream(single, deadline_s=60.0, is_stopped=stopped.is_set)).completed is None

    assert time.monotonic() - began < 30
    eventually(lambda: model_server.running() == 0, within_s=30)
    # Its place is free for the next call, at once.
    assert listen(stream(single)).text == TEXT


def test_a_stream_given_up_at_its_deadline_is_hung_up_on(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(content=TEXT, mode="trickle")))
    assert listen(stream(completion, deadline_s=0.3)).reason == "deadline"
    eventually(lambda: model_server.running() == 0)


def test_a_stream_that_never_ends_is_given_up_at_the_deadline(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(pieces=["on and "] * 10_000, pause_ms=20)))
    began = time.monotonic()
    heard = listen(stream(completion, deadline_s=1.0))
    assert (heard.reason, time.monotonic() - began < 30) == ("deadline", True)
    assert heard.pieces


def test_a_model_that_goes_on_talking_may_take_its_time(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(pieces=["so "] * 25, pause_ms=100)))
    heard = listen(stream(completion, silent_s=2.0))
    assert (heard.text, heard.reason) == ("so " * 25, None)


@pytest.mark.parametrize("breaks_after", [0, 3])
@pytest.mark.parametrize("mode", ["stall", "trickle"])
def test_a_model_that_falls_silent_is_given_up_before_the_deadline(
    completion: CompletionClient, model_server: ModelServer, mode: Any, breaks_after: int
) -> None:
    model_server.use(Script(default=Reply(content=TEXT, mode=mode, breaks_after=breaks_after)))
    began = time.monotonic()
    assert listen(stream(completion, deadline_s=60.0, silent_s=0.3)).reason == "deadline"
    assert time.monotonic() - began < 30
    eventually(lambda: model_server.running() == 0, within_s=30)


def test_patience_asked_for_beyond_the_silence_is_not_had(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(status=429, retry_after="30")))
    assert listen(stream(completion, deadline_s=60.0, silent_s=1.0)).reason == "rate_limited"
    assert len(model_server.log().requests) == 1


def test_nothing_is_read_beyond_the_deadline_though_nobody_listens(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(pieces=["on and "] * 10_000, pause_ms=20)))
    pieces = stream(completion, deadline_s=1.0)
    next(pieces)
    eventually(lambda: model_server.running() == 0)
    assert listen(pieces).reason == "deadline"


def _until(reason: str) -> float:
    """A deadline that comes soon where it is waited for, and else never."""
    return 1.0 if reason == "deadline" else 30.0


def test_a_slow_listener_loses_nothing(completion: CompletionClient, model_server: ModelServer) -> None:
    model_server.use(Script(default=OK))
    until = time.monotonic() + 1.6
    pieces = stream(completion, deadline_s=1.5)
    first = next(pieces)
    eventually(lambda: time.monotonic() > until and model_server.running() == 0)
    heard = listen(pieces)
    assert (first + heard.text, heard.reason) == (TEXT, None)


def test_three_streams_that_break_off_open_the_breaker_and_stopped_ones_do_not(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script(default=Reply(content=TEXT, mode="broken")))
    for _ in range(4):
        pieces = stream(completion)
        next(pieces)
        pieces.close()
    reasons = [listen(stream(completion)).reason for _ in range(4)]
    assert reasons == ["server_error"] * 3 + ["breaker_open"]


def test_a_stream_that_is_never_begun_asks_nobody(
    completion: CompletionClient, model_server: ModelServer
) -> None:
    model_server.use(Script([Rule("", Reply(status=401), times=1)], OK))
    listen(stream(completion))
    ledger = Ledger()
    assert listen(stream(completion, ledger=ledger)).reason == "breaker_open"
    stream(completion, ledger=ledger).close()
    assert (ledger.spent, len(model_server.log().requests)) == ([], 1)


def test_a_bug_of_ours_amid_a_stream_is_no_failure_of_the_model_s(
    completion: CompletionClient, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def buggy(*_: object) -> str:
        raise TypeError

    model_server.use(Script(default=OK))
    with monkeypatch.context() as patch:
        patch.setattr("llm.streamed_answer.StreamedAnswer.add_text", buggy)
        for _ in range(4):
            with pytest.raises(TypeError):
                list(stream(completion))
    assert listen(stream(completion)).text == TEXT


def test_a_stream_that_breaks_off_is_logged_by_its_kind_and_never_by_its_words(
    completion: CompletionClient, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    model_server.use(Script(default=Reply(content="a secret word", mode="broken")))
    listen(stream(completion))
    (record,) = [record for record in caplog.records if record.name == "llm.completion"]
    assert record.__dict__["reason"] == "server_error"
    for words in ("scripted refusal", "secret", "sky"):
        assert words not in caplog.text
