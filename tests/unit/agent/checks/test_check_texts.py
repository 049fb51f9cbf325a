"""What checks say, in whole sentences."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agent.checks.check import Check, Expectation
from agent.checks.check_state import CheckState, News
from agent.checks.observation import Observation
from agent.templates.check_texts import duration_text, finding_text, news_text

URL = "https://acme.test/shop"
NOW = datetime(2026, 1, 30, 9, 20, tzinfo=UTC)
OUTAGE = Observation(is_up=False, reason="HTTP 503")
UP = Observation(is_up=True, reason="HTTP 200")
EXPIRING = Observation(is_up=True, expires_at=NOW + timedelta(days=13, hours=1))
SINCE = CheckState(check="x", down_since=NOW - timedelta(minutes=15), holds=True)
FINE = CheckState(check="x", holds=True)
CONTAINS = {"expect": Expectation.CONTAINS, "text": "in stock"}
LACKS = {"expect": Expectation.LACKS, "text": "sold out"}
CERTIFICATE = {"expect": Expectation.CERTIFICATE}


@pytest.mark.parametrize(
    ("fields", "news", "found", "before", "after", "text"),
    [
        ({}, News.DOWN, OUTAGE, FINE, SINCE, f"{URL} has been down since 10:05 AM (HTTP 503)."),
        ({}, News.BACK, UP, SINCE, FINE, f"{URL} is back after 15 minutes."),
        (CONTAINS, News.BROKEN, UP, None, FINE, f'{URL} doesn\'t say "in stock".'),
        (CONTAINS, News.BROKEN, UP, FINE, FINE, f'{URL} no longer says "in stock".'),
        (CONTAINS, News.RESTORED, UP, FINE, FINE, f'{URL} now says "in stock".'),
        (LACKS, News.BROKEN, UP, None, FINE, f'{URL} says "sold out".'),
        (LACKS, News.BROKEN, UP, FINE, FINE, f'{URL} now says "sold out".'),
        (LACKS, News.RESTORED, UP, FINE, FINE, f'{URL} no longer says "sold out".'),
        ({"expect": Expectation.UNCHANGED}, News.CHANGED, UP, FINE, FINE, f"{URL} has changed."),
        (
            CERTIFICATE, News.BROKEN, EXPIRING, FINE, FINE,
            "The certificate of acme.test expires in 13 days, on 12 February 2026.",
        ),
        (
            CERTIFICATE, News.RESTORED, EXPIRING, FINE, FINE,
            "The certificate of acme.test was renewed. It is valid until 12 February 2026.",
        ),
    ],
)  # fmt: skip
def test_each_change_is_one_sentence(
    fields: dict[str, object],
    news: News,
    found: Observation,
    before: CheckState | None,
    after: CheckState,
    text: str,
) -> None:
    check = Check.model_validate({"url": URL, **fields})

    assert text == news_text(
        check, (news,), found, before=before, after=after, now=NOW, time_zone="Europe/Berlin"
    )


def test_an_outage_of_another_day_is_told_with_its_day() -> None:
    state = CheckState(check="x", down_since=NOW - timedelta(days=2))

    said = finding_text(Check(url=URL), OUTAGE, state, now=NOW, time_zone="UTC")

    assert said == f"{URL} has been down since 9:20 AM on 28 January (HTTP 503)."


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "1 minute"), (1, "1 minute"), (15, "15 minutes"), (60, "1 hour"), (90, "90 minutes"),
        (119, "119 minutes"), (150, "2 hours"), (24 * 60, "1 day"), (30 * 60, "30 hours"),
        (3 * 24 * 60, "3 days"),
    ],
)  # fmt: skip
def test_a_duration_is_told_in_its_largest_fitting_unit(minutes: int, text: str) -> None:
    assert duration_text(timedelta(minutes=minutes)) == text
