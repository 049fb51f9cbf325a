"""What users may do with their own data: take it along, have it erased, delete the conversation."""

from __future__ import annotations

from dataclasses import dataclass

from agent.dialogue.administration import personal_data_texts as texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions.wording import Wording, word_set
from conversation.erasure.requests import Erasures
from conversation.errors import QuotaExceeded
from conversation.identity import derived_ulid
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.messages.models import Status
from conversation.retention.expiry import days_kept
from intent.acts.act import Act, ActKind
from intent.acts.scene import Asked

_HOW_LONG = ("how long", "how soon", "how quickly", "when will", "when is")
_HEDGES = word_set("but except only after before unless keep wait first not don't without")
_OF_ALL = (
    "our account", "whole account", "our workspace", "whole workspace", "the workspace", "whole company",
    "company account", "everybody's data",
)  # fmt: skip


def export(_act: Act, _bench: Workbench) -> Result:
    """Say how users get their data as a file."""
    return Result(texts.export())


def delete_conversation(act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    """Ask before the conversation is deleted; after a yes, promise it: `agent.after_turn` does it, since no
    turn can delete the conversation that it is stored in. Who asks how, is told how.
    """
    policy, wording = bench.turn.roster.record.policy, Wording.of(act)
    days, is_held = days_kept(policy, Status.DELETED), policy.legal_hold
    if is_confirmed:
        return Result(
            texts.deleting_conversation(days, is_held=is_held), "promised to delete this conversation",
            tool="delete_conversation", kind=act.kind,
        )  # fmt: skip
    if wording.says("how do", "how can", "how to", "how would", "how could"):
        return Result(texts.how_to_delete_conversation(days, is_held=is_held))
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, ()),))
    return Result(texts.ask_to_delete_conversation(days, is_held=is_held), question=question)


def asks_how_long(act: Act, bench: Workbench) -> AskedQuestion | None:
    """Return the question whether to erase everything, when an act asks how long that takes; else None."""
    asked = AskedQuestion.of(bench.turn.note.question)
    is_about = asked is not None and any(held.kind is ActKind.ERASE for held in asked.waiting)
    return asked if is_about and Wording.of(act).says(*_HOW_LONG) else None


@dataclass(frozen=True, slots=True)
class OwnErasure:
    """Carries out the erasure of the user who asks for it."""

    erasures: Erasures
    quotas: Quotas

    def erase(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
        """Ask before everything of the user is erased; after a plain yes, it goes with the turn's writes."""
        turn = bench.turn
        wording, answer = Wording.of(act), Wording.of_text(turn.message)
        asking = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, ()),))
        if turn.roster.record.policy.legal_hold:
            return Result(texts.on_hold())
        if is_confirmed and answer.has(_HEDGES):
            return Result(texts.all_or_nothing(), question=asking)
        if not is_confirmed:
            if wording.says(*_HOW_LONG):
                return Result(texts.duration(), question=asking)
            return Result(texts.ask_to_erase(is_of_all=wording.says(*_OF_ALL)), question=asking)
        try:
            self.quotas.take(turn.caller, QuotaKind.ERASURES, record=turn.roster.record)
        except QuotaExceeded as exceeded:
            return Result(str(exceeded))
        erasure_id = derived_ulid(turn.situation.now, turn.turn_id, "erasure")
        bench.write(*self.erasures.own_actions(turn.caller, turn.roster.record, erasure_id=erasure_id))
        return Result(
            texts.erasing(), "requested the erasure of all your data", tool="erase_user", kind=act.kind
        )
