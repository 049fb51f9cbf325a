"""The frames of a turn as ChatKit's events, and problems as its event `error`.

Source: `ThreadStreamEvent` of the package `openai-chatkit`, 1.6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from conversation.identity import TurnId
from edge.http.problems import STATUSES, Problem
from edge.http.server_sent_events import Frame
from edge.wires.chatkit.items import answer_id, answer_item, choice_item, text_part, thread, user_item

Event = Mapping[str, Any]
_STAGES = {
    "waiting": "Waiting for earlier messages",
    "understanding": "Reading the message",
    "acting": "Working on it",
    "routing": "Choosing a model",
    "answering": "Writing",
}
"""What is told of a stage; of others nothing."""
ANSWERED_LATER = "This takes longer. The answer will be here when the thread is opened again."


class EventWriter:
    """Writes the events of one turn.

    Closing a stream does not stop its turn, so clients are told not to offer it; an action does.
    """

    def __init__(self, *, said: str | None, thread_id: str | None = None) -> None:
        """``said`` None: the message has its item already; ``thread_id`` None: the turn begins a thread."""
        self._said = said
        self._begins = thread_id is None
        self._thread_id = thread_id or ""
        self._turn_id = ""
        self._is_open = False

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame."""
        if frame.name == "decision":
            return b""  # it is no event of a thread, and is made only where it is read
        return b"".join(map(_encoded, self._events(frame.name, frame.members)))

    def _events(self, name: str, data: Mapping[str, Any]) -> Iterator[Event]:
        match name:
            case "turn":
                yield from self._begin(data)
            case "thinking":
                if data["stage"] == "restarting" and self._is_open:
                    yield self._update("content_part.added", content=text_part(""))
                elif data["stage"] in _STAGES:
                    yield {"type": "progress_update", "text": _STAGES[data["stage"]]}
            case "tool":
                yield {"type": "progress_update", "text": f"Used {data['name']}"}
            case "chunk":
                yield from self._open()
                yield self._update("content_part.text_delta", delta=data["text"])
            case "done":
                yield from self._finish(data)
            case "accepted":
                yield {"type": "notice", "level": "info", "message": ANSWERED_LATER}
            case "error":
                yield error_event(data)
            case _:
                pass

    def _begin(self, turn: Mapping[str, Any]) -> Iterator[Event]:
        self._turn_id = turn["turn_id"]
        self._thread_id = self._thread_id or turn["conversation_id"]
        made = TurnId.parse(self._turn_id)
        if self._begins and made is not None:
            yield {"type": "thread.created", "thread": thread(self._thread_id, made.made_at())}
        if self._said is not None:
            item = user_item(self._turn_id, self._thread_id, self._said)
            yield {"type": "thread.item.done", "item": item}
        yield {"type": "stream_options", "stream_options": {"allow_cancel": False}}

    def _open(self) -> Iterator[Event]:
        if self._is_open:
            return
        self._is_open = True
        yield {"type": "thread.item.added", "item": answer_item(self._turn_id, self._thread_id, None)}
        yield self._update("content_part.added", content=text_part(""))

    def _update(self, kind: str, **members: Any) -> Event:
        update = {"type": f"assistant_message.{kind}", "content_index": 0, **members}
        return {"type": "thread.item.updated", "item_id": answer_id(self._turn_id), "update": update}

    def _finish(self, reply: Mapping[str, Any]) -> Iterator[Event]:
        text, answered = reply["message"]["content"], reply["metadata"].get("turn_id", self._turn_id)
        if answered != self._turn_id:
            yield from self._go_over_to(answered)
        yield from self._open()
        yield self._update("content_part.done", content=text_part(text))
        yield {"type": "thread.item.done", "item": answer_item(self._turn_id, self._thread_id, text)}
        choice = choice_item(self._turn_id, self._thread_id, reply["metadata"])
        if choice is not None:
            yield {"type": "thread.item.done", "item": choice}

    def _go_over_to(self, turn_id: str) -> Iterator[Event]:
        """A repeated message has the answer of its first turn, which is another one than has begun here."""
        begun, self._turn_id = self._turn_id, turn_id
        if self._is_open:
            self._is_open = False
            yield {"type": "thread.item.removed", "item_id": answer_id(begun)}
        if self._said is not None:
            item = user_item(begun, self._thread_id, self._said)
            yield {"type": "thread.item.removed", "item_id": item["id"]}
            item = user_item(turn_id, self._thread_id, self._said)
            yield {"type": "thread.item.done", "item": item}


def error_event(problem: Mapping[str, Any]) -> Event:
    """A problem's members as an event."""
    code = problem["code"]
    return {
        "type": "error",
        "code": "custom",
        "message": f"{problem.get('detail') or problem['title']} ({code})",
        "allow_retry": STATUSES[code] == 429 or STATUSES[code] >= 500,
    }


def write_problem(problem: Problem, request_id: str) -> tuple[str, str]:
    """The body of a refused request: the event that would have ended its stream."""
    return "application/json", json.dumps(
        error_event(json.loads(problem.body(request_id))), ensure_ascii=False
    )


def _encoded(event: Event) -> bytes:
    return b"data: " + json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
