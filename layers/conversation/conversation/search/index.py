"""Writes each user's search index: indexes new messages in batches, after turns and outside their latency.

Every reply costs one small write that names it. When 12 replies wait, their turns are indexed together in one
segment. When a level has 16 segments, they are merged. Every step is idempotent and may be left undone: a
message that is indexed twice is found once, and messages that wait are searched unindexed.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import cast

from conversation.attachments.file_texts import FileTexts
from conversation.clock import Clock, to_millis
from conversation.identity import derived_id
from conversation.messages.attached_files import AttachedFile
from conversation.messages.items import COPY_IN_PROGRESS, is_active, owner_of
from conversation.messages.models import Message, Role, Status
from conversation.retention.removal_writes import TOMBSTONE_KEPT
from conversation.search.index_items import (
    BODY,
    CONVERSATION,
    DOCUMENTS,
    EVERYTHING,
    FAN_OUT,
    HIGHEST_LEVEL,
    LEASE,
    NEXT_NUMBER,
    NUMBER,
    UPTO,
    WAITING,
    IndexProgress,
    Tail,
    body_prefix,
    documents_of,
    is_reference_up_to,
    letters_of,
    messages_after,
    number_key,
    progress_from_item,
    progress_key,
    reference_to,
    segment_counter,
    tail_from_item,
    tail_key,
)
from conversation.search.postings import (
    PostingLines,
    SearchDocument,
    index_documents,
    merge_lines,
    parse_body,
    to_bodies,
)
from storage import keys
from storage.errors import ConditionRefused
from storage.keys import TenantId
from storage.table import (
    Add,
    AnyOf,
    AtMost,
    Changes,
    Exclude,
    Exists,
    Include,
    Item,
    Key,
    NotExists,
    Page,
    Put,
    Query,
    Remove,
    Set,
    StreamRecord,
    Table,
    Update,
)
from storage.tenant_table import Tables

_LOG = logging.getLogger(__name__)

INDEX_AFTER_REPLIES = 12
"""How many waiting replies trigger indexing: about 25 messages."""

_MAX_SEGMENT_MESSAGES = 100
"""When a segment takes no further conversation, and how many messages it takes of one conversation."""

MAX_BODY_CHARACTERS = 200_000
"""Of one item; DynamoDB's limit is 400 KB."""

_LEASE_LASTS = timedelta(seconds=60)
"""As long as the function may run."""


class SearchIndex:
    """The indexes of all users. Safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock, file_texts: FileTexts | None = None) -> None:
        """``file_texts`` None: files are found by nothing but the message that they came with."""
        self._tables = tables
        self._clock = clock
        self._file_texts = file_texts or FileTexts(tables, None)

    def enqueue(
        self, tenant: TenantId, conversation_id: str, sequence: int, *, at_once: bool = False
    ) -> None:
        """Queue a conversation for indexing up to a sequence; does nothing if the conversation is gone.

        Idempotent. ``at_once`` indexes without waiting for more replies, for conversations that arrive
        complete.
        """
        table = self._tables.for_tenant(tenant)
        user = owner_of(table.get(keys.head(tenant, conversation_id), consistent=False))
        if user is None:
            return
        named = frozenset({reference_to(conversation_id, sequence)})
        item = table.update(Update(tail_key(tenant, user), (Include(WAITING, named),)))
        if at_once or len(tail_from_item(item).references) >= INDEX_AFTER_REPLIES:
            self.catch_up(tenant, user)

    def catch_up(self, tenant: TenantId, user: str) -> None:
        """Index all that waits, unless another process holds the lease of the index."""
        indexer = _Indexer(self._tables.for_tenant(tenant), tenant, user, self._file_texts)
        now = self._clock.now()
        lease_is_free = AnyOf(((NotExists(LEASE),), (AtMost(LEASE, to_millis(now)),)))
        lease = Set(LEASE, to_millis(now + _LEASE_LASTS))
        try:
            item = indexer.change_tail((lease,), lease_is_free)
        except ConditionRefused:
            return
        try:
            indexer.index_waiting(tail_from_item(item))
        finally:
            indexer.change_tail((Remove(LEASE),))

    def detach(self, tenant: TenantId, user: str, conversation_id: str) -> None:
        """Detach the conversation from the index, so that no search finds it any more.

        Its words, without text and place, stay in the index until their segments are merged or
        `conversation.search.removal` removes them. The item with the conversation's number, which tells which
        words they are, expires after `TOMBSTONE_KEPT`.
        """
        table = self._tables.for_tenant(tenant)
        key = progress_key(tenant, user, conversation_id)
        progress = progress_from_item(table.get(key))
        if progress.number is None:
            return
        table.batch_delete([number_key(tenant, user, progress.number)])
        until = int((self._clock.now() + TOMBSTONE_KEPT).timestamp())
        try:
            table.update(Update(key, (Set("expires_at", until),), (Exists(),)))
        except ConditionRefused:
            return  # removed meanwhile


@dataclass(slots=True)
class _Segment:
    """The contents of one segment.

    ``indexed_up_to`` maps each conversation to the sequence up to which it is indexed then;
    ``settled_up_to`` to the sequence up to which its waiting references are settled.
    """

    documents: list[SearchDocument] = field(default_factory=list)
    indexed_up_to: dict[str, int] = field(default_factory=dict)
    settled_up_to: dict[str, int] = field(default_factory=dict)


def _tail_changes(segment: _Segment, tail: Tail) -> Changes:
    settled_up_to = frozenset(
        each for each in tail.references if is_reference_up_to(each, segment.settled_up_to)
    )
    counted = (
        (Add(DOCUMENTS, len(segment.documents)), Add(segment_counter(0), 1)) if segment.documents else ()
    )
    return (*counted, *((Exclude(WAITING, settled_up_to),) if settled_up_to else ()))


class _Indexer:
    """Indexes for one user, under the lease of the index."""

    def __init__(self, table: Table, tenant: TenantId, user: str, file_texts: FileTexts) -> None:
        self._table = table
        self._tenant = tenant
        self._user = user
        self._file_texts = file_texts
        self._partition = keys.search(tenant, user)

    def change_tail(self, changes: Changes, *conditions: AnyOf) -> Item:
        return self._table.update(Update(tail_key(self._tenant, self._user), changes, conditions))

    def index_waiting(self, tail: Tail) -> None:
        """Write one segment after the other until nothing waits; merge full levels."""
        while tail.references:
            tail = self._next_segment(tail)
            for level in range(HIGHEST_LEVEL):
                if tail.segments[level] >= FAN_OUT:
                    tail = self._merge(level)

    def _next_segment(self, tail: Tail) -> Tail:
        segment = self._gather(tail)
        if segment.documents:
            # Named by its contents: a segment with fewer messages must not overwrite one with more.
            held = (f"{document.number}.{document.sequence}" for document in segment.documents)
            self._write(0, index_documents(segment.documents), name=derived_id("segment", *held)[:16])
        for conversation_id, place in segment.indexed_up_to.items():
            self._move(conversation_id, place)
        _LOG.info("messages indexed", extra={"messages": len(segment.documents)})
        return tail_from_item(self.change_tail(_tail_changes(segment, tail)))

    def _gather(self, tail: Tail) -> _Segment:
        segment = _Segment()
        for conversation_id, newest in tail.waiting.items():
            if len(segment.documents) >= _MAX_SEGMENT_MESSAGES:
                break
            found, place = self._documents(conversation_id)
            segment.documents += found
            segment.settled_up_to[conversation_id] = place or newest
            if place:
                segment.indexed_up_to[conversation_id] = place
        return segment

    def _documents(self, conversation_id: str) -> tuple[list[SearchDocument], int | None]:
        """The next messages of a conversation to index, and the sequence they reach; None: nothing is left.

        Nothing is left of a conversation that was removed while it waited.
        """
        head = self._table.get(keys.head(self._tenant, conversation_id), consistent=False)
        if owner_of(head) != self._user:
            return [], None
        progress = self._progress(conversation_id)
        messages = messages_after(
            self._table, self._tenant, conversation_id, progress.upto, limit=_MAX_SEGMENT_MESSAGES
        )
        if not messages:
            return [], None
        number = self._number(conversation_id, progress)
        return documents_of(messages, number, self._text_of_file), messages[-1].sequence

    def _text_of_file(self, message: Message, file: AttachedFile) -> str:
        # Reads it where that was not done yet: what is indexed once is not indexed again.
        return self._file_texts.text(
            self._tenant, self._user, message.conversation_id, file.id, file.media_type
        )

    def _move(self, conversation_id: str, place: int) -> None:
        key = progress_key(self._tenant, self._user, conversation_id)
        try:
            self._table.update(Update(key, (Set(UPTO, place),), (Exists(),)))
        except ConditionRefused:
            return  # detached from the index meanwhile

    def _progress(self, conversation_id: str) -> IndexProgress:
        return progress_from_item(self._table.get(progress_key(self._tenant, self._user, conversation_id)))

    def _number(self, conversation_id: str, progress: IndexProgress) -> int:
        """The conversation's number; if it has none, a number that was never used before."""
        if progress.number is not None:
            return progress.number
        number = int(str(self.change_tail((Add(NEXT_NUMBER, 1),))[NEXT_NUMBER]))
        named = number_key(self._tenant, self._user, number)
        self._table.put(Put({"pk": named.partition, "sk": named.sort, CONVERSATION: conversation_id}))
        key = progress_key(self._tenant, self._user, conversation_id)
        self._table.put(Put({"pk": key.partition, "sk": key.sort, NUMBER: number, UPTO: 0}))
        return number

    def _merge(self, level: int) -> Tail:
        """Merge all segments of a level into one of the next level."""
        sources = self._bodies(level)
        lines = merge_lines((parse_body(str(item[BODY])) for item in sources), is_alive=self._is_alive)
        sorts = [str(item["sk"]) for item in sources]
        self._write(level + 1, lines, name=derived_id("segment", *sorts)[:16])
        # Deleted only now, so that every message can be found at any time; for a moment, twice.
        self._table.batch_delete([Key(self._partition, sort) for sort in sorts])
        _LOG.info("search segments merged", extra={"level": level, "items": len(sources)})
        counted = (Set(segment_counter(level), 0), Add(segment_counter(level + 1), 1))
        return tail_from_item(self.change_tail(counted))

    def _bodies(self, level: int) -> tuple[Item, ...]:
        return self._query(f"{level}#").items

    def _query(self, prefix: str) -> Page:
        return self._table.query(Query(self._partition, limit=EVERYTHING, prefix=prefix))

    def _is_alive(self, number: int) -> bool:
        return self._table.get(number_key(self._tenant, self._user, number), consistent=False) is not None

    def _write(self, level: int, lines: PostingLines, *, name: str) -> None:
        for letters, group in _by_letters(lines, level).items():
            for part, body in enumerate(to_bodies(group, max_characters=MAX_BODY_CHARACTERS)):
                sort = f"{body_prefix(level, letters)}{name}.{part}"
                self._table.put(Put({"pk": self._partition, "sk": sort, BODY: body}))


def _by_letters(lines: PostingLines, level: int) -> Mapping[str, PostingLines]:
    grouped: dict[str, PostingLines] = defaultdict(dict)
    for term, groups in lines.items():
        grouped[letters_of(term, level)][term] = groups
    return grouped


class SearchIndexFollower:
    """Handles stream records of messages and heads: keeps the search index up to date."""

    def __init__(self, index: SearchIndex) -> None:
        self._index = index

    def handle(self, change: StreamRecord) -> None:
        """Index the conversation of a new reply, or a complete copy; detach a removed conversation."""
        if change.new is None:
            return
        if change.key.sort == keys.HEAD:
            self._follow_head(change, change.old or {}, change.new)
        elif change.old is None and _is_reply(change.key.sort, change.new):
            # One write per turn: the user's message is indexed along with its reply.
            self._index.enqueue(*_place(change), keys.message_sequence(change.key.sort))

    def _follow_head(self, change: StreamRecord, old: Item, new: Item) -> None:
        tenant, conversation_id = _place(change)
        count = cast("int", new.get("count", 0))
        if COPY_IN_PROGRESS in old and COPY_IN_PROGRESS not in new and is_active(new) and count > 0:
            self._index.enqueue(tenant, conversation_id, count, at_once=True)
        elif new.get("status") == Status.GONE and (owner := owner_of(old)):
            self._index.detach(tenant, owner, conversation_id)


def _is_reply(sort: str, message: Item) -> bool:
    return sort.startswith(keys.MESSAGE_PREFIX) and message.get("role") == Role.ASSISTANT


def _place(change: StreamRecord) -> tuple[keys.TenantId, str]:
    return keys.tenant_of(change.key.partition), keys.conversation_id_of(change.key.partition)
