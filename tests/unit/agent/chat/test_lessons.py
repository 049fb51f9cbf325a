"""What is kept of corrections: bounded, without secrets, one lesson for the same words of a user."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agent.chat.lessons_in_turn import new_lesson
from conversation.identity import Caller
from conversation.tenants.lessons import (
    MAX_OF_TENANT,
    MAX_OF_USER,
    TaughtLesson,
    counting_lessons,
    lesson_from_item,
    lesson_to_item,
    lesson_writes,
)
from intent.acts.act import ActKind, Thing
from storage.keys import TenantId
from storage.table import Delete, Put

ACME = TenantId("acme")
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def taught(
    message: str = "bleep ward-census",
    kind: ActKind = ActKind.RUN_AGENT,
    *,
    user: str = "maya",
    turn: str = "c.1",
    at: datetime = NOW,
) -> TaughtLesson:
    lesson = new_lesson(
        message,
        kind,
        agents=[Thing("1", "ward-census")],
        caller=Caller(ACME, user),
        turn_id=turn,
        now=at,
        retention_days=30,
    )
    assert lesson is not None
    return lesson


def many(count: int, user: str = "maya") -> list[TaughtLesson]:
    return [
        taught(f"word{chr(97 + place // 26)}{chr(97 + place % 26)}", user=user, at=NOW + timedelta(place))
        for place in range(count)
    ]


def test_a_lesson_is_stored_as_it_is_without_names_and_secrets() -> None:
    lesson = taught("bleep ward-census with AKIAIOSFODNN7EXAMPLE")
    assert "AKIA" not in lesson.wording
    assert "census" not in lesson.wording
    assert lesson_from_item(lesson_to_item(ACME, lesson)) == lesson


def test_nothing_is_learned_of_long_messages_and_of_kinds_that_must_not_be_taught() -> None:
    for message, kind in (("word " * 40, ActKind.RUN_AGENT), ("wipe it", ActKind.ERASE)):
        assert (
            new_lesson(
                message,
                kind,
                agents=(),
                caller=Caller(ACME, "maya"),
                turn_id="c.1",
                now=NOW,
                retention_days=30,
            )
            is None
        )


def test_the_same_words_are_one_lesson_that_counts_how_often_it_was_taught() -> None:
    first, again = taught(), taught(turn="c.2")
    [put] = lesson_writes(ACME, again, [first])
    assert isinstance(put, Put)
    assert lesson_from_item(put.item).times == 2
    [repeated] = lesson_writes(ACME, first, [first])
    assert isinstance(repeated, Put)
    assert lesson_from_item(repeated.item).times == 1
    [changed] = lesson_writes(ACME, taught(kind=ActKind.ADD_TASK, turn="c.3"), [replace(first, times=5)])
    assert isinstance(changed, Put)
    assert lesson_from_item(changed.item).times == 1


def test_a_user_and_a_tenant_keep_a_bounded_number_of_lessons_the_newest() -> None:
    own = many(MAX_OF_USER)
    _, removed = lesson_writes(ACME, taught("one more"), own)
    assert isinstance(removed, Delete)
    assert removed.key.sort.endswith(own[0].id)

    all_of_tenant = [lesson for user in ("ann", "bob", "cy") for lesson in many(MAX_OF_USER, user)]
    kept = sorted(all_of_tenant, key=lambda one: one.taught_at)[-MAX_OF_TENANT:]
    _, removed = lesson_writes(ACME, taught("one more"), kept)
    assert isinstance(removed, Delete)
    assert removed.key.sort.endswith(kept[0].id)


def test_what_is_read_is_bounded_too_and_without_what_expired() -> None:
    items = [lesson_to_item(ACME, one) for user in ("ann", "bob", "cy") for one in many(MAX_OF_USER, user)]
    assert len(counting_lessons(items, NOW)) == MAX_OF_TENANT
    assert counting_lessons(items, NOW + timedelta(days=100)) == ()
