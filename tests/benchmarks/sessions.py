"""100 people at once, each asking a question that takes a fast model, a strong one and a tool, over the twin.

Every answer of the scripted model server takes 200 ms, so a question takes 800 ms at the least:
understanding, routing, the tool's call and the answer.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from local.workers.pool import default_workers
from tests.benchmarks.figures import Figure, Report, at_most
from tests.fakes.deployment.twin import Twin
from tests.fakes.models.model_script import Reply, Request
from tests.fakes.models.model_server import ModelServer

SESSIONS = 100
DELAY_MS = 200
LONGEST_S = 5.0
"""Source: seed 004, the chat orchestration's performance goals for 100 concurrent sessions."""

FAST, STRONG = "gpt-4o-mini", "openai/deep-thinker"
QUESTION = "In how many orders can five friends queue at each of the eight doors of a hall?"
_READY_S = 60.0


@dataclass(frozen=True)
class _Turn:
    """One turn as its user saw it."""

    seconds: float
    status: int
    is_answered: bool
    """Whether a strong model and its tool answered, and not the rules."""


def measure() -> Report:
    """What 100 concurrent sessions saw of two turns each."""
    with _twin() as twin:
        tokens = [twin.token(user=f"user{number}") for number in range(SESSIONS)]
        with ThreadPoolExecutor(SESSIONS) as people:
            turns = [
                turn
                for session in people.map(lambda token: _session(twin, token), tokens)
                for turn in session
            ]
    taken = statistics.quantiles([turn.seconds for turn in turns], n=20)
    failed = Counter(turn.status for turn in turns if turn.status != 200)
    yield f"{SESSIONS} sessions of two questions, a model server of {DELAY_MS} ms, all on this machine"
    yield Figure("errors", sum(failed.values()), "turns", at_most(0))
    if failed:
        yield f"statuses: {dict(failed)}"
    yield Figure(
        "answered without the strong model", sum(not turn.is_answered for turn in turns), "turns", at_most(0)
    )
    yield Figure("turn with a tool among 100 sessions, p50", taken[9], "s")
    yield Figure("turn with a tool among 100 sessions, p95", taken[18], "s", at_most(LONGEST_S))


@contextmanager
def _twin() -> Iterator[Twin]:
    """A twin whose workers are all warm."""
    with tempfile.TemporaryDirectory() as data, ModelServer(_say) as server:
        environ = {
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "none",
            "OMNIFORGE_INTENT_MODEL": FAST,
            "OMNIFORGE_INTENT_DEADLINE_MS": "5000",
            "OMNIFORGE_STRONG_MODELS": STRONG,
        }
        with Twin(Path(data), environ=environ, workers=None) as twin:
            _wait_for_models(twin)
            yield twin


def _wait_for_models(twin: Twin) -> None:
    until = time.monotonic() + _READY_S
    tokens = [twin.token(user=f"first{number}") for number in range(4 * default_workers())]
    with ThreadPoolExecutor(len(tokens)) as people:
        while time.monotonic() < until:
            first = people.map(lambda token: _ask(twin, token, None)[0].is_answered, tokens)
            if all(list(first)):
                return


def _session(twin: Twin, token: str) -> list[_Turn]:
    first, conversation_id = _ask(twin, token, None)
    return [first, _ask(twin, token, conversation_id)[0]]


def _ask(twin: Twin, token: str, conversation_id: str | None) -> tuple[_Turn, str | None]:
    started = time.perf_counter()
    response = twin.chat(QUESTION, token=token, conversation_id=conversation_id)
    seconds = time.perf_counter() - started
    if response.status_code != 200:
        return _Turn(seconds, response.status_code, False), conversation_id
    body = response.json()
    is_answered = body["message"]["content"] == "It is 960." and bool(body["metadata"]["routing"])
    return _Turn(seconds, 200, is_answered), body["conversation_id"]


def _say(request: Request) -> Reply:
    if request.tool_results:
        return Reply(content="It is 960.", delay_ms=DELAY_MS)
    if request.offered_tools:
        call = {"name": "calculator", "arguments": {"expression": "5! * 8"}}
        return Reply(tool_calls=[call], delay_ms=DELAY_MS)
    if "Pick who answers" in request.system:
        choice = {"model": STRONG, "tools": ["calculator"], "can_answer": True, "think": False, "reason": ""}
        return Reply(decision=choice, delay_ms=DELAY_MS)
    understood = {
        "action_type": "query_info",
        "confidence": 0.95,
        "entities": {},
        "question_subject": "general",
    }
    return Reply(decision=understood, delay_ms=DELAY_MS)
