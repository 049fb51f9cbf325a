"""The real authorizer function, loaded as Lambda would load it, on a manual clock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

from tests.fakes.aws.proxy_events import Context
from tests.fakes.deployment import functions
from tests.fakes.identity.issuers import AUDIENCE, Issuer
from tests.fakes.run.clocks import ManualClock

ARN = "arn:aws:execute-api:eu-west-1:000000000000:abc123/dev/POST/v1/chat"


class LoadedAuthorizer(NamedTuple):
    """The function in a warm execution environment."""

    app: ModuleType
    clock: ManualClock

    def handle(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return the function's result for an event."""
        policy: dict[str, Any] = self.app.handler({"type": "TOKEN", "methodArn": ARN, **event}, Context())
        return policy

    def context_of(self, header: str) -> dict[str, str]:
        """Return the context of the caller that the function authorizes for an Authorization header.

        Raises:
            Unauthorized: the function rejects the header.
        """
        policy = self.handle({"authorizationToken": header})
        assert policy["policyDocument"]["Statement"][0]["Effect"] == "Allow"
        context: dict[str, str] = policy["context"]
        return context


def load_authorizer(folder: Path, clock: ManualClock, *issuers: Issuer) -> LoadedAuthorizer:
    """Load the function with these trusted issuers and with its table in a folder."""
    urls = ",".join(issuer.url for issuer in issuers)
    tokens = {
        "OMNIFORGE_JWT_ISSUERS": urls,
        "OMNIFORGE_JWT_JWKS_URLS": urls,
        "OMNIFORGE_JWT_AUDIENCE": AUDIENCE,
    }
    with mock.patch("conversation.clock.open_clock", return_value=clock):
        return LoadedAuthorizer(functions.load("authorizer", functions.settings(folder, **tokens)), clock)
