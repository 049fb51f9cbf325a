"""The token claims function: Cognito asks it before it signs a user's tokens.

Cognito's access tokens carry none of the user's attributes. This adds the tenant, which only administrators
of the pool can set, and the time zone. Without a tenant the token names none, and the authorizer refuses it.

Source: Cognito's pre token generation trigger, version 2.
"""

from __future__ import annotations

from typing import Any

CLAIMS = {"custom:tenant": "tenant", "zoneinfo": "zoneinfo"}
"""The claim that each attribute becomes."""


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """The event with what Cognito is to add to the access token."""
    attributes = event["request"].get("userAttributes") or {}
    added = {claim: attributes[name] for name, claim in CLAIMS.items() if attributes.get(name)}
    event["response"] = {
        "claimsAndScopeOverrideDetails": {"accessTokenGeneration": {"claimsToAddOrOverride": added}}
    }
    return event
