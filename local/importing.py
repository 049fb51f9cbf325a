"""Exported conversations from a file into a tenant's table.

The whole file is looked through before anything is written, line by line, so that a file of any size is taken
or refused as a whole. Importing it again goes on where it ended: what is there is left as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from conversation.arrivals import Arrival, Arrivals, Arriving, Said
from conversation.document import ConversationRecord, Document
from local.document_checks import Unfit, check_document
from storage.keys import TenantId

MAX_LINE_BYTES = 16 * 1024 * 1024
"""An export's own lines have a few MB at most."""


class ImportRefused(Exception):
    """Why nothing of the file was imported, and which line it is about; one line."""


@dataclass(slots=True)
class Report:
    """What became of the conversations that were to come in."""

    conversations: int = 0
    messages: int = 0
    """Those of the imported conversations."""
    present: int = 0
    """Conversations that were there already."""
    left_out: list[str] = field(default_factory=list)
    """What else was not imported and why, a line each."""

    def count(self, what: str, arrival: Arrival, messages: int) -> None:
        """Take down what became of one conversation."""
        match arrival:
            case Arrival.IMPORTED:
                self.conversations += 1
                self.messages += messages
            case Arrival.PRESENT:
                self.present += 1
            case _:
                self.leave_out(what, arrival.value)

    def leave_out(self, what: str, why: str, number: int = 1) -> None:
        """Take down what was not imported."""
        self.left_out.append(f"{what}: {why}" if number == 1 else f"{what}: {number} {why}")

    def lines(self) -> Iterator[str]:
        """The report for people."""
        yield f"Imported: {self.conversations} conversations with {self.messages} messages"
        yield f"Already there: {self.present} conversations"
        yield f"Left out: {len(self.left_out)}"
        yield from (f"  {line}" for line in self.left_out)


@dataclass(slots=True)
class _Occurrence:
    """One place of the file where a conversation stands; ``messages`` of its were found there."""

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
        """Whether the conversation changed while it was exported: then it comes again."""
        own, other = self.record, earlier.record
        if own.updated_at != other.updated_at:
            return own.updated_at > other.updated_at
        return own.status != other.status


def import_file(path: Path, *, tenant: TenantId, user: str, arrivals: Arrivals) -> Report:
    """Import a user's own export.

    Raises:
        ImportRefused: the file is no whole export of this user's; nothing was written.
    """
    report = Report()
    with path.open("rb") as file:
        found = _looked_through(file, tenant, user)
        file.seek(0)
        for record, said in _conversations(file, found):
            arriving = Arriving(tenant, record.conversation(user), record.metadata)
            report.count(record.id, arrivals.take(arriving, said), record.message_count)
    return report


def _looked_through(file: BinaryIO, tenant: TenantId, user: str) -> Iterable[_Occurrence]:
    """Where the conversations of the file stand, the last time they do."""
    found: dict[str, _Occurrence] = {}
    current: _Occurrence | None = None
    for number, line in _lines(file):
        document = _document(number, line, tenant, user)
        if current is not None and current.messages and current.goes_on_with(document):
            current.lines += 1
        else:
            current = _begun(number, document, found.get(document.conversation.id))
            found[document.conversation.id] = current
        current.messages += len(document.messages)
    for occurrence in found.values():
        if occurrence.messages != occurrence.record.message_count:
            raise ImportRefused(
                f"The file is cut off: of conversation {occurrence.record.id} it has {occurrence.messages} of"
                f" {occurrence.record.message_count} messages."
            )
    return found.values()


def _begun(number: int, document: Document, earlier: _Occurrence | None) -> _Occurrence:
    record = document.conversation
    if document.messages and document.messages[0].sequence != 1:
        raise ImportRefused(
            f"Line {number}: what comes before message {document.messages[0].sequence} is missing."
        )
    begun = _Occurrence(record, number)
    if earlier is not None and not begun.comes_later_than(earlier):
        raise ImportRefused(
            f"Line {number}: conversation {record.id} stands in line {earlier.first_line} already."
        )
    return begun


def _document(number: int, line: bytes, tenant: TenantId, user: str) -> Document:
    try:
        document = Document.model_validate_json(line)
        check_document(document, tenant, user)
    except ValidationError as invalid:
        error = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, error["loc"])) or "the document"
        is_cut = error["type"] == "json_invalid" and not line.endswith(b"\n")
        why = "the file is cut off" if is_cut else f"{place!r}: {error['msg']}"
        raise ImportRefused(f"Line {number}: {why}.") from None
    except Unfit as unfit:
        raise ImportRefused(f"Line {number}: {unfit}.") from None
    return document


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise ImportRefused(f"Line {number}: longer than {MAX_LINE_BYTES} bytes.")
        yield number, line


def _conversations(
    file: BinaryIO, found: Iterable[_Occurrence]
) -> Iterator[tuple[ConversationRecord, Iterator[Said]]]:
    """The conversations with their messages, read as they are asked for."""
    begins = {occurrence.first_line: occurrence for occurrence in found}
    lines = _lines(file)
    for number, line in lines:
        occurrence = begins.get(number)
        if occurrence is not None:
            others = islice(lines, occurrence.lines - 1)
            yield occurrence.record, _said(chain([line], (each for _, each in others)))
            deque(others, maxlen=0)  # of what was there already not a line was read


def _said(lines: Iterable[bytes]) -> Iterator[Said]:
    for line in lines:
        document = Document.model_validate_json(line)
        for record in document.messages:
            yield record.message(document.conversation.id), record.opinion()
