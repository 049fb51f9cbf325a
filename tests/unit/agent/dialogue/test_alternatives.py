"""Two values that a message leaves open between: what decides, and the other one afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.fakes.data.chat_session import Talk


def _report() -> Talk:
    talk = Talk()
    talk.create("kpi1", "revenue per region", sources=["salesforce"])
    return talk


def test_the_name_that_the_message_settles_on_is_given_and_the_other_is_remembered() -> None:
    talk = _report()
    said = talk.classify_and_answer("Rename kpi1 for me: sales-pulse or revenue-pulse, whichever is shorter")
    assert said.text == "kpi1 is now called sales-pulse."
    talk.classify_and_answer("hmm no, the other one after all")
    assert [one.name for one in talk.agents()] == ["revenue-pulse"]


@pytest.mark.parametrize("answer", ["fine, river-levels it is", "the second", "the latter please"])
def test_names_that_nothing_decides_between_are_asked_about(answer: str) -> None:
    talk = _report()
    said = talk.classify_and_answer("Nobody knows what kpi1 is. Call it low-water or river-levels?").text
    assert said == "Which name should kpi1 have: low-water or river-levels?"
    talk.classify_and_answer(answer)
    assert [one.name for one in talk.agents()] == ["river-levels"]


def test_the_earlier_of_two_days_is_taken_where_the_message_says_so() -> None:
    talk = Talk()
    first, second = (talk.clock.now().date() + timedelta(days=days) for days in (5, 12))
    talk.classify_and_answer(
        f"Remind me to hand in the form. The website says {second:%d %B} and the leaflet says {first:%d %B},"
        " so take whichever is earlier"
    )
    [task] = talk.tasks.list(talk.caller, limit=9)[0]
    assert (task.title, task.due_date) == ("hand in the form", first)


@pytest.mark.parametrize(
    ("answer", "source"),
    [("the latter. Shopify is a day behind", "katana"), ("the first one", "shopify"), ("former", "shopify")],
)
def test_a_source_is_chosen_of_two_that_were_named(answer: str, source: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "Items low in stock please, weekdays at 8 am, here in the chat. The numbers are in Shopify and also"
        " in Katana, which should it be?"
    )
    talk.classify_and_answer(answer)
    [agent] = talk.agents()
    assert agent.sources == (source,)
