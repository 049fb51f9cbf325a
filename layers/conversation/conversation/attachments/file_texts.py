"""The texts of attachments, for search: read from their content after the turn, and kept beside its messages.

A text is an item of its conversation, and goes with it. Secrets in it are masked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress

from conversation.attachments.bucket import FileBucket, ObjectName
from conversation.attachments.file_types import PDF, TEXTS
from conversation.messages.attached_files import TEXT, file_text
from conversation.messages.items import ACTIVE_CONDITION
from conversation.redaction.masking import mask
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.table import Check, Exists, Put, StreamRecord
from storage.tenant_table import Tables

MAX_TEXT_BYTES = 100_000
"""Of one file, about 40 pages: as much as a search looks through for a phrase."""
READ_WITHIN_S = 20.0
"""One PDF, shorter than a record of the stream may take."""
_READ = """
import json, runpy, sys
sys.path[:] = json.loads(sys.argv.pop(1))
runpy.run_module("conversation.attachments.pdf_text", run_name="__main__")
"""


class FileTexts:
    """Reads and keeps the texts of files; safe to use from several threads and processes."""

    def __init__(self, tables: Tables, bucket: FileBucket | None) -> None:
        self._tables = tables
        self._bucket = bucket

    def handle(self, change: StreamRecord) -> None:
        """Keep the text of a file that a message was just sent with; idempotent.

        Raises:
            BucketUnavailable: to be tried again.
        """
        new = change.new
        if new is None or not change.key.sort.startswith(keys.ATTACHMENT_PREFIX) or "user" not in new:
            return
        tenant = keys.tenant_of(change.key.partition)
        conversation_id = keys.conversation_id_of(change.key.partition)
        file_id = keys.attachment_id_of(change.key.sort)
        self.text(tenant, str(new["user"]), conversation_id, file_id, str(new.get("type", "")))

    def text(self, tenant: TenantId, user: str, conversation_id: str, file_id: str, media_type: str) -> str:
        """The text of a file of the conversation: the kept one, else it is read and kept.

        Empty for an image, and for a document that can't be read.

        Raises:
            BucketUnavailable: the file can't be read now.
        """
        if self._bucket is None or media_type not in (PDF, *TEXTS):
            return ""
        table = self._tables.for_tenant(tenant)
        kept = file_text(table, tenant, conversation_id, file_id)
        if kept is not None:
            return kept
        content = self._bucket.read(ObjectName(tenant, user, file_id)) or b""
        text = _cut(mask(text_of(media_type, content)))
        key = keys.file_text(tenant, conversation_id, file_id)
        with suppress(TransactionRefused):  # the file or its conversation is gone meanwhile
            table.transact(
                [
                    Put({"pk": key.partition, "sk": key.sort, TEXT: text}),
                    Check(keys.attached(tenant, conversation_id, file_id), (Exists(),)),
                    Check(keys.head(tenant, conversation_id), (ACTIVE_CONDITION,)),
                ]
            )
        return text


def text_of(media_type: str, content: bytes) -> str:
    """The beginning of the text in the content of a checked file; empty where there is none to read."""
    read = _pdf_text(content) if media_type == PDF else content[: 2 * MAX_TEXT_BYTES]
    return _cut(read.decode("utf-8", "ignore"))


def _pdf_text(content: bytes) -> bytes:
    command = [sys.executable, "-c", _READ, json.dumps(sys.path), str(MAX_TEXT_BYTES)]
    with subprocess.Popen(  # noqa: S603 - our own code, and no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as reader:
        try:
            written, _ = reader.communicate(content, timeout=READ_WITHIN_S)
        except subprocess.TimeoutExpired:
            reader.kill()
            written, _ = reader.communicate()
    return written


def _cut(text: str) -> str:
    return text.encode()[:MAX_TEXT_BYTES].decode("utf-8", "ignore").replace("\x00", "")
