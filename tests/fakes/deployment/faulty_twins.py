"""Twins that fail as a test chooses: at a storage request, with a planted bug, or on some words.

`tests.fakes.deployment.killable`, `tests.fakes.deployment.twin_with_bugs` and
`tests.fakes.deployment.twin_with_deadly_messages` are the modules that run in their processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from tests.fakes.deployment.twin import ANSWER_WITHIN_S, Twin
from tests.fakes.deployment.wait_until import eventually


class WrappedTwin(Twin):
    """A twin started through a module that modifies it first."""

    module: str

    def _command(self, command: str) -> list[str]:
        python, flag, _, *arguments = super()._command(command)
        return [python, flag, self.module, *arguments]


class MortalTwin(WrappedTwin):
    """A twin that dies at the storage request it is armed for: `arm`, send, `await_death`, `restart`.

    Or it stalls there: `arm` by SIGSTOP, send, `await_stall`, `resume`. ``turns_only`` restricts this to the
    storage requests that serve a request to the gateway. Otherwise background work counts too.
    """

    module = "tests.fakes.deployment.killable"

    def __init__(
        self,
        data: Path,
        *,
        clock: datetime | None = None,
        clock_runs: bool = True,
        environ: Mapping[str, str] | None = None,
        turns_only: bool = False,
    ) -> None:
        self._kill_file = data / "kill"
        settings = {"KILL_FILE": str(self._kill_file), "KILL_TURNS_ONLY": "yes" if turns_only else ""}
        super().__init__(data, clock=clock, clock_runs=clock_runs, environ={**(environ or {}), **settings})

    def arm(self, point: str, by: signal.Signals = signal.SIGKILL) -> None:
        """Send the signal the next time the twin reaches the point, such as ``before update head``."""
        self._kill_file.with_suffix(".trace").unlink(missing_ok=True)
        draft = self._kill_file.with_suffix(".new")
        draft.write_text(f"{by.name} {point}")
        draft.replace(self._kill_file)

    def disarm(self) -> list[str]:
        """Disarm the twin and return the names of the requests since it was armed, in order."""
        self._kill_file.unlink()
        return self._kill_file.with_suffix(".trace").read_text().splitlines()

    def await_death(self) -> None:
        """Wait until SIGKILL has ended the process.

        Raises:
            subprocess.TimeoutExpired: the process is alive and did not reach the point.
        """
        process, self._process = self._process, None
        if process is None:
            raise ValueError("the twin is not running")
        try:
            assert process.wait(timeout=ANSWER_WITHIN_S) == -signal.SIGKILL
        except subprocess.TimeoutExpired:
            self._process = process
            raise

    def await_stall(self) -> None:
        """Wait until the process has reached the point and stalls."""
        eventually(lambda: not self._kill_file.exists())

    def resume(self) -> None:
        """Resume the stalled process."""
        os.kill(self.pid, signal.SIGCONT)


class BuggyTwin(WrappedTwin):
    """A twin with bugs planted in our functions, each inactive until `activate` names it.

    A place is ``module:function`` or ``module:Class.method``.
    """

    module = "tests.fakes.deployment.twin_with_bugs"

    def __init__(self, data: Path, *, bugs: Sequence[str], environ: Mapping[str, str] | None = None) -> None:
        self._now = data / "bug"
        planted = {"PLANTED_BUGS": " ".join(bugs), "PLANTED_NOW": str(self._now)}
        super().__init__(data, environ={**(environ or {}), **planted})

    def activate(self, place: str) -> None:
        """Make the function raise TypeError until `deactivate`."""
        self._now.write_text(place)

    def deactivate(self) -> None:
        """Deactivate all bugs."""
        self._now.unlink()


class DeadlyTwin(WrappedTwin):
    """A twin whose server is ended by the words of a `Fate`, when they reach one of the named functions.

    As in the product, another server then takes its place.
    """

    module = "tests.fakes.deployment.twin_with_deadly_messages"

    def __init__(self, data: Path, *, places: Sequence[str], clock: datetime) -> None:
        planted = {"DEADLY_PLACES": " ".join(places)}
        super().__init__(data, clock=clock, clock_runs=False, environ=planted)

    @property
    def deaths(self) -> int:
        """How many servers have died."""
        return self.logs.count("Another one takes its place.")
