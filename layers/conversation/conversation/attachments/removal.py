"""Removes attachments with what they belong to: the last conversation that has one takes it along.

A conversation's items go in many ways: swept, erased, deleted. Each leaves a record in the table's stream,
which `AttachmentRemover` follows. So do the items of attachments that nobody sent in time.
"""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from conversation.attachments.bucket import FileBucket, ObjectName
from conversation.messages.attached_files import CONVERSATIONS
from storage import keys
from storage.errors import ConditionRefused
from storage.table import Delete, Exclude, Exists, Key, NotExists, StreamRecord, Table, Update
from storage.tenant_table import Tables


class AttachmentRemover:
    """Handles stream records of removed items; idempotent."""

    def __init__(self, tables: Tables, bucket: FileBucket | None) -> None:
        self._tables = tables
        self._bucket = bucket

    def handle(self, change: StreamRecord) -> None:
        """Let go of an attachment whose conversation is gone, and remove the bytes of one that is gone.

        Raises:
            BucketUnavailable: the bytes are not removed; to be tried again.
        """
        if change.new is not None or change.old is None or self._bucket is None:
            return
        if not change.key.sort.startswith(keys.ATTACHMENT_PREFIX):
            return
        tenant = keys.tenant_of(change.key.partition)
        attachment_id = keys.attachment_id_of(change.key.sort)
        owner = keys.user_of_partition(tenant, change.key.partition)
        if owner is not None:
            self._bucket.remove(ObjectName(tenant, owner, attachment_id))
            return
        key = keys.attachment(tenant, str(change.old["user"]), attachment_id)
        table, conversation_id = (
            self._tables.for_tenant(tenant),
            keys.conversation_id_of(change.key.partition),
        )
        table.delete(Delete(keys.file_text(tenant, conversation_id, attachment_id)))
        if not remaining_conversations(table, key, conversation_id):
            with suppress(ConditionRefused):  # another conversation has it meanwhile
                table.delete(Delete(key, (NotExists(CONVERSATIONS),)))


def remaining_conversations(table: Table, key: Key, conversation_id: str) -> frozenset[str]:
    """Note that the conversation has the attachment no more, and return those that have it. Idempotent."""
    changes = (Exclude(CONVERSATIONS, frozenset({conversation_id})),)
    try:
        left = table.update(Update(key, changes, (Exists(),)))
    except ConditionRefused:
        return frozenset()
    return cast("frozenset[str]", left.get(CONVERSATIONS, frozenset()))
