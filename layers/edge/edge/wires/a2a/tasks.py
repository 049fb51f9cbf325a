"""Tasks: the turns of a conversation as A2A shows them.

A task is the turn that it began with, has that turn's id, and goes on with the messages that name it. What it
says are artifacts, one for each turn. A turn that starts an agent's run is at work until the run has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from conversation.clock import to_text
from conversation.identity import TurnId
from conversation.messages.models import Role
from edge.wires.a2a.requests import CONTEXT, TASK
from edge.wires.shown_files import ShownFile, shown_files
from edge.wires.wire import CLIENT_MESSAGE_ID, History, Run

WORKING, COMPLETED, FAILED, CANCELED, INPUT_REQUIRED = (
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
)
ENDED = frozenset({COMPLETED, FAILED, CANCELED})
_OF_RUNS = {
    "queued": WORKING,
    "running": WORKING,
    "succeeded": COMPLETED,
    "failed": FAILED,
    "timed_out": FAILED,
    "cancelled": CANCELED,
}


class Answer(NamedTuple):
    """What was answered."""

    text: str
    metadata: Mapping[str, Any]
    at: datetime


class Turn(NamedTuple):
    """A message of the user, and the answer to it once there is one."""

    id: str
    said: str
    sent: Mapping[str, Any]
    """The metadata of the message."""
    received_at: datetime | None
    answer: Answer | None
    files: Sequence[ShownFile] = ()


class Task(NamedTuple):
    """The turns of a task, oldest first."""

    id: str
    turns: Sequence[Turn]
    is_open: bool
    """Whether nothing was said since that is not part of it."""
    run: Run | None = None
    """The run that its last turn has started."""

    @property
    def last(self) -> Turn:
        """Its newest turn."""
        return self.turns[-1]

    @property
    def has_run(self) -> bool:
        """Whether its last turn has started a run."""
        return self.last.answer is not None and starts_run(self.last.answer.metadata)

    @property
    def state(self) -> str:
        """A `TaskState`."""
        answer = self.last.answer
        if answer is None:
            return WORKING
        state = state_of(answer.metadata, self.run)
        return COMPLETED if state == INPUT_REQUIRED and not self.is_open else state

    @property
    def changed_at(self) -> datetime | None:
        """When its state last changed, as far as known."""
        if self.run is not None:
            return self.run.changed_at
        return self.last.answer.at if self.last.answer else self.last.received_at

    @property
    def context(self) -> str:
        """The conversation's name, as the client gave it, else our id."""
        named = next(
            (turn.sent.get(CONTEXT) for turn in reversed(self.turns) if turn.sent.get(CONTEXT)), None
        )
        return str(named or self.id.partition(".")[0])


def tasks_of(history: History) -> list[Task]:
    """The tasks of a conversation, by their newest turns, oldest first."""
    turns = _turns(history)
    grouped: dict[str, list[Turn]] = {}
    for turn in turns:
        begun = str(turn.sent.get(TASK) or turn.id)
        grouped[begun] = [*grouped.pop(begun, ()), turn]
    return [Task(name, of_task, is_open=of_task[-1] is turns[-1]) for name, of_task in grouped.items()]


def _turns(history: History) -> list[Turn]:
    turns: dict[str, Turn] = {}
    for message in history.messages:
        if message.deleted or "run_id" in message.metadata:
            continue  # the result of a run is part of the turn that started it
        if message.role is Role.USER:
            files = tuple(shown_files(message.attachments, history.files))
            said = Turn(message.turn_id, message.content, message.metadata, message.created_at, None, files)
            turns[message.turn_id] = said
        elif message.role is Role.ASSISTANT:
            begun = turns.get(message.turn_id, Turn(message.turn_id, "", {}, None, None))
            answer = Answer(message.content, message.metadata, message.created_at)
            turns[message.turn_id] = begun._replace(answer=answer)
    for waiting in history.waiting:
        files = tuple(shown_files(waiting.attachments, history.files))
        turns[waiting.turn_id] = Turn(
            waiting.turn_id, waiting.content, waiting.metadata, waiting.received_at, None, files
        )
    return list(turns.values())


def state_of(metadata: Mapping[str, Any], run: Run | None = None) -> str:
    """The state of a task whose last answer has this metadata."""
    if metadata.get("partial"):
        return CANCELED
    if metadata.get("unprocessed"):
        return FAILED
    if run is not None:
        return INPUT_REQUIRED if run.is_over and run.asks else _OF_RUNS[run.status]
    return INPUT_REQUIRED if _asks(metadata) else COMPLETED


def starts_run(metadata: Mapping[str, Any]) -> bool:
    """Whether the turn of an answer has started a run."""
    calls = metadata.get("tool_calls") or ()
    return any(
        isinstance(call, dict) and call.get("name") == "run_agent" and call.get("ok", True) for call in calls
    )


def _asks(metadata: Mapping[str, Any]) -> bool:
    return any(metadata.get(name) for name in ("asks", "asks_yes_or_no", "options"))


def task_json(task: Task, *, history_length: int | None, with_artifacts: bool = True) -> Mapping[str, Any]:
    """A task as it is sent; ``history_length`` None: with all its messages."""
    messages = list(_messages(task))
    kept = messages if history_length is None else messages[len(messages) - history_length :]
    shown: dict[str, Any] = {"id": task.id, "contextId": task.context, "status": _status(task)}
    if with_artifacts:
        shown["artifacts"] = list(_artifacts(task))
    if kept and history_length != 0:
        shown["history"] = kept
    return {**shown, "metadata": {"turn_id": task.last.id, "conversation_id": task.id.partition(".")[0]}}


def _status(task: Task) -> Mapping[str, Any]:
    answer = task.last.answer
    question = answer if answer is not None and task.state == INPUT_REQUIRED else None
    return status_json(task.state, task.changed_at, (task.id, task.context, task.last.id), question)


def status_json(
    state: str, at: datetime | None, where: tuple[str, str, str], question: Answer | None = None
) -> Mapping[str, Any]:
    """A status; ``where`` are the ids of the task, the context and the turn, ``question`` what it asks."""
    status: dict[str, Any] = {"state": state}
    if at is not None:
        status["timestamp"] = to_text(at)
    if question is not None:
        status["message"] = _agent_message(question, *where)
    return status


def _agent_message(answer: Answer, task_id: str, context: str, turn_id: str) -> Mapping[str, Any]:
    told = {
        name: answer.metadata[name] for name in ("options", "asks_yes_or_no") if answer.metadata.get(name)
    }
    return {
        "messageId": f"said-{_ulid(turn_id)}",
        "contextId": context,
        "taskId": task_id,
        "role": "ROLE_AGENT",
        "parts": [{"text": answer.text}],
        "metadata": told,
    }


def user_message(turn: Turn, task_id: str, context: str) -> Mapping[str, Any]:
    """A message of the user as it is given back."""
    return {
        "messageId": str(turn.sent.get(CLIENT_MESSAGE_ID) or turn.id),
        "contextId": context,
        "taskId": task_id,
        "role": "ROLE_USER",
        "parts": [{"text": turn.said}, *map(_file_part, turn.files)],
    }


def _file_part(shown: ShownFile) -> Mapping[str, Any]:
    return {"url": shown.url, "filename": shown.file.name, "mediaType": shown.file.media_type}


def _messages(task: Task) -> Iterator[Mapping[str, Any]]:
    """What the user said, and what was asked in between."""
    for turn in task.turns:
        if turn.said:
            yield user_message(turn, task.id, task.context)
        if turn.answer is not None and turn is not task.last:
            yield _agent_message(turn.answer, task.id, task.context, turn.id)


def _artifacts(task: Task) -> Iterator[Mapping[str, Any]]:
    for turn in task.turns:
        if turn.answer is not None:
            yield answer_artifact(turn.id, turn.answer.text)
    if task.run is not None and task.run.output:
        yield run_artifact(task.last.id, task.run.output)


def answer_artifact(turn_id: str, text: str) -> Mapping[str, Any]:
    """The artifact of a turn's answer, or of a piece of it."""
    return {"artifactId": f"answer-{_ulid(turn_id)}", "name": "answer", "parts": [{"text": text}]}


def run_artifact(turn_id: str, output: str) -> Mapping[str, Any]:
    """The artifact of the result of the run that a turn has started."""
    return {"artifactId": f"result-{_ulid(turn_id)}", "name": "result", "parts": [{"text": output}]}


def _ulid(turn_id: str) -> str:
    turn = TurnId.parse(turn_id)
    return turn.ulid if turn else turn_id
