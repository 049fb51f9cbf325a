from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from threading import Event

import pytest

from resilience.deadlines import (
    DEADLINE_MARGIN_S,
    DeadlineExceeded,
    iterate_with_deadline,
    run_with_deadline,
)

LONG_S = 60.0
MOMENT_S = 0.01


def test_what_is_over_in_time_is_given() -> None:
    assert run_with_deadline(lambda: 7, LONG_S) == 7
    assert list(iterate_with_deadline(iter("abc"), LONG_S)) == ["a", "b", "c"]


def test_what_the_work_raises_is_raised() -> None:
    def broken() -> Iterator[str]:
        yield "a"
        raise KeyError

    with pytest.raises(ZeroDivisionError):
        run_with_deadline(lambda: 1 // 0, LONG_S)
    told = iterate_with_deadline(broken(), LONG_S)
    assert next(told) == "a"
    with pytest.raises(KeyError):
        next(told)


def test_what_hangs_is_left_alone_and_what_it_said_before_is_given() -> None:
    forever = Event()

    def hanging() -> Iterator[str]:
        yield "a"
        forever.wait()

    told = iterate_with_deadline(hanging(), LONG_S / 100)
    assert next(told) == "a"
    with pytest.raises(DeadlineExceeded):
        next(told)
    with pytest.raises(DeadlineExceeded):
        run_with_deadline(forever.wait, MOMENT_S)
    forever.set()


def test_what_there_is_no_time_for_is_not_begun() -> None:
    begun: list[bool] = []
    with pytest.raises(DeadlineExceeded):
        run_with_deadline(lambda: begun.append(True), 0.0)
    assert begun == []


def test_the_work_knows_what_its_caller_knows() -> None:
    known: ContextVar[str] = ContextVar("known")
    known.set("whom")
    assert run_with_deadline(known.get, LONG_S) == "whom"


def test_half_a_second_is_spared() -> None:
    assert DEADLINE_MARGIN_S > 0.5
