"""The text of files is read after the turn, found by the search of their user, and gone with the files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from conversation.attachments import file_texts
from conversation.attachments.file_texts import MAX_TEXT_BYTES, FileTexts, text_of
from conversation.attachments.file_types import PDF
from conversation.identity import Caller
from conversation.messages.attached_files import file_text
from conversation.search.index import SearchIndex
from conversation.search.service import ConversationSearch, Hit, SearchRequest
from conversation.threads.message_versions import Versions
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Query, StreamRecord
from tests.fakes.data import sample_files
from tests.fakes.data.scripted_turns import MAYA
from tests.integration.attachments.test_removal import NOAH, Workshop

STRANGER = Caller(TenantId("globex"), MAYA.user)
SECRET = "sk-proj-" + "Ab3" * 16
FILES = {
    "pdf": (PDF, sample_files.pdf("The walrus contract ends in May")),
    "csv": ("text/csv", b"animal,amount\nwalrus,7\n"),
    "markdown": ("text/markdown", "# Übersicht\n\nDer *walrus* bleibt.\n".encode()),
    "json": ("application/json", b'{"animal": "walrus"}'),
}


class Library(Workshop):
    """A workshop whose files are read and searched."""

    @property
    def texts(self) -> FileTexts:
        return FileTexts(self.tables, self.bucket)

    def sent(self, kind: str, content: bytes) -> tuple[str, str]:
        """The conversation of a message with the file, and the file."""
        file = self.added(content=content, kind=kind)
        return self.said(file), file

    def read(self, conversation_id: str) -> None:
        """What the stream does after the turn."""
        query = Query(keys.conversation(MAYA.tenant, conversation_id), 10, prefix=keys.ATTACHMENT_PREFIX)
        for item in self.table.query(query).items:
            self.texts.handle(
                StreamRecord(keys.attached(MAYA.tenant, conversation_id, str(item["sk"])[2:]), None, item)
            )

    def index(self, conversation_id: str) -> None:
        index = SearchIndex(tables=self.tables, clock=self.clock, file_texts=self.texts)
        index.enqueue(MAYA.tenant, conversation_id, 2, at_once=True)

    def found(self, text: str, caller: Caller = MAYA) -> tuple[Hit, ...]:
        search = ConversationSearch(tables=self.tables, conversations=self.conversations)
        return search.search(caller, SearchRequest(text), limit=10)[0]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with closing(SqliteTable(":memory:")) as table:
        yield Library(table, tmp_path)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_message_is_found_by_the_text_of_its_file(library: Library, kind: str, is_indexed: bool) -> None:
    conversation, file = library.sent(*FILES[kind])
    SearchIndex(tables=library.tables, clock=library.clock).enqueue(MAYA.tenant, conversation, 2)
    library.read(conversation)
    if is_indexed:
        library.index(conversation)
    [hit] = library.found("walrus")
    assert (hit.message.content, hit.file and hit.file.id) == ("hello", file)
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.matches] == ["walrus"]
    assert library.found("walrus", NOAH) == library.found("walrus", STRANGER) == ()


def test_what_is_indexed_before_its_file_was_read_is_read_then(library: Library) -> None:
    conversation, _ = library.sent(*FILES["pdf"])
    library.index(conversation)
    assert len(library.found('"walrus contract"')) == 1
    assert library.found('"contract walrus"') == ()


def test_a_message_is_found_by_what_it_says_and_by_what_its_file_says(library: Library) -> None:
    conversation, _ = library.sent(*FILES["csv"])
    library.read(conversation)
    library.index(conversation)
    [hit] = library.found("hello walrus")
    assert hit.file is None


def test_the_end_of_a_long_text_is_found(library: Library) -> None:
    text = " ".join(f"word{number}" for number in range(9_000)) + " walrus"
    assert 50_000 < len(text) < MAX_TEXT_BYTES
    conversation, _ = library.sent("text/plain", text.encode())
    library.index(conversation)
    assert len(library.found("walrus")) == 1


def test_a_text_goes_with_its_conversation_or_its_message(library: Library) -> None:
    swept, swept_file = library.sent(*FILES["csv"])
    edited, file = library.sent(*FILES["csv"])
    for conversation in (swept, edited):
        library.read(conversation)
    assert "walrus" in (file_text(library.table, MAYA.tenant, edited, file) or "")

    library.remove(swept)
    assert file_text(library.table, MAYA.tenant, swept, swept_file) is None
    library.read(swept)
    assert file_text(library.table, MAYA.tenant, swept, swept_file) is None

    tied = library.table.get(keys.attached(MAYA.tenant, edited, file))
    [said, _] = library.conversations.page(MAYA, edited, limit=5)
    versions = Versions(tables=library.tables, clock=library.clock, conversations=library.conversations)
    versions.delete(MAYA, edited, said.id)
    library.follow(StreamRecord(keys.attached(MAYA.tenant, edited, file), tied, None))
    assert file_text(library.table, MAYA.tenant, edited, file) is None
    library.texts.handle(StreamRecord(keys.attached(MAYA.tenant, edited, file), None, tied))
    assert file_text(library.table, MAYA.tenant, edited, file) is None


def test_a_secret_in_a_file_is_not_kept(library: Library) -> None:
    conversation, file = library.sent("text/plain", f"the walrus key is {SECRET}".encode())
    library.read(conversation)
    kept = file_text(library.table, MAYA.tenant, conversation, file) or ""
    assert "walrus key is" in kept
    assert SECRET not in kept


def test_an_image_has_no_text_and_takes_no_request(library: Library) -> None:
    conversation, file = library.sent("image/png", sample_files.png(text="walrus"))
    library.read(conversation)
    assert file_text(library.table, MAYA.tenant, conversation, file) is None


def encrypted() -> bytes:
    from io import BytesIO

    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(BytesIO(sample_files.pdf("walrus"))))
    writer.encrypt("a password", algorithm="RC4-128")
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


@pytest.mark.parametrize(
    "content", [b"%PDF-1.7 nothing else %%EOF", encrypted(), b""], ids=["broken", "encrypted", "gone"]
)
def test_a_document_that_can_not_be_read_has_no_text(content: bytes) -> None:
    assert text_of(PDF, content) == ""


def test_a_document_of_20_mb_is_read() -> None:
    assert text_of(PDF, sample_files.pdf("walrus", padding=20 * 1024 * 1024 - 2_000)) == "walrus\n"


def test_a_document_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_texts, "READ_WITHIN_S", 0)
    assert text_of(PDF, sample_files.pdf("walrus")) == ""
