"""Erasures as they are asked for and told about: a conversation, all there is of a user, or a whole tenant.

An erasure is one item; whoever writes it need not start it, the table's stream does. It holds what was
counted, which makes it the receipt. Carrying it out is `conversation.erasure.eraser`'s business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, cast

from conversation.clock import Clock, from_text, to_text
from conversation.errors import ConversationNotFound, ErasureNotFound, ErasureUnderWay, OnLegalHold
from conversation.identity import ADMIN, Caller, is_id, is_ulid, new_ulid
from conversation.messages.items import HOLD
from conversation.retention.jobs import Erase
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.policy import TenantStatus
from conversation.tenants.store import PolicyChanged, TenantRecord, TenantStore
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.keys import TenantId
from storage.stream_record import StreamRecord
from storage.table import (
    Action,
    Add,
    Change,
    Changes,
    Check,
    Conditions,
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
    Update,
)
from storage.tenant import Tables

CLAIMED = "claimed"
"""Conversations that are being removed: they are on no list any more."""

COUNT = "n_"


class Scope(StrEnum):
    """How much is erased."""

    CONVERSATION = "conversation"
    USER = "user"
    TENANT = "tenant"


class Progress(StrEnum):
    """How far an erasure is."""

    RUNNING = "running"
    SETTLING = "settling"
    """All was removed once. What was still under way may have written since: it is looked through again."""
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Erasure:
    """One erasure. ``subject``: the conversation, user or tenant; ``user``: whose it is, None: a tenant's."""

    id: str
    tenant: TenantId
    scope: Scope
    subject: str
    user: str | None
    asked_by: str
    asked_at: datetime
    progress: Progress = Progress.RUNNING
    removed: Mapping[str, int] = field(default_factory=dict)
    """How many there were, by kind."""
    held: int = 0
    """Conversations left alone because of a legal hold."""
    settles_at: datetime | None = None
    finished_at: datetime | None = None
    claimed: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        """Where it lies."""
        return keys.erasure(self.tenant, self.id)


class Erasures:
    """The erasures of all tenants; who may ask for one of a user or tenant is decided by the caller."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._audit = AuditLog(tables=tables, clock=clock)

    def of_conversation(self, caller: Caller, conversation_id: str) -> Erasure:
        """Have a conversation erased: the caller's, or as an admin any of the tenant.

        Raises:
            ConversationNotFound: otherwise.
            OnLegalHold: nothing is erased.
        """
        head = keys.head(caller.tenant, conversation_id)
        item = self._tables.for_tenant(caller.tenant).get(head) if is_id(conversation_id) else None
        user = keys.user_of_list(str(item["by_user"])) if item and "by_user" in item else None
        if item is None or user is None or not (user == caller.user or caller.has(ADMIN)):
            raise ConversationNotFound
        if HOLD in item:
            raise OnLegalHold
        return self._ask(caller, caller.tenant, Scope.CONVERSATION, conversation_id, user)

    def of_user(self, caller: Caller, user: str) -> Erasure:
        """Have all there is of a user of the caller's tenant erased. Until it is done they are kept out.

        Raises:
            OnLegalHold: nothing is erased.
        """
        return self._ask(caller, caller.tenant, Scope.USER, user, user)

    def of_tenant(self, caller: Caller, tenant: TenantId) -> Erasure:
        """Have all there is of a tenant erased. All of its users are kept out from now on.

        Raises:
            OnLegalHold: nothing is erased.
            ErasureUnderWay: it was asked for before.
        """
        return self._ask(caller, tenant, Scope.TENANT, tenant, None)

    def get(self, caller: Caller, erasure_id: str) -> Erasure:
        """An erasure in the caller's tenant: for admins, and for whoever asked for it or is its subject.

        Raises:
            ErasureNotFound: otherwise.
        """
        erasure = self.find(caller.tenant, erasure_id)
        if erasure is None or not (caller.has(ADMIN) or caller.user in {erasure.asked_by, erasure.user}):
            raise ErasureNotFound
        return erasure

    def find(self, tenant: TenantId, erasure_id: str) -> Erasure | None:
        """A tenant's erasure, whoever asks."""
        key = keys.erasure(tenant, erasure_id)
        item = self._tables.for_tenant(tenant).get(key) if is_ulid(erasure_id) else None
        return None if item is None else erasure_from_item(tenant, item)

    def list(
        self, tenant: TenantId, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[Erasure, ...], Position | None]:
        """A page of a tenant's erasures, newest first, and where the next one starts (None: nowhere)."""
        query = Query(
            keys.erasures(tenant), limit, prefix=keys.ERASURE_PREFIX, newest_first=True, after=after
        )
        page = self._tables.for_tenant(tenant).query(query)
        return tuple(erasure_from_item(tenant, item) for item in page.items), page.after

    def settle(self, erasure: Erasure, until: datetime) -> None:
        """Everything was removed once; it is looked through again when late writes have come."""
        changes = (Set("progress", Progress.SETTLING.value), Set("settles_at", to_text(until)))
        running = (Equals("progress", Progress.RUNNING.value),)
        try:
            self._tables.for_tenant(erasure.tenant).update(Update(erasure.key, changes, running))
        except ConditionRefused:
            return  # another run was faster, or the whole tenant goes and this erasure with it

    def finish(self, erasure: Erasure, held: int) -> None:
        """Nothing is left; whoever was kept out for it may come again."""
        done: Changes = (
            Set("progress", Progress.DONE.value),
            Set("finished_at", to_text(self._clock.now())),
            Set("held", held),
        )
        undone = (Equals("progress", Progress.SETTLING.value),)
        released = _released(erasure, held)
        try:
            self._tables.for_tenant(erasure.tenant).transact([Update(erasure.key, done, undone), *released])
        except TransactionRefused:
            return  # another run finished it

    def _ask(self, caller: Caller, tenant: TenantId, scope: Scope, subject: str, user: str | None) -> Erasure:
        record, now = self._tenants.record(tenant), self._clock.now()
        if record.policy.legal_hold:
            raise OnLegalHold
        if record.status in {TenantStatus.ERASING, TenantStatus.ERASED}:
            raise ErasureUnderWay
        erasure = Erasure(new_ulid(now), tenant, scope, subject, user, caller.user, now)
        recorded = self._audit.entry(caller, Act.ERASURE_ASKED, f"{scope.value} {subject}", tenant=tenant)
        writes = [Put(erasure_to_item(erasure), (NotExists(),)), recorded, _kept_out(record, erasure)]
        try:
            self._tables.for_tenant(tenant).transact(writes)
        except TransactionRefused as refused:
            raise PolicyChanged from refused
        return erasure


def _kept_out(record: TenantRecord, erasure: Erasure) -> Action:
    """The write that keeps out whoever is erased, made under the policy that was looked at."""
    same: Conditions = (Equals("version", record.version),) if record.registered else (NotExists(),)
    key = keys.policy(erasure.tenant)
    if erasure.scope is Scope.CONVERSATION:
        return Check(key, same)
    change: Change = Set("status", TenantStatus.ERASING.value)
    if erasure.scope is Scope.USER:
        change = Include("erasing", frozenset({erasure.subject}))
    return Update(key, (*_registration(erasure, change), change, Add("version", 1)), same)


def _registration(erasure: Erasure, change: Change) -> Changes:
    """What a tenant that nobody registered needs besides."""
    whole: dict[str, str] = {
        "policy": "{}",
        "status": TenantStatus.ACTIVE.value,
        "name": "",
        "updated_at": to_text(erasure.asked_at),
    }
    taken = change.path
    return tuple(SetIfAbsent(name, value) for name, value in whole.items() if name != taken)


def _released(erasure: Erasure, held: int) -> tuple[Action, ...]:
    """The write that undoes `_kept_out`; of a tenant a refusal of late comers is left."""
    key = keys.policy(erasure.tenant)
    match erasure.scope:
        case Scope.CONVERSATION:
            return ()
        case Scope.USER:
            return (Update(key, (Exclude("erasing", frozenset({erasure.subject})), Add("version", 1))),)
        case Scope.TENANT:
            status = TenantStatus.SUSPENDED if held else TenantStatus.ERASED
            blank = (Set("policy", "{}"), Set("name", ""), Remove("erasing"))
            return (Update(key, (Set("status", status.value), *blank, Add("version", 1))),)


def erasure_to_item(erasure: Erasure) -> Item:
    """An erasure as it is stored when it is asked for."""
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


def erasure_from_item(tenant: TenantId, item: Item) -> Erasure:
    """A stored erasure, with what was counted since."""
    settles_at, finished_at = item.get("settles_at"), item.get("finished_at")
    return Erasure(
        id=str(item["sk"]).removeprefix(keys.ERASURE_PREFIX),
        tenant=tenant,
        scope=Scope(str(item["scope"])),
        subject=str(item["subject"]),
        user=cast("str | None", item["user"]),
        asked_by=str(item["asked_by"]),
        asked_at=from_text(str(item["asked_at"])),
        progress=Progress(str(item["progress"])),
        removed={
            name.removeprefix(COUNT): cast("int", count)
            for name, count in sorted(item.items())
            if name.startswith(COUNT)
        },
        held=cast("int", item.get("held", 0)),
        settles_at=from_text(str(settles_at)) if settles_at else None,
        finished_at=from_text(str(finished_at)) if finished_at else None,
        claimed=cast("frozenset[str]", item.get(CLAIMED, frozenset())),
    )


def counting(erasure: Erasure, counts: Mapping[str, int], *more: Change) -> Update:
    """The write that adds to the receipt; it belongs into the transaction that removes what it counts."""
    added = tuple(Add(f"{COUNT}{kind}", count) for kind, count in counts.items())
    # A tenant's erasure takes the others of the tenant along: no count may bring one back.
    return Update(erasure.key, (*added, *more), (Exists(),))


class EraseQueue(Protocol):
    """Delivers at least once, in no particular order."""

    def send(self, request: Erase, *, delay_s: int = 0) -> None:
        """Ask for it to be done.

        Raises:
            QueueUnavailable: nothing was queued (`conversation.turns.deferred_turn`).
        """


class ErasureStarts:
    """Follows the erasures of all tenants."""

    def __init__(self, queue: EraseQueue) -> None:
        self._queue = queue

    def follow(self, change: StreamRecord) -> None:
        """Have an erasure carried out that was just asked for.

        Raises:
            QueueUnavailable: it is not; try again later.
        """
        if change.old is not None or not change.key.sort.startswith(keys.ERASURE_PREFIX):
            return
        tenant = keys.tenant_of(change.key.partition)
        if change.key.partition == keys.erasures(tenant):
            self._queue.send(Erase(tenant, change.key.sort.removeprefix(keys.ERASURE_PREFIX)))
