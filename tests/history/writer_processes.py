"""Writers in their own processes: ``python -m tests.history.writer_processes FOLDER``.

`tests.history.runs` puts a plan into the folder. This process forks one process per writer, so it can replace
a killed writer at once. The successor reads in the journal which messages are left and sends them under the
same keys. A writer sends its messages to the plan's ``addresses``. Without addresses it answers them itself,
as a Lambda function would.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

from tests.fakes.deployment.next_version import next_version
from tests.history import short_timeouts
from tests.history.clients import Client, Sender
from tests.history.journal import Journal, events_in
from tests.history.records import Answered, GaveUp, Operation, Sent
from tests.history.transports import HttpSender

PLAN = "plan.json"
LONGEST_PAUSE_S = 0.5
SOME_TIME_S = 0.02
FAILED = 1


def main(folder: Path) -> int:
    """Run all writers to their end. Returns 1 when one failed in an unplanned way."""
    plan = json.loads((folder / PLAN).read_text())
    compose = _composition(plan)
    writers = range(len(plan["writers"]))
    # Where the plan rolls back, half the writers begin as the next version; their successors are this one.
    running = {
        _forked(
            folder, plan, writer, compose, is_next=plan.get("rolls_back", False) and writer % 2 == 0
        ): writer
        for writer in writers
    }
    while running:
        process, status = os.wait()
        writer = running.pop(process)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            running[_forked(folder, plan, writer, compose)] = writer
        elif status:
            for other in running:
                os.kill(other, signal.SIGTERM)
            return FAILED
    return 0


def _composition(plan: dict[str, Any]) -> Callable[[Journal, Random], Sender]:
    if "addresses" in plan:
        return lambda journal, draw: HttpSender(
            draw.sample(plan["addresses"], len(plan["addresses"])),
            token=plan["token"],
            conversations=plan["conversations"],
        )
    short_timeouts.shorten_leases()
    # Imported after the lease was shortened, and before the fork, so that it is imported once.
    from tests.history.functions import LocalSender

    return lambda journal, draw: LocalSender(plan, journal, draw)


def _forked(
    folder: Path,
    plan: dict[str, Any],
    writer: int,
    compose: Callable[[Journal, Random], Sender],
    *,
    is_next: bool = False,
) -> int:
    process = os.fork()
    if process:
        return process
    status = FAILED
    try:
        with next_version() if is_next else nullcontext():
            _write(folder, plan, writer, compose)
        status = 0
    except Exception:  # noqa: BLE001 - a child must not go on as its parent does
        traceback.print_exc()
    finally:
        os._exit(status)


def _write(
    folder: Path, plan: dict[str, Any], writer: int, compose: Callable[[Journal, Random], Sender]
) -> None:
    journal = Journal.of_process(folder, f"writer-{writer:02}")
    journal.note_stalls()
    # Each successor uses another seed. Otherwise it would be killed at the same place again and again.
    lives = len(list(folder.glob(f"writer-{writer:02}.*")))
    draw = Random(f"{plan['seed']} {writer} {lives}")
    random.seed(draw.random())
    client = Client(
        compose(journal, draw),
        note=journal.note,
        now=time.monotonic,
        pause=time.sleep,
        draw=draw,
        longest_pause_s=LONGEST_PAUSE_S,
    )
    for operation in _left_to_say(folder, plan, writer):
        time.sleep(draw.uniform(0, SOME_TIME_S))
        client.complete(operation)


def _left_to_say(folder: Path, plan: dict[str, Any], writer: int) -> list[Operation]:
    """Return the unanswered operations, without sent ones that have no key: these are never sent again."""
    said = events_in(folder, f"writer-{writer:02}")
    done = {event.op for event in said if isinstance(event, Answered | GaveUp)}
    sent = {event.op for event in said if isinstance(event, Sent)}
    operations = [Operation(*each) for each in plan["writers"][writer]]
    return [each for each in operations if each.name not in (done if each.key else sent)]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
