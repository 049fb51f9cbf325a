"""Searches a user's own messages, and ranks and excerpts the hits.

Deleted, expired, replaced and removed messages are never found: the index only proposes candidates, and each
is read and checked as it is now.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.messages.attached_files import AttachedFile, file_text
from conversation.messages.items import message_from_item
from conversation.messages.models import Conversation, Message
from conversation.search.postings import MessagePosition, parse_position
from conversation.search.query import Clause, SearchQuery, parse_query
from conversation.search.reader import IndexReader, Period
from conversation.search.words import Word, marker, words
from conversation.threads.repository import ConversationRepository
from storage import keys
from storage.table import Table
from storage.tenant_table import Tables


class Candidate(NamedTuple):
    """A candidate: a message's name in the index, and its score."""

    score: float
    name: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best candidates, best first; ``total`` counts all that match."""

    best: Sequence[Candidate]
    total: int


def rank_candidates(
    weights: Sequence[Mapping[str, int]],
    *,
    documents: int,
    at_least: int,
    among: Mapping[str, int] | None = None,
) -> Ranking:
    """Rank the messages that contain all words. Of equal scores, newer messages come first.

    ``weights`` has one mapping per word, from message names to the word's weight. The result has at least
    ``at_least`` candidates if so many match. With three or more words, if no message contains all of them,
    those that contain the most count, if that is more than half. ``among`` restricts the result to its
    messages.
    """
    rarities = [_rarity(len(weight), documents) for weight in weights]
    names = _names(weights, among)
    scores = _scores(names, weights, rarities)
    if len(scores) > at_least:
        # Sorting all candidates would take longer than finding them.
        least = heapq.nlargest(at_least, scores.values())[-1]
        scores = {name: score for name, score in scores.items() if score >= least}
    # A name ends with its week and place, so of equal scores the newer message comes first.
    best = sorted(scores, key=lambda name: (scores[name], name[6:], name), reverse=True)
    return Ranking([Candidate(scores[name], name) for name in best], len(names))


def _scores(
    names: set[str], weights: Sequence[Mapping[str, int]], rarities: Sequence[float]
) -> dict[str, float]:
    if len(weights) == 1:
        [weight], [rarity] = weights, rarities
        return {name: rarity * weight[name] for name in names}
    pairs = list(zip(rarities, weights, strict=True))
    return {name: sum([rarity * weight.get(name, 0) for rarity, weight in pairs]) for name in names}


def _names(weights: Sequence[Mapping[str, int]], among: Mapping[str, int] | None) -> set[str]:
    names = _shared(weights if among is None else [*weights, among])
    if names or len(weights) < 3:
        return names
    counts = Counter(name for weight in weights for name in weight if among is None or name in among)
    most = max(counts.values(), default=0)
    return {name for name, count in counts.items() if count == most} if 2 * most > len(weights) else set()


def _shared(parts: Sequence[Mapping[str, int]]) -> set[str]:
    smallest, *others = sorted(parts, key=len)
    names = set(smallest)
    for other in others:
        names &= other.keys()
    return names


def _rarity(count: int, documents: int) -> float:
    """BM25's inverse document frequency, in the form that is never negative."""
    return math.log(1 + (max(documents, count) - count + 0.5) / (count + 0.5))


LENGTH = 240
_BEFORE = 60
_MOST_CHARACTERS = 100_000
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """An excerpt of a text, and the ranges of characters in it that match."""

    text: str
    matches: tuple[tuple[int, int], ...]


def make_snippet(text: str, query: SearchQuery) -> Snippet | None:
    """The excerpt with the most matches; None if nothing matches or a phrase is missing."""
    found = list(words(text[:_MOST_CHARACTERS]))
    phrased = [_places(found, phrase) for phrase in query.phrases]
    if not all(phrased):
        return None
    meant = {term for term in {word.term for word in found} if _is_meant(term, query)}
    matches = [word for word in found if word.term in meant]
    matches += [word for places in phrased for word in places]
    spans = sorted({(word.start, word.end) for word in matches})
    return _cut(text, spans) if spans else None


def _may_hold(text: str, query: SearchQuery) -> bool:
    """Whether the text may contain every phrase: a cheap check without splitting it into words."""
    return not text.isascii() or all(_phrase(phrase).search(text) for phrase in query.phrases)


@lru_cache(maxsize=64)
def _phrase(phrase: tuple[str, ...]) -> re.Pattern[str]:
    # Only the beginnings of words: a word may be longer than its term.
    beginnings = r"[^\W_]*+[\W_]++".join(map(re.escape, phrase))
    return re.compile(rf"(?<![^\W_]){beginnings}", re.IGNORECASE)


def _is_meant(term: str, query: SearchQuery) -> bool:
    return any(term.startswith(clause.root) and clause.matches(term) for clause in query.clauses)


def _places(found: Sequence[Word], phrase: tuple[str, ...]) -> list[Word]:
    """The words of every occurrence of the phrase."""
    terms = [word.term for word in found]
    starts = (place for place, term in enumerate(terms) if term == phrase[0])
    return [
        word
        for place in starts
        if tuple(terms[place : place + len(phrase)]) == phrase
        for word in found[place : place + len(phrase)]
    ]


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> Snippet:
    start = max(0, _best_start(spans) - _BEFORE)
    if len(text) - start < LENGTH:
        start = max(0, len(text) - LENGTH)
    start = _at_a_word(text, start)
    end = len(text) if len(text) - start <= LENGTH else _before_a_word(text, start + LENGTH)
    lead = _ELLIPSIS if start else ""
    shift = len(lead) - start
    inside = _united([(low + shift, high + shift) for low, high in spans if start <= low and high <= end])
    return Snippet(lead + text[start:end] + (_ELLIPSIS if end < len(text) else ""), inside)


def _best_start(spans: Sequence[tuple[int, int]]) -> int:
    """The start of the window that contains the most spans; of equals, the first."""
    within = LENGTH - _BEFORE
    counts = {low: sum(low <= other < low + within for other, _ in spans) for low, _ in spans[:100]}
    return max(counts, key=lambda low: (counts[low], -low), default=0)


def _at_a_word(text: str, place: int) -> int:
    if place == 0:
        return 0
    gap = text.find(" ", place, place + _BEFORE // 2)
    return gap + 1 if gap >= 0 else place


def _before_a_word(text: str, place: int) -> int:
    gap = text.rfind(" ", place - _BEFORE // 2, place)
    return gap if gap >= 0 else place


def _united(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans with overlapping ones joined, because pairs of characters overlap."""
    united: list[tuple[int, int]] = []
    for low, high in spans:
        if united and low < united[-1][1]:
            united[-1] = (united[-1][0], max(high, united[-1][1]))
        else:
            united.append((low, high))
    return tuple(united)


_MAX_CANDIDATES = 500
"""How many candidates are read and checked for one page; a page may therefore be shorter than asked for."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search: words, ``"phrases"`` and ``begin*`` within a period.

    ``agent`` restricts it to turns about the agent with this name or id.
    """

    text: str
    period: Period = field(default_factory=Period)
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that matches a search."""

    message: Message
    conversation: Conversation
    snippet: Snippet
    score: float
    file: AttachedFile | None = None
    """The file of the message that the snippet is from; None: it is from what was said."""


class UserSearch:
    """Searches by one user, which read nothing of the index twice; not to be kept."""

    def __init__(self, table: Table, caller: Caller, conversations: ConversationRepository) -> None:
        self._table, self._caller, self._conversations = table, caller, conversations

    @cached_property
    def _reader(self) -> IndexReader:
        reader = IndexReader(self._table, self._caller.tenant, self._caller.user)
        reader.load()
        return reader

    def search(
        self, request: SearchRequest, *, limit: int, skip: int = 0
    ) -> tuple[tuple[Hit, ...], int | None]:
        """As `ConversationSearch.search` for this user."""
        query = parse_query(request.text)
        most = skip + _MAX_CANDIDATES
        ranking = _ranking(self._reader, query, request, most=most)
        candidate_reader = _CandidateReader(
            self._table, self._caller, self._reader, self._conversations, query, request.period
        )
        candidates = ranking.best[skip:most]
        remaining = iter(candidates)
        hits = tuple(islice(filter(None, map(candidate_reader.read, remaining)), limit))
        place = skip + len(candidates) - sum(1 for _ in remaining)
        return hits, place if place < ranking.total else None


class ConversationSearch:
    """Searches the messages of one user at a time; safe to use from several threads."""

    def __init__(self, *, tables: Tables, conversations: ConversationRepository) -> None:
        self._tables = tables
        self._conversations = conversations

    def search(
        self, caller: Caller, request: SearchRequest, *, limit: int, skip: int = 0
    ) -> tuple[tuple[Hit, ...], int | None]:
        """The best hits after the first ``skip`` candidates, and how many to skip for the next page.

        The second value is None at the end. Hits contain all words; if no message does, those that contain
        the most (see `rank_candidates`).

        Raises:
            SearchInvalid: the text is not a valid search query.
        """
        return self.of(caller).search(request, limit=limit, skip=skip)

    def of(self, caller: Caller) -> UserSearch:
        """Several searches by one user, as the index is at the first of them."""
        return UserSearch(self._tables.for_tenant(caller.tenant), caller, self._conversations)

    def around(self, caller: Caller, message: Message, *, before: int, behind: int) -> tuple[Message, ...]:
        """Return what was said around a message of the caller's, oldest first, with the message itself; empty
        when its conversation is gone.
        """
        after = max(0, message.sequence - before - 1)
        try:
            return self._conversations.page(
                caller, message.conversation_id, limit=before + 1 + behind, after=after
            )
        except ConversationNotFound:
            return ()


def _ranking(reader: IndexReader, query: SearchQuery, request: SearchRequest, *, most: int) -> Ranking:
    weights = [reader.weights(clause, request.period) for clause in query.clauses]
    about = Clause("exact", marker(request.agent)) if request.agent is not None else None
    among = reader.weights(about, request.period) if about else None
    return rank_candidates(weights, documents=reader.documents, at_least=most, among=among)


@dataclass(slots=True)
class _CandidateReader:
    """Reads and checks the candidates of one search, one message after the other."""

    table: Table
    caller: Caller
    reader: IndexReader
    conversations: ConversationRepository
    query: SearchQuery
    period: Period
    conversations_by_id: dict[str, Conversation | None] = field(default_factory=dict)
    seen: set[MessagePosition] = field(default_factory=set)

    def read(self, proposal: Candidate) -> Hit | None:
        """The hit for a candidate as it is now; None if the caller may not find it (any more)."""
        position = parse_position(proposal.name)
        if position in self.seen:
            return None
        self.seen.add(position)
        conversation_id = self.reader.conversation_id_of(position.number)
        message = self._message(conversation_id, position.sequence) if conversation_id else None
        if message is None or not self.period.includes(message.created_at):
            return None
        conversation = self._conversation(message.conversation_id)
        if conversation is None or not conversation.path.has(position.sequence):
            return None
        score = round(proposal.score / 64, 3)
        if snippet := make_snippet(message.content, self.query):
            return Hit(message, conversation, snippet, score)
        for file in message.attachments:
            text = file_text(self.table, self.caller.tenant, message.conversation_id, file.id)
            if text and _may_hold(text, self.query) and (snippet := make_snippet(text, self.query)):
                return Hit(message, conversation, snippet, score, file)
        return None

    def _message(self, conversation_id: str, sequence: int) -> Message | None:
        """The message; None if it is gone or can't match the query."""
        key = keys.message(self.caller.tenant, conversation_id, sequence)
        item = self.table.get(key, consistent=False)
        if item is None:
            return None
        message = message_from_item(item)
        return message if message.attachments or _may_hold(message.content, self.query) else None

    def _conversation(self, conversation_id: str) -> Conversation | None:
        if conversation_id not in self.conversations_by_id:
            self.conversations_by_id[conversation_id] = self._find_own(conversation_id)
        return self.conversations_by_id[conversation_id]

    def _find_own(self, conversation_id: str) -> Conversation | None:
        try:
            return self.conversations.get(self.caller, conversation_id)
        except ConversationNotFound:
            return None
