"""What of many messages is worth keeping, found without a model: the sentences that hold names, numbers,
dates and addresses, that decide something or leave it open. Pure: the same messages give the same lines.

A statement of the user's counts most: a question can be asked again, and what the assistant said follows from
what is kept or can be looked up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest

from conversation import telling
from conversation.models import Message, Role
from conversation.summaries import Line, fitting
from conversation.tokens import estimate_tokens

MAX_LINE_TOKENS = 48
_MAX_READ = 6_000
"""Characters of one message; nobody states more in passing."""
_WORTH_KEEPING = 1.0
_ASSISTANT, _ASKED, _EXCLAIMED, _DEALT_WITH = 0.2, 0.3, 0.5, 0.5
"""What a sentence counts for that is the assistant's, that asks for something, that is an outcry or a scrap,
and that was understood as something to do: that was done then, and its reply's note says so."""
_SURE = 0.7
_FEW_WORDS = 3
_ALIKE = 0.7
_BULLET_TOKENS = 2
_SHORT_WORDS = 7

_WORD = re.compile(r"\w+(?:[.,@'-]\w+)*")


def extract(messages: Sequence[Message]) -> Iterator[Line]:
    """What is worth keeping of each message, in their order. A user's message comes with the reply to it, if
    it has one: that tells what it was understood as.
    """
    question = ""
    for message, following in zip_longest(messages, messages[1:]):
        text = message.content[:_MAX_READ]
        counts_for = _counts_for(message, following)
        for sentence in _sentences(text, question):
            worth = _worth(sentence) * counts_for
            if worth >= _WORTH_KEEPING:
                told = sentence if message.role is Role.USER else f"(assistant) {sentence}"
                yield Line(message.sequence, told, estimate_tokens(told) + _BULLET_TOKENS, round(10 * worth))
        question = _last_question(text) if message.role is Role.ASSISTANT else ""


def _counts_for(message: Message, reply: Message | None) -> float:
    if message.role is not Role.USER:
        return _ASSISTANT
    decision = reply.metadata.get("decision") if reply and reply.turn_id == message.turn_id else None
    if not isinstance(decision, dict):
        return 1.0
    confidence = decision.get("confidence", 0.0)
    is_sure = isinstance(confidence, float) and confidence >= _SURE
    return _DEALT_WITH if is_sure and decision.get("action_type") != "unknown" else 1.0


def chosen(lines: Iterable[Line], budget_tokens: int) -> tuple[Line, ...]:
    """The most telling of the lines that fit, the most telling first; of those alike the latest one."""
    kept: list[Line] = []
    seen: list[frozenset[str]] = []
    for line in sorted(lines, key=lambda line: (-_density(line), -line.sequence)):
        words = frozenset(_WORD.findall(line.text.lower()))
        place = next((place for place, other in enumerate(seen) if _alike(words, other)), None)
        if place is None:
            kept.append(line)
            seen.append(words)
        elif line.sequence > kept[place].sequence:
            kept[place] = line
    return fitting(kept, budget_tokens)


def shortened(text: str, tokens: int) -> str:
    """A text in one line of about so many tokens, its beginning and its end."""
    line = " ".join(text.split())
    count = estimate_tokens(line)
    if count <= tokens:
        return line
    room = len(line) * max(1, tokens - 2) // count
    return f"{line[: room - room // 3].rstrip()} … {line[len(line) - room // 3 :].lstrip()}"


def _sentences(text: str, question: str) -> Iterator[str]:
    """The sentences, without what only leads up to them; a short answer goes with its question."""
    parts = [" ".join(part.split()) for part in telling.SENTENCE.split(text)]
    parts = [part for part in parts if part]
    if question and parts and _is_short(parts[0]):
        parts[0] = f"{question.rstrip('?')}: {parts[0]}"
    joined = ""
    for part, following in pairwise([*parts, ""]):
        if part.endswith("?") and following and _is_short(following) and not joined:
            joined = f"{_without_lead(part).rstrip('?')}: "
            continue
        sentence = joined + (part if joined else _without_lead(part))
        joined = ""
        yield shortened(sentence, MAX_LINE_TOKENS)


def _is_short(sentence: str) -> bool:
    return not sentence.endswith("?") and len(sentence.split()) <= _SHORT_WORDS


def _without_lead(sentence: str) -> str:
    lead = telling.LEAD.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    return rest[:1].upper() + rest[1:] if rest else sentence


def _last_question(text: str) -> str:
    last = [part for part in telling.SENTENCE.split(text) if part.strip()][-1:]
    return " ".join(last[0].split()) if last and last[0].rstrip().endswith("?") else ""


def _worth(sentence: str) -> float:
    """What a sentence of the user's is worth."""
    specifics = _specifics(sentence)
    worth = (
        specifics
        + 1.5 * bool(telling.DECIDED.search(sentence))
        + 1.0 * bool(specifics and telling.STATES.match(sentence))
    )
    if _asks(sentence):
        worth *= _ASKED
    elif sentence.endswith("!") or len(_WORD.findall(sentence)) < _FEW_WORDS:
        worth *= _EXCLAIMED
    return worth + 2.0 * bool(telling.OPEN.search(sentence))


def _specifics(sentence: str) -> float:
    """How much a sentence says that can't be guessed: names, numbers, dates, addresses."""
    addresses = telling.ADDRESS.findall(sentence)
    rest = telling.ADDRESS.sub(" ", sentence)
    numbers, names = (
        len(telling.NUMBER.findall(rest)),
        len(telling.NAME.findall(rest)) + _begins_with_name(rest),
    )
    dates = len(telling.DATE.findall(rest))
    return 2.0 * min(len(addresses), 2) + 1.5 * min(numbers, 3) + 1.5 * min(names, 3) + 1.0 * min(dates, 2)


def _begins_with_name(sentence: str) -> bool:
    match = telling.FIRST_NAME.match(sentence)
    return match is not None and match["word"].lower() not in telling.NO_NAME


def _asks(sentence: str) -> bool:
    # A question with its answer behind it is a statement.
    return sentence.endswith("?") or (": " not in sentence and telling.ASKS.match(sentence) is not None)


def _density(line: Line) -> float:
    return line.worth / math.sqrt(line.tokens)


def _alike(words: frozenset[str], other: frozenset[str]) -> bool:
    return len(words & other) >= _ALIKE * len(words | other)
