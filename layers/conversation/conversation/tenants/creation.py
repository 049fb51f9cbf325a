"""Tells other systems of each new tenant. Follows the table's stream, so that none is missed."""

from __future__ import annotations

from conversation.domain_events import DomainEvent, EventKind, EventPublisher
from storage import keys
from storage.table import StreamRecord


class TenantCreationFollower:
    """Handles stream records of tenants' policies; safe to use from several threads."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    def handle(self, change: StreamRecord) -> None:
        """Publish that a tenant was created.

        Raises:
            EventsUnavailable: try again later.
        """
        if change.old is not None or change.new is None:
            return
        tenant = keys.tenant_of(change.key.partition)
        if change.key == keys.policy(tenant):
            self._publisher.publish(DomainEvent(EventKind.TENANT_CREATED, tenant, tenant, {}))
