"""What a returning user is told: what waits for a yes, or what was done last."""

from __future__ import annotations

from agent.handler_interface import HandlerReply, TurnRequest
from agent.templates import open_work_texts
from conversation.messages.models import Note


def describe(turn: TurnRequest) -> HandlerReply:
    """Return what waits for a yes, else what was done last; an unfinished agent is told of elsewhere."""
    pending = turn.note.pending
    if pending is not None:
        note = Note(pending=pending, about=turn.note.about)
        return HandlerReply(open_work_texts.still_pending(pending.summary), note)
    did = next((earlier.did for earlier in turn.earlier_notes() if earlier.did), None) or _last_decision(turn)
    return HandlerReply(open_work_texts.last_done(did) if did else open_work_texts.nothing_open())


def _last_decision(turn: TurnRequest) -> str | None:
    """Return the last decision in the summary, which covers what is older than the context; else None."""
    summary = turn.situation.summary
    return summary.decisions[-1].text.partition(": ")[2] if summary and summary.decisions else None
