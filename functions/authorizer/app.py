"""The authorizer function: turns a JWT into tenant, user and roles for all functions behind the gateway."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from conversation.clock import Clock, open_clock
from conversation.tenants.store import TenantStore
from edge.auth.authorizer import Authorizer
from edge.auth.jwks import KeySet
from edge.auth.settings import TokenSettings
from edge.auth.tokens import TokenVerifier
from edge.observability import open_request_log
from edge.settings import Settings
from storage.factory import open_tables

settings = Settings.load()
tokens = TokenSettings.load()
clock: Clock = open_clock(settings.clock_file)
request_log = open_request_log("authorizer", settings)
authorizer = Authorizer(
    verifier=TokenVerifier(
        issuers={issuer.url: KeySet(issuer.jwks_url, clock=clock) for issuer in tokens.issuers},
        audience=tokens.audience,
        audience_claim=tokens.audience_claim,
        algorithms=tokens.algorithms,
        clock=clock,
    ),
    claims=tokens.claims,
    tenants=TenantStore(
        tables=open_tables(settings.table, deadline_s=settings.storage_deadline_s), clock=clock
    ),
    registered_only=settings.tenant_mode == "registered",
    clock=clock,
)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """The policy for the bearer of a token, which the gateway caches for at most a minute."""
    with request_log.for_request(context.aws_request_id):
        return authorizer.decide(event)
