"""Probes of two commands in one message: every ordered pair, joined in one of four ways."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from tests.evals.probes.commands import BY_NAME, Command
from tests.evals.probes.probe import Probe
from tests.evals.probes.world import given

PART = "pairs"

PAIRED = tuple(
    BY_NAME[name]
    for name in (
        "create-agent", "pause-agent", "resume-agent", "delete-agent", "rename-agent", "share-agent",
        "run-agent", "unshare-agent", "add-task", "complete-task", "change-due", "delete-task",
    )
)  # fmt: skip
"""Commands about different things, so that what a message does is the sum of both."""

JOINERS = {
    "and": "{first} and {second}",
    "then": "{first}, then {second}",
    "also": "{first}. Also {second}",
    "and-please": "{first}, and please {second}",
}


def pair_probes() -> Iterator[Probe]:
    """Every ordered pair; joiners and wordings take turns."""
    for number, (first, second) in enumerate(permutations(PAIRED, 2)):
        joiner = list(JOINERS)[number % len(JOINERS)]
        yield joined(first, second, joiner, number, f"{PART}/{first.name}/{second.name}/{joiner}")


def joined(first: Command, second: Command, joiner: str, number: int, name: str, undo: str = "") -> Probe:
    """The probe of two commands in one message."""
    texts = [command.texts[(number // len(JOINERS)) % len(command.texts)] for command in (first, second)]
    message = JOINERS[joiner].format(first=texts[0], second=texts[1])
    return Probe(
        id=name,
        given=given((*first.needs, *second.needs)),
        message=message[0].upper() + message[1:],
        effects=first.effects + second.effects,
        undo=undo,
    )
