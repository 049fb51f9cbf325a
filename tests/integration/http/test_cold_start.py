"""What a cold start imports: a model's client library only for a model call, the tokenizer only to store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from tests.benchmarks.contexts import vocabulary_folder
from tests.benchmarks.imports import ROOT, function_environment

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
