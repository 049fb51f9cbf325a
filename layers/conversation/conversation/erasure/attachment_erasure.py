"""Removes attachments for an erasure, bytes before items: an item is what leads to the bytes.

Attachments of a conversation on legal hold stay with it.
"""

from __future__ import annotations

from conversation.attachments.bucket import BucketUnavailable, FileBucket, ObjectName
from conversation.attachments.removal import remaining_conversations
from conversation.erasure.partitions import PAGE, ErasureInterrupted, PartitionEraser
from conversation.messages.attached_files import CONVERSATIONS
from storage import keys
from storage.items import item_key
from storage.keys import TenantId
from storage.table import Key, Query, Table

KIND = "attachments"


class AttachmentEraser:
    """Removes attachments of one tenant. ``bucket`` None: there are none.

    Every method raises `ErasureInterrupted` when the bucket is out of reach: the next run tries again.
    """

    def __init__(
        self, table: Table, tenant: TenantId, eraser: PartitionEraser, bucket: FileBucket | None
    ) -> None:
        self._table = table
        self._tenant = tenant
        self._eraser = eraser
        self._bucket = bucket

    def of_conversation(self, conversation_id: str) -> None:
        """Remove what only this conversation has."""
        partition = keys.conversation(self._tenant, conversation_id)
        for page in self._eraser.pages(Query(partition, PAGE, prefix=keys.ATTACHMENT_PREFIX)):
            for item in page:
                attachment_id, user = keys.attachment_id_of(str(item["sk"])), str(item.get("user"))
                key = keys.attachment(self._tenant, user, attachment_id)
                if not remaining_conversations(self._table, key, conversation_id):
                    self._remove(user, attachment_id, key)

    def of_user(self, user: str) -> None:
        """Remove the user's attachments; what is left in the bucket goes with the last one."""
        partition, kept = keys.attachments(self._tenant, user), False
        for page in self._eraser.pages(Query(partition, PAGE)):
            for item in page:
                if CONVERSATIONS in item:
                    kept = True
                else:
                    self._remove(user, keys.attachment_id_of(str(item["sk"])), item_key(item))
        if not kept:
            self._sweep(user)

    def of_nobody(self) -> None:
        """Remove what is left in the tenant's part of the bucket, once none of its users has anything."""
        self._sweep(None)

    def _remove(self, user: str, attachment_id: str, key: Key) -> None:
        if self._bucket is not None:
            try:
                self._bucket.remove(ObjectName(self._tenant, user, attachment_id))
            except BucketUnavailable:
                raise ErasureInterrupted from None
        self._eraser.remove([(key, KIND)])

    def _sweep(self, user: str | None) -> None:
        if self._bucket is not None:
            try:
                self._bucket.remove_all(self._tenant, user)
            except BucketUnavailable:
                raise ErasureInterrupted from None
