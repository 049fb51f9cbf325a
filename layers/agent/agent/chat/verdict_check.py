"""Checks a model's decision against the user's own words before it has an effect.

What the words do not bear out is asked in full first, and nothing is stored under another name meanwhile:
a yes, read by ourselves, does exactly what the question said. `agent.word_support` compares words.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from agent.handler_interface import HandlerReply, TurnRequest
from agent.handlers import clarification
from agent.requested_entities import OURS, UNSAID
from agent.word_support import HeardVerdict, bears_out, hear_verdict
from conversation.messages.models import Choice, Note
from intent.decision import ActionType, Decision, DecisionSource
from intent.rules.named_acts import Act, act_of, names_act, refuses_act

LOG = logging.getLogger("omniforge.chat")
_BARE = frozenset({"agent_id", "agent_name"})

MOST_WORDS_OF_A_WISH = 150
"""A longer message may be somebody else's text that doesn't look like one."""

Answer = Callable[[Decision], HandlerReply | None]


def heard(turn: TurnRequest, decision: Decision) -> HeardVerdict:
    """What may be done about the decision; a reading of our own is borne out by definition."""
    if decision.source is DecisionSource.MODEL:
        return hear_verdict(decision, turn.situation, turn.caller.user)
    entities = {key: value for key, value in decision.entities.items() if key not in OURS}
    own = decision.model_copy(update={"entities": entities})
    return HeardVerdict(own, own)


def answer(
    turn: TurnRequest,
    verdict: HeardVerdict,
    by: Callable[[TurnRequest, Decision], HandlerReply | None],
) -> HandlerReply | None:
    """The answer to the decision; a model's has no effect that the user's words don't bear out."""
    if verdict.decision.source is not DecisionSource.MODEL:
        return answer_by_own_reading(turn, by(turn, verdict.decision))
    return answer_checked(turn, verdict, lambda decision: by(turn, decision))


def answer_checked(turn: TurnRequest, heard: HeardVerdict, answer: Answer) -> HandlerReply | None:
    """The answer to a model's decision: as the words bear it out, else a question in its place.

    ``answer`` has no effect by itself. It is called a second time, with what the words say, when that is
    less.
    """
    full = answer(heard.decision)
    if full is None:
        return None
    said = full if heard.is_said else answer(heard.said)
    if not full.effects:
        return replace(full, note=_with_doubts(turn, full.note, said.note if said else Note()))
    if full.effect is None:
        LOG.error("effect refused", extra={"reason": "no_description"})
        return None
    is_same = said is not None and said.effects == full.effects
    if is_same and bears_out(full.effect, heard.decision, turn.situation):
        return full
    return clarification.ask_first(full.effect)


def answer_by_own_reading(turn: TurnRequest, reply: HandlerReply | None) -> HandlerReply | None:
    """The answer to a decision of our own; a question in its place where the words refuse what it would do,
    or are so many that they may be a text of somebody else.
    """
    if reply is None or reply.effect is None:
        return reply
    is_long = len(turn.message.split()) > MOST_WORDS_OF_A_WISH
    return (
        clarification.ask_first(reply.effect)
        if is_long or refuses_act(turn.message, reply.effect.act)
        else reply
    )


def _with_doubts(turn: TurnRequest, note: Note, said: Note) -> Note:
    """The note with marks on what it keeps for later, where a model put in more than the words say."""
    updates: dict[str, object] = {}
    if note.draft is not None and (note.draft != said.draft or not _asks_for_agent(turn)):
        updates["draft"] = {**note.draft, UNSAID: True}
    pending = note.pending
    if pending is not None and pending.action == ActionType.CREATE_AGENT and pending != said.pending:
        draft = pending.entities.get("draft")
        if isinstance(draft, dict):
            entities = {**pending.entities, "draft": {**draft, UNSAID: True}}
            updates["pending"] = pending.model_copy(update={"entities": entities})
    if note.choices:
        is_same = note.choices == said.choices
        updates["choices"] = tuple(_with_doubt(turn, choice, is_said=is_same) for choice in note.choices)
    return note.model_copy(update=updates) if updates else note


def _with_doubt(turn: TurnRequest, choice: Choice, *, is_said: bool) -> Choice:
    """The option; marked when its label doesn't name all that it would do, and the words don't either."""
    act = act_of(ActionType(choice.action), choice.entities)
    is_plain = act is None or choice.entities.keys() <= _BARE or (is_said and names_act(turn.message, act))
    if is_plain:
        return choice
    return choice.model_copy(update={"entities": {**choice.entities, UNSAID: True}})


def _asks_for_agent(turn: TurnRequest) -> bool:
    """Whether the words ask for an agent, or one was being set up before."""
    return turn.note.draft is not None or names_act(turn.message, Act.CREATE)
