"""A conversation as Markdown, for people to read. Pure.

It shows what a reader of the conversation sees: active messages only, and none that was deleted.
"""

from __future__ import annotations

from datetime import UTC, datetime

from conversation.document import ConversationRecord, Document, MessageRecord
from conversation.models import Role
from conversation.paths import Path

UNTITLED = "Conversation"
_SPEAKERS = {Role.USER: "You", Role.ASSISTANT: "Assistant", Role.SYSTEM: "System"}
_RATINGS = {"up": "👍", "down": "👎"}


def to_markdown(document: Document) -> str:
    """The document as text that ends with an empty line; the heading stands where the conversation begins."""
    path = Path.parse(document.conversation.path)
    begins = not document.messages or document.messages[0].sequence == 1
    shown = [each for each in document.messages if path.has(each.sequence) and not each.deleted]
    parts = [_heading(document.conversation)] if begins else []
    return "".join(f"{part}\n\n" for part in [*parts, *map(_message, shown)])


def _heading(record: ConversationRecord) -> str:
    title = " ".join((record.title or UNTITLED).split())
    return f"# {title}\n\nBegun {_time(record.created_at)}, last changed {_time(record.updated_at)}"


def _message(message: MessageRecord) -> str:
    spoken = f"**{_SPEAKERS[message.role]}** · {_time(message.created_at)}\n\n{message.content.strip()}"
    return spoken if message.feedback is None else f"{spoken}\n\n{_opinion(message)}"


def _opinion(message: MessageRecord) -> str:
    feedback = message.feedback
    if feedback is None:
        return ""
    said = [text for text in (feedback.correction, feedback.comment) if text]
    return " ".join(["> " + _RATINGS[feedback.rating], *(" ".join(text.split()) for text in said)])


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
