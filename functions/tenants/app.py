"""The function for tenants and, within them, for legal holds, oversight, audit log and erasures."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response
from pydantic import JsonValue

from conversation.erasure.eraser import Eraser
from conversation.erasure.requests import Erasure, Erasures
from conversation.errors import TenantNotFound
from conversation.identity import Caller
from conversation.retention.holds import LegalHolds
from conversation.tenants.audit import Act, AuditLog, Values
from conversation.tenants.lessons import LessonStore
from conversation.tenants.policy import Grant, TenantStatus
from conversation.tenants.store import TenantStore
from conversation.threads.admin_view import AdminView
from edge.function_runtime import FunctionRuntime
from edge.http.caller import AdminParam, CallerParam, NamedUserParam, OperatorParam, parse_path_tenant
from edge.http.cursors import CursorCodec
from edge.http.parameters import DEFAULT_LIMIT, CursorParam, LimitParam
from edge.http.request_models import NewTenant, TenantChange
from edge.http.resolver import HttpApi, json_response
from edge.views.admin import (
    AuditView,
    CorrectionView,
    ErasureView,
    HoldView,
    OverseenConversation,
    OverseenMessage,
    TenantView,
)
from edge.views.base import Page
from storage.keys import TenantId
from storage.table import Put

settings, clock, tables, request_log = FunctionRuntime.for_requests("tenants")
tenants = TenantStore(tables=tables, clock=clock)
holds = LegalHolds(tables=tables, clock=clock)
audit = AuditLog(tables=tables, clock=clock)
lessons = LessonStore(tables=tables, clock=clock)
erasures = Erasures(tables=tables, clock=clock)
eraser = Eraser(tables=tables, clock=clock)
oversight = AdminView(tables=tables, clock=clock)
cursors = CursorCodec(clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


@api.put(
    "/v1/tenant/holds/<conversation_id>",
    summary="Keep a conversation of your tenant whatever the policy says (role admin)",
    tags=["tenant"],
)
def place_hold(caller: AdminParam, conversation_id: str) -> HoldView:
    held = oversight.require_conversation(caller.tenant, conversation_id).held
    audit.record(caller, Act.HOLD_PLACED, conversation_id, before={"held": held}, after={"held": True})
    return HoldView.of(holds.place(caller.tenant, conversation_id))


@api.delete(
    "/v1/tenant/holds/<conversation_id>",
    summary="Keep a conversation no longer than others (role admin)",
    tags=["tenant"],
    status_code=204,
)
def lift_hold(caller: AdminParam, conversation_id: str) -> None:
    held = oversight.require_conversation(caller.tenant, conversation_id).held
    audit.record(caller, Act.HOLD_LIFTED, conversation_id, before={"held": held}, after={"held": False})
    holds.lift(caller.tenant, conversation_id)


@api.get(
    "/v1/tenant/corrections",
    summary="List what your tenant's users corrected, as it counts for their messages (role admin)",
    tags=["tenant"],
)
def list_corrections(caller: AdminParam) -> Page[CorrectionView]:
    kept = lessons.list(caller.tenant)
    may_read = tenants.record(caller.tenant).policy.admin_content_access
    if may_read and any(one.user != caller.user for one in kept):
        audit.record(caller, Act.CONTENT_READ, "corrections")  # before anything is sent
    items = tuple(CorrectionView.of(one, with_wording=may_read or one.user == caller.user) for one in kept)
    return Page(items=items, next_cursor=None)


@api.delete(
    "/v1/tenant/corrections/<correction_id>",
    summary="Remove a correction, so that it no longer counts (role admin)",
    tags=["tenant"],
    status_code=204,
)
def delete_correction(caller: AdminParam, correction_id: str) -> None:
    lesson = lessons.find(caller.tenant, correction_id)
    removed = audit.build_record(caller, Act.CORRECTION_REMOVED, correction_id)
    lessons.delete(caller.tenant, lesson, extra_actions=(removed,))


@api.get("/v1/tenants/<tenant_id>", summary="Read a tenant (role operator)", tags=["tenants"])
def read_tenant(_caller: OperatorParam, tenant_id: str) -> TenantView:
    record = tenants.record(parse_path_tenant(tenant_id))
    if not record.registered:
        raise TenantNotFound
    return TenantView.of(record)


@api.put(
    "/v1/tenants/<tenant_id>",
    summary="Register or rename a tenant, and say what it may have (role operator)",
    tags=["tenants"],
)
def register_tenant(caller: OperatorParam, tenant_id: str, body: NewTenant) -> TenantView:
    tenant = parse_path_tenant(tenant_id)
    after = {"name": body.name, **({"limits": values_of(body.limits)} if body.limits is not None else {})}
    done = recorded(caller, Act.TENANT_REGISTERED, tenant, after)
    return TenantView.of(tenants.register(tenant, name=body.name, grant=body.limits, extra_actions=(done,)))


@api.patch(
    "/v1/tenants/<tenant_id>",
    summary="Change the name of a tenant or some of its limits (role operator)",
    tags=["tenants"],
)
def change_tenant(caller: OperatorParam, tenant_id: str, body: TenantChange) -> TenantView:
    record = tenants.record(parse_path_tenant(tenant_id))
    name = record.name if body.name is None else body.name
    grant = record.grant if body.limits is None else record.grant.changed_by(body.limits)
    before = {"name": record.name, "limits": values_of(record.grant)}
    after = {"name": name, "limits": values_of(grant)}
    done = audit.build_record(caller, Act.TENANT_CHANGED, tenant=record.tenant, before=before, after=after)
    return TenantView.of(tenants.change(record, name=name, grant=grant, extra_actions=(done,)))


def values_of(limits: Grant) -> JsonValue:
    """The limits that are set, as the audit log has them."""
    values: JsonValue = limits.model_dump(mode="json", exclude_defaults=True)
    return values


def recorded(caller: Caller, act: Act, tenant: TenantId, after: Values) -> Put:
    """The record of a change of a tenant, with the values that it changes."""
    record = tenants.record(tenant)
    now: Values = {"name": record.name, "status": record.status.value, "limits": values_of(record.grant)}
    before = {name: now[name] for name in after} if record.registered else None
    return audit.build_record(caller, act, tenant=tenant, before=before, after=after)


@api.post(
    "/v1/tenants/<tenant_id>/suspend",
    summary="Shut a tenant's users out, within a minute (role operator)",
    tags=["tenants"],
)
def suspend_tenant(caller: OperatorParam, tenant_id: str) -> TenantView:
    tenant = parse_path_tenant(tenant_id)
    done = recorded(caller, Act.TENANT_SUSPENDED, tenant, {"status": TenantStatus.SUSPENDED.value})
    return TenantView.of(tenants.suspend(tenant, extra_actions=(done,)))


@api.post(
    "/v1/tenants/<tenant_id>/resume",
    summary="Let a tenant's users in again (role operator)",
    tags=["tenants"],
)
def resume_tenant(caller: OperatorParam, tenant_id: str) -> TenantView:
    tenant = parse_path_tenant(tenant_id)
    done = recorded(caller, Act.TENANT_RESUMED, tenant, {"status": TenantStatus.ACTIVE.value})
    return TenantView.of(tenants.resume(tenant, extra_actions=(done,)))


@api.get(
    "/v1/tenant/conversations",
    summary="List all of your tenant's conversations (role admin)",
    tags=["tenant"],
)
def oversee_conversations(
    caller: AdminParam, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[OverseenConversation]:
    query = ("overseen", caller.tenant, str(limit))
    position = cursors.position(cursor, *query)
    audit.record(caller, Act.CONVERSATIONS_LISTED)
    found, after = oversight.conversations(caller.tenant, limit=limit, after=position)
    return Page(items=tuple(map(OverseenConversation.of, found)), next_cursor=cursors.cursor(after, *query))


@api.get(
    "/v1/tenant/conversations/<conversation_id>/messages",
    summary="Read how a conversation's requests were understood, oldest first (role admin)",
    tags=["tenant"],
)
def oversee_messages(
    caller: AdminParam, conversation_id: str, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[OverseenMessage]:
    query = ("overseen", caller.tenant, conversation_id, str(limit))
    seen = oversight.messages(
        caller.tenant, conversation_id, limit=limit, after=cursors.position(cursor, *query)
    )
    # Recorded before anything is sent.
    audit.record(caller, Act.CONTENT_READ if seen.with_content else Act.ROUTING_READ, conversation_id)
    items = tuple(OverseenMessage.of(each, with_content=seen.with_content) for each in seen.messages)
    return Page(items=items, next_cursor=cursors.cursor(seen.after, *query))


@api.get(
    "/v1/audit", summary="Read what was decided for your tenant, newest first (role admin)", tags=["tenant"]
)
def read_audit(
    caller: AdminParam, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[AuditView]:
    query = ("audit", caller.tenant, str(limit))
    found, after = audit.list(caller.tenant, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=tuple(map(AuditView.of, found)), next_cursor=cursors.cursor(after, *query))


@api.post(
    "/v1/conversations/<conversation_id>/erasures",
    summary="Erase a conversation for good: yours, or with role admin any of your tenant",
    tags=["erasures"],
    status_code=202,
)
def erase_conversation(caller: CallerParam, conversation_id: str) -> Response[ErasureView]:
    return accepted_response(erasures.request_for_conversation(caller, conversation_id))


@api.post(
    "/v1/users/<user_id>/erasures",
    summary="Erase all there is of a user: you, or with role admin any of your tenant",
    tags=["erasures"],
    status_code=202,
)
def erase_user(
    caller: CallerParam,
    user_id: str,  # noqa: ARG001 - read by NamedUserParam
    user: NamedUserParam,
) -> Response[ErasureView]:
    return accepted_response(eraser.note_holds(erasures.request_for_user(caller, user)))


@api.post(
    "/v1/tenants/<tenant_id>/erasures",
    summary="Erase all there is of a tenant (role operator)",
    tags=["erasures"],
    status_code=202,
)
def erase_tenant(caller: OperatorParam, tenant_id: str) -> Response[ErasureView]:
    tenant = parse_path_tenant(tenant_id)
    erasure = ErasureView.of(erasures.request_for_tenant(caller, tenant))
    return json_response(erasure, status=202, headers={"Location": f"/v1/tenants/{tenant}/erasures"})


@api.get(
    "/v1/tenants/<tenant_id>/erasures",
    summary="List a tenant's erasures and their receipts, newest first (role operator)",
    tags=["erasures"],
)
def list_erasures(
    _caller: OperatorParam, tenant_id: str, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
) -> Page[ErasureView]:
    tenant = parse_path_tenant(tenant_id)
    query = ("erasures", tenant, str(limit))
    found, after = erasures.list(tenant, limit=limit, after=cursors.position(cursor, *query))
    return Page(items=tuple(map(ErasureView.of, found)), next_cursor=cursors.cursor(after, *query))


@api.get("/v1/erasures/<erasure_id>", summary="Read how far an erasure is, or its receipt", tags=["erasures"])
def read_erasure(caller: CallerParam, erasure_id: str) -> ErasureView:
    return ErasureView.of(erasures.get(caller, erasure_id))


def accepted_response(erasure: Erasure) -> Response[ErasureView]:
    """An answer with an erasure under way, and the address of its receipt."""
    headers = {"Location": f"/v1/erasures/{erasure.id}"}
    return json_response(ErasureView.of(erasure), status=202, headers=headers)


handler = api.resolve
