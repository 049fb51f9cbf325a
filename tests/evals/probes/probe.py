"""A probe: what is said to a workspace of which state, and what should come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.evals.dialogues.format import Json
from tests.evals.probes.effects import Effect


@dataclass(frozen=True, slots=True)
class Probe:
    """One message, with what is said before it and what a person answers afterwards."""

    id: str
    """Its part, then what it is about: `wrappers/greeting/pause-agent`."""
    given: Json
    """As in a dialogue; made over REST."""
    message: str
    effects: tuple[Effect, ...] = ()
    """All that changes, from before the message."""
    told: tuple[str, ...] = ()
    """Regular expressions that the replies hold."""
    said_before: tuple[str, ...] = ()
    deleted_before: tuple[str, ...] = ()
    asks: str = ""
    """What is asked before the message, as `reply.asked` names it; empty: nothing."""
    answers: Mapping[str, str] = field(default_factory=lambda: {"confirm": "yes"})
    """What the person answers when asked, while something of the effects is lacking."""
    asks_before_deleting: bool = True
    """Whether agents may go only after a further yes."""
    undo: str = ""
    """What is said in the end to have everything as it was; empty: nothing."""

    @property
    def part(self) -> str:
        """The part of the suite it belongs to."""
        return self.id.partition("/")[0]
