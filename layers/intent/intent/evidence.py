"""What the rules find in a message before anything is decided: its gist, the agent it means, its reading."""

from __future__ import annotations

from dataclasses import dataclass

from intent import references
from intent.keywords import Reading, read
from intent.patterns import gist
from intent.references import Meant
from intent.situation import Situation


@dataclass(frozen=True, slots=True)
class Evidence:
    """``meant`` is the known agent the words mean, if any; ``own`` what they look like without a history."""

    text: str
    meant: Meant | None
    own: Reading


def evidence(situation: Situation) -> Evidence:
    """The evidence of a situation's message."""
    text = gist(situation.message)
    meant = references.agent_meant(text, situation)
    return Evidence(text, meant, read(text, names_agent=meant is not None))
