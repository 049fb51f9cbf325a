"""Marks the stream record that is being handled, so that the next process knows what the last one died on.

A stream delivers a whole batch again when its process died, and nothing tells on which record. A record that
ends every process would do so for each of its batch's halves and tries. The marks are files of
this machine: Lambda keeps ``/tmp`` when it starts a function again after a crash or a timeout. A mark that is
lost costs one more try.

Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html, "Failures during the
invoke phase"
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

MAX_DEATHS = 3
"""How many processes may die on a record before it is given up: one more than on a message, because nobody is
told of it."""


class CrashMarks:
    """The marks of one machine; ``folder`` None: in its folder for temporary files."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir()) / "omniforge-crash-marks"

    @contextmanager
    def marked(self, record: Mapping[str, Any], *, is_redrive: bool = False) -> Iterator[int]:
        """Mark the record inside the ``with`` block; yield how many processes died while it was marked.

        The mark of a record with `MAX_DEATHS` stays as it is, until it is redriven.
        """
        mark = self._folder / _name_of(record)
        deaths = 0 if is_redrive else _deaths(mark)
        if deaths >= MAX_DEATHS:
            yield deaths
            return
        with suppress(OSError):  # without marks, records are handled all the same
            self._folder.mkdir(mode=0o700, exist_ok=True)
            mark.write_text(str(deaths + 1))
        try:
            yield deaths
        finally:
            with suppress(OSError):
                mark.unlink()


def _deaths(mark: Path) -> int:
    try:
        return int(mark.read_text())
    except (OSError, ValueError):
        return 0


def _name_of(record: Mapping[str, Any]) -> str:
    change = record["dynamodb"]
    # The local twins of one machine number their records alike, and write them at different times.
    parts = (
        record.get("eventSourceARN"),
        change["SequenceNumber"],
        change.get("ApproximateCreationDateTime"),
        change["Keys"],
    )
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]
