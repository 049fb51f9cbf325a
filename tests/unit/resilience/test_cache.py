from __future__ import annotations

import math

import pytest

from resilience.cache import Cache
from tests.fakes.run.clocks import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_a_value_is_fresh_until_its_time_to_live_is_over(clock: ManualClock) -> None:
    cache = Cache[str, int](2, ttl_s=10, now=clock.monotonic)
    cache.put("a", 1)
    clock.advance(9)
    assert cache.get("a") == 1
    clock.advance(1)
    assert cache.get("a") is None


def test_an_expired_value_stays_at_hand_for_callers_that_accept_its_age(clock: ManualClock) -> None:
    cache = Cache[str, int](2, ttl_s=10, now=clock.monotonic)
    cache.put("a", 1)
    clock.advance(1_000)
    assert (cache.get("a"), cache.get("a", ttl_s=math.inf)) == (None, 1)


def test_the_age_counts_from_the_time_a_value_was_read(clock: ManualClock) -> None:
    cache = Cache[str, int](2, ttl_s=10, now=clock.monotonic)
    read_at = clock.monotonic()
    clock.advance(10)
    cache.put("a", 1, at=read_at)
    assert cache.get("a") is None


def test_a_clock_that_is_set_back_makes_a_value_old_as_well() -> None:
    now = [1_000.0]
    cache = Cache[str, int](2, ttl_s=10, now=lambda: now[0])
    cache.put("a", 1)
    now[0] = 0.0
    assert cache.get("a") is None


def test_the_least_recently_used_value_is_evicted() -> None:
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_a_value_is_made_once_and_evicted_like_any_other() -> None:
    cache = Cache[str, list[str]](1)
    first = cache.get_or_put("a", list)
    assert cache.get_or_put("a", list) is first
    cache.get_or_put("b", list)
    assert cache.get_or_put("a", list) is not first


def test_a_dropped_value_is_gone() -> None:
    cache = Cache[str, int](2)
    cache.put("a", 1)
    cache.drop("a")
    cache.drop("a")
    assert (cache.get("a", ttl_s=math.inf), len(cache)) == (None, 0)
