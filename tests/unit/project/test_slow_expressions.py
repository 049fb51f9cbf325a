"""The search for slow regular expressions finds them."""

from __future__ import annotations

import pytest

from tests.expressions.process import pump

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]


def test_slow_expressions_are_found() -> None:
    planted = {
        "exponential": r"(?:ok|okay?|o|k)*,",
        "exponential in pairs of words": r"^\W*(?:(?:please|please do|do it|it)\W+)*$",
        "quadratic": r"\s+$",
        "cubic": r"a.*b.*c",
    }
    plants = [part for expression in planted.values() for part in ("--plant", expression)]
    pumped = pump("--only", "conversation.cron", *plants)
    found = [line.partition(":")[2][:1] for line in pumped.stdout.splitlines() if line.startswith("planted")]
    assert (pumped.returncode, found) == (1, ["1", "2", "3", "4"]), pumped.stdout + pumped.stderr
