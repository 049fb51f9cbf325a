"""Lessons: words that were understood wrongly, and the kind of act that their user said they mean.

What lessons make of a message is the job of `intent.lessons`; `agent.chat.lessons_in_turn` says what teaches
one. They lie beside the tenant's policy, so that turns read them with it. A lesson holds masked words only.
It is kept for as long as the tenant keeps conversations, and goes with its user, its conversation and its
message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from conversation.clock import Clock, from_text, to_text
from conversation.errors import LessonNotFound
from conversation.identity import derived_id
from storage import keys
from storage.keys import TenantId
from storage.table import Action, Delete, Item, Put, Query, query_pages
from storage.tenant_table import Tables

MAX_OF_TENANT, MAX_OF_USER = 100, 40
"""How many lessons count; newer ones replace the oldest."""

_MOST_REMOVED = 5
PAGE = 200


@dataclass(frozen=True, slots=True)
class TaughtLesson:
    """A lesson with who taught it and when. Its id follows from its tenant, its user and its words."""

    id: str
    user: str
    wording: str
    kind: str
    """See `intent.acts.act.ActKind`."""
    turn_id: str
    taught_at: datetime
    expires_at: datetime
    times: int = 1


def lesson_id(tenant: TenantId, user: str, wording: str) -> str:
    """Return the id of a lesson: a user has one for the same words."""
    return derived_id(tenant, user, wording)[:20]


def lesson_writes(
    tenant: TenantId, lesson: TaughtLesson, known: Sequence[TaughtLesson]
) -> tuple[Action, ...]:
    """Return the writes that keep a lesson beside the ``known`` ones, the oldest first, and remove what is
    too many. Safe to repeat with the same turn.
    """
    others = [one for one in known if one.id != lesson.id]
    before = next((one for one in known if one.id == lesson.id), None)
    if before is not None and before.kind == lesson.kind:
        is_repeated = before.turn_id == lesson.turn_id
        lesson = replace(lesson, times=before.times + (not is_repeated))
    own = [one for one in others if one.user == lesson.user]
    gone = {one.id: one for one in _beyond(own, MAX_OF_USER) + _beyond(others, MAX_OF_TENANT)}
    removed = [Delete(keys.lesson(tenant, one.user, one.id)) for one in list(gone.values())[:_MOST_REMOVED]]
    return (Put(lesson_to_item(tenant, lesson)), *removed)


def _beyond(lessons: Sequence[TaughtLesson], most: int) -> list[TaughtLesson]:
    """Return the oldest lessons that must go so that one more is within the limit."""
    return list(lessons[: max(0, len(lessons) - most + 1)])


def counting_lessons(items: Iterable[Item], now: datetime) -> tuple[TaughtLesson, ...]:
    """Return the lessons of stored items that count, the oldest first."""
    lessons = [one for one in map(lesson_from_item, items) if one.expires_at > now]
    return tuple(sorted(lessons, key=lambda one: one.taught_at)[-MAX_OF_TENANT:])


def lesson_to_item(tenant: TenantId, lesson: TaughtLesson) -> Item:
    """Return the item that stores a lesson; the table deletes it some time after ``expires_at``."""
    key = keys.lesson(tenant, lesson.user, lesson.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "wording": lesson.wording,
        "kind": lesson.kind,
        "turn": lesson.turn_id,
        "at": to_text(lesson.taught_at),
        "times": lesson.times,
        "expires_at": int(lesson.expires_at.timestamp()),
    }


def lesson_from_item(item: Item) -> TaughtLesson:
    """Return the lesson that `lesson_to_item` stored."""
    taught_at = from_text(str(item["at"]))
    return TaughtLesson(
        id=str(item["sk"]).rpartition("#")[2],
        user=keys.user_of_card(str(item["sk"])),
        wording=str(item["wording"]),
        kind=str(item["kind"]),
        turn_id=str(item["turn"]),
        taught_at=taught_at,
        expires_at=datetime.fromtimestamp(cast("int", item["expires_at"]), taught_at.tzinfo),
        times=cast("int", item["times"]),
    )


class LessonStore:
    """Reads and removes lessons. Who may do so is checked before."""

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
