"""Stores the tenants' policies: reads, registers, changes and suspends tenants.

The policy item is also the registration. A tenant without one has the default policy, and is inactive where
the deployment requires registration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import cast

from conversation.clock import Clock, to_text
from conversation.errors import Conflict, ErasureInProgress, Forbidden, TenantInactive, TenantNotFound
from conversation.tenants.policy import EarlierRetention, Grant, TenantPolicy, TenantStatus
from conversation.tenants.retention_grace import with_grace
from resilience.cache import Cache
from storage import keys
from storage.errors import TransactionRefused
from storage.items import rewrite
from storage.keys import TenantId
from storage.table import Action, Conditions, Equals, Item, NotExists, Table, Update
from storage.tenant_table import Tables


class PolicyChanged(Conflict):
    """The policy was changed concurrently."""

    code = "policy_changed"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("The policy was changed by somebody else at the same moment.")


class UserBeingErased(Forbidden):
    """The user's data is being removed; nothing new starts until that is done."""

    code = "user_being_erased"

    def __init__(self) -> None:
        super().__init__("What there is of you is being erased. Come back in a few minutes.")


@dataclass(frozen=True, slots=True)
class TenantRecord:
    """The stored state of a tenant. When nothing is stored: ``version`` 0, not registered, the default
    policy.
    """

    tenant: TenantId
    policy: TenantPolicy = field(default_factory=TenantPolicy)
    status: TenantStatus = TenantStatus.ACTIVE
    registered: bool = False
    name: str = ""
    version: int = 0
    updated_at: str = ""
    grant: Grant = field(default_factory=Grant)
    """The limits set by the operators; the tenant's admins can't change them."""
    users_in_erasure: frozenset[str] = frozenset()
    """The users whose data is being removed."""

    @property
    def unchanged(self) -> Conditions:
        """The conditions that the policy item is still as it was when this record was read."""
        return (Equals("version", self.version),) if self.registered else (NotExists(),)


_OPTIONAL = ("grant", "erasing", "earlier_retention")
"""The attributes that not every policy item has."""


class TenantStore:
    """Reads and writes the policy item of a tenant."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant as stored, or the defaults; strongly consistent, one request."""
        return record_from_item(tenant, self._table(tenant).get(keys.policy(tenant)))

    def build_policy_update(self, record: TenantRecord, policy: TenantPolicy) -> Update:
        """The write that replaces the record's policy; refused when the record has changed in between.

        A shorter retention takes nothing during its grace (`conversation.tenants.retention_grace`).
        """
        item = self._item(self._with_policy(record, policy))
        return rewrite(item, record.unchanged, optional=_OPTIONAL)

    def save(
        self, tenant: TenantId, policy: TenantPolicy, *, extra_actions: Sequence[Action] = ()
    ) -> TenantRecord:
        """Replace the policy as it is now; for the rest see `replace`."""
        return self.replace(self.record(tenant), policy, extra_actions=extra_actions)

    def replace(
        self, record: TenantRecord, policy: TenantPolicy, *, extra_actions: Sequence[Action] = ()
    ) -> TenantRecord:
        """Replace the policy of a record that was read. ``extra_actions``, here and below: more writes of the
        same transaction.

        Raises:
            PolicyChanged: here and below, the item was changed concurrently.
            ErasureInProgress: here and below, the tenant is being erased.
        """
        return self._write(record, self._with_policy(record, policy), extra_actions)

    def _with_policy(self, record: TenantRecord, policy: TenantPolicy) -> TenantRecord:
        return replace(record, policy=with_grace(policy, record.policy, self._clock.now()))

    def register(
        self,
        tenant: TenantId,
        *,
        name: str = "",
        grant: Grant | None = None,
        extra_actions: Sequence[Action] = (),
    ) -> TenantRecord:
        """Register the tenant and return it. Repeating it only changes the name and the grant; an erased
        tenant starts anew.

        ``grant`` None: the grant stays as it is.
        """

        def change(record: TenantRecord) -> TenantRecord:
            if record.status is TenantStatus.ERASED:
                record = replace(record, status=TenantStatus.ACTIVE, grant=Grant())
            return replace(record, name=name, grant=record.grant if grant is None else grant)

        return self._change(tenant, change, extra_actions)

    def change(
        self, record: TenantRecord, *, name: str, grant: Grant, extra_actions: Sequence[Action] = ()
    ) -> TenantRecord:
        """Rename a registered tenant and replace its grant, as they are in the record that was read.

        Raises:
            TenantNotFound: it was never registered, or was erased.
        """
        if not record.registered or record.status is TenantStatus.ERASED:
            raise TenantNotFound
        return self._write(record, replace(record, name=name, grant=grant), extra_actions)

    def suspend(self, tenant: TenantId, *, extra_actions: Sequence[Action] = ()) -> TenantRecord:
        """Refuse the tenant's users from now on (takes effect within a minute); nothing is deleted.

        Raises:
            TenantNotFound: it was never registered, or was erased.
        """
        return self._set_status(tenant, TenantStatus.SUSPENDED, extra_actions)

    def resume(self, tenant: TenantId, *, extra_actions: Sequence[Action] = ()) -> TenantRecord:
        """End a suspension.

        Raises:
            TenantNotFound: it was never registered, or was erased.
        """
        return self._set_status(tenant, TenantStatus.ACTIVE, extra_actions)

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
        return self._write(record, change(record), also)

    def _write(self, old: TenantRecord, new: TenantRecord, also: Sequence[Action]) -> TenantRecord:
        if old.status is TenantStatus.ERASING:
            raise ErasureInProgress
        item = self._item(new)
        try:
            self._table(old.tenant).transact([rewrite(item, old.unchanged, optional=_OPTIONAL), *also])
        except TransactionRefused as refused:
            raise PolicyChanged from refused
        return record_from_item(old.tenant, item)

    def _item(self, record: TenantRecord) -> Item:
        key, earlier = keys.policy(record.tenant), record.policy.earlier_retention
        return {
            "pk": key.partition,
            "sk": key.sort,
            "policy": record.policy.model_dump_json(exclude_defaults=True),
            "status": record.status.value,
            "name": record.name,
            "version": record.version + 1,
            "updated_at": to_text(self._clock.now()),
            **(
                {"grant": given}
                if (given := record.grant.model_dump_json(exclude_defaults=True)) != "{}"
                else {}
            ),
            **({"erasing": record.users_in_erasure} if record.users_in_erasure else {}),
            **({"earlier_retention": earlier.model_dump_json()} if earlier else {}),
        }

    def _table(self, tenant: TenantId) -> Table:
        return self._tables.for_tenant(tenant)


def check_active(record: TenantRecord, *, registered_only: bool, user: str | None = None) -> TenantRecord:
    """The record, if the tenant may use the service and ``user`` may, too.

    Raises:
        TenantInactive: the tenant is suspended, erased, or not registered although it has to be.
        UserBeingErased: until the user's erasure is done.
    """
    if record.status is not TenantStatus.ACTIVE or (registered_only and not record.registered):
        raise TenantInactive
    if user in record.users_in_erasure:
        raise UserBeingErased
    return record


def record_from_item(tenant: TenantId, item: Item | None) -> TenantRecord:
    """The record of a stored policy item, or the defaults when there is none."""
    if item is None:
        return TenantRecord(tenant)
    policy = TenantPolicy.model_validate_json(str(item["policy"]), extra="ignore")
    if "earlier_retention" in item:
        earlier = EarlierRetention.model_validate_json(str(item["earlier_retention"]))
        policy = policy.with_earlier_retention(earlier)
    return TenantRecord(
        tenant,
        policy=policy,
        status=TenantStatus(str(item["status"])),
        registered=True,
        name=str(item["name"]),
        version=cast("int", item["version"]),
        updated_at=str(item["updated_at"]),
        grant=Grant.model_validate_json(str(item.get("grant", "{}")), extra="ignore"),
        users_in_erasure=cast("frozenset[str]", item.get("erasing", frozenset())),
    )


MAX_AGE = timedelta(seconds=5)
MAX_TENANTS = 256


class PolicyCache:
    """A cache of the policies of recently served tenants. Safe to call from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock, max_age: timedelta = MAX_AGE) -> None:
        self._tenants = TenantStore(tables=tables, clock=clock)
        # The clock that expiry goes by: tests and demonstrations set it, in both directions.
        self._known = Cache[TenantId, TenantRecord](
            MAX_TENANTS, ttl_s=max_age.total_seconds(), now=lambda: clock.now().timestamp()
        )

    def policy(self, tenant: TenantId) -> TenantPolicy:
        """The tenant's policy; one request when it is not cached."""
        return self.record(tenant).policy

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant's record; one request when it is not cached."""
        record = self._known.get(tenant)
        if record is None:
            record = self._tenants.record(tenant)
            self._known.put(tenant, record)
        return record

    def invalidate(self, tenant: TenantId) -> None:
        """Remove the tenant's policy from the cache, after it proved outdated."""
        self._known.drop(tenant)
