"""Messages of this conversation and earlier ones that may hold an answer, and on which day they were said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Message
from conversation.search.query import SearchInvalid
from conversation.search.reader import Period
from conversation.search.service import SearchRequest
from conversation.search.words import words
from intent.dates.past_periods import PastPeriod

_HITS, _MOST_SEARCHES, _SHORT = 20, 3, 3
_MOST_READ = 2
"""Of how many other conversations the messages around the best hit are read."""
_BEFORE, _BEHIND = 2, 8


def earlier_messages(
    occasion: Occasion, terms: Sequence[str], past: PastPeriod | None, asked: str = ""
) -> list[Message]:
    """Return messages of this conversation and earlier ones that may answer, the newest last.

    ``asked`` is the question, where it is not the act's own words.
    """
    found = {message.id: message for message in occasion.turn.situation.history}
    for message in _searched(occasion, asked or occasion.words, terms, past):
        found.setdefault(message.id, message)
    return sorted(found.values(), key=lambda message: (message.created_at, message.sequence))


def _searched(
    occasion: Occasion, asked: str, terms: Sequence[str], past: PastPeriod | None
) -> Iterator[Message]:
    known = {part for term in terms for part in term.split()}  # of ``table 6`` both
    plain = [word.term for word in words(asked) if root(word.term) in known]
    by_length = sorted(plain, key=len, reverse=True)
    begun = [f"{root(word)}*" for word in by_length[:1] if root(word) != word and len(root(word)) > _SHORT]
    whole = " ".join(dict.fromkeys(plain))
    queries = list(dict.fromkeys([whole, *by_length[:1], *begun, *by_length[1:]]))[:_MOST_SEARCHES]
    caller, search = occasion.turn.caller, occasion.search()
    own = search.of(caller)
    known = {message.conversation_id for message in occasion.turn.situation.history}
    for query in filter(None, queries):
        for period in dict.fromkeys((_period(past, occasion), Period())):
            try:
                hits, _ = own.search(SearchRequest(query[:500], period), limit=_HITS)
            except SearchInvalid:
                continue
            for hit in hits:
                yield hit.message
                if hit.message.conversation_id not in known and len(known) <= _MOST_READ:
                    known.add(hit.message.conversation_id)
                    yield from search.around(caller, hit.message, before=_BEFORE, behind=_BEHIND)
            if hits:
                break


def _period(past: PastPeriod | None, occasion: Occasion) -> Period:
    if past is None:
        return Period()
    zone = ZoneInfo(occasion.turn.situation.time_zone)
    return Period(datetime.combine(past.first, time.min, zone), datetime.combine(past.last, time.max, zone))


def day_of(said_at: datetime, occasion: Occasion) -> str:
    """Return when something was said: ``today``, ``yesterday``, ``on Monday``, ``on March 3``."""
    zone = ZoneInfo(occasion.turn.situation.time_zone)
    said, today = said_at.astimezone(zone).date(), occasion.turn.today
    return _day(said, today)


def _day(said: date, today: date) -> str:
    ago = (today - said).days
    if ago <= 1:
        return "yesterday" if ago == 1 else "today"
    if ago < 7:
        return f"on {said:%A}"
    year = f", {said.year}" if said.year != today.year else ""
    return f"on {said:%B} {said.day}{year}"
