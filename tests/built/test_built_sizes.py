"""A function's size as Lambda counts it, in bytes of the unpacked files; what it is built for; and what a
second build repeats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.built.build import LAMBDA_PLATFORM, RUNTIME_PYTHON, Build, built_once, sam_build

pytestmark = pytest.mark.built

PLATFORMS = {"arm64": LAMBDA_PLATFORM, "x86_64": "x86_64-manylinux_2_28"}
MACHINES = {"arm64": 183, "x86_64": 62}
"""What the header of a library calls them (ELF's e_machine)."""

ASKS_MODELS = ("ChatFunction", "StreamFunction", "FinishFunction", "AgentRunsFunction")
"""Those that ask a model for an answer, and may need litellm for it."""
ASKS_NONE = (
    "WorkspaceFunction",
    "McpFunction",
    "ConversationsFunction",
    "TenantsFunction",
    "RetentionFunction",
    "AuthorizerFunction",
)
LIMITS_MIB = {**dict.fromkeys(ASKS_MODELS, 200), **dict.fromkeys(ASKS_NONE, 60)}


@pytest.fixture(params=PLATFORMS)
def architecture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def deployable(architecture: str) -> Build:
    return built_once(PLATFORMS[architecture], RUNTIME_PYTHON)


def test_every_function_keeps_to_its_budget(deployable: Build) -> None:
    sizes = {name: size_mib(deployable, name) for name in LIMITS_MIB}
    assert {name: size for name, size in sizes.items() if not 10 < size <= LIMITS_MIB[name]} == {}


def test_only_functions_that_ask_models_carry_litellm(deployable: Build) -> None:
    carriers = {name for name in LIMITS_MIB if any(mounted(deployable, name, "litellm/__init__.py"))}
    assert carriers == set(ASKS_MODELS)


def test_every_function_counts_tokens_by_the_vocabulary(deployable: Build) -> None:
    folder = deployable.variables("McpFunction")["TIKTOKEN_CACHE_DIR"].removeprefix("/opt/python/")
    assert all(any(mounted(deployable, name, f"{folder}/*")) for name in LIMITS_MIB)


def test_every_library_is_for_the_processor_that_was_asked_for(deployable: Build, architecture: str) -> None:
    libraries = [path for path in deployable.folder.rglob("*.so") if path.is_file()]
    machines = {int.from_bytes(path.read_bytes()[18:20], "little") for path in libraries}
    assert len(libraries) > 10
    assert machines == {MACHINES[architecture]}


def test_every_module_has_its_bytecode(deployable: Build) -> None:
    for name in LIMITS_MIB:
        folder = deployable.function(name)
        assert [*folder.glob("__pycache__/app.*.pyc")], name
        for layer in deployable.layers(name):
            modules = {path for path in layer.rglob("*.py") if path.stat().st_size}
            compiled = {path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in pyc_of(layer)}
            assert len(modules - compiled) < len(modules) / 100, layer


def test_layers_that_did_not_change_are_not_built_again() -> None:
    built_once(LAMBDA_PLATFORM, RUNTIME_PYTHON)
    assert "Building layer" not in sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON).log


def mounted(build: Build, function: str, pattern: str) -> Iterator[Path]:
    """The files of a function's layers at a place below /opt/python."""
    for layer in build.layers(function):
        yield from (layer / "python").glob(pattern)


def pyc_of(folder: Path) -> Iterator[Path]:
    return folder.rglob("__pycache__/*.pyc")


def size_mib(build: Build, function: str) -> float:
    """The function's own files and those of its layers."""
    folders = [build.function(function), *build.layers(function)]
    return sum(path.stat().st_size for each in folders for path in each.rglob("*") if path.is_file()) / 2**20
