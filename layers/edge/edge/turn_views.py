"""A turn under way as clients see it: what its stream told, and that it was asked to end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import Field, JsonValue

from conversation.frames import Frame
from conversation.repository import TurnProgress, TurnState
from edge.views import TurnView, View


class TurnEventView(View):
    """One frame of a turn's stream, as `POST /v1/chat/stream` sent it."""

    id: int
    event: str
    data: JsonValue


class WatchedTurnView(TurnView):
    """How far the answer is, and what its stream told behind a frame."""

    events: tuple[TurnEventView, ...] = Field(
        description="What was kept of them, while the state is `running`; `done`: the message says all."
    )
    last_event_id: int = Field(description="What to ask for as `after` next.")

    @classmethod
    def watched(cls, turn: TurnState, frames: Sequence[Frame], *, after: int) -> WatchedTurnView:
        """The turn with the frames that come after one."""
        events = tuple(
            TurnEventView(id=frame.id, event=frame.name, data=json.loads(frame.data)) for frame in frames
        )
        last = frames[-1].id if frames else after
        return cls(**dict(TurnView.of(turn)), events=events, last_event_id=last)


class StoppedTurnView(View):
    """A turn that was asked to end."""

    turn_id: str
    state: TurnProgress = Field(description="`done`: it is over. Otherwise it ends in a moment.")

    @classmethod
    def of(cls, turn: TurnState) -> StoppedTurnView:
        """The turn as its user sees it."""
        return cls(turn_id=turn.turn_id, state=turn.progress)
