"""A deployment where nobody is registered yet, as after its first start."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed
from tests.fakes.deployment.twin import Twin
from tests.fakes.identity import vendor_tokens
from tests.fakes.identity.issuers import serve_issuer
from tests.fakes.run.api_operations import operations

pytestmark = pytest.mark.e2e

OPERATORS_OWN = "/v1/tenants/"


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    with Twin(tmp_path, environ={"OMNIFORGE_TENANTS": "registered"}) as twin:
        yield twin


def test_an_operator_registers_the_first_tenant_and_a_user_of_it_chats(twin: Twin) -> None:
    operator, maya = twin.token("ops", "olga", ("operator",)), twin.token("acme", "maya")
    hello = {"message": "remind me to call Ana tomorrow at 9"}

    refused = twin.request("POST", "/v1/chat", token=maya, json=hello)
    registered = twin.request("PUT", "/v1/tenants/acme", token=operator, json={"name": "Acme"})
    told = twin.request("POST", "/v1/chat", token=twin.token("acme", "noah"), json=hello)

    assert (refused.status_code, refused.json()["code"]) == (403, "tenant_inactive")
    assert registered.status_code == 200, registered.text
    assert told.status_code == 200, told.text
    assert "call Ana" in told.json()["message"]["content"]


def test_an_operator_of_no_registered_tenant_reaches_the_tenants_and_nothing_else(twin: Twin) -> None:
    operator = twin.token("ops", "olga", ("operator", "admin", "service"))
    described = list(operations(twin.get("/openapi.json", token=None)))
    guarded = [one for one in described if not one.is_public]

    assert len(guarded) > 50
    for one in guarded:
        path = one.path
        for name in one.path_ids:
            path = path.replace(f"{{{name}}}", "a" * 32)
        answer = twin.request(one.method, path, token=operator, json={})
        is_let_in = (answer.status_code, answer.json().get("code")) != (403, "tenant_inactive")
        assert is_let_in is one.path.startswith(OPERATORS_OWN), (one.name, answer.text)


@pytest.mark.parametrize("path", ["/v1/conversations/v1/tenants/acme", "/v1/chat/v1/tenants/acme"])
def test_a_path_that_only_ends_like_a_tenants_is_closed(twin: Twin, path: str) -> None:
    answer = twin.request("GET", path, token=twin.token("ops", "olga", ("operator",)))

    assert answer.status_code in {403, 404}


def test_whoever_is_no_operator_is_kept_out_of_the_tenants_too(twin: Twin) -> None:
    admin = twin.token("ops", "olga", ("admin",))

    answer = twin.request("PUT", "/v1/tenants/ops", token=admin, json={"name": "Ops"})

    assert (answer.status_code, answer.json()["code"]) == (403, "tenant_inactive")


def test_the_first_day_with_a_user_pool_of_the_stack(tmp_path: Path) -> None:
    told = deployed(read_template(ROOT / "template.yaml"), {"Identity": "cognito"}).token_settings()
    pool = told["OMNIFORGE_JWT_ISSUERS"]
    with serve_issuer() as issuer:
        # Only the address is another: the keys are on this machine.
        environ = {**told, "OMNIFORGE_JWT_JWKS_URLS": issuer.url, "OMNIFORGE_TENANTS": "registered"}

        def token(tenant: str, user: str, *groups: str) -> str:
            claims = vendor_tokens.cognito(pool, datetime.now(UTC), tenant=tenant, user=user, groups=groups)
            return issuer.signed({"kid": "rsa", "alg": "RS256"}, claims)

        with Twin(tmp_path, environ=environ) as twin:
            operator, admin = token("ops", "olga", "operator"), token("acme", "ada", "admin")
            early = twin.request("GET", "/v1/tenant/policy", token=token("acme", "adam", "admin"))
            registered = twin.request("PUT", "/v1/tenants/acme", token=operator, json={"name": "Acme"})
            elsewhere = twin.chat("help", token=operator)
            budget = twin.request(
                "PUT", "/v1/tenant/policy", token=admin, json={"budget": {"usd_per_day": 5}}
            )
            told_user = twin.chat("remind me to call Ana tomorrow at 9", token=token("acme", "maya"))
            of_user = twin.request("GET", "/v1/audit", token=token("acme", "maya"))

    assert (early.status_code, early.json()["code"]) == (403, "tenant_inactive")
    assert registered.status_code == 200, registered.text
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (403, "tenant_inactive")
    assert budget.status_code == 200, budget.text
    assert "call Ana" in told_user.json()["message"]["content"]
    assert of_user.status_code == 403
