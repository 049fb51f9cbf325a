"""Secrets of a tenant over REST: used for calling servers, never told, gone with their skill or tenant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.test_skills import Person, keep_secret, script, wants
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.mcp_server import McpProcess
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

VALUE = "tok-5f0c2b77e1"
SECRETS = "/v1/tenant/secrets"


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
        "OMNIFORGE_STRONG_MODELS": "openai/deep-thinker",
    }
    with Twin(tmp_path_factory.mktemp("twin"), environ=environ) as running:
        yield running


@pytest.fixture
def server() -> Iterator[McpProcess]:
    with McpProcess() as running:
        yield running


def stored(person: Person) -> list[Any]:
    return list(person.send("GET", SECRETS, status=200)["items"])


def test_a_run_calls_its_server_with_the_stored_secret_which_nobody_is_told(
    twin: Twin, model: ModelServer, server: McpProcess
) -> None:
    ada = Person(twin, "acme-run", "ada", "admin")
    skill = ada.send(
        "POST",
        "/v1/skills",
        {"name": "notes", "url": server.url, "secret": "notes-key", "serves": ["notion"]},
        201,
    )
    told = ada.send("PUT", f"{SECRETS}/notes-key", {"value": f" {VALUE}\n"}, 200)
    ada.send("POST", f"/v1/skills/{skill['id']}/check", status=202)
    ada.healthy(skill)
    model.use(script(wants("notes__whoami"), after=f"Bearer {VALUE}", says="All pages were read."))

    run = ada.run(sources=["notion"])

    assert (run["status"], run["output"]) == ("succeeded", "All pages were read.")
    assert (told["name"], told["set_by"], sorted(told)) == ("notes-key", "ada", ["name", "set_at", "set_by"])
    answers = [ada.send("GET", path) for path in (SECRETS, "/v1/skills", f"/v1/skills/{skill['id']}")]
    export = twin.request("GET", "/v1/export", token=ada.token).text
    audit = ada.send("GET", "/v1/audit")
    assert VALUE not in json.dumps([told, answers, audit]) + export
    assert "secret_stored" in json.dumps(audit)
    kept = b"".join(each.read_bytes() for each in twin.data.glob("omniforge.db*"))
    assert VALUE.encode() not in kept + twin.log_path.read_bytes()


def test_a_stored_secret_comes_before_the_operators_and_without_it_theirs_counts_again(
    twin: Twin, model: ModelServer
) -> None:
    ada = Person(twin, "acme-both", "ada", "admin")
    keep_secret(twin, "acme-both", "results", "of-the-operator")
    model.use(Script([Rule("", Reply(content="All is well."), prompt="You carry out one run")]))
    with Site(fixed_answer(b"ok")) as receiver:
        delivery = {"channels": ["webhook"], "recipients": [receiver.url("/hook")]}
        ada.send("PUT", f"{SECRETS}/results", {"value": VALUE}, 200)
        ada.run(delivery=delivery)
        ada.send("DELETE", f"{SECRETS}/results", status=204)
        ada.run(delivery=delivery)

    ours, operators = receiver.requests
    assert ours.is_signed_with(VALUE)
    assert operators.is_signed_with("of-the-operator")


def test_a_skills_own_secret_goes_with_it_and_one_of_another_name_stays(
    twin: Twin, server: McpProcess
) -> None:
    ada = Person(twin, "acme-skill", "ada", "admin")
    for name, secret in (("notes", "notes-key"), ("pages", "shared")):
        skill = ada.send("POST", "/v1/skills", {"name": name, "url": server.url, "secret": secret}, 201)
        ada.send("PUT", f"{SECRETS}/{secret}", {"value": VALUE}, 200)
        ada.send("DELETE", f"/v1/skills/{skill['id']}", status=204)

    assert [each["name"] for each in stored(ada)] == ["shared"]


def test_a_users_skill_of_the_same_name_does_not_take_a_secret_along(twin: Twin, server: McpProcess) -> None:
    ada, maya = Person(twin, "acme-name", "ada", "admin"), Person(twin, "acme-name", "maya")
    ada.send("PUT", f"{SECRETS}/notes-key", {"value": VALUE}, 200)
    skill = maya.send("POST", "/v1/skills", {"name": "notes", "url": server.url}, 201)
    maya.send("DELETE", f"/v1/skills/{skill['id']}", status=204)

    assert [each["name"] for each in stored(ada)] == ["notes-key"]


def test_an_erased_users_name_leaves_the_secrets_and_an_erased_tenant_has_none(twin: Twin) -> None:
    tenant = "acme-erased"
    ada, bea = Person(twin, tenant, "ada", "admin"), Person(twin, tenant, "bea", "admin")
    operator = Person(twin, "ops", "olga", "operator")
    ada.send("PUT", f"{SECRETS}/results", {"value": VALUE}, 200)
    ada.send("POST", "/v1/users/ada/erasures", status=202)
    eventually(lambda: [each["set_by"] for each in stored(bea)] == [None], within_s=60)

    operator.send("PUT", f"/v1/tenants/{tenant}", {"name": "Acme"})
    operator.send("POST", f"/v1/tenants/{tenant}/erasures", status=202)

    def is_gone() -> bool:
        listed = operator.send("GET", f"/v1/tenants/{tenant}/erasures")["items"]
        return any(each["scope"] == "tenant" and each["removed"].get("secrets") == 1 for each in listed)

    eventually(is_gone, within_s=60)


@pytest.mark.parametrize("value", ["", "   ", "two\nlines", "schl\u00fcssel", "x" * 8_001])
def test_what_no_header_can_hold_is_refused_without_being_repeated(twin: Twin, value: str) -> None:
    ada = Person(twin, "acme-bad", "ada", "admin")
    refused = twin.request("PUT", f"{SECRETS}/notes-key", token=ada.token, json={"value": value})
    assert refused.status_code == 400
    assert "lines" not in refused.text
    assert "schl" not in refused.text
    assert "xxx" not in refused.text
    assert stored(ada) == []


@pytest.mark.parametrize("name", ["Notes", "+connections-key", "a%2Fb", "x" * 65])
def test_a_name_that_no_skill_can_have_is_refused(twin: Twin, name: str) -> None:
    ada = Person(twin, "acme-bad", "ada", "admin")
    refused = twin.request("PUT", f"{SECRETS}/{name}", token=ada.token, json={"value": VALUE})
    assert (refused.status_code, refused.json()["code"]) == (400, "secret_invalid")
