"""Searching over the twin: what is said over HTTP is found over HTTP, fed by the table's stream."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from tests.fakes.data import sample_files
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually


def hits(twin: Twin, token: str, query: str) -> list[dict[str, Any]]:
    response = twin.request("GET", f"/v1/search?q={query}", token=token)
    assert response.status_code == 200, response.text
    return list(response.json()["items"])


def uploaded(twin: Twin, token: str) -> str:
    """The attachment of a document about a walrus."""
    content = sample_files.pdf("The contract of the walrus")
    new = {"name": "contract.pdf", "media_type": "application/pdf", "size": len(content)}
    body = {**new, "content": base64.b64encode(content).decode()}
    made = twin.request("POST", "/v1/attachments", token=token, json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def test_what_is_said_is_found_again_and_what_is_deleted_is_not(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin:
        maya, noah = twin.token(user="maya"), twin.token(user="noah")
        said = "We decided that the Jira agent posts at nine"
        conversation_id = twin.chat(said, token=maya).json()["conversation_id"]
        [hit, *_] = eventually(lambda: hits(twin, maya, "jira+decide"))
        assert hit["conversation_id"] == conversation_id
        assert hits(twin, noah, "jira") == []
        asked = twin.chat("What did we decide about the Jira agent today?", token=maya).json()
        assert asked["metadata"]["decision"]["entities"]["operation"] == "search_conversations"
        assert said in asked["message"]["content"]
        sent = {"message": "Hello", "attachments": [{"type": "attachment", "id": uploaded(twin, maya)}]}
        assert twin.request("POST", "/v1/chat", token=maya, json=sent).status_code == 200
        [found] = eventually(lambda: hits(twin, maya, "walrus"))
        assert (found["attachment"]["name"], hits(twin, noah, "walrus")) == ("contract.pdf", [])
        for number in range(13):
            twin.chat(f"Hello number {number}", token=maya)
        eventually(lambda: len(hits(twin, maya, "hello")) >= 13)
        twin.request("DELETE", f"/v1/conversations/{conversation_id}", token=maya)
        assert conversation_id not in {hit["conversation_id"] for hit in hits(twin, maya, "jira")}
