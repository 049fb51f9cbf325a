"""Keeping what a stream tells while it tells it, beside the stream: keeping it never holds anything up."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from types import TracebackType
from typing import Generic, TypeVar

from storage.errors import StorageError

LOG = logging.getLogger("omniforge.turns")

KEEP_EVERY_S = 2.0
"""Also how old a stream has to be before anything of it is kept: most answers are shorter."""

FrameT = TypeVar("FrameT")


def recorded(
    frames: Iterator[FrameT],
    keep: Callable[[Sequence[FrameT]], None],
    *,
    every_s: float = KEEP_EVERY_S,
) -> Iterator[FrameT]:
    """The frames as they come; every two seconds those that are new are given to ``keep``, in another thread:
    none while the stream is silent, so that ``keep`` may hear that somebody wants it to end.

    The last ones are not kept: when the stream ends, the turn is stored, or there is no turn.
    """
    with _Record(keep, every_s) as record:
        for frame in frames:
            record.note(frame)
            yield frame


class _Record(Generic[FrameT]):
    def __init__(self, keep: Callable[[Sequence[FrameT]], None], every_s: float) -> None:
        self._keep = keep
        self._every_s = every_s
        self._lock = threading.Lock()
        self._new: list[FrameT] = []
        self._ended = threading.Event()

    def note(self, frame: FrameT) -> None:
        with self._lock:
            self._new.append(frame)

    def __enter__(self) -> _Record[FrameT]:
        threading.Thread(target=copy_context().run, args=(self._run,), name="frames", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            with self._lock:
                new, self._new = self._new, []
            if not self._is_kept(new):
                with self._lock:
                    self._new = [*new, *self._new]

    def _is_kept(self, frames: Sequence[FrameT]) -> bool:
        try:
            self._keep(frames)
        except StorageError as error:
            LOG.warning("frames_not_kept", extra={"error_type": type(error).__name__})
            return False
        return True
