"""The audit log: what administrators did and whose data they viewed, one record per act.

A record is written with its act or before it. It never contains what a user said. It is kept longer than any
conversation may be asked about, and is not part of a user's erasure, because it documents what was done to
the user's data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from pydantic import JsonValue

from conversation.clock import Clock, from_text, to_text
from conversation.identity import Caller, new_ulid
from conversation.redaction.masking import mask
from storage import keys
from storage.keys import TenantId
from storage.table import Item, NotExists, Position, Put, Query
from storage.tenant_table import Tables

KEPT = timedelta(days=400)
Values: TypeAlias = Mapping[str, JsonValue]
"""Values of what an act changed, by name."""


class Act(StrEnum):
    """The kind of an act."""

    POLICY_CHANGED = "policy_changed"
    POLICY_REPLACED = "policy_replaced"
    TENANT_REGISTERED = "tenant_registered"
    TENANT_CHANGED = "tenant_changed"
    TENANT_SUSPENDED = "tenant_suspended"
    TENANT_RESUMED = "tenant_resumed"
    HOLD_PLACED = "hold_placed"
    HOLD_LIFTED = "hold_lifted"
    AGENT_SHARED = "agent_shared"
    AGENT_UNSHARED = "agent_unshared"
    AGENT_DELETED = "agent_deleted"
    AGENT_RESTORED = "agent_restored"
    CONVERSATION_DELETED = "conversation_deleted"
    CONVERSATION_RESTORED = "conversation_restored"
    MESSAGE_DELETED = "message_deleted"
    SKILL_REGISTERED = "skill_registered"
    SKILL_CHANGED = "skill_changed"
    SKILL_TOOLS_ACCEPTED = "skill_tools_accepted"
    SKILL_REMOVED = "skill_removed"
    CONNECTION_MADE = "connection_made"
    CONNECTION_REMOVED = "connection_removed"
    SECRET_STORED = "secret_stored"  # noqa: S105
    SECRET_REMOVED = "secret_removed"  # noqa: S105
    ANSWER_WRITTEN = "answer_written"
    ANSWER_REMOVED = "answer_removed"
    CORRECTION_REMOVED = "correction_removed"
    ERASURE_ASKED = "erasure_asked"
    CONVERSATIONS_LISTED = "conversations_listed"
    ROUTING_READ = "routing_read"
    CONTENT_READ = "content_read"


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One act. ``subject`` is the id or name of what it affected. Operators act from another tenant.

    ``before`` and ``after`` hold the values that differ; None: there was nothing before, or is nothing after,
    or the act changed no values.
    """

    id: str
    at: datetime
    act: Act
    actor: str
    actor_tenant: str
    subject: str
    before: Values | None = None
    after: Values | None = None


class AuditLog:
    """The audit records of all tenants."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def build_record(
        self,
        actor: Caller,
        act: Act,
        subject: str = "",
        *,
        tenant: TenantId | None = None,
        before: Values | None = None,
        after: Values | None = None,
    ) -> Put:
        """The write that records an act, to be made in the same transaction. ``tenant``: whose log; None: the
        actor's. Of values that are the same before and after, none is recorded.
        """
        now = self._clock.now()
        key = keys.audit_record(tenant or actor.tenant, new_ulid(now))
        item: Item = {
            "pk": key.partition,
            "sk": key.sort,
            "at": to_text(now),
            "act": act.value,
            "actor": actor.user,
            "actor_tenant": actor.tenant,
            "subject": mask(subject),
            "expires_at": int((now + KEPT).timestamp()),
            **_stored("before", before, other=after),
            **_stored("after", after, other=before),
        }
        return Put(item, (NotExists(),))

    def record(
        self,
        actor: Caller,
        act: Act,
        subject: str = "",
        *,
        before: Values | None = None,
        after: Values | None = None,
    ) -> None:
        """Record an act right before it is done. An act that can't be recorded must not be done."""
        record = self.build_record(actor, act, subject, before=before, after=after)
        self._tables.for_tenant(actor.tenant).put(record)

    def list(
        self, tenant: TenantId, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[AuditRecord, ...], Position | None]:
        """A page of the tenant's records, newest first, and the position of the next page (None: there is
        none).
        """
        query = Query(keys.audit(tenant), limit, prefix=keys.AUDIT_PREFIX, newest_first=True, after=after)
        page = self._tables.for_tenant(tenant).query(query)
        return tuple(map(_record_from_item, page.items)), page.after


def _record_from_item(item: Item) -> AuditRecord:
    return AuditRecord(
        id=str(item["sk"]).removeprefix(keys.AUDIT_PREFIX),
        at=from_text(str(item["at"])),
        act=Act(str(item["act"])),
        actor=str(item["actor"]),
        actor_tenant=str(item["actor_tenant"]),
        subject=str(item["subject"]),
        before=json.loads(str(item["before"])) if "before" in item else None,
        after=json.loads(str(item["after"])) if "after" in item else None,
    )


def _stored(name: str, values: Values | None, *, other: Values | None) -> Item:
    if values is None:
        return {}
    differing = (
        values if other is None else {key: values[key] for key in values if values[key] != other.get(key)}
    )
    return {name: json.dumps({key: _masked(value) for key, value in differing.items()})}


def _masked(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return mask(value)
        case list():
            return [_masked(each) for each in value]
        case dict():
            return {key: _masked(each) for key, each in value.items()}
        case _:
            return value
