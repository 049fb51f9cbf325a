"""Import of the DynamoDB table in which the library agent-squad stores its chats.

Its `DynamoDbChatStorage` has one item per user, session and agent. ``PK`` is the user, ``SK`` is
``<session>#<agent>``. The item holds one list of messages, which is rewritten each turn until it reaches
400 KB. The messages of a session become one conversation here, across all its agents, ordered by timestamp.

Source: agent_squad/storage/dynamodb_chat_storage.py, versions 0.1 to 1.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from boto3.dynamodb.types import TypeDeserializer

from conversation.clock import from_millis
from conversation.export.imports import ConversationImporter, ConversationToImport
from conversation.identity import TurnId, derived_id, derived_ulid
from conversation.messages.items import message_id
from conversation.messages.models import Conversation, Message, Role
from conversation.threads.titles import title_of
from conversation.token_counts import TokenCounter
from local.data.import_export_file import ImportReport
from storage.keys import InvalidIdentity, TenantId, parse_user

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NO_TEXT = "without text"
UNREADABLE = "not as agent-squad writes them"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class SquadSession(NamedTuple):
    """A session in agent-squad's table."""

    user: str
    id: str


class SquadMessage(NamedTuple):
    """One message of a session; ``agent`` is its recipient or its author."""

    at: datetime
    role: Role
    text: str
    agent: str


@dataclass(slots=True)
class Transcript:
    """The messages of a session in order, and the number of skipped messages by reason."""

    messages: list[SquadMessage] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)

    def skip(self, why: str) -> None:
        """Count a message that can't be read."""
        self.skipped[why] = self.skipped.get(why, 0) + 1


class SquadTable:
    """A reader of the table. It scans the table page by page and loads one session at a time."""

    def __init__(self, client: DynamoDBClient, name: str) -> None:
        self._client = client
        self.name = name
        self._deserializer = TypeDeserializer()

    def sessions(self) -> Iterator[SquadSession | None]:
        """Yield each session once, and None for each item that agent-squad did not write."""
        user, seen = "", set[str]()
        pages = self._client.get_paginator("scan").paginate(
            TableName=self.name, ProjectionExpression="PK, SK"
        )
        for item in (item for page in pages for item in page["Items"]):
            session, parted, _ = item.get("SK", {}).get("S", "").rpartition("#")
            if "S" not in item.get("PK", {}) or not parted:
                yield None
                continue
            if item["PK"]["S"] != user:
                # A scan returns all items of a partition before it goes to the next one.
                user, seen = item["PK"]["S"], set()
            if session not in seen:
                seen.add(session)
                yield SquadSession(user, session)

    def transcript(self, session: SquadSession) -> Transcript:
        """Return the session's messages to and from all agents."""
        transcript = Transcript()
        pages = self._client.get_paginator("query").paginate(
            TableName=self.name,
            KeyConditionExpression="PK = :user AND begins_with(SK, :session)",
            ExpressionAttributeValues={":user": {"S": session.user}, ":session": {"S": f"{session.id}#"}},
        )
        for item in (item for page in pages for item in page["Items"]):
            of_session, _, agent = item["SK"]["S"].rpartition("#")
            if of_session == session.id:
                stored = self._deserializer.deserialize(item.get("conversation", {"L": []}))
                _read(transcript, stored, agent)
        # The sort is stable: an agent's messages with equal timestamps keep their order.
        transcript.messages.sort(key=lambda message: message.at)
        return transcript


def import_table(
    table: SquadTable, *, tenant: TenantId, arrivals: ConversationImporter, tokens: TokenCounter
) -> ImportReport:
    """Import all sessions of the table, one after the other. The table itself is only read.

    A second import continues where the first one stopped. It reports sessions that have new messages since
    then and leaves their conversations unchanged.
    """
    report = ImportReport()
    for session in table.sessions():
        if session is None:
            report.skip("an item", UNREADABLE)
            continue
        what, transcript = f"user {session.user!r}, session {session.id!r}", table.transcript(session)
        for why, number in transcript.skipped.items():
            report.skip(f"{what}: messages", why, number)
        try:
            moved = _convert_session(
                session, transcript.messages, tenant=tenant, table=table.name, tokens=tokens
            )
        except InvalidIdentity as invalid:
            report.skip(what, str(invalid))
            continue
        if moved is not None:
            messages = ((message, None) for message in moved.messages)
            arrival = arrivals.import_conversation(ConversationToImport(tenant, moved.conversation), messages)
            report.record_outcome(what, arrival, moved.conversation.count)
    return report


def _read(transcript: Transcript, stored: Any, agent: str) -> None:
    """Add an item's messages in their stored order, even when their timestamps go backwards."""
    latest: datetime | None = None
    for message in stored if isinstance(stored, list) else [stored]:
        try:
            role, at = _ROLES[message["role"]], from_millis(int(message["timestamp"]))
            text = _text(message["content"])
        except (KeyError, TypeError, ValueError, OverflowError, OSError, ArithmeticError):
            transcript.skip(UNREADABLE)
            continue
        if not text.strip():
            transcript.skip(NO_TEXT)
            continue
        latest = at if latest is None else max(at, latest)
        transcript.messages.append(SquadMessage(latest, role, text, agent))


def _text(content: Any) -> str:
    """The text blocks of a message, joined. Tool calls and images contribute nothing."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if isinstance(block, Mapping) and "text" in block)


@dataclass(frozen=True, slots=True)
class ConvertedSession:
    """A session converted to our conversation and messages."""

    conversation: Conversation
    messages: Sequence[Message]


def _convert_session(
    session: SquadSession,
    messages: Sequence[SquadMessage],
    *,
    tenant: TenantId,
    table: str,
    tokens: TokenCounter,
) -> ConvertedSession | None:
    """Return the session as a conversation, or None when it has no messages.

    The ids are derived from the session's, which makes the import idempotent.

    Raises:
        InvalidIdentity: the user's name is not valid here.
    """
    user = parse_user(session.user)
    if not messages:
        return None
    conversation_id = derived_id("agent-squad", tenant, table, user, session.id)
    converted = tuple(_messages(conversation_id, messages, tokens))
    requests = (each.text for each in messages if each.role is Role.USER)
    conversation = Conversation(
        id=conversation_id,
        user=user,
        title=title_of(next(requests, "")) or None,
        count=len(messages),
        created_at=messages[0].at,
        updated_at=messages[-1].at,
    )
    return ConvertedSession(conversation, converted)


def _messages(
    conversation_id: str, messages: Sequence[SquadMessage], tokens: TokenCounter
) -> Iterator[Message]:
    for sequence, (turn_id, each) in enumerate(
        zip(_turns(conversation_id, messages), messages, strict=True), 1
    ):
        yield Message(
            id=message_id(turn_id, each.role, sequence),
            conversation_id=conversation_id,
            sequence=sequence,
            role=each.role,
            content=each.text,
            created_at=each.at,
            turn_id=turn_id,
            tokens=tokens.count(f"{each.role}: {each.text}"),
            metadata={"agent": each.agent} if each.role is Role.ASSISTANT else {},
        )


def _turns(conversation_id: str, messages: Iterable[SquadMessage]) -> Iterator[str]:
    """Yield the turn id of each message: a reply shares the turn of the request directly before it."""
    turn_id, earlier = "", Role.ASSISTANT
    for place, each in enumerate(messages, 1):
        if not (each.role is Role.ASSISTANT and earlier is Role.USER):
            turn_id = str(TurnId(conversation_id, derived_ulid(each.at, conversation_id, str(place))))
        earlier = each.role
        yield turn_id
