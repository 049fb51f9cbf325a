from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.fakes.deployment.twin import ROOT, Twin, TwinDied
from tests.fakes.http.servers import free_port

pytestmark = pytest.mark.slow


def refused(data: Path, *options: str, environ: Mapping[str, str] | None = None) -> str:
    """What `serve` says when it does not start."""
    ended = subprocess.run(
        [sys.executable, "-m", "local", "serve", "--data", str(data), *options],
        cwd=ROOT,
        env={name: os.environ[name] for name in ("PATH", "PYTHONPYCACHEPREFIX")} | dict(environ or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    [line] = ended.stderr.splitlines()
    return line


def test_a_newcomer_sees_where_it_listens_what_understands_and_how_to_ask(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin:
        assert twin.url in twin.logs
        assert "offline" in twin.logs
        assert re.search(r"python -m local token --tenant \S+ --user \S+", twin.logs)
        assert f"curl {twin.url}/v1/chat" in twin.logs


@pytest.mark.parametrize(
    ("environ", "tier"),
    [
        ({"OPENAI_API_KEY": "test"}, "gpt-4o-mini"),
        ({"OPENAI_API_KEY": "test", "OMNIFORGE_INTENT_MODEL": ""}, "offline"),
        ({"OMNIFORGE_INTENT_MODEL": "ollama/llama3"}, "ollama/llama3"),
    ],
)
def test_the_shells_choice_of_a_model_counts(tmp_path: Path, environ: dict[str, str], tier: str) -> None:
    with Twin(tmp_path, environ=environ) as twin:
        assert f"Understanding: {tier}" in twin.logs


def test_it_stops_when_asked_and_makes_no_fuss(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin:
        before = twin.logs
        assert twin.stop() == 0
        assert twin.logs == before


def test_what_it_writes_down_at_debug_holds_no_word_of_a_talk_and_no_token(tmp_path: Path) -> None:
    with Twin(tmp_path, environ={"OMNIFORGE_LOG_LEVEL": "DEBUG"}) as twin:
        token = twin.token()
        message = "Create an agent for zwetschgenkuchen, my password is Gurkensalat-77!"
        for path, body in (
            ("/v1/chat", {"message": message}),
            ("/v1/chat/stream", {"message": message}),
            ("/v1/chat", {"message": message, "zwetschgenkuchen": 1}),
        ):
            twin.request("POST", path, token=token, json=body)
        twin.request("GET", "/v1/search?q=zwetschgenkuchen", token=token)
        twin.request("GET", "/v1/conversations/zwetschgenkuchen", token=f"{token}x")
        assert twin.stop() == 0
        assert "intent decided" in twin.logs
        for canary in ("zwetschgenkuchen", "Gurkensalat", "eyJ", token[-40:]):
            assert canary not in twin.logs


def test_it_starts_again_where_it_was_killed(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin:
        token = twin.token()
        made = twin.request("POST", "/v1/conversations", token=token, json={"title": "Kept"})
        twin.kill9()
        twin.restart()
        [kept] = twin.get("/v1/conversations", token=token)["items"]
        assert kept["id"] == made.json()["id"]


def test_two_twins_share_a_folder(tmp_path: Path) -> None:
    with Twin(tmp_path) as one, Twin(tmp_path) as other:
        token = one.token()
        made = one.request("POST", "/v1/conversations", token=token, json={}).json()
        assert other.get(f"/v1/conversations/{made['id']}", token=token)["id"] == made["id"]


def test_only_this_machine_can_reach_it(tmp_path: Path) -> None:
    with Twin(tmp_path) as twin, socket.socket() as elsewhere:
        # Every address of 127/8 is this machine, but only one of them is served.
        assert elsewhere.connect_ex(("127.0.0.2", twin.port)) != 0


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert port in refused(tmp_path, "--port", port)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OMNIFORGE_CONTEXT_TOKEN_BUDGET", "abc"),
        ("OMNIFORGE_CLARIFY_BELOW", "7"),
        ("OMNIFORGE_TENANTS", "everyone"),
        ("OMNIFORGE_JWT_ISSUERS", "http://issuer.example"),
        ("OMNIFORGE_ALLOWED_ORIGINS", "app.example"),
        ("OMNIFORGE_EMBED_ORIGINS", "app.example"),
        ("OMNIFORGE_PAGE_TOKEN", "any"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(tmp_path: Path, name: str, value: str) -> None:
    assert refused(tmp_path, "--port", str(free_port()), environ={name: value}).startswith(name)


def test_a_data_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in refused(tmp_path / "file", "--port", str(free_port()))


def test_a_template_that_is_none_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("Resources: [")
    assert "broken.yaml" in refused(tmp_path, "--port", str(free_port()), "--template", str(broken))


def test_a_function_that_is_not_there_is_named(tmp_path: Path) -> None:
    template = tmp_path / "template.yaml"
    text = (ROOT / "template.yaml").read_text()
    template.write_text(text.replace("CodeUri: functions/finish", "CodeUri: functions/finnish"))
    with pytest.raises(TwinDied, match=r"functions\.finnish"):
        Twin(tmp_path, template=template).start()
