"""Reads a user's search index: which messages contain which words.

`conversation_id_of.search.service` decides which messages may be shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from conversation.messages.attached_files import AttachedFile, file_text
from conversation.messages.models import Message
from conversation.search.index_items import (
    BODY,
    CONVERSATION,
    EVERYTHING,
    HIGHEST_LEVEL,
    Tail,
    body_prefix,
    documents_of,
    letters_of,
    messages_after,
    number_key,
    progress_from_item,
    progress_key,
    tail_from_item,
    tail_key,
)
from conversation.search.postings import find_terms, index_documents, term_weights, to_bodies
from conversation.search.query import Clause
from storage import keys
from storage.keys import TenantId
from storage.table import Query, Table

_MAX_WAITING_MESSAGES = 200
"""Messages of one conversation that are searched unindexed."""

_UNNUMBERED = 64**4 - 1
"""Conversations without a number yet get temporary ones, counted down from here; no user has that many."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period of time, both ends included; None: unbounded."""

    since: datetime | None = None
    until: datetime | None = None

    def includes(self, moment: datetime) -> bool:
        """Whether the moment is in the period."""
        is_late_enough = self.since is None or self.since <= moment
        return is_late_enough and (self.until is None or moment <= self.until)


@dataclass(slots=True)
class IndexReader:
    """One search's view of a user's index; reads nothing twice."""

    table: Table
    tenant: TenantId
    user: str
    documents: int = 0
    _bodies: dict[str, list[str]] = field(default_factory=dict)
    _conversations: dict[int, str | None] = field(default_factory=dict)

    def load(self) -> None:
        """Read what every search needs: the waiting messages and the newest segments."""
        tail = tail_from_item(self.table.get(tail_key(self.tenant, self.user), consistent=False))
        waiting = self._waiting(tail)
        self.documents = tail.documents
        self._bodies[body_prefix(0, "")] = [*self._read(body_prefix(0, "")), *waiting]

    def weights(self, clause: Clause, period: Period) -> Mapping[str, int]:
        """The weight of the clause in each message of the period's weeks, by the message's name."""
        found = (
            each
            for level in range(HIGHEST_LEVEL + 1)
            for body in self._bodies_of(body_prefix(level, letters_of(clause.root, level)))
            for each in find_terms(body, clause.root, clause.matches)
        )
        return term_weights(found, since=period.since, until=period.until)

    def conversation_id_of(self, number: int) -> str | None:
        """The conversation id of a number; None if the conversation is gone."""
        if number not in self._conversations:
            item = self.table.get(number_key(self.tenant, self.user, number), consistent=False)
            self._conversations[number] = str(item[CONVERSATION]) if item else None
        return self._conversations[number]

    def _bodies_of(self, prefix: str) -> list[str]:
        if prefix not in self._bodies:
            self._bodies[prefix] = self._read(prefix)
        return self._bodies[prefix]

    def _read(self, prefix: str) -> list[str]:
        partition = keys.search(self.tenant, self.user)
        query = Query(partition, limit=EVERYTHING, prefix=prefix, consistent=False)
        return [str(item[BODY]) for item in self.table.query(query).items]

    def _waiting(self, tail: Tail) -> list[str]:
        """Bodies of the messages that wait, as if they were indexed."""
        documents = []
        for place, conversation_id in enumerate(sorted(tail.waiting)):
            key = progress_key(self.tenant, self.user, conversation_id)
            progress = progress_from_item(self.table.get(key, consistent=False))
            number = _UNNUMBERED - place if progress.number is None else progress.number
            self._conversations[number] = conversation_id
            messages = messages_after(
                self.table, self.tenant, conversation_id, progress.upto, limit=_MAX_WAITING_MESSAGES
            )
            documents += documents_of(messages, number, self._kept_text)
        return list(to_bodies(index_documents(documents), max_characters=EVERYTHING))

    def _kept_text(self, message: Message, file: AttachedFile) -> str:
        """The text of a file; empty as long as it is not read."""
        return file_text(self.table, self.tenant, message.conversation_id, file.id) or ""
