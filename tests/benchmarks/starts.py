"""How long ``make run`` takes to answer, once everything is set up."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx

from tests.benchmarks.figures import Figure, Report, median_of
from tests.fakes.http.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN_S = 60.0


def measure() -> Report:
    """Seconds from the command to a healthy answer, in a new folder each time."""
    if shutil.which("make") is None or not (ROOT / ".venv" / ".dev").exists():
        yield "left out: `make setup` has not been run here"
        return
    yield Figure("make run to a ready /health", median_of(seconds_to_ready), "s")


def seconds_to_ready() -> float:
    """One start, and its end."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryFile() as log:
        started = time.monotonic()
        process = subprocess.Popen(
            ["make", "--no-print-directory", "run", f"PORT={port}", f"DATA={data}"],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            if not _is_ready(f"http://127.0.0.1:{port}/health", process):
                log.seek(0)
                raise RuntimeError(f"make run did not get ready: {log.read().decode(errors='replace')}")
            return time.monotonic() - started
        finally:
            # make does not hand signals on: its whole process group is ours.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)


def _is_ready(url: str, process: subprocess.Popen[bytes]) -> bool:
    deadline = time.monotonic() + READY_WITHIN_S
    with httpx.Client(trust_env=False) as http:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if http.get(url).status_code == 200:
                    return True
            except httpx.TransportError:
                time.sleep(0.02)
    return False
