"""Whether a message takes or leaves what was offered last. What comes of it is `agent.master`'s business."""

from __future__ import annotations

from agent import asking, creating, templates
from agent.answers import yes_or_no
from agent.replies import Reply, Turn
from agent.wishes import Entities, Wish
from conversation.notes import Note, Pending
from intent.decision import ActionType, Decision


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
