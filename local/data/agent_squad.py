"""What agent-squad keeps in its DynamoDB table, read as conversations.

Its `DynamoDbChatStorage` has an item per user, session and agent: ``PK`` the user, ``SK`` the session and the
agent with ``#`` between, and one list of messages that is rewritten each turn until it reaches 400 KB. A
session's messages, whichever agents they went to, are one conversation here, in the order of their times.

Source: agent_squad/storage/dynamodb_chat_storage.py, versions 0.1 to 1.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from boto3.dynamodb.types import TypeDeserializer

from conversation.clock import from_millis
from conversation.export.imports import Arrivals, Arriving
from conversation.identity import TurnId, derived_id, derived_ulid
from conversation.messages.items import message_id
from conversation.messages.models import Conversation, Message, Role
from conversation.threads.titles import title_of
from conversation.tokens import TokenCounter
from local.data.import_file import Report
from storage.keys import InvalidIdentity, TenantId, parse_user

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NO_TEXT = "without text"
UNREADABLE = "not as agent-squad writes them"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class Session(NamedTuple):
    """A conversation of agent-squad's."""

    user: str
    id: str


class Said(NamedTuple):
    """One message of a session; ``agent`` is the one it went to or came from."""

    at: datetime
    role: Role
    text: str
    agent: str


@dataclass(slots=True)
class Transcript:
    """What was said in a session, in order, and how many messages can't be read, by the reason."""

    said: list[Said] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, why: str) -> None:
        """Count a message that can't be read."""
        self.left_out[why] = self.left_out.get(why, 0) + 1


class SquadTable:
    """Reads the table; a session is read whole, its table page by page."""

    def __init__(self, client: DynamoDBClient, name: str) -> None:
        self._client = client
        self.name = name
        self._deserializer = TypeDeserializer()

    def sessions(self) -> Iterator[Session | None]:
        """The users' sessions, each once; None for an item that is none of agent-squad's."""
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
                # A scan gives all of a partition before it goes on to another.
                user, seen = item["PK"]["S"], set()
            if session not in seen:
                seen.add(session)
                yield Session(user, session)

    def transcript(self, session: Session) -> Transcript:
        """What was said in the session, to any agent."""
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
        # Stable: of one moment, an agent's messages keep their order.
        transcript.said.sort(key=lambda said: said.at)
        return transcript


def import_table(table: SquadTable, *, tenant: TenantId, arrivals: Arrivals, tokens: TokenCounter) -> Report:
    """Import all sessions of the table, one after the other; nothing is written to it.

    Importing again goes on where it ended. A session that went on meanwhile is reported, and left as it is.
    """
    report = Report()
    for session in table.sessions():
        if session is None:
            report.leave_out("an item", UNREADABLE)
            continue
        what, transcript = f"user {session.user!r}, session {session.id!r}", table.transcript(session)
        for why, number in transcript.left_out.items():
            report.leave_out(f"{what}: messages", why, number)
        try:
            moved = resettled(session, transcript.said, tenant=tenant, table=table.name, tokens=tokens)
        except InvalidIdentity as invalid:
            report.leave_out(what, str(invalid))
            continue
        if moved is not None:
            said = ((message, None) for message in moved.messages)
            arrival = arrivals.take(Arriving(tenant, moved.conversation), said)
            report.count(what, arrival, moved.conversation.count)
    return report


def _read(transcript: Transcript, stored: Any, agent: str) -> None:
    """Add an item's messages; a clock that was set back must not turn them round."""
    latest: datetime | None = None
    for message in stored if isinstance(stored, list) else [stored]:
        try:
            role, at = _ROLES[message["role"]], from_millis(int(message["timestamp"]))
            text = _text(message["content"])
        except (KeyError, TypeError, ValueError, OverflowError, OSError, ArithmeticError):
            transcript.leave_out(UNREADABLE)
            continue
        if not text.strip():
            transcript.leave_out(NO_TEXT)
            continue
        latest = at if latest is None else max(at, latest)
        transcript.said.append(Said(latest, role, text, agent))


def _text(content: Any) -> str:
    """The text of a message's blocks; what tools were asked and pictures show is none."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if isinstance(block, Mapping) and "text" in block)


@dataclass(frozen=True, slots=True)
class Resettled:
    """A session as a conversation of ours."""

    conversation: Conversation
    messages: Sequence[Message]


def resettled(
    session: Session, said: Sequence[Said], *, tenant: TenantId, table: str, tokens: TokenCounter
) -> Resettled | None:
    """The session as a conversation, None when nothing was said in it. The ids follow from the session's, so
    that importing twice is importing once.

    Raises:
        InvalidIdentity: the user's name can't be one here.
    """
    user = parse_user(session.user)
    if not said:
        return None
    conversation_id = derived_id("agent-squad", tenant, table, user, session.id)
    messages = tuple(_messages(conversation_id, said, tokens))
    requests = (each.text for each in said if each.role is Role.USER)
    conversation = Conversation(
        id=conversation_id,
        user=user,
        title=title_of(next(requests, "")) or None,
        count=len(messages),
        created_at=said[0].at,
        updated_at=said[-1].at,
    )
    return Resettled(conversation, messages)


def _messages(conversation_id: str, said: Sequence[Said], tokens: TokenCounter) -> Iterator[Message]:
    for sequence, (turn_id, each) in enumerate(zip(_turns(conversation_id, said), said, strict=True), 1):
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


def _turns(conversation_id: str, said: Iterable[Said]) -> Iterator[str]:
    """The turn of each message: an answer belongs to the request right before it."""
    turn_id, earlier = "", Role.ASSISTANT
    for place, each in enumerate(said, 1):
        if not (each.role is Role.ASSISTANT and earlier is Role.USER):
            turn_id = str(TurnId(conversation_id, derived_ulid(each.at, conversation_id, str(place))))
        earlier = each.role
        yield turn_id
