"""Reads and removes a tenant's lessons. Who may do so is checked before.

They lie beside the tenant's policy, so that turns read them with it and not by a request of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.lessons.errors import LessonNotFound
from agent.lessons.lesson import TaughtLesson, counting_lessons
from conversation.clock import Clock
from storage import keys
from storage.keys import TenantId
from storage.table import Action, Delete, Query, query_pages
from storage.tenant_table import Tables

PAGE = 200


class LessonStore:
    """The lessons of tenants."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def list(self, tenant: TenantId) -> tuple[TaughtLesson, ...]:
        """Return the tenant's lessons that count, the oldest first; strongly consistent."""
        query = Query(keys.workspace(tenant), PAGE, prefix=keys.LESSON_PREFIX)
        pages = query_pages(self._tables.for_tenant(tenant), query)
        return counting_lessons((item for page in pages for item in page.items), self._clock.now())

    def find(self, tenant: TenantId, lesson_id: str) -> TaughtLesson:
        """Return a lesson.

        Raises:
            LessonNotFound: the tenant has none of this id.
        """
        found = next((one for one in self.list(tenant) if one.id == lesson_id), None)
        if found is None:
            raise LessonNotFound
        return found

    def delete(self, tenant: TenantId, lesson: TaughtLesson, *, extra_actions: Sequence[Action] = ()) -> None:
        """Remove a lesson. ``extra_actions``: more writes of the same transaction."""
        removed = Delete(keys.lesson(tenant, lesson.user, lesson.id))
        self._tables.for_tenant(tenant).transact([removed, *extra_actions])
