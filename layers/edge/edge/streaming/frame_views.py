"""The contents of a streamed turn's frames, for the API's description; `edge.streaming.frame_writer` makes
them.

Only `local.openapi` imports this module; no function does.
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
    """The message is stored and can't be lost from here on, unless `stored` is false."""

    turn_id: str
    conversation_id: str
    created: bool = Field(description="Whether this message began the conversation.")
    stored: bool = Field(
        default=True,
        description="False: storage is out of reach, or no history is kept. `done` says whether it will be.",
    )


class ThinkingView(View):
    """The current step of the turn."""

    stage: Stage = Field(description="`restarting`: the text said so far is void.")


class ChunkView(View):
    """The next piece of the reply."""

    text: str


class StreamedReply(ChatReply):
    """The reply, as the route without a stream returns it."""

    replayed: bool = Field(default=False, description="The stored answer to an earlier request of this key.")


class Problem(ProblemView):
    """An error in the form of RFC 9457."""


class _Frame(View):
    id: int = Field(description="Counts from 1 within the stream; a broken one is read on behind it.")


class TurnFrame(_Frame):
    """The first frame of a turn."""

    event: Literal["turn"]
    data: StartedView


class ThinkingFrame(_Frame):
    """Tells which step the turn has reached."""

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
    """A piece of the reply: all pieces since the beginning, or since `restarting`, make up its content."""

    event: Literal["chunk"]
    data: ChunkView


class DoneFrame(_Frame):
    """The last frame of a turn that is answered."""

    event: Literal["done"]
    data: StreamedReply


class AcceptedFrame(_Frame):
    """The last frame of a turn that outlasts the stream: it will be answered later."""

    event: Literal["accepted"]
    data: AcceptedView


class ErrorFrame(_Frame):
    """The last frame of a turn that failed."""

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
