"""`answer`, the door of this package: carries out an act that needs no agent and no task."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.dialogue.result import Result
from agent.dialogue.talk import clock, reasons, recall, small_talk, sums, texts, unclear, unsure, world
from agent.dialogue.talk.occasion import Occasion
from intent.acts.act import ActKind
from intent.acts.kept_facts import asks_to_keep
from intent.acts.kept_requests import kept_fact
from intent.sums.arithmetic_questions import expression_in


def answer(occasion: Occasion) -> Result:
    """Return the answer to an act of one of the `KINDS`. It changes nothing."""
    if occasion.is_repeated:
        return Result("")
    if occasion.act.kind in _MAY_CORRECT and sums.amends_earlier(occasion):
        return sums.answer(occasion)
    if occasion.act.kind in _MAY_CORRECT and sums.corrects_told(occasion):
        return Result(occasion.fresh(texts.NOTED), kind=ActKind.REMEMBER)
    told = recall.fact(occasion) if occasion.act.kind in _MAY_ASK_FACTS else None
    answered = told or _ANSWERS[occasion.act.kind](occasion)
    if occasion.act.kind is not ActKind.SUM or not answered.lacks_answer:
        return answered
    is_again = "again" in occasion.words.lower().rstrip("?!. ").split()[-1:]
    return (recall.quoted(occasion) if is_again else recall.fact(occasion)) or answered


_MAY_ASK_FACTS = frozenset(
    {
        ActKind.ASK_WORLD, ActKind.UNSURE, ActKind.CLOCK, ActKind.NONE, ActKind.WHY, ActKind.SMALL_TALK,
    }
)  # fmt: skip
"""The kinds of questions that something the user told before may answer better."""

_MAY_CORRECT = frozenset({ActKind.REMEMBER, ActKind.NONE, ActKind.UNSURE, ActKind.SMALL_TALK})
"""The kinds that a statement which corrects an amount may be taken for."""


def _remember(occasion: Occasion) -> Result:
    """Confirm that a fact was heard; it is kept as every message is. A question tells none."""
    is_kept = kept_fact(occasion.words) or asks_to_keep(occasion.words)
    asks = occasion.words.rstrip().endswith("?") and not is_kept
    if asks and expression_in(occasion.words) is None:
        return recall.answer(occasion)
    if {ActKind.SUM, ActKind.ASK_WORLD} & occasion.beside and sums.told_in(occasion):
        return Result("")
    return Result(occasion.fresh(texts.NOTED) if occasion.is_alone else texts.NOTED_BRIEFLY)


_ANSWERS: Mapping[ActKind, Callable[[Occasion], Result]] = {
    ActKind.SUM: sums.answer,
    ActKind.CLOCK: clock.answer,
    ActKind.RECALL: recall.answer,
    ActKind.REMEMBER: _remember,
    ActKind.SMALL_TALK: small_talk.answer,
    ActKind.UNSURE: unsure.answer,
    ActKind.WHY: reasons.answer,
    ActKind.ASK_WORLD: world.question,
    ActKind.DO_IN_WORLD: world.deed,
    ActKind.NONE: unclear.answer,
}
KINDS = frozenset(_ANSWERS)
