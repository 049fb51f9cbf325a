"""The twin's identity provider, as the page's client and as those who should get nothing use it."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import jwt
import pytest

from local.sign_in.clients import Clients
from local.sign_in.issuer import AUDIENCE, ISSUER, Issuer
from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.slow

START = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
APP = "https://app.example"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
MAYA = {"tenant": "acme", "user": "maya", "role": ""}


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {"OMNIFORGE_ALLOWED_ORIGINS": APP}
    with Twin(tmp_path_factory.mktemp("twin"), clock=START, environ=environ) as running:
        yield running


@dataclass
class Client:
    """A browser with the page in it; what it asks for can be changed by name, None leaves it out."""

    twin: Twin
    redirect_uri: str = field(init=False)
    client_id: str = "omniforge-web"
    resource: str | None = None

    def __post_init__(self) -> None:
        self.redirect_uri = f"{self.twin.url}/signed-in"

    def asks(self, **changes: str | None) -> str:
        """The query of an authorization request."""
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "resource": self.resource,
            "redirect_uri": self.redirect_uri,
            "scope": "openid",
            "state": "s t&te",
            "nonce": "n-1",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            **changes,
        }
        return urlencode({name: value for name, value in asked.items() if value is not None})

    def opens(self, query: str, *, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return self.twin.http.get(f"/.local/authorize?{query}", headers=headers)

    def submits(
        self, query: str, said: Mapping[str, str] = MAYA, *, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        return self.twin.http.post(f"/.local/authorize?{query}", data=dict(said), headers=headers)

    def code(self, **changes: str | None) -> str:
        """The code somebody who signs in is given."""
        return result_of(self.submits(self.asks(**changes)))["code"]

    def redeems(self, code: str, /, **changes: str | None) -> httpx.Response:
        """The token request for the code."""
        sent = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "resource": self.resource,
            "redirect_uri": self.redirect_uri,
            "code": code,
            "code_verifier": VERIFIER,
            **changes,
        }
        return self.twin.http.post(
            "/.local/token",
            data={name: value for name, value in sent.items() if value is not None},
            headers={"Origin": self.twin.url},
        )


@pytest.fixture
def client(twin: Twin) -> Client:
    twin.set_clock(START)
    return Client(twin)


def result_of(response: httpx.Response) -> dict[str, str]:
    """What a redirect tells the page."""
    assert response.status_code == 303, response.text
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


def refused(response: httpx.Response, error: str, status: int = 400) -> None:
    assert (response.status_code, response.json()["error"]) == (status, error)
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["access-control-allow-origin"]


def claims(twin: Twin, token: str, audience: str, issuer: str) -> dict[str, Any]:
    """What a token says, proved by the published keys."""
    keys = jwt.PyJWKSet.from_dict(twin.http.get("/.well-known/jwks.json").json())
    key = keys[jwt.get_unverified_header(token)["kid"]]
    found: dict[str, Any] = jwt.decode(
        token,
        key,
        algorithms=["RS256"],
        audience=audience,
        issuer=issuer,
        options={"verify_exp": False, "verify_iat": False},
    )
    return found


def test_a_client_finds_everything_by_the_authority_of_the_pages_settings(twin: Twin) -> None:
    settings = twin.http.get("/config.json").json()
    assert (settings["authority"], settings["client_id"]) == (twin.url, "omniforge-web")
    response = twin.http.get("/.well-known/openid-configuration")
    assert response.headers["access-control-allow-origin"] == "*"
    found = response.json()
    assert found["issuer"] == twin.url
    assert found["code_challenge_methods_supported"] == ["S256"]
    addresses = [found[f"{name}_endpoint"] for name in ("authorization", "token", "end_session")]
    assert all(address.startswith(f"{twin.url}/.local/") for address in addresses)
    assert twin.http.get(found["jwks_uri"]).json()["keys"]


def test_a_page_opened_by_the_other_name_of_this_machine_signs_in_there(twin: Twin) -> None:
    name = f"localhost:{twin.port}"
    assert twin.http.get("/config.json", headers={"Host": name}).json()["authority"] == f"http://{name}"
    found = twin.http.get("/.well-known/openid-configuration", headers={"Host": name}).json()
    assert found["token_endpoint"] == f"http://{name}/.local/token"


ONE_WORD = "A user name is one word, such as maya or maya@example.com: letters, digits and"


def test_who_signs_in_with_the_form_may_use_the_api(client: Client) -> None:
    form = client.opens(client.asks())
    action = html.unescape(re.findall(r'<form method="post" action="([^"]+)"', form.text)[0])
    signed_in = client.twin.http.post(action, data={"tenant": "acme", "user": "o'neil@co", "role": "admin"})
    result = result_of(signed_in)
    assert signed_in.headers["location"].startswith(f"{client.redirect_uri}?")
    assert result["state"] == "s t&te"

    response = client.redeems(result["code"])
    assert response.headers["access-control-allow-origin"] == client.twin.url
    assert response.headers["cache-control"] == "no-store"
    tokens = response.json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 43_200, "openid")
    policy = client.twin.request("GET", "/v1/tenant/policy", token=tokens["access_token"])
    assert policy.status_code == 200
    identity = claims(client.twin, tokens["id_token"], "omniforge-web", client.twin.url)
    assert (identity["sub"], identity["tenant"], identity["roles"]) == ("o'neil@co", "acme", ["admin"])
    assert (identity["nonce"], identity["login_hint"]) == ("n-1", "acme/o'neil@co")


def test_an_id_token_opens_nothing(client: Client) -> None:
    token = client.redeems(client.code()).json()["id_token"]
    assert client.twin.request("GET", "/v1/conversations", token=token).status_code == 401


def test_without_a_role_somebody_is_an_ordinary_user(client: Client) -> None:
    token = client.redeems(client.code()).json()["access_token"]
    assert client.twin.request("GET", "/v1/conversations", token=token).status_code == 200
    assert client.twin.request("PUT", "/v1/tenant/policy", token=token, json={}).status_code == 403


def test_the_form_can_be_used_without_seeing_it_and_runs_no_script(client: Client) -> None:
    form = client.opens(client.asks())
    assert 'lang="en"' in form.text
    for name in ("tenant", "user", "role"):
        assert f'<label for="{name}">' in form.text
        assert f'id="{name}" name="{name}"' in form.text
    assert ('value="acme"' in form.text, 'value="maya"' in form.text) == (True, True)
    policy = form.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert f"form-action 'self' {client.twin.url};" in f"{policy};"
    assert not re.search(r"<script|<style|\son\w+=|style=", form.text)
    style = client.twin.http.get("/.local/style.css")
    assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")


def test_somebody_known_needs_not_type_again(client: Client) -> None:
    form = client.opens(client.asks(login_hint='acme-eu/"><script>alert(1)</script>'))
    assert 'value="acme-eu"' in form.text
    assert "<script" not in form.text
    assert 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in form.text


@pytest.mark.parametrize(
    ("said", "field_name", "told"),
    [
        ({"tenant": "a#b"}, "tenant", "The tenant is not a valid tenant name."),
        ({"tenant": ""}, "tenant", "The tenant is not a valid tenant name."),
        ({"user": "  "}, "user", ONE_WORD),
        ({"user": "a\u0007b"}, "user", ONE_WORD),
        ({"user": "What keeps you busy, Ugh,?"}, "user", ONE_WORD),
        ({"user": "<b>maya</b>"}, "user", ONE_WORD),
        ({"user": "u" * 256}, "user", "The user name is too long."),
    ],
)
def test_what_can_be_nobody_is_asked_again(
    client: Client, said: dict[str, str], field_name: str, told: str
) -> None:
    form = client.submits(client.asks(), {**MAYA, **said})
    assert form.status_code == 400
    assert f'role="alert">{html.escape(told)}' in form.text
    assert html.escape(said.get("user", "maya")) in form.text
    assert re.search(rf'id="{field_name}"[^>]*aria-invalid="true" aria-describedby="problem"', form.text)


@pytest.mark.parametrize("typed", ["maya@example.com", "auth0|5f0c", "مها", "Zoë", " maya "])
def test_a_name_of_one_word_is_taken_in_any_script(client: Client, typed: str) -> None:
    code = result_of(client.submits(client.asks(), {**MAYA, "user": typed}))["code"]
    token = client.redeems(code).json()["id_token"]
    assert claims(client.twin, token, "omniforge-web", client.twin.url)["sub"] == typed.strip()


def test_a_code_is_good_for_one_attempt(client: Client) -> None:
    code = client.code()
    assert client.redeems(code).status_code == 200
    refused(client.redeems(code), "invalid_grant")


@pytest.mark.parametrize("verifier", ["w" * 43, CHALLENGE, "v" * 42, "v" * 129, "v" * 42 + "é"])
def test_who_only_overheard_a_code_gets_nothing_and_uses_it_up(client: Client, verifier: str) -> None:
    code = client.code()
    refused(client.redeems(code, code_verifier=verifier), "invalid_grant")
    refused(client.redeems(code), "invalid_grant")


@pytest.mark.parametrize(("later_s", "status"), [(58, 200), (61, 400), (-1, 400)])
def test_a_code_lives_for_a_minute_of_the_twins_clock(client: Client, later_s: int, status: int) -> None:
    code = client.code()
    client.twin.set_clock(START + timedelta(seconds=later_s))
    assert client.redeems(code).status_code == status


def test_a_code_belongs_to_the_address_it_was_sent_to(client: Client) -> None:
    elsewhere = f"{client.twin.url}/elsewhere"
    refused(client.redeems(client.code(), redirect_uri=elsewhere), "invalid_grant")


@pytest.mark.parametrize(
    ("changes", "error", "status"),
    [
        ({"code": "guessed"}, "invalid_grant", 400),
        ({"code": None}, "invalid_request", 400),
        ({"code_verifier": None}, "invalid_request", 400),
        ({"redirect_uri": None}, "invalid_request", 400),
        ({"grant_type": None}, "invalid_request", 400),
        ({"grant_type": "password"}, "unsupported_grant_type", 400),
        ({"grant_type": "refresh_token"}, "unsupported_grant_type", 400),
        ({"client_id": "another"}, "invalid_client", 401),
        ({"client_id": None}, "invalid_client", 401),
    ],
)
def test_a_token_request_that_lacks_something_is_told_what(
    client: Client, changes: dict[str, str | None], error: str, status: int
) -> None:
    refused(client.redeems(client.code(), **changes), error, status)


@pytest.mark.parametrize(
    "body",
    [
        {"json": {"grant_type": "authorization_code"}},
        {
            "content": b"grant_type=a&grant_type=b",
            "headers": {"Content-Type": "application/x-www-form-urlencoded"},
        },
        {"content": b"code=%ff", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"content": b"\xff\x00", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"content": b"a=" + b"x" * 9_000, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"content": b"x&" * 60, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
    ],
)
def test_a_token_request_that_cannot_be_read_is_refused(twin: Twin, body: dict[str, Any]) -> None:
    response = twin.http.post("/.local/token", **body)
    assert (response.status_code, response.json()["error"]) == (400, "invalid_request")


def test_only_pages_that_may_sign_in_read_the_answer_of_the_token_request(twin: Twin) -> None:
    for origin, answered in ((APP, APP), ("https://evil.example", None), ("null", None)):
        for method in ("OPTIONS", "POST"):
            response = twin.http.request(method, "/.local/token", headers={"Origin": origin})
            assert response.headers.get("access-control-allow-origin") == answered
            assert response.headers["vary"] == "Origin"


@pytest.mark.parametrize(
    "uri",
    [
        "https://evil.example/",
        "http://127.0.0.1:1/",
        "{twin}.evil.example/",
        "{twin}@evil.example/",
        "{twin}:80@evil.example/",
        "{twin}\\@evil.example/",
        "{twin}/a\\b",
        "{twin}/#fragment",
        "{twin}/\nLocation: https://evil.example",
        "{twin}/ x",
        "{twin}?x=1",
        "//evil.example/",
        "/signed-in",
        "javascript:alert(1)",
        "https://app.example.evil.example/",
        "http://app.example/",
        "*",
        "",
        None,
    ],
)
def test_nobody_is_sent_to_a_foreign_address(client: Client, uri: str | None) -> None:
    given = uri.format(twin=client.twin.url) if uri is not None else None
    for response in (
        client.opens(client.asks(redirect_uri=given)),
        client.submits(client.asks(redirect_uri=given)),
    ):
        assert response.status_code == 400
        assert "location" not in response.headers
        assert "The address to return to" in response.text


@pytest.mark.parametrize("path", ["/", "", "/a/b?c=d"])
def test_an_allowed_origin_may_sign_in_wherever_it_wants_to_go_on(client: Client, path: str) -> None:
    query = client.asks(redirect_uri=APP + path)
    assert f"form-action 'self' {APP}" in client.opens(query).headers["content-security-policy"]
    response = client.submits(query)
    assert response.headers["location"].startswith(f"{APP}{path}{'&' if '?' in path else '?'}code=")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"scope": "profile"}, "invalid_scope"),
        ({"scope": None}, "invalid_scope"),
        ({"request": "eyJ"}, "request_not_supported"),
        ({"prompt": "none"}, "login_required"),
    ],
)
def test_what_can_not_be_granted_goes_back_to_the_page_with_its_reason(
    client: Client, changes: dict[str, str | None], error: str
) -> None:
    for response in (client.opens(client.asks(**changes)), client.submits(client.asks(**changes))):
        result = result_of(response)
        assert (result["error"], result["state"]) == (error, "s t&te")
        assert "code" not in result


@pytest.mark.parametrize(
    "query",
    [
        "",
        "client_id=another",
        "client_id=omniforge-web&client_id=omniforge-web",
        "%ff=%ff",
        "x=" + "y" * 9_000,
    ],
)
def test_a_request_nobody_can_answer_is_a_plain_page(client: Client, query: str) -> None:
    for response in (client.opens(query), client.submits(query)):
        assert response.status_code == 400
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert "script" not in response.headers["content-security-policy"]


def test_a_repeated_parameter_is_no_request(client: Client) -> None:
    query = f"{client.asks()}&redirect_uri={APP}/"
    assert client.opens(query).status_code == 400


def test_the_form_of_another_page_signs_nobody_in(client: Client) -> None:
    for site in ("cross-site", "same-site", "none"):
        response = client.submits(client.asks(), headers={"Sec-Fetch-Site": site})
        assert (response.status_code, "location" in response.headers) == (400, False)
    assert client.submits(client.asks(), headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303


def test_a_role_nobody_offered_is_none(client: Client) -> None:
    assert client.submits(client.asks(), {**MAYA, "role": "service"}).status_code == 400


def test_a_name_that_only_looks_like_this_machine_is_not_served(client: Client) -> None:
    # A page of another site can have its own name lead here.
    for response in (
        client.opens(client.asks(), headers={"Host": "evil.example"}),
        client.submits(client.asks(), headers={"Host": "evil.example"}),
        client.twin.http.post("/.local/token", headers={"Host": "evil.example"}),
    ):
        assert response.status_code == 421


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/.local/authorize", "GET, POST"),
        ("GET", "/.local/token", "POST, OPTIONS"),
        ("POST", "/.well-known/openid-configuration", "GET"),
    ],
)
def test_another_method_is_told_what_is_allowed(twin: Twin, method: str, path: str, allowed: str) -> None:
    response = twin.http.request(method, path)
    assert (response.status_code, response.headers["allow"]) == (405, allowed)


def test_signing_out_leads_back_to_the_page_and_nowhere_else(twin: Twin) -> None:
    def ended(**asked: str) -> httpx.Response:
        return twin.http.get("/.local/end_session", params=asked)

    back = ended(post_logout_redirect_uri=f"{twin.url}/", state="s")
    assert (back.status_code, back.headers["location"]) == (303, f"{twin.url}/?state=s")
    assert ended(post_logout_redirect_uri="https://evil.example/").status_code == 400
    assert "Signed out" in ended().text


def test_of_very_many_codes_the_oldest_are_dropped(client: Client) -> None:
    first = client.code()
    for _ in range(1_000):
        last = client.code()
    refused(client.redeems(first), "invalid_grant")
    assert client.redeems(last).status_code == 200


EDITOR = {
    "client_name": "Editor",
    "redirect_uris": ["http://127.0.0.1:3000/back?x=1", "https://editor.example/back"],
}


def registered(twin: Twin, **changes: object) -> httpx.Response:
    return twin.http.post("/.local/register", json={**EDITOR, **changes}, headers={"Origin": twin.url})


@pytest.fixture
def editor(client: Client) -> Client:
    """A client that registered itself; it asks for a token for the MCP server."""
    made = registered(client.twin)
    assert made.status_code == 201, made.text
    assert made.json()["token_endpoint_auth_method"] == "none"
    client.client_id = made.json()["client_id"]
    client.redirect_uri = "http://127.0.0.1:54321/back?x=1"  # a program takes any port
    client.resource = f"{client.twin.url}/mcp"
    return client


def test_a_client_that_registered_gets_a_token_for_the_resource_it_named(editor: Client) -> None:
    form = editor.opens(editor.asks(scope=None))
    assert "<strong>Editor</strong>" in form.text
    assert "form-action 'self' http://127.0.0.1:54321" in form.headers["content-security-policy"]

    tokens = editor.redeems(editor.code(scope=None)).json()

    found = claims(editor.twin, tokens["access_token"], editor.resource or "", ISSUER)
    assert (found["aud"], found["sub"]) == ([AUDIENCE, editor.resource], "maya")
    assert "id_token" not in tokens


def test_a_registration_outlives_a_restart_and_another_twin_does_not_know_it(
    editor: Client, tmp_path: Path
) -> None:
    for folder, is_known in ((editor.twin.data, True), (tmp_path, False)):
        clients = Clients(Issuer(folder).derived_key("registered clients"))
        assert (clients.find(editor.client_id) is not None) == is_known
    described, _, signature = editor.client_id.partition(".")
    for forged in (f"{described}.", f"{described}x.{signature}", f"x{described}.{signature}", ".", signature):
        assert editor.opens(editor.asks(client_id=forged)).status_code == 400


@pytest.mark.parametrize(
    "uri",
    [
        "http://editor.example/back",
        "http://127.0.0.1.evil.example/back",
        "http://localhost@evil.example/",
        "https://editor.example/back#part",
        "https://[::1]/back",
        "javascript:alert(1)",
        "//evil.example/",
        f"https://editor.example/{'x' * 300}",
        7,
    ],
)
def test_addresses_that_no_browser_is_sent_to_are_not_registered(twin: Twin, uri: object) -> None:
    for uris in ([uri], [EDITOR["redirect_uris"][0], uri], uri):
        refused(registered(twin, redirect_uris=uris), "invalid_redirect_uri")
    refused(registered(twin, redirect_uris=[]), "invalid_redirect_uri")


def test_what_is_no_registration_is_refused(twin: Twin) -> None:
    for name in ("x" * 81, "two\nlines", "\u202eEditor", 7):
        refused(registered(twin, client_name=name), "invalid_client_metadata")
    for body, media_type in (
        (b"{", "application/json"),
        (b"[" * 9_000, "application/json"),
        (b"{}", "text/plain"),
    ):
        sent = twin.http.post(
            "/.local/register", content=body, headers={"Content-Type": media_type, "Origin": twin.url}
        )
        refused(sent, "invalid_client_metadata")


@pytest.mark.parametrize(
    "uri",
    [
        "https://editor.example/back/..",
        "https://editor.example:8443/back",
        "http://127.0.0.1:54321/other?x=1",
        "http://127.0.0.1:54321/back",
        "http://localhost:54321/back?x=1",
        "https://evil.example/back",
    ],
)
def test_a_client_returns_where_it_registered_and_nowhere_else(editor: Client, uri: str) -> None:
    asked = editor.asks(redirect_uri=uri)
    assert (editor.opens(asked).status_code, editor.submits(asked).status_code) == (400, 400)


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge": None},
        {"response_type": "token"},
        {"resource": "https://evil.example/mcp"},
    ],
)
def test_no_browser_is_sent_to_a_registered_address_unasked(
    editor: Client, changes: dict[str, str | None]
) -> None:
    answer = editor.opens(editor.asks(**changes))
    assert answer.status_code == 400
    assert "location" not in answer.headers


def test_a_code_is_for_its_client_and_its_resource(editor: Client) -> None:
    other = registered(editor.twin, client_name="Other").json()["client_id"]
    refused(editor.redeems(editor.code(), client_id=other), "invalid_grant")
    refused(editor.redeems(editor.code(), client_id="omniforge-web"), "invalid_grant")
    refused(editor.redeems(editor.code(), resource=editor.twin.url), "invalid_target")
    refused(editor.redeems(editor.code(), resource="https://evil.example"), "invalid_target")
    once = editor.code()
    assert editor.redeems(once).status_code == 200
    refused(editor.redeems(once), "invalid_grant")


def test_a_user_may_cancel(editor: Client) -> None:
    asked = editor.asks()
    assert "Cancel" in editor.opens(asked).text
    result = result_of(editor.submits(asked, {"answer": "cancel"}))
    assert (result["error"], result["iss"], "code" in result) == ("access_denied", editor.twin.url, False)
