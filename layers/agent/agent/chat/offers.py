"""Whether a message takes or leaves what was offered last. What comes of it is `agent.chat.master`'s
business."""

from __future__ import annotations

from collections.abc import Sequence

from agent.handler_interface import Reply, Turn
from agent.handlers import agent_creation as creating
from agent.handlers import questions as asking
from agent.requested_entities import Entities, Wish
from agent.templates import agents as templates
from agent.wizard.answer_parsing import yes_or_no
from conversation.messages.models import Choice, Note, Pending
from intent.decision import ActionType, Decision
from intent.entities.answers import pick_in
from intent.patterns import straight


def answer_to(pending: Pending, turn: Turn, decision: Decision, wish: Wish, entities: Entities) -> str | None:
    """Yes, no, cancel, later or a detail to what is pending, also where the decision does not say so.

    "Ok, list my agents" is no yes to a deletion: only the yes to a proposal may go on to say more, or say
    nothing but what would be asked next.
    """
    if wish.reply is not None:
        return wish.reply
    is_proposal = pending.action == ActionType.CREATE_AGENT
    says_more = is_proposal and decision.action_type in (ActionType.CREATE_AGENT, ActionType.UNKNOWN)
    answer = yes_or_no(turn.message, with_more=says_more)
    if answer is None and says_more and creating.is_detail(turn, pending, entities):
        return "detail"
    return answer


def is_one_offer(turn: Turn) -> bool:
    """Whether but one thing was offered, besides the way out."""
    choices = turn.note.choices
    return len(choices) == 2 and choices[1].entities.get("operation") == asking.RETHINK


def which_option(turn: Turn) -> Reply:
    """A yes to several options, which are offered once more."""
    choices = turn.note.choices
    return Reply(
        templates.options(templates.WHICH_OPTION, choices), Note(choices=choices, about=turn.note.about)
    )


MAX_NAME_WORDS = 4


def picked(turn: Turn, wish: Wish) -> int | None:
    """The place of the option that the message picks: by number, or by nothing but the name of its agent.

    Counted from 1, or from the end when negative; it need not exist. None when nothing is picked.
    """
    choices = turn.note.choices
    place = wish.choice if wish.choice is not None else pick_in(straight(turn.message))
    if not choices or place is not None:
        return place if choices else None
    if wish.agent_id is None or len(turn.message.split()) > MAX_NAME_WORDS or _changes(wish):
        return None
    agents = [choice.entities.get("agent_id") for choice in choices]
    return agents.index(wish.agent_id) + 1 if agents.count(wish.agent_id) == 1 else None


def _changes(wish: Wish) -> bool:
    """Whether the message says what an agent is to be like: it is no mere name then."""
    return any((wish.schedule_text, wish.cron, wish.new_name, wish.delivery))


def choice_at(place: int, choices: Sequence[Choice]) -> Choice | None:
    """The option at a place that `picked` gave; None when there is none."""
    place = len(choices) + 1 + place if place < 0 else place
    return choices[place - 1] if 1 <= place <= len(choices) else None
