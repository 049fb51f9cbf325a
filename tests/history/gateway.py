"""The local twin with faults: ``python -m tests.history.gateway serve …``.

It takes the arguments of ``python -m local``. While the folder ``HISTORY`` has a file ``armed``, every
storage request of the process may meet a fault; the faults are recorded beside that file. A killed process is
replaced at once, by a fork of one that has done the slow part of the start already.
"""

from __future__ import annotations

import functools
import importlib
import os
import pkgutil
import runpy
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from local import supervision
from tests.history import short_timeouts
from tests.history.faults import BUG, REAL_BUGS, REAL_RATES, Faults
from tests.history.journal import Journal, record_model_call
from tests.history.process_faults import FaultInjector
from tests.history.records import FaultOccurred, NotAdmitted

Answering: TypeAlias = Generator[Any, None, Any]
ARMED = "armed"
LONGEST_THOUGHT_S = 0.02
PACKAGES = ("agent", "edge", "tools")
SLOW_TO_IMPORT = ("boto3", "local.server", "samtranslator.translator.transform")


def main() -> int:
    """Run the twin, and run it again after every SIGKILL."""
    short_timeouts.shorten_leases()
    short_timeouts.shorten_queues()
    _do_what_takes_long()
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        os.kill(child, signal.SIGTERM)

    while not stopping:
        child = os.fork()
        if not child:
            _serve()
        signal.signal(signal.SIGTERM, stop)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _do_what_takes_long() -> None:
    from local.__main__ import TEMPLATE
    from local.template import sam_translation

    for name in SLOW_TO_IMPORT:
        importlib.import_module(name)
    for package in PACKAGES:
        for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(found.name)
    sam_translation.read_template(TEMPLATE)


def _serve() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    folder = Path(os.environ["HISTORY"])
    journal, draw = Journal.of_process(folder, "gateway"), Random(f"{folder} {os.getpid()}")
    journal.note_stalls()
    _disturb(folder / ARMED, journal, draw)
    supervision.supervise = lambda serve: serve(lambda: None)  # `main` does it, and faster
    runpy.run_module("local", run_name="__main__", alter_sys=True)
    os._exit(0)


def _disturb(armed: Path, journal: Journal, draw: Random) -> None:
    from agent.chat.master_agent import MasterAgent
    from agent.turns.degraded import DegradedTurns
    from storage.sqlite.table import SqliteTable
    from tests.fakes.deployment.killable import REQUESTS

    faults = Faults(draw, REAL_RATES, bugs=REAL_BUGS)
    striker = FaultInjector(faults, draw=draw, journal=journal)
    for name in REQUESTS:
        setattr(SqliteTable, name, _struck(name, getattr(SqliteTable, name), striker, armed))

    def breaks() -> bool:
        return armed.exists() and faults.is_bug()

    MasterAgent.reply = _noted(MasterAgent.reply, journal, breaks, draw)  # type: ignore[method-assign]
    DegradedTurns.answer = _unadmitted(DegradedTurns.answer, journal)  # type: ignore[method-assign]


def _struck(
    name: str, request: Callable[..., Any], striker: FaultInjector, armed: Path
) -> Callable[..., Any]:
    @functools.wraps(request)
    def struck(*arguments: Any, **options: Any) -> Any:
        if not armed.exists():
            return request(*arguments, **options)
        return striker.around(name, lambda: request(*arguments, **options))

    return struck


def _noted(
    reply: Callable[..., Iterator[Any]], journal: Journal, breaks: Callable[[], bool], draw: Random
) -> Callable[..., Iterator[Any]]:
    @functools.wraps(reply)
    def noted(master: object, turn: Any, decision: object) -> Iterator[Any]:
        with record_model_call(journal, turn.turn_id):
            time.sleep(draw.uniform(0, LONGEST_THOUGHT_S))
            if breaks():
                journal.note(FaultOccurred(BUG, time.monotonic()))
                raise TypeError("planted")
            yield from reply(master, turn, decision)

    return noted


def _unadmitted(answer: Callable[..., Answering], journal: Journal) -> Callable[..., Answering]:
    @functools.wraps(answer)
    def unadmitted(turns: object, incoming: object, turn_id: Any, *more: Any, **options: Any) -> Answering:
        journal.note(NotAdmitted(str(turn_id), time.monotonic()))
        return (yield from answer(turns, incoming, turn_id, *more, **options))

    return unadmitted


if __name__ == "__main__":
    sys.exit(main())
