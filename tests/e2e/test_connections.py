"""Signing in to an MCP server over the twin: begun, finished, used by runs, renewed, revoked, refused."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer
from tests.fakes.models.sign_in_server import SignInServer

pytestmark = pytest.mark.e2e

STRONG = "openai/deep-thinker"
NOW = datetime(2026, 3, 2, 8, tzinfo=UTC)
_numbers = count(1)
_browsers: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def closed_browsers() -> Iterator[None]:
    yield
    while _browsers:
        _browsers.pop().close()


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(Script()) as running:
        yield running


@pytest.fixture(scope="module")
def twin(model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
        "OMNIFORGE_STRONG_MODELS": STRONG,
        "OMNIFORGE_LOG_LEVEL": "DEBUG",
    }
    with Twin(tmp_path_factory.mktemp("twin"), environ=environ, clock=NOW) as running:
        yield running


@pytest.fixture
def server() -> Iterator[SignInServer]:
    with SignInServer() as running:
        yield running


@pytest.fixture
def acme() -> str:
    """A tenant of the test's own."""
    return f"acme-{next(_numbers)}"


class Person:
    """Somebody of a tenant, with a browser."""

    def __init__(self, twin: Twin, tenant: str, user: str, *roles: str) -> None:
        self.twin = twin
        self.roles = roles
        self.tenant, self.user = tenant, user
        self.browser = httpx.Client(base_url=twin.url, trust_env=False, timeout=120)
        _browsers.append(self.browser)

    def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        token = self.twin.token(self.tenant, self.user, self.roles)
        return self.browser.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})

    def send(self, method: str, path: str, body: object = None, status: int | None = None) -> Any:
        response = self.ask(method, path, body)
        assert response.status_code == (status or response.status_code), response.text
        return response.json() if response.content else None

    def begin(self, **wanted: object) -> str:
        """The address that the browser is to open."""
        return str(self.send("POST", "/v1/connections/sign-ins", wanted, 201)["authorization_url"])

    def sign_in(self, server: SignInServer, **wanted: object) -> httpx.Response:
        return self.browser.get(server.approve(self.begin(**wanted)))

    def status(self, skill: Any) -> str:
        listed = self.send("GET", "/v1/connections")["items"]
        return str(next(one["status"] for one in listed if one["skill_id"] == skill["id"]))

    def checked(self, skill: Any, status: str = "ok") -> Any:
        def look() -> Any:
            health = self.send("GET", f"/v1/skills/{skill['id']}")["health"]
            return health if health["status"] == status else None

        return eventually(look)

    def run(self, **fields: object) -> Any:
        """The run of a new agent, once it is over."""
        agent = self.send("POST", "/v1/agents", {"what": "what the notes say", **fields}, 201)
        return self.run_again(agent["id"])

    def run_again(self, agent_id: str) -> Any:
        run = self.send("POST", f"/v1/agents/{agent_id}/runs", {}, 202)

        def look() -> Any:
            now = self.send("GET", f"/v1/runs/{run['id']}")
            return now if now["status"] not in ("queued", "running") else None

        return eventually(look, within_s=120)


def notes(person: Person, server: SignInServer, **fields: object) -> Any:
    """The skill of the server, which wants a sign-in."""
    body = {"name": "notes", "url": server.url, "serves": ["notion"], "sign_in": "user", **fields}
    return person.send("POST", "/v1/skills", body, 201)


def reads_pages(model: ModelServer, *, sees: str) -> None:
    """The model asks the notes for a page, and is content when it sees that text."""
    routed = Reply(decision={"model": STRONG, "tools": [], "can_answer": True, "think": False})
    call = Reply(tool_calls=[{"name": "notes__pages", "arguments": {"topic": "budget"}}])
    model.use(
        Script(
            [
                Rule("", routed, prompt="Pick who answers"),
                Rule("", call, prompt="You carry out one run"),
                Rule("", Reply(content="The page was read."), after=sees),
            ]
        )
    )


def tokens_of(server: SignInServer) -> list[str]:
    return [*server.access, *server.refresh, *server.revoked]


def test_a_sign_in_names_the_place_of_its_skill(twin: Twin, acme: str, server: SignInServer) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)

    begun = maya.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill["id"]})

    assert begun.status_code == 201
    assert maya.send("GET", begun.headers["Location"], status=200)["id"] == skill["id"]


def test_nobody_is_told_more_of_a_skill_that_is_not_theirs_than_of_one_that_is_not(
    twin: Twin, acme: str, server: SignInServer
) -> None:
    maya, stranger = Person(twin, acme, "maya"), Person(twin, f"{acme}-b", "maya")
    skill, gone = notes(maya, server), notes(maya, server, name="gone")
    maya.send("DELETE", f"/v1/skills/{gone['id']}", status=204)

    def answer(person: Person, skill_id: str) -> tuple[int, str]:
        refused = person.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill_id})
        return refused.status_code, refused.text.replace(refused.json()["request_id"], "")

    unknown = answer(stranger, "f" * 32)
    assert unknown[0] == 404
    assert answer(stranger, skill["id"]) == unknown
    assert answer(maya, gone["id"]) == unknown


def test_a_user_signs_in_and_a_run_uses_the_tools(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    assert maya.status(skill) == "sign_in_needed"

    page = maya.sign_in(server, skill_id=skill["id"])

    assert (page.status_code, "Connected" in page.text) == (200, True)
    assert maya.status(skill) == "connected"
    assert maya.checked(skill)["tools"] == ["pages"]
    assert server.asked["scope"] == "read"
    reads_pages(model, sees="maya@notes.example has a page about budget")
    run = maya.run(sources=["notion"])
    assert (run["status"], run["output"]) == ("succeeded", "The page was read.")
    assert server.callers == ["maya@notes.example"]


def test_an_expired_token_is_renewed_before_a_run(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)
    first = set(server.access)

    twin.set_clock(datetime.now(UTC) + timedelta(hours=2))
    server.expire()
    reads_pages(model, sees="has a page")
    run = maya.run(sources=["notion"])

    assert run["output"] == "The page was read."
    assert server.seen["refresh_token"] == 1
    assert first.isdisjoint(server.access)


def test_a_token_that_the_server_ends_early_is_renewed_when_it_is_refused(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)

    server.expire()
    reads_pages(model, sees="has a page")

    assert maya.run(sources=["notion"])["output"] == "The page was read."
    assert server.seen["refresh_token"] == 1


def test_a_sign_in_that_the_service_ended_is_told_and_can_be_done_again(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)
    server.expire()
    server.refresh.clear()
    reads_pages(model, sees="unknown_tool")

    run = maya.run(skills=["notes"])

    link = f"{twin.url}/?panel=connections&connect=notes"
    assert run["skill_notes"] == [f"Connect notes first: [sign in here]({link})."]
    assert maya.status(skill) == "expired"
    maya.sign_in(server, skill_id=skill["id"])
    assert maya.status(skill) == "connected"
    reads_pages(model, sees="has a page")
    assert maya.run_again(run["agent_id"])["output"] == "The page was read."


def test_from_the_sign_in_to_its_end_an_agent_works_with_the_tools_and_says_what_it_needs(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    """One life of a connection: needed, made, used, expired and renewed, revoked, needed again."""
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    link = f"{twin.url}/?panel=connections&connect="
    fields = {"name": "note-reader", "what": "the notes", "sources": ["notion"], "skills": ["notes"]}
    agent = maya.send("POST", "/v1/agents", fields, 201)

    def needs() -> list[str]:
        missing = maya.send("GET", f"/v1/agents/{agent['id']}")["missing"]
        return sorted(one["link"] for one in missing if one["kind"] == "connection")

    wanted = [f"{link}notes", f"{link}notion"]
    reads_pages(model, sees="has a page")
    assert needs() == wanted
    assert maya.sign_in(server, skill_id=skill["id"]).status_code == 200
    maya.checked(skill)
    assert needs() == []
    assert maya.run_again(agent["id"])["output"] == "The page was read."

    server.expire()
    assert maya.run_again(agent["id"])["output"] == "The page was read."
    assert server.seen["refresh_token"] == 1
    assert server.callers == ["maya@notes.example"] * 2

    held = {*server.access, *server.refresh}
    maya.send("DELETE", f"/v1/connections/{skill['id']}", status=204)
    assert held <= set(server.revoked)
    reads_pages(model, sees="unknown_tool")
    assert maya.run_again(agent["id"])["skill_notes"] == [
        f"Connect notes first: [sign in here]({link}notes)."
    ]
    assert needs() == wanted
    assert server.callers == ["maya@notes.example"] * 2


def test_disconnecting_revokes_the_tokens_and_no_run_has_them(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)
    held = {*server.access, *server.refresh}

    maya.send("DELETE", f"/v1/connections/{skill['id']}", status=204)

    assert set(server.revoked) == held
    assert maya.status(skill) == "sign_in_needed"
    assert maya.ask("DELETE", f"/v1/connections/{skill['id']}").json()["code"] == "connection_not_found"
    reads_pages(model, sees="unknown_tool")
    assert "Connect notes first" in maya.run(skills=["notes"])["skill_notes"][0]
    assert server.callers == []


def test_removing_a_skill_revokes_everybodys_sign_in(twin: Twin, acme: str, server: SignInServer) -> None:
    ada, maya = Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya")
    skill = notes(ada, server)
    for person in (ada, maya):
        assert person.sign_in(server, skill_id=skill["id"]).status_code == 200
    held = {*server.access, *server.refresh}
    assert len(held) == 4

    ada.send("DELETE", f"/v1/skills/{skill['id']}", status=204)

    eventually(lambda: set(server.revoked) == held)


def test_each_user_of_a_shared_skill_signs_in_for_themselves(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    ada, maya, noah = (
        Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya"), Person(twin, acme, "noah")
    )  # fmt: skip
    skill = notes(ada, server)
    for person in (ada, maya):
        server.account = f"{person.user}@notes.example"
        person.sign_in(server, service="notes")
    ada.checked(skill)

    reads_pages(model, sees="maya@notes.example has a page")
    maya.run(sources=["notion"])
    reads_pages(model, sees="unknown_tool")
    run = noah.run(skills=["notes"])

    assert server.callers == ["maya@notes.example"]
    assert "Connect notes first" in run["skill_notes"][0]
    assert [person.status(skill) for person in (ada, maya, noah)] == [
        "connected", "connected", "sign_in_needed"
    ]  # fmt: skip


def test_an_admin_signs_in_for_the_whole_workspace(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    ada, maya = Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya")
    skill = notes(ada, server, sign_in="workspace")
    refused = maya.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill["id"]})
    assert (refused.status_code, refused.json()["code"]) == (403, "role_required")
    server.account = "team@notes.example"
    ada.sign_in(server, skill_id=skill["id"])
    ada.checked(skill)

    reads_pages(model, sees="team@notes.example has a page")
    run = maya.run(sources=["notion"])

    assert run["output"] == "The page was read."
    assert maya.status(skill) == "connected"
    assert maya.ask("DELETE", f"/v1/connections/{skill['id']}").json()["code"] == "role_required"


@pytest.mark.parametrize("scope", ["workspace", "user"])
def test_a_sign_in_is_in_the_audit_log_when_it_is_made_again_and_ended(
    twin: Twin, acme: str, server: SignInServer, scope: str
) -> None:
    ada = Person(twin, acme, "ada", "admin")
    skill = notes(ada, server, sign_in=scope)
    ada.begin(skill_id=skill["id"])
    assert [one["act"] for one in ada.send("GET", "/v1/audit")["items"]] == ["skill_registered"]

    ada.sign_in(server, skill_id=skill["id"])
    ada.sign_in(server, skill_id=skill["id"])
    ada.send("DELETE", f"/v1/connections/{skill['id']}", status=204)

    ended, again, made, _ = ada.send("GET", "/v1/audit")["items"]
    assert [(one["act"], one["actor"], one["subject"]) for one in (made, again, ended)] == [
        ("connection_made", "ada", skill["id"]),
        ("connection_made", "ada", skill["id"]),
        ("connection_removed", "ada", skill["id"]),
    ]
    first, second = made["after"], again["after"]
    assert made["before"] is None
    assert again["before"] == first
    assert (ended["before"], ended["after"]) == (second, None)
    for values in (first, second):
        assert values == {scope: {"works": True, "connected_at": values[scope]["connected_at"]}}
    assert first != second
    assert not [token for token in tokens_of(server) if token in json.dumps([made, again, ended])]


def test_a_colleagues_agent_does_not_get_my_sign_in_without_my_word(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    ada, maya = Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya")
    skill = notes(ada, server)
    maya.sign_in(server, skill_id=skill["id"])
    ada.sign_in(server, skill_id=skill["id"])
    ada.checked(skill)
    agent = ada.send(
        "POST", "/v1/agents", {"what": "everybody's notes", "skills": ["notes"], "shared": True}, 201
    )
    reads_pages(model, sees="unknown_tool")

    run = maya.run_again(agent["id"])

    assert server.callers == []
    assert "notes" in run["skill_notes"][0]


def test_a_sign_in_is_finished_once_and_in_its_own_browser_alone(
    twin: Twin, acme: str, server: SignInServer
) -> None:
    maya, noah = Person(twin, acme, "maya"), Person(twin, acme, "noah")
    skill = notes(maya, server)
    noah.begin(skill_id=notes(noah, server, name="mine")["id"])
    back = server.approve(maya.begin(skill_id=skill["id"]))

    # Somebody who is sent the address, and signs in as themselves, connects nothing to anybody.
    assert noah.browser.get(back).status_code == 400
    assert httpx.get(back, trust_env=False).status_code == 400
    assert server.seen["authorization_code"] == 0
    assert maya.browser.get(back).status_code == 200
    maya.browser.cookies.clear()
    again = maya.browser.get(back)

    assert again.status_code == 400
    assert server.seen["authorization_code"] == 1
    assert maya.status(skill) == "connected"


def test_an_old_sign_in_is_over(twin: Twin, acme: str, server: SignInServer) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    back = server.approve(maya.begin(skill_id=skill["id"]))
    twin.set_clock(datetime.now(UTC) + timedelta(hours=9))
    try:
        assert maya.browser.get(back).status_code == 400
    finally:
        twin.set_clock(datetime.now(UTC))
    assert server.seen["authorization_code"] == 0


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"iss": "https://evil.example"}, 422),
        ({"iss": None}, 422),
        ({"error": "access_denied", "code": None}, 422),
        ({"code": None}, 422),
        ({"code": "guessed"}, 422),
        ({"state": "guessed"}, 400),
        ({"state": None}, 400),
        ({"session_state": "more that a server may add"}, 200),
    ],
)
def test_what_comes_back_is_checked_and_repeated_nowhere(
    twin: Twin, acme: str, server: SignInServer, change: dict[str, str | None], status: int
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    back = urlsplit(server.approve(maya.begin(skill_id=skill["id"])))
    given = {name: values[0] for name, values in parse_qs(back.query).items()} | change

    page = maya.browser.get(back.path, params={name: value for name, value in given.items() if value})

    assert page.status_code == status
    assert not any(value in page.text for value in given.values() if value)
    assert page.headers["referrer-policy"] == "no-referrer"
    assert maya.status(skill) == ("connected" if status == 200 else "sign_in_needed")


PRIVATE = "http://169.254.169.254/latest"


@pytest.mark.parametrize(
    "wrong",
    [
        {"metadata": {"issuer": "https://other.example"}},
        {"metadata": {"token_endpoint": PRIVATE}},
        {"metadata": {"authorization_endpoint": PRIVATE}},
        {"metadata": {"revocation_endpoint": PRIVATE}},
        {"metadata": {"registration_endpoint": PRIVATE}},
        {"metadata": {"authorization_endpoint": "javascript:alert(1)"}},
        {"metadata": {"code_challenge_methods_supported": ["plain"]}},
        {"metadata": {"code_challenge_methods_supported": None}},
        {"resource": {"resource": "https://other.example/mcp"}},
        {"resource": {"authorization_servers": [PRIVATE]}},
    ],
)
def test_a_server_whose_metadata_cannot_be_trusted_gets_nobody(
    twin: Twin, acme: str, wrong: dict[str, dict[str, Any]]
) -> None:
    maya = Person(twin, acme, "maya")
    with SignInServer(wrong=wrong) as server:
        skill = notes(maya, server)
        refused = maya.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill["id"]})

    assert (refused.status_code, refused.json()["code"]) == (422, "sign_in_failed")
    assert server.seen["register"] == 0


def test_a_server_that_registers_nobody_asks_for_a_client_of_an_admins(twin: Twin, acme: str) -> None:
    ada, maya = Person(twin, acme, "ada", "admin"), Person(twin, acme, "maya")
    with SignInServer(registers=False) as server:
        skill = notes(ada, server)
        mine = notes(maya, server, name="mine")
        refused = ada.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill["id"]})
        redirect_uri = f"{twin.url}/v1/connections/callback"
        assert refused.json() | {"request_id": ""} == refused.json() | {
            "status": 409, "code": "sign_in_client_needed", "secret": "notes-client",
            "redirect_uri": redirect_uri, "request_id": "",
        }  # fmt: skip
        twin_secret(twin, acme, "notes-client", {"client_id": "by-hand", "client_secret": "s3cret"})
        twin_secret(twin, acme, "mine-client", {"client_id": "by-hand", "client_secret": "s3cret"})
        server.clients["by-hand"] = {"redirect_uris": [redirect_uri]}

        assert ada.sign_in(server, skill_id=skill["id"]).status_code == 200
        assert ada.status(skill) == "connected"
        # A user's own skill could name a server that only collects the tenant's clients.
        refused = maya.ask("POST", "/v1/connections/sign-ins", {"skill_id": mine["id"]})
        assert refused.json()["code"] == "sign_in_client_needed"


def twin_secret(twin: Twin, tenant: str, name: str, value: object) -> None:
    from local.settings import store_secret

    store_secret(twin.data, tenant=tenant, name=name, value=json.dumps(value))


def test_a_new_address_of_a_skill_does_not_get_the_tokens(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)
    with SignInServer() as other:
        other.access = dict(server.access)
        maya.send("PATCH", f"/v1/skills/{skill['id']}", {"url": other.url}, 200)
        assert maya.checked(skill, "failing")["reason"] == "sign_in_needed"
        reads_pages(model, sees="unknown_tool")
        maya.run(skills=["notes"])

        assert other.callers == []
        assert maya.status(skill) == "sign_in_needed"


def test_another_users_private_skill_is_not_there_to_sign_in_to(
    twin: Twin, acme: str, server: SignInServer
) -> None:
    maya, noah = Person(twin, acme, "maya"), Person(twin, acme, "noah")
    skill = notes(maya, server)

    for wanted in ({"skill_id": skill["id"]}, {"service": "notes"}):
        assert noah.ask("POST", "/v1/connections/sign-ins", wanted).status_code == 404
    assert noah.ask("DELETE", f"/v1/connections/{skill['id']}").status_code == 404
    assert Person(twin, "globex", "maya").ask("DELETE", f"/v1/connections/{skill['id']}").status_code == 404


def test_a_page_of_another_site_cannot_begin_one(twin: Twin, acme: str, server: SignInServer) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.browser.headers["Origin"] = "https://elsewhere.example"

    refused = maya.ask("POST", "/v1/connections/sign-ins", {"skill_id": skill["id"]})

    assert (refused.status_code, refused.json()["code"]) == (409, "sign_in_elsewhere")


def test_the_catalogue_is_listed(twin: Twin, acme: str) -> None:
    listed = {
        one["service"]: one for one in Person(twin, acme, "maya").send("GET", "/v1/connections")["items"]
    }

    assert listed["notion"]["status"] == "not_set_up"
    assert listed["notion"]["title"] == "Notion"
    assert "jira" in listed["atlassian"]["serves"]
    assert {"github", "slack", "gmail", "google-drive"} <= listed.keys()
    assert (listed["github"]["client_needed"], listed["notion"]["client_needed"]) == (True, False)


def test_of_ten_runs_at_once_one_renews_the_tokens(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    maya.sign_in(server, skill_id=skill["id"])
    maya.checked(skill)
    server.expire()
    for _ in range(10):
        maya.send("POST", f"/v1/skills/{skill['id']}/check", status=202)

    eventually(lambda: server.access and server.seen["refresh_token"] >= 1)
    maya.checked(skill)

    assert server.seen["refresh_token"] == 1


def test_no_token_is_readable_in_the_table_or_in_a_log(
    twin: Twin, acme: str, model: ModelServer, server: SignInServer
) -> None:
    maya = Person(twin, acme, "maya")
    skill = notes(maya, server)
    begun = maya.begin(skill_id=skill["id"])
    back = server.approve(begun)
    code = parse_qs(urlsplit(back).query)["code"][0]
    state = parse_qs(urlsplit(back).query)["state"][0]
    maya.browser.get(back)
    maya.checked(skill)
    server.expire()
    reads_pages(model, sees="has a page")
    run = maya.run(sources=["notion"])
    maya.send("DELETE", f"/v1/connections/{skill['id']}", status=204)

    secrets = [*tokens_of(server), code, state]
    assert len(secrets) >= 4
    with sqlite3.connect(twin.data / "omniforge.db") as table:
        stored = "\n".join(table.iterdump())
    log = twin.log_path.read_text()
    shown = json.dumps(
        [run, maya.send("GET", f"/v1/skills/{skill['id']}"), maya.send("GET", "/v1/connections")]
    )
    for text in (stored, log, shown):
        assert not [secret for secret in secrets if secret in text]
