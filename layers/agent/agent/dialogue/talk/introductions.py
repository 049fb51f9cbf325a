"""Answers to people who introduce themselves: an acknowledgement with an offer."""

from __future__ import annotations

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.occasion import Occasion
from intent.acts.act import ActKind
from intent.acts.introductions import introduces, tells_of_oneself
from intent.acts.overload import tells_overload
from intent.acts.task_reading.forgotten import habitually_forgotten
from intent.acts.tokens import tokenise
from intent.acts.unsure_chores import says_unsure

_MAY_INTRODUCE = frozenset(
    {ActKind.NONE, ActKind.ASK_WORLD, ActKind.UNSURE, ActKind.SMALL_TALK, ActKind.ASK_PRODUCT}
)


def answer(occasion: Occasion) -> Result | None:
    """Return the answer to an introduction that is all of a message; None for anything else."""
    if occasion.act.kind not in _MAY_INTRODUCE or not occasion.is_alone or occasion.turn.note.draft:
        return None
    if occasion.act.kind is ActKind.UNSURE and _waits_for_offer(occasion.words):
        return None
    is_told = introduces(occasion.words) or tells_of_oneself(occasion.words)
    return Result(occasion.fresh(texts.INTRODUCED)) if is_told else None


def _waits_for_offer(words: str) -> bool:
    """Return whether somebody is unsure, or tells of a trouble that something can be offered for."""
    is_unsure = says_unsure([one.word for one in tokenise(words)])
    return is_unsure or tells_overload(words) or bool(habitually_forgotten(words))
