"""Exports one conversation, or all of a user's, as pages of documents.

A page ends when it is large enough, even in the middle of a conversation; the next one continues at its
`ExportPosition`. `conversation.export.imports` imports documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from conversation.clock import to_text
from conversation.errors import ConversationNotFound
from conversation.export.document import (
    AttachmentRecord,
    ConversationRecord,
    Document,
    MessageRecord,
)
from conversation.identity import Caller
from conversation.messages.attached_files import AttachedFile
from conversation.messages.items import (
    ACTIVE_STATUSES,
    conversation_from_item,
    index_partition,
    message_from_item,
)
from conversation.messages.models import Conversation, Message, Status
from conversation.threads.feedback import Feedback, feedback_from_item
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.items import item_bytes
from storage.table import Item, Query, Table, query_pages
from storage.tenant_table import Tables

PAGE_BYTES = 1024 * 1024
"""Of stored messages: escaped twice, as JSON within JSON, they stay below the 6 MB a function may return."""

PAGE_DOCUMENTS = 50
LISTED = 25
_READ_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class ExportPosition:
    """Where an export continues; the default is its beginning.

    The conversation ``within`` is done up to the message ``after``, if its last activity is still ``seen``.
    All conversations of ``status`` are done up to ``behind``, whose last activity was at ``behind_at``.
    """

    within: str = ""
    after: int = 0
    seen: str = ""
    status: Status = ACTIVE_STATUSES[0]
    behind: str = ""
    behind_at: str = ""

    def start_in(self, conversation: Conversation) -> int:
        """How many messages of the conversation are done: none if it has changed since."""
        is_same = self.within == conversation.id and self.seen == to_text(conversation.updated_at)
        return self.after if is_same else 0

    def after_conversation(self, listed: Conversation) -> ExportPosition:
        """The place after the listed conversation."""
        return ExportPosition(status=self.status, behind=listed.id, behind_at=to_text(listed.updated_at))

    def after_document(self, document: Document) -> ExportPosition:
        """The place after the document's last message, within its conversation."""
        record = document.conversation
        last, seen = document.messages[-1].sequence, to_text(record.updated_at)
        return replace(self, within=record.id, after=last, seen=seen)


@dataclass(slots=True)
class ExportPage:
    """One page of documents. ``next_position`` is the place of the next page; None at the end."""

    documents: list[Document] = field(default_factory=list)
    next_position: ExportPosition | None = None
    bytes: int = 0
    left_out: bool = False
    """Whether listed conversations were skipped: they had activity meanwhile and are exported later."""

    @property
    def is_full(self) -> bool:
        """Whether everything else goes on the next page."""
        return self.bytes >= PAGE_BYTES or len(self.documents) >= PAGE_DOCUMENTS


class ConversationExporter:
    """Exports conversations of one user at a time."""

    def __init__(
        self,
        *,
        tables: Tables,
        conversations: ConversationRepository,
        lifecycle: Lifecycle,
        file_url: Callable[[Caller, AttachedFile], str | None] = lambda _caller, _file: None,
    ) -> None:
        """``file_url`` returns where the content of a file is; None: it is not said."""
        self._file_url = file_url
        self._tables = tables
        self._conversations = conversations
        self._lifecycle = lifecycle

    def conversation_page(
        self, caller: Caller, conversation_id: str, place: ExportPosition | None = None
    ) -> ExportPage:
        """The conversation or the next part of it. If it has changed since the last page, it starts over.

        Raises:
            ConversationNotFound: it is not the caller's.
        """
        page = ExportPage()
        page.next_position = self._add(page, caller, conversation_id, place or ExportPosition())
        return page

    def user_page(self, caller: Caller, place: ExportPosition | None = None) -> ExportPage:
        """All conversations of the caller, active ones before archived ones, oldest activity first.

        A conversation with activity during the export is exported at the end, even if it was exported before.
        """
        page, place = ExportPage(), place or ExportPosition()
        while place is not None and not page.is_full:
            found = self._listed(caller, place)
            if not found and page.left_out:
                break  # the index lags behind writes: the next request looks again
            place = self._add_listed(page, caller, place, found) if found else _next_status(place)
            if page.next_position is not None:
                return page
        page.next_position = place
        return page

    def _add_listed(
        self, page: ExportPage, caller: Caller, place: ExportPosition, found: Sequence[Conversation]
    ) -> ExportPosition:
        """Add the listed conversations until the page is full. Return where to continue."""
        for listed in found:
            try:
                page.next_position = self._add(page, caller, listed.id, place, listed)
            except ConversationNotFound:
                page.next_position = None  # deleted since it was listed
            if page.next_position is not None:
                break
            place = place.after_conversation(listed)
            if page.is_full:
                break
        return place

    def _add(
        self,
        page: ExportPage,
        caller: Caller,
        conversation_id: str,
        place: ExportPosition,
        listed: Conversation | None = None,
    ) -> ExportPosition | None:
        """Add the rest of the conversation, as far as it fits. Return where it continues; None at its end."""
        conversation = self._conversations.get(caller, conversation_id)
        if listed is not None and _comes_later(listed, conversation, place.status):
            page.left_out = True
            return None
        record = ConversationRecord.of(conversation, self._lifecycle.metadata(caller, conversation_id))
        table, start = self._tables.for_tenant(caller.tenant), place.start_in(conversation)
        items = _fitting(page, _messages(table, caller, conversation, after=start))
        if not items and start < conversation.count:
            raise ConversationNotFound  # it is being removed
        document = Document.of(
            caller.tenant, caller.user, record, self._records(table, caller, conversation_id, items)
        )
        page.documents.append(document)
        return None if document.complete else place.after_document(document)

    def _records(
        self, table: Table, caller: Caller, conversation_id: str, items: Sequence[Item]
    ) -> list[MessageRecord]:
        messages = [message_from_item(item) for item in items]
        feedback = _feedback(table, caller, conversation_id, messages) if messages else {}
        return [
            MessageRecord.of(message, feedback.get(message.sequence), self._attachments(caller, message))
            for message in messages
        ]

    def _attachments(self, caller: Caller, message: Message) -> tuple[AttachmentRecord, ...]:
        return tuple(
            AttachmentRecord(**dict(file), download_url=self._file_url(caller, file))
            for file in message.attachments
        )

    def _listed(self, caller: Caller, place: ExportPosition) -> tuple[Conversation, ...]:
        partition = index_partition(caller.tenant, caller.user, place.status)
        key = keys.head(caller.tenant, place.behind)
        behind = {"pk": key.partition, "sk": key.sort, "by_user": partition, "updated_at": place.behind_at}
        query = Query(partition, LISTED, index=keys.BY_USER.name, after=behind if place.behind else None)
        items = self._tables.for_tenant(caller.tenant).query(query).items
        return tuple(conversation_from_item(item) for item in items)


def _comes_later(listed: Conversation, conversation: Conversation, status: Status) -> bool:
    """Whether a listed conversation has moved to a later place in the export."""
    if conversation.status is not status:
        return ACTIVE_STATUSES.index(conversation.status) > ACTIVE_STATUSES.index(status)
    return conversation.updated_at != listed.updated_at


def _next_status(place: ExportPosition) -> ExportPosition | None:
    later = ACTIVE_STATUSES[ACTIVE_STATUSES.index(place.status) + 1 :]
    return ExportPosition(status=later[0]) if later else None


def _messages(table: Table, caller: Caller, conversation: Conversation, *, after: int) -> Iterator[Item]:
    """All stored messages after a sequence, including replaced ones, oldest first."""
    while after < conversation.count:
        query = Query(
            keys.conversation(caller.tenant, conversation.id),
            _READ_AT_ONCE,
            low=keys.message(caller.tenant, conversation.id, after + 1).sort,
            high=keys.message(caller.tenant, conversation.id, conversation.count).sort,
        )
        items = table.query(query).items
        yield from items
        after += _READ_AT_ONCE
        if len(items) < _READ_AT_ONCE:
            return


def _fitting(page: ExportPage, items: Iterator[Item]) -> list[Item]:
    """As many items as fit the page, but at least one; that one may exceed the page's size."""
    fitting: list[Item] = []
    for item in items:
        size = item_bytes(item)
        if fitting and page.bytes + size > PAGE_BYTES:
            break
        fitting.append(item)
        page.bytes += size
    return fitting


def _feedback(
    table: Table, caller: Caller, conversation_id: str, messages: Sequence[Message]
) -> dict[int, Feedback]:
    """The user's feedback on the messages, by their sequence."""
    query = Query(
        keys.conversation(caller.tenant, conversation_id),
        _READ_AT_ONCE,
        low=keys.feedback(caller.tenant, conversation_id, messages[0].sequence).sort,
        high=keys.feedback(caller.tenant, conversation_id, messages[-1].sequence).sort,
    )
    return {
        int(str(item["sk"]).removeprefix(keys.FEEDBACK_PREFIX)): feedback_from_item(item)
        for page in query_pages(table, query)
        for item in page.items
    }
