"""What corrections teach of the wording of eight simulated tenants, and that it never gets less."""

from __future__ import annotations

import json

import pytest

from tests.evals.corrections.command import FEWEST_POINTS, RECORDED
from tests.evals.corrections.tenants import Tenant, offline_analyzer, read_tenants, understood

TENANTS = read_tenants()
ANALYZER = offline_analyzer()


@pytest.mark.parametrize("tenant", TENANTS, ids=lambda one: one.name)
def test_no_fewer_sentences_are_understood_after_twenty_corrections_than_are_recorded(tenant: Tenant) -> None:
    lessons = tenant.lessons(tenant.corrected)
    share, wrong = understood(ANALYZER, tenant, tenant.held_out, lessons)
    recorded = next(
        one for one in json.loads(RECORDED.read_text())["tenants"] if one["tenant"] == tenant.name
    )
    assert (len(tenant.corrected), len(tenant.held_out)) == (20, 32)
    assert round(100 * share.accuracy, 1) >= recorded["after"], [one.text for one in wrong]
    assert recorded["gained"] >= FEWEST_POINTS
