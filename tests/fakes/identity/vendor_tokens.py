"""Access tokens as identity providers document them: header and claims of a user of the tenant ``acme``.

Each is filled with the values of the guide in ``docs/identity.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from functions.token_claims.app import handler

Claims = dict[str, Any]

SIGN_IN = Path(__file__).resolve().parents[3] / "events" / "token_claims" / "sign_in.json"

COGNITO_SUB = "86a7b2c4-5001-7045-2d43-97a1a2b3c4d5"
DIRECTORY = "11111111-1111-1111-1111-111111111111"


def cognito(
    issuer: str,
    now: datetime,
    *,
    tenant: str | None = "acme",
    user: str = COGNITO_SUB,
    groups: Sequence[str] = (),
    scope: str = "openid profile email omniforge/api",
) -> Claims:
    """The claims of an access token of a Cognito user pool, with what the pool's trigger added.

    Source: Cognito developer guide, "Understanding the access token", "Pre token generation Lambda trigger".
    """
    event = json.loads(SIGN_IN.read_text("utf-8"))
    event["request"]["userAttributes"].pop("custom:tenant")
    if tenant is not None:
        event["request"]["userAttributes"]["custom:tenant"] = tenant
    answer = handler(event, None)["response"]["claimsAndScopeOverrideDetails"]["accessTokenGeneration"]
    issued = int(now.timestamp())
    claims: Claims = {
        "sub": user,
        "iss": issuer,
        "version": 2,
        "client_id": "1example23456789",
        "origin_jti": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "event_id": "64f513be-32db-42b0-b78e-b02127b4f463",
        "token_use": "access",
        "scope": scope,
        "auth_time": issued,
        "exp": issued + 3_600,
        "iat": issued,
        "jti": "bbbbbbbb-bbbb-cccc-dddd-eeeeeeeeeeee",
        "username": user,
        **answer["claimsToAddOrOverride"],
    }
    return {**claims, "cognito:groups": list(groups)} if groups else claims


def cognito_id_token(issuer: str, now: datetime) -> Claims:
    """The claims of an id token of the same user, which is for the page alone."""
    issued = int(now.timestamp())
    return {
        "sub": COGNITO_SUB,
        "email_verified": True,
        "iss": issuer,
        "cognito:username": COGNITO_SUB,
        "cognito:groups": ["admin"],
        "aud": "1example23456789",
        "token_use": "id",
        "auth_time": issued,
        "exp": issued + 3_600,
        "iat": issued,
        "email": "maya@acme.example",
        "custom:tenant": "acme",
    }


def auth0(now: datetime) -> Claims:
    """Source: Auth0 docs, "Access Token Profiles", with the two claims of the guide's action."""
    issued = int(now.timestamp())
    return {
        "iss": "https://example.eu.auth0.com/",
        "sub": "auth0|5f7c8ec7c33c6c004bbafe82",
        "aud": ["https://omniforge.example/api", "https://example.eu.auth0.com/userinfo"],
        "iat": issued,
        "exp": issued + 86_400,
        "scope": "openid profile email offline_access",
        "azp": "my_client_id",
        "https://omniforge.example/tenant": "acme",
        "https://omniforge.example/roles": ["admin"],
    }


def entra(now: datetime) -> Claims:
    """Source: Microsoft identity platform, "Access token claims reference", version 2.0."""
    issued = int(now.timestamp())
    return {
        "aud": "22222222-2222-2222-2222-222222222222",
        "iss": f"https://login.microsoftonline.com/{DIRECTORY}/v2.0",
        "iat": issued,
        "nbf": issued,
        "exp": issued + 4_821,
        "aio": "AXQAi/8IAAAAFm+E/QTG+gFnVxLjWdw8K+61AGrSOuMMF6ebaMj7XO3",
        "azp": "33333333-3333-3333-3333-333333333333",
        "azpacr": "0",
        "name": "Maya Example",
        "oid": "690222be-ff1a-4d56-abd1-7e4f7d38e474",
        "preferred_username": "maya@acme.example",
        "rh": "0.AX0A",
        "roles": ["admin"],
        "scp": "chat",
        "sub": "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
        "tid": DIRECTORY,
        "uti": "fqiBqXLPj0eQa82S-IYFAA",
        "ver": "2.0",
    }


def keycloak(now: datetime) -> Claims:
    """Source: Keycloak Server Administration Guide, client scopes and protocol mappers."""
    issued = int(now.timestamp())
    return {
        "exp": issued + 300,
        "iat": issued,
        "auth_time": issued,
        "jti": "onrtac:9e5f6a0b-1f39-4b2b-9c0e-2f6f0a9f5d11",
        "iss": "https://keycloak.example/realms/omniforge",
        "aud": ["omniforge", "account"],
        "sub": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "typ": "Bearer",
        "azp": "omniforge-web",
        "sid": "5a3b7f0e-8b1e-4f5e-9d8e-0f6e6a4a2b11",
        "acr": "1",
        "allowed-origins": ["https://d111.cloudfront.net"],
        "realm_access": {"roles": ["offline_access", "default-roles-omniforge", "admin"]},
        "resource_access": {"account": {"roles": ["manage-account", "view-profile"]}},
        "scope": "openid profile email omniforge",
        "email_verified": True,
        "tenant": "acme",
        "preferred_username": "maya",
    }


HEADERS: Mapping[str, Mapping[str, str]] = {
    "auth0": {"typ": "JWT"},
    "entra": {"typ": "JWT", "x5t": "nOo3ZDrODXEK1jKWhXslHR_KXEg"},
    "keycloak": {"typ": "JWT"},
}
"""What their headers say besides the algorithm and the key's id."""
