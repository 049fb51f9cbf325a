"""The caller of a request, as the authorizer verified it. Nothing in a body, a path or a query changes it.

`CallerParam`, `AdminParam` and `OperatorParam` are parameter types for route functions; the resolver fills
them in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.depends import Depends

from conversation.errors import RoleRequired, TenantNotFound
from conversation.identity import ADMIN, OPERATOR, SERVICE, Caller
from conversation.tenants.policy import validate_time_zone
from conversation.tenants.store import UserBeingErased
from edge.http.closed_users import is_closed
from edge.http.problems import Problem
from storage.keys import InvalidIdentity, TenantId, parse_tenant, parse_user

USER_HEADER = "X-OmniForge-User"
"""The header in which a backend names the user it acts for; it needs a token of the role `service`."""


def request_caller(request: Request) -> Caller:
    """The tenant, user and roles of the request's token.

    Raises:
        Problem: auth_invalid without a token; user_invalid when a service names an impossible user.
        RoleRequired: a caller without the role `service` sends the header `USER_HEADER`.
        UserBeingErased: a service names a user whose data is being removed.
    """
    claims = authorizer_context(request.resolved_event.raw_event)
    named = request.resolved_event.headers.get(USER_HEADER)
    try:
        caller = Caller(
            parse_tenant(claims.get("tenant")),
            parse_user(claims.get("user")),
            frozenset(str(claims.get("roles", "")).split()),
        )
    except InvalidIdentity:
        raise Problem("auth_invalid", "The request carries no valid token.") from None
    return caller if named is None else _acting_for(caller, named, claims)


def named_caller(request: Request) -> Caller:
    """The caller, when the path names the same user.

    Raises:
        Problem: user_mismatch when the path names another user.
    """
    caller = request_caller(request)
    named = request.path_parameters["user_id"]
    if caller.user not in {named, unquote(named)}:
        raise Problem("user_mismatch", "The path names another user than the token.")
    return caller


def require_named_user(request: Request) -> str:
    """The user that the path names: the caller or, for an admin, any user of the tenant.

    Raises:
        Problem: user_mismatch when others name another user; user_invalid for an impossible user.
    """
    caller, named = request_caller(request), request.path_parameters["user_id"]
    if caller.user in {named, unquote(named)}:
        return caller.user
    if not caller.has(ADMIN):
        raise Problem("user_mismatch", "The path names another user than the token.")
    try:
        return parse_user(unquote(named))
    except InvalidIdentity:
        raise Problem("user_invalid", "The path names no possible user.") from None


def require_admin(request: Request) -> Caller:
    """The caller, when they may decide for their tenant.

    Raises:
        RoleRequired: the caller does not have the role admin.
    """
    return _with_role(request, ADMIN)


def require_operator(request: Request) -> Caller:
    """The caller, when they run the deployment.

    Raises:
        RoleRequired: the caller does not have the role operator.
    """
    return _with_role(request, OPERATOR)


def keeps_history(request: Request) -> bool:
    """Whether the policy of the caller's tenant lets conversations be stored."""
    return authorizer_context(request.resolved_event.raw_event).get("history") != "off"


def claimed_time_zone(request: Request) -> str | None:
    """The user's time zone according to the token; None when it names no known one."""
    try:
        return validate_time_zone(authorizer_context(request.resolved_event.raw_event).get("zoneinfo", ""))
    except ValueError:
        return None


CallerParam = Annotated[Caller, Depends(request_caller)]
NamedCallerParam = Annotated[Caller, Depends(named_caller)]
NamedUserParam = Annotated[str, Depends(require_named_user)]
AdminParam = Annotated[Caller, Depends(require_admin)]
OperatorParam = Annotated[Caller, Depends(require_operator)]
ClaimedTimeZoneParam = Annotated[str | None, Depends(claimed_time_zone)]
KeepsHistoryParam = Annotated[bool, Depends(keeps_history)]


def authorizer_context(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The context that the authorizer added to the event; empty on routes without an authorizer."""
    return event.get("requestContext", {}).get("authorizer") or {}


def require_one_token(event: Mapping[str, Any]) -> None:
    """Refuses a request with more than one ``Authorization`` header: the gateway's authorizer sees just one.

    Raises:
        Problem: auth_invalid.
    """
    sent: Mapping[str, Sequence[str]] = event.get("multiValueHeaders") or {}
    if sum(len(values) for name, values in sent.items() if name.lower() == "authorization") > 1:
        raise Problem("auth_invalid", "The request has more than one Authorization header.")


def require_unexpired(event: Mapping[str, Any], now: datetime) -> None:
    """Refuses a token that has expired since the gateway last asked the authorizer, up to a minute ago.

    Raises:
        Problem: auth_invalid.
    """
    claims = authorizer_context(event)
    if claims and not int(claims.get("exp", 0)) > now.timestamp():
        raise Problem("auth_invalid", "The token has expired.")


def _with_role(request: Request, role: str) -> Caller:
    caller = request_caller(request)
    if not caller.has(role):
        raise RoleRequired(role)
    return caller


def _acting_for(service: Caller, name: str, context: Mapping[str, Any]) -> Caller:
    """The named user, with none of the service's roles: to use those, a service leaves the header out."""
    if not service.has(SERVICE):
        raise RoleRequired(SERVICE)
    try:
        user = parse_user(name)
    except InvalidIdentity:
        raise Problem("user_invalid", f"The header {USER_HEADER} names no possible user.") from None
    if is_closed(context, user):
        raise UserBeingErased
    return Caller(service.tenant, user)


def parse_path_tenant(text: str) -> TenantId:
    """The tenant that a path names; for routes whose callers may name one, which this does not check.

    Raises:
        TenantNotFound: no tenant can have that name.
    """
    try:
        return parse_tenant(text)
    except InvalidIdentity:
        raise TenantNotFound from None
