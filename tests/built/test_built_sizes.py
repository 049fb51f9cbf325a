"""A function's size as Lambda counts it, in bytes of the unpacked files; what it is built for; and what a
second build repeats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conversation.token_counts import VOCABULARY_FILE
from tests.built.build import LAMBDA_PLATFORM, RUNTIME_PYTHON, Build, built_once, sam_build

pytestmark = pytest.mark.built

PLATFORMS = {"arm64": LAMBDA_PLATFORM, "x86_64": "x86_64-manylinux_2_28"}
MACHINES = {"arm64": 183, "x86_64": 62}
"""What the header of a library calls them (ELF's e_machine)."""

WITHOUT_LITELLM = (
    "WorkspaceFunction",
    "McpFunction",
    "ConversationsFunction",
    "TenantsFunction",
    "RetentionFunction",
    "AuthorizerFunction",
    "ConsequencesFunction",
    "TokenClaimsFunction",
)
"""Functions that have to be small. All others may ask any model, and may need litellm for it."""
LIMIT_MIB, SMALL_LIMIT_MIB = 200, 64


@pytest.fixture(params=PLATFORMS)
def architecture(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def deployable(architecture: str) -> Build:
    return built_once(PLATFORMS[architecture], RUNTIME_PYTHON)


def test_every_function_keeps_to_its_budget(deployable: Build) -> None:
    sizes = {name: size_mib(deployable, name) for name in deployable.functions()}
    limits = {name: SMALL_LIMIT_MIB if name in WITHOUT_LITELLM else LIMIT_MIB for name in sizes}
    assert len(sizes) > len(WITHOUT_LITELLM) + 3
    assert {name: size for name, size in sizes.items() if size > limits[name]} == {}
    assert {name for name, size in sizes.items() if size < 10} == {"TokenClaimsFunction"}


def test_only_functions_that_ask_any_model_carry_litellm_and_count_tokens(deployable: Build) -> None:
    folder = deployable.variables("ChatFunction")["TIKTOKEN_CACHE_DIR"].removeprefix("/opt/python/")
    for name in deployable.functions():
        carried = {
            file for file in ("tiktoken", f"{folder}/{VOCABULARY_FILE}") if mounted(deployable, name, file)
        }
        assert len(carried) == (0 if name in WITHOUT_LITELLM else 2), name


def test_every_library_is_for_the_processor_that_was_asked_for(deployable: Build, architecture: str) -> None:
    libraries = [path for path in deployable.folder.rglob("*.so") if path.is_file()]
    machines = {int.from_bytes(path.read_bytes()[18:20], "little") for path in libraries}
    assert len(libraries) > 10
    assert machines == {MACHINES[architecture]}


def test_every_module_has_its_bytecode(deployable: Build) -> None:
    for name in deployable.functions():
        folder = deployable.function(name)
        assert [*folder.glob("__pycache__/app.*.pyc")], name
        for layer in deployable.layers(name):
            modules = {path for path in layer.rglob("*.py") if path.stat().st_size}
            compiled = {path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in pyc_of(layer)}
            assert len(modules - compiled) < len(modules) / 100, layer


def test_layers_that_did_not_change_are_not_built_again() -> None:
    built_once(LAMBDA_PLATFORM, RUNTIME_PYTHON)
    assert "Building layer" not in sam_build(LAMBDA_PLATFORM, RUNTIME_PYTHON).log


def mounted(build: Build, function: str, path: str) -> bool:
    """Whether a function's layers have a file or folder at a place below /opt/python."""
    return any((layer / "python" / path).exists() for layer in build.layers(function))


def pyc_of(folder: Path) -> Iterator[Path]:
    return folder.rglob("__pycache__/*.pyc")


def size_mib(build: Build, function: str) -> float:
    """The function's own files and those of its layers."""
    folders = [build.function(function), *build.layers(function)]
    return sum(path.stat().st_size for each in folders for path in each.rglob("*") if path.is_file()) / 2**20
