"""Questions that go on from the result of listed amounts, and not from the amounts themselves."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

LIST = "catering 1,150, band 600, flowers 250"


def last_reply(*messages: str) -> str:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages][-1]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ((f"{LIST}. sum?", "times 3"), "2,000 × 3 = 6,000"),
        ((f"{LIST}. sum?", "and 10% off the lot?"), "2,000 − 10% = 1,800"),
        ((f"{LIST}. sum?", "add 5% for surprises"), "2,000 + 5% = 2,100 (the 5% is 100)"),
        ((f"{LIST}. sum?", "and if I take off 120 for the hire?"), "2,000 − 120 = 1,880"),
        ((f"{LIST}. What's the total of all three split across 5 teams?",), "2,000 ÷ 5 teams = 400"),
        ((LIST, "the total plus 20% VAT?"), "2,000 + 20% = 2,400 (the 20% is 400)"),
        ((f"{LIST}. sum?", "what's 18% of 500?", "plus 40 for the ads?"), "90 + 40 = 130"),
        ((f"{LIST}. sum?", "45 x 20 please", "and for 50?"), "50 × 20 = 1,000"),
        (("power is 70 a month and water 30. total?", "and per year?"), "100 × 12 months = 1,200"),
    ],
)
def test_an_operation_goes_on_from_the_result(messages: tuple[str, ...], said: str) -> None:
    assert last_reply(*messages) == said


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ((f"{LIST}. sum?", "plus 350 for the cake"), "1,150 + 600 + 250 + 350 = 2,350."),
        ((f"{LIST}. sum?", "plus 350 for the cake", "without the band?"),
         "1,150 + 250 + 350 = 1,750 without band."),
        ((f"{LIST}. sum?", "what if the band is 750 instead?"), "1,150 + 750 + 250 = 2,150."),
        (("power this month was 88.20", "water 40 and internet 45", "what are the three together?"),
         "88.20 + 40 + 45 = 173.20."),
    ],
)  # fmt: skip
def test_what_joins_or_changes_the_amounts_stays_about_them(messages: tuple[str, ...], said: str) -> None:
    assert last_reply(*messages) == said


@pytest.mark.parametrize(
    "question",
    ["how far apart are the highest and the lowest?", "what's the gap between the best and the worst?"],
)
def test_the_highest_is_compared_with_the_lowest(question: str) -> None:
    told = "Mia sold 410, Leo 275, Zoe 390. Who sold the most?"
    assert last_reply(told, question) == "410 − 275 = 135: Mia has more."
