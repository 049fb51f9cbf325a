"""The twin with several processes that run the functions, and what it means when one is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.sse_client import frames_in
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.slow

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
REPLACED = "Another one takes its place."


def children(process: int) -> list[int]:
    """The ids of a process's children, oldest first."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(after_name[1]) == process and after_name[0] != "Z":
            found.append(int(status.parent.name))
    return sorted(found)


def fork_server(twin: Twin) -> int:
    """The process that forks the workers of a twin."""
    [server] = children(twin.pid)
    [process] = children(server)
    return process


def test_by_default_it_chats_streams_and_follows_up_as_one_process_does(tmp_path: Path) -> None:
    with Twin(tmp_path, workers=None) as twin:
        token = twin.token()
        reply = twin.chat("add a task to call mom", token=token).json()
        streamed = twin.request("POST", "/v1/chat/stream", token=token, json={"message": "help"})
        *_, last = frames_in([streamed.content])
        assert (last.name, last.data["conversation_id"] != reply["conversation_id"]) == ("done", True)
        eventually(lambda: twin.get("/v1/search?q=mom", token=token)["items"])  # the stream's consumer
        assert twin.get("/v1/search?q=mom", token=twin.token(user="noor"))["items"] == []
        before = twin.logs
        assert twin.stop() == 0
        assert twin.logs == before


def test_requests_at_once_are_answered_by_all_processes(tmp_path: Path) -> None:
    with Twin(tmp_path, workers=3) as twin, ThreadPoolExecutor(12) as people:
        tokens = [twin.token(user=f"user{number}") for number in range(12)]
        answers = list(people.map(lambda token: twin.chat("add a task to rest", token=token), tokens))
        assert {answer.status_code for answer in answers} == {200}
        for token in tokens:
            [task] = twin.get("/v1/tasks", token=token)["items"]
            assert task["title"] == "rest"
        assert len(children(fork_server(twin))) == 3


@contextmanager
def waiting_for_its_model(data: Path) -> Iterator[tuple[Twin, Callable[[], object]]]:
    """A twin whose model never answers "hang on", and what waits until it is asked."""
    hanging = Script([Rule("hang on", Reply(mode="hang"), times=1)])
    with ModelServer(hanging) as server:
        environ = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_INTENT_DEADLINE_MS": "20000",
        }
        with Twin(data, environ=environ, clock=MORNING, workers=2) as twin:
            eventually(twin.is_model_ready)
            yield twin, lambda: eventually(lambda: _has_question(server))


def _has_question(server: ModelServer) -> bool:
    return any("hang on" in request.last_user_message for request in server.log().requests)


def kill_workers(twin: Twin) -> list[int]:
    """Kill the processes that run the functions, and return their ids."""
    workers = children(fork_server(twin))
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    return workers


def test_a_killed_process_fails_its_request_as_the_gateway_does_and_is_replaced(tmp_path: Path) -> None:
    with waiting_for_its_model(tmp_path) as (twin, wait_for_question), ThreadPoolExecutor(1) as people:
        token = twin.token()
        talk = twin.request("POST", "/v1/conversations", token=token, json={}).json()["id"]
        lost = people.submit(twin.chat, "hang on", token=token, conversation_id=talk)
        wait_for_question()
        killed = kill_workers(twin)
        answer = lost.result()
        assert answer.is_server_error
        assert answer.headers["content-type"] == "application/problem+json"
        twin.set_clock(MORNING + timedelta(minutes=1))  # its lease is over
        assert twin.chat("help", token=token, conversation_id=talk).status_code == 200
        first = twin.get(f"/v1/conversations/{talk}/messages", token=token)["items"][0]
        assert first["content"] == "hang on"
        eventually(lambda: twin.logs.count(REPLACED) == len(killed))
        assert not set(killed) & set(children(fork_server(twin)))


def test_a_stream_whose_process_is_killed_never_looks_complete(tmp_path: Path) -> None:
    with waiting_for_its_model(tmp_path) as (twin, wait_for_question):
        stream = twin.http.stream(
            "POST",
            "/v1/chat/stream",
            json={"message": "hang on"},
            headers={"Authorization": f"Bearer {twin.token()}"},
        )
        with stream as response:
            chunks = response.iter_bytes()
            assert b"event: turn" in next(chunks)
            wait_for_question()
            kill_workers(twin)
            with pytest.raises(httpx.RemoteProtocolError):
                list(chunks)


def test_a_killed_twin_leaves_no_process_and_starts_again_where_it_was(tmp_path: Path) -> None:
    with Twin(tmp_path, workers=2) as twin:
        token = twin.token()
        twin.chat("add a task to rest", token=token)
        os.kill(fork_server(twin), signal.SIGKILL)
        eventually(lambda: REPLACED in twin.logs)
        assert twin.chat("help", token=token).status_code == 200
        forker = fork_server(twin)
        processes = [forker, *children(forker)]
        twin.kill9()
        eventually(lambda: not any(Path(f"/proc/{process}").exists() for process in processes))
        twin.restart()
        [task] = twin.get("/v1/tasks", token=token)["items"]
        assert task["title"] == "rest"
