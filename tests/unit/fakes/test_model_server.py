"""The scripted model server itself: the tests of other rooms rely on it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.models.model_script import Gate, Reply, Request, Rule, Script
from tests.fakes.models.model_server import ModelServer

PATIENCE_S = 120


def ask(server: ModelServer, text: str, **fields: object) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **fields}
    return httpx.post(f"{server.base_url}/chat/completions", json=body, timeout=PATIENCE_S)


def said(response: httpx.Response) -> object:
    return json.loads(response.json()["choices"][0]["message"]["content"])


def test_the_first_rule_found_in_the_last_user_message_answers() -> None:
    rules = [
        Rule("overdue", Reply(decision={"a": 1})),
        Rule(["jira", "board"], Reply(decision={"a": 2}), times=1),
    ]
    with ModelServer(Script(rules, Reply(decision={"a": 3}))) as server:
        answers = [
            said(ask(server, text)) for text in ("OVERDUE jira board", "Jira Board", "jira board", "hello")
        ]
    assert answers == [{"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}]


def test_concurrency_is_counted_overall_and_per_conversation() -> None:
    texts = ["#conv-a hi", "#conv-a ho", "#conv-b hi"]
    all_here = threading.Barrier(len(texts))

    def answer(request: Request) -> Reply:
        all_here.wait(PATIENCE_S)
        return Reply(content="x")

    with ModelServer(answer) as server, ThreadPoolExecutor(len(texts)) as pool:
        answers = [pool.submit(ask, server, text) for text in texts]
        assert [each.result().status_code for each in answers] == [200, 200, 200]
        log = server.log()
    assert log.max_concurrency == 3
    assert log.max_concurrency_by_conversation == {"a": 2, "b": 1}


def test_the_log_is_read_and_emptied_over_http() -> None:
    with ModelServer() as server:
        ask(server, "hello", user="maya")
        address = server.base_url.removesuffix("/v1") + "/log"
        (entry,) = httpx.get(address, timeout=PATIENCE_S).json()["requests"]
        assert (entry["last_user_message"], entry["conversation"]) == ("hello", "maya")
        httpx.delete(address, timeout=PATIENCE_S)
        assert httpx.get(address, timeout=PATIENCE_S).json()["requests"] == []


def test_a_script_can_be_changed_over_http() -> None:
    with ModelServer() as server:
        script = {
            "rules": [{"contains": "hi", "status": 429, "retry_after": "7"}],
            "default": {"mode": "garbage"},
        }
        httpx.put(server.base_url.removesuffix("/v1") + "/script", json=script, timeout=PATIENCE_S)
        refused = ask(server, "hi")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "7")
        assert ask(server, "other").text.startswith("<html>")


def test_a_script_file_reads_like_the_docstring_says(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(
        '{"rules": [{"contains": ["a", "b"], "decision": {"x": 1}, "times": 2}], "default": {"mode": "hang"}}'
    )
    script = Script.parse(json.loads(path.read_text()))
    assert script == Script((Rule(["a", "b"], Reply(decision={"x": 1}), 2),), Reply(mode="hang"))


@contextmanager
def streamed(server: ModelServer, **fields: object) -> Iterator[Iterator[Any]]:
    """The frames of a streamed answer, parsed, as they come; the last one is None."""
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": True, **fields}
    with httpx.stream(
        "POST", f"{server.base_url}/chat/completions", json=body, timeout=PATIENCE_S
    ) as response:
        assert response.headers["Content-Type"] == "text/event-stream"
        data = (line.removeprefix("data: ") for line in response.iter_lines() if line)
        yield (None if line == "[DONE]" else json.loads(line) for line in data)


def deltas(frames: list[Any]) -> list[dict[str, Any]]:
    return [frame["choices"][0]["delta"] for frame in frames if frame and frame["choices"]]


@pytest.mark.parametrize(
    "reply", [Reply(content="one  two\n"), Reply(decision={"a": 1}), Reply(pieces=["one  ", "", "two\n"])]
)
def test_what_is_said_in_one_piece_is_said_in_deltas_when_asked_to(reply: Reply) -> None:
    with ModelServer(Script(default=reply)) as server, streamed(server) as frames:
        *told, last = frames
    assert "".join(delta.get("content", "") for delta in deltas(told)) == reply.text()
    assert (told[-1]["choices"][0]["finish_reason"], last) == ("stop", None)


def test_calls_are_told_in_parts_and_usage_only_where_it_is_asked_for() -> None:
    reply = Reply(content="Wait.", tool_calls=[{"name": "calculator", "arguments": {"expression": "1 + 1"}}])
    with ModelServer(Script(default=reply)) as server:
        with streamed(server) as frames:
            plain = list(frames)
        with streamed(server, stream_options={"include_usage": True}) as frames:
            *_, counted, _ = frames
    calls = [delta["tool_calls"][0]["function"] for delta in deltas(plain) if "tool_calls" in delta]
    assert calls[0] == {"name": "calculator", "arguments": ""}
    assert json.loads("".join(call["arguments"] for call in calls)) == {"expression": "1 + 1"}
    assert (plain[-2]["choices"][0]["finish_reason"], counted["usage"]["total_tokens"]) == ("tool_calls", 680)
    assert not any("usage" in frame for frame in plain[:-1])


def test_a_gate_lets_deltas_pass_one_by_one() -> None:
    gate = Gate()
    script = Script(default=Reply(content="one two", gate=gate))
    with ModelServer(script) as server, streamed(server) as frames:
        assert next(frames)["choices"][0]["delta"]["role"] == "assistant"
        for word in ("one", " two"):
            assert server.running() == 1
            gate.release()
            assert deltas([next(frames)]) == [{"content": word}]


@pytest.mark.parametrize(
    ("mode", "end", "frames"),
    [
        ("unended", None, 2),
        ("broken", None, 3),
        ("reset", httpx.RemoteProtocolError, 2),
        ("malformed", json.JSONDecodeError, 2),
    ],
)
def test_a_stream_breaks_off_where_it_is_told_to(mode: Any, end: type[Exception] | None, frames: int) -> None:
    heard: list[Any] = []
    reply = Reply(content="one two three", mode=mode, breaks_after=1)
    expected = pytest.raises(end) if end else nullcontext()
    with ModelServer(Script(default=reply)) as server, expected, streamed(server) as told:
        heard.extend(told)
    assert len(heard) == frames
    assert deltas(heard[:2])[-1] == {"content": "one"}
    assert ("error" in heard[-1]) == (mode == "broken")


def test_a_stream_that_stalls_stays_open_and_silent() -> None:
    reply = Reply(content="one two three", mode="stall", breaks_after=1)
    with (
        ModelServer(Script(default=reply)) as server,
        streamed(server) as frames,
        ThreadPoolExecutor(1) as pool,
    ):
        assert deltas([next(frames), next(frames)])[-1] == {"content": "one"}
        following = pool.submit(next, frames)
        assert not wait([following], timeout=0.3).done
        assert server.running() == 1
        server.stop()
        assert isinstance(following.exception(PATIENCE_S), httpx.RemoteProtocolError)
