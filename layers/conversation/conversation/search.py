"""Searches a user's own messages. What is deleted, expired, replaced or removed is never found: the index
only proposes, and each message is looked at as it stands now.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.models import Conversation, Message
from conversation.records import message_from_item
from conversation.repository import ConversationRepository
from conversation.search_postings import Spot, spot_of
from conversation.search_query import Clause, Wanted, parse
from conversation.search_ranking import Ranked, Ranking, ranked
from conversation.search_reading import IndexReader, Period
from conversation.search_snippets import Snippet, may_hold, snippet_of
from conversation.search_words import marker
from storage import keys
from storage.table import Table
from storage.tenant import Tables

MOST_LOOKED_AT = 500
"""Messages of one page that are read to see whether they may be shown: a page may be shorter than asked."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What to search for: words, ``"phrases"`` and ``begin*`` within a period; ``agent`` is the name or id of
    the agent a turn was about."""

    text: str
    period: Period = field(default_factory=Period)
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found."""

    message: Message
    conversation: Conversation
    snippet: Snippet
    score: float


class ConversationSearch:
    """Searches the messages of one user at a time; safe to use from several threads."""

    def __init__(self, *, tables: Tables, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._conversations = conversations

    def search(
        self, caller: Caller, sought: Sought, *, limit: int, skip: int = 0
    ) -> tuple[tuple[Hit, ...], int | None]:
        """The best hits behind so many proposals of the index, and how many to skip for the next page; None
        at the end.

        A message counts that holds all words; where none does, those that hold most of them.

        Raises:
            SearchInvalid: there is nothing to search for in the text.
        """
        wanted = parse(sought.text)
        table = self._tables.for_tenant(caller.tenant)
        reader = IndexReader(table, caller.tenant, caller.user)
        reader.open()
        most = skip + MOST_LOOKED_AT
        ranking = _ranking(reader, wanted, sought, most=most)
        look = _Look(table, caller, reader, self._conversations, wanted, sought.period)
        candidates = ranking.best[skip:most]
        unseen = iter(candidates)
        hits = tuple(islice(filter(None, map(look.at, unseen)), limit))
        place = skip + len(candidates) - sum(1 for _ in unseen)
        return hits, place if place < ranking.total else None


def _ranking(reader: IndexReader, wanted: Wanted, sought: Sought, *, most: int) -> Ranking:
    weights = [reader.weights(clause, sought.period) for clause in wanted.clauses]
    about = Clause("exact", marker(sought.agent)) if sought.agent is not None else None
    among = reader.weights(about, sought.period) if about else None
    return ranked(weights, documents=reader.documents, most=most, among=among)


@dataclass(slots=True)
class _Look:
    """Looks at what the index proposes, one message after the other."""

    table: Table
    caller: Caller
    reader: IndexReader
    conversations: ConversationRepository
    wanted: Wanted
    period: Period
    known: dict[str, Conversation | None] = field(default_factory=dict)
    shown: set[Spot] = field(default_factory=set)

    def at(self, proposal: Ranked) -> Hit | None:
        """The message as it is now; None when the caller may not find it (any more)."""
        spot = spot_of(proposal.name)
        if spot in self.shown:
            return None
        self.shown.add(spot)
        conversation_id = self.reader.conversation(spot.number)
        message = self._message(conversation_id, spot.sequence) if conversation_id else None
        if message is None or not self.period.holds(message.created_at):
            return None
        conversation = self._conversation(message.conversation_id)
        if conversation is None or not conversation.path.has(spot.sequence):
            return None
        snippet = snippet_of(message.content, self.wanted)
        if snippet is None:
            return None
        return Hit(message, conversation, snippet, round(proposal.score / 64, 3))

    def _message(self, conversation_id: str, sequence: int) -> Message | None:
        """The message, unless it can't hold what is wanted."""
        key = keys.message(self.caller.tenant, conversation_id, sequence)
        item = self.table.get(key, consistent=False)
        is_candidate = item is not None and may_hold(str(item["text"]), self.wanted)
        return message_from_item(item) if item and is_candidate else None

    def _conversation(self, conversation_id: str) -> Conversation | None:
        if conversation_id not in self.known:
            self.known[conversation_id] = self._owned(conversation_id)
        return self.known[conversation_id]

    def _owned(self, conversation_id: str) -> Conversation | None:
        try:
            return self.conversations.get(self.caller, conversation_id)
        except ConversationNotFound:
            return None
