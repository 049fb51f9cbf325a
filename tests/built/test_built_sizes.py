"""A function's size as Lambda counts it, in bytes of the unpacked files; and what a second build repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.built.build import LAMBDA_PLATFORM, RUNTIME_PYTHON, Build, built_once, sam_build

pytestmark = pytest.mark.built

CHAT_LIMIT_MIB = 235
LAMBDA_LIMIT_MIB = 250


@pytest.fixture
def deployable() -> Build:
    return built_once(LAMBDA_PLATFORM, RUNTIME_PYTHON)


def test_the_layers_of_chat_leave_room_below_the_limit_of_lambda(deployable: Build) -> None:
    sizes = {layer.name: size_mib(layer) for layer in deployable.layers("ChatFunction")}
    assert 0 < sum(sizes.values()) <= CHAT_LIMIT_MIB, sizes


@pytest.mark.parametrize("function", ["AgentRunsFunction", "McpFunction"])
def test_the_functions_that_speak_mcp_stay_below_the_limit_of_lambda(
    deployable: Build, function: str
) -> None:
    own = size_mib(deployable.function(function))
    assert 1 < own <= LAMBDA_LIMIT_MIB - sum(map(size_mib, deployable.layers(function))), own


@pytest.mark.usefixtures("deployable")
def test_layers_that_did_not_change_are_not_built_again() -> None:
    assert "Building layer" not in sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON).log


def size_mib(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20
