"""The frames of a turn as the events of a run.

Stages are steps, the decision is a ``CUSTOM`` event. What an answer asks is the interrupt that the run ends
with. A stream can't take back a text: where ``restarting`` voids it, a snapshot of the messages leaves it
out.

Source: `Event` of the npm package `@ag-ui/core`, 1.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conversation.threads.questions import question_of
from edge.http.server_sent_events import Frame
from edge.wires.ag_ui.messages import (
    ClientMessage,
    answer_message,
    call_id,
    calls_id,
    result_id,
    result_of,
    tool_messages,
)
from edge.wires.ag_ui.requests import STATE, Run

PROTOCOL = "1.0"
ANSWERED_LATER = "The message is stored and will be answered later. A run without a new message reads on."

Event = Mapping[str, Any]


class EventWriter:
    """Writes the events of one run."""

    def __init__(self, run: Run, *, snapshot: Sequence[ClientMessage] | None = None) -> None:
        """``snapshot``: the messages before the answer, for a client that has others."""
        self._run = run
        self._had: Sequence[ClientMessage] = run.messages if snapshot is None else snapshot
        self._is_told = snapshot is None
        """Whether the client has the messages before the answer."""
        self._turn_id = ""
        self._step: str | None = None
        self._text: list[str] = []
        self._is_text_open = False
        self._tools: list[Mapping[str, Any]] = []

    def write(self, frame: Frame) -> bytes:
        """What the client gets for a frame."""
        return b"".join(map(encode_event, self._events(frame)))

    def _events(self, frame: Frame) -> Iterator[Event]:
        data = frame.members
        match frame.name:
            case "turn":
                yield from self._start(data["turn_id"])
            case "thinking" if data["stage"] == "restarting":
                yield from self._restart()
            case "thinking":
                yield from self._begin_step(data["stage"])
            case "decision":
                yield {"type": "CUSTOM", "name": "decision", "value": data}
            case "tool":
                yield from self._tool(data)
            case "chunk":
                yield from self._say(data["text"])
            case "done":
                yield from self._finish(data)
            case "accepted":
                yield from self._end_parts()
                yield {"type": "RUN_ERROR", "message": ANSWERED_LATER, "code": "answered_later"}
            case "error":
                yield run_error(data)

    def _start(self, turn_id: str) -> Iterator[Event]:
        self._turn_id = turn_id
        yield run_started(self._run)
        # A client whose stream was cut has a piece of the answer: the text would be added to it.
        if not self._is_told or len(self._before()) < len(self._had):
            yield self._messages()

    def _before(self) -> Sequence[ClientMessage]:
        """The messages that the client has besides those of this turn."""
        return [each for each in self._had if not str(each.get("id")).startswith(self._turn_id)]

    def _messages(self) -> Event:
        own = [*tool_messages(self._turn_id, self._tools)]
        if self._text:
            own.append(answer_message(self._turn_id, "".join(self._text)))
        return {"type": "MESSAGES_SNAPSHOT", "messages": [*self._before(), *own]}

    def _begin_step(self, name: str) -> Iterator[Event]:
        yield from self._end_step()
        self._step = name
        yield {"type": "STEP_STARTED", "stepName": name}

    def _end_step(self) -> Iterator[Event]:
        if self._step is not None:
            yield {"type": "STEP_FINISHED", "stepName": self._step}
            self._step = None

    def _tool(self, tool: Mapping[str, Any]) -> Iterator[Event]:
        yield from self._end_text()
        self._tools.append(tool)
        called = call_id(self._turn_id, len(self._tools))
        call = {"toolCallId": called}
        parent = {"toolCallName": tool["name"], "parentMessageId": calls_id(self._turn_id)}
        yield {"type": "TOOL_CALL_START", **call, **parent}
        yield {"type": "TOOL_CALL_ARGS", **call, "delta": tool.get("arguments") or "{}"}
        yield {"type": "TOOL_CALL_END", **call}
        result = {"messageId": result_id(called), "role": "tool", "content": result_of(tool)}
        yield {"type": "TOOL_CALL_RESULT", **call, **result}

    def _say(self, text: str) -> Iterator[Event]:
        if not self._is_text_open:
            self._is_text_open = True
            yield {"type": "TEXT_MESSAGE_START", "messageId": self._turn_id, "role": "assistant"}
        self._text.append(text)
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._turn_id, "delta": text}

    def _end_text(self) -> Iterator[Event]:
        if self._is_text_open:
            self._is_text_open = False
            yield {"type": "TEXT_MESSAGE_END", "messageId": self._turn_id}

    def _restart(self) -> Iterator[Event]:
        yield from self._end_text()
        if self._text:
            self._text.clear()
            yield self._messages()

    def _end_parts(self) -> Iterator[Event]:
        yield from self._end_text()
        yield from self._end_step()

    def _finish(self, reply: Mapping[str, Any]) -> Iterator[Event]:
        yield from self._end_parts()
        metadata, text = reply["metadata"], reply["message"]["content"]
        if (state := metadata.get("state")) is not None:
            known = self._run.state if isinstance(self._run.state, dict) else {}
            yield {"type": "STATE_SNAPSHOT", "snapshot": {**known, STATE: {"state": state}}}
        # A repeated request gets the answer of the first one's turn, whose ids count.
        is_repeated = metadata["turn_id"] != self._turn_id
        self._turn_id = metadata["turn_id"]
        interrupts = interrupts_of(self._turn_id, text, metadata)
        if interrupts or is_repeated:
            yield self._messages()
        yield run_finished(self._run, interrupts, {**metadata, "conversation_id": reply["conversation_id"]})


def encode_event(event: Event) -> bytes:
    """An event as it is sent."""
    return f"data: {json.dumps(event, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


def run_started(run: Run) -> Event:
    """The first event of a run."""
    return {
        "type": "RUN_STARTED",
        "threadId": run.thread_id,
        "runId": run.run_id,
        "protocolVersion": PROTOCOL,
    }


def run_finished(run: Run, interrupts: Sequence[Event], result: Mapping[str, Any]) -> Event:
    """The last event of a run; ``result`` is the metadata of its answer, empty: there is none."""
    outcome: Event = {"type": "success"}
    if interrupts:
        outcome = {"type": "interrupt", "interrupts": interrupts}
    elif result.get("partial"):
        outcome = {"type": "cancelled"}
    finished: dict[str, Any] = {
        "type": "RUN_FINISHED",
        "threadId": run.thread_id,
        "runId": run.run_id,
        "outcome": outcome,
    }
    told = {name: result[name] for name in _RESULT if result.get(name)}
    if told:
        finished["result"] = told
    if usage := list(_usage(result)):
        finished["usage"] = usage
    return finished


_RESULT = (
    "conversation_id", "turn_id", "options", "asks_yes_or_no", "partial", "persisted", "stored_later",
    "unprocessed",
)  # fmt: skip
"""What a result says of how the answer came about."""


def _usage(metadata: Mapping[str, Any]) -> Iterator[Event]:
    usage = metadata.get("usage") or {}
    sent, received = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    if sent or received:
        yield {"inputTokens": sent, "outputTokens": received, "totalTokens": sent + received}


def interrupts_of(turn_id: str, text: str, metadata: Mapping[str, Any]) -> Sequence[Event]:
    """What an answer asks, as the interrupt of its run; empty when it asks nothing."""
    question = question_of(turn_id, metadata)
    asked: dict[str, Any] = {"id": turn_id, "message": text}
    if question is None:
        return []
    if question.kind == "yes_or_no":
        return [
            {**asked, "reason": "confirmation", "responseSchema": _answer_of("approved", {"type": "boolean"})}
        ]
    schema = _answer_of("choice", {"type": "string", "enum": list(question.options)})
    return [{**asked, "reason": "input_required", "responseSchema": schema}]


def _answer_of(name: str, schema: Mapping[str, Any]) -> Event:
    return {"type": "object", "properties": {name: schema}, "required": [name]}


def run_error(problem: Mapping[str, Any]) -> Event:
    """A problem as the event that ends a run."""
    return {
        "type": "RUN_ERROR",
        "message": problem.get("detail") or problem["title"],
        "code": problem["code"],
    }
