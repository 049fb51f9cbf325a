"""The attachments of all users: announced, uploaded, checked, sent with one message, and removed.

An attachment is one item of its user (`storage.keys.attachments`) and one object in the bucket. It is
``pending`` until its content is checked. One that no message was sent with is removed after a day.
`conversation.messages.attached_files` ties it to a conversation; the last conversation that lets go of it
takes it along.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple, cast

from conversation.attachments.bucket import BucketUnavailable, FileBucket, ObjectName, SignedRequest
from conversation.attachments.errors import (
    AttachmentInvalid,
    AttachmentNotFound,
    AttachmentNotReady,
    AttachmentsOff,
    AttachmentsUnavailable,
    AttachmentTooLarge,
    AttachmentTypeNotAllowed,
    AttachmentUsed,
    TooManyAttachments,
)
from conversation.attachments.file_types import is_content_of
from conversation.attachments.limits import AttachmentLimits
from conversation.clock import Clock, from_text, to_text
from conversation.identity import Caller, is_id, new_id
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.limits.rates import RateLimits
from conversation.limits.stored_bytes import StoredBytes
from conversation.messages.attached_files import CONVERSATIONS, USED_UNDER, AttachedFile
from conversation.tenants.store import PolicyCache
from conversation.turns.admission import IncomingMessage
from storage import keys
from storage.errors import ConditionRefused
from storage.table import (
    Delete,
    Exists,
    Item,
    NotExists,
    Page,
    Position,
    Put,
    Query,
    Set,
    Table,
    Update,
    query_pages,
)
from storage.tenant_table import Tables

UPLOAD_VALID_S = 900
DOWNLOAD_VALID_S = 900
UNSENT_KEPT = timedelta(days=1)
MAX_NAME_BYTES = 255
LISTED = 1_000
"""As many as one request to the table reads of small items."""


class AttachmentState(StrEnum):
    """How far an attachment is."""

    PENDING = "pending"
    READY = "ready"


class NewAttachment(NamedTuple):
    """A file that is announced."""

    name: str
    media_type: str
    size: int


class Attachment(NamedTuple):
    """An attachment as its user sees it."""

    file: AttachedFile
    state: AttachmentState
    created_at: datetime
    expires_at: datetime | None
    """When it is removed unless a message is sent with it; None: one was."""
    conversations: frozenset[str] = frozenset()
    used_under: str = ""


class Use(NamedTuple):
    """Which message wants to have attachments: what tells it from others."""

    key_hash: str | None = None
    edits_in: str | None = None
    """The conversation in which it is a new version of a message: what is there already, it may keep."""

    def may_have(self, attachment: Attachment) -> bool:
        """Whether the attachment is free for the message, or its own."""
        if not attachment.conversations:
            return True
        if self.edits_in is not None and self.edits_in in attachment.conversations:
            return True
        return self.key_hash is not None and attachment.used_under == self.key_hash


class AttachmentStore:
    """The attachments of all users; safe to use from several threads."""

    def __init__(
        self,
        *,
        tables: Tables,
        clock: Clock,
        bucket: FileBucket | None,
        policies: PolicyCache,
        quotas: Quotas,
        rates: RateLimits | None = None,
        limits: AttachmentLimits | None = None,
    ) -> None:
        """``bucket`` None: no files are taken."""
        self._tables = tables
        self._clock = clock
        self._bucket = bucket
        self._policies = policies
        self._quotas = quotas
        self._stored_bytes = StoredBytes(tables=tables, clock=clock, rates=rates)
        self._limits = limits or AttachmentLimits()

    def announce(self, caller: Caller, new: NewAttachment) -> tuple[Attachment, SignedRequest]:
        """A pending attachment, and the request that uploads its content.

        Raises:
            AttachmentsOff, AttachmentTypeNotAllowed, AttachmentTooLarge: it is not taken.
            QuotaExceeded, DailyQuotaExceeded: as many, or as much, was stored today as may be.
            AttachmentsUnavailable: the bucket is out of reach.
        """
        bucket = self._admit(caller, new)
        made = self._made(new, AttachmentState.PENDING)
        self._put(caller, made)
        try:
            return made, bucket.upload_request(
                _name(caller, made.file.id), new.media_type, new.size, UPLOAD_VALID_S
            )
        except BucketUnavailable:
            raise AttachmentsUnavailable from None

    def add(
        self, caller: Caller, new: NewAttachment, content: bytes, *, made_id: str | None = None
    ) -> Attachment:
        """A ready attachment of the content, which came with the request. Raises what `announce` raises, and:

        Raises:
            AttachmentInvalid: the content is not what it should be; nothing is stored.
        """
        bucket = self._admit(caller, new)
        if len(content) != new.size or not is_content_of(new.media_type, content):
            raise AttachmentInvalid(new.media_type)
        made = self._made(new, AttachmentState.READY, made_id)
        # The item first: what it names is found and removed, whatever happens next.
        self._put(caller, made)
        self._keep(bucket, caller, made.file, content)
        return made

    def complete(self, caller: Caller, attachment_id: str) -> Attachment:
        """The attachment after its upload was checked; a second call returns the same.

        Raises:
            AttachmentNotFound: there is none of this id.
            AttachmentNotReady: nothing was uploaded.
            AttachmentInvalid: what was uploaded is not what was announced; both are removed.
            AttachmentsUnavailable: the bucket is out of reach.
        """
        bucket, found = self._bucket_or_refuse(), self.find(caller, attachment_id)
        if found.state is AttachmentState.READY:
            return found
        try:
            content = bucket.uploaded(_name(caller, attachment_id), found.file.size + 1)
        except BucketUnavailable:
            raise AttachmentsUnavailable from None
        if content is None:
            raise AttachmentNotReady
        if len(content) != found.file.size or not is_content_of(found.file.media_type, content):
            self._forget(bucket, caller, attachment_id)
            raise AttachmentInvalid(found.file.media_type)
        self._keep(bucket, caller, found.file, content)
        with suppress(BucketUnavailable):  # else it expires
            bucket.remove_upload(_name(caller, attachment_id))
        key = keys.attachment(caller.tenant, caller.user, attachment_id)
        change = Set("state", AttachmentState.READY.value)
        try:
            return _from_item(self._table(caller).update(Update(key, (change,), (Exists("name"),))))
        except ConditionRefused:
            raise AttachmentNotFound from None

    def find(self, caller: Caller, attachment_id: str) -> Attachment:
        """The caller's attachment of this id.

        Raises:
            AttachmentNotFound: there is none.
        """
        if not is_id(attachment_id):
            raise AttachmentNotFound
        key = keys.attachment(caller.tenant, caller.user, attachment_id)
        return self._live(self._table(caller).get(key))

    def page(
        self, caller: Caller, *, limit: int, after: Position | None
    ) -> tuple[Sequence[Attachment], Position | None]:
        """The caller's attachments, newest first, and where the list goes on."""
        partition = keys.attachments(caller.tenant, caller.user)
        found: Page = self._table(caller).query(Query(partition, limit, newest_first=True, after=after))
        return [_from_item(item) for item in found.items if self._is_live(item)], found.after

    def download_url(self, caller: Caller, attachment: Attachment) -> str | None:
        """An address of the content that is valid for a quarter of an hour; None while there is no content.

        Raises:
            AttachmentsUnavailable: the bucket is out of reach.
        """
        if attachment.state is not AttachmentState.READY:
            return None
        return self.file_url(caller, attachment.file)

    def file_url(self, caller: Caller, file: AttachedFile) -> str | None:
        """The same for a file of one of the caller's messages; None where no files are kept."""
        if self._bucket is None:
            return None
        try:
            return self._bucket.download_url(
                _name(caller, file.id),
                file_name=file.name,
                media_type=file.media_type,
                valid_s=DOWNLOAD_VALID_S,
            )
        except BucketUnavailable:
            raise AttachmentsUnavailable from None

    def delete(self, caller: Caller, attachment_id: str) -> None:
        """Remove an attachment that no message was sent with.

        Raises:
            AttachmentNotFound: there is none of this id.
            AttachmentUsed: it goes with its message.
            AttachmentsUnavailable: the bucket is out of reach.
        """
        bucket, found = self._bucket_or_refuse(), self.find(caller, attachment_id)
        if found.conversations:
            raise AttachmentUsed
        self._forget(bucket, caller, attachment_id)

    def for_message(self, caller: Caller, ids: Sequence[str], use: Use) -> tuple[AttachedFile, ...]:
        """The files of these ids, for a message that is about to be sent; one request.

        Raises:
            TooManyAttachments: there are too many, or one comes twice.
            AttachmentNotFound: one is unknown, or of another user or tenant.
            AttachmentNotReady: one is not uploaded.
            AttachmentUsed: one belongs to another message.
            AttachmentsOff: no files are taken.
        """
        if not ids:
            return ()
        self._bucket_or_refuse()
        if len(ids) > self._limits.per_message or len(set(ids)) < len(ids):
            raise TooManyAttachments(self._limits.per_message)
        found = self._read(caller, ids)
        if any(each.state is not AttachmentState.READY for each in found):
            raise AttachmentNotReady
        if not all(use.may_have(each) for each in found):
            raise AttachmentUsed
        return tuple(each.file for each in found)

    def attach(
        self, incoming: IncomingMessage, ids: Sequence[str], *, edits_in: str | None = None
    ) -> IncomingMessage:
        """The message with the files of these ids; raises what `for_message` raises."""
        use = Use(incoming.key_hash(), edits_in)
        return incoming._replace(attachments=self.for_message(incoming.caller, ids, use))

    def _read(self, caller: Caller, ids: Sequence[str]) -> list[Attachment]:
        """The attachments in this order. What is sent together was made together, so that one query of the
        span between the first and the last reads little else.
        """
        if not all(map(is_id, ids)):
            raise AttachmentNotFound
        sorts = [keys.attachment(caller.tenant, caller.user, each).sort for each in ids]
        partition = keys.attachments(caller.tenant, caller.user)
        query = Query(partition, LISTED, low=min(sorts), high=max(sorts))
        items = {
            str(item["sk"]): item for page in query_pages(self._table(caller), query) for item in page.items
        }
        return [self._live(items.get(sort)) for sort in sorts]

    def require_few(self, count: int) -> None:
        """Refuse more files than a message may have.

        Raises:
            TooManyAttachments: there are more.
        """
        if count > self._limits.per_message:
            raise TooManyAttachments(self._limits.per_message)

    def _admit(self, caller: Caller, new: NewAttachment) -> FileBucket:
        bucket = self._bucket_or_refuse()
        record = self._policies.record(caller.tenant)
        own = record.policy.attachment_types
        allowed = tuple(each for each in self._limits.types if own is None or each in own)
        if record.policy.history == "off":
            raise AttachmentsOff
        if new.media_type not in allowed:
            raise AttachmentTypeNotAllowed(allowed)
        largest = min(self._limits.largest(new.media_type), record.policy.attachment_bytes or new.size)
        if new.size > largest:
            raise AttachmentTooLarge(largest)
        self._stored_bytes.require_for_copy(caller, record)
        self._quotas.take(caller, QuotaKind.ATTACHMENTS, record=record)
        self._stored_bytes.record_copy(caller, new.size)
        return bucket

    def _made(self, new: NewAttachment, state: AttachmentState, made_id: str | None = None) -> Attachment:
        now = self._clock.now()
        file = AttachedFile(
            id=made_id or _new_id(now), name=new.name, media_type=new.media_type, size=new.size
        )
        return Attachment(file, state, now, now + UNSENT_KEPT)

    def _put(self, caller: Caller, made: Attachment) -> None:
        with suppress(ConditionRefused):  # of two requests under one key, which have the same content
            self._table(caller).put(Put(_to_item(caller, made), (NotExists(),)))

    def _keep(self, bucket: FileBucket, caller: Caller, file: AttachedFile, content: bytes) -> None:
        try:
            bucket.keep(_name(caller, file.id), content, file.media_type)
        except BucketUnavailable:
            raise AttachmentsUnavailable from None

    def _forget(self, bucket: FileBucket, caller: Caller, attachment_id: str) -> None:
        try:
            bucket.remove(_name(caller, attachment_id))
        except BucketUnavailable:
            raise AttachmentsUnavailable from None
        key = keys.attachment(caller.tenant, caller.user, attachment_id)
        try:
            self._table(caller).delete(Delete(key, (NotExists(CONVERSATIONS),)))
        except ConditionRefused:
            raise AttachmentUsed from None

    def _bucket_or_refuse(self) -> FileBucket:
        if self._bucket is None:
            raise AttachmentsOff
        return self._bucket

    def _live(self, item: Item | None) -> Attachment:
        if item is None or not self._is_live(item):
            raise AttachmentNotFound
        return _from_item(item)

    def _is_live(self, item: Item) -> bool:
        # TTL removes late; a commit may have touched what was just removed.
        until = cast("int | None", item.get("expires_at"))
        return "name" in item and (until is None or until > self._clock.now().timestamp())

    def _table(self, caller: Caller) -> Table:
        return self._tables.for_tenant(caller.tenant)


def _new_id(now: datetime) -> str:
    """An id that sorts by time; nobody else's is guessed from it."""
    return f"{int(now.timestamp() * 1000):012x}{new_id()[:20]}"


def _name(caller: Caller, attachment_id: str) -> ObjectName:
    return ObjectName(caller.tenant, caller.user, attachment_id)


def _to_item(caller: Caller, made: Attachment) -> Item:
    key = keys.attachment(caller.tenant, caller.user, made.file.id)
    item: Item = {
        "pk": key.partition,
        "sk": key.sort,
        "name": made.file.name,
        "type": made.file.media_type,
        "size": made.file.size,
        "state": made.state.value,
        "at": to_text(made.created_at),
    }
    return item if made.expires_at is None else item | {"expires_at": int(made.expires_at.timestamp())}


def _from_item(item: Item) -> Attachment:
    until = cast("int | None", item.get("expires_at"))
    return Attachment(
        AttachedFile(
            id=keys.attachment_id_of(str(item["sk"])),
            name=str(item["name"]),
            media_type=str(item["type"]),
            size=cast("int", item["size"]),
        ),
        AttachmentState(str(item["state"])),
        from_text(str(item["at"])),
        None if until is None else datetime.fromtimestamp(until, from_text(str(item["at"])).tzinfo),
        cast("frozenset[str]", item.get(CONVERSATIONS, frozenset())),
        str(item.get(USED_UNDER, "")),
    )
