"""A sum is worked out wherever it is asked: beside a story, an unfinished agent or an open question."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

_SUMS = [
    ("while I think of it, what's 24 times 3.60?", "86.4"),
    ("Things have changed on our side, so please work out 17 * 23", "391"),
    ("Sorry to bother you, could you work out 17 * 23?", "391"),
    ("My boss wants to know what 17 times 23 is", "391"),
    ("remind me what 7 times 8 is", "= 56"),
    ("please multiply 24 by 3.60", "86.4"),
    ("subtract 37.50 from 250", "212.50"),
    ("what's double 47.50", "95"),
    ("tell me 24 x 3.60", "86.4"),
    ("24x3.60", "86.4"),
    ("3 % off 850 please", "824.5"),
    ("45 as a percentage of 180", "25%"),
    ("and 1300 divded by 4", "325"),
    ("half of 37", "18.5"),
]


@pytest.mark.parametrize(("message", "figure"), _SUMS)
def test_alone(message: str, figure: str) -> None:
    assert figure in Talk().classify_and_answer(message).text


@pytest.mark.parametrize(("message", "figure"), _SUMS)
def test_while_an_agent_is_set_up(message: str, figure: str) -> None:
    talk = Talk()
    talk.classify_and_answer("hi, I want a report on deliveries that came short. we log them in Airtable")

    assert figure in talk.classify_and_answer(message).text
    assert not talk.agents()


@pytest.mark.parametrize(("message", "figure"), _SUMS)
def test_before_a_yes(message: str, figure: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.classify_and_answer("delete parcels")

    assert figure in talk.classify_and_answer(message).text
    assert talk.agents()


@pytest.mark.parametrize(
    "message",
    [
        "remind me to work out 17 * 23 tomorrow",
        "add a task: multiply 24 by 3.60",
        "buy 2 x 4 timber tomorrow",
        "every Monday at 9 mail me 20% of the orders from Shopify to kim@shop.co",
        "put 'check 12 x 8 prints' on my list",
    ],
)
def test_numbers_of_a_task_or_a_job_are_not_reckoned_with(message: str) -> None:
    assert " = " not in Talk().classify_and_answer(message).text


@pytest.mark.parametrize("thanks", ["thanks", "ok", "right, thanks", "nice one"])
def test_thanks_for_a_result_ask_for_no_other(thanks: str) -> None:
    talk = Talk()
    for message in ("hi", "what is 5 plus 6?"):
        talk.classify_and_answer(message)

    said = talk.classify_and_answer(thanks).text

    assert "11" not in said
    assert "= 7" not in said
