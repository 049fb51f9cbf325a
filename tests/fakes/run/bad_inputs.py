"""The table of bad inputs from the API's specification (`tests/bad_inputs.json`) and the tests that cover it.

A test names the rows it covers with `row`. `tests/unit/project/test_bad_input_rows.py` fails for a row
without a test, and for a test that expects another answer than its row without a reason in `OVERRIDDEN_ROWS`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

TABLE = Path(__file__).parents[2] / "bad_inputs.json"
ROWS: Mapping[str, Mapping[str, Any]] = {each["id"]: each for each in json.loads(TABLE.read_text("utf-8"))}

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All collected tests, including deselected ones; `tests/conftest.py` stores them."""


class Answer(NamedTuple):
    """The HTTP answer that a row requires."""

    status: int
    code: str


OVERRIDDEN_ROWS: Mapping[str, str] = {
    "D11": "the gateway's own HTTP server answers before any function hears of it; here it is the twin's",
    "E19": "letters of both cases and up to 128 characters name a tenant, so `T1` and 64 characters are good",
    "F6": "the same requests to the table stand for the same time: a clock would decide by who else works",
    "G5": "no list has an offset, so it is a parameter like any other that is not there",
    "J1": "the tier without a model is called offline",
    "L1": "the gateway answers for a function that can't start: 500 with a problem, as for any other",
}
"""Rows that another rule overrides, with that rule."""

UNTESTED_ROWS: Mapping[str, str] = {
    "E25": "no vectors at hand; tests/integration/auth/test_token_attacks.py tries their classes",
}
"""Rows that no test covers, with the reason."""

ACTUAL_ANSWERS: Mapping[str, Answer] = {"G5": Answer(400, "query_unknown")}
"""The actual answers of the rows in `OVERRIDDEN_ROWS` that answer differently from the table."""


def row(*ids: str) -> pytest.MarkDecorator:
    """Return the mark for a test, or one of its cases, that covers these rows.

    Raises:
        KeyError: there is no such row.
    """
    known: pytest.MarkDecorator = pytest.mark.row(*(ROWS[each]["id"] for each in ids))
    return known


def case(name: str, *values: object) -> Any:
    """Return one case of a test, named after the row it covers: ``A6 array`` covers row A6.

    A name that does not start with a row's id covers none.
    """
    first = name.partition(" ")[0]
    return pytest.param(*values, id=name, marks=[row(first)] if first in ROWS else [])


def required_answer(row_id: str) -> Answer | None:
    """Return the status and code that a row requires; None when it does not require an HTTP error."""
    if row_id in ACTUAL_ANSWERS:
        return ACTUAL_ANSWERS[row_id]
    asked = ROWS[row_id]
    if not isinstance(asked["status"], int) or asked["status"] < 400:
        return None
    return Answer(asked["status"], str(asked["expect"]).split(" ", maxsplit=1)[0].rstrip(",;"))
