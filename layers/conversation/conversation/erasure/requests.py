"""Requests and receipts of erasures of a conversation, a user or a tenant.

An erasure is one item. The table's stream starts it once the item is written. The item also holds the counts
of what was removed, so it is the receipt. `conversation.erasure.eraser` carries erasures out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import cast

from conversation.clock import Clock, from_text, to_text
from conversation.errors import ConversationNotFound, ErasureInProgress, ErasureNotFound, OnLegalHold
from conversation.identity import ADMIN, Caller, is_id, is_ulid, new_ulid
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.messages.items import LEGAL_HOLD, owner_of
from conversation.retention.holds import LIFTED
from conversation.retention.jobs import EraseJob, RetentionQueue
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import PolicyChanged, TenantRecord, TenantStore
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.table import (
    Action,
    Add,
    Change,
    Changes,
    Check,
    Equals,
    Exclude,
    Exists,
    Include,
    Item,
    Key,
    NotExists,
    Position,
    Put,
    Query,
    Remove,
    Set,
    SetIfAbsent,
    StreamRecord,
    Update,
)
from storage.tenant_table import Tables

CLAIMED = "claimed"
"""Attribute with the conversations being removed, which are not in any index any more."""

COUNT = "n_"
HELD = "held"
HELD_NAMES = "held_names"
WAITS_SINCE = "waits_since"
"""Set beside the progress `settling`, which a version before knows: there is no stored `held`."""


class Scope(StrEnum):
    """What is erased."""

    CONVERSATION = "conversation"
    USER = "user"
    TENANT = "tenant"


class Progress(StrEnum):
    """How far an erasure is."""

    RUNNING = "running"
    SETTLING = "settling"
    """Everything was removed once. A second pass follows, because requests still running may have written."""
    HELD = "held"
    """Everything was removed but what is on legal hold; the rest follows when the holds are lifted."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Erasure:
    """One erasure. ``subject`` is the conversation, user or tenant; ``user`` its user, None for a tenant."""

    id: str
    tenant: TenantId
    scope: Scope
    subject: str
    user: str | None
    asked_by: str
    asked_at: datetime
    progress: Progress = Progress.RUNNING
    removed: Mapping[str, int] = field(default_factory=dict)
    """How many items were removed, by kind."""
    held: int = 0
    """Conversations left alone because of a legal hold."""
    held_conversations: frozenset[str] = frozenset()
    """Their ids, of the first thousand."""
    lifted: frozenset[str] = frozenset()
    """Those whose hold was lifted since."""
    settles_at: datetime | None = None
    finished_at: datetime | None = None
    claimed: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        """The key of its item."""
        return keys.erasure(self.tenant, self.id)


class Erasures:
    """Requests and reads erasures of all tenants; the caller checks who may erase a user or tenant."""

    def __init__(self, *, tables: Tables, clock: Clock, quotas: Quotas | None = None) -> None:
        """``quotas`` None: with a memory of its own."""
        self._quotas = quotas or Quotas(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._audit = AuditLog(tables=tables, clock=clock)

    def request_for_conversation(self, caller: Caller, conversation_id: str) -> Erasure:
        """Request the erasure of a conversation of the caller's, or for admins, of any in the tenant.

        Raises:
            ConversationNotFound: the conversation is neither.
            OnLegalHold: the conversation or its tenant is on legal hold; nothing is erased.
            ErasureInProgress: the tenant is being erased.
            PolicyChanged: the tenant's policy changed meanwhile; nothing is erased.
            QuotaExceeded: as many erasures were requested today as may be.
        """
        head = keys.head(caller.tenant, conversation_id)
        item = self._tables.for_tenant(caller.tenant).get(head) if is_id(conversation_id) else None
        user = owner_of(item)
        if item is None or user is None or not (user == caller.user or caller.has(ADMIN)):
            raise ConversationNotFound
        if LEGAL_HOLD in item:
            raise OnLegalHold
        self._quotas.take(caller, QuotaKind.ERASURES)
        return self._request(caller, caller.tenant, Scope.CONVERSATION, conversation_id, user)

    def request_for_user(self, caller: Caller, user: str) -> Erasure:
        """Request the erasure of a user of the caller's tenant. The user is locked out until it is done.

        Raises:
            OnLegalHold: the tenant is on legal hold; nothing is erased.
            ErasureInProgress: the tenant is being erased.
            PolicyChanged: the tenant's policy changed meanwhile; nothing is erased.
            QuotaExceeded: as many erasures were requested today as may be.
        """
        self._quotas.take(caller, QuotaKind.ERASURES)
        return self._request(caller, caller.tenant, Scope.USER, user, user)

    def own_actions(self, caller: Caller, record: TenantRecord, *, erasure_id: str) -> tuple[Action, ...]:
        """Return the writes that request the erasure of the caller, for a transaction with others.

        They are refused when the tenant's policy has changed since ``record``. The caller checks that nothing
        is on legal hold and takes the quota.
        """
        now = self._clock.now()
        erasure = Erasure(erasure_id, caller.tenant, Scope.USER, caller.user, caller.user, caller.user, now)
        return self._writes(caller, record, erasure)

    def request_for_tenant(self, caller: Caller, tenant: TenantId) -> Erasure:
        """Request the erasure of a tenant. All of its users are locked out from now on.

        Raises:
            OnLegalHold: the tenant is on legal hold; nothing is erased.
            ErasureInProgress: the erasure was requested before.
            PolicyChanged: the tenant's policy changed meanwhile; nothing is erased.
        """
        return self._request(caller, tenant, Scope.TENANT, tenant, None)

    def get(self, caller: Caller, erasure_id: str) -> Erasure:
        """An erasure in the caller's tenant, readable by admins, its requester and its user.

        Raises:
            ErasureNotFound: there is none, or the caller may not read it.
        """
        erasure = self.find(caller.tenant, erasure_id)
        if erasure is None or not (caller.has(ADMIN) or caller.user in {erasure.asked_by, erasure.user}):
            raise ErasureNotFound
        return erasure

    def find(self, tenant: TenantId, erasure_id: str) -> Erasure | None:
        """A tenant's erasure, or None; without an access check."""
        key = keys.erasure(tenant, erasure_id)
        item = self._tables.for_tenant(tenant).get(key) if is_ulid(erasure_id) else None
        return None if item is None else _erasure_from_item(tenant, item)

    def list(
        self, tenant: TenantId, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[Erasure, ...], Position | None]:
        """A page of a tenant's erasures, newest first, and where to continue (None: no more pages)."""
        query = Query(
            keys.erasures(tenant), limit, prefix=keys.ERASURE_PREFIX, newest_first=True, after=after
        )
        page = self._tables.for_tenant(tenant).query(query)
        return tuple(_erasure_from_item(tenant, item) for item in page.items), page.after

    def mark_settling(self, erasure: Erasure, until: datetime) -> None:
        """Record that everything was removed once; a second pass follows at ``until``, after late writes."""
        changes = (Set("progress", Progress.SETTLING.value), Set("settles_at", to_text(until)))
        running = (Equals("progress", Progress.RUNNING.value),)
        try:
            self._tables.for_tenant(erasure.tenant).update(Update(erasure.key, changes, running))
        except ConditionRefused:
            return  # another run came first, or the tenant's erasure removed this one

    def mark_held(self, erasure: Erasure) -> None:
        """Record that all but held conversations is removed, and end the lock-out of a user.

        A tenant gets the status `TenantStatus.SUSPENDED`.
        """
        waits = (Set(WAITS_SINCE, to_text(self._clock.now())),)
        settling = (Equals("progress", Progress.SETTLING.value), NotExists(WAITS_SINCE))
        self._transact(
            erasure, Update(erasure.key, waits, settling), *_unlock(erasure, TenantStatus.SUSPENDED)
        )

    def mark_done(self, erasure: Erasure) -> None:
        """Record that the erasure is done, and end the lock-out of a user.

        An erased tenant gets the status `TenantStatus.ERASED`, unless an operator let it in again while the
        erasure waited for holds.
        """
        done = (Set("progress", Progress.DONE.value), Set("finished_at", to_text(self._clock.now())))
        has_waited = erasure.progress is Progress.HELD
        settling = (
            Equals("progress", Progress.SETTLING.value),
            Exists(WAITS_SINCE) if has_waited else NotExists(WAITS_SINCE),
        )
        unlocking: tuple[Action, ...] = ()
        if not has_waited:
            unlocking = _unlock(erasure, TenantStatus.ERASED)
        elif self._is_suspended(erasure):
            erased = (Set("status", TenantStatus.ERASED.value), Add("version", 1))
            unlocking = (Update(keys.policy(erasure.tenant), erased),)
        self._transact(erasure, Update(erasure.key, done, settling), *unlocking)

    def _is_suspended(self, erasure: Erasure) -> bool:
        return (
            erasure.scope is Scope.TENANT
            and self._tenants.record(erasure.tenant).status is TenantStatus.SUSPENDED
        )

    def _transact(self, erasure: Erasure, *actions: Action) -> None:
        try:
            self._tables.for_tenant(erasure.tenant).transact(actions)
        except TransactionRefused:
            return  # another run came first

    def _request(
        self, caller: Caller, tenant: TenantId, scope: Scope, subject: str, user: str | None
    ) -> Erasure:
        record, now = self._tenants.record(tenant), self._clock.now()
        if record.policy.legal_hold:
            raise OnLegalHold
        if record.status in {TenantStatus.ERASING, TenantStatus.ERASED}:
            raise ErasureInProgress
        erasure = Erasure(new_ulid(now), tenant, scope, subject, user, caller.user, now)
        try:
            self._tables.for_tenant(tenant).transact(self._writes(caller, record, erasure))
        except TransactionRefused as refused:
            raise PolicyChanged from refused
        return erasure

    def _writes(self, caller: Caller, record: TenantRecord, erasure: Erasure) -> tuple[Action, ...]:
        recorded = self._audit.build_record(
            caller, Act.ERASURE_ASKED, f"{erasure.scope.value} {erasure.subject}", tenant=erasure.tenant
        )
        return (Put(_erasure_to_item(erasure), (NotExists(),)), recorded, _lock_out(record, erasure))


def _lock_out(record: TenantRecord, erasure: Erasure) -> Action:
    """The write that locks out the user or tenant, refused if the policy has changed since ``record``.

    For a conversation it only checks that condition.
    """
    key = keys.policy(erasure.tenant)
    if erasure.scope is Scope.CONVERSATION:
        return Check(key, record.unchanged)
    change: Change = Set("status", TenantStatus.ERASING.value)
    if erasure.scope is Scope.USER:
        change = Include("erasing", frozenset({erasure.subject}))
    return Update(key, (*_registration(erasure, change), change, Add("version", 1)), record.unchanged)


def _registration(erasure: Erasure, change: Change) -> Changes:
    """The attributes that an unregistered tenant needs besides."""
    whole: dict[str, str] = {
        "policy": "{}",
        "status": TenantStatus.ACTIVE.value,
        "name": "",
        "updated_at": to_text(erasure.asked_at),
    }
    changed = change.path
    return tuple(SetIfAbsent(name, value) for name, value in whole.items() if name != changed)


def _unlock(erasure: Erasure, status: TenantStatus) -> tuple[Action, ...]:
    """The write that undoes `_lock_out`; a tenant keeps a blank policy whose status refuses its users."""
    key = keys.policy(erasure.tenant)
    match erasure.scope:
        case Scope.CONVERSATION:
            return ()
        case Scope.USER:
            return (Update(key, (Exclude("erasing", frozenset({erasure.subject})), Add("version", 1))),)
        case Scope.TENANT:
            blank = (Set("policy", "{}"), Set("name", ""), Remove("erasing"))
            return (Update(key, (Set("status", status.value), *blank, Add("version", 1))),)


def _erasure_to_item(erasure: Erasure) -> Item:
    """The item of an erasure when it is requested."""
    return {
        "pk": erasure.key.partition,
        "sk": erasure.key.sort,
        "scope": erasure.scope.value,
        "subject": erasure.subject,
        "user": erasure.user,
        "asked_by": erasure.asked_by,
        "asked_at": to_text(erasure.asked_at),
        "progress": erasure.progress.value,
    }


def _erasure_from_item(tenant: TenantId, item: Item) -> Erasure:
    """A stored erasure with its counts so far."""
    settles_at, finished_at = item.get("settles_at"), item.get("finished_at")
    return Erasure(
        id=str(item["sk"]).removeprefix(keys.ERASURE_PREFIX),
        tenant=tenant,
        scope=Scope(str(item["scope"])),
        subject=str(item["subject"]),
        user=cast("str | None", item["user"]),
        asked_by=str(item["asked_by"]),
        asked_at=from_text(str(item["asked_at"])),
        progress=_progress(item),
        removed={
            name.removeprefix(COUNT): cast("int", count)
            for name, count in sorted(item.items())
            if name.startswith(COUNT)
        },
        held=cast("int", item.get(HELD, 0)),
        held_conversations=cast("frozenset[str]", item.get(HELD_NAMES, frozenset())),
        lifted=cast("frozenset[str]", item.get(LIFTED, frozenset())),
        settles_at=from_text(str(settles_at)) if settles_at else None,
        finished_at=from_text(str(finished_at)) if finished_at else None,
        claimed=cast("frozenset[str]", item.get(CLAIMED, frozenset())),
    )


def _progress(item: Item) -> Progress:
    stored = Progress(str(item["progress"]))
    return Progress.HELD if stored is Progress.SETTLING and WAITS_SINCE in item else stored


def receipt_update(erasure: Erasure, counts: Mapping[str, int], *more: Change) -> Update:
    """The write that adds counts to the receipt; use it in the transaction that removes what it counts."""
    added = tuple(Add(f"{COUNT}{kind}", count) for kind, count in counts.items())
    # A tenant's erasure removes the tenant's other erasures: a count must not recreate one.
    return Update(erasure.key, (*added, *more), (Exists(),))


class ErasureFollower:
    """Handles stream records of erasures: starts each new one."""

    def __init__(self, queue: RetentionQueue) -> None:
        self._queue = queue

    def handle(self, change: StreamRecord) -> None:
        """Queue an erasure that was just requested.

        Raises:
            QueueUnavailable: it was not queued; try again later.
        """
        if change.old is not None or not change.key.sort.startswith(keys.ERASURE_PREFIX):
            return
        tenant = keys.tenant_of(change.key.partition)
        if change.key.partition == keys.erasures(tenant):
            self._queue.send(EraseJob(tenant, change.key.sort.removeprefix(keys.ERASURE_PREFIX)))
