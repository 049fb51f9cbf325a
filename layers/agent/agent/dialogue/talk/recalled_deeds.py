"""Answers to what was done here about a subject: the deeds that replies noted."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.earlier_messages import day_of
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.statements import SAYING, score_of
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Message, Role
from conversation.search.words import words
from intent.dates.past_periods import PastPeriod

_TOOL, _MOST_DEEDS = "search_conversations", 3
_DOING = frozenset(
    "do did done change changed set pause paused delete deleted make made create created".split()
)
_DO = frozenset({"do", "did", "done"})


def asks_for_deeds(text: str) -> bool:
    """Return whether a question is about what was done here: ``what did we do about no-shows?``"""
    said = [word.term for word in words(text)]
    is_ours = bool({"we", "you"} & set(said)) or ("have" in said and "set" in said)
    is_ours = is_ours or ("did" in said and "i" in said and bool((_DOING - _DO) & set(said)))
    return is_ours and bool(_DOING & set(said)) and not any(root(word) in SAYING for word in said)


def deeds_done(
    occasion: Occasion, messages: Sequence[Message], terms: Sequence[str], past: PastPeriod | None
) -> Result | None:
    """Return what was changed about the subject in the period, else at any time; None: nothing was."""
    done = [message for message in reversed(messages) if message.role is Role.ASSISTANT and message.note.did]
    about = [term for term in terms if term not in {root(word) for word in _DOING}]
    fitting = [message for message in done if not about or score_of(message.note.did, about, "") > 0]
    if not fitting and past is None:
        verbs = [root(word.term) for word in words(occasion.words) if word.term in _DOING - _DO]
        fitting = [message for message in done if score_of(message.note.did, verbs, "") > 0][:1]
    zone = ZoneInfo(occasion.turn.situation.time_zone)
    within = [
        message for message in fitting
        if past is None or past.first <= message.created_at.astimezone(zone).date() <= past.last
    ]  # fmt: skip
    shown = (within or fitting)[:_MOST_DEEDS]
    if not shown:
        return None
    lines = [texts.deed(day_of(message.created_at, occasion), message.note.did) for message in shown]
    about_one = shown[0].note.subject if len(shown) == 1 else None
    return Result(texts.deeds(lines), tool=_TOOL, about=about_one)
