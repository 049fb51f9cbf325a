"""A share of a processor for a process and its children, as Lambda gives a function one by its memory.

Lambda lets a function use so much of each period, and stops it for the rest. So does this, by SIGSTOP and
SIGCONT.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

MB_PER_PROCESSOR = 1_769
"""The memory with which a function has one whole processor."""

_PERIOD_S = 0.02
_LOOK_EVERY_S = 0.002


def share_of(memory_mb: int) -> float:
    """Return the part of a processor that a function of this memory has."""
    return memory_mb / MB_PER_PROCESSOR


class ProcessorShare:
    """Inside the block the process gets no more than its share in each period."""

    def __init__(self, process_id: int, share: float) -> None:
        self._process_id, self._share = process_id, share
        self._ended = Event()
        self._thread = Thread(target=self._hold_back, daemon=True)
        self._spent: dict[int, float] = {}

    def __enter__(self) -> Self:
        for process_id in _with_children(self._process_id):
            self._spent[process_id] = _processor_time(process_id)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _hold_back(self) -> None:
        left = most = self._share * _PERIOD_S
        looked = time.monotonic()
        while not self._ended.wait(_LOOK_EVERY_S):
            now = time.monotonic()
            left = min(most, left + (now - looked) * self._share - self._spend())
            looked = now
            if left < 0:
                self._pause(-left / self._share)

    def _spend(self) -> float:
        """Return the processor time since the last look."""
        used = {each: _processor_time(each) for each in _with_children(self._process_id)}
        since = sum(max(0.0, spent - self._spent.get(each, 0.0)) for each, spent in used.items())
        self._spent |= used
        return since

    def _pause(self, seconds: float) -> None:
        stopped = [*_with_children(self._process_id)]
        for process_id in stopped:
            _send(process_id, signal.SIGSTOP)
        self._ended.wait(seconds)
        for process_id in stopped:
            _send(process_id, signal.SIGCONT)


def _with_children(process_id: int) -> Iterator[int]:
    yield process_id
    with suppress(OSError):
        for task in Path(f"/proc/{process_id}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _with_children(int(child))


def _processor_time(process_id: int) -> float:
    # The clock of another process, as clock_getcpuclockid(3) makes its number.
    with suppress(OSError):
        return time.clock_gettime((~process_id << 3) | 2)
    return 0.0


def _send(process_id: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process_id, number)
