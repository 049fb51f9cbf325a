"""Import of a file of exported conversations into a tenant's table.

The import checks the whole file line by line before it writes anything, so it accepts or rejects a file of
any size as a whole. A second import of the file continues where the first one stopped and leaves existing
conversations unchanged.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count, islice
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from conversation.export.document import ConversationRecord, Document, MessageRecord
from conversation.export.imports import (
    ConversationImporter,
    ConversationToImport,
    ImportOutcome,
    MessageWithFeedback,
)
from conversation.identity import TurnId, is_id
from conversation.messages.branches import MAX_SEGMENTS, BranchPath, Segment, parse_segments
from conversation.messages.items import message_id, message_to_item
from conversation.messages.models import MAX_METADATA_BYTES
from conversation.messages.size_limits import MAX_STORED_BYTES
from storage.items import item_bytes
from storage.keys import TenantId
from storage.table import MAX_ITEM_BYTES


class InvalidDocument(ValueError):
    """A document is inconsistent. The message says how and quotes no message content."""


def _check_document(document: Document, tenant: TenantId, user: str) -> None:
    """Check that a document belongs to this user and is consistent.

    Raises:
        InvalidDocument: it is not.
    """
    if document.tenant != tenant:
        raise InvalidDocument("it belongs to another tenant")
    if document.user != user:
        raise InvalidDocument("it belongs to another user")
    record, messages = document.conversation, document.messages
    _check_conversation(record)
    begin = messages[0].sequence if messages else 1
    for place, message in zip(count(begin), messages, strict=False):
        if message.sequence != place:
            raise InvalidDocument(f"message {message.sequence} stands where {place} belongs")
        _check_message(message, record, tenant)
    if document.complete != (begin + len(messages) - 1 == record.message_count):
        raise InvalidDocument("it is complete when it has the last message, and only then")


def _check_conversation(record: ConversationRecord) -> None:
    if not is_id(record.id) or not (record.forked_from is None or is_id(record.forked_from)):
        raise InvalidDocument("conversation ids are 32 hexadecimal digits")
    if len(json.dumps(record.metadata, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise InvalidDocument(f"a conversation's metadata may have {MAX_METADATA_BYTES} bytes")
    if record.path is None:
        return
    path = BranchPath.parse(record.path)
    in_order = _is_in_order(path.closed, path.start - 1)
    if not in_order or path.start > record.message_count + 1 or len(path.closed) > MAX_SEGMENTS:
        raise InvalidDocument("the path leads out of the conversation")


def _check_message(message: MessageRecord, record: ConversationRecord, tenant: TenantId) -> None:
    place, turn = f"message {message.sequence}", TurnId.parse(message.turn_id)
    if turn is None or turn.conversation_id != record.id:
        raise InvalidDocument(f"{place}: its turn is none of the conversation")
    if message.id != message_id(message.turn_id, message.role, message.sequence):
        raise InvalidDocument(f"{place}: its id does not follow from its turn, role and place")
    others = (message.sequence, *message.versions, *([message.root] if message.root else ()))
    left = parse_segments(message.left or "")
    if max(others) > record.message_count or not _is_in_order(left, record.message_count):
        raise InvalidDocument(f"{place}: it names messages that the conversation does not have")
    if len(message.content.encode()) > MAX_STORED_BYTES:
        raise InvalidDocument(f"{place}: longer than {MAX_STORED_BYTES} bytes")
    if item_bytes(message_to_item(tenant, message.to_message(record.id))) > MAX_ITEM_BYTES:
        raise InvalidDocument(f"{place}: larger than {MAX_ITEM_BYTES} bytes with what belongs to it")


def _is_in_order(segments: tuple[Segment, ...], last: int) -> bool:
    """Whether the segments are ascending, don't overlap and end at or before ``last``."""
    end = 0
    for low, high in segments:
        if not end < low <= high:
            return False
        end = high
    return end <= last


MAX_LINE_BYTES = 16 * 1024 * 1024
"""Far above what an export writes: its lines have a few MB at most."""


class ImportRejected(Exception):
    """The file was rejected and nothing was imported. The message is one line and locates the problem."""


@dataclass(slots=True)
class ImportReport:
    """The outcome of an import."""

    conversations: int = 0
    messages: int = 0
    """Messages of the imported conversations."""
    already_present: int = 0
    """Conversations that already existed."""
    skipped: list[str] = field(default_factory=list)
    """A line for each other thing that was not imported, with the reason."""

    def record_outcome(self, what: str, arrival: ImportOutcome, messages: int) -> None:
        """Record the outcome for one conversation."""
        match arrival:
            case ImportOutcome.IMPORTED:
                self.conversations += 1
                self.messages += messages
            case ImportOutcome.PRESENT:
                self.already_present += 1
            case _:
                self.skip(what, arrival.value)

    def skip(self, what: str, why: str, number: int = 1) -> None:
        """Record something that was not imported."""
        self.skipped.append(f"{what}: {why}" if number == 1 else f"{what}: {number} {why}")

    def lines(self) -> Iterator[str]:
        """Yield the report as lines of text."""
        yield f"Imported: {self.conversations} conversations with {self.messages} messages"
        yield f"Already there: {self.already_present} conversations"
        yield f"Left out: {len(self.skipped)}"
        yield from (f"  {line}" for line in self.skipped)


@dataclass(slots=True)
class _Occurrence:
    """One occurrence of a conversation in the file; ``messages`` counts the messages it has there."""

    record: ConversationRecord
    first_line: int
    lines: int = 1
    messages: int = 0

    def goes_on_with(self, document: Document) -> bool:
        return (
            document.conversation.id == self.record.id
            and bool(document.messages)
            and document.messages[0].sequence == self.messages + 1
        )

    def comes_later_than(self, earlier: _Occurrence) -> bool:
        """Whether this is a newer state: an export repeats a conversation that changed while it ran."""
        own, other = self.record, earlier.record
        if own.updated_at != other.updated_at:
            return own.updated_at > other.updated_at
        return own.status != other.status


def import_file(path: Path, *, tenant: TenantId, user: str, arrivals: ConversationImporter) -> ImportReport:
    """Import a user's own export.

    Raises:
        ImportRejected: the file is not a complete export of this user; nothing was written.
    """
    report = ImportReport()
    with path.open("rb") as file:
        found = _check_file(file, tenant, user)
        file.seek(0)
        for record, messages in _conversations(file, found):
            arriving = ConversationToImport(tenant, record.to_conversation(user), record.metadata)
            report.record_outcome(
                record.id, arrivals.import_conversation(arriving, messages), record.message_count
            )
    return report


def _check_file(file: BinaryIO, tenant: TenantId, user: str) -> Iterable[_Occurrence]:
    """Check all lines of the file and return the last occurrence of each conversation."""
    found: dict[str, _Occurrence] = {}
    current: _Occurrence | None = None
    for number, line in _lines(file):
        document = _document(number, line, tenant, user)
        if current is not None and current.messages and current.goes_on_with(document):
            current.lines += 1
        else:
            current = _begin_occurrence(number, document, found.get(document.conversation.id))
            found[document.conversation.id] = current
        current.messages += len(document.messages)
    for occurrence in found.values():
        if occurrence.messages != occurrence.record.message_count:
            raise ImportRejected(
                f"The file is cut off: of conversation {occurrence.record.id} it has {occurrence.messages} of"
                f" {occurrence.record.message_count} messages."
            )
    return found.values()


def _begin_occurrence(number: int, document: Document, earlier: _Occurrence | None) -> _Occurrence:
    record = document.conversation
    if document.messages and document.messages[0].sequence != 1:
        raise ImportRejected(
            f"Line {number}: what comes before message {document.messages[0].sequence} is missing."
        )
    occurrence = _Occurrence(record, number)
    if earlier is not None and not occurrence.comes_later_than(earlier):
        raise ImportRejected(
            f"Line {number}: conversation {record.id} stands in line {earlier.first_line} already."
        )
    return occurrence


def _document(number: int, line: bytes, tenant: TenantId, user: str) -> Document:
    try:
        document = Document.model_validate_json(line)
        _check_document(document, tenant, user)
    except ValidationError as invalid:
        error = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, error["loc"])) or "the document"
        is_cut = error["type"] == "json_invalid" and not line.endswith(b"\n")
        why = "the file is cut off" if is_cut else f"{place!r}: {error['msg']}"
        raise ImportRejected(f"Line {number}: {why}.") from None
    except InvalidDocument as unfit:
        raise ImportRejected(f"Line {number}: {unfit}.") from None
    return document


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise ImportRejected(f"Line {number}: longer than {MAX_LINE_BYTES} bytes.")
        yield number, line


def _conversations(
    file: BinaryIO, found: Iterable[_Occurrence]
) -> Iterator[tuple[ConversationRecord, Iterator[MessageWithFeedback]]]:
    """Yield the conversations with their messages, read lazily."""
    begins = {occurrence.first_line: occurrence for occurrence in found}
    lines = _lines(file)
    for number, line in lines:
        occurrence = begins.get(number)
        if occurrence is not None:
            others = islice(lines, occurrence.lines - 1)
            yield occurrence.record, _messages(chain([line], (each for _, each in others)))
            deque(others, maxlen=0)  # skip the lines that were not read, as for a conversation that exists


def _messages(lines: Iterable[bytes]) -> Iterator[MessageWithFeedback]:
    for line in lines:
        document = Document.model_validate_json(line)
        for record in document.messages:
            yield record.to_message(document.conversation.id), record.to_feedback()
