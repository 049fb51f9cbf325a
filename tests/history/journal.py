"""What real processes note while they live: a file per life, written line by line, that survives SIGKILL.

On a machine with more to do than it can, a process may stand still for so long that its lease runs out, as it
does where a test stops it. Somebody else rightly answers then; so it notes how long it stood still.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.history.records import Asked, Event, Stalled, from_lines, to_line
from tests.history.short_timeouts import LEASE_S, RENEW_EVERY_S

UNTIL_IT_DIED = -1.0
"""In place of the end of a question that is still being asked."""

TICK_S = 0.05
STALL_S = 0.2
"""What takes so much longer than it should counts as a stall."""
LOSES_THE_LEASE_S = LEASE_S - 2 * RENEW_EVERY_S
"""Who stands still for less renews in time, with one renewal to spare."""


class Journal:
    """Notes events, from any thread."""

    def __init__(self, path: Path) -> None:
        # Written at once and past any buffer: what is written stays when the process is killed.
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    @classmethod
    def of_process(cls, folder: Path, name: str) -> Journal:
        """The journal of this process."""
        return cls(folder / f"{name}.{os.getpid()}.jsonl")

    def note(self, event: Event) -> None:
        """Keep the event."""
        os.write(self._file, f"{to_line(event)}\n".encode())

    def note_stalls(self) -> None:
        """From now on, note when the process stood still."""
        threading.Thread(target=self._tick, name="stalls", daemon=True).start()

    @contextmanager
    def timed(self) -> Iterator[None]:
        """A storage request; it is noted where it stood still."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._note_stall(began, STALL_S)

    def _tick(self) -> None:
        while True:
            began = time.monotonic()
            time.sleep(TICK_S)
            self._note_stall(began, TICK_S + STALL_S)

    def _note_stall(self, began: float, longest_s: float) -> None:
        ended = time.monotonic()
        if ended - began > longest_s:
            self.note(Stalled(began, ended))


@contextmanager
def asking(journal: Journal, turn_id: str) -> Iterator[None]:
    """A model is being asked for the turn meanwhile."""
    asked = Asked(turn_id.partition(".")[0], turn_id, time.monotonic(), UNTIL_IT_DIED)
    journal.note(asked)
    try:
        yield
    finally:
        journal.note(asked._replace(ended=time.monotonic()))


def events_in(folder: Path, name: str = "") -> list[Event]:
    """All events of the journals whose names begin so, by their time."""
    files = sorted(folder.glob(f"{name}*.jsonl"))
    return sorted((event for file in files for event in _life(file)), key=_moment)


def _life(file: Path) -> Iterator[Event]:
    """The events of one process. What it was asking of a model when it died, it asked up to then; and when it
    stood still for too long to keep its lease, up to where it began to.
    """
    events = list(from_lines(file.read_text().splitlines()))
    stalls = [event for event in events if isinstance(event, Stalled)]
    unanswered: dict[tuple[str, float], Asked] = {}
    for event in events:
        match event:
            case Stalled():
                pass
            case Asked(ended=ended) if ended == UNTIL_IT_DIED:
                unanswered[event.turn_id, event.began] = event
            case Asked():
                del unanswered[event.turn_id, event.began]
                yield _heard(event, stalls)
            case _:
                yield event
    last = max(map(_moment, events), default=0.0)
    for asked in unanswered.values():
        yield _heard(asked._replace(ended=last), stalls)


def _heard(asked: Asked, stalls: Sequence[Stalled]) -> Asked:
    """The question for as long as its answer may still count."""
    # The lease it is asked under may be as old as a lease gets: what came between counts as well.
    held_since = asked.began - LEASE_S
    meanwhile = sorted(each for each in stalls if each.began < asked.ended and each.ended > held_since)
    still_s, until = 0.0, held_since
    for each in meanwhile:
        still_s += max(0.0, min(each.ended, asked.ended) - max(each.began, until))
        until = max(until, each.ended)
    if still_s < LOSES_THE_LEASE_S:
        return asked
    return asked._replace(ended=max(asked.began, meanwhile[0].began))


def _moment(event: Event) -> float:
    return max(event.began, event.ended) if isinstance(event, Asked | Stalled) else event.at
