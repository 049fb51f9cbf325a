"""The journals of real processes: one file per process, written line by line, so that it survives SIGKILL.

On an overloaded machine, a process may stall for so long that its lease expires, just as when a test stops
it. Another process may then answer the turn. So each process records its own stalls.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.history.records import Event, ModelCalled, Stalled, from_lines, to_line
from tests.history.short_timeouts import LEASE_S, RENEW_EVERY_S

STILL_IN_PROGRESS = -1.0
"""The end of a model call that is still in progress."""

TICK_S = 0.05
STALL_S = 0.2
"""A delay of this length counts as a stall."""
MAX_STALL_S = LEASE_S - 2 * RENEW_EVERY_S
"""After a shorter stall a process renews its lease in time, with one renewal to spare."""


class Journal:
    """Records events from any thread."""

    def __init__(self, path: Path) -> None:
        # Unbuffered: written lines survive when the process is killed.
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    @classmethod
    def of_process(cls, folder: Path, name: str) -> Journal:
        """Open the journal of this process."""
        return cls(folder / f"{name}.{os.getpid()}.jsonl")

    def note(self, event: Event) -> None:
        """Record the event."""
        os.write(self._file, f"{to_line(event)}\n".encode())

    def note_stalls(self) -> None:
        """Start recording the stalls of this process."""
        threading.Thread(target=self._tick, name="stalls", daemon=True).start()

    @contextmanager
    def time_request(self) -> Iterator[None]:
        """Time a storage request inside the ``with`` block and record it when it stalls."""
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
def record_model_call(journal: Journal, turn_id: str) -> Iterator[None]:
    """Record a model call for the turn that lasts as long as the ``with`` block."""
    asked = ModelCalled(turn_id.partition(".")[0], turn_id, time.monotonic(), STILL_IN_PROGRESS)
    journal.note(asked)
    try:
        yield
    finally:
        journal.note(asked._replace(ended=time.monotonic()))


def events_in(folder: Path, name: str = "") -> list[Event]:
    """Return all events of the journals with this name prefix, ordered by time."""
    files = sorted(folder.glob(f"{name}*.jsonl"))
    return sorted((event for file in files for event in _life(file)), key=_moment)


def _life(file: Path) -> Iterator[Event]:
    """Yield the events of one process.

    A model call in progress at its death ends then. A model call during a stall that was too long to keep the
    lease ends where the stall began.
    """
    events = list(from_lines(file.read_text().splitlines()))
    stalls = [event for event in events if isinstance(event, Stalled)]
    unanswered: dict[tuple[str, float], ModelCalled] = {}
    for event in events:
        match event:
            case Stalled():
                pass
            case ModelCalled(ended=ended) if ended == STILL_IN_PROGRESS:
                unanswered[event.turn_id, event.began] = event
            case ModelCalled():
                del unanswered[event.turn_id, event.began]
                yield _heard(event, stalls)
            case _:
                yield event
    last = max(map(_moment, events), default=0.0)
    for asked in unanswered.values():
        yield _heard(asked._replace(ended=last), stalls)


def _heard(asked: ModelCalled, stalls: Sequence[Stalled]) -> ModelCalled:
    """Return the model call, cut to the time for which its answer may still count."""
    # The lease may have been renewed up to its full duration before, so stalls in that time count as well.
    held_since = asked.began - LEASE_S
    meanwhile = sorted(each for each in stalls if each.began < asked.ended and each.ended > held_since)
    still_s, until = 0.0, held_since
    for each in meanwhile:
        still_s += max(0.0, min(each.ended, asked.ended) - max(each.began, until))
        until = max(until, each.ended)
    if still_s < MAX_STALL_S:
        return asked
    return asked._replace(ended=max(asked.began, meanwhile[0].began))


def _moment(event: Event) -> float:
    return max(event.began, event.ended) if isinstance(event, ModelCalled | Stalled) else event.at
