"""`python -m local sign-in`, with the twin as a stack's identity provider and a browser that fills in its
form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import Thread

import httpx
import pytest

from local.stack_sign_in import SignInFailed, sign_in
from tests.fakes.deployment.twin import Twin
from tests.fakes.http.servers import free_port

pytestmark = pytest.mark.slow

PORT = free_port()


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {"OMNIFORGE_ALLOWED_ORIGINS": f"http://localhost:{PORT}"}
    with Twin(tmp_path_factory.mktemp("twin"), environ=environ) as running:
        yield running


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


def outputs(twin: Twin, **changes: str) -> dict[str, str]:
    config = {"authority": twin.url, "client_id": "omniforge-web", "scope": "openid", "token": "access_token"}
    return {"PageConfig": json.dumps({**config, **changes})}


def browser(act: Callable[[str], object]) -> Callable[[str], object]:
    """Opens an address without holding up whoever opened it."""
    return lambda url: Thread(target=act, args=(url,), daemon=True).start()


def signs_in(url: str) -> None:
    said = {"tenant": "acme", "user": "maya", "role": ""}
    httpx.post(url, data=said, follow_redirects=True)


def test_whoever_signs_in_gets_a_token_that_the_api_takes(twin: Twin) -> None:
    token = sign_in(outputs(twin), port=PORT, open_browser=browser(signs_in))

    reply = twin.chat("help", token=token)
    assert reply.status_code == 200, reply.text


def test_a_return_with_another_state_is_not_taken(twin: Twin) -> None:
    def forges(_url: str) -> None:
        httpx.get(f"http://127.0.0.1:{PORT}/", params={"code": "stolen", "state": "another"})

    with pytest.raises(SignInFailed, match="Nobody signed in"):
        sign_in(outputs(twin), port=PORT, open_browser=browser(forges))


def test_a_refusal_of_the_provider_is_said(twin: Twin) -> None:
    def declines(url: str) -> None:
        state = httpx.URL(url).params["state"]
        httpx.get(f"http://127.0.0.1:{PORT}/favicon.ico")
        httpx.get(f"http://127.0.0.1:{PORT}/", params={"error": "access_denied", "state": state})

    with pytest.raises(SignInFailed, match="access_denied"):
        sign_in(outputs(twin), port=PORT, open_browser=browser(declines))


def test_a_stack_without_a_sign_in_and_a_provider_that_is_down_are_said_in_one_line(twin: Twin) -> None:
    down = f"http://127.0.0.1:{free_port()}"

    with pytest.raises(SignInFailed, match="Identity=cognito"):
        sign_in({}, port=PORT)
    with pytest.raises(SignInFailed, match="failed"):
        sign_in(outputs(twin, authority=down), port=PORT)
