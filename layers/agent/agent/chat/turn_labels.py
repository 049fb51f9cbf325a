"""Labels that a turn gives to an earlier message: by a pick after a question, or by a correction.

Only clear cases are learned; a wrong label does more harm than none. `agent.chat.labelled_examples` defines
and stores the examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.chat.labelled_examples import LabelSource, example_from_turn, example_to_item
from agent.chat.offers import choice_at, picked_option
from agent.handler_interface import TurnRequest
from agent.handlers import questions as asking
from agent.requested_entities import RequestedEntities
from conversation.messages.models import Choice, Message, Role
from intent.decision import ActionType, Decision, DecisionSource
from intent.patterns import LazyPattern, pattern, straighten_quotes
from intent.rules.scoring import score
from storage.table import Action, Put

MAX_CORRECTION = 300
_PLAIN = 0.7

_LEAD = r"\W*(?:(?:oh|ok|okay|um|hm+|but|and|wait|well|actually|sorry)\W+){0,4}"
_NO = r"(?:(?:no|nope|nah|wrong|sorry)\W+){1,3}"
_WANTED = r"i (?:(?:just|only|really|actually) )?(?:wanted|was asking|asked|was trying)"
_MEANT = r"i (?:(?:just|only|really|actually|rather) )?meant"
_MISTAKEN = (
    r"(?:(?:that's|that is|that was|this is|it's) )?not what i (?:meant|wanted|said|asked for|asked)"
    r"|(?:that's )?not what i was asking(?: for)?|(?:that's )?a misunderstanding"
    r"|you(?:'ve| have)? (?:misunderstood(?: me)?|got (?:me|it|that) wrong)"
    r"|i (?:didn't|did not) (?:want|mean|ask for) [^,.;:!?\n]{1,60}"
    r"|not (?:a|another) new (?:one|agent|bot|automation)"
)
_CORRECTION = pattern(
    rf"{_LEAD}(?:(?:{_NO})?(?:{_MISTAKEN})\W+(?:(?:but )?(?:{_WANTED}|{_MEANT}) )?"
    rf"|{_NO}{_WANTED} |(?:{_NO})?{_MEANT} |{_NO}i mean )(?:you )?(?:to )?(?P<wish>\w[\s\S]*)"
)
_CHANGES = LazyPattern(
    r"\b(change|edit|update|modify|adjust|amend|pause|resume|stop|disable|enable|rename|delete|remove"
    r"|(switch|turn) (it |that )?(off|on)|existing|old one)\b"
)
"""A change of an agent, named as such. "I meant weekly" only changes a detail that was understood well."""
_NO_NEW_AGENT = LazyPattern(r"\b(existing|old one|already have|not (a|another) new)\b")


class _Exchange(NamedTuple):
    """A user's message, its reply, and the messages before it."""

    message: Message
    reply: Message
    before: tuple[Message, ...]

    def decision(self) -> Decision | None:
        """The stored decision about the message; None for a reply that apologised for an error of ours."""
        stored = self.reply.metadata.get("decision")
        return Decision.model_validate(stored) if isinstance(stored, dict) else None

    def answers_question(self) -> bool:
        """Whether the message answered a question of ours; it says too little alone."""
        asked = next((said.note for said in reversed(self.before) if said.role is Role.ASSISTANT), None)
        return asked is not None and bool(asked.choices or asked.pending or asked.draft is not None)


def labels_from_turn(turn: TurnRequest, decision: Decision, *, clarify_below: float) -> tuple[Action, ...]:
    """Return the writes that store a label for an earlier message; usually none.

    Safe to repeat: their key derives from the turn.
    """
    return _from_pick(turn, decision, clarify_below) or _from_correction(turn, decision, clarify_below)


def _from_pick(turn: TurnRequest, decision: Decision, below: float) -> tuple[Action, ...]:
    place = picked_option(turn, RequestedEntities.of(decision.entities)) if turn.note.choices else None
    choice = choice_at(place, turn.note.choices) if place else None
    asked = _offered(turn.situation.history, turn.note.choices) if choice else None
    was = asked.decision() if asked else None
    if choice is None or asked is None or was is None or not _is_unclear(was, below):
        return ()
    if choice.entities.get("operation") == asking.RETHINK:
        return ()
    return _kept(turn, asked, was, ActionType(choice.action), "picked")


def _from_correction(turn: TurnRequest, decision: Decision, below: float) -> tuple[Action, ...]:
    correction = _CORRECTION.fullmatch(straighten_quotes(turn.message)) if _may_correct(turn) else None
    latest = next(_exchanges(turn.situation.history), None) if correction else None
    was = latest.decision() if latest else None
    if correction is None or latest is None or was is None or latest.answers_question():
        return ()
    label = _meant(correction["wish"], turn, decision, below)
    if label is None or (label is was.action_type and not _is_unclear(was, below)):
        return ()
    return _kept(turn, latest, was, label, "corrected")


def _may_correct(turn: TurnRequest) -> bool:
    return bool(turn.situation.history) and len(turn.message) <= MAX_CORRECTION


def _meant(wish: str, turn: TurnRequest, decision: Decision, below: float) -> ActionType | None:
    """Return the action that a correction names; None when it is unclear or the decision contradicts it."""
    own, is_sure = score(wish, names_agent=True), not _is_unclear(decision, below)
    if own.action is not ActionType.UNKNOWN and own.confidence >= _PLAIN:
        agree = own.action is decision.action_type or not is_sure or _leaves_setup(turn, decision)
        is_named = own.action is not ActionType.UPDATE_AGENT or _CHANGES.search(wish)
        return own.action if agree and is_named else None
    by_model = is_sure and decision.source is DecisionSource.MODEL
    return decision.action_type if by_model and decision.action_type is not ActionType.UPDATE_AGENT else None


def _leaves_setup(turn: TurnRequest, decision: Decision) -> bool:
    """Whether the message wants no new agent, although the rules take it for an answer about the unfinished
    one, as they take nearly every message.
    """
    is_taken_for_answer = (
        decision.source is DecisionSource.OFFLINE and decision.action_type is ActionType.CREATE_AGENT
    )
    return is_taken_for_answer and turn.note.draft is not None and bool(_NO_NEW_AGENT.search(turn.message))


def _is_unclear(decision: Decision, below: float) -> bool:
    return decision.needs_clarification(below) or decision.action_type is ActionType.UNKNOWN


def _offered(history: Sequence[Message], choices: Sequence[Choice]) -> _Exchange | None:
    """The exchange that first offered the choices; the reply to an invalid pick offers them again."""
    first = None
    for exchange in _exchanges(history):
        if exchange.reply.note.choices != choices:
            break
        first = exchange
    return first


def _exchanges(history: Sequence[Message]) -> Iterator[_Exchange]:
    """Yield the exchanges within the context, newest first."""
    for place in range(len(history) - 2, -1, -2):
        message, reply = history[place], history[place + 1]
        if (message.role, reply.role) != (Role.USER, Role.ASSISTANT):
            return
        yield _Exchange(message, reply, tuple(history[:place]))


def _kept(
    turn: TurnRequest, exchange: _Exchange, was: Decision, label: ActionType, lesson: LabelSource
) -> tuple[Action, ...]:
    example = example_from_turn(
        turn, exchange.message, exchange.before, decision=was, label=label, lesson=lesson
    )
    return (Put(example_to_item(turn.caller.tenant, example)),)
