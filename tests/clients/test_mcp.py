"""MCP's official client of npm, and the official conformance suite, against the twin."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.clients.node_process import FOLDER, NodeClient
from tests.fakes.deployment.twin import Twin
from tests.fakes.run.node import node

pytestmark = pytest.mark.e2e

SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
OF_ITS_OWN_SERVER = {
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
}
"""Scenarios that ask for tools (``test_…``), resources (``test://…``) and prompts (``test_…``) of the suite's
example server, which no other server has."""
_SUMMARY = re.compile(r"^[✓✗] ([a-z0-9-]+): \d+ passed, (\d+) failed", re.MULTILINE)


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("twin"), environ={"OMNIFORGE_INTENT_MODEL": ""}) as running:
        yield running


@contextmanager
def with_token(twin: Twin) -> Iterator[str]:
    """The address of the twin's MCP server behind a door that adds a token: the suite has none to send."""
    bearer = f"Bearer {twin.token('conformance')}"

    class Door(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            own = {"connection", "content-length", "transfer-encoding", "date"}
            # The suite knows the door's name only; whatever else it claims is passed on.
            sent = {
                name: value.replace(f":{self.server.server_port}", f":{twin.port}")  # type: ignore[attr-defined]
                for name, value in self.headers.items()
                if name.lower() not in own
            }
            headers = {**sent, "Authorization": bearer}
            answer = httpx.request(
                self.command, twin.url + self.path, content=body, headers=headers, timeout=60, trust_env=False
            )
            self.send_response(answer.status_code)
            for name, value in answer.headers.items():
                if name not in own | {"content-encoding"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            with suppress(ConnectionError):  # the suite hangs up where it has seen enough
                self.wfile.write(answer.content)

        do_GET = do_DELETE = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as door:
        serving = threading.Thread(target=door.serve_forever, daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{door.server_port}/mcp"
        door.shutdown()


def test_nothing_fails_in_the_conformance_suite_but_what_its_own_server_has(twin: Twin) -> None:
    with with_token(twin) as url:
        run = subprocess.run(
            [node(), SUITE, "server", "--url", url], cwd=FOLDER, capture_output=True, text=True, check=False
        )
    print(run.stdout[run.stdout.rfind("=== SUMMARY") :])

    outcomes = {name: int(failed) for name, failed in _SUMMARY.findall(run.stdout)}
    assert len(outcomes) == 30
    assert {name for name, failed in outcomes.items() if failed} == OF_ITS_OWN_SERVER


def test_the_client_of_npm_signs_in_and_talks(twin: Twin) -> None:
    messages = ["I want our project updates from Notion every Monday", "At 9, and mail them to me"]
    with NodeClient("mcp.mjs") as client:
        user = {"tenant": "npm", "user": "maya", "role": ""}
        told = client.call(url=f"{twin.url}/mcp", user=user, messages=messages)

    assert {"chat", "create_task"} <= set(told["tools"])
    assert "Saved: notion-reporter" in told["replies"][1]
    assert "understanding" in told["stages"]
