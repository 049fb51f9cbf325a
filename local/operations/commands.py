"""The commands of `python -m local` that work on a deployed stack, with the shell's AWS credentials."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from local.events.queues import restore_dead_letters
from local.events.table_stream import restore_dead_writes
from local.operations.redrive import Redrive
from local.operations.restore import prepare_adoption, restore
from local.operations.stack import DeployedStack, OperationFailed
from local.operations.teardown import tear_down

_QUEUES = ("queue.db", "runs.db", "retention.db")

Operation: TypeAlias = Callable[[argparse.Namespace, Path], Iterator[str]]
"""Takes the command's options and the twin's data folder; yields lines for the user."""


def add_operations(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], common: argparse.ArgumentParser
) -> None:
    """Add the operations to the command line."""
    redrive = commands.add_parser(
        "redrive",
        parents=[common],
        help="try the dead letters of a stack or of the twin again",
    )
    redrive.add_argument("stack", nargs="?", help="the deployed stack's name; none: the twin's own data")
    restoring = commands.add_parser(
        "restore", parents=[common], help="restore a table into a new one that a stack can adopt"
    )
    restoring.add_argument("table", help="the table to restore")
    restoring.add_argument("--to", metavar="TABLE", help="the new table's name; none: only prepare the table")
    restoring.add_argument("--at", type=datetime.fromisoformat, metavar="TIME", help="an ISO 8601 instant")
    teardown = commands.add_parser(
        "teardown", parents=[common], help="empty the page's bucket, delete a stack and say what stays"
    )
    teardown.add_argument("stack", help="the deployed stack's name")


def run_operation(options: argparse.Namespace, data: Path) -> Iterator[str]:
    """Run the operation and yield its lines.

    Raises:
        OperationFailed: AWS reported an error.
    """
    try:
        yield from OPERATIONS[options.command](options, data)
    except (BotoCoreError, ClientError, WaiterError) as error:
        raise OperationFailed(f"{options.command}: {error}") from None


def _redrive(options: argparse.Namespace, data: Path) -> Iterator[str]:
    if options.stack:
        yield from Redrive(DeployedStack.find(options.stack)).run()
        return
    moved = restore_dead_writes(str(data / "omniforge.db")) if (data / "omniforge.db").exists() else {}
    for function, count in moved.items():
        yield f"{function}: {count} put back into the table's stream"
    counts = {name: restore_dead_letters(str(data / name)) for name in _QUEUES if (data / name).exists()}
    for name, count in counts.items():
        if count:
            yield f"{name}: {count} put back into the queue"
    if not moved and not any(counts.values()):
        yield "There are no dead letters."


def _restore(options: argparse.Namespace, _: Path) -> Iterator[str]:
    if options.to is None:
        return prepare_adoption(options.table)
    return restore(options.table, options.to, at=options.at)


def _teardown(options: argparse.Namespace, _: Path) -> Iterator[str]:
    return tear_down(DeployedStack.find(options.stack))


OPERATIONS: Mapping[str, Operation] = {"redrive": _redrive, "restore": _restore, "teardown": _teardown}
