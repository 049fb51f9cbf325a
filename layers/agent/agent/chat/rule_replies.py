"""Replies by the rules alone: an offer's answer, the wizard, or the handler of the decided action.

Used where the setting says ``rules``. `agent.chat.act_replies` replies to everything else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from agent.chat import labelled_examples, offer_answers, verdict_check
from agent.chat.offer_answers import choice_at, picked_option
from agent.checks.check_phrases import check_from_words
from agent.handler_interface import HandlerReply, TurnRequest
from agent.handlers import agent_changes, agent_creation, clarification, questions, runs, settings, small_talk
from agent.handlers import skills as skill_handler
from agent.handlers import tasks as task_handler
from agent.handlers.costs import CostHandler
from agent.product_answers import ProductAnswers
from agent.requested_entities import UNSAID, Entities, RequestedEntities, without_answers
from agent.templates import agent_texts, confirmation_texts, small_talk_texts
from agent.templates.language_texts import foreign_reply
from agent.wizard.answer_parsing import is_cancel, parse_yes_no, takes_back
from agent.wizard.urls import extract_urls
from agent.word_support import HeardVerdict
from agent.workspace.agent_store import AgentStore
from agent.workspace.delivery_targets import is_slack_url
from agent.workspace.skill_store import SkillStore
from conversation.messages.models import Note, Pending
from conversation.tenants.store import TenantStore
from intent.decision import ActionType, Decision, DecisionSource
from intent.offline import recall_questions
from intent.offline import tasks as task_rules
from tasks.store import TaskStore

if TYPE_CHECKING:
    from agent.handlers.recall import RecallHandler


class RuleReplies:
    """Replies by a decision and the rules. Keeps no state between turns."""

    def __init__(
        self,
        *,
        store: AgentStore,
        tasks: TaskStore,
        skills: SkillStore,
        tenants: TenantStore,
        recall_handler: Callable[[], RecallHandler],
        cost_handler: CostHandler,
        product_answers: ProductAnswers,
        clarify_below: float,
    ) -> None:
        self._store = store
        self._tasks = tasks
        self._skills = skills
        self._tenants = tenants
        self._recall_handler = recall_handler
        self._cost_handler = cost_handler
        self._product_answers = product_answers
        self._clarify_below = clarify_below

    def reply(self, turn: TurnRequest, decision: Decision) -> HandlerReply:
        """Return the reply; a model's decision has no effect that the user's words don't bear out."""
        return self._answer(turn, verdict_check.heard(turn, decision))

    def completed(self, turn: TurnRequest, decision: Decision, reply: HandlerReply) -> HandlerReply:
        """Return the reply with the unfinished agent, if any, and the labels that the turn gives."""
        heard = verdict_check.heard(turn, decision).decision
        labels = labelled_examples.labels_from_turn(turn, heard, clarify_below=self._clarify_below)
        kept = agent_creation.carry_draft(turn, reply)
        return replace(kept, effects=(*kept.effects, *labels))

    def _answer(self, turn: TurnRequest, heard: HeardVerdict) -> HandlerReply:
        """The answer by our own reading of the words where there is one, else by the decision."""
        if not turn.message.strip():
            return HandlerReply(confirmation_texts.only_pasted(), lacks_answer=True)
        if (reply := self._by_own_reading(turn, heard.said)) is not None:
            return reply
        if (
            turn.note.draft is not None
            and (reply := verdict_check.answer(turn, heard, self._go_on)) is not None
        ):
            return reply
        if (reply := self._on_earlier_work(turn, heard.said)) is not None:
            return reply
        return verdict_check.answer(turn, heard, self._by_decision) or small_talk.reply(turn)

    def _by_own_reading(self, turn: TurnRequest, decision: Decision) -> HandlerReply | None:
        """The answer to an answer, to a request about tasks, and to an explicit question; else None."""
        wish = RequestedEntities.of(decision.entities)
        if (reply := self._to_the_offer(turn, decision, wish, decision.entities)) is not None:
            return reply
        if (said := task_handler.task_request(turn, decision)) is not None:
            return task_handler.reply(turn, said, self._tasks)
        return self._watched(turn, decision) or self._looked_up(turn, decision)

    def _watched(self, turn: TurnRequest, decision: Decision) -> HandlerReply | None:
        """The answer to a wish to have a web address checked; None when the words ask for none, or a model
        reads something else in them.
        """
        is_open = decision.action_type in (ActionType.CREATE_AGENT, ActionType.UNKNOWN)
        if turn.note.draft is not None or (decision.source is DecisionSource.MODEL and not is_open):
            return None
        whole = turn.situation.message
        # A quotation is no word of the user's own, but it may be what the page is to say.
        check = check_from_words(whole if turn.message and "\n" not in whole else turn.message)
        return agent_creation.begin_check(turn, check, self._store) if check else None

    def _on_earlier_work(self, turn: TurnRequest, decision: Decision) -> HandlerReply | None:
        """The answer about a paused agent or an earlier run that the words mean; else None."""
        if (paused := runs.agent_to_resume(turn)) is not None:
            return agent_changes.reply(turn, {"operation": "resume", "agent_id": paused.id}, self._store)
        wish = RequestedEntities.of(decision.entities)
        return runs.reply_about_earlier_run(turn, decision, wish, self._store)

    def _by_decision(self, turn: TurnRequest, decision: Decision) -> HandlerReply:
        entities = decision.entities
        if self._is_second_thought(turn, decision) or _is_for_results(turn, decision):
            about = turn.note.about
            return agent_changes.reply(
                turn, {**entities, "agent_id": about.id if about else None}, self._store
            )
        if (reply := self._about_product(turn, decision)) is not None:
            return reply
        if decision.action_type is ActionType.UNKNOWN:
            return self._unknown(turn, decision, entities)
        if decision.needs_clarification(self._clarify_below) and not _is_plain(turn, decision):
            return self._unsure(turn, decision)
        return self._act(turn, decision.action_type, entities)

    def _to_the_offer(
        self, turn: TurnRequest, decision: Decision, wish: RequestedEntities, entities: Entities
    ) -> HandlerReply | None:
        """The answer to a pick, a yes or a no to the last offer; None when the message is none of these."""
        if place := picked_option(turn, wish):
            return self._choose(turn, place, entities)
        if turn.note.choices and turn.note.draft is None:
            reply = parse_yes_no(turn.message, with_more=False)
            if reply in ("no", "cancel"):
                return HandlerReply(small_talk_texts.declined(), Note(about=turn.note.about))
            if reply == "yes":
                return (
                    self._choose(turn, 1, entities)
                    if offer_answers.is_single_offer(turn)
                    else offer_answers.ask_which_option(turn)
                )
        if turn.note.pending is not None and (
            answer := offer_answers.answer_to_pending(turn.note.pending, turn, decision, wish, entities)
        ):
            return self._settle(turn, turn.note.pending, answer, entities)
        return None

    def _unsure(self, turn: TurnRequest, decision: Decision) -> HandlerReply:
        """Return clarifying options, except for a yes or no to nothing, which options would not help."""
        if parse_yes_no(turn.message, with_more=False) in ("yes", "no"):
            return HandlerReply(small_talk_texts.nothing_to_confirm())
        return clarification.reply(turn, decision, self._store)

    def _act(self, turn: TurnRequest, action: ActionType, entities: Entities) -> HandlerReply:
        if RequestedEntities.of(entities).operation in task_rules.OPERATIONS:
            return task_handler.reply(turn, entities, self._tasks)
        match action:
            case ActionType.CREATE_AGENT:
                return agent_creation.begin_agent(turn, entities, self._store)
            case ActionType.CREATE_SKILL:
                return skill_handler.reply(turn, entities, self._skills)
            case ActionType.EXECUTE_TASK if runs.is_schedule_change(turn, entities, self._store):
                return agent_changes.reply(turn, entities, self._store)
            case ActionType.EXECUTE_TASK:
                return runs.reply(turn, entities, self._store)
            case ActionType.UPDATE_AGENT:
                return agent_changes.reply(turn, entities, self._store)
            case ActionType.QUERY_INFO:
                return self._recalled(turn, entities) or questions.reply(turn, entities, self._store)
            case ActionType.MANAGE_PLATFORM:
                return settings.reply(turn, entities, self._tenants)
            case ActionType.UNKNOWN:
                return small_talk.reply(turn)
            case _:
                assert_never(action)

    def _about_product(
        self, turn: TurnRequest, decision: Decision, *, certain: bool = False
    ) -> HandlerReply | None:
        """The answer to a question about the product; None for everything else, and for what a model read as
        something else. ``certain``: only when it is surely about the product.
        """
        action, operation = decision.action_type, RequestedEntities.of(decision.entities).operation
        is_open = action in (ActionType.QUERY_INFO, ActionType.UNKNOWN)
        if decision.source is DecisionSource.MODEL and (not is_open or operation not in (None, "help")):
            return None
        if questions.asks_for_help(turn.message) or questions.asks_who_sees_agents(turn.message):
            return None
        is_asked = action is ActionType.QUERY_INFO or small_talk.is_question(turn.message)
        if not is_asked or small_talk.is_small_talk(turn.message):
            return None
        continues = turn.note.about is not None and turn.note.about.kind == "answer"
        is_unsure = decision.needs_clarification(self._clarify_below)
        is_own = not continues and questions.is_about_own_work(turn.message, operation)
        return self._product_answers.answer(turn, certain=certain or is_own or not is_open or is_unsure)

    def _looked_up(self, turn: TurnRequest, decision: Decision) -> HandlerReply | None:
        """The answer to an explicit question about earlier messages, the product, costs or skills."""
        reply = self._remembered(turn) or self._about_product(turn, decision, certain=True)
        return reply or self._cost_handler.answer(turn) or skill_handler.reply_if_explicit(turn, self._skills)

    def _remembered(self, turn: TurnRequest) -> HandlerReply | None:
        """Return what was said before, when the message explicitly asks for it; else None."""
        recall = recall_questions.parse_recall_question(turn.message, turn.today)
        return self._recall_handler().answer(turn, recall) if recall else None

    def _recalled(self, turn: TurnRequest, entities: Entities) -> HandlerReply | None:
        wish = RequestedEntities.of(entities)
        return (
            self._recall_handler().answer_request(turn, wish)
            if wish.operation == recall_questions.OPERATION
            else None
        )

    def _choose(self, turn: TurnRequest, place: int, entities: Entities) -> HandlerReply:
        """Carry out the picked option; its entities take precedence over what else the message says. An
        option that a model filled with more than was said is asked in full first.
        """
        choices = turn.note.choices
        choice = choice_at(place, choices)
        if choice is None:
            return HandlerReply(
                agent_texts.no_such_choice(choices), Note(choices=choices, about=turn.note.about)
            )
        merged = {**without_answers(entities), **choice.entities}
        if merged.get("operation") == questions.RETHINK:
            return agent_creation.rethink_offer(turn, merged)
        if choice.action == ActionType.CREATE_AGENT:
            return agent_creation.take_option(turn, merged, self._store)
        reply = self._act(turn, ActionType(choice.action), merged)
        if choice.entities.get(UNSAID) is True and reply.effect is not None:
            return clarification.ask_first(reply.effect)
        return reply

    def _settle(self, turn: TurnRequest, pending: Pending, answer: str, entities: Entities) -> HandlerReply:
        """Carry out, drop or keep what waits for a yes."""
        said = without_answers(entities)
        is_proposal = pending.action == ActionType.CREATE_AGENT
        is_taken = answer in ("yes", "detail") or (answer == "no" and agent_creation.adds_details(turn, said))
        if is_proposal and is_taken:
            return agent_creation.accept_proposal(turn, pending, said, self._store)
        if answer == "yes":
            return self._act(turn, ActionType(pending.action), {**said, **pending.entities})
        if answer == "no" and (refused := runs.reply_to_refusal(turn, pending, self._store)) is not None:
            return refused
        if answer == "later":
            return HandlerReply(small_talk_texts.postponed(), Note(pending=pending, about=turn.note.about))
        return HandlerReply(small_talk_texts.declined(), Note(about=turn.note.about))

    def _go_on(self, turn: TurnRequest, decision: Decision) -> HandlerReply | None:
        """Return the wizard's reply; None when the message is not about the unfinished agent."""
        entities, wish = decision.entities, RequestedEntities.of(decision.entities)
        if wish.reply == "cancel" or is_cancel(turn.message):
            return agent_creation.drop_draft(turn)
        if wish.reply == "later":
            return agent_creation.postpone_draft(turn)
        if questions.RESUME in (
            wish.operation,
            questions.operation_of(turn.message),
        ) or questions.asks_to_show_draft(turn):
            return questions.describe_open_work(turn)
        said = agent_changes.flatten_change(entities)
        if self._is_for_the_wizard(turn, decision, wish, said):
            return agent_creation.continue_draft(turn, said, self._store)
        return None

    def _is_for_the_wizard(
        self, turn: TurnRequest, decision: Decision, wish: RequestedEntities, said: Entities
    ) -> bool:
        action = decision.action_type
        if action is ActionType.CREATE_AGENT:
            return True
        names_another = any((wish.agent_id, wish.agent_name, wish.ordinal, wish.choice))
        if names_another or runs.asks_for_result(turn.message):
            return False
        if wish.operation is None and agent_creation.answers_wizard(turn, said):
            return True
        if small_talk.is_small_talk(turn.message):
            return False
        if action is ActionType.UNKNOWN:
            return True
        if action is ActionType.UPDATE_AGENT and wish.operation in (None, "change", "rename"):
            return True
        if wish.operation is None and agent_creation.may_answer_wizard(turn):
            return True
        is_unsure = decision.needs_clarification(self._clarify_below)
        return (
            is_unsure
            and questions.operation_of(turn.message) is None
            and agent_creation.is_wizard_input(turn, said)
        )

    def _is_second_thought(self, turn: TurnRequest, decision: Decision) -> bool:
        """Whether the message takes something back about the agent just talked about, although it looks like
        a new request or is unclear.
        """
        is_open = decision.action_type in (ActionType.CREATE_AGENT, ActionType.UNKNOWN)
        is_unsure = decision.needs_clarification(self._clarify_below)
        about = turn.note.about
        return (
            (is_open or is_unsure)
            and about is not None
            and about.kind == "agent"
            and takes_back(turn.message)
            and not agent_creation.asks_for_new_agent(turn.message)
        )

    def _unknown(self, turn: TurnRequest, decision: Decision, entities: Entities) -> HandlerReply:
        if questions.operation_of(turn.message) is not None:
            return questions.reply(turn, entities, self._store)
        sentence = foreign_reply(turn.message) if decision.source is DecisionSource.OFFLINE else None
        if sentence is not None:
            return HandlerReply(sentence)
        may_mean = decision.alternative_action if decision.needs_clarification(self._clarify_below) else None
        if may_mean not in (None, ActionType.UNKNOWN) and not small_talk.is_small_talk(turn.message):
            return clarification.reply(turn, decision, self._store)
        return small_talk.reply(turn)


def _is_plain(turn: TurnRequest, decision: Decision) -> bool:
    """Whether the words themselves support the decision, however low its confidence."""
    if decision.is_ambiguous:
        return False
    if decision.action_type is ActionType.QUERY_INFO:
        return questions.operation_of(turn.message) is not None
    is_wish = decision.action_type is ActionType.CREATE_AGENT and agent_creation.asks_for_new_agent(
        turn.message
    )
    return is_wish and not turn.message.rstrip().endswith("?")


def _is_for_results(turn: TurnRequest, decision: Decision) -> bool:
    """Whether the message gives the agent just talked about a Slack address for its results, although it
    looks like a new skill. Slack addresses take posts and serve no tools.
    """
    about = turn.note.about
    is_about_agent = about is not None and about.kind == "agent"
    is_open = decision.action_type in (ActionType.CREATE_SKILL, ActionType.UNKNOWN)
    return is_about_agent and is_open and any(map(is_slack_url, extract_urls(turn.message).urls))
