"""The audit log: what administrators did and whose data they viewed, one record per act.

A record is written with its act or before it. It never contains what a user said. It is kept longer than any
conversation may be asked about, and is not part of a user's erasure, because it documents what was done to
the user's data.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from conversation.clock import Clock, from_text, to_text
from conversation.identity import Caller, new_ulid
from conversation.redaction.masking import mask
from storage import keys
from storage.keys import TenantId
from storage.table import Item, NotExists, Position, Put, Query
from storage.tenant_table import Tables

KEPT = timedelta(days=400)


class Act(StrEnum):
    """The kind of an act."""

    POLICY_REPLACED = "policy_replaced"
    TENANT_REGISTERED = "tenant_registered"
    TENANT_SUSPENDED = "tenant_suspended"
    TENANT_RESUMED = "tenant_resumed"
    HOLD_PLACED = "hold_placed"
    HOLD_LIFTED = "hold_lifted"
    SKILL_REGISTERED = "skill_registered"
    SKILL_CHANGED = "skill_changed"
    SKILL_TOOLS_ACCEPTED = "skill_tools_accepted"
    SKILL_REMOVED = "skill_removed"
    CONNECTION_MADE = "connection_made"
    CONNECTION_REMOVED = "connection_removed"
    ANSWER_WRITTEN = "answer_written"
    ANSWER_REMOVED = "answer_removed"
    ERASURE_ASKED = "erasure_asked"
    CONVERSATIONS_LISTED = "conversations_listed"
    ROUTING_READ = "routing_read"
    CONTENT_READ = "content_read"


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One act. ``subject`` is the id or name of what it affected. Operators act from another tenant."""

    id: str
    at: datetime
    act: Act
    actor: str
    actor_tenant: str
    subject: str


class AuditLog:
    """The audit records of all tenants."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def build_record(
        self, actor: Caller, act: Act, subject: str = "", *, tenant: TenantId | None = None
    ) -> Put:
        """The write that records an act, to be made in the same transaction. ``tenant``: whose log; None: the
        actor's.
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
        }
        return Put(item, (NotExists(),))

    def record(self, actor: Caller, act: Act, subject: str = "") -> None:
        """Record an act right before it is done. An act that can't be recorded must not be done."""
        self._tables.for_tenant(actor.tenant).put(self.build_record(actor, act, subject))

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
    )
