"""What a document of an export has to be besides its schema, before it may come in. Pure."""

from __future__ import annotations

import json
from itertools import count

from conversation.document import ConversationRecord, Document, MessageRecord
from conversation.identity import TurnId, is_id
from conversation.models import MAX_METADATA_BYTES
from conversation.paths import MAX_SEGMENTS, Path, Segment, segments_of
from conversation.records import MAX_STORED_BYTES, message_id, message_to_item
from storage.keys import TenantId
from storage.sizes import item_bytes
from storage.table import MAX_ITEM_BYTES


class Unfit(ValueError):
    """What is wrong with a document; quotes nothing that was said in it."""


def check_document(document: Document, tenant: TenantId, user: str) -> None:
    """Nothing, for a document of this user's that fits together.

    Raises:
        Unfit: otherwise.
    """
    if document.tenant != tenant:
        raise Unfit("it belongs to another tenant")
    if document.user != user:
        raise Unfit("it belongs to another user")
    record, messages = document.conversation, document.messages
    _check_conversation(record)
    begin = messages[0].sequence if messages else 1
    for place, message in zip(count(begin), messages, strict=False):
        if message.sequence != place:
            raise Unfit(f"message {message.sequence} stands where {place} belongs")
        _check_message(message, record, tenant)
    if document.complete != (begin + len(messages) - 1 == record.message_count):
        raise Unfit("it is complete when it has the last message, and only then")


def _check_conversation(record: ConversationRecord) -> None:
    if not is_id(record.id) or not (record.forked_from is None or is_id(record.forked_from)):
        raise Unfit("conversation ids are 32 hexadecimal digits")
    if len(json.dumps(record.metadata, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise Unfit(f"a conversation's metadata may have {MAX_METADATA_BYTES} bytes")
    if record.path is None:
        return
    path = Path.parse(record.path)
    in_order = _is_in_order(path.closed, path.start - 1)
    if not in_order or path.start > record.message_count + 1 or len(path.closed) > MAX_SEGMENTS:
        raise Unfit("the path leads out of the conversation")


def _check_message(message: MessageRecord, record: ConversationRecord, tenant: TenantId) -> None:
    place, turn = f"message {message.sequence}", TurnId.parse(message.turn_id)
    if turn is None or turn.conversation_id != record.id:
        raise Unfit(f"{place}: its turn is none of the conversation")
    if message.id != message_id(message.turn_id, message.role, message.sequence):
        raise Unfit(f"{place}: its id does not follow from its turn, role and place")
    others = (message.sequence, *message.versions, *([message.root] if message.root else ()))
    left = segments_of(message.left or "")
    if max(others) > record.message_count or not _is_in_order(left, record.message_count):
        raise Unfit(f"{place}: it names messages that the conversation does not have")
    if len(message.content.encode()) > MAX_STORED_BYTES:
        raise Unfit(f"{place}: longer than {MAX_STORED_BYTES} bytes")
    if item_bytes(message_to_item(tenant, message.message(record.id))) > MAX_ITEM_BYTES:
        raise Unfit(f"{place}: larger than {MAX_ITEM_BYTES} bytes with what belongs to it")


def _is_in_order(segments: tuple[Segment, ...], last: int) -> bool:
    """Whether the segments come one behind the other up to a last place."""
    end = 0
    for low, high in segments:
        if not end < low <= high:
            return False
        end = high
    return end <= last
