"""What answers the routes of the AG-UI wire."""

from __future__ import annotations

import json
from contextlib import suppress

from aws_lambda_powertools.event_handler import Response

from conversation.errors import ConversationNotFound, ProposalClosed
from conversation.messages.models import Role
from edge.http.problems import Problem
from edge.http.resolver import JSON
from edge.http.server_sent_events import HEADERS, MEDIA_TYPE, EventStream
from edge.wires.ag_ui.events import (
    EventWriter,
    encode_event,
    interrupts_of,
    run_error,
    run_finished,
    run_started,
)
from edge.wires.ag_ui.messages import ClientMessage, stored_messages
from edge.wires.ag_ui.requests import CONTEXT_ROLES, WIRE, Run, parse_run
from edge.wires.wire import ConversationName, History, Turns, WireRequest

MAX_MESSAGES = 200
"""How many of the newest messages a client gets back. `GET /v1/conversations/{id}/messages` has them all."""

Answered = EventStream | Response[bytes]


def run_agent(request: WireRequest, turns: Turns) -> Answered:
    """Answer a message or a `resume`, or tell what was said and what is being answered: ``POST /ag-ui``."""
    run = parse_run(request)
    if run.turn is None:
        return _read_on(run, turns)
    try:
        return EventStream(turns.begin(run.turn), EventWriter(run).write)
    except ProposalClosed:
        # A client can't go on before it has left a question, even one that was answered elsewhere.
        if run.only_declines:
            return _read_on(run, turns)
        raise


def stop(request: WireRequest, turns: Turns) -> Response[str]:
    """End the newest answer; what was said of it is kept. Without one, nothing happens."""
    with suppress(ConversationNotFound):
        turns.stop(ConversationName.of(request.caller, WIRE, request.path["thread_id"]).id)
    return Response(status_code=204, body="")


def write_problem(problem: Problem, request_id: str) -> tuple[str, str]:
    """A problem as the event that would end a run: the body of the response."""
    described = json.loads(problem.body(request_id))
    return JSON, json.dumps(run_error(described), ensure_ascii=False)


def _read_on(run: Run, turns: Turns) -> Answered:
    """The messages of the thread, and the answer that is being made, if there is one."""
    try:
        history = turns.history(run.conversation.id, MAX_MESSAGES)
        followed = turns.follow(run.conversation.id) if history.waiting else None
    except ConversationNotFound:
        return _whole(run, None)
    if followed is None:
        return _whole(run, history)
    return EventStream(followed.frames, EventWriter(run, snapshot=_snapshot(run, history)).write)


def _whole(run: Run, history: History | None) -> Response[bytes]:
    """A run that tells what is stored; None: the thread has not begun."""
    events = [run_started(run)]
    newest = history.messages[-1] if history and history.messages else None
    if history is not None:
        events.append({"type": "MESSAGES_SNAPSHOT", "messages": _snapshot(run, history)})
    if newest is None or newest.role is not Role.ASSISTANT:
        events.append(run_finished(run, (), {}))
    else:
        interrupts = interrupts_of(newest.turn_id, newest.content, newest.metadata)
        place = {"conversation_id": newest.conversation_id, "turn_id": newest.turn_id}
        events.append(run_finished(run, interrupts, place))
    body = b"".join(map(encode_event, events))
    return Response(status_code=200, content_type=MEDIA_TYPE, headers=dict(HEADERS), body=body)


def _snapshot(run: Run, history: History) -> list[ClientMessage]:
    """What is stored, behind what the client's page instructs: messages of these roles are its own."""
    own = [each for each in run.messages if each.get("role") in CONTEXT_ROLES]
    return [*own, *stored_messages(history)]
