"""What a cold start imports: what turns need only to prepare them, a model's client library only for a model
call, the tokenizer only to store.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from operator import truediv
from statistics import median

import pytest

from tests.benchmarks.contexts import vocabulary_folder
from tests.benchmarks.imports import CHAT, FLOOR, MCP, ROOT, function_environment, sample

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class ColdTurn:
    """Which of litellm and tiktoken were imported: with the function, at each event of its first turn, and in
    the end."""

    imported: list[str]
    events: list[tuple[str, list[str]]]
    ended: list[str]


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> ColdTurn:
    folder = vocabulary_folder()
    assert folder is not None
    environment = {
        **function_environment(),
        "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
        "OMNIFORGE_TABLE": f"sqlite:///{tmp_path_factory.mktemp('table') / 'omniforge.db'}",
        "OMNIFORGE_FINISH_QUEUE": "",
        "TIKTOKEN_CACHE_DIR": str(folder),
    }
    command = [sys.executable, "-m", "tests.fakes.deployment.cold_start"]
    ended = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ColdTurn(**json.loads(ended.stdout.splitlines()[-1]))


OURS = (
    "agent",
    "conversation",
    "edge",
    "functions",
    "intent",
    "llm",
    "resilience",
    "storage",
    "tasks",
    "tools",
)
FOR_TURNS = (
    "agent.turns.service",
    "agent.chat",
    "agent.dialogue",
    "intent.offline",
    "intent.rules",
    "intent.times",
)
MOST_MODULES = {"chat": 170, "mcp": 190}
"""Of ours. Each takes about a millisecond of a processor; chat had 570."""
MOST_TIMES_FLOOR = {"chat": 1.3, "mcp": 2.0}
MARGIN = 1.3
"""What a busy machine may add to a ratio: with few processors larger code waits more for memory."""


@pytest.mark.parametrize("name", MOST_MODULES)
def test_a_function_imports_what_every_request_needs_and_turns_and_sdk_later(name: str) -> None:
    code = f"import functions.{name}.app, json, sys; print(json.dumps([*sys.modules]))"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env={**function_environment(), "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"]},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    modules = json.loads(ended.stdout)
    ours = [module for module in modules if module.partition(".")[0] in OURS]

    assert not {*FOR_TURNS, "mcp", "mcp_types", "litellm", "boto3"} & {*modules}
    assert not [module for module in ours if module.startswith("edge.wires.") and module.count(".") > 2]
    assert len(ours) <= MOST_MODULES[name]


def test_importing_a_function_costs_little_more_than_what_it_can_not_do_without() -> None:
    cases = {"floor": FLOOR, "chat": CHAT, "mcp": MCP}
    environment = {**function_environment(), "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"]}
    taken = sample(cases, environment, 5)
    for name, most in MOST_TIMES_FLOOR.items():
        ratio = median(map(truediv, taken[name], taken["floor"]))
        print(f"import of {name}: {ratio:.2f} times the floor, at most {most}")
        assert ratio <= most * MARGIN


def test_importing_the_chat_function_imports_neither_litellm_nor_tiktoken(turn: ColdTurn) -> None:
    assert turn.imported == []


def test_tiktoken_is_not_imported_before_the_reply_is_made(turn: ColdTurn) -> None:
    names = [name for name, _ in turn.events]
    made = len(names) - 1 - names[::-1].index("Chunk")
    assert all(not libraries for _, libraries in turn.events[: made + 1])
    assert names[-1] == "Done"
    assert "tiktoken" in turn.ended


def test_an_offline_turn_never_imports_litellm(turn: ColdTurn) -> None:
    assert "litellm" not in turn.ended
