"""What a turn teaches about the tenant's own wording: a message corrected, or an option picked for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from agent.dialogue.held_acts import AskedQuestion
from agent.handler_interface import TurnRequest
from conversation.identity import Caller
from conversation.messages.models import Role
from conversation.tenants.lessons import TaughtLesson, lesson_id, lesson_writes
from intent.acts.act import ActKind, Thing
from intent.decision import Decision
from intent.entities.answers import parse_pick
from intent.lessons.learned_wording import LEARNABLE
from intent.lessons.said_corrections import corrected_message, correction_in, wish_in
from intent.lessons.wording import masked_wording
from intent.regular_expressions import straighten_quotes
from storage.table import Action

_SURE = 0.5


def new_lesson(
    message: str,
    kind: ActKind,
    *,
    agents: Sequence[Thing],
    caller: Caller,
    turn_id: str,
    now: datetime,
    retention_days: int,
) -> TaughtLesson | None:
    """Return what it teaches that a message means an act of a kind; None for a message too long for it, and
    for kinds that nothing is learned of.

    ``agents`` are the user's: their names are masked.
    """
    wording = masked_wording(message, agents)
    if kind not in LEARNABLE or not wording:
        return None
    lesson = lesson_id(caller.tenant, caller.user, wording)
    return TaughtLesson(
        lesson, caller.user, wording, kind.value, turn_id, now, now + timedelta(days=retention_days)
    )


def lessons_from_turn(turn: TurnRequest, decision: Decision) -> tuple[Action, ...]:
    """Return the writes that keep what the turn's message teaches about an earlier one; usually none.

    Safe to repeat: their key derives from the user and the words.
    """
    taught = _corrected(turn, decision) or _picked(turn)
    if taught is None:
        return ()
    message, kind = taught
    lesson = new_lesson(
        message,
        kind,
        agents=[Thing(agent.id, agent.name, agent.summary) for agent in turn.situation.agents],
        caller=turn.caller,
        turn_id=turn.turn_id,
        now=turn.situation.now,
        retention_days=turn.roster.record.policy.retention_days,
    )
    return () if lesson is None else lesson_writes(turn.caller.tenant, lesson, turn.roster.lessons)


def _corrected(turn: TurnRequest, decision: Decision) -> tuple[str, ActKind] | None:
    """Return an earlier message with the kind of act that the present one says it meant."""
    if (said := correction_in(turn.situation)) is not None:
        return said.message, said.kind
    if wish_in(turn.message) is None or (message := corrected_message(turn.situation.history)) is None:
        return None
    # ``No, I wanted to run ward-census`` is itself the act that was meant.
    acts = [act for act in decision.reading.acts if act.kind is not ActKind.NO] if decision.reading else []
    is_plain = len(acts) == 1 and bool(acts[0].meant.things) and acts[0].confidence >= _SURE
    return (message, acts[0].kind) if is_plain else None


def _picked(turn: TurnRequest) -> tuple[str, ActKind] | None:
    """Return the unclear message that options were offered for, with the kind of the option picked."""
    question = AskedQuestion.of(turn.note.question)
    place = parse_pick(straighten_quotes(turn.message)) if question is not None else None
    if question is None or place is None:
        return None
    options = question.waiting
    place = len(options) + 1 + place if place < 0 else place
    kinds = {option.kind for option in options}
    if not 1 <= place <= len(options) or len(kinds) < 2:
        return None  # which thing was meant says nothing of the words
    said = turn.situation.last_text(Role.USER)
    is_pick = parse_pick(straighten_quotes(said)) is not None
    return (said, options[place - 1].kind) if said and not is_pick else None
