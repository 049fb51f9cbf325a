"""What the rules find in a message before anything is decided: its gist, the agent it means, its reading."""

from __future__ import annotations

from typing import NamedTuple

from intent import references
from intent.keywords import Reading, read
from intent.patterns import gist
from intent.references import Meant
from intent.situation import Situation


class Evidence(NamedTuple):
    """``meant`` is the known agent the words mean, if any; ``own`` what they look like without a history.

    ``nameless`` is the text without that agent's name: ``quota-nudge`` says nothing of what is wanted.
    """

    text: str
    nameless: str
    meant: Meant | None
    own: Reading


def evidence(situation: Situation) -> Evidence:
    """The evidence of a situation's message."""
    text = gist(situation.message)
    meant = references.agent_meant(text, situation)
    nameless = references.without_name(text, meant.name) if meant else text
    return Evidence(text, nameless, meant, read(nameless, names_agent=meant is not None))
