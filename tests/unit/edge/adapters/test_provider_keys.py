from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from aws_lambda_powertools.utilities.parameters import base

from edge.adapters.provider_keys import MAX_AGE_S, RETRY_AFTER_S, ProviderKeys
from edge.settings import Settings
from llm.catalogue import Vendor
from tests.fakes.run.clocks import ManualClock

ARN = "arn:aws:secretsmanager:eu-west-1:000000000000:secret:providers"


class SecretsManager:
    """Answers GetSecretValue; counts how often it was asked."""

    def __init__(self) -> None:
        self.text = '{"openai":"sk-1"}'
        self.status = 200
        self.asked = 0


def _providers() -> dict[str, object]:
    """Powertools keeps one client per process, made for the address it saw first."""
    providers: dict[str, object] = vars(base)["DEFAULT_PROVIDERS"]
    return providers


@pytest.fixture
def secrets_manager(monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretsManager]:
    manager = SecretsManager()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            manager.asked += 1
            self.rfile.read(int(self.headers["Content-Length"]))
            content = json.dumps({"ARN": ARN, "Name": "providers", "SecretString": manager.text}).encode()
            self.send_response(manager.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_DEFAULT_REGION": "eu-west-1",
        }.items():
            monkeypatch.setenv(name, value)
        _providers().clear()
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield manager
        server.shutdown()
        thread.join()
    _providers().clear()


def settings(**environ: str) -> Settings:
    return Settings.load({"OMNIFORGE_STAGE": "dev", "OMNIFORGE_TABLE": "t", **environ})


def test_without_a_secret_there_is_no_key(clock: ManualClock) -> None:
    assert ProviderKeys(settings(), clock=clock).key("openai") is None


def test_the_secret_is_read_when_a_key_is_needed_and_kept(
    secrets_manager: SecretsManager, clock: ManualClock
) -> None:
    keys = ProviderKeys(settings(OMNIFORGE_PROVIDER_SECRET_ARN=ARN), clock=clock)
    assert secrets_manager.asked == 0

    assert [keys.key("openai"), keys.key("openai"), keys.key("anthropic")] == ["sk-1", "sk-1", None]
    assert secrets_manager.asked == 1


def test_a_rotated_key_is_found_without_a_deployment(
    secrets_manager: SecretsManager, clock: ManualClock
) -> None:
    keys = ProviderKeys(settings(OMNIFORGE_PROVIDER_SECRET_ARN=ARN), clock=clock)
    assert keys.key("openai") == "sk-1"

    secrets_manager.text = '{"openai":"sk-2"}'
    clock.advance(MAX_AGE_S)

    assert keys.key("openai") == "sk-2"


@pytest.mark.parametrize("text", ["", "sk-1", "[]", '{"openai":5}'])
def test_a_secret_that_is_no_object_of_keys_leaves_the_ones_before(
    secrets_manager: SecretsManager, clock: ManualClock, text: str
) -> None:
    keys = ProviderKeys(settings(OMNIFORGE_PROVIDER_SECRET_ARN=ARN), clock=clock)
    assert keys.key("openai") == "sk-1"

    secrets_manager.text = text
    clock.advance(MAX_AGE_S)
    assert [keys.key("openai") for _ in range(3)] == ["sk-1"] * 3
    assert secrets_manager.asked == 2


def test_a_secret_that_can_not_be_read_is_asked_for_again_later(
    secrets_manager: SecretsManager, clock: ManualClock
) -> None:
    keys = ProviderKeys(settings(OMNIFORGE_PROVIDER_SECRET_ARN=ARN), clock=clock)
    secrets_manager.status = 400

    assert [keys.key("openai") for _ in range(3)] == [None] * 3
    secrets_manager.status = 200
    clock.advance(RETRY_AFTER_S)
    assert keys.key("openai") == "sk-1"


def test_the_secret_says_whose_models_can_be_used_unless_none_is_wanted(
    secrets_manager: SecretsManager, clock: ManualClock
) -> None:
    with_secret = {"OMNIFORGE_PROVIDER_SECRET_ARN": ARN}
    offline = settings(**with_secret, OMNIFORGE_INTENT_MODEL=" ")
    assert ProviderKeys(offline, clock=clock).credentials().vendors == frozenset()
    assert secrets_manager.asked == 0

    secrets_manager.text = '{"openai":"sk-1","gemini":"sk-2","groq":"sk-3"}'
    for chosen in ({}, {"OMNIFORGE_INTENT_MODEL": "gpt-4o-mini"}):
        credentials = ProviderKeys(settings(**with_secret, **chosen), clock=clock).credentials()
        assert credentials.vendors == {Vendor.OPENAI, Vendor.GEMINI, Vendor.GROQ}


def test_a_server_of_ones_own_that_wants_no_key_is_sent_a_stand_in() -> None:
    clock = ManualClock()
    named = settings(OPENAI_BASE_URL="http://127.0.0.1:1/v1")
    assert ProviderKeys(named, clock=clock).key("openai") is not None
    with_key = settings(OPENAI_BASE_URL="http://127.0.0.1:1/v1", OPENAI_API_KEY="k")
    assert ProviderKeys(with_key, clock=clock).key("openai") is None


def test_a_model_s_key_is_the_secret_s_or_else_the_environment_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-environment")
    keys = ProviderKeys(settings(OPENAI_BASE_URL="http://127.0.0.1:1/v1"), clock=ManualClock())
    asked = ("anthropic", "openai", "gemini", "bedrock")
    assert [keys.model_key(vendor) for vendor in asked] == ["sk-environment", "none", None, None]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-later")
    assert keys.model_key("openai") == "sk-later"
