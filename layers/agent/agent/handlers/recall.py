"""Answers about what was said before, from the user's own messages: quoted and dated, never paraphrased."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time
from typing import Protocol
from zoneinfo import ZoneInfo

from agent.handler_interface import HandlerReply, TurnRequest
from agent.requested_entities import RequestedEntities
from conversation.identity import Caller
from conversation.messages.models import Message, Note, Reference, Role
from conversation.search.query import SearchInvalid
from conversation.search.reader import Period
from conversation.search.service import Hit, SearchRequest
from intent.dates.past_periods import PastPeriod, find_past_period
from intent.offline.recall_questions import OPERATION, RecallQuestion, parse_recall_question

SHOWN = 5
_LOOKED_AT = 20
_UNTITLED = "an untitled conversation"


class Searcher(Protocol):
    """Finds a caller's own messages (`conversation.search.service`)."""

    def search(
        self, caller: Caller, sought: SearchRequest, *, limit: int, skip: int = 0
    ) -> tuple[tuple[Hit, ...], int | None]:
        """The best hits, and how many to skip for the next page; None at the end."""


class RecallHandler:
    """Answers questions about earlier messages; safe to use from several threads."""

    def __init__(self, search: Searcher) -> None:
        self.search = search

    def answer(self, turn: TurnRequest, recall: RecallQuestion) -> HandlerReply:
        """What was said about the subject in the named days, or else at any other time."""
        past = recall.past
        hits = self._found(turn, recall, past)
        if hits or past is None:
            return _reply_with(turn, recall, hits, when=_when(past))
        earlier = self._found(turn, recall, None)
        return _reply_with(turn, recall, earlier, when="", missed=_when(past))

    def answer_request(self, turn: TurnRequest, wish: RequestedEntities) -> HandlerReply | None:
        """The same for a request that a model understood; None when it names no subject."""
        subject = wish.subject()
        if subject is None:
            return None
        return self.answer(turn, RecallQuestion(subject, "", find_past_period(wish.period or "", turn.today)))

    def _found(self, turn: TurnRequest, recall: RecallQuestion, past: PastPeriod | None) -> Sequence[Hit]:
        """The hits for the subject in the days; a search for verb and subject, as in "decide", goes first."""
        period = _period(past, _zone(turn))
        for text in dict.fromkeys((f"{recall.verb} {recall.subject}".strip(), recall.subject or recall.verb)):
            try:
                hits, _ = self.search.search(turn.caller, SearchRequest(text[:500], period), limit=_LOOKED_AT)
            except SearchInvalid:
                continue
            if relevant := [hit for hit in hits if not _only_asks(hit.message)]:
                return relevant[:SHOWN]
        return ()


def _only_asks(message: Message) -> bool:
    """Whether the message is an earlier question of this kind, or the answer to one."""
    if message.role is Role.USER:
        return parse_recall_question(message.content, message.created_at.date()) is not None
    used = message.metadata.get("tool_calls")
    return isinstance(used, list) and any(
        isinstance(each, dict) and each.get("name") == OPERATION for each in used
    )


def _reply_with(
    turn: TurnRequest, recall: RecallQuestion, hits: Sequence[Hit], *, when: str, missed: str = ""
) -> HandlerReply:
    about = f" about “{recall.subject}”" if recall.subject else ""
    if not hits:
        return HandlerReply(
            f"I found nothing{about} in your conversations{when or missed}.", used_tools=(OPERATION,)
        )
    lead = f"Nothing{missed}, but this was said{about}:" if missed else f"This was said{about}{when}:"
    lines = [f"{place}. {_line(hit, _zone(turn))}" for place, hit in enumerate(hits, 1)]
    return HandlerReply("\n".join([lead, *lines]), Note(listed=_conversations(hits)), used_tools=(OPERATION,))


def _line(hit: Hit, zone: ZoneInfo) -> str:
    said_at = hit.message.created_at.astimezone(zone)
    who = "you" if hit.message.role is Role.USER else "I"
    title = f"“{hit.conversation.title}”" if hit.conversation.title else _UNTITLED
    return (
        f"{said_at:%a} {said_at.day} {said_at:%b %Y}, {who}, in {title}: {' '.join(hit.snippet.text.split())}"
    )


def _conversations(hits: Sequence[Hit]) -> tuple[Reference, ...]:
    found = {hit.conversation.id: hit.conversation for hit in hits}.values()
    return tuple(Reference(kind="conversation", id=each.id, name=each.title or _UNTITLED) for each in found)


def _period(past: PastPeriod | None, zone: ZoneInfo) -> Period:
    if past is None:
        return Period()
    return Period(datetime.combine(past.first, time.min, zone), datetime.combine(past.last, time.max, zone))


def _when(past: PastPeriod | None) -> str:
    """`` on 3 March 2026``, `` from 16 to 22 March 2026``."""
    if past is None:
        return ""
    last = f"{past.last.day} {past.last:%B %Y}"
    if past.first == past.last:
        return f" on {last}"
    begins = f"{past.first.day}"
    if (past.first.year, past.first.month) != (past.last.year, past.last.month):
        begins += f" {past.first:%B}" + (f" {past.first.year}" if past.first.year != past.last.year else "")
    return f" from {begins} to {last}"


def _zone(turn: TurnRequest) -> ZoneInfo:
    return ZoneInfo(turn.situation.time_zone)
