"""The master agent: has an understood message replied to and yields the reply's events.

It does not interpret words and stores nothing (the turn's commit does). The writes it wants leave with the
`Outcome`, so that the same turn can be answered again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from agent.chat import held_calls
from agent.chat.act_replies import ActReplies
from agent.chat.rule_replies import RuleReplies
from agent.dialogue.administration.administration import KINDS as ADMINISTRATIVE
from agent.dialogue.administration.administration import Administration
from agent.handler_interface import HandlerReply, TurnRequest
from agent.handlers.costs import CostHandler
from agent.inference.arithmetic_questions import expression_in
from agent.inference.link_filter import without_images
from agent.product_answers import ProductAnswers
from agent.templates import small_talk_texts
from agent.turn_events import Outcome, ReplyEvent, ReplyStream, ToolUsed
from agent.undo import ChangeStore
from agent.wizard.answer_parsing import parse_yes_no
from agent.workspace.agent_store import AgentStore
from agent.workspace.skill_store import SkillStore
from conversation.messages.models import RUN_CALL, Note
from conversation.tenants.store import TenantStore
from intent.decision import Decision
from tasks.store import TaskStore

if TYPE_CHECKING:
    from agent.handlers.recall import RecallHandler
    from agent.inference.question_answering import QuestionAnswerer


class Replies(Protocol):
    """What a message is replied to with, apart from questions about held calls and a model's answers."""

    def reply(self, turn: TurnRequest, decision: Decision) -> HandlerReply:
        """Return the reply to a message."""

    def completed(self, turn: TurnRequest, decision: Decision, reply: HandlerReply) -> HandlerReply:
        """Return a reply, which may be a model's answer, with what it leaves open and what is learned."""


class MasterAgent:
    """Answers one understood message at a time. Keeps no state between turns, so one instance serves every
    tenant.
    """

    def __init__(
        self,
        *,
        store: AgentStore,
        tasks: TaskStore,
        skills: SkillStore,
        tenants: TenantStore,
        changes: ChangeStore,
        administration: Administration,
        question_answerer: Callable[[], QuestionAnswerer],
        recall_handler: Callable[[], RecallHandler],
        cost_handler: CostHandler,
        product_answers: ProductAnswers,
        clarify_below: float,
        reads_acts: bool = True,
    ) -> None:
        """``reads_acts``: whether messages are replied to by their acts, and not by the rules."""
        self._store = store
        self._question_answerer = question_answerer
        self._replies: Replies
        if reads_acts:
            self._replies = ActReplies(
                agents=store,
                tasks=tasks,
                changes=changes,
                search=lambda: recall_handler().search,
                product=product_answers,
                by_kind=dict.fromkeys(ADMINISTRATIVE, administration.carry_out),
                restore_policy=administration.restore_policy,
                clarify_below=clarify_below,
            )
        else:
            self._replies = RuleReplies(
                store=store,
                tasks=tasks,
                skills=skills,
                tenants=tenants,
                recall_handler=recall_handler,
                cost_handler=cost_handler,
                product_answers=product_answers,
                clarify_below=clarify_below,
            )

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        """Yield the events on the way, the reply's text in pieces, and last exactly one `Outcome`; no
        `Outcome` when the turn was stopped before.
        """
        stream = ReplyStream()
        reply = yield from self._best(turn, decision, stream)
        if reply.is_partial:
            yield from stream.write(reply.text)
            return
        # Our own texts quote titles, messages and results: what others wrote must load nothing.
        reply = self._replies.completed(turn, decision, replace(reply, text=without_images(reply.text)))
        yield from map(ToolUsed, reply.used_tools)
        yield from stream.write(reply.text)
        yield Outcome(reply.note, reply.effects, reply.tool_messages)

    def _best(
        self, turn: TurnRequest, decision: Decision, stream: ReplyStream
    ) -> Generator[ReplyEvent, None, HandlerReply]:
        if (question := held_calls.question_about_call(turn)) is not None:
            # Read by our own rules: no model's verdict makes a call.
            match parse_yes_no(turn.message, with_more=False):
                case "yes" if question.action == RUN_CALL:
                    return held_calls.approve_call(turn, question, self._store)
                case "yes":
                    return (yield from self._question_answerer().make_approved_call(turn, question))
                case "no" | "cancel":
                    return HandlerReply(small_talk_texts.declined(), Note(about=turn.note.about))
                case None:
                    pass  # anything else drops the question
        reply = self._replies.reply(turn, decision)
        if reply.lacks_answer or _is_sum(turn):
            reply = yield from self._question_answerer().answer(turn, decision, reply, stream)
        return reply


def _is_sum(turn: TurnRequest) -> bool:
    """Whether the message is plain arithmetic and no draft, question or offer is open."""
    note = turn.note
    is_busy = note.draft is not None or note.pending is not None or bool(note.choices)
    return not is_busy and expression_in(turn.message) is not None
