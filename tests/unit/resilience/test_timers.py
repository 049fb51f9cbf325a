from __future__ import annotations

import threading
from queue import SimpleQueue

from resilience.timers import Timers

PATIENCE_S = 20.0
SOON_S, LATE_S = 0.002, 0.05


def threads(name: str) -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == name]


def test_calls_are_made_by_their_times_and_not_by_their_order() -> None:
    made: SimpleQueue[str] = SimpleQueue()
    timers = Timers(name="in their order")
    timers.call_in(LATE_S, lambda: made.put("late"))
    timers.call_in(SOON_S, lambda: made.put("soon"))
    assert [made.get(timeout=PATIENCE_S) for _ in range(2)] == ["soon", "late"]


def test_all_calls_wait_in_one_thread_which_ends_with_the_last_of_them() -> None:
    made: SimpleQueue[int] = SimpleQueue()
    timers = Timers(name="one for all")
    for number in range(50):
        timers.call_in(LATE_S, lambda number=number: made.put(number))  # type: ignore[misc]
        assert len(threads("one for all")) <= 1
    assert [made.get(timeout=PATIENCE_S) for _ in range(50)] == list(range(50))
    for each in threads("one for all"):
        each.join(PATIENCE_S)
        assert not each.is_alive()


def test_a_call_after_the_last_one_is_made_as_well() -> None:
    timers = Timers(name="again")
    for _ in range(3):
        made = threading.Event()
        timers.call_in(0, made.set)
        assert made.wait(PATIENCE_S)
        for each in threads("again"):
            each.join(PATIENCE_S)


def test_a_failed_call_does_not_take_the_others_along() -> None:
    made, timers = threading.Event(), Timers(name="failing")
    hook, threading.excepthook = threading.excepthook, lambda _failed: None
    try:
        timers.call_in(0, lambda: 1 / 0)
        for each in threads("failing"):
            each.join(PATIENCE_S)
    finally:
        threading.excepthook = hook
    timers.call_in(0, made.set)
    assert made.wait(PATIENCE_S)


def test_work_has_a_thread_of_its_own_and_holds_no_call_up() -> None:
    timers, goes_on, made = Timers(name="waits"), threading.Event(), threading.Event()
    timers.start_in(0, goes_on.wait, name="works")
    timers.call_in(SOON_S, made.set)
    assert made.wait(PATIENCE_S)
    assert len(threads("works")) == 1
    goes_on.set()


def test_what_is_cancelled_is_not_called_and_nobody_waits_for_its_time() -> None:
    timers, called = Timers(name="cancelled"), threading.Event()
    timers.call_in(LATE_S, called.set).cancel()
    timers.call_in(3_600, called.set).cancel()
    timers.call_in(SOON_S, lambda: None)
    for each in threads("cancelled"):
        each.join(PATIENCE_S)
        assert not each.is_alive()
    assert not called.is_set()
