"""How a user's search index lies in the table: one partition, all of it removable at once.

``TAIL`` holds what waits to be indexed and the counters, ``C#`` how far a conversation is indexed and its
number, ``N#`` which conversation a number stands for, and ``<level>#<letters>#<segment>`` the bodies. An item
of level 0 holds all words of about 25 messages; on higher levels items hold the words that begin with the
same one or two letters, of many more messages, so that no word takes more than one query per level.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from conversation.messages.items import message_from_item
from conversation.messages.models import Message
from conversation.redaction.redact import masked
from conversation.search.postings import Document
from conversation.search.words import marker
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Key, Query, Table

HIGHEST_LEVEL = 2
FAN_OUT = 16
"""As many segments of a level make one of the next."""

WAITING = "waiting"
DOCUMENTS = "documents"
NEXT_NUMBER = "next"
LEASE = "lease"
BODY = "words"
UPTO = "upto"
NUMBER = "number"
CONVERSATION = "conversation"
NUMBER_PREFIX = "N#"


@dataclass(frozen=True, slots=True)
class Tail:
    """What waits to be indexed: for each conversation the newest place heard of; and how much is indexed."""

    waiting: Mapping[str, int]
    references: frozenset[str]
    documents: int
    segments: tuple[int, ...]
    """Of each level but the last, those that were written since they were last merged."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a conversation is indexed, and by which number. ``number`` None: not at all."""

    upto: int = 0
    number: int | None = None


def tail_key(tenant: TenantId, user: str) -> Key:
    """The one item that is written for every turn."""
    return Key(keys.search(tenant, user), "TAIL")


def progress_key(tenant: TenantId, user: str, conversation_id: str) -> Key:
    """How far a conversation is indexed."""
    return Key(keys.search(tenant, user), f"C#{conversation_id}")


def number_key(tenant: TenantId, user: str, number: int) -> Key:
    """Which conversation a number stands for; where it is gone, what the index says of it counts no more."""
    return Key(keys.search(tenant, user), f"{NUMBER_PREFIX}{number:08d}")


def number_of(sort: str) -> int:
    """The number a sort key of `number_key` names."""
    return int(sort.removeprefix(NUMBER_PREFIX))


def body_prefix(level: int, letters: str) -> str:
    """What the sort keys of all bodies of a level begin with that hold the words of these letters."""
    return f"{level}#{letters}#"


def letters_of(term: str, level: int) -> str:
    """Under which letters a level keeps a term."""
    return term[:level]


def counter(level: int) -> str:
    """The attribute that counts a level's segments."""
    return f"level{level}"


def tail_from_item(item: Item | None) -> Tail:
    """A stored tail; nothing waits where there is none."""
    item = item or {}
    references = cast("frozenset[str]", item.get(WAITING, frozenset()))
    waiting: dict[str, int] = {}
    for reference in references:
        conversation_id, sequence = _read(reference)
        waiting[conversation_id] = max(sequence, waiting.get(conversation_id, 0))
    segments = tuple(cast("int", item.get(counter(level), 0)) for level in range(HIGHEST_LEVEL))
    return Tail(waiting, references, cast("int", item.get(DOCUMENTS, 0)), segments)


def progress_from_item(item: Item | None) -> Progress:
    """How far a conversation is."""
    if item is None:
        return Progress()
    return Progress(cast("int", item[UPTO]), cast("int", item[NUMBER]))


def reference_to(conversation_id: str, sequence: int) -> str:
    """A message as an element of the set that waits; short, because every turn pays for the whole set."""
    return f"{base64.urlsafe_b64encode(bytes.fromhex(conversation_id)).decode().rstrip('=')}.{sequence}"


def is_reference_up_to(reference: str, upto: Mapping[str, int]) -> bool:
    """Whether the message is within what is indexed of its conversation."""
    conversation_id, sequence = _read(reference)
    return sequence <= upto.get(conversation_id, 0)


def _read(reference: str) -> tuple[str, int]:
    conversation, _, sequence = reference.partition(".")
    return base64.urlsafe_b64decode(conversation + "==").hex(), int(sequence)


def messages_behind(
    table: Table, tenant: TenantId, conversation_id: str, upto: int, *, most: int
) -> tuple[Message, ...]:
    """The messages that come after a place, oldest first."""
    query = Query(
        keys.conversation(tenant, conversation_id),
        limit=most,
        low=keys.message(tenant, conversation_id, upto + 1).sort,
        high=keys.message(tenant, conversation_id, keys.MAX_SEQUENCE).sort,
    )
    return tuple(message_from_item(item) for item in table.query(query).items)


def documents_of(messages: Sequence[Message], number: int) -> list[Document]:
    """The messages as the index takes them. What a turn was about counts for its question, too."""
    markers: dict[str, set[str]] = defaultdict(set)
    for message in messages:
        markers[message.turn_id] |= _markers(message)
    return [
        Document(
            number,
            message.sequence,
            message.created_at,
            masked(message.content),
            frozenset(markers[message.turn_id]),
        )
        for message in messages
        if message.content
    ]


def _markers(message: Message) -> set[str]:
    about = message.note.about
    return {marker(about.id), marker(about.name)} if about and about.kind == "agent" else set()
