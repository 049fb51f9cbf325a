"""A message that ends every function that answers it, each in a process of its own, as on Lambda."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.turns.lease_holder import GIVEN_UP_REPLY
from conversation.clock import FileClock
from conversation.turns.admission import LEASE_DURATION
from edge.adapters.queues import QueuedTurn
from storage.keys import TenantId
from tests.fakes.aws.proxy_events import answer, request
from tests.fakes.deployment import functions
from tests.fakes.deployment.twin import ROOT
from tests.fakes.deployment.twin_with_deadly_messages import Fate

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
STANDING_STILL = datetime(2100, 1, 1, tzinfo=UTC).timestamp()


@dataclass(frozen=True)
class Deployment:
    """Functions over one table; a new process for each invocation."""

    folder: Path

    def set_clock(self, moment: datetime) -> None:
        clock = self.folder / "clock"
        clock.write_text(moment.isoformat())
        os.utime(clock, (STANDING_STILL, STANDING_STILL))

    def let_the_lease_run_out(self) -> None:
        self.set_clock(FileClock(self.folder / "clock").now() + LEASE_DURATION)

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """The handler's result, or None if its process died."""
        planted = {
            "DEADLY_PLACES": "intent.analysis.analyzer:IntentAnalyzer.analyze",
            "OMNIFORGE_CLOCK_FILE": str(self.folder / "clock"),
        }
        ended = subprocess.run(
            [sys.executable, "-m", "tests.fakes.deployment.deadly_invocation", function],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **functions.settings(self.folder), **planted},
            input=json.dumps(event),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        return json.loads(ended.stdout.splitlines()[-1]) if ended.returncode == 0 else None

    def chat(self, message: str, conversation_id: str | None = None, *, tenant: str = "acme") -> Any:
        """The body of the answer to a message, or None if the process died."""
        body = {"message": message, **({"conversation_id": conversation_id} if conversation_id else {})}
        result = self.invoke("chat", request("POST", "/v1/chat", body=body, tenant=tenant))
        return answer(result).json if result else None

    def finish(self, conversation_id: str) -> Any:
        """What `finish` reports for the conversation, or None if its process died."""
        record = {
            "messageId": "1",
            "body": QueuedTurn(TenantId("acme"), conversation_id).to_body(),
            "attributes": {"MessageGroupId": conversation_id},
            "eventSource": "aws:sqs",
        }
        return self.invoke("finish", {"Records": [record]})

    def said(self, conversation_id: str) -> list[str]:
        path = f"/v1/conversations/{conversation_id}/messages"
        event = request("GET", path) | {"resource": "/v1/conversations/{conversation_id}/messages"}
        return [each["content"] for each in answer(self.invoke("conversations", event)).json["items"]]


@pytest.mark.parametrize("fate", [Fate.CRASH, Fate.LOOP_IN_PYTHON])
def test_functions_die_of_a_message_twice_and_the_third_apologises(tmp_path: Path, fate: Fate) -> None:
    deployment = Deployment(tmp_path)
    deployment.set_clock(MORNING)
    conversation_id = deployment.chat("Hello")["conversation_id"]
    deadly = f"What is a {fate}?"
    assert deployment.chat(deadly, conversation_id) is None
    deployment.let_the_lease_run_out()
    assert deployment.finish(conversation_id) is None
    assert deployment.chat("Hello", tenant="globex")["metadata"]["persisted"]
    deployment.let_the_lease_run_out()
    assert deployment.finish(conversation_id) == {"batchItemFailures": []}
    deployment.chat("List my agents", conversation_id)
    said = deployment.said(conversation_id)
    assert said[2:5] == [deadly, GIVEN_UP_REPLY, "List my agents"]
    assert len(said) == 6
