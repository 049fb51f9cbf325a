"""The frames of a streamed turn: what happens, in the words and numbers of `edge.streaming.frame_views`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from pydantic import BaseModel, JsonValue

from edge.http.event_stream import Frame, FrameName
from edge.views.conversations import AcceptedView, ChatReply, DecisionView, ToolCallView

RESTARTING = "restarting"


class TurnFrames:
    """Makes the frames of one turn, numbered from 1.

    The pieces of text since the beginning, or since the last restart, are together what the last frame's
    message says, however it came about.
    """

    def __init__(self) -> None:
        self._made = 0
        self._stage = ""
        self._said: list[str] = []

    def started(
        self, *, turn_id: str, conversation_id: str, created: bool, stored: bool = True
    ) -> Iterator[Frame]:
        """The message is durable, where it is stored."""
        told: dict[str, JsonValue] = {"turn_id": turn_id, "conversation_id": conversation_id}
        told |= {"created": created} if stored else {"created": created, "stored": False}
        yield self._frame("turn", _json(told))

    def thinking(self, stage: str) -> Iterator[Frame]:
        """What is being done now; nothing when that was said already."""
        if stage != self._stage:
            self._stage = stage
            yield self._frame("thinking", _json({"stage": stage}))

    def decided(self, decision: DecisionView) -> Iterator[Frame]:
        """The message is understood."""
        yield self._frame("decision", _dumped(decision))

    def used(self, tool: ToolCallView) -> Iterator[Frame]:
        """A tool did something."""
        yield self._frame("tool", _dumped(tool))

    def said(self, text: str) -> Iterator[Frame]:
        """A piece of the reply."""
        if text:
            self._said.append(text)
            yield self._frame("chunk", _json({"text": text}))

    def restarted(self) -> Iterator[Frame]:
        """The text said so far is void."""
        self._said.clear()
        self._stage = ""
        yield from self.thinking(RESTARTING)

    def done(self, reply: ChatReply, *, replayed: bool) -> Iterator[Frame]:
        """The turn is answered: what was not said of the reply yet, then all there is to know of it.

        A reply that somebody else gave, now or before, was not said here at all.
        """
        content, said = reply.message.content, "".join(self._said)
        if not content.startswith(said):
            yield from self.restarted()
            said = ""
        yield from self.said(content[len(said) :])
        told = reply.model_dump(mode="json")
        yield self._frame("done", _json({**told, "replayed": True} if replayed else told))

    def accepted(self, turn: AcceptedView) -> Iterator[Frame]:
        """The message is stored, and will be answered later."""
        yield self._frame("accepted", _dumped(turn))

    def _frame(self, name: FrameName, data: str) -> Frame:
        self._made += 1
        return Frame(self._made, name, data)


def _json(value: Mapping[str, JsonValue]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _dumped(view: BaseModel) -> str:
    return view.model_dump_json()
