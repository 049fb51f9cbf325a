"""Prepares an execution environment of Lambda before its first request, whether or not SnapStart is on.

With SnapStart, one prepared environment is copied for all that come later. So it keeps no open connection,
and each copy gets what must not be shared or may be old: random numbers, connections and secrets. Ids and
tokens need nothing: they come from the operating system, whose random numbers differ in each copy.

Source: https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-python.html (the hooks, and the
ten seconds for all that follow a restore) and snapstart-uniqueness.html
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence

from edge.environment import EnvironmentReader

SNAP_START = "snap-start"
LOG = logging.getLogger("omniforge.edge")


def prepare_environment(
    prepare: Callable[[], None],
    *,
    renew: Sequence[Callable[[], None]],
    environment: EnvironmentReader | None = None,
) -> None:
    """Run ``prepare`` within the init phase; with SnapStart, before the snapshot.

    Each of ``renew`` closes connections and drops what may be old. It runs before the snapshot, so that none
    is in it, and after each restore. Where Lambda did not start the process nothing is prepared: the twin and
    the tests import functions that they may never call.
    """
    kind = (environment or EnvironmentReader()).text("AWS_LAMBDA_INITIALIZATION_TYPE")
    if kind == SNAP_START:
        _register(prepare, renew)
    elif kind is not None:
        _attempt(prepare)


def _register(prepare: Callable[[], None], renew: Sequence[Callable[[], None]]) -> None:
    try:
        # Lambda's Python runtimes bring it; no package of ours does.
        from snapshot_restore_py import register_after_restore, register_before_snapshot
    except ImportError:
        LOG.warning("no runtime hooks")
        _attempt(prepare)
        return

    def before_snapshot() -> None:
        _attempt(prepare)
        _renew_all(renew)

    def after_restore() -> None:
        # Waiting times between retries would else be the same in every copy.
        random.seed()
        _renew_all(renew)

    register_before_snapshot(before_snapshot)
    register_after_restore(after_restore)


def _renew_all(renew: Sequence[Callable[[], None]]) -> None:
    for each in renew:
        each()


def _attempt(prepare: Callable[[], None]) -> None:
    """Runs it; a failure costs the first request some time, and must not stop the function."""
    try:
        prepare()
    except Exception as error:  # noqa: BLE001 - any fault of it shows again in a turn, where it is handled
        LOG.warning("environment not prepared", extra={"error_type": type(error).__name__})
