"""The frames of a streamed turn, numbered, in the form that `edge.streaming.frame_views` describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pydantic import JsonValue

from edge.http.server_sent_events import Frame, FrameName, Members
from edge.views.conversations import AcceptedView, ChatReply, DecisionView, ToolCallView

RESTARTING = "restarting"


class FrameWriter:
    """Makes the frames of one turn, numbered from 1.

    The pieces of text since the beginning, or since the last restart, make up the message of the last frame,
    however that message came about.
    """

    def __init__(self) -> None:
        self._count = 0
        self._stage = ""
        self._sent: list[str] = []
        self._tools = 0

    def turn(
        self, *, turn_id: str, conversation_id: str, created: bool, stored: bool = True
    ) -> Iterator[Frame]:
        """The frame ``turn``: the message is durable, if it is stored."""
        data: dict[str, JsonValue] = {"turn_id": turn_id, "conversation_id": conversation_id}
        data |= {"created": created} if stored else {"created": created, "stored": False}
        yield self._frame("turn", data)

    def thinking(self, stage: str) -> Iterator[Frame]:
        """The frame ``thinking`` for a new stage; no frame when the stage is unchanged."""
        if stage != self._stage:
            self._stage = stage
            yield self._frame("thinking", {"stage": stage})

    def decision(self, decision: Callable[[], DecisionView]) -> Iterator[Frame]:
        """The frame ``decision``: the message is understood. Its view is made when the frame is read."""
        yield self._frame("decision", lambda: decision().model_dump(mode="json"))

    def tool(self, tool: ToolCallView) -> Iterator[Frame]:
        """The frame ``tool``: a tool was used."""
        self._tools += 1
        yield self._frame("tool", partial(tool.model_dump, mode="json"))

    def chunk(self, text: str) -> Iterator[Frame]:
        """The frame ``chunk`` with a piece of the reply; no frame for an empty one."""
        if text:
            self._sent.append(text)
            yield self._frame("chunk", {"text": text})

    def restart(self) -> Iterator[Frame]:
        """The frame that makes the text sent so far void."""
        self._sent.clear()
        self._stage = ""
        yield from self.thinking(RESTARTING)

    def done(self, reply: ChatReply, *, replayed: bool) -> Iterator[Frame]:
        """The frames of an answered turn: the rest of the text that was not sent yet, then the whole reply.

        Nothing was sent here yet of a reply that another invocation gave, now or before: its tools are told,
        too.
        """
        for tool in reply.metadata.tool_calls[self._tools :] if replayed else ():
            yield from self.tool(tool)
        content, sent = reply.message.content, "".join(self._sent)
        if not content.startswith(sent):
            yield from self.restart()
            sent = ""
        yield from self.chunk(content[len(sent) :])
        data = reply.model_dump(mode="json")
        yield self._frame("done", {**data, "replayed": True} if replayed else data)

    def written(self, name: FrameName, data: str) -> Iterator[Frame]:
        """A frame whose data was written before, for an earlier stream of the same turn."""
        self._tools += name == "tool"
        yield self._frame(name, data)

    def accepted(self, turn: AcceptedView) -> Iterator[Frame]:
        """The frame ``accepted``: the message is stored and will be answered later."""
        yield self._frame("accepted", turn.model_dump(mode="json"))

    def _frame(self, name: FrameName, content: str | Members | Callable[[], Members]) -> Frame:
        self._count += 1
        return Frame(self._count, name, content)
