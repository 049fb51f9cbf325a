"""What `sam build` makes of unchanged layers, and how large the chat function gets to be on Lambda."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from tests.benchmarks.figures import Figure, Report, at_most
from tests.built.building import ROOT, Build

CHAT = "ChatFunction"
MIB = 1024 * 1024


def measure() -> Report:
    """A second build, and the unzipped sizes of the first."""
    folder = ROOT / ".aws-sam" / "build"
    if not (folder / "template.yaml").exists():
        yield "left out: there is no build; `make build` makes one"
        return
    seconds, made = timed_build()
    yield f"brought up to date in {seconds:.0f} s, {made} functions and layers built; then, once:"
    seconds, made = timed_build()
    yield Figure("sam build with nothing changed", seconds, "s")
    yield Figure("functions and layers it built again", made, "", at_most(0))
    build = Build(folder)
    layers = {path.name: size_mib(path) for path in build.layers(CHAT)}
    for name, size in layers.items():
        yield Figure(f"{name}, unzipped", size, "MiB")
    yield Figure("the chat function's own package", size_mib(build.function(CHAT)), "MiB")
    yield Figure("chat's layers together, unzipped", sum(layers.values()), "MiB", at_most(235))


def timed_build() -> tuple[float, int]:
    """Seconds of a build, and how many functions and layers were made anew instead of taken from the
    cache."""
    started = time.monotonic()
    command = ["make", "--no-print-directory", "build"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return time.monotonic() - started, ended.stderr.count("Running CustomMakeBuilder:MakeBuild")


def size_mib(folder: Path) -> float:
    """What Lambda counts: the bytes of all files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MIB
