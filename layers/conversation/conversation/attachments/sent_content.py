"""Stores files whose content came with a message, as clients of other protocols send them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from pydantic import JsonValue

from conversation.attachments.errors import AttachmentNotFound
from conversation.identity import Caller, derived_id

if TYPE_CHECKING:
    from conversation.attachments.store import AttachmentStore


class Sent(Protocol):
    """A file that came with a message: `edge.wires.sent_files.SentFile`."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def media_type(self) -> str:
        """What its sender says it is."""

    @property
    def content(self) -> bytes:
        """Its bytes; empty for an attachment."""

    @property
    def attachment_id(self) -> str | None:
        """The attachment that it is; None: its content came along."""

    @property
    def digest(self) -> str:
        """What tells it from any other file."""


def add_sent(
    store: AttachmentStore, caller: Caller, files: Sequence[Sent], key: str | None
) -> list[JsonValue]:
    """The parts of a message for its files. Repeated under its ``key``, it has the same ones.

    Raises:
        TooManyAttachments: nothing is stored.
        DomainError: as for `AttachmentStore.add`.
    """
    store.require_few(len(files))
    return [
        {"id": each.attachment_id or _added_once(store, caller, each, key, place)}
        for place, each in enumerate(files)
    ]


def _added_once(store: AttachmentStore, caller: Caller, sent: Sent, key: str | None, place: int) -> str:
    from conversation.attachments.store import NewAttachment

    new = NewAttachment(sent.name, sent.media_type, len(sent.content))
    if key is None:
        return store.add(caller, new, sent.content).file.id
    made_id = derived_id("sent file", caller.tenant, caller.user, key, str(place), sent.digest)
    with suppress(AttachmentNotFound):
        return store.find(caller, made_id).file.id
    return store.add(caller, new, sent.content, made_id=made_id).file.id
