"""Which news a check brings after an earlier one: each change once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agent.checks.check import Check, Expectation
from agent.checks.check_state import CheckState, News, judge
from agent.checks.observation import Observation

NINE = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
UP, DOWN = Observation(is_up=True), Observation(is_up=False, reason="HTTP 503")
REACHABLE = Check(url="https://acme.test")
IN_STOCK = Check(url="https://acme.test", expect=Expectation.CONTAINS, text="in stock")
HAS, HAS_NOT = Observation(is_up=True, holds=True), Observation(is_up=True, holds=False)


def news_of(check: Check, *found: Observation) -> list[tuple[News, ...]]:
    """The news of checks that find this, one after the other, every five minutes."""
    state: CheckState | None = None
    told = list[tuple[News, ...]]()
    for place, each in enumerate(found):
        state, news = judge(check, state, each, NINE + timedelta(minutes=5 * place))
        told.append(news)
    return told


def test_an_outage_and_its_end_are_news_once() -> None:
    assert news_of(REACHABLE, UP, UP, DOWN, DOWN, UP, UP) == [(), (), (News.DOWN,), (), (News.BACK,), ()]


def test_another_reason_for_an_outage_is_no_news() -> None:
    assert news_of(REACHABLE, DOWN, DOWN._replace(reason="HTTP 500")) == [(News.DOWN,), ()]


def test_the_first_check_tells_of_trouble_only() -> None:
    assert news_of(REACHABLE, UP) == [()]
    assert news_of(REACHABLE, DOWN) == [(News.DOWN,)]
    assert news_of(IN_STOCK, HAS) == [()]
    assert news_of(IN_STOCK, HAS_NOT) == [(News.BROKEN,)]


def test_a_text_that_goes_and_comes_is_news_once() -> None:
    found = news_of(IN_STOCK, HAS, HAS_NOT, HAS_NOT, HAS)

    assert found == [(), (News.BROKEN,), (), (News.RESTORED,)]


def test_what_an_outage_interrupts_is_not_told_again_after_it() -> None:
    assert news_of(IN_STOCK, HAS_NOT, DOWN, HAS_NOT) == [(News.BROKEN,), (News.DOWN,), (News.BACK,)]


def test_a_page_that_comes_back_without_its_text_is_told_to_be_both() -> None:
    assert news_of(IN_STOCK, HAS, DOWN, HAS_NOT)[-1] == (News.BACK, News.BROKEN)


def test_each_change_of_a_page_is_news() -> None:
    check = Check(url="https://acme.test", expect=Expectation.UNCHANGED)
    one, other = (Observation(is_up=True, fingerprint=text) for text in ("one", "other"))

    assert news_of(check, one, one, other, other, DOWN, one) == [
        (), (), (News.CHANGED,), (), (News.DOWN,), (News.BACK, News.CHANGED),
    ]  # fmt: skip


def test_a_changed_check_begins_anew() -> None:
    state, _ = judge(IN_STOCK, None, HAS, NINE)
    other = IN_STOCK.model_copy(update={"text": "sold out"})

    assert judge(other, state, HAS_NOT, NINE).news == (News.BROKEN,)
    assert judge(other, judge(other, None, DOWN, NINE).state, DOWN, NINE).news == ()
