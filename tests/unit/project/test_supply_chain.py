"""What is installed is what was locked: with hashes, nothing known as malicious, nothing that runs unasked.

Each check is shown to see a planted fault. Real wheels go through the real Makefiles; nothing asks an index.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
LOCKS = sorted(
    path
    for path in (ROOT / "requirements").glob("*.txt")
    if not path.name.startswith(("denied", "overrides"))
)
RECIPES = ["Makefile", "layers/Makefile", "functions/Makefile", ".ci/run"]
UV = str(Path(sys.executable).with_name("uv"))
PLACE = "https://example.com/simple"

_PINNED = re.compile(
    r"[A-Za-z0-9._-]+(\[[a-z,-]+\])?==[A-Za-z0-9.!+]+( ; [^@:]+)?( --hash=sha256:[0-9a-f]{64})+", re.ASCII
)
_AT_START = re.compile(r"\s*import[ \t]")
_STARTERS = frozenset({"distutils-precedence.pth"})
"""What Python's own venv brings of them."""


def requirements(lock: str) -> list[str]:
    """The lock's entries, each with its options on one line."""
    lines = re.sub(r"\s*\\\n\s*", " ", lock).splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def unpinned(lock: str) -> list[str]:
    """Entries that could be installed as something else: no version, no hash, an address, an option."""
    return [line for line in requirements(lock) if not _PINNED.fullmatch(line)]


def versions(lock: str) -> Iterator[tuple[str, str]]:
    for line in requirements(lock):
        name, version = re.split(r"==|[ ;]", line.partition(" ")[0], maxsplit=1)
        yield canonicalize_name(name.partition("[")[0]), version


def denied(lock: str, constraints: str) -> list[str]:
    """Entries the constraints exclude."""
    excluded = {
        str(canonicalize_name(each.name)): each.specifier
        for each in map(Requirement, requirements(constraints))
    }
    return [
        f"{name}=={version}"
        for name, version in versions(lock)
        if name in excluded and not excluded[name].contains(version, prereleases=True)
    ]


def packages(lock: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The packages of an npm lock, by their names."""
    for path, package in lock["packages"].items():
        if path:
            yield package.get("name", path.rpartition("node_modules/")[2]), package


def denied_of_npm(lock: Mapping[str, Any], listed: str) -> list[str]:
    """Packages the list names, as a version or whole."""
    names = set(requirements(listed))
    found = [(name, f"{name}@{package['version']}") for name, package in packages(lock)]
    return [exact for name, exact in found if {name, exact} & names]


def unverified_of_npm(lock: Mapping[str, Any]) -> list[str]:
    """Packages that could be something else, or would run something while they are installed."""
    return [
        name
        for name, package in packages(lock)
        if not str(package.get("integrity")).startswith("sha512-") or package.get("hasInstallScript")
    ]


def unchecked_installs(recipe: str) -> list[str]:
    """Commands that install Python packages without comparing hashes."""
    commands = re.sub(r"\\\n\s*", " ", recipe)
    found = re.findall(r"^.*\bpip[\"',]*\s+[\"']?install\b.*$", commands, re.MULTILINE)
    return [line.strip() for line in found if "--require-hashes" not in line]


def starters(folder: Path) -> list[str]:
    """Files that make Python run something when it starts."""
    return [
        path.name
        for path in sorted(folder.glob("*.pth"))
        if any(map(_AT_START.match, path.read_text().splitlines()))
    ]


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def npm_lock(folder: str) -> dict[str, Any]:
    lock: dict[str, Any] = json.loads(read(f"{folder}/package-lock.json"))
    return lock


def page_lock() -> dict[str, Any]:
    return npm_lock("web")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_everything_in_a_lock_is_pinned_by_version_and_hash(lock: Path) -> None:
    assert requirements(lock.read_text())
    assert unpinned(lock.read_text()) == []


@pytest.mark.parametrize(
    "planted",
    [
        "litellm",
        "litellm>=1.106",
        "litellm==1.106.2",
        "litellm==1.106.2 --hash=md5:" + "0" * 32,
        "litellm==1.106.2 --hash=sha256:0",
        "litellm==1.* --hash=sha256:" + "0" * 64,
        "litellm @ https://example.com/litellm.whl --hash=sha256:" + "0" * 64,
        "https://example.com/litellm.whl --hash=sha256:" + "0" * 64,
        "git+https://example.com/litellm",
        "-e .",
        "-r other.txt",
        *(f"--{which}index-url {PLACE}" for which in ("", "extra-")),
        "--trusted-host example.com",
    ],
)
def test_what_is_not_pinned_is_noticed(planted: str) -> None:
    lock = read("requirements/edge.txt")
    assert unpinned(f"{lock}\n{planted}\n") == [planted]


def test_layers_and_functions_install_locks_and_nothing_else() -> None:
    lists = [path for room in ("layers", "functions") for path in (ROOT / room).glob("*/requirements*")]
    assert len(lists) >= 6
    assert {path.resolve() for path in lists} <= set(LOCKS)


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_install_compares_hashes(recipe: str) -> None:
    assert unchecked_installs(read(recipe)) == []


def test_an_install_that_compares_none_is_noticed() -> None:
    assert unchecked_installs("\t$(BIN)/python -m pip install --quiet \\\n\t  litellm\n") != []
    assert unchecked_installs("\t$(UV) pip install -r requirements.txt\n") != []
    assert unchecked_installs(read("layers/Makefile").replace("--require-hashes", "")) != []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_nothing_malicious_is_locked(lock: Path) -> None:
    assert denied(lock.read_text(), read("requirements/denied.txt")) == []


@pytest.mark.parametrize(
    "planted", ["litellm==1.82.7", "litellm==1.82.8", "LiteLLM==1.82.8", "telnyx[x]==4.87.1"]
)
def test_what_is_malicious_is_noticed(planted: str) -> None:
    hashed = f"{planted} --hash=sha256:" + "0" * 64
    lock = f"{read('requirements/litellm.txt')}\n{hashed}\n"
    assert len(denied(lock, read("requirements/denied.txt"))) == 1


def test_a_lock_is_made_around_what_is_malicious(tmp_path: Path) -> None:
    assert "--constraints denied.txt" in read("Makefile")
    for version in ("1.82.6", "1.82.7", "1.82.8"):
        wheel(tmp_path, "litellm", version)
    (tmp_path / "wanted.in").write_text("litellm\n")
    offline = ["--no-index", "--find-links", str(tmp_path), "--no-config", "--no-cache", "--no-annotate"]
    constraints = ["--constraints", str(ROOT / "requirements" / "denied.txt")]
    made = run([UV, "pip", "compile", "--quiet", *offline, *constraints, str(tmp_path / "wanted.in")])
    assert dict(versions(made.stdout)) == {"litellm": "1.82.6"}


@pytest.mark.parametrize(("folder", "least"), [("web", 100), ("tests/policies", 4), ("tests/clients", 20)])
def test_of_npms_packages_each_is_verified_and_none_runs_while_it_is_installed(
    folder: str, least: int
) -> None:
    lock = npm_lock(folder)
    assert len(list(packages(lock))) >= least
    assert unverified_of_npm(lock) == []
    assert denied_of_npm(lock, read("requirements/denied-npm.txt")) == []
    assert "ignore-scripts=true" in read(f"{folder}/.npmrc").splitlines()
    assert not re.search(r"npm\)? (install|i|add)\b", read("Makefile"))


@pytest.mark.parametrize(
    "planted",
    [{}, {"integrity": "sha1-AAAA"}, {"integrity": "sha512-AAAA", "hasInstallScript": True}],
)
def test_a_page_package_that_is_not_verified_is_noticed(planted: dict[str, Any]) -> None:
    lock = page_lock()
    lock["packages"]["node_modules/react/node_modules/planted"] = {"version": "1.0.0", **planted}
    assert unverified_of_npm(lock) == ["planted"]


@pytest.mark.parametrize(("name", "version"), [("debug", "4.4.2"), ("plain-crypto-js", "4.2.1")])
def test_a_malicious_page_package_is_noticed(name: str, version: str) -> None:
    lock = page_lock()
    lock["packages"][f"node_modules/{name}"] = {"version": version}
    assert denied_of_npm(lock, read("requirements/denied-npm.txt")) == [f"{name}@{version}"]


def test_nothing_of_the_development_environment_runs_when_python_starts() -> None:
    assert set(starters(Path(sysconfig.get_path("purelib")))) <= _STARTERS


def test_what_would_run_when_python_starts_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "litellm_init.pth").write_text("import os, subprocess\n")
    (tmp_path / "rooms.pth").write_text("/opt/python\n# import this\n")
    assert starters(tmp_path) == ["litellm_init.pth"]


def wheel(folder: Path, name: str, version: str = "1.0", **files: str) -> tuple[Path, str]:
    """A wheel made by hand, and its hash; names of files have ``__`` for their dots."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    contents = {
        f"{name}.py": "",
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **{file.replace("__", "."): text for file, text in files.items()},
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in contents.items():
            archive.writestr(file, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in (*contents, f"{info}/RECORD")))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def run(command: list[str], folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def made(kind: str, requirement: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """What our Makefile for layers, or for functions, says of a list of requirements."""
    folder = tmp_path / "source"
    folder.mkdir()
    shutil.copy(ROOT / {"Layer": "layers", "Function": "functions"}[kind] / "Makefile", folder)
    (folder / "app.py").touch()
    (folder / "requirements.txt").write_text(requirement + "\n")
    variables = [f"ARTIFACTS_DIR={tmp_path / 'made'}", f"UV={UV} --offline --no-cache", "ROOMS=app.py"]
    return run(["make", f"build-Planted{kind}", *variables], folder)


@pytest.mark.parametrize("kind", ["Layer", "Function"])
def test_a_build_installs_what_has_the_hash_that_was_locked(kind: str, tmp_path: Path) -> None:
    path, digest = wheel(tmp_path, "sound")
    built = made(kind, f"sound @ {path.as_uri()} --hash=sha256:{digest}", tmp_path)
    assert built.returncode == 0, built.stderr
    assert list((tmp_path / "made").rglob("sound.py"))


@pytest.mark.parametrize("kind", ["Layer", "Function"])
@pytest.mark.parametrize("suffix", ["", " --hash=sha256:" + "0" * 64], ids=["no hash", "another hash"])
def test_a_build_stops_where_the_hash_is_missing_or_another(kind: str, suffix: str, tmp_path: Path) -> None:
    path, _ = wheel(tmp_path, "swapped")
    built = made(kind, f"swapped @ {path.as_uri()}{suffix}", tmp_path)
    assert built.returncode != 0
    assert "hash" in built.stderr.lower()
    assert not list((tmp_path / "made").rglob("swapped.py"))


@pytest.mark.parametrize("kind", ["Layer", "Function"])
@pytest.mark.parametrize("file", ["litellm_init__pth", "sitecustomize__py", "usercustomize__py"])
def test_a_build_stops_where_something_would_run_when_python_starts(
    kind: str, file: str, tmp_path: Path
) -> None:
    path, digest = wheel(tmp_path, "planted", **{file: "import os\n"})
    built = made(kind, f"planted @ {path.as_uri()} --hash=sha256:{digest}", tmp_path)
    assert built.returncode != 0
    assert "it runs when Python starts" in built.stdout
