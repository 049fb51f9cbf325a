"""Who is asking, as the authorizer proved it. Nothing a body, a path or a query says changes that.

`Asker`, `Admin` and `Operator` are parameter types for route functions: the resolver fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.depends import Depends

from conversation.errors import RoleRequired, TenantNotFound
from conversation.identity import ADMIN, OPERATOR, SERVICE, Caller
from conversation.tenants.policy import known_time_zone
from edge.http.problems import Problem
from storage.keys import InvalidIdentity, TenantId, parse_tenant, parse_user

USER_HEADER = "X-OmniForge-User"
"""In which a backend acting for its users names one of them; only with a token of the role `service`."""


def caller(request: Request) -> Caller:
    """The tenant, user and roles of the request's token.

    Raises:
        Problem: auth_invalid without a token, user_invalid for a service that names no possible user.
        RoleRequired: somebody else than a service names another user.
    """
    claims = authorizer_context(request.resolved_event.raw_event)
    named = request.resolved_event.headers.get(USER_HEADER)
    try:
        proved = Caller(
            parse_tenant(claims.get("tenant")),
            parse_user(claims.get("user")),
            frozenset(str(claims.get("roles", "")).split()),
        )
    except InvalidIdentity:
        raise Problem("auth_invalid", "The request carries no valid token.") from None
    return proved if named is None else _acting_for(proved, named)


def named_caller(request: Request) -> Caller:
    """The caller, when the path names the same user.

    Raises:
        Problem: user_mismatch.
    """
    asking = caller(request)
    named = request.path_parameters["user_id"]
    if asking.user not in {named, unquote(named)}:
        raise Problem("user_mismatch", "The path names another user than the token.")
    return asking


def user_or_admins(request: Request) -> str:
    """The user the path names: the caller, or for an admin anybody of the tenant.

    Raises:
        Problem: user_mismatch; user_invalid when there can't be such a user.
    """
    asking, named = caller(request), request.path_parameters["user_id"]
    if asking.user in {named, unquote(named)}:
        return asking.user
    if not asking.has(ADMIN):
        raise Problem("user_mismatch", "The path names another user than the token.")
    try:
        return parse_user(unquote(named))
    except InvalidIdentity:
        raise Problem("user_invalid", "The path names no possible user.") from None


def admin(request: Request) -> Caller:
    """The caller, when they may decide for their tenant."""
    return _with_role(request, ADMIN)


def operator(request: Request) -> Caller:
    """The caller, when they run the deployment."""
    return _with_role(request, OPERATOR)


def keeps_history(request: Request) -> bool:
    """Whether the policy of the caller's tenant has conversations stored."""
    return authorizer_context(request.resolved_event.raw_event).get("history") != "off"


def claimed_time_zone(request: Request) -> str | None:
    """The time zone the token says the user lives in; None when it names none that is known."""
    try:
        return known_time_zone(authorizer_context(request.resolved_event.raw_event).get("zoneinfo", ""))
    except ValueError:
        return None


Asker = Annotated[Caller, Depends(caller)]
KeepsHistory = Annotated[bool, Depends(keeps_history)]
NamedAsker = Annotated[Caller, Depends(named_caller)]
UserOrAdmins = Annotated[str, Depends(user_or_admins)]
Admin = Annotated[Caller, Depends(admin)]
Operator = Annotated[Caller, Depends(operator)]
ClaimedTimeZone = Annotated[str | None, Depends(claimed_time_zone)]


def authorizer_context(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the authorizer left with the event; empty on routes without one."""
    return event.get("requestContext", {}).get("authorizer") or {}


def require_fresh(event: Mapping[str, Any], now: datetime) -> None:
    """Refuse a token that ran out since the gateway last asked the authorizer, which it does once a minute at
    most.

    Raises:
        Problem: auth_invalid.
    """
    claims = authorizer_context(event)
    if claims and not int(claims.get("exp", 0)) > now.timestamp():
        raise Problem("auth_invalid", "The token has expired.")


def _with_role(request: Request, role: str) -> Caller:
    asking = caller(request)
    if not asking.has(role):
        raise RoleRequired(role)
    return asking


def _acting_for(service: Caller, user: str) -> Caller:
    """The named user, with none of the service's roles: whoever needs those asks for itself."""
    if not service.has(SERVICE):
        raise RoleRequired(SERVICE)
    try:
        return Caller(service.tenant, parse_user(user))
    except InvalidIdentity:
        raise Problem("user_invalid", f"The header {USER_HEADER} names no possible user.") from None


def named_tenant(text: str) -> TenantId:
    """The tenant a path names, for those who may name one.

    Raises:
        TenantNotFound: there can't be a tenant of that name.
    """
    try:
        return parse_tenant(text)
    except InvalidIdentity:
        raise TenantNotFound from None
