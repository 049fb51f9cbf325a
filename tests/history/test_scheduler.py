"""The baton: one task at a time, by virtual time, whatever the threads under it would do."""

from __future__ import annotations

import pytest

from tests.history import scheduler as module
from tests.history.scheduler import Scheduler, Stuck


def test_tasks_run_one_at_a_time_in_the_order_of_their_time() -> None:
    scheduler, seen = Scheduler(), list[tuple[str, float]]()

    def work(name: str, pause: float) -> None:
        for _ in range(3):
            seen.append((name, scheduler.now))
            scheduler.sleep(pause)

    scheduler.spawn(lambda: work("slow", 10.0))
    scheduler.spawn(lambda: work("quick", 4.0), after=1.0)
    scheduler.run()
    assert seen == [
        ("slow", 0.0),
        ("quick", 1.0),
        ("quick", 5.0),
        ("quick", 9.0),
        ("slow", 10.0),
        ("slow", 20.0),
    ]
    assert scheduler.now == 30.0


def test_a_task_that_is_cancelled_in_time_does_not_begin() -> None:
    scheduler, seen = Scheduler(), list[str]()
    later = scheduler.spawn(lambda: seen.append("later"), after=2.0)
    scheduler.spawn(later.cancel, after=1.0)
    scheduler.run()
    assert seen == []


def test_what_goes_wrong_in_a_task_is_told() -> None:
    def fail() -> None:
        raise ValueError("planted")

    scheduler = Scheduler()
    scheduler.spawn(fail)
    with pytest.raises(ValueError, match="planted"):
        scheduler.run()


def test_a_run_without_an_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> None:
        while True:
            scheduler.sleep(1.0)

    monkeypatch.setattr(module, "MOST_STEPS", 100)
    scheduler = Scheduler()
    scheduler.spawn(endless)
    scheduler.spawn(endless)
    with pytest.raises(Stuck):
        scheduler.run()
