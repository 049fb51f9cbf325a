"""README's sessions, typed into a shell against a fresh twin: they print what README says they print."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.fakes.deployment.twin import ROOT, Twin

README = (ROOT / "README.md").read_text(encoding="utf-8")


def session() -> list[tuple[str, str]]:
    """The commands of README's console blocks, each with the output printed below it."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    steps = re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (step.partition("\n") for step in steps)]


def test_readmes_sessions_print_what_readme_says(tmp_path: Path) -> None:
    steps = session()
    assert sum(bool(output) for _, output in steps) >= 4
    with Twin(tmp_path / "data") as twin:
        script = "".join(f"{command}\nprintf '\\036'\n" for command, _ in steps)
        script = script.replace(":8787", f":{twin.port}").replace(
            ".venv/bin/python -m local", f"{ROOT}/.venv/bin/python -m local"
        )
        ran = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=tmp_path,
            env={
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                "OMNIFORGE_DATA": str(twin.data),
                "PYTHONPATH": str(ROOT),
                "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
            },
            capture_output=True,
            text=True,
            check=True,
        )
    assert ran.stdout.split("\036")[:-1] == [output for _, output in steps]


def test_every_file_and_module_readme_names_exists() -> None:
    named = set(re.findall(r"`((?:events|functions|layers|local|tests|requirements)/[\w./-]*)`", README))
    assert named
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
