"""Table items of a user's search index, all in one partition, so that they can be removed at once.

- ``TAIL``: the messages that wait to be indexed, and counters
- ``C#<conversation>``: how far a conversation is indexed, and its number
- ``N#<number>``: the conversation of a number
- ``<level>#<letters>#<segment>``: the bodies

An item of level 0 holds all words of about 25 messages. Items of higher levels hold, for many more messages,
the words that begin with the same one or two letters. So a word takes at most one query per level.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from conversation.messages.attached_files import AttachedFile
from conversation.messages.items import message_from_item
from conversation.messages.models import Message
from conversation.redaction.masking import mask
from conversation.search.postings import MAX_INDEXED_CHARACTERS, SearchDocument
from conversation.search.words import marker
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Key, Query, Table

HIGHEST_LEVEL = 2
FAN_OUT = 16
"""How many segments of a level are merged into one of the next."""

WAITING = "waiting"
DOCUMENTS = "documents"
NEXT_NUMBER = "next"
LEASE = "lease"
BODY = "words"
UPTO = "upto"
NUMBER = "number"
CONVERSATION = "conversation"
NUMBER_PREFIX = "N#"

EVERYTHING = 1_000_000
"""The limit of a query, or of a body, that is to take all there is."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The messages that wait to be indexed, and how much is indexed.

    ``waiting`` maps each conversation to the newest sequence in ``references``.
    """

    waiting: Mapping[str, int]
    references: frozenset[str]
    documents: int
    segments: tuple[int, ...]
    """For each level but the last, the number of segments written since the last merge."""


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far a conversation is indexed, and its number; ``number`` None: it is not indexed at all."""

    upto: int = 0
    number: int | None = None


def tail_key(tenant: TenantId, user: str) -> Key:
    """The key of the tail, the only item that every turn writes."""
    return Key(keys.search(tenant, user), "TAIL")


def progress_key(tenant: TenantId, user: str, conversation_id: str) -> Key:
    """The key of the item that tells how far a conversation is indexed."""
    return Key(keys.search(tenant, user), f"C#{conversation_id}")


def number_key(tenant: TenantId, user: str, number: int) -> Key:
    """The key of the item that maps a number to its conversation.

    Without that item, the postings under the number no longer count.
    """
    return Key(keys.search(tenant, user), f"{NUMBER_PREFIX}{number:08d}")


def number_of(sort: str) -> int:
    """The number in a sort key made by `number_key`."""
    return int(sort.removeprefix(NUMBER_PREFIX))


def body_prefix(level: int, letters: str) -> str:
    """The sort key prefix of the bodies of a level that hold the words beginning with these letters."""
    return f"{level}#{letters}#"


def letters_of(term: str, level: int) -> str:
    """The letters under which a level stores a term."""
    return term[:level]


def segment_counter(level: int) -> str:
    """The attribute that counts a level's segments."""
    return f"level{level}"


def tail_from_item(item: Item | None) -> Tail:
    """The tail that an item stores; an empty one without an item."""
    item = item or {}
    references = cast("frozenset[str]", item.get(WAITING, frozenset()))
    waiting: dict[str, int] = {}
    for reference in references:
        conversation_id, sequence = _read(reference)
        waiting[conversation_id] = max(sequence, waiting.get(conversation_id, 0))
    segments = tuple(cast("int", item.get(segment_counter(level), 0)) for level in range(HIGHEST_LEVEL))
    return Tail(waiting, references, cast("int", item.get(DOCUMENTS, 0)), segments)


def progress_from_item(item: Item | None) -> IndexProgress:
    """How far a conversation is indexed, from its item."""
    if item is None:
        return IndexProgress()
    return IndexProgress(cast("int", item[UPTO]), cast("int", item[NUMBER]))


def reference_to(conversation_id: str, sequence: int) -> str:
    """A message as an element of the waiting set; short, because every turn pays for the whole set."""
    return f"{base64.urlsafe_b64encode(bytes.fromhex(conversation_id)).decode().rstrip('=')}.{sequence}"


def is_reference_up_to(reference: str, upto: Mapping[str, int]) -> bool:
    """Whether the message is at or before the sequence given for its conversation."""
    conversation_id, sequence = _read(reference)
    return sequence <= upto.get(conversation_id, 0)


def _read(reference: str) -> tuple[str, int]:
    conversation, _, sequence = reference.partition(".")
    return base64.urlsafe_b64decode(conversation + "==").hex(), int(sequence)


def messages_after(
    table: Table, tenant: TenantId, conversation_id: str, upto: int, *, limit: int
) -> tuple[Message, ...]:
    """The first ``limit`` messages after a sequence, oldest first."""
    query = Query(
        keys.conversation(tenant, conversation_id),
        limit=limit,
        low=keys.message(tenant, conversation_id, upto + 1).sort,
        high=keys.message(tenant, conversation_id, keys.MAX_SEQUENCE).sort,
    )
    return tuple(message_from_item(item) for item in table.query(query).items)


def documents_of(
    messages: Sequence[Message], number: int, text_of_file: Callable[[Message, AttachedFile], str]
) -> list[SearchDocument]:
    """The messages as documents for the index, a long text as several of one place.

    The markers of a turn apply to its request, too.
    """
    markers: dict[str, set[str]] = defaultdict(set)
    for message in messages:
        markers[message.turn_id] |= _markers(message)
    return [
        SearchDocument(
            number, message.sequence, message.created_at, text, frozenset(markers[message.turn_id])
        )
        for message in messages
        if message.content and not message.unprocessed
        for text in _texts(message, text_of_file)
    ]


def _texts(message: Message, text_of_file: Callable[[Message, AttachedFile], str]) -> Iterator[str]:
    yield mask(message.content)
    for file in message.attachments:
        text = text_of_file(message, file)
        yield from (
            text[at : at + MAX_INDEXED_CHARACTERS] for at in range(0, len(text), MAX_INDEXED_CHARACTERS)
        )


def _markers(message: Message) -> set[str]:
    about = message.note.about
    return {marker(about.id), marker(about.name)} if about and about.kind == "agent" else set()
