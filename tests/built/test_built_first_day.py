"""The first day of a stack that was just deployed, by the built functions: tenants are registered, as is the
default, and nobody is yet. The gateway between them is as small as it can be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Any
from uuid import uuid4

import pytest

from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed
from tests.built.emulator import EmulatedFunction
from tests.fakes.aws.proxy_events import request
from tests.fakes.identity import vendor_tokens
from tests.fakes.identity.issuers import Issuer, serve_issuer

pytestmark = pytest.mark.built

STAGE_ARN = "arn:aws:execute-api:eu-west-1:000000000000:abc123/dev"
OWN = {"Issuers": "https://id.example", "Audience": "chat"}
COGNITO = {"Identity": "cognito"}
TEMPLATE = read_template(ROOT / "template.yaml")

Start = Callable[..., EmulatedFunction]


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with serve_issuer() as serving:
        yield serving


def own_claims(tenant: str, user: str, roles: list[str]) -> dict[str, Any]:
    now = int(datetime.now(UTC).timestamp())
    who = {"sub": user, "tenant": tenant, "roles": roles}
    return {"iss": "https://id.example", "aud": "chat", "iat": now, "exp": now + 600, **who}


def cognito_claims(tenant: str, user: str, roles: list[str]) -> dict[str, Any]:
    pool = deployed(TEMPLATE, COGNITO).token_settings()["OMNIFORGE_JWT_ISSUERS"]
    return vendor_tokens.cognito(pool, datetime.now(UTC), tenant=tenant, user=user, groups=roles)


@pytest.mark.parametrize(("parameters", "claims_of"), [(OWN, own_claims), (COGNITO, cognito_claims)])
def test_an_operator_registers_the_first_tenant_and_a_user_of_it_chats(
    parameters: Mapping[str, str],
    claims_of: Callable[[str, str, list[str]], dict[str, Any]],
    start: Start,
    issuer: Issuer,
) -> None:
    variables = {"OMNIFORGE_TENANTS": TEMPLATE["Parameters"]["Tenants"]["Default"]}
    told = {**deployed(TEMPLATE, parameters).token_settings(), "OMNIFORGE_JWT_JWKS_URLS": issuer.url}
    authorizer = start("AuthorizerFunction", **variables, **told)
    functions = {name: start(f"{name}Function", **variables) for name in ("Tenants", "Chat")}
    tenant = f"first-{uuid4().hex[:8]}"

    def send(function: str, method: str, path: str, who: tuple[str, str, list[str]], body: Any) -> Any:
        token = issuer.signed({"kid": "rsa", "alg": "RS256"}, claims_of(*who))
        arn = f"{STAGE_ARN}/{method}{path}"
        policy = authorizer.invoke(
            {"type": "TOKEN", "methodArn": arn, "authorizationToken": f"Bearer {token}"}
        )
        [statement] = policy["policyDocument"]["Statement"]
        resources = statement["Resource"]
        named = resources if isinstance(resources, list) else [resources]
        if statement["Effect"] != "Allow" or not any(fnmatchcase(arn, each) for each in named):
            return policy["context"]["code"]
        event = request(method, path, body=body)
        event["requestContext"]["authorizer"] = policy["context"]
        return functions[function].invoke(event)

    operator = ("ops", "olga", ["operator"])
    maya: tuple[str, str, list[str]] = (tenant, "maya", [])
    hello = {"message": "remind me to call Ana tomorrow at 9"}

    assert send("Chat", "POST", "/v1/chat", maya, hello) == "tenant_inactive"
    assert send("Chat", "POST", "/v1/chat", operator, hello) == "tenant_inactive"
    registered = send("Tenants", "PUT", f"/v1/tenants/{tenant}", operator, {"name": "First"})
    assert registered["statusCode"] == 200, registered
    answered = send("Chat", "POST", "/v1/chat", (tenant, "noah", []), hello)
    assert answered["statusCode"] == 200, answered
    assert "call Ana" in json.loads(answered["body"])["message"]["content"]
