"""Whether a message accepts or declines the last offer. `agent.chat.master_agent` acts on the result."""

from __future__ import annotations

from collections.abc import Sequence

from agent.handler_interface import HandlerReply, TurnRequest
from agent.handlers import agent_creation, questions
from agent.requested_entities import Entities, RequestedEntities
from agent.templates import agent_texts
from agent.wizard.answer_parsing import parse_yes_no
from conversation.messages.models import RUN_CALL, TOOL_CALL, Choice, Note, Pending
from intent.decision import ActionType, Decision
from intent.entities.answers import parse_pick
from intent.offline.pending_answers import read_answer
from intent.regular_expressions import straighten_quotes


def answer_to_pending(
    pending: Pending, turn: TurnRequest, decision: Decision, wish: RequestedEntities, entities: Entities
) -> str | None:
    """Return the answer to the pending question ("yes", "no", "cancel", "later" or "detail"), even when the
    decision missed it; None when the message is no answer.

    "Ok, list my agents" is no yes to a deletion: only the yes to a proposal may say more, or consist of just
    the detail that would be asked next. The words alone decide; a model's answer never reaches this.
    """
    if pending.action in (TOOL_CALL, RUN_CALL):
        return None  # only the message's own yes counts, and it was looked for before
    if wish.reply is not None:
        return wish.reply
    is_proposal = pending.action == ActionType.CREATE_AGENT
    says_more = is_proposal and decision.action_type in (ActionType.CREATE_AGENT, ActionType.UNKNOWN)
    answer = parse_yes_no(turn.message, with_more=says_more)
    if answer is None and says_more and agent_creation.is_draft_detail(turn, pending, entities):
        return "detail"
    return answer or read_answer(turn.message, pending)


def is_single_offer(turn: TurnRequest) -> bool:
    """Whether only one thing was offered, besides the option to do it another way."""
    choices = turn.note.choices
    return len(choices) == 2 and choices[1].entities.get("operation") == questions.RETHINK


def ask_which_option(turn: TurnRequest) -> HandlerReply:
    """Return the options again, after a yes that does not say which one."""
    choices = turn.note.choices
    return HandlerReply(
        agent_texts.options_text(agent_texts.WHICH_OPTION, choices),
        Note(choices=choices, about=turn.note.about),
    )


MAX_NAME_WORDS = 4


def picked_option(turn: TurnRequest, wish: RequestedEntities) -> int | None:
    """The place of the option that the message picks, by number or by nothing but the name of its agent.

    Counted from 1, or from the end when negative; there may be no option at that place. None when nothing is
    picked.
    """
    choices = turn.note.choices
    place = wish.choice if wish.choice is not None else parse_pick(straighten_quotes(turn.message))
    if not choices or place is not None:
        return place if choices else None
    if wish.agent_id is None or len(turn.message.split()) > MAX_NAME_WORDS or _changes(wish):
        return None
    agents = [choice.entities.get("agent_id") for choice in choices]
    return agents.index(wish.agent_id) + 1 if agents.count(wish.agent_id) == 1 else None


def _changes(wish: RequestedEntities) -> bool:
    """Whether the message also says how an agent is to change, so that it is more than a name."""
    return any((wish.schedule_text, wish.cron, wish.new_name, wish.delivery))


def choice_at(place: int, choices: Sequence[Choice]) -> Choice | None:
    """Return the option at a place that `picked_option` returned; None when there is none."""
    place = len(choices) + 1 + place if place < 0 else place
    return choices[place - 1] if 1 <= place <= len(choices) else None
