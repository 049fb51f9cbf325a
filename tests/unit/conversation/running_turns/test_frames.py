from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

import pytest

from conversation.running_turns.frames import record_frames
from storage.errors import StorageUnavailable

AT_ONCE_S = 0.005
PATIENCE_S = 20.0


class Keeper:
    """Keeps numbers, and tells when it has so many; the first tries may fail."""

    def __init__(self, *, wanted: int, failures: int = 0) -> None:
        self.kept: list[int] = []
        self.has_all = threading.Event()
        self._wanted = wanted
        self._failures = failures

    def __call__(self, numbers: Sequence[int]) -> None:
        if self._failures:
            self._failures -= 1
            raise StorageUnavailable
        self.kept += numbers
        if len(self.kept) >= self._wanted:
            self.has_all.set()


@pytest.mark.parametrize("failures", [0, 3])
def test_what_passes_is_kept_once_and_in_order(failures: int) -> None:
    keeper = Keeper(wanted=10, failures=failures)

    def numbers() -> Iterator[int]:
        yield from range(10)
        assert keeper.has_all.wait(PATIENCE_S)  # told, and then silence
        yield 10

    assert list(record_frames(numbers(), keeper, every_s=AT_ONCE_S)) == list(range(11))
    assert keeper.kept[:10] == list(range(10))


def test_a_silent_stream_is_asked_about_as_well() -> None:
    asked_again = threading.Event()

    def keep(numbers: Sequence[int]) -> None:
        if not numbers:
            asked_again.set()

    def numbers() -> Iterator[int]:
        yield 1
        assert asked_again.wait(PATIENCE_S)

    assert list(record_frames(numbers(), keep, every_s=AT_ONCE_S)) == [1]


def test_what_is_over_soon_is_not_kept() -> None:
    keeper = Keeper(wanted=1)
    assert list(record_frames(iter(range(1_000)), keeper)) == list(range(1_000))
    assert keeper.kept == []


def test_a_slow_keeper_holds_nothing_up() -> None:
    asked, may_go = threading.Event(), threading.Event()

    def slow(numbers: Sequence[int]) -> None:
        asked.set()
        assert may_go.wait(PATIENCE_S)

    def numbers() -> Iterator[int]:
        yield 1
        assert asked.wait(PATIENCE_S)
        yield from (2, 3)

    assert list(record_frames(numbers(), slow, every_s=AT_ONCE_S)) == [1, 2, 3]
    may_go.set()


def keepers() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "frames"]


def test_who_keeps_ends_with_the_stream() -> None:
    running = [record_frames(iter([1, 2]), Keeper(wanted=9), every_s=AT_ONCE_S) for _ in range(20)]
    for each in running:
        assert next(each) == 1
    for each in running[:10]:
        assert list(each) == [2]
    for each in running[10:]:
        each.close()  # type: ignore[attr-defined]
    for each_thread in keepers():
        each_thread.join(PATIENCE_S)
    assert keepers() == []
