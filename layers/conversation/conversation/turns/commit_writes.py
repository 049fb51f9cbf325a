"""The writes of a turn's commit, and the meaning of a refused commit.

`conversation.turns.turn_protocol` sends them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import cast

from conversation.clock import to_text
from conversation.messages.attached_files import attach_writes
from conversation.messages.branches import segments_to_text
from conversation.messages.history import Turn
from conversation.messages.items import (
    ACTIVE_CONDITION,
    DEATHS,
    STOPPED_TURNS,
    message_id,
    message_to_item,
)
from conversation.messages.models import Message, Role, Status
from conversation.retention.expiry import due_day
from conversation.token_counts import TokenCounter
from conversation.turns.admission import DEFAULT_RETENTION_DAYS
from conversation.turns.lease import AlreadyAnswered, EffectConflict, HeldLease, LeaseLost, Reply
from storage import keys
from storage.errors import TransactionRefused
from storage.table import (
    Action,
    Add,
    AnyOf,
    Append,
    AtMost,
    Change,
    Changes,
    Conditions,
    Equals,
    Exclude,
    Exists,
    Item,
    NotExists,
    Put,
    Remove,
    RemoveAt,
    Set,
    Update,
)


def _path_changes(held: HeldLease) -> Changes:
    """The changes to the head that deactivate the replaced message and all that followed it."""
    return () if held.entry.replaces is None else (Set("path", held.path.to_text()),)


def _version_writes(held: HeldLease, sequence: int) -> tuple[Update, ...]:
    """The updates of the earlier versions of a replaced message; none if nothing was replaced.

    The first version lists all later ones. The version that was active stores which messages were active with
    it, so that it can be selected again.
    """
    replaced = held.entry.replaces
    if replaced is None:
        return ()
    conversation = held.head.conversation
    listed: Change = Append("versions", (sequence,))
    left: Change = Set("left", segments_to_text(conversation.path.segments(conversation.count)))
    changes: dict[int, Changes] = {replaced.root: (listed,)}
    changes[replaced.sequence] = (*changes.get(replaced.sequence, ()), left)
    return tuple(
        Update(keys.message(held.tenant, conversation.id, place), changed, (Exists(),))
        for place, changed in changes.items()
    )


KEY_LIFETIME = timedelta(hours=24)
NEEDS_SUMMARY = "fold"
"""Attribute of a reply after which the conversation's summary has to be updated."""
DELETES = "deletes"
"""Attribute of a reply that promises to delete its conversation, for the filter of the table's stream."""
_DELETING_ACT = "chat.delete"


def build_turn(held: HeldLease, reply: Reply, *, tokens: TokenCounter, now: datetime) -> Turn:
    """The turn as it is stored at the end of the conversation: the message to answer, and its reply."""
    entry, first = held.entry, held.head.conversation.count + 1

    def count(text: str) -> int:
        # What ended a process may have been the counting.
        return 0 if reply.unprocessed else tokens.count(text)

    user = Message(
        id=message_id(str(held.turn_id), Role.USER, first),
        conversation_id=held.conversation_id,
        sequence=first,
        role=Role.USER,
        content=entry.content,
        created_at=entry.received_at,
        turn_id=str(held.turn_id),
        tokens=count(f"{Role.USER}: {entry.content}"),
        metadata=entry.metadata or {},
        key_hash=entry.key_hash,
        body_hash=entry.body_hash,
        late=held.deferred_entry is not None,
        unprocessed=reply.unprocessed,
        root=entry.replaces.root if entry.replaces else None,
        contains=entry.contains,
        attachments=entry.attachments,
    )
    answer = Message(
        id=message_id(str(held.turn_id), Role.ASSISTANT, first + 1),
        conversation_id=held.conversation_id,
        sequence=first + 1,
        role=Role.ASSISTANT,
        content=reply.content,
        created_at=reply.answered_at or now,
        turn_id=str(held.turn_id),
        late=held.deferred_entry is not None,
        unprocessed=reply.unprocessed,
        tokens=count(f"{Role.ASSISTANT}: {reply.content}"),
        metadata=reply.metadata,
        note=reply.note,
        tool_messages=reply.tool_messages,
    )
    return Turn(user, answer)


def commit_actions(
    held: HeldLease, turn: Turn, *, lease: Change, now: datetime, retention_days: int, needs_summary: bool
) -> list[Action]:
    """The writes of a commit itself, refused as a whole when the lease is lost.

    In this order: the request, the reply, the head, the idempotency record if a key was sent, the earlier
    versions of a replaced message, and the files of the request. ``lease`` is the change that renews or
    releases the lease.
    """
    head_changes: Changes = (
        *remove_entry(held),
        lease,
        Set("count", turn.reply.sequence),
        Set("updated_at", to_text(now if held.deferred_entry else turn.reply.created_at)),
        # An archived conversation becomes active again; an active one does not change, so this costs nothing.
        Set("status", Status.ACTIVE.value),
        Set("by_user", keys.by_user(held.tenant, held.head.conversation.user)),
        *_due(held, turn, retention_days),
        *_path_changes(held),
    )
    reply = message_to_item(held.tenant, turn.reply) | ({NEEDS_SUMMARY: True} if needs_summary else {})
    if _DELETING_ACT in turn.reply.note.kinds:
        reply[DELETES] = True
    writes: list[Action] = [
        Put(message_to_item(held.tenant, turn.user), (NotExists(),)),
        Put(reply, (NotExists(),)),
        Update(keys.head(held.tenant, held.conversation_id), head_changes, lease_conditions(held)),
    ]
    if held.entry.key_hash is not None:
        writes.append(_idempotency_record(held, turn, now))
    return [*writes, *_version_writes(held, turn.user.sequence), *_attach_writes(held)]


def _attach_writes(held: HeldLease) -> Iterator[Action]:
    """The writes that tie the message's files to the conversation."""
    user, entry = held.head.conversation.user, held.entry
    return attach_writes(
        held.tenant,
        user,
        held.conversation_id,
        entry.attachments,
        used_under=entry.key_hash or entry.ulid,
    )


def _idempotency_record(held: HeldLease, turn: Turn, now: datetime) -> Put:
    seconds = int(now.timestamp())
    key = keys.idempotency(held.tenant, held.conversation_id, held.entry.key_hash or "")
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "sequence": turn.user.sequence,
        "body": held.entry.body_hash,
        "expires_at": seconds + int(KEY_LIFETIME.total_seconds()),
    }
    # TTL deletes late or, locally, never: an expired record counts as none.
    return Put(item, (AnyOf(((NotExists(),), (AtMost("expires_at", seconds),))),))


def _due(held: HeldLease, turn: Turn, retention_days: int) -> tuple[Change, ...]:
    """The change of the due day, only where the current one may be too late.

    A day that is too early costs the turn nothing: the sweep moves it.
    """
    conversation = held.head.conversation
    begins = conversation.count == 0 and retention_days != DEFAULT_RETENTION_DAYS
    if not begins and conversation.status is not Status.ARCHIVED:
        return ()
    day = due_day(turn.reply.created_at + timedelta(days=retention_days))
    return (Set("due", keys.due(day, held.conversation_id)),)


def raise_for_conflict(refused: TransactionRefused, held: HeldLease, turn: Turn, *, own_count: int) -> None:
    """Raise the error that a refused commit means; return if the turn is stored after all.

    ``own_count`` is the number of the commit's own writes; the effects follow them.

    Raises:
        LeaseLost: another attempt holds the lease, or the conversation is gone.
        AlreadyAnswered: the Idempotency-Key was used before.
        EffectConflict: an effect's condition does not hold any more.
    """
    stored, written = refused.refused.get(1), message_to_item(held.tenant, turn.reply)
    if stored is not None and all(stored.get(name) == written[name] for name in ("turn", "at", "text")):
        # An earlier try was applied and its response was lost; the head has moved on, so it is refused as
        # well. A different reply to the same message comes from an attempt that took over the lease.
        return
    if refused.refused.keys() & {0, 1, 2}:
        raise LeaseLost from refused
    record = refused.refused.get(3) if held.entry.key_hash else None
    if record is not None:
        raise AlreadyAnswered(
            cast("int", record["sequence"]), cast("str | None", record.get("body"))
        ) from refused
    if any(place >= own_count for place in refused.refused):
        raise EffectConflict from refused
    raise LeaseLost from refused


def remove_entry(held: HeldLease) -> tuple[Change, ...]:
    """The changes that take the message to answer out of the inbox; none if it is not there."""
    # Only the lease holder removes entries; all others append. So the entry is still where it was seen.
    entry, place = held.entry, held.head.inbox_position(held.entry.ulid)
    if place is None:
        return ()
    # Deaths are counted for the message in front alone.
    forgotten: tuple[Change, ...] = (Remove(DEATHS),) if held.head.deaths and place == 0 else ()
    return (
        *forgotten,
        RemoveAt("inbox", place),
        Exclude("inbox_ids", entry.inbox_ids()),
        Exclude(STOPPED_TURNS, frozenset({entry.ulid})),
        Add("load", -entry.size_bytes()),
    )


def lease_conditions(held: HeldLease) -> Conditions:
    """The conditions that the head is in use and its lease is still held by this attempt."""
    return (Equals("lease.owner", held.owner), ACTIVE_CONDITION)
