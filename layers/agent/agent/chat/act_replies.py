"""Replies to messages by the acts that were read in them. What the acts do is `agent.dialogue`'s business."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from agent import shared_runs
from agent.chat import labelled_examples
from agent.chat.lessons_in_turn import lessons_from_turn
from agent.dialogue import nearest_agent
from agent.dialogue.acts_in_turn import ActsInTurn
from agent.dialogue.agent_acts.several_agents import with_shared_places
from agent.dialogue.talk import pasted_texts
from agent.dialogue.talk.occasion import Searcher
from agent.dialogue.undo_acts import RestorePolicy
from agent.dialogue.workplace import CarryOut, Workplace
from agent.handler_interface import HandlerReply, TurnRequest
from agent.product_answers import ProductAnswers
from agent.templates.language_texts import foreign_reply
from agent.undo import ChangeStore
from agent.workspace.agent_store import AgentStore
from conversation.messages.models import Note, Role
from intent.acts.act import Act, ActKind, Span
from intent.analysis.act_analysis import shared_analysis
from intent.decision import Decision, DecisionSource
from tasks.store import TaskStore


class ActReplies:
    """Has the acts of messages carried out. Keeps no state between turns."""

    def __init__(
        self,
        *,
        agents: AgentStore,
        tasks: TaskStore,
        changes: ChangeStore,
        search: Callable[[], Searcher],
        product: ProductAnswers,
        by_kind: Mapping[ActKind, CarryOut],
        restore_policy: RestorePolicy,
        clarify_below: float,
    ) -> None:
        self._place = Workplace(
            agents=agents,
            tasks=tasks,
            changes=changes,
            search=search,
            product=product,
            by_kind=by_kind,
            restore_policy=restore_policy,
        )
        self._clarify_below = clarify_below
        self._analysis = shared_analysis()

    def reply(self, turn: TurnRequest, decision: Decision) -> HandlerReply:
        """Return the reply to all acts of the message."""
        if (answered := shared_runs.reply_to_question(turn, self._place.agents)) is not None:
            return answered
        decision = self._analysis.up_to_date(decision, turn.situation)
        reading = decision.reading
        if reading is None:
            return pasted_texts.reply(turn)
        before = turn.situation.last_text(Role.USER)
        if not reading.is_by_model and (sentence := foreign_reply(turn.message, before)) is not None:
            is_modelled = decision.source is DecisionSource.MODEL
            return HandlerReply(sentence, Note().with_open_from(turn.note), lacks_answer=is_modelled)
        if nearest_agent.is_unclear_work(decision):
            return ActsInTurn(turn, self._place).only(nearest_agent.offer(turn, decision))
        if reading.corrected:
            return ActsInTurn(_said_again(turn, reading.corrected), self._place, is_correction=True).correct(
                reading.acts[0]
            )
        acts = with_shared_places(reading.acts) or (_wordless(turn.message),)
        return ActsInTurn(turn, self._place).reply(
            acts,
            is_by_model=reading.is_by_model,
            subject=decision.question_subject,
            is_subject_told=decision.source is DecisionSource.MODEL,
        )

    def completed(self, turn: TurnRequest, decision: Decision, reply: HandlerReply) -> HandlerReply:
        """Return the reply with what the last one left open, where a model answered, and with labels."""
        labels = (
            *labelled_examples.labels_from_turn(turn, decision, clarify_below=self._clarify_below),
            *lessons_from_turn(turn, decision),
        )
        is_ours = reply.ends_draft or reply.note.draft is not None
        note = reply.note if is_ours else reply.note.model_copy(update={"draft": turn.note.draft})
        return replace(reply, note=note, effects=(*reply.effects, *labels))


def _said_again(turn: TurnRequest, message: str) -> TurnRequest:
    """Return the turn as if its user had said an earlier message again."""
    return replace(turn, situation=replace(turn.situation, message=message, raw_message=None))


def _wordless(message: str) -> Act:
    """Return the act of a message in which nothing can be read, such as ``???``."""
    return Act(ActKind.NONE, Span(message, 0, len(message)))
