"""Keeping a run's claim while it is worked on, telling how far it is and hearing when it is to stop."""

from __future__ import annotations

import threading
from types import TracebackType

from agent.run_claims import Claim, ClaimLost, RunClaims
from agent.runs import MAX_PROGRESS
from conversation.clock import Clock
from storage.errors import StorageUnavailable

BEAT_EVERY_S = 5.0
LOOK_EVERY_S = 2.0
MAX_LINE = 200


class Heartbeat:
    """Renews a claim every few seconds while the block runs; at its steps the run asks whether to go on.

    ``lost`` is True once a renewal was refused: somebody else executes the run, and what is being made is to
    be discarded.
    """

    def __init__(
        self, claims: RunClaims, claim: Claim, clock: Clock, *, every_s: float = BEAT_EVERY_S
    ) -> None:
        self._claims = claims
        self._claim = claim
        self._clock = clock
        self._every_s = every_s
        self._lock = threading.Lock()
        self._progress = list(claim.run.progress)
        self._looked_at = clock.monotonic()
        self._stopped = False
        self._ended = threading.Event()
        self.lost = False
        self._thread = threading.Thread(target=self._beat, name="run-claim", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        # A renewal under way would put its older progress behind what is written next.
        self._thread.join()

    def tell(self, line: str) -> None:
        """Note one more thing that was done; it is stored with the next look or beat."""
        with self._lock:
            self._progress = [*self._progress, line[:MAX_LINE]][-MAX_PROGRESS:]

    def is_stopped(self) -> bool:
        """Whether to give up: somebody cancelled the run, or took it over. At most one request in two
        seconds.
        """
        with self._lock:
            if self._clock.monotonic() - self._looked_at >= LOOK_EVERY_S:
                self._look()
            return self._stopped or self.lost

    def _beat(self) -> None:
        while not self._ended.wait(self._every_s):
            with self._lock:
                self._look()

    def _look(self) -> None:
        self._looked_at = self._clock.monotonic()
        try:
            self._stopped = self._claims.renew(self._claim, self._progress)
        except ClaimLost:
            self.lost = True
        except StorageUnavailable:
            # The claim outlasts some lost beats; if storage stays away, the result finds no place either.
            return
