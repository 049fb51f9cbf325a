"""Answers to "why did you say that?": which of the user's words led to what was done or asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from agent.dialogue.held_acts import AskedQuestion
from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.occasion import Occasion
from conversation.messages.models import Note, Role
from conversation.search.words import COMMON, stem, words
from intent.acts.scene import Asked
from intent.sums.quantities import read_quantities

_LONGEST_QUOTE = 120


class _Exchange(NamedTuple):
    """What the user wrote and the note of the reply to it."""

    request: str
    note: Note


def answer(occasion: Occasion) -> Result:
    """Say which words of the user led to what was done, asked or listed."""
    exchanges = list(_exchanges(occasion))
    if not exchanges:
        return Result(texts.NOTHING_SAID_YET)
    last = exchanges[0]
    if (value := _assumed(occasion)) is not None:
        return Result(texts.assumed(value))
    if (asked := AskedQuestion.of(last.note.question)) is not None:
        return Result(_why_asked(asked, last.request), question=asked)
    if (draft := last.note.draft) is not None and (asked_for := draft.get("asked")):
        slots = [slot for slot in asked_for if isinstance(slot, str)] if isinstance(asked_for, list) else []
        return Result(next((texts.BECAUSE_SLOT[slot] for slot in slots if slot in texts.BECAUSE_SLOT), ""))
    deed = _meant_deed(occasion.words, exchanges)
    if deed is not None:
        return Result(texts.because_you_wrote(_quote(deed.request), deed.note.did), about=deed.note.about)
    if last.note.listed and _counts(occasion.words):
        return Result(texts.because_listed([item.name for item in last.note.listed]), listed=last.note.listed)
    return Result(texts.because_answered(_quote(last.request)))


def _exchanges(occasion: Occasion) -> Iterator[_Exchange]:
    """Yield the exchanges of the conversation, newest first."""
    note: Note | None = None
    for message in reversed(occasion.turn.situation.history):
        if message.role is Role.ASSISTANT:
            note = message.note
        elif message.role is Role.USER and note is not None:
            yield _Exchange(message.content, note)
            note = None


def _why_asked(asked: AskedQuestion, request: str) -> str:
    if asked.asked is Asked.WHICH and len(asked.options) > 1:
        return texts.because_several([option.name for option in asked.options[:4]])
    slot = next((slot for slot in asked.slots if slot in texts.BECAUSE_SLOT), None)
    return texts.BECAUSE_SLOT[slot] if slot else texts.because_asked(_quote(request))


def _meant_deed(question: str, exchanges: list[_Exchange]) -> _Exchange | None:
    """Return the deed that a question names, else that of the last reply."""
    asked = {stem(word.term) for word in words(question) if word.term not in COMMON}
    deeds = [one for one in exchanges if one.note.did]
    for one in deeds:
        if asked & {stem(word.term) for word in words(one.note.did) if word.term not in COMMON}:
            return one
    return deeds[0] if deeds and deeds[0] is exchanges[0] else None


def _assumed(occasion: Occasion) -> str | None:
    """Return the number of a "where did you get 9 from?" that the user never wrote; None otherwise."""
    said = {word.term for word in words(occasion.words)}
    if not said & {"get", "got", "come", "came", "pick", "assume", "choose", "chose"}:
        return None
    numbers = read_quantities(occasion.words).numbers
    written = [
        number.value
        for message in occasion.turn.situation.history
        if message.role is Role.USER
        for number in read_quantities(message.content).numbers
    ]
    missing = next((number for number in numbers if number.value not in written), None)
    if missing is None:
        return None
    return f"{missing.text} {missing.unit}".strip() if missing.unit else missing.text


def _counts(question: str) -> bool:
    return bool(read_quantities(question).numbers) or "count" in question.lower()


def _quote(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _LONGEST_QUOTE else f"{short[: _LONGEST_QUOTE - 1].rstrip()}…"
