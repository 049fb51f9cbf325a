"""Long conversations over the twin: summarised behind the turns, pinned over HTTP, told again over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually


def test_what_was_said_long_ago_and_what_was_pinned_still_goes_along(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin:
        maya, noah = twin.token(user="maya"), twin.token(user="noah")
        said = "The budget for the fair in Lisbon is 4,250 euros."
        conversation_id = twin.chat(said, token=maya).json()["conversation_id"]

        def context() -> dict[str, Any]:
            answered = twin.chat("Good morning!", token=maya, conversation_id=conversation_id).json()
            turn_id = answered["metadata"]["turn_id"]
            assert twin.request("GET", f"/v1/turns/{turn_id}/context", token=noah).status_code == 404
            told = twin.request("GET", f"/v1/turns/{turn_id}/context", token=maya)
            assert told.status_code == 200, told.text
            return dict(told.json())

        plain = context()
        assert plain["summary"] is None
        assert plain["messages"][0]["content"] == said
        for _ in range(12):
            twin.chat("Good morning!", token=maya, conversation_id=conversation_id)
        summarised = eventually(lambda: told if (told := context())["summary"] else None)
        assert "4,250 euros" in summarised["summary"]["text"]
        pin = f"/v1/conversations/{conversation_id}/messages/{plain['messages'][1]['id']}/pin"
        assert twin.request("POST", pin, token=noah).status_code == 404
        assert twin.request("POST", pin, token=maya).status_code == 200
        assert "Pinned by the user" in context()["summary"]["text"]
        assert twin.request("DELETE", pin, token=maya).status_code == 200
        assert "Pinned by the user" not in context()["summary"]["text"]
