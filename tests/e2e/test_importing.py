"""What was exported from one deployment, imported into another that is running."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e


def test_an_export_is_imported_into_a_running_twin_and_found_there(tmp_path: Path) -> None:
    with Twin(tmp_path / "here") as here:
        token = here.token()
        chat = here.chat("The budget of Kestrel is 4,200 euros", token=token).json()["conversation_id"]
        here.chat("Which agents do I have?", token=token, conversation_id=chat)
        eventually(lambda: here.get(f"/v1/conversations/{chat}", token=token)["title"])
        exported = here.request("GET", "/v1/export", token=token)
    assert exported.headers["content-type"] == "application/jsonl"
    file = tmp_path / "export.jsonl"
    file.write_bytes(exported.content)
    with Twin(tmp_path / "there") as there:
        command = ["import", "--tenant", "acme", "--user", "maya", "--data", str(there.data), str(file)]
        done = subprocess.run(
            [sys.executable, "-m", "local", *command], cwd=ROOT, check=True, capture_output=True, text=True
        )
        assert done.stdout.startswith("Imported: 1 conversations with 4 messages\n")
        token = there.token()
        assert there.request("GET", "/v1/export", token=token).content == exported.content
        [hit, *_] = eventually(lambda: there.get("/v1/search?q=kestrel", token=token)["items"])
        assert hit["conversation_id"] == chat
        again = there.chat("And my tasks?", token=token, conversation_id=chat)
        assert again.json()["conversation_id"] == chat
