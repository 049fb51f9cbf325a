"""Answers to wishes to run an agent. A run is recorded, never executed, and the reply says so."""

from __future__ import annotations

from agent import clarifying, targets, templates
from agent.agents import AgentCard
from agent.replies import Reply, Turn, reference, references
from agent.runs import Run, run_id_of_turn
from agent.store import AgentStore
from agent.wishes import Entities, Wish
from conversation.notes import Note


def reply(turn: Turn, entities: Entities, store: AgentStore) -> Reply:
    """The answer to a wish to have something done now."""
    wish = Wish.of(entities)
    card = targets.find(turn, wish, store)
    if card is not None:
        return _record(turn, card, store)
    cards = turn.visible()
    if wish.ordinal is not None or (not cards and wish.agent_name is not None):
        return Reply(templates.no_such_agent(cards), Note(listed=references(cards)))
    return clarifying.for_task(turn, entities)


def _record(turn: Turn, card: AgentCard, store: AgentStore) -> Reply:
    now = turn.situation.now
    run = Run.asked(card, run_id=run_id_of_turn(turn.turn_id, now), user=turn.caller.user, now=now)
    note = Note(did=f"recorded a run of {card.name}, not executed", about=reference(card))
    return Reply(
        templates.run_recorded(card), note, store.recording(turn.caller.tenant, run), ("record_run",)
    )
