"""A function's size as Lambda counts it, in bytes of the unpacked files; and what a second build repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.built.building import LAMBDA_PLATFORM, RUNTIME_PYTHON, sam_build

pytestmark = pytest.mark.built

CHAT_LIMIT_MIB = 235
LAMBDA_LIMIT_MIB = 250


def test_the_layers_of_chat_leave_room_below_the_limit_of_lambda() -> None:
    build = sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON)
    sizes = {layer.name: size_mib(layer) for layer in build.layers("ChatFunction")}
    assert 0 < sum(sizes.values()) <= CHAT_LIMIT_MIB, sizes


@pytest.mark.parametrize("function", ["AgentRunsFunction", "McpFunction"])
def test_the_functions_that_speak_mcp_stay_below_the_limit_of_lambda(function: str) -> None:
    build = sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON)
    own = size_mib(build.function(function))
    assert 1 < own <= LAMBDA_LIMIT_MIB - sum(map(size_mib, build.layers(function))), own


def test_layers_that_did_not_change_are_not_built_again() -> None:
    sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON)
    assert "Building layer" not in sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON).log


def size_mib(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
