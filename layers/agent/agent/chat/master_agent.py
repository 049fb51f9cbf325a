"""The master agent: has an understood message replied to and yields the reply's events.

It does not interpret words and stores nothing (the turn's commit does). The writes it wants leave with the
`Outcome`, so that the same turn can be answered again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.chat import held_calls
from agent.chat.act_replies import ActReplies
from agent.chat.recipient_codes import confirm_recipient
from agent.dialogue.administration.administration import KINDS as ADMINISTRATIVE
from agent.dialogue.administration.administration import Administration
from agent.dialogue.talk.occasion import Searcher
from agent.handler_interface import HandlerReply, TurnRequest
from agent.inference.link_filter import without_images
from agent.mail_recipients import MailRecipients
from agent.plain_replies import parse_yes_no
from agent.product_answers import ProductAnswers
from agent.templates import open_work_texts
from agent.turn_events import Outcome, ReplyEvent, ReplyStream, ToolUsed
from agent.undo import ChangeStore
from agent.workspace.agent_store import AgentStore
from conversation.messages.models import MAIL_CODE, RUN_CALL, Note
from intent.acts.act import ActKind
from intent.analysis.plain_sums import is_plain_sum
from intent.decision import ActionType, Decision, DecisionSource
from tasks.store import TaskStore

if TYPE_CHECKING:
    from agent.inference.question_answering import QuestionAnswerer


class MasterAgent:
    """Answers one understood message at a time. Keeps no state between turns, so one instance serves every
    tenant.
    """

    def __init__(
        self,
        *,
        store: AgentStore,
        recipients: MailRecipients,
        tasks: TaskStore,
        changes: ChangeStore,
        administration: Administration,
        question_answerer: Callable[[], QuestionAnswerer],
        search: Callable[[], Searcher],
        product_answers: ProductAnswers,
        clarify_below: float,
    ) -> None:
        self._store = store
        self._recipients = recipients
        self._question_answerer = question_answerer
        self._replies = ActReplies(
            agents=store,
            tasks=tasks,
            changes=changes,
            search=search,
            product=product_answers,
            by_kind=dict.fromkeys(ADMINISTRATIVE, administration.carry_out),
            restore_policy=administration.restore_policy,
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
        yield Outcome(reply.note, reply.effects, reply.tool_messages, reply.meant)

    def _best(
        self, turn: TurnRequest, decision: Decision, stream: ReplyStream
    ) -> Generator[ReplyEvent, None, HandlerReply]:
        question = held_calls.open_question(turn)
        if question is not None and question.action == MAIL_CODE:
            if (confirmed := confirm_recipient(turn, question, self._recipients)) is not None:
                return confirmed
        elif question is not None:
            # Read by our own rules: no model's verdict makes a call.
            match parse_yes_no(turn.message):
                case "yes" if question.action == RUN_CALL:
                    return held_calls.approve_call(turn, question, self._store)
                case "yes":
                    return (yield from self._question_answerer().make_approved_call(turn, question))
                case "no" | "cancel":
                    return HandlerReply(open_work_texts.declined(), Note(about=turn.note.about))
                case None:
                    pass  # anything else drops the question
        reply = self._replies.reply(turn, decision)
        if reply.lacks_answer or is_plain_sum(turn.situation):
            answered = yield from self._question_answerer().answer(turn, decision, reply, stream)
            return _with_sum_of(reply, answered)
        if _is_told_sum(turn, decision, reply):
            return (yield from self._question_answerer().answer(turn, decision, reply, stream))
        return reply


def _is_told_sum(turn: TurnRequest, decision: Decision, reply: HandlerReply) -> bool:
    """Return whether a model took for a question what our own reply only worked out from words.

    How words are to be reckoned with is for a model to say where there is one; ours stands by.
    """
    is_alone = turn.note.draft is None and turn.note.pending is None and reply.note.kinds == (ActKind.SUM,)
    return (
        is_alone and decision.source is DecisionSource.MODEL and decision.action_type is ActionType.QUERY_INFO
    )


def _with_sum_of(own: HandlerReply, answered: HandlerReply) -> HandlerReply:
    """Return the answer with what our own reply worked out: the next question may go on from it."""
    if own.note.sum is None:
        return answered
    kept = {"sum": own.note.sum, "kinds": own.note.kinds}
    return replace(answered, note=answered.note.model_copy(update=kept))
