"""What answers the routes of A2A: the agent card, and the methods of JSON-RPC."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, TypeAlias

from aws_lambda_powertools.event_handler import Response
from pydantic import JsonValue

from conversation.errors import ConversationNotFound, DomainError
from conversation.identity import TurnId
from edge.http.problems import Problem, from_error
from edge.http.resolver import JSON
from edge.http.server_sent_events import EventStream, Frame
from edge.wires.a2a import agent_card as cards
from edge.wires.a2a import json_rpc
from edge.wires.a2a.events import EventWriter, write_task_event
from edge.wires.a2a.json_rpc import (
    EXTENDED_AGENT_CARD_NOT_CONFIGURED,
    METHOD_NOT_FOUND,
    PUSH_NOTIFICATION_NOT_SUPPORTED,
    TASK_NOT_CANCELABLE,
    UNSUPPORTED_OPERATION,
    VERSION_NOT_SUPPORTED,
    Call,
    CallRefused,
    error_of,
    parse_call,
    problem_error,
    result_of,
    to_json,
)
from edge.wires.a2a.requests import (
    WIRE,
    ListParams,
    Sent,
    TaskParams,
    parse_send,
    turn_of,
    validated,
)
from edge.wires.a2a.tasks import ENDED, Answer, Task, Turn, task_json, tasks_of, user_message
from edge.wires.wire import CLIENT_MESSAGE_ID, ConversationName, Turns, WireRequest

MAX_MESSAGES = 200
"""How many of the newest messages of a conversation are looked at."""
MAX_CONVERSATIONS = 10
"""How many of the newest conversations are looked at for a list of all tasks."""

Answered: TypeAlias = EventStream | Response[str]

write_problem = json_rpc.write_problem


def agent_card(public_url: str) -> Response[str]:
    """The assistant's card: ``GET /.well-known/agent-card.json``. It is the same for everybody."""
    body = json.dumps(cards.card(public_url), ensure_ascii=False)
    return Response(status_code=200, content_type=JSON, headers={"Cache-Control": "max-age=3600"}, body=body)


def call(request: WireRequest, turns: Turns) -> Answered:
    """Carry out a call: ``POST /a2a``."""
    call_id = json_rpc.call_id_of(request.body)
    try:
        return _carry_out(parse_call(request.body), request, turns)
    except CallRefused as refused:
        return _json(error_of(call_id, refused.number, refused.message))
    except (Problem, DomainError) as error:
        problem = error if isinstance(error, Problem) else from_error(error)
        described = json.loads(problem.body(""))
        return _json(
            problem_error(call_id, described), status=json_rpc.status_of(problem), headers=problem.headers
        )


def _carry_out(asked: Call, request: WireRequest, turns: Turns) -> Answered:
    version = request.headers.get("a2a-version") or cards.PROTOCOL_VERSION
    if version.partition(".")[0] != "1":
        raise CallRefused(VERSION_NOT_SUPPORTED, f"A2A {cards.PROTOCOL_VERSION} is spoken here.")
    method = _METHODS.get(asked.method)
    if method is None:
        raise CallRefused(METHOD_NOT_FOUND, "There is no such method.")
    return method(asked, request, turns)


def _send(asked: Call, request: WireRequest, turns: Turns) -> Response[str]:
    sent = parse_send(request, asked.params)
    frames = _begin(sent, turns)
    begun, last = _ends(frames)
    answer, turn_id = None, begun["turn_id"]
    if last.name == "done":
        reply = last.members
        answer = Answer(reply["message"]["content"], reply["metadata"], request.now)
        turn_id = reply["metadata"]["turn_id"]  # of a repeated message: its first turn
    turn = Turn(turn_id, sent.turn.message, _as_sent(sent), request.now, answer)
    task = _with_run(Task(str(sent.task or turn.id), [turn], is_open=True), turns)
    return _result(asked, {"task": task_json(task, history_length=sent.history_length)})


def _ends(frames: Iterator[Frame]) -> tuple[Mapping[str, Any], Frame]:
    """The data of the first frame, and the last one."""
    first, *others = frames
    return first.members, others[-1]


def _send_streaming(asked: Call, request: WireRequest, turns: Turns) -> EventStream:
    sent = parse_send(request, asked.params)
    turn = Turn("", sent.turn.message, _as_sent(sent), request.now, None)
    history = [] if sent.history_length == 0 else [user_message(turn, "", "")]
    writer = EventWriter(asked.id, task_id=str(sent.task or ""), context=sent.context, history=history)
    return EventStream(_begin(sent, turns), writer.write)


def _as_sent(sent: Sent) -> Mapping[str, Any]:
    return {**sent.turn.metadata, CLIENT_MESSAGE_ID: sent.body.messageId}


def _begin(sent: Sent, turns: Turns) -> Iterator[Frame]:
    """The frames of a message's turn.

    Raises:
        CallRefused: the message names a task that has ended, and is not one of that task already.
    """
    if sent.task is not None:
        task = _task(sent.task, turns)
        is_repeated = any(turn.sent.get(CLIENT_MESSAGE_ID) == sent.body.messageId for turn in task.turns)
        if task.state in ENDED and not is_repeated:
            raise CallRefused(UNSUPPORTED_OPERATION, "The task has ended: begin another one in its context.")
    return turns.begin(sent.turn)


def _task(turn: TurnId, turns: Turns) -> Task:
    """The task that began with a turn, with the run of its last one.

    Raises:
        Problem: turn_not_found: it is not among the newest messages of its conversation.
    """
    try:
        tasks = tasks_of(turns.history(turn.conversation_id, MAX_MESSAGES))
    except ConversationNotFound:
        tasks = []
    for task in tasks:
        if task.id == str(turn):
            return _with_run(task, turns)
    raise Problem("turn_not_found", "There is no such task.")


def _with_run(task: Task, turns: Turns) -> Task:
    return task._replace(run=turns.run(task.last.id)) if task.has_run else task


def _get(asked: Call, request: WireRequest, turns: Turns) -> Response[str]:
    params = validated(TaskParams, asked.params)
    task = _task(turn_of(request.caller, params.id), turns)
    return _result(asked, task_json(task, history_length=params.historyLength))


def _cancel(asked: Call, request: WireRequest, turns: Turns) -> Response[str]:
    """Stop a task, and wait until it has stopped. One that has ended, or waits for its user, is refused."""
    turn = turn_of(request.caller, validated(TaskParams, asked.params).id)
    task = _task(turn, turns)
    if task.last.answer is None:
        turns.cancel(task.last.id)
        for _frame in turns.replay(task.last.id).frames:
            pass
    elif task.has_run and task.state not in ENDED:
        turns.cancel_run(task.last.id)
    else:
        raise CallRefused(TASK_NOT_CANCELABLE, "The task is not at work.")
    return _result(asked, task_json(_task(turn, turns), history_length=0))


def _subscribe(asked: Call, request: WireRequest, turns: Turns) -> EventStream:
    """The events of a task that is at work, from its beginning."""
    task = _task(turn_of(request.caller, validated(TaskParams, asked.params).id), turns)
    if task.state in ENDED:
        raise CallRefused(UNSUPPORTED_OPERATION, "The task has ended: GetTask has it.")
    if task.last.answer is not None:
        return EventStream(_run_frames(task, turns), partial(write_task_event, asked.id))
    messages = task_json(task, history_length=None).get("history", ())
    writer = EventWriter(asked.id, task_id=task.id, context=task.context, history=messages)
    return EventStream(turns.replay(task.last.id).frames, writer.write)


def _run_frames(task: Task, turns: Turns) -> Iterator[Frame]:
    """The task, and again when the run has ended; once if it waits for its user."""
    numbers, shown = count(1), task_json(task, history_length=None)
    yield Frame(next(numbers), "done", to_json({"task": shown}))
    if not task.has_run:
        return
    for run in turns.follow_run(task.last.id):
        now = task_json(task._replace(run=run), history_length=None)
        if now["status"] == shown["status"]:
            continue
        shown = now
        ids = {"taskId": task.id, "contextId": task.context}
        if run is not None and run.output:
            artifact = {"artifact": now["artifacts"][-1], "append": False, "lastChunk": True}
            yield Frame(next(numbers), "done", to_json({"artifactUpdate": {**ids, **artifact}}))
        yield Frame(next(numbers), "done", to_json({"statusUpdate": {**ids, "status": now["status"]}}))


def _list(asked: Call, request: WireRequest, turns: Turns) -> Response[str]:
    params = validated(ListParams, asked.params)
    after = params.after
    tasks = [
        task
        for task in _listed(params, request, turns)
        if params.status in ("", "TASK_STATE_UNSPECIFIED", task.state)
        and (after is None or (task.changed_at is not None and task.changed_at > after))
    ]
    place = _place_after(params.pageToken, tasks)
    page = tasks[place : place + params.pageSize]
    has_more = place + len(page) < len(tasks)
    shown = [
        task_json(each, history_length=params.historyLength, with_artifacts=params.includeArtifacts)
        for each in page
    ]
    token = page[-1].id if has_more else ""
    total = {"pageSize": params.pageSize, "totalSize": len(tasks)}
    return _result(asked, {"tasks": shown, "nextPageToken": token, **total})


def _listed(params: ListParams, request: WireRequest, turns: Turns) -> list[Task]:
    """The tasks of a conversation, or of the newest ones; those that changed last come first."""
    if not request.keeps_history:
        return []
    if params.contextId:
        ids = [ConversationName.of(request.caller, WIRE, params.contextId).id]
    else:
        ids = [each.id for each in turns.list(MAX_CONVERSATIONS).conversations]
    tasks: list[Task] = []
    for conversation_id in ids:
        try:
            history = turns.history(conversation_id, MAX_MESSAGES)
        except ConversationNotFound:
            continue
        tasks += (_with_run(task, turns) for task in reversed(tasks_of(history)))
    return sorted(tasks, key=lambda task: task.changed_at or request.now, reverse=True)


def _place_after(token: str, tasks: list[Task]) -> int:
    if not token:
        return 0
    for place, task in enumerate(tasks, 1):
        if task.id == token:
            return place
    raise Problem("field_invalid", "pageToken: the list has no such place.")


def _refuse_notifications(_asked: Call, _request: WireRequest, _turns: Turns) -> Response[str]:
    raise CallRefused(PUSH_NOTIFICATION_NOT_SUPPORTED, "Tasks are not notified of.")


def _refuse_card(_asked: Call, _request: WireRequest, _turns: Turns) -> Response[str]:
    raise CallRefused(EXTENDED_AGENT_CARD_NOT_CONFIGURED, "There is one card, for everybody.")


_METHODS: Mapping[str, Callable[[Call, WireRequest, Turns], Answered]] = {
    "SendMessage": _send,
    "SendStreamingMessage": _send_streaming,
    "GetTask": _get,
    "ListTasks": _list,
    "CancelTask": _cancel,
    "SubscribeToTask": _subscribe,
    "CreateTaskPushNotificationConfig": _refuse_notifications,
    "GetTaskPushNotificationConfig": _refuse_notifications,
    "ListTaskPushNotificationConfigs": _refuse_notifications,
    "DeleteTaskPushNotificationConfig": _refuse_notifications,
    "GetExtendedAgentCard": _refuse_card,
}


def _result(asked: Call, result: Mapping[str, JsonValue] | Mapping[str, Any]) -> Response[str]:
    return _json(result_of(asked.id, result))


def _json(
    answer: Mapping[str, Any], *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[str]:
    return Response(status_code=status, content_type=JSON, headers=dict(headers or {}), body=to_json(answer))
