"""What real processes note while they live: a file per life, written line by line, that survives SIGKILL."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.history.records import Asked, Event, from_lines, to_line

UNTIL_IT_DIED = -1.0
"""In place of the end of a question that is still being asked."""


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
    """The events of one process. What it was asking of a model when it died, it asked up to then."""
    unanswered: dict[tuple[str, float], Asked] = {}
    last = 0.0
    for event in from_lines(file.read_text().splitlines()):
        last = max(last, _moment(event))
        if isinstance(event, Asked) and event.ended == UNTIL_IT_DIED:
            unanswered[event.turn_id, event.began] = event
            continue
        if isinstance(event, Asked):
            del unanswered[event.turn_id, event.began]
        yield event
    for asked in unanswered.values():
        yield asked._replace(ended=last)


def _moment(event: Event) -> float:
    return max(event.began, event.ended) if isinstance(event, Asked) else event.at
