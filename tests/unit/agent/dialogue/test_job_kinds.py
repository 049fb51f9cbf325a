"""The kind of job that words describe."""

from __future__ import annotations

import pytest

from agent.dialogue.agent_acts.job_kinds import detect_kind
from agent.workspace.agents import Kind


@pytest.mark.parametrize(
    ("wish", "kind"),
    [
        ("keep an eye on stock levels", Kind.MONITOR),
        ("tell me when a build fails", Kind.MONITOR),
        ("a weekly summary of sales", Kind.REPORT),
        ("file the signed leases", Kind.TASK),
    ],
)
def test_a_wish_tells_what_kind_of_job_it_is(wish: str, kind: Kind) -> None:
    assert detect_kind(wish) is kind
