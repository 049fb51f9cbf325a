"""Probes of undoing: every command that changes something, alone and with another one, and then "undo"."""

from __future__ import annotations

from collections.abc import Iterator

from tests.evals.probes.commands import COMMANDS
from tests.evals.probes.pairs import JOINERS, PAIRED, joined
from tests.evals.probes.probe import Probe
from tests.evals.probes.wrappers import probe_of

PART = "undo"

WORDINGS = ("undo that", "take that back please", "no, put it back the way it was", "revert that", "Undo!")


def undo_probes() -> Iterator[Probe]:
    """Every change undone by "undo" and in other words, and messages with two changes undone at once."""
    changing = [command for command in COMMANDS if command.changes]
    for number, command in enumerate(changing):
        others = WORDINGS[number % len(WORDINGS)]
        yield probe_of(command, f"{PART}/{command.name}/plain", command.texts[0], undo="undo")
        yield probe_of(command, f"{PART}/{command.name}/words", command.texts[-1], undo=others)
    # What waits for a yes is another turn's change.
    paired = [command for command in PAIRED if command.changes and command.name != "delete-agent"]
    for number, first in enumerate(paired):
        second = paired[(number + 1) % len(paired)]
        joiner = list(JOINERS)[number % len(JOINERS)]
        name = f"{PART}/{first.name}+{second.name}/both"
        yield joined(first, second, joiner, 0, name, undo="undo")
