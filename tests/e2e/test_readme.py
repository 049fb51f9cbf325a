"""README's first session, typed into a shell against a fresh twin: it prints what README says it prints."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.fakes.twin import ROOT, Twin

README = (ROOT / "README.md").read_text(encoding="utf-8")


def session() -> list[tuple[str, str]]:
    """The commands of README's console block, each with the output printed below it."""
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL)
    assert block is not None
    steps = re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (step.partition("\n") for step in steps)]


def test_the_session_on_readmes_first_screen_prints_what_readme_says(tmp_path: Path) -> None:
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
