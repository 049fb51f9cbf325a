"""The files of a message as values, how they are stored with it, and the writes that tie them to it.

Their bytes and their checks are the subject of `conversation.attachments`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from pydantic import BaseModel, ConfigDict, Field

from storage import keys
from storage.keys import TenantId
from storage.table import Include, Put, Remove, Set, Table, Update, Value

CONVERSATIONS = "in"
"""On an attachment: the conversations with a message that has it."""
USED_UNDER = "used"
"""On an attachment: the Idempotency-Key of the message that was sent with it, hashed, or its turn."""
TEXT = "text"
"""On the text of a file."""


class AttachedFile(BaseModel):
    """A file that was sent with a message."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    name: str = Field(description="as its user named it, for people")
    media_type: str = Field(description="as its content shows: `image/png`, `application/pdf`, …")
    size: int = Field(description="in bytes")


def files_to_value(files: Iterable[AttachedFile]) -> list[Value] | None:
    """The files as an attribute of an item; None without any, to save space."""
    return [{"i": each.id, "n": each.name, "t": each.media_type, "s": each.size} for each in files] or None


def files_from_value(value: Value) -> tuple[AttachedFile, ...]:
    """The files from which `files_to_value` made the value."""
    listed = cast("Sequence[Mapping[str, Value]]", value or ())
    return tuple(
        AttachedFile(
            id=str(each["i"]), name=str(each["n"]), media_type=str(each["t"]), size=cast("int", each["s"])
        )
        for each in listed
    )


def attach_writes(
    tenant: TenantId, user: str, conversation_id: str, files: Iterable[AttachedFile], *, used_under: str = ""
) -> Iterator[Put | Update]:
    """The writes that keep the files for as long as the conversation. They belong into the transaction that
    stores the message, and are never refused.

    ``used_under``: by what a repeated request shows that it is the one that used them; empty: it is a copy.
    """
    for each in files:
        place = keys.attached(tenant, conversation_id, each.id)
        yield Put({"pk": place.partition, "sk": place.sort, "user": user, "type": each.media_type})
        used = (Set(USED_UNDER, used_under),) if used_under else ()
        changes = (Include(CONVERSATIONS, frozenset({conversation_id})), Remove("expires_at"), *used)
        yield Update(keys.attachment(tenant, user, each.id), changes)


def file_text(table: Table, tenant: TenantId, conversation_id: str, file_id: str) -> str | None:
    """The text of a file, as `conversation.attachments.file_texts` keeps it; None: it is not read yet."""
    item = table.get(keys.file_text(tenant, conversation_id, file_id), consistent=False)
    return None if item is None else str(item[TEXT])
