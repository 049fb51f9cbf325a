"""The frames of a turn as the events of a streamed task.

The first event is the task. The answer is an artifact that grows; what `restarting` voids is replaced.

Source: `StreamResponse` of the package `a2a-sdk`, 1.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from conversation.clock import from_text
from edge.http.server_sent_events import Frame
from edge.wires.a2a.json_rpc import CallId, problem_error, result_of, to_json
from edge.wires.a2a.tasks import (
    INPUT_REQUIRED,
    WORKING,
    Answer,
    answer_artifact,
    starts_run,
    state_of,
    status_json,
)

Event = Mapping[str, Any]
ANSWER_LATER = {"accepted": True}


class EventWriter:
    """Writes the events of one turn of a task."""

    def __init__(
        self,
        call_id: CallId,
        *,
        task_id: str = "",
        context: str = "",
        history: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """``task_id`` empty: the turn begins the task; ``context`` empty: it is our id of the conversation.
        ``history``: the messages of the task so far, without the ids that are known only now.
        """
        self._call_id = call_id
        self._task_id = task_id
        self._context = context
        self._history = history
        self._turn_id = ""
        self._told: str | None = None
        """What the artifact says so far; None: nothing of it that counts."""

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame."""
        if frame.name == "decision":
            return b""  # it is no event of a task, and is made only where it is read
        data = frame.members
        if frame.name == "error":
            return b"event: error\n" + _data(problem_error(self._call_id, data))
        return b"".join(_data(result_of(self._call_id, event)) for event in self._events(frame.name, data))

    def _events(self, name: str, data: Mapping[str, Any]) -> Iterator[Event]:
        match name:
            case "turn":
                yield self._begin(data)
            case "thinking":
                if data["stage"] == "restarting":
                    self._told = None
                yield self._status(WORKING, metadata={"stage": data["stage"]})
            case "tool":
                yield self._status(WORKING, metadata={"tool": data})
            case "chunk":
                yield self._say(data["text"])
            case "done":
                yield from self._finish(data)
            case "accepted":
                yield self._status(WORKING, metadata=ANSWER_LATER)
            case _:
                pass

    def _begin(self, turn: Mapping[str, Any]) -> Event:
        self._turn_id = turn["turn_id"]
        self._task_id = self._task_id or turn["turn_id"]
        self._context = self._context or turn["conversation_id"]
        ids = {"taskId": self._task_id, "contextId": self._context}
        task: dict[str, Any] = {"id": self._task_id, "contextId": self._context, "status": {"state": WORKING}}
        if self._history:
            task["history"] = [{**message, **ids} for message in self._history]
        metadata = {"turn_id": self._turn_id, "conversation_id": turn["conversation_id"]}
        return {"task": {**task, "metadata": metadata}}

    def _say(self, text: str, *, is_last: bool = False) -> Event:
        appends = self._told is not None
        self._told = (self._told or "") + text
        return {
            "artifactUpdate": {
                "taskId": self._task_id,
                "contextId": self._context,
                "artifact": answer_artifact(self._turn_id, text),
                "append": appends,
                "lastChunk": is_last,
            }
        }

    def _finish(self, reply: Mapping[str, Any]) -> Iterator[Event]:
        text, answered = reply["message"]["content"], reply["metadata"].get("turn_id", self._turn_id)
        if answered != self._turn_id:
            # A repeated message has the answer of its first turn, which is another one than has begun here.
            self._task_id, self._told = self._task_id.replace(self._turn_id, answered), None
            yield self._begin({"turn_id": answered, "conversation_id": reply["conversation_id"]})
        if not text.startswith(self._told or ""):
            self._told = None
        yield self._say(text[len(self._told or "") :], is_last=True)
        metadata = reply["metadata"]
        state = WORKING if starts_run(metadata) else state_of(metadata)
        at = from_text(reply["message"]["created_at"])
        question = Answer(text, metadata, at) if state == INPUT_REQUIRED else None
        yield self._status(state, at=at, question=question, metadata=_told_of(metadata))

    def _status(
        self,
        state: str,
        *,
        metadata: Mapping[str, Any],
        at: datetime | None = None,
        question: Answer | None = None,
    ) -> Event:
        where = (self._task_id, self._context, self._turn_id)
        return {
            "statusUpdate": {
                "taskId": self._task_id,
                "contextId": self._context,
                "status": status_json(state, at, where, question),
                "metadata": metadata,
            }
        }


def _told_of(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """What clients may want to know of an answer; ``state`` goes with the next message where none is kept."""
    return {
        name: metadata[name] for name in ("state", "usage", "persisted") if metadata.get(name) is not None
    }


def write_task_event(call_id: CallId, frame: Frame) -> bytes:
    """What the client gets for a frame whose data is an event already."""
    data = frame.members
    if frame.name == "error":
        return b"event: error\n" + _data(problem_error(call_id, data))
    return _data(result_of(call_id, data))


def _data(answer: Mapping[str, Any]) -> bytes:
    return f"data: {to_json(answer)}\n\n".encode()
