"""Questions about calls that were held back: which one was asked, and what a yes to a run's call does.

A yes to a call of the chat's own is made by `agent.inference.question_answering`.
"""

from __future__ import annotations

from agent.handler_interface import HandlerReply, TurnRequest
from agent.templates import held_call_texts
from agent.workspace.agent_store import AgentStore
from agent.workspace.errors import RunNotFound
from agent.workspace.runs import Run, Trigger, run_id_of_turn
from conversation.messages.models import MAIL_CODE, RUN_CALL, TOOL_CALL, Note, Pending, Reference, Role


def open_question(turn: TurnRequest) -> Pending | None:
    """Return what the previous reply waits for, a yes to a held call or a code, if it was asked here.

    An imported conversation may hold anything, so a question in it is not ours.
    """
    newest = next((each for each in reversed(turn.situation.history) if each.role is Role.ASSISTANT), None)
    if newest is None or newest.imported or newest.note.pending is None:
        return None
    return newest.note.pending if newest.note.pending.action in (TOOL_CALL, RUN_CALL, MAIL_CODE) else None


def approve_call(turn: TurnRequest, pending: Pending, store: AgentStore) -> HandlerReply:
    """The reply to a yes to a run's held call: a run makes exactly this call; the next one is asked about."""
    run = _run(turn, str(pending.entities.get("run_id")), store)
    held = run.held_call(str(pending.entities.get("call"))) if run is not None else None
    if run is None or held is None:
        return HandlerReply(held_call_texts.WITHDRAWN)
    if held.approved_by is not None:
        return HandlerReply(held_call_texts.ALREADY_APPROVED, Note(about=_reference(run)))
    now = turn.situation.now
    approved = run.approving(
        held,
        run_id=run_id_of_turn(turn.turn_id, now),
        now=now,
        trigger=Trigger.CHAT,
        conversation_id=turn.conversation_id,
    )
    waiting = [call for call in run.held_calls if call.approved_by is None and call.id != held.id]
    note = Note(did=f"approved a call of {run.agent_name}", about=_reference(approved))
    text = held_call_texts.approved(held, run.agent_name)
    if waiting:
        text = f"{text}\n\n{held_call_texts.ask_for_approval(waiting[0])}"
        note = note.model_copy(update={"pending": held_call_texts.approval_question(run, waiting[0])})
    effects = store.runs.approval_actions(turn.caller.tenant, run, approved)
    return HandlerReply(text, note, effects, ("approve_call",))


def _run(turn: TurnRequest, run_id: str, store: AgentStore) -> Run | None:
    try:
        return store.runs.get(turn.caller, run_id)
    except RunNotFound:
        return None


def _reference(run: Run) -> Reference:
    return Reference(kind="run", id=run.id, name=run.agent_name)
