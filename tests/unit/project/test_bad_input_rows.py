"""Every bad input the API was specified with is tried, and gets what was specified."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.run.bad_inputs import (
    ACTUAL_ANSWERS,
    COLLECTED,
    OVERRIDDEN_ROWS,
    ROWS,
    UNTESTED_ROWS,
    required_answer,
)


@pytest.fixture
def tried(request: pytest.FixtureRequest) -> dict[str, list[pytest.Item]]:
    """The tests that say which rows they show; only a run of all tests knows them all."""
    collected = request.config.stash[COLLECTED]
    missing = {path.name for path in (request.config.rootpath / "tests").rglob("test_*.py")} - {
        item.path.name for item in collected
    }
    if missing:
        pytest.skip("some tests were not collected: run all, or `pytest tests -k bad_input_row`")
    shown: dict[str, list[pytest.Item]] = {each: [] for each in ROWS}
    for item in collected:
        for row_id in rows_of(item):
            shown[row_id].append(item)
    return shown


def rows_of(item: pytest.Item) -> Iterator[str]:
    for mark in item.iter_markers("row"):
        yield from mark.args


def test_every_bad_input_row_has_a_test_or_a_reason(tried: dict[str, list[pytest.Item]]) -> None:
    assert {row_id for row_id, items in tried.items() if not items} == set(UNTESTED_ROWS)


def test_every_bad_input_row_gets_the_answer_that_was_specified(tried: dict[str, list[pytest.Item]]) -> None:
    others = [
        (item.nodeid, row_id)
        for row_id, items in tried.items()
        for item in items
        if (expected := required_answer(row_id)) and given(item, expected) != expected
    ]
    assert others == []


def given(item: pytest.Item, expected: tuple[int, str]) -> tuple[object, object]:
    """What a case says it expects, as far as it does."""
    values = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return values.get("status", expected[0]), values.get("code", expected[1])


def test_every_bad_input_row_that_something_goes_before_is_there() -> None:
    assert OVERRIDDEN_ROWS.keys() | UNTESTED_ROWS.keys() <= ROWS.keys()
    assert ACTUAL_ANSWERS.keys() <= OVERRIDDEN_ROWS.keys()
    assert not OVERRIDDEN_ROWS.keys() & UNTESTED_ROWS.keys()
