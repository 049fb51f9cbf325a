"""A tool that searches the caller's conversations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from conversation.messages.models import Role
from conversation.search.query import MAX_CHARACTERS
from conversation.search.reader import Period
from conversation.search.service import ConversationSearch, Hit, SearchRequest
from tools.tool import Tool, ToolAccess, ToolContext

MOST_FOUND = 10
_LONGEST_NAME = 128

Text = Annotated[
    str,
    Field(description='words that have to be in a message, "phrases" and begin*', max_length=MAX_CHARACTERS),
]
Since = Annotated[date | None, Field(description="said on this day or later, YYYY-MM-DD")]
Until = Annotated[date | None, Field(description="said on this day or earlier, YYYY-MM-DD")]
AgentName = Annotated[
    str | None, Field(description="only turns about the agent of this name", max_length=_LONGEST_NAME)
]


class FoundMessage(BaseModel):
    """An excerpt of a message that matched, or of a file that was sent with it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    conversation_id: str
    conversation: str | None
    said_at: datetime
    said_by: Role
    file: str | None
    text: str

    @classmethod
    def of(cls, hit: Hit) -> FoundMessage:
        """Converts a search hit."""
        return cls(
            conversation_id=hit.conversation.id,
            conversation=hit.conversation.title,
            said_at=hit.message.created_at,
            said_by=hit.message.role,
            file=hit.file.name if hit.file else None,
            text=hit.snippet.text,
        )


class FoundMessages(BaseModel):
    """Messages, best match first; ``more`` says whether others were left out."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    messages: tuple[FoundMessage, ...]
    more: bool


class ConversationTools:
    """The conversation tools, one method each. Each works only for the caller in its context."""

    def __init__(self, search: ConversationSearch) -> None:
        self._search = search

    def tools(self) -> Sequence[Tool]:
        """Returns all tools of this class."""
        return (Tool.of(self.search_conversations, access=ToolAccess(reads_personal=True)),)

    def search_conversations(
        self,
        context: ToolContext,
        query: Text,
        since: Since = None,
        until: Until = None,
        agent: AgentName = None,
    ) -> FoundMessages:
        """Search what the user and you said in earlier conversations: decisions, facts, names."""
        zone = ZoneInfo(context.time_zone)
        period = Period(
            datetime.combine(since, time.min, zone) if since else None,
            datetime.combine(until, time.max, zone) if until else None,
        )
        request = SearchRequest(query, period, agent)
        hits, following = self._search.search(context.caller, request, limit=MOST_FOUND)
        return FoundMessages(messages=tuple(map(FoundMessage.of, hits)), more=following is not None)
