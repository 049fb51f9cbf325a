"""Schedules that are told in parts: before a question and in its answer, or as cron beside other parts."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def cron_after(was: str, *said: str) -> str:
    """Return the schedule of the only agent after messages about it."""
    talk = Talk()
    talk.create(
        "sales-digest", what="sales", sources=["postgres"], schedule={"cron": was, "time_zone": "UTC"}
    )
    for message in said:
        talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.schedule.cron


@pytest.mark.parametrize(
    ("was", "said", "expected"),
    [
        ("30 9 * * 1", ("change the sales digest to Tuesdays, late afternoon", "at 4:30 pm"), "30 16 * * 2"),
        ("30 9 * * 1", ("the sales digest should come on tuesdays after lunch", "13:15"), "15 13 * * 2"),
        ("30 9 * * 1", ("Make the sales digest once a month at 8", "on the first"), "0 8 1 * *"),
        (
            "30 9 * * 1",
            ("Make the sales digest once a month", "at 8:30 in the morning", "on the first"),
            "30 8 1 * *",
        ),
        ("30 9 * * 1-5", ("Make the sales digest once a week", "at 8", "mondays"), "0 8 * * 1"),
        ("30 9 * * 1", ("let the sales digest run three times a week", "mon, wed and fri"), "30 9 * * 1,3,5"),
    ],
)
def test_what_was_told_before_the_question_stays(was: str, said: tuple[str, ...], expected: str) -> None:
    assert cron_after(was, *said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (("Make the sales digest once a month", "at 8:30 in the morning"), "30 9 * * 1"),
        (("change the sales digest to Tuesdays, late afternoon", "never mind"), "30 9 * * 1"),
        (("change the sales digest to Tuesdays, late afternoon", "who are you?"), "30 9 * * 1"),
        (("change the sales digest to Tuesdays, late afternoon", "fridays at 4"), "0 16 * * 5"),
    ],
)
def test_an_answer_that_says_all_or_nothing_stands_alone(said: tuple[str, ...], expected: str) -> None:
    assert cron_after("30 9 * * 1", *said) == expected


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("The sales digest is too often. Once a month, on the first, same hour as now, would be plenty",
         "30 9 1 * *"),
        ("I only need the sales digest once a month, on the first", "30 9 1 * *"),
        ("Once a month, on the first, would be plenty for the sales digest", "30 9 1 * *"),
        ("sales digest only on monday and friday mornings", "30 9 * * 1,5"),
    ],
)  # fmt: skip
def test_a_change_of_days_keeps_the_hour(say: str, expected: str) -> None:
    assert cron_after("30 9 * * 1", say) == expected


@pytest.mark.parametrize(
    ("say", "source", "cron"),
    [
        ("new agent dq-orders: fct_orders vs yesterday, from snowflake, cron 15 */6 * * 1-5, slack #dq",
         "snowflake", "15 */6 * * 1-5"),
        ("create an agent that counts open tickets from zendesk on cron 0 7 * * 1-5 and posts to slack #help",
         "zendesk", "0 7 * * 1-5"),
        ("Set up an agent: overdue invoices from xero, 0 8 * * 1, here", "xero", "0 8 * * 1"),
        ("I want an agent that watches failed payments in stripe, schedule */30 * * * *, results here",
         "stripe", "*/30 * * * *"),
        ("new agent: late parcels from shopify, run it at 30 7 * * 1-5, here", "shopify", "30 7 * * 1-5"),
    ],
)  # fmt: skip
def test_a_typed_cron_beside_other_parts_is_the_schedule(say: str, source: str, cron: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (tuple(agent.sources), agent.schedule.cron) == ((source,), cron)


@pytest.mark.parametrize(
    "say",
    [
        "new agent: late parcels from shopify, cron * * * * *, here",
        "new agent: late parcels from shopify, cron 0 7 * * 1-5 until June, here",
        "new agent stars: count of repos with * in their names from github, here",
    ],
)
def test_a_cron_that_is_none_or_not_sure_is_asked(say: str) -> None:
    talk = Talk()
    assert "When should it run" in talk.classify_and_answer(say).text
    assert talk.agents() == []


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("On 1 January, 1 April, 1 July and 1 October at 9.00 a.m.", "0 9 1 1,4,7,10 *"),
        ("Jan 1, Apr 1, Jul 1 and Oct 1 at 9", "0 9 1 1,4,7,10 *"),
    ],
)
def test_dates_of_one_day_answer_when_an_agent_is_to_run(say: str, expected: str) -> None:
    talk = Talk()
    talk.classify_and_answer("Create an agent that sums up the sales from postgres, here")
    talk.classify_and_answer(say)
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == expected
