"""Converts conversations and messages to table items and back; defines the attribute names.

Attribute names are short where every turn pays for them: an admitted message has to fit into the first
kilobyte of the head.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, cast

from pydantic import JsonValue

from conversation.clock import from_millis, from_text, to_millis, to_text
from conversation.identity import Caller, TurnId, derived_id
from conversation.messages.attached_files import AttachedFile, files_from_value, files_to_value
from conversation.messages.branches import BranchPath
from conversation.messages.models import Conversation, Message, Note, Role, Status
from conversation.messages.size_limits import bounded_content, tool_messages_from_text, tool_messages_to_text
from conversation.redaction.kinds import LATER_KINDS, SecretKind
from conversation.redaction.masking import SecretKinds, mask, mask_value, secret_kinds_in
from storage import keys
from storage.keys import TenantId
from storage.table import AnyOf, AtMost, Change, Condition, Equals, Item, NotExists, Remove, Set, Value

_MESSAGE_ID = re.compile(r"([1-9][0-9]{0,11})-[0-9a-f]{32}")
LEGAL_HOLD = "hold"
"""On a conversation under legal hold: the time since when."""
AWAITED_BY = "awaited_by"
"""On a conversation that erasures left alone because of its legal hold: their ids. It can't be restored."""
STOPPED_TURNS = "stop"
"""On a head: the turns that their user cancelled and that have not ended. Absent when there are none, to save
space.
"""
DEATHS = "dead"
"""On a head: the message in front, and how many processes have died on it. Absent on most heads, to save
space."""
COPY_IN_PROGRESS = "forking"
"""On the head of a copy that is incomplete: it is invisible and can't be restored."""

LATER_SECRET_KINDS = "has_later"  # noqa: S105 - the name of an attribute
"""On a message: the `LATER_KINDS` in it."""
FILES = "files"
"""On a message: what was sent with it. Absent on most messages."""
SECRET_KINDS = "has"  # noqa: S105 - the name of an attribute
"""On a message: the kinds of secrets in it. Absent on most messages, to save space."""


@dataclass(frozen=True, slots=True)
class ReplacedVersion:
    """The active version of a user's message that a new version replaces, and the first version."""

    sequence: int
    root: int


class InboxEntry(NamedTuple):
    """A message waiting in a head's inbox, with everything needed to answer it."""

    ulid: str
    content: str
    received_at: datetime
    caller_until: datetime
    key_hash: str | None = None
    body_hash: str | None = None
    metadata: Mapping[str, JsonValue] | None = None
    time_zone: str | None = None
    model: str | None = None
    roles: frozenset[str] = frozenset()
    replaces: ReplacedVersion | None = None
    contains: SecretKinds = ()
    """The kinds of secrets that were removed from it."""
    attachments: tuple[AttachedFile, ...] = ()

    def inbox_ids(self) -> frozenset[str]:
        """The entry's elements of `inbox_ids`: its turn, and its idempotency key if it has one."""
        return frozenset({self.ulid, self.key_hash} if self.key_hash else {self.ulid})

    def size_bytes(self) -> int:
        """The bytes that the entry adds to the inbox."""
        named = sum(len(each.name.encode()) + 64 for each in self.attachments)
        return len(self.content.encode()) + len(_json(self.metadata)) + named + 64


class Lease(NamedTuple):
    """The lease on a conversation: who answers now, and until when."""

    owner: str
    until: datetime


@dataclass(frozen=True, slots=True)
class ConversationHead:
    """A conversation's head: the conversation, its inbox and its lease."""

    conversation: Conversation
    inbox: tuple[InboxEntry, ...]
    lease: Lease | None
    stopped: frozenset[str] = frozenset()
    """The ULIDs of the cancelled turns."""
    deaths: int = 0
    """How many processes took the lease for the first waiting message and left neither an answer nor the
    lease."""

    def inbox_position(self, ulid: str) -> int | None:
        """How many messages are ahead of the turn's in the inbox; None when the turn is not in the inbox."""
        return next((place for place, entry in enumerate(self.inbox) if entry.ulid == ulid), None)

    def lease_owner(self, now: datetime) -> str | None:
        """The owner of an unexpired lease; None when there is none."""
        return self.lease.owner if self.lease is not None and self.lease.until > now else None

    def is_leased(self, now: datetime) -> bool:
        """Whether there is an unexpired lease."""
        return self.lease_owner(now) is not None

    def is_orphaned(self, now: datetime) -> bool:
        """Whether the first waiting message has no leader and its caller no longer waits."""
        return bool(self.inbox) and not self.is_leased(now) and self.inbox[0].caller_until <= now


def entry_to_value(entry: InboxEntry) -> dict[str, Value]:
    """The entry as an element of the inbox list."""
    value: dict[str, Value] = {
        "t": entry.ulid,
        "c": entry.content,
        "at": to_millis(entry.received_at),
        "to": to_millis(entry.caller_until),
    }
    optional: dict[str, str | None] = {
        "k": entry.key_hash,
        "b": entry.body_hash,
        "z": entry.time_zone,
        "m": entry.model,
        "d": _json(entry.metadata) or None,
        "r": " ".join(sorted(entry.roles)) or None,
        "x": " ".join(kind for kind in entry.contains if kind not in LATER_KINDS) or None,
        "y": " ".join(kind for kind in entry.contains if kind in LATER_KINDS) or None,
    }
    if entry.replaces is not None:
        value["e"] = [entry.replaces.sequence, entry.replaces.root]
    if files := files_to_value(entry.attachments):
        value["f"] = files
    return value | {name: text for name, text in optional.items() if text is not None}


def entry_from_value(value: Mapping[str, Value]) -> InboxEntry:
    """The entry from which `entry_to_value` made the value."""
    return InboxEntry(
        ulid=str(value["t"]),
        content=str(value["c"]),
        received_at=from_millis(cast("int", value["at"])),
        caller_until=from_millis(cast("int", value["to"])),
        key_hash=_text(value.get("k")),
        body_hash=_text(value.get("b")),
        metadata=_object(value.get("d")),
        time_zone=_text(value.get("z")),
        model=_text(value.get("m")),
        roles=frozenset(str(value.get("r", "")).split()),
        replaces=ReplacedVersion(*cast("list[int]", value["e"])) if "e" in value else None,
        contains=tuple(map(SecretKind, f"{value.get('x', '')} {value.get('y', '')}".split())),
        attachments=files_from_value(value.get("f")),
    )


def head_from_item(item: Item) -> ConversationHead:
    """The head from its stored item."""
    lease = cast("Mapping[str, Value] | None", item.get("lease"))
    inbox = cast("list[Mapping[str, Value]]", item.get("inbox", []))
    entries = tuple(entry_from_value(value) for value in inbox)
    return ConversationHead(
        conversation=conversation_from_item(item),
        inbox=entries,
        lease=Lease(str(lease["owner"]), from_millis(cast("int", lease["until"]))) if lease else None,
        stopped=cast("frozenset[str]", item.get(STOPPED_TURNS, frozenset())),
        deaths=_deaths_of(item, entries[0]) if entries else 0,
    )


def count_death(seen: ConversationHead) -> tuple[Change, ...]:
    """The change that counts a death when the lease of ``seen`` ran out on a waiting message; none
    otherwise.

    The write must be refused unless the lease is still free.
    """
    if seen.lease is None or not seen.inbox:
        return ()
    return (Set(DEATHS, {"t": seen.inbox[0].ulid, "n": seen.deaths + 1}),)


def _deaths_of(item: Item, first: InboxEntry) -> int:
    """The deaths on the first waiting message; those on an earlier one are stored until the next commit."""
    counted = cast("Mapping[str, Value]", item.get(DEATHS, {}))
    return cast("int", counted["n"]) if counted.get("t") == first.ulid else 0


def conversation_from_item(item: Item) -> Conversation:
    """The conversation from its stored head, or from what the `by_user` index projects of it."""
    owner = str(item.get("by_user") or item["owner"])
    return Conversation(
        id=keys.conversation_id_of(str(item["pk"])),
        user=keys.user_of(owner),
        title=_text(item.get("title")),
        status=Status(str(item.get("status", Status.ACTIVE))),
        count=cast("int", item.get("count", 0)),
        created_at=from_text(str(item["created_at"])),
        updated_at=from_text(str(item["updated_at"])),
        path=BranchPath.parse(_text(item.get("path"))),
        forked_from=_text(item.get("forked_from")),
        held=LEGAL_HOLD in item,
        pinned="pinned" in item,
    )


def message_to_item(tenant: TenantId, message: Message) -> Item:
    """The message as it is stored. Its id is not stored, because it follows from the turn and the role."""
    key = keys.message(tenant, message.conversation_id, message.sequence)
    content, was_cut = bounded_content(message.content)
    metadata = {**message.metadata, "truncated": True} if was_cut else message.metadata
    kinds = message.contains or secret_kinds_in(message.content)
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "role": message.role.value,
        "text": content,
        "at": to_text(message.created_at),
        "turn": message.turn_id.partition(".")[2],
        "tokens": message.tokens,
    }
    optional: dict[str, Value] = {
        "meta": _json(metadata) or None,
        "note": _json(_clean_note(message.note)) or None,
        "tools": tool_messages_to_text(message.tool_messages),
        FILES: files_to_value(message.attachments),
        "key": message.key_hash,
        "body": message.body_hash,
        "root": message.root,
        "versions": list(message.versions) or None,
        "left": message.left,
        "deleted": message.deleted or None,
        "pinned": message.pinned or None,
        "late": message.late or None,
        "unprocessed": message.unprocessed or None,
        "imported": message.imported or None,
        SECRET_KINDS: [kind for kind in kinds if kind not in LATER_KINDS] or None,
        LATER_SECRET_KINDS: [kind for kind in kinds if kind in LATER_KINDS] or None,
    }
    return item | {name: value for name, value in optional.items() if value is not None}


def message_from_item(item: Item) -> Message:
    """The message from which `message_to_item` made the item."""
    conversation_id = keys.conversation_id_of(str(item["pk"]))
    role, turn_id = Role(str(item["role"])), str(TurnId(conversation_id, str(item["turn"])))
    sequence = keys.message_sequence(str(item["sk"]))
    note, tools = item.get("note"), item.get("tools")
    return Message(
        id=message_id(turn_id, role, sequence),
        conversation_id=conversation_id,
        sequence=sequence,
        role=role,
        content=str(item["text"]),
        created_at=from_text(str(item["at"])),
        turn_id=turn_id,
        tokens=cast("int", item["tokens"]),
        metadata=_object(item.get("meta")) or {},
        note=Note.model_validate_json(str(note)) if note else Note(),
        tool_messages=tool_messages_from_text(str(tools)) if tools else (),
        attachments=files_from_value(item.get(FILES)),
        key_hash=_text(item.get("key")),
        body_hash=_text(item.get("body")),
        deleted="deleted" in item,
        pinned="pinned" in item,
        late="late" in item,
        unprocessed="unprocessed" in item,
        imported="imported" in item,
        root=cast("int | None", item.get("root")),
        versions=tuple(cast("list[int]", item.get("versions", []))),
        left=_text(item.get("left")),
        contains=tuple(
            kind
            for name in (SECRET_KINDS, LATER_SECRET_KINDS)
            for kind in cast("list[str]", item.get(name, []))
        ),
    )


def set_title(title: str | None) -> Change:
    """The change that sets the title with secrets masked, or removes it when ``title`` is None."""
    return Remove("title") if title is None else Set("title", mask(title))


def message_id(turn_id: str, role: Role, sequence: int) -> str:
    """The id of a turn's message: its sequence number, and 128 bits derived from the turn and the role."""
    return f"{sequence}-{derived_id(turn_id, role)}"


def parse_message_id(message_id: str) -> int | None:
    """The sequence number in a message's id; None for anything that can't be a message id."""
    match = _MESSAGE_ID.fullmatch(message_id)
    return int(match[1]) if match else None


def _clean_note(note: Note) -> Mapping[str, JsonValue]:
    stored = note.model_dump(mode="json", exclude_defaults=True)
    return cast("Mapping[str, JsonValue]", mask_value(stored))


def _json(value: Mapping[str, JsonValue] | None) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) if value else ""


def _object(value: Value) -> Mapping[str, JsonValue] | None:
    return cast("Mapping[str, JsonValue]", json.loads(str(value))) if value else None


def _text(value: Value) -> str | None:
    return None if value is None else str(value)


ACTIVE_STATUSES = (Status.ACTIVE, Status.ARCHIVED)
"""Readable and writable. Conversations with any other status are reported as not found."""

ACTIVE_CONDITION: Condition = AnyOf(tuple((Equals("status", status.value),) for status in ACTIVE_STATUSES))


def lease_free_condition(now: datetime) -> AnyOf:
    """The condition that a head has no lease, or an expired one."""
    return AnyOf(((NotExists("lease"),), (AtMost("lease.until", to_millis(now)),)))


def owner_of(head: Item | None) -> str | None:
    """The user of a conversation; None if it is gone or does not exist yet."""
    partition = head.get("by_user") if head else None
    return keys.user_of(str(partition)) if partition else None


def index_partition(tenant: TenantId, user: str, status: Status) -> str:
    """The `by_user` partition that lists the user's conversations of the status."""
    return keys.by_user(tenant, user, "" if status is Status.ACTIVE else status.value)


def is_active(item: Item | None) -> bool:
    """Whether the head exists and is neither deleted nor being removed."""
    return item is not None and item.get("status") in {status.value for status in ACTIVE_STATUSES}


def is_owned_by(item: Item | None, caller: Caller) -> bool:
    """Whether the head is a living conversation of the caller."""
    return item is not None and item.get("by_user") in _lists(caller)


def owner_conditions(caller: Caller) -> AnyOf:
    """The condition that a head is a living conversation of the caller."""
    return AnyOf(tuple((Equals("by_user", partition),) for partition in _lists(caller)))


def _lists(caller: Caller) -> list[str]:
    return [index_partition(caller.tenant, caller.user, status) for status in ACTIVE_STATUSES]
