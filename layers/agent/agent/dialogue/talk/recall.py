"""Answers about what was said before: the user's own sentence in quotes, or what was done, dated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.talk import sums, texts
from agent.dialogue.talk.occasion import Occasion
from conversation.messages.models import Message, Role
from conversation.search.query import SearchInvalid
from conversation.search.reader import Period
from conversation.search.service import SearchRequest
from conversation.search.words import COMMON, stem, words
from intent.dates.past_periods import PastPeriod, find_past_period

_TOOL = "search_conversations"
_HITS, _MOST_SEARCHES, _MOST_DEEDS = 20, 3, 3
_LONGEST_QUOTE, _WHOLE, _LONGEST_TOPIC = 200, 120, 6
_WEAK_WEIGHT = 0.3
_GENERIC = frozenset(
    stem(word)
    for word in "code price rate charge cost password pin colour color size limit rule plan address"
    " email new old"
    " nice good man woman lady guy person place channel table contact".split()
)
"""Words that say what kind of thing is asked for: many sentences have them."""
_BY_KIND = 0.55
"""The score of a sentence that has the kind of thing wanted, when the question says nothing more."""
_CERTAIN, _SURE, _WORTH_SHOWING = 0.99, 0.5, 0.2
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_SAYING = frozenset(
    stem(word)
    for word in "say said tell told mention mentioned remember remind recall give gave state agree"
    " agreed discuss discussed decide decided note write wrote talk talked speak spoke"
    " saying telling share call called".split()
)
_DOING = frozenset(
    "do did done change changed set pause paused delete deleted make made create created".split()
)
_FILLERS = frozenset(
    stem(word)
    for word in "ever again please hello hi hey thing stuff anything something exactly already name"
    " names number day days date time many much long kind sort which who earlier back yet"
    " just last week month year yesterday today ago know need want wait also till monday"
    " tuesday wednesday thursday friday saturday sunday spring summer autumn winter bit ok"
    " right once didn".split()
)
_ASKING = frozenset(
    "what what's whats which who whose when where how why did do remind was can could is are have".split()
)
_WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays"
    " saturdays sundays today tomorrow easter christmas january february march april may june july august"
    " september october november december".split()
)
_TOPIC_LEADS = frozenset(
    "a an about of that you me we i us for on to with the ever is was were had have again u"
    " it as our by did do"
    " your what and which once some weeks back last week ago quote anything something i've i'd we'd remember"
    " remind who".split()
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence that may answer, how well it fits (0 to 1), and when it was said."""

    sentence: str
    score: float
    said_at: datetime


def answer(occasion: Occasion) -> Result:
    """Quote what the user said about the subject, or say what was done about it."""
    if (summed := sums.earlier(occasion)) is not None:
        return summed
    asked = _question(occasion)
    past = find_past_period(asked.lower(), occasion.turn.today)
    terms = _terms(asked)
    messages = _messages(occasion, terms, past)
    if asks_for_deeds(asked) and (done := _deeds(occasion, messages, terms, past)) is not None:
        return done
    found = _ranked(messages, asked)
    topic = _topic(asked)
    if not found or found[0].score < _WORTH_SHOWING:
        return Result(texts.nothing_told(topic), tool=_TOOL, lacks_answer=True)
    if found[0].score < _SURE:
        when = _when(found[0].said_at, occasion)
        return Result(texts.nearest_told(topic, when, found[0].sentence), tool=_TOOL)
    return _told(occasion, found)


def quoted(occasion: Occasion) -> Result | None:
    """Return what the user said about the subject; None when nothing surely fits."""
    found = _ranked(_messages(occasion, _terms(occasion.words), None), occasion.words)
    return _told(occasion, found) if found and found[0].score >= _SURE else None


def names_subject(question: str) -> bool:
    """Return whether a question says what it is about: not so ``did I say?``"""
    return bool(_terms(question) or _wanted(question))


def _question(occasion: Occasion) -> str:
    return occasion.words if names_subject(occasion.words) else occasion.turn.message


def _ranked(messages: Iterable[Message], question: str) -> list[_Found]:
    """Return the user's sentences, those that fit best first; of equal ones the newest."""
    found = _candidates(messages, question)
    return sorted(found, key=lambda one: (one.score, one.said_at), reverse=True)


def _told(occasion: Occasion, found: Sequence[_Found]) -> Result:
    best = found[0]
    when = _when(best.said_at, occasion)
    lines = [texts.told(when, best.sentence)]
    second = next((one for one in found[1:] if one.score >= _CERTAIN and one.said_at < best.said_at), None)
    if second is not None and len(second.sentence.split()) <= 20:
        lines.append(texts.told_more(_when(second.said_at, occasion), second.sentence))
    return Result("\n".join(lines), tool=_TOOL)


def _terms(text: str) -> tuple[str, ...]:
    """Return the stems of the words that say what is asked about."""
    found = (stem(word.term) for word in words(text) if word.term not in COMMON)
    return tuple(dict.fromkeys(term for term in found if term not in _SAYING | _FILLERS and len(term) > 1))


def _messages(occasion: Occasion, terms: Sequence[str], past: PastPeriod | None) -> list[Message]:
    """Return messages of this conversation and earlier ones that may answer, the newest last."""
    found = {message.id: message for message in occasion.turn.situation.history}
    for message in _searched(occasion, terms, past):
        found.setdefault(message.id, message)
    return sorted(found.values(), key=lambda message: message.created_at)


def _searched(occasion: Occasion, terms: Sequence[str], past: PastPeriod | None) -> Iterator[Message]:
    plain = [word.term for word in words(occasion.words) if stem(word.term) in terms]
    by_length = sorted(plain, key=len, reverse=True)
    queries = list(dict.fromkeys([" ".join(dict.fromkeys(plain)), *by_length]))[:_MOST_SEARCHES]
    caller, search = occasion.turn.caller, occasion.search()
    for query in filter(None, queries):
        for period in dict.fromkeys((_period(past, occasion), Period())):
            try:
                hits, _ = search.search(caller, SearchRequest(query[:500], period), limit=_HITS)
            except SearchInvalid:
                continue
            yield from (hit.message for hit in hits)
            if hits:
                break


def _period(past: PastPeriod | None, occasion: Occasion) -> Period:
    if past is None:
        return Period()
    zone = ZoneInfo(occasion.turn.situation.time_zone)
    return Period(datetime.combine(past.first, time.min, zone), datetime.combine(past.last, time.max, zone))


def _candidates(messages: Iterable[Message], question: str) -> Iterator[_Found]:
    terms, wanted = _terms(question), _wanted(question)
    for message in messages:
        if message.role is not Role.USER or message.deleted:
            continue
        for sentence in _statements(message.content):
            score = _score(sentence, terms, wanted)
            quote = (
                message.content if len(message.content) <= _WHOLE and "?" not in message.content else sentence
            )
            yield _Found(_shortened(quote), score, message.created_at)


def _statements(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        first = next((word.term for word in words(sentence)), "")
        if first and not sentence.rstrip().endswith("?") and first not in _ASKING:
            yield sentence.strip()


def _score(sentence: str, terms: Sequence[str], wanted: str) -> float:
    """Return how well a sentence answers: the share of the words asked about, and whether it has the kind of
    thing that is wanted.
    """
    has = {stem(word.term) for word in words(sentence)}
    weights = {term: _WEAK_WEIGHT if term in _GENERIC else 1.0 for term in terms}
    shared = sum(weight for term, weight in weights.items() if any(_is_alike(term, one) for one in has))
    fits = _has_wanted(sentence, wanted)
    if not terms:
        return _BY_KIND if wanted and fits else 0.0
    share = shared / sum(weights.values())
    if not share:
        is_open = all(weight < 1 for weight in weights.values())
        return _BY_KIND if is_open and wanted in {"#", "@"} and fits else 0.0
    return min(1.0, share + (0.15 if fits else -0.1) if wanted else share)


def _is_alike(term: str, other: str) -> bool:
    if term == other:
        return True
    shortest = min(len(term), len(other))
    return shortest >= 5 and term[:shortest] == other[:shortest]


def _wanted(question: str) -> str:
    """Return the kind of thing that a question wants: ``#``, ``@``, ``day``, ``number``, ``name`` or ""."""
    said = {word.term for word in words(question)}
    if "channel" in said:
        return "#"
    if said & {"address", "email", "mail"}:
        return "@"
    if said & {"when", "day", "days", "date"}:
        return "day"
    if said & {
        "number",
        "code",
        "price",
        "rate",
        "excess",
        "discount",
        "many",
        "much",
        "big",
        "charge",
        "pin",
    }:
        return "number"
    return "name" if said & {"who", "name", "called"} else ""


def _has_wanted(sentence: str, wanted: str) -> bool:
    match wanted:
        case "#" | "@":
            return wanted in sentence
        case "number":
            return any(letter.isdigit() for letter in sentence)
        case "day":
            return any(letter.isdigit() for letter in sentence) or any(
                word.term in _WEEKDAYS for word in words(sentence)
            )
        case "name":
            return any(word[:1].isupper() and word.lower() not in COMMON for word in sentence.split())
        case _:
            return False


def _shortened(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _LONGEST_QUOTE else f"{short[: _LONGEST_QUOTE - 1].rstrip()}…"


def _topic(text: str) -> str:
    """Return what a question is about, in its own words; empty when it names nothing."""
    parts: list[list[str]] = [[]]
    for word in text.split():
        plain = word.strip("?!.,;:")
        if stem(plain.lower()) in _SAYING:
            parts.append([])
        elif plain:
            parts[-1].append(plain)
        if word[-1] in "?!.,;:":
            parts.append([])
    named = [" ".join(_trimmed(part)) for part in parts]
    best = max(named, key=lambda part: len(_terms(part)), default="")
    return best if len(best.split()) <= _LONGEST_TOPIC else ""


def _trimmed(part: Sequence[str]) -> Sequence[str]:
    while part and part[0].lower() in _TOPIC_LEADS:
        part = part[1:]
    while part and part[-1].lower() in _TOPIC_LEADS:
        part = part[:-1]
    return part


def asks_for_deeds(text: str) -> bool:
    """Return whether a question is about what was done here: ``what did we do about no-shows?``"""
    said = [word.term for word in words(text)]
    is_ours = bool({"we", "you"} & set(said)) or ("have" in said and "set" in said)
    return is_ours and bool(_DOING & set(said)) and not any(stem(word) in _SAYING for word in said)


def _deeds(
    occasion: Occasion, messages: Sequence[Message], terms: Sequence[str], past: PastPeriod | None
) -> Result | None:
    """Return what was changed about the subject in the period, else at any time; None: nothing was."""
    done = [message for message in reversed(messages) if message.role is Role.ASSISTANT and message.note.did]
    about = [term for term in terms if term not in {stem(word) for word in _DOING}]
    fitting = [message for message in done if not about or _score(message.note.did, about, "") > 0]
    zone = ZoneInfo(occasion.turn.situation.time_zone)
    within = [
        message for message in fitting
        if past is None or past.first <= message.created_at.astimezone(zone).date() <= past.last
    ]  # fmt: skip
    shown = (within or fitting)[:_MOST_DEEDS]
    if not shown:
        return None
    lines = [texts.deed(_when(message.created_at, occasion), message.note.did) for message in shown]
    return Result(texts.deeds(lines), tool=_TOOL)


def _when(said_at: datetime, occasion: Occasion) -> str:
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
