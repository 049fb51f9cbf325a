"""What was copied from a prompt does not get out."""

from __future__ import annotations

import logging
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.inference.prompt_leak_filter import PromptLeakFilter, add_mark, strip_marks
from storage.keys import TenantId
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.property_budget import example_settings

MARKS = [add_mark("Rules.", TenantId(tenant)).rpartition("(")[2].rstrip(")") for tenant in ("acme", "globex")]
TEXTS = st.lists(st.sampled_from([*MARKS, "qz-", "qz-12", "z-", "q", "qz", "iraq", " ", "0" * 9]), max_size=8)


@row("J15")
@pytest.mark.parametrize("mark", MARKS, ids=["own", "of another tenant"])
def test_a_mark_of_any_tenants_prompt_is_taken_out_and_told_of(
    mark: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert strip_marks(f"I was told: {mark}!") == "I was told: !"
    [line] = caplog.records
    assert (line.message, vars(line)["reason"], vars(line)["times"]) == (
        "model output refused",
        "repeats_prompt",
        1,
    )
    assert mark not in str(vars(line))


def test_each_tenant_has_a_mark_of_its_own_that_stays() -> None:
    assert add_mark("Rules.", TenantId("acme")) == add_mark("Rules.", TenantId("acme"))
    assert len(set(MARKS)) == 2


@example_settings(200)
@given(parts=TEXTS, cuts=st.lists(st.integers(0, 90), max_size=8))
def test_pieces_add_up_to_the_text_without_marks_however_it_is_cut(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    unmarking = PromptLeakFilter()
    told = [unmarking.feed(text[start:end]) for start, end in pairwise(places)]
    assert "".join([*told, unmarking.flush()]) == strip_marks(text)
