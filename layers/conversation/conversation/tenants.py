"""The tenants' policies in the table: read, registered, changed, suspended.

The policy item is also the registration: a tenant without one has the defaults where tenants are open, and is
inactive where they have to be registered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from conversation.clock import Clock, to_text
from conversation.errors import Conflict, TenantInactive, TenantNotFound
from conversation.policy import TenantPolicy, TenantStatus
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.table import Conditions, Equals, Item, NotExists, Put, Table
from storage.tenant import Tables


class PolicyChanged(Conflict):
    """Somebody else changed the policy at the same moment."""

    code = "policy_changed"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("The policy was changed by somebody else at the same moment.")


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


class TenantStore:
    """Reads and writes the one policy item of a tenant."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def record(self, tenant: TenantId) -> TenantRecord:
        """The tenant as stored, or the defaults; strongly consistent, one request."""
        return record_from_item(tenant, self._table(tenant).get(keys.policy(tenant)))

    def require_active(self, tenant: TenantId, *, registered_only: bool) -> None:
        """Nothing, for a tenant that may use the service.

        Raises:
            TenantInactive: suspended, or not registered where it has to be.
        """
        record = self.record(tenant)
        if record.status is not TenantStatus.ACTIVE or (registered_only and not record.registered):
            raise TenantInactive

    def replacing(self, record: TenantRecord, policy: TenantPolicy) -> Put:
        """The write that puts another policy in place of the record's, refused when the record has changed
        since."""
        return self._put(replace(record, policy=policy))

    def save(self, tenant: TenantId, policy: TenantPolicy) -> TenantRecord:
        """Replace the policy.

        Raises:
            PolicyChanged: somebody else wrote at the same moment.
        """
        return self._change(tenant, lambda record: replace(record, policy=policy))

    def register(self, tenant: TenantId, *, name: str = "") -> TenantRecord:
        """The registered tenant; registering again only changes the name."""
        return self._change(tenant, lambda record: replace(record, name=name))

    def suspend(self, tenant: TenantId) -> TenantRecord:
        """Refuse the tenant's users from now on (within a minute); nothing is deleted.

        Raises:
            TenantNotFound: it was never registered.
        """
        return self._set_status(tenant, TenantStatus.SUSPENDED)

    def resume(self, tenant: TenantId) -> TenantRecord:
        """Let the tenant's users in again.

        Raises:
            TenantNotFound: it was never registered.
        """
        return self._set_status(tenant, TenantStatus.ACTIVE)

    def _set_status(self, tenant: TenantId, status: TenantStatus) -> TenantRecord:
        def change(record: TenantRecord) -> TenantRecord:
            if not record.registered:
                raise TenantNotFound
            return replace(record, status=status)

        return self._change(tenant, change)

    def _change(self, tenant: TenantId, change: Callable[[TenantRecord], TenantRecord]) -> TenantRecord:
        put = self._put(change(self.record(tenant)))
        try:
            self._table(tenant).put(put)
        except ConditionRefused as refused:
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
        }
        return Put(item, unchanged)

    def _table(self, tenant: TenantId) -> Table:
        return self._tables.for_tenant(tenant)


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
    )
