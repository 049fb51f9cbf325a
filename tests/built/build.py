"""`sam build` for the machine the tests run on, and what every Lambda runtime brings by itself.

The build of each platform has a folder and a cache of its own below `.aws-sam`, so that neither takes the
other's artefacts for current.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import pytest
from samtranslator.yaml_helper import yaml_parse

ROOT = Path(__file__).resolve().parents[2]
RUNTIME_PYTHON = "3.13"
LAMBDA_PLATFORM = "aarch64-manylinux_2_28"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python to run functions with: the runtime's version where the machine has it, else the tests' own."""

    path: str
    version: str

    @classmethod
    def find(cls) -> Interpreter:
        """The first that starts; a shim of pyenv may stand for a version that is not active."""
        for path in (f"python{RUNTIME_PYTHON}", *map(str, _pyenv_versions())):
            if _version_of(path) == RUNTIME_PYTHON:
                return cls(path, RUNTIME_PYTHON)
        return cls(sys.executable, f"{sys.version_info.major}.{sys.version_info.minor}")


@dataclass(frozen=True)
class Build:
    """What `sam build` made, by the logical ids of the template; ``log`` is what it said."""

    folder: Path
    log: str

    @cached_property
    def template(self) -> Mapping[str, Any]:
        """The template with the built folders in place of the sources."""
        built: Mapping[str, Any] = yaml_parse((self.folder / "template.yaml").read_text(encoding="utf-8"))
        return built

    def functions(self) -> tuple[str, ...]:
        """The logical ids of all functions."""
        resources = self.template["Resources"].items()
        return tuple(name for name, each in resources if each["Type"] == "AWS::Serverless::Function")

    def function(self, name: str) -> Path:
        """The folder Lambda would mount at /var/task."""
        return self.folder / str(self._properties(name)["CodeUri"])

    def layers(self, function: str) -> tuple[Path, ...]:
        """The folders Lambda would merge into /opt, in their order."""
        names = [layer["Ref"] for layer in self._properties(function)["Layers"]]
        return tuple(self.folder / str(self._properties(name)["ContentUri"]) for name in names)

    def handler(self, function: str) -> str:
        """What Lambda would call."""
        shared = self.template["Globals"]["Function"]["Handler"]
        return str(self._properties(function).get("Handler", shared))

    def variables(self, function: str) -> dict[str, str]:
        """The function's environment as far as the template itself knows the values."""
        shared = self.template["Globals"]["Function"]["Environment"]["Variables"]
        own = self._properties(function).get("Environment", {}).get("Variables", {})
        return {name: value for name, value in {**shared, **own}.items() if isinstance(value, str)}

    def memory_mb(self, function: str) -> int:
        """How much memory the function has."""
        shared = self.template["Globals"]["Function"]["MemorySize"]
        return int(self._properties(function).get("MemorySize", shared))

    def policies(self, function: str) -> list[Any]:
        """What the function's role may do."""
        policies: list[Any] = self._properties(function).get("Policies", [])
        return policies

    def _properties(self, name: str) -> Mapping[str, Any]:
        properties: Mapping[str, Any] = self.template["Resources"][name]["Properties"]
        return properties


def built_once(target: str, python: str) -> Build:
    """The stack, built once in a run of the tests however many processes of it ask."""
    base = _base(target, python)
    run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    with _alone(base):
        stamp = base / "built-for"
        if not stamp.exists() or stamp.read_text() != run_id:
            sam_build(target, python)
            stamp.write_text(run_id)
    return last_build(target, python)


def last_build(target: str, python: str) -> Build:
    """The stack as it was built last for a platform."""
    return Build(_base(target, python) / "build", "")


def sam_build(target: str, python: str) -> Build:
    """The stack, built for a platform as uv names it; layers that did not change are kept."""
    base = _base(target, python)
    folders = ["--build-dir", str(base / "build"), "--cache-dir", str(base / "cache")]
    variables = {"LAYER_PLATFORM": target, "LAYER_PYTHON": python, "SAM_CLI_TELEMETRY": "0"}
    for source in (ROOT / "layers", ROOT / "functions"):
        # To sam's cache the bytecode of the tests is a change.
        for bytecode in source.rglob("__pycache__"):
            shutil.rmtree(bytecode, ignore_errors=True)
    return Build(base / "build", run([find_sam(), "build", *folders], variables))


def lambda_runtime(target: str, python: str) -> Path:
    """A folder with the runtime client and the boto3 that Lambda has beside any function."""
    folder = _base(target, python) / "runtime"
    with _alone(folder.parent):
        _install_runtime(folder, target, python)
    return folder


def _install_runtime(folder: Path, target: str, python: str) -> None:
    lock = ROOT / "requirements" / "runtime.txt"
    installed = folder / lock.name
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        shutil.rmtree(folder, ignore_errors=True)
        where = ["--target", str(folder), "--python-version", python, "--python-platform", target]
        how = [
            "--quiet",
            "--only-binary",
            ":all:",
            "--no-deps",
            "--require-hashes",
            "--requirement",
            str(lock),
        ]
        run([str(Path(sys.executable).with_name("uv")), "pip", "install", "--no-config", *where, *how])
        shutil.copy(lock, installed)


def _base(target: str, python: str) -> Path:
    return ROOT / ".aws-sam" / f"{target}-{python}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process of the tests at a time: they share the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def host_platform() -> str:
    """This machine, as uv names platforms."""
    return f"{platform.machine()}-manylinux_2_28"


def emulator() -> Path:
    """The Runtime Interface Emulator for this machine, which sam brings along."""
    architecture = {"x86_64": "x86_64", "aarch64": "arm64"}[platform.machine()]
    library = Path(find_sam()).resolve().parents[1] / "lib"
    (found,) = library.glob(f"python3*/site-packages/samcli/local/rapid/aws-lambda-rie-{architecture}")
    return found


def run(command: list[str], variables: Mapping[str, str] | None = None) -> str:
    """What a command wrote that ended well; one that did not fails the test."""
    environment = {**os.environ, **(variables or {})}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def find_sam() -> str:
    """The program of aws-sam-cli: ours, else the one on the path."""
    own = ROOT / ".venv-sam" / "bin" / "sam"
    found = str(own) if own.exists() else shutil.which("sam")
    return found or missing(own)


def missing(program: Path) -> NoReturn:
    """Fail the test with the command that installs what it needs."""
    pytest.fail(
        f"There is no {program.name} yet: `make {program.relative_to(ROOT)}` installs it.", pytrace=False
    )


def _pyenv_versions() -> Iterator[Path]:
    pyenv = shutil.which("pyenv")
    if pyenv:
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=True).stdout.strip()
        yield from sorted(Path(root).glob(f"versions/{RUNTIME_PYTHON}.*/bin/python"))


def _version_of(python: str) -> str | None:
    try:
        said = subprocess.run(
            [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return None
    return said.stdout.strip()
