"""What a sum may go on from: the sum before, and what the user told; and the answer that a sum becomes."""

from __future__ import annotations

from itertools import pairwise

from agent.dialogue.result import Result
from agent.dialogue.talk.occasion import Occasion
from conversation.messages.models import Role
from conversation.sentences import sentence_spans
from intent.acts.act import ActKind
from intent.sums.result import EarlierSum, Sum

CALCULATOR = "calculator"


def worked_out(found: Sum) -> Result:
    return Result(found.text, tool=CALCULATOR, kind=ActKind.SUM, sum=EarlierSum.of(found))


def earlier_sum(occasion: Occasion) -> EarlierSum | None:
    """Return the sum before, as the note of the last reply keeps it."""
    stored = occasion.turn.note.sum
    return None if stored is None else EarlierSum.of_note(stored)


def told_texts(occasion: Occasion) -> list[str]:
    """Return what the user said in this conversation without anything being done for it, the oldest first."""
    said = pairwise([*occasion.turn.situation.history, None])
    return [
        message.content for message, reply in said
        if message is not None and message.role is Role.USER and not message.deleted
        and not (reply is not None and reply.note.did)
    ]  # fmt: skip


def question_of(text: str) -> tuple[str, str]:
    """Return the text before its last sentence, and that sentence."""
    start = max((start for start, _ in sentence_spans(text)), default=0)
    return text[:start], text[start:]
