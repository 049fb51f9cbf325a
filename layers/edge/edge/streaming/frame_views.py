"""What the frames of a streamed turn hold, for the API's description; `edge.streaming.frames` makes them.

No function imports it: `local.openapi` does.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from edge.views.base import ProblemView, View
from edge.views.conversations import AcceptedView, ChatReply, DecisionView, ToolCallView

Stage: TypeAlias = Literal[
    "waiting",
    "reading",
    "understanding",
    "acting",
    "routing",
    "answering",
    "storing",
    "restarting",
]


class StartedView(View):
    """The message is stored, and can't be lost from here on, unless the frame says otherwise."""

    turn_id: str
    conversation_id: str
    created: bool = Field(description="Whether this message began the conversation.")
    stored: bool = Field(
        default=True,
        description="False: storage is out of reach, or no history is kept. `done` says whether it will be.",
    )


class ThinkingView(View):
    """What is being done now."""

    stage: Stage = Field(description="`restarting`: the text said so far is void.")


class ChunkView(View):
    """The next piece of the reply."""

    text: str


class StreamedReply(ChatReply):
    """What the route without a stream answers."""

    replayed: bool = Field(default=False, description="The stored answer to an earlier request of this key.")


class Problem(ProblemView):
    """A refusal, as RFC 9457 has it."""


class _Frame(View):
    id: int = Field(description="Counts from 1 within the stream; a broken one is read on behind it.")


class TurnFrame(_Frame):
    """The first one."""

    event: Literal["turn"]
    data: StartedView


class ThinkingFrame(_Frame):
    """Tells what is being done."""

    event: Literal["thinking"]
    data: ThinkingView


class DecisionFrame(_Frame):
    """Tells how the message was understood."""

    event: Literal["decision"]
    data: DecisionView


class ToolFrame(_Frame):
    """Tells that a tool was used."""

    event: Literal["tool"]
    data: ToolCallView


class ChunkFrame(_Frame):
    """All since the beginning, or since `restarting`, are together the content of the reply."""

    event: Literal["chunk"]
    data: ChunkView


class DoneFrame(_Frame):
    """The last one of a turn that is answered."""

    event: Literal["done"]
    data: StreamedReply


class AcceptedFrame(_Frame):
    """The last one of a turn that has to wait longer than the stream: it will be answered later."""

    event: Literal["accepted"]
    data: AcceptedView


class ErrorFrame(_Frame):
    """The last one of a turn that failed."""

    event: Literal["error"]
    data: Problem


TurnEvent: TypeAlias = Annotated[
    TurnFrame
    | ThinkingFrame
    | DecisionFrame
    | ToolFrame
    | ChunkFrame
    | DoneFrame
    | AcceptedFrame
    | ErrorFrame,
    Field(discriminator="event"),
]
"""One frame: ``id: 3``, ``event: chunk``, ``data: {"text": "Good "}`` and an empty line."""
