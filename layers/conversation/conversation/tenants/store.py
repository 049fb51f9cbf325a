"""The tenants' policies in the table: read, registered, changed, suspended.

The policy item is also the registration: a tenant without one has the defaults where tenants are open, and is
inactive where they have to be registered.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import cast

from conversation.clock import Clock, to_text
from conversation.errors import Conflict, ErasureUnderWay, Forbidden, TenantInactive, TenantNotFound
from conversation.tenants.policy import Grant, TenantPolicy, TenantStatus
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Action, Conditions, Equals, Item, NotExists, Put, Table
from storage.tenant import Tables


class PolicyChanged(Conflict):
    """Somebody else changed the policy at the same moment."""

    code = "policy_changed"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("The policy was changed by somebody else at the same moment.")


class UserBeingErased(Forbidden):
    """What there is of the user is being removed; nothing new begins until that is done."""

    code = "user_being_erased"

    def __init__(self) -> None:
        super().__init__("What there is of you is being erased. Come back in a few minutes.")


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """What is known of a tenant. ``version`` 0 and not registered: nothing is stored, the policy is the
    default."""

    tenant: TenantId
    policy: TenantPolicy = field(default_factory=TenantPolicy)
    status: TenantStatus = TenantStatus.ACTIVE
    registered: bool = False
    name: str = ""
    version: int = 0
    updated_at: str = ""
    grant: Grant = field(default_factory=Grant)
    """What the operators let it have; its admins can't change it."""
    erasing: frozenset[str] = frozenset()
    """Users of whom everything is being removed."""


class TenantStore:
    """Reads and writes the one policy item of a tenant."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant as stored, or the defaults; strongly consistent, one request."""
        return record_from_item(tenant, self._table(tenant).get(keys.policy(tenant)))

    def require_active(
        self, tenant: TenantId, *, registered_only: bool, user: str | None = None
    ) -> TenantRecord:
        """What is known of a tenant that may use the service, and whose user may.

        Raises:
            TenantInactive: suspended, erased, or not registered where it has to be.
            UserBeingErased: until that is done.
        """
        return active(self.record(tenant), registered_only=registered_only, user=user)

    def replacing(self, record: TenantRecord, policy: TenantPolicy) -> Put:
        """The write that puts another policy in place of the record's, refused when the record has changed
        since."""
        return self._put(replace(record, policy=policy))

    def save(self, tenant: TenantId, policy: TenantPolicy, *, also: Sequence[Action] = ()) -> TenantRecord:
        """Replace the policy. ``also``, here and below: writes that are made with this one or not at all.

        Raises:
            PolicyChanged: somebody else wrote at the same moment.
            ErasureUnderWay: here and below, nothing is decided for the tenant any more.
        """
        return self._change(tenant, lambda record: replace(record, policy=policy), also)

    def register(
        self,
        tenant: TenantId,
        *,
        name: str = "",
        grant: Grant | None = None,
        also: Sequence[Action] = (),
    ) -> TenantRecord:
        """The registered tenant; registering again only changes the name, and what it may have. One that was
        erased begins anew.

        ``grant`` None: it may have what it might before.
        """

        def change(record: TenantRecord) -> TenantRecord:
            if record.status is TenantStatus.ERASED:
                record = replace(record, status=TenantStatus.ACTIVE, grant=Grant())
            return replace(record, name=name, grant=record.grant if grant is None else grant)

        return self._change(tenant, change, also)

    def suspend(self, tenant: TenantId, *, also: Sequence[Action] = ()) -> TenantRecord:
        """Refuse the tenant's users from now on (within a minute); nothing is deleted.

        Raises:
            TenantNotFound: it was never registered.
        """
        return self._set_status(tenant, TenantStatus.SUSPENDED, also)

    def resume(self, tenant: TenantId, *, also: Sequence[Action] = ()) -> TenantRecord:
        """Let the tenant's users in again.

        Raises:
            TenantNotFound: it was never registered.
        """
        return self._set_status(tenant, TenantStatus.ACTIVE, also)

    def _set_status(self, tenant: TenantId, status: TenantStatus, also: Sequence[Action]) -> TenantRecord:
        def change(record: TenantRecord) -> TenantRecord:
            if not record.registered or record.status is TenantStatus.ERASED:
                raise TenantNotFound
            return replace(record, status=status)

        return self._change(tenant, change, also)

    def _change(
        self,
        tenant: TenantId,
        change: Callable[[TenantRecord], TenantRecord],
        also: Sequence[Action],
    ) -> TenantRecord:
        record = self.record(tenant)
        if record.status is TenantStatus.ERASING:
            raise ErasureUnderWay
        put = self._put(change(record))
        try:
            self._table(tenant).transact([put, *also])
        except TransactionRefused as refused:
            raise PolicyChanged from refused
        return record_from_item(tenant, put.item)

    def _put(self, record: TenantRecord) -> Put:
        unchanged: Conditions = (Equals("version", record.version),) if record.registered else (NotExists(),)
        key = keys.policy(record.tenant)
        item: Item = {
            "pk": key.partition,
            "sk": key.sort,
            "policy": record.policy.model_dump_json(exclude_defaults=True),
            "status": record.status.value,
            "name": record.name,
            "version": record.version + 1,
            "updated_at": to_text(self._clock.now()),
            **(
                {"grant": given} if (given := record.grant.model_dump_json(exclude_none=True)) != "{}" else {}
            ),
            **({"erasing": record.erasing} if record.erasing else {}),
        }
        return Put(item, unchanged)

    def _table(self, tenant: TenantId) -> Table:
        return self._tables.for_tenant(tenant)


def active(record: TenantRecord, *, registered_only: bool, user: str | None = None) -> TenantRecord:
    """The record, of a tenant that may use the service, and whose user may.

    Raises:
        TenantInactive, UserBeingErased: as `TenantStore.require_active` says.
    """
    if record.status is not TenantStatus.ACTIVE or (registered_only and not record.registered):
        raise TenantInactive
    if user in record.erasing:
        raise UserBeingErased
    return record


def record_from_item(tenant: TenantId, item: Item | None) -> TenantRecord:
    """A stored policy item, or the defaults when there is none."""
    if item is None:
        return TenantRecord(tenant)
    return TenantRecord(
        tenant,
        policy=TenantPolicy.model_validate_json(str(item["policy"])),
        status=TenantStatus(str(item["status"])),
        registered=True,
        name=str(item["name"]),
        version=cast("int", item["version"]),
        updated_at=str(item["updated_at"]),
        grant=Grant.model_validate_json(str(item.get("grant", "{}"))),
        erasing=cast("frozenset[str]", item.get("erasing", frozenset())),
    )


MAX_AGE = timedelta(seconds=5)
MAX_TENANTS = 256


class Policies:
    """The policies of the tenants served lately. Safe to call from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, max_age: timedelta = MAX_AGE) -> None:
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._clock = clock
        self._max_age = max_age
        self._known: OrderedDict[TenantId, tuple[datetime, TenantRecord]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, tenant: TenantId) -> TenantPolicy:
        """The tenant's policy; one request when it is not at hand."""
        return self.record(tenant).policy

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant's policy with its version."""
        now = self._clock.now()
        with self._lock:
            read_at, record = self._known.get(tenant, (now, None))
        # A clock that tests or demonstrations set may jump either way.
        if record is not None and abs(now - read_at) < self._max_age:
            return record
        record = self._tenants.record(tenant)
        with self._lock:
            self._known[tenant] = (now, record)
            self._known.move_to_end(tenant)
            while len(self._known) > MAX_TENANTS:
                self._known.popitem(last=False)
        return record

    def drop(self, tenant: TenantId) -> None:
        """Forget the tenant's policy, after it proved outdated."""
        with self._lock:
            self._known.pop(tenant, None)
