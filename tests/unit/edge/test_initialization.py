from __future__ import annotations

import logging
import random
import sys
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from edge.environment import EnvironmentReader
from edge.initialization import prepare_environment


class Hooks:
    """The hooks of a runtime that takes snapshots."""

    def __init__(self) -> None:
        self.before: list[Callable[[], None]] = []
        self.after: list[Callable[[], None]] = []

    def run(self, hooks: list[Callable[[], None]]) -> None:
        for hook in hooks:
            hook()


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> Hooks:
    hooks = Hooks()
    module = SimpleNamespace(
        register_before_snapshot=hooks.before.append, register_after_restore=hooks.after.append
    )
    monkeypatch.setitem(sys.modules, "snapshot_restore_py", module)
    return hooks


def started(kind: str | None) -> EnvironmentReader:
    return EnvironmentReader({} if kind is None else {"AWS_LAMBDA_INITIALIZATION_TYPE": kind})


@pytest.mark.parametrize(("kind", "done"), [(None, []), ("on-demand", ["prepared"])])
def test_only_lambda_prepares_an_environment_when_it_starts_it(kind: str | None, done: list[str]) -> None:
    did: list[str] = []
    prepare_environment(
        lambda: did.append("prepared"), renew=[lambda: did.append("renewed")], environment=started(kind)
    )
    assert did == done


def test_with_snap_start_it_is_prepared_before_the_snapshot_and_renewed_in_every_copy(hooks: Hooks) -> None:
    did: list[str] = []
    prepare_environment(
        lambda: did.append("prepared"),
        renew=[lambda: did.append("secrets"), lambda: did.append("connections")],
        environment=started("snap-start"),
    )
    assert did == []
    hooks.run(hooks.before)
    assert did == ["prepared", "secrets", "connections"]
    hooks.run(hooks.after)
    assert did[3:] == ["secrets", "connections"]


def test_two_copies_draw_different_random_numbers(hooks: Hooks) -> None:
    prepare_environment(lambda: None, renew=[], environment=started("snap-start"))
    snapshot, drawn = random.getstate(), []
    for _ in range(2):
        random.setstate(snapshot)
        hooks.run(hooks.after)
        drawn.append(random.random())
    assert drawn[0] != drawn[1]


def test_what_cannot_be_prepared_does_not_stop_the_function(caplog: pytest.LogCaptureFixture) -> None:
    def prepare() -> None:
        raise ValueError("the words of somebody")

    with caplog.at_level(logging.WARNING, logger="omniforge.edge"):
        prepare_environment(prepare, renew=[], environment=started("on-demand"))
    assert [vars(record)["error_type"] for record in caplog.records] == ["ValueError"]
    assert "somebody" not in caplog.text


def test_without_the_hooks_of_the_runtime_it_is_prepared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snapshot_restore_py", None)
    did: list[str] = []
    prepare_environment(lambda: did.append("prepared"), renew=[], environment=started("snap-start"))
    assert did == ["prepared"]
