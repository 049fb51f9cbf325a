"""The documents' shell sessions, typed into a shell against a fresh twin: they print what is shown."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.fakes.deployment.twin import ROOT, Twin

OUTPUTS = {"README.md": 4, "docs/api.md": 3}
"""The documents with sessions, and how many outputs each one shows at least."""


def session(document: str) -> list[tuple[str, str]]:
    """Return the commands of a document's console blocks, each with the output printed below it."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    steps = re.split(r"^\$ ", "".join(blocks), flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (step.partition("\n") for step in steps)]


@pytest.mark.parametrize("document", OUTPUTS)
def test_a_documents_session_prints_what_the_document_says(document: str, tmp_path: Path) -> None:
    steps = session(document)
    assert sum(bool(output) for _, output in steps) >= OUTPUTS[document]
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
    assert ran.stdout.split("\036")[:-1] == [output.replace(":8787", f":{twin.port}") for _, output in steps]
