"""A chat function that is taken at the snapshot and copied, as SnapStart copies an environment.

``python -m tests.fakes.deployment.cloned_function`` imports the function, calls its hooks before the
snapshot, and writes a line. For each line of its standard input, a JSON list of messages, it forks: the copy
moves its clock, calls the hooks after a restore, answers the messages and writes a line.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ASLEEP_S = 8 * 24 * 3600.0
"""How long the snapshot lay before it was restored."""
IDS_EACH = 1_250


def open_sockets() -> list[str]:
    """The sockets that this process has open."""
    links = (str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink())
    return [link for link in links if link.startswith("socket:")]


def main() -> None:
    """Prepare once, then answer every line in a copy."""
    from snapshot_restore_py import get_before_snapshot

    from functions.chat import app

    for hook, arguments, named in reversed(get_before_snapshot()):
        hook(*arguments, **named)
    state = random.getstate()
    _tell(turn="snapshot", sockets=open_sockets())
    for line in sys.stdin:
        copy = os.fork()
        if not copy:
            random.setstate(state)  # a fork gets another one, a copy of an environment does not
            _restored(app, json.loads(line))
            os._exit(0)
        os.waitpid(copy, 0)


def _restored(app: Any, messages: list[str]) -> None:
    from snapshot_restore_py import get_after_restore

    _move_clock()
    started = time.monotonic()
    for hook, arguments, named in get_after_restore():
        hook(*arguments, **named)
    told = {"sockets": open_sockets(), "random": random.random(), "ids": _ids()}
    restored_s = time.monotonic() - started
    answers = []
    for message in messages:
        started = time.monotonic() - restored_s
        answers.append({**_answered(app, message), "took_s": time.monotonic() - started})
        restored_s = 0.0
    _tell(turn="restored", answers=answers, **told)


def _move_clock() -> None:
    monotonic, now = time.monotonic, time.time
    time.monotonic = lambda: monotonic() + ASLEEP_S
    time.time = lambda: now() + ASLEEP_S


def _ids() -> list[str]:
    """Ids of both kinds, all of the same moment."""
    from conversation.identity import new_id, new_ulid

    moment = datetime(2026, 11, 24, tzinfo=UTC)
    return [make for _ in range(IDS_EACH) for make in (new_id(), new_ulid(moment))]


def _answered(app: Any, message: str) -> dict[str, Any]:
    from agent.turn_events import Done
    from conversation.clock import Deadline
    from conversation.identity import Caller
    from conversation.turns.admission import IncomingMessage
    from storage.keys import TenantId

    incoming = IncomingMessage(Caller(TenantId("acme"), "maya"), message)
    *_, done = app.turns().run(incoming, Deadline.after(app.clock, 20))
    assert isinstance(done, Done)
    return {"text": done.answer.content, "metadata": dict(done.answer.metadata)}


def _tell(**told: Any) -> None:
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
