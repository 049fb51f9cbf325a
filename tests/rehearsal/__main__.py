"""`make rehearse`: builds the stack, deploys it on a stand-in for AWS, and goes through a deployment's life.

It ends with 0 when every step ended as it should, and with 1 at the first that did not.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from local.template.sam_translation import TemplateInvalid, read_template
from tests.built.build import ROOT, Interpreter, host_platform, last_build, sam_build
from tests.rehearsal import inventory
from tests.rehearsal.day import Day
from tests.rehearsal.page import Reader, StepFailed
from tests.rehearsal.plants import PLANTS
from tests.rehearsal.stack import Stack
from tests.rehearsal.stand_in import stand_in
from tests.rehearsal.template import read_built

T = TypeVar("T")
PYTHON = ROOT / ".venv-rehearsal" / "bin" / "python"


def main() -> int:
    """Run the rehearsal of the command line; return its exit code."""
    parser = argparse.ArgumentParser(prog="make rehearse", description=__doc__)
    parser.add_argument("--plant", choices=PLANTS, help="plant a fault, which the rehearsal has to find")
    parser.add_argument("--accept", action="store_true", help="record the template's facts as those expected")
    parser.add_argument("--built", action="store_true", help="take the last build as it is")
    options = parser.parse_args()
    if options.accept:
        found = inventory.facts(read_template(ROOT / "template.yaml"))
        inventory.EXPECTED.write_text("\n".join(found) + "\n", encoding="utf-8")
        print(f"{inventory.EXPECTED.name}: {len(found)} facts")
        return 0
    # Ends what was started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    started = time.monotonic()
    try:
        _rehearse(options.plant, is_built=options.built)
    except StepFailed as failed:
        print(f"FAILED: {failed}")
        return 1
    finally:
        print(f"{time.monotonic() - started:.0f} s in all")
    return 0


def _rehearse(plant: str | None, *, is_built: bool) -> None:
    python = Interpreter.find()
    build = last_build(host_platform(), python.version).folder
    if not is_built:
        _step("build", lambda: sam_build(host_platform(), python.version).log.count("\n"))
    built = read_built(build)
    if plant is not None:
        PLANTS[plant](built, build)
    with tempfile.TemporaryDirectory() as folder:
        translated = _step("translate", lambda: _translated(built, Path(folder)))
        _step("inventory", lambda: _checked(translated))
        with (
            stand_in(PYTHON, Path(folder)) as aws,
            Reader(Path(folder, "checkout"), aws.variables, PYTHON.parent) as reader,
        ):
            for name, step in Day(Stack(aws, reader, build), built, translated).steps():
                _step(name, step)


def _translated(built: object, folder: Path) -> dict[str, Any]:
    path = folder / "template.yaml"
    path.write_text(json.dumps(built, default=str), encoding="utf-8")
    try:
        return dict(read_template(path))
    except TemplateInvalid as invalid:
        raise StepFailed(f"the template can't be translated: {invalid}") from None


def _checked(translated: dict[str, Any]) -> str:
    difference = inventory.compare(translated)
    if difference.gone or difference.new:
        lines = [f"gone: {each}" for each in difference.gone] + [
            f"not recorded: {each}" for each in difference.new
        ]
        raise StepFailed("\n".join([*lines, "If this is meant: python -m tests.rehearsal --accept"]))
    return f"{len(inventory.facts(translated))} facts, none gone"


def _step(name: str, step: Callable[[], T]) -> T:
    started = time.monotonic()
    print(f"{name} ...", flush=True)
    seen = step()
    print(
        f"   {time.monotonic() - started:5.1f} s  {str(seen)[:600] if isinstance(seen, str) else ''}",
        flush=True,
    )
    return seen


if __name__ == "__main__":
    sys.exit(main())
