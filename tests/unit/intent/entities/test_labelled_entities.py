"""The labelled entities: each kind is found well enough."""

from __future__ import annotations

import pytest

from tests.evals.entities import Found, measure_entities, read_entity_cases

FLOORS = {
    "agent_name": 0.97, "source": 0.94, "what": 0.88, "scope": 0.92, "condition": 0.95, "cron": 0.96,
    "time_zone": 0.95, "delivery": 0.95, "recipients": 0.95, "format": 0.93, "period": 0.93, "ordinal": 0.95,
    "new_name": 0.95, "operation": 0.97, "reply": 0.95, "days": 0.95,
}  # fmt: skip
"""By kind, the harmonic mean of precision and recall; a few points below what was measured last."""


@pytest.fixture(scope="module")
def found() -> Found:
    return measure_entities(read_entity_cases())


def test_there_are_enough_cases_and_all_differ() -> None:
    cases = read_entity_cases()
    assert len(cases) >= 160
    assert len({case.id for case in cases}) == len(cases)


@pytest.mark.parametrize("kind", FLOORS)
def test_a_kind_of_entity_is_found_well_enough(kind: str, found: Found) -> None:
    assert found.quality(kind) >= FLOORS[kind], [line for line in found.wrong if f" {kind}:" in line]
