"""What `sam build` makes of unchanged layers, and how large the chat function gets to be on Lambda."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from tests.benchmarks.figures import Figure, Report, at_most
from tests.built.build import ROOT, Build

CHAT = "ChatFunction"
MIB = 1024 * 1024


def measure() -> Report:
    """A second build, and the unzipped sizes of the first."""
    folder = ROOT / ".aws-sam" / "build"
    if not (folder / "template.yaml").exists():
        yield "left out: there is no build; `make build` makes one"
        return
    seconds, log = timed_build()
    yield f"brought up to date in {seconds:.0f} s, {layers_built(log)} layers built; then, once:"
    seconds, log = timed_build()
    yield Figure("sam build with nothing changed", seconds, "s", at_most(10))
    yield Figure("layers it built again", layers_built(log), "", at_most(0))
    build = Build(folder, log)
    layers = {path.name: size_mib(path) for path in build.layers(CHAT)}
    for name, size in layers.items():
        yield Figure(f"{name}, unzipped", size, "MiB")
    yield Figure("chat's layers together, unzipped", sum(layers.values()), "MiB", at_most(200))


def timed_build() -> tuple[float, str]:
    """Seconds of a build, and what it said."""
    started = time.monotonic()
    command = ["make", "--no-print-directory", "build"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.monotonic() - started, ended.stdout + ended.stderr


def layers_built(log: str) -> int:
    """How many layers were made anew instead of taken from the cache; functions are one file and always
    made."""
    return log.count("Building layer ")


def size_mib(folder: Path) -> float:
    """What Lambda counts: the bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MIB
