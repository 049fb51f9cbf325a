"""Tokens of the shapes that identity providers document reach the authorizer with the parameters of
``docs/identity.md``, which become its settings as the template says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from edge.auth.authorizer import Unauthorized
from local.template.sam_translation import read_template
from tests.built.build import ROOT
from tests.built.deployed_stack import deployed
from tests.fakes.deployment import functions
from tests.fakes.identity import vendor_tokens
from tests.fakes.identity.authorizers import ARN, LoadedAuthorizer
from tests.fakes.identity.issuers import Issuer, serve_issuer
from tests.fakes.run.clocks import ManualClock

pytestmark = pytest.mark.slow

TEMPLATE = read_template(ROOT / "template.yaml")
GUIDE = re.compile(r"^```parameters (\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
GUIDES: Mapping[str, Mapping[str, str]] = {
    vendor: dict(line.split("=", 1) for line in block.splitlines())
    for vendor, block in GUIDE.findall((ROOT / "docs" / "identity.md").read_text("utf-8"))
}
COGNITO = {"Identity": "cognito"}
POOL = "https://cognito-idp.local.localhost/UserPool"
SHAPES: Mapping[str, Callable[..., dict[str, Any]]] = {
    "auth0": vendor_tokens.auth0,
    "entra": vendor_tokens.entra,
    "keycloak": vendor_tokens.keycloak,
}


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with serve_issuer() as serving:
        yield serving


def load(folder: Path, issuer: Issuer, parameters: Mapping[str, str]) -> LoadedAuthorizer:
    clock = ManualClock()
    # Only the address is another: the keys are on this machine.
    told = {**deployed(TEMPLATE, parameters).token_settings(), "OMNIFORGE_JWT_JWKS_URLS": issuer.url}
    with mock.patch("conversation.clock.open_clock", return_value=clock):
        return LoadedAuthorizer(functions.load("authorizer", functions.settings(folder, **told)), clock)


def token(issuer: Issuer, claims: Mapping[str, Any], header: Mapping[str, str] | None = None) -> str:
    return issuer.signed({"kid": "rsa", "alg": "RS256", **(header or {})}, claims)


@pytest.mark.parametrize("vendor", SHAPES)
def test_a_token_of_a_vendors_shape_is_accepted_with_the_parameters_of_its_guide(
    vendor: str, issuer: Issuer, tmp_path: Path
) -> None:
    authorizer = load(tmp_path, issuer, GUIDES[vendor])
    claims = SHAPES[vendor](authorizer.clock.now())

    context = authorizer.context_of(f"Bearer {token(issuer, claims, vendor_tokens.HEADERS[vendor])}")

    assert context["tenant"] == (vendor_tokens.DIRECTORY if vendor == "entra" else "acme")
    assert context["user"] == claims["oid" if vendor == "entra" else "sub"]
    assert "admin" in context["roles"].split()


@pytest.mark.parametrize("vendor", SHAPES)
def test_the_parameters_of_a_guide_can_be_deployed(vendor: str) -> None:
    for name, value in GUIDES[vendor].items():
        pattern = TEMPLATE["Parameters"][name]["AllowedPattern"]
        assert re.fullmatch(pattern, value), name
    keys = GUIDES[vendor].get("JwksUrls") or f"{GUIDES[vendor]['Issuers'].rstrip('/')}/.well-known/jwks.json"
    assert keys.startswith(GUIDES[vendor]["Issuers"].removesuffix("v2.0"))


@pytest.mark.parametrize("vendor", SHAPES)
def test_a_vendors_token_for_another_api_is_refused(vendor: str, issuer: Issuer, tmp_path: Path) -> None:
    authorizer = load(tmp_path, issuer, GUIDES[vendor])
    claims = {**SHAPES[vendor](authorizer.clock.now()), "aud": ["account"]}

    with pytest.raises(Unauthorized):
        authorizer.context_of(f"Bearer {token(issuer, claims)}")


def test_cognito_needs_no_parameter_but_its_name(issuer: Issuer, tmp_path: Path) -> None:
    authorizer = load(tmp_path, issuer, COGNITO)
    now = authorizer.clock.now()

    admin = authorizer.context_of(
        f"Bearer {token(issuer, vendor_tokens.cognito(POOL, now, groups=['admin']))}"
    )
    user = authorizer.context_of(f"Bearer {token(issuer, vendor_tokens.cognito(POOL, now))}")

    assert deployed(TEMPLATE, COGNITO).token_settings()["OMNIFORGE_JWT_ISSUERS"] == POOL
    assert (admin["tenant"], admin["user"]) == ("acme", vendor_tokens.COGNITO_SUB)
    assert (admin["roles"], user["roles"]) == ("admin", "")


@pytest.mark.parametrize(
    ("what", "changes"),
    [
        ("another client's", {"scope": "openid profile email"}),
        ("made with AWS's own sign-in API", {"scope": "aws.cognito.signin.user.admin"}),
        ("with a scope that only begins like ours", {"scope": "openid omniforge/api2"}),
        ("without scopes", {"scope": ""}),
        ("another pool's", {"issuer": "https://cognito-idp.local.localhost/OtherPool"}),
    ],
)
def test_a_token_of_cognito_that_is_not_for_this_api_is_refused(
    what: str, changes: dict[str, Any], issuer: Issuer, tmp_path: Path
) -> None:
    authorizer = load(tmp_path, issuer, COGNITO)
    claims = vendor_tokens.cognito(now=authorizer.clock.now(), **{"issuer": POOL, **changes})

    with pytest.raises(Unauthorized):
        authorizer.context_of(f"Bearer {token(issuer, claims)}")


def test_an_id_token_of_cognito_opens_nothing(issuer: Issuer, tmp_path: Path) -> None:
    authorizer = load(tmp_path, issuer, COGNITO)
    claims = vendor_tokens.cognito_id_token(POOL, authorizer.clock.now())

    with pytest.raises(Unauthorized):
        authorizer.context_of(f"Bearer {token(issuer, claims)}")


def test_a_user_of_the_pool_whose_tenant_nobody_named_is_refused(issuer: Issuer, tmp_path: Path) -> None:
    authorizer = load(tmp_path, issuer, COGNITO)
    claims = vendor_tokens.cognito(POOL, authorizer.clock.now(), tenant=None)

    policy = authorizer.handle({"authorizationToken": f"Bearer {token(issuer, claims)}", "methodArn": ARN})

    assert policy["policyDocument"]["Statement"][0]["Effect"] == "Deny"
    assert policy["context"] == {"code": "tenant_invalid"}
