"""Streams over HTTP, from a model's words to the client: they come one by one, are read on after a break, and
are stopped.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.sse_client import StreamFrame, frames_in, text_of
from tests.fakes.models.model_script import Gate, Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

FAST, STRONG = "gpt-4o-mini", "openai/deep-thinker"
PIECES = [f"{place}. Satz — ü 日本\r\n\n{'y' * (place % 5)}" for place in range(60)]
PAUSE_MS = 100
"""Between two pieces: the whole takes six seconds, so that frames of it are kept."""
ASKED_AGAIN_AFTER_S = 0.5
ASKED = "What does the handbook say about holidays?"


def scripted(answer: Reply) -> Script:
    """A model that takes every message for a question, and answers it so."""
    decision = {"action_type": "query_info", "confidence": 0.95, "entities": {}}
    routing = {"model": STRONG, "tools": [], "can_answer": True, "think": False, "reason": "scripted"}
    return Script(
        [
            Rule("", Reply(decision=decision), prompt="Classify the last message"),
            Rule("", Reply(decision=routing), prompt="Pick who answers"),
            Rule("", answer),
        ]
    )


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer(scripted(Reply(content="Hello"))) as running:
        yield running


@pytest.fixture(scope="module")
def twin(server: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": STRONG,
        "OMNIFORGE_INTENT_DEADLINE_MS": "5000",
    }
    with Twin(tmp_path_factory.mktemp("streams"), environ=environ) as twin:
        eventually(lambda: _is_understood_by_the_model(twin), within_s=180)
        yield twin


def _is_understood_by_the_model(twin: Twin) -> bool:
    """Whether the library that asks models is imported."""
    reply = twin.chat("Hello", token=twin.token(user="first")).json()
    return bool(reply["metadata"]["decision"]["source"] == "model")


@pytest.fixture(autouse=True)
def forgetful(server: ModelServer) -> None:
    server.forget()
    server.use(scripted(Reply(pieces=PIECES, pause_ms=PAUSE_MS)))


@contextmanager
def streamed(twin: Twin, token: str, message: str = ASKED) -> Iterator[Iterator[StreamFrame]]:
    """The frames of a message's stream, and no connection any more at the end of the block."""
    headers = {"Authorization": f"Bearer {token}"}
    with twin.http.stream("POST", "/v1/chat/stream", headers=headers, json={"message": message}) as response:
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        yield frames_in(response.iter_raw())


def answers_of(server: ModelServer) -> int:
    """How often the strong model was asked."""
    strong = STRONG.partition("/")[2]
    return sum(request.body["model"] == strong for request in server.log().requests)


def finished(twin: Twin, token: str, turn_id: str) -> Any:
    """The turn once it is answered."""

    def look() -> Any:
        turn = twin.get(f"/v1/turns/{turn_id}", token=token)
        return turn if turn["state"] == "done" else None

    return eventually(look)


def test_a_models_words_arrive_before_it_has_found_the_next(twin: Twin, server: ModelServer) -> None:
    gate = Gate()
    server.use(scripted(Reply(pieces=["One", " by", " one"], gate=gate)))
    with streamed(twin, twin.token()) as frames:
        for piece in ("One", " by", " one"):
            gate.release()
            assert next(frame.data for frame in frames if frame.name == "chunk") == {"text": piece}
        assert list(frames)[-1].data["message"]["content"] == "One by one"


def test_streams_cut_anywhere_are_read_on_without_a_lost_or_repeated_character(
    twin: Twin, server: ModelServer
) -> None:
    cuts = random.Random(20).sample(range(1, len(PIECES) + 6), 20)

    def cut_and_resumed(cut: int) -> tuple[str, str, int]:
        token, read = twin.token(user=f"user-{cut}"), list[StreamFrame]()
        with streamed(twin, token) as frames:
            for frame in frames:
                read.append(frame)
                if len(read) == cut:
                    break
        streamed_to, turn_id = len(read), read[0].data["turn_id"]

        def resumed() -> Any:
            threading.Event().wait(ASKED_AGAIN_AFTER_S)
            turn = twin.get(f"/v1/turns/{turn_id}?after={read[-1].id}", token=token)
            read.extend(StreamFrame(each["id"], each["event"], each["data"]) for each in turn["events"])
            assert "".join(PIECES).startswith(text_of(read))
            return turn if turn["state"] == "done" else None

        turn = eventually(resumed, within_s=40)
        assert [frame.id for frame in read] == list(range(1, len(read) + 1))
        return turn["message"]["content"], text_of(read), len(read) - streamed_to

    with ThreadPoolExecutor(len(cuts)) as clients:
        ended = list(clients.map(cut_and_resumed, cuts))
    assert {content for content, _, _ in ended} == {"".join(PIECES)}
    assert sum(read_on > 0 for _, _, read_on in ended) >= len(cuts) // 2
    assert answers_of(server) == len(cuts)


def test_who_leaves_stops_nothing(twin: Twin, server: ModelServer) -> None:
    gate = Gate(let=1)
    server.use(scripted(Reply(pieces=["All", " of", " it"], gate=gate)))
    token = twin.token()
    with streamed(twin, token) as frames:
        turn_id = next(frames).data["turn_id"]
        assert next(frame for frame in frames if frame.name == "chunk")
    gate.release(2)
    turn = finished(twin, token, turn_id)
    assert turn["message"]["content"] == "All of it"
    assert "partial" not in turn["message"]["metadata"]


def test_a_turn_that_is_stopped_keeps_what_was_said_and_the_model_is_let_go(
    twin: Twin, server: ModelServer
) -> None:
    endless = [f"word-{place} " for place in range(2_000)]
    server.use(scripted(Reply(pieces=endless, pause_ms=20)))
    token = twin.token()
    with streamed(twin, token) as frames:
        read = [next(frames)]
        turn_id = read[0].data["turn_id"]
        read += [next(frame for frame in frames if frame.name == "chunk")]
        assert twin.request("POST", f"/v1/turns/{turn_id}/stop", token=token).status_code == 202
        read += frames
    reply = read[-1].data
    assert reply["metadata"]["partial"] is True
    assert text_of(read) == reply["message"]["content"]
    assert "".join(endless).startswith(reply["message"]["content"])
    assert len(read) < len(endless)
    assert finished(twin, token, turn_id)["message"]["content"] == reply["message"]["content"]
    eventually(lambda: server.running() == 0)
