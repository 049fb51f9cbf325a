"""Questions about earlier conversations: ``what did we decide about …``, ``have we ever discussed …``.

This module says only what to search for; `agent.dialogue.talk.recall` searches and answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from intent.dates.past_periods import PastPeriod, find_past_period
from intent.decision import ActionType, Verdict
from intent.entities import extraction
from intent.entities.answers import asks_to_resume
from intent.regular_expressions import lower_pattern, normalise

OPERATION = "search_conversations"

_WHO = r"(?:we|i|you|the two of us)(?: (?:two|all|both|ever|already|finally|actually|originally|just|last))*"
_SAYING = (
    r"(?:decid|agree|settle|conclud|discuss|talk|speak|spoke|say|said|mention|not(?:e|ed)\b|wr(?:i|o)te|plan"
    r"|tell|told|chos|choose|pick|cover|promis|suggest|recommend)\w*"
)
_HISTORY = r"(?:chats?|conversations?|messages?|discussions?|history|threads?)"
_ASKS = lower_pattern(
    rf"\bwhat(?: all| else| exactly)? (?:did|have|had) {_WHO} ({_SAYING})",
    rf"\b(?:when|where|in which \w+|how often) (?:did|have|had) {_WHO} ({_SAYING})",
    rf"\b(?:did|have|had) {_WHO} ({_SAYING})",
    rf"\b(?:remind me|tell me|remember|recall)(?: of| about)? what {_WHO} ({_SAYING})",
    r"\bwhat was (?:our|the|my) (decision|conclusion|agreement)",
    rf"\b(?:search|look|go|check|browse)(?: through| in| into)? (?:(?:all|of|my|our|the|past|old|earlier"
    rf"|previous) )+{_HISTORY}(?: for)?()",
    rf"\bfind (?:me )?(?:(?:the|my|our|that|any|all|past|old|earlier|previous|a) )+{_HISTORY}()",
)
_DECIDING = lower_pattern(r"decid|decision|agree|conclu|settle|chos|choose|promis|suggest|recommend")
_LEAD = lower_pattern(
    r"(?:\W*(?:to do|to|about|on|upon|regarding|concerning|with respect to|for|with|that|whether|in|of|over"
    r"|as|when it comes|where|which|we|i|you|me|us|talked|discussed|mentioned|said|mentioning|it was|was)\b)+"
    r"\W*"
)
_TAIL = lower_pattern(
    r"\W*+\b(?:again|please|pls|thanks|in the end|back then|(?:the )?last time|before|earlier|so far|at all"
    r"|exactly|recently|lately|already)\W*$"
)
_NOTHING = frozenset({"", "it", "that", "this", "them", "do", "to do", "so"})


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """What to search for.

    ``verb`` is the verb of saying when it is significant, such as ``decide``; else empty. ``subject`` may be
    empty when ``past`` is known.
    """

    subject: str
    verb: str
    past: PastPeriod | None


def parse_recall_question(text: str, today: date) -> RecallQuestion | None:
    """Return what a question about earlier talk asks for; None for other texts, or when it names nothing."""
    text = normalise(text)
    question = _ASKS.search(text)
    if question is None:
        return None
    past = find_past_period(text, today)
    words = next((group for group in question.groups() if group), "")
    verb = words if _DECIDING.search(words) else ""
    parts = ((question.end(), len(text)), (0, question.start()))
    behind, before = (_subject(part, text, past) for part in parts)
    subject = behind or before
    # "Remind me what we talked about" asks to resume. A decision about something is a recall question.
    is_named = bool(subject and verb) if asks_to_resume(text) else bool(subject or (verb and past))
    return RecallQuestion(subject, verb, past) if is_named else None


def recall_verdict(text: str, today: date) -> Verdict | None:
    """Return the verdict on a question about earlier talk; None for any other text."""
    recall = parse_recall_question(text, today)
    if recall is None:
        return None
    found: dict[str, JsonValue] = {extraction.OPERATION: OPERATION}
    if recall.subject:
        found[extraction.TOPIC] = recall.subject
    if recall.past:
        found[extraction.PERIOD] = normalise(text)[recall.past.start : recall.past.end]
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=0.9,
        entities=found,
        reasoning="asks what was said before",
    )


def _subject(part: tuple[int, int], text: str, past: PastPeriod | None) -> str:
    start, end = part
    if past is None or past.end <= start or past.start >= end:
        words = text[start:end]
    else:
        words = f"{text[start : past.start]} {text[max(start, past.end) : end]}"
    words = " ".join(words.split()).strip(" ?!.,:;-")
    while (tail := _TAIL.search(words)) is not None:
        words = words[: tail.start()]
    lead = _LEAD.match(words)
    words = words[lead.end() :] if lead else words
    return "" if words.lower() in _NOTHING else words
