"""Amounts told before, compared with one that is named, and one more told after a remark."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

QUOTES = "got three quotes: Brandt 4,150, Osei 3,780, Lund 4,495. who is cheapest?"
HALLS = "Hall A 300, Hall B 420, Hall C 260. Which one is the dearest?"


def last_reply(*messages: str) -> str:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages][-1]


@pytest.mark.parametrize(
    ("told", "asked", "difference"),
    [
        (QUOTES, "what would we save compared with Lund", "715"),
        (QUOTES, "how much cheaper is that than Brandt?", "370"),
        (QUOTES, "how much more is Lund", "715"),
        (HALLS, "how much more than Hall C is that?", "160"),
        ("bids: Kern 8,000, Voss 7,400. who's lowest?", "what's the saving compared to Kern?", "600"),
    ],
)
def test_a_named_amount_is_compared_with_the_one_that_is_meant(
    told: str, asked: str, difference: str
) -> None:
    assert f"= {difference}" in last_reply(told, asked)


@pytest.mark.parametrize(
    ("messages", "total"),
    [
        (("Catering 1,120, band 800, marquee 1,450. Could you add those up for me?",
          "haha the singer is my brother in law, that's why it's so cheap",
          "I forgot the portaloos, another 275. Where does that leave us in total?"), "3,645"),
        (("Taxi 34, hotel 210, meals 77. sum please",
          "I left out the train, that's 58. Where does that put us?"), "379"),
        (("invoices: 220, 310, 95. sum?", "correction, the third is 105"), "635"),
        (("22 guests at 38 each, what's the total?", "sorry, 24 guests"), "912"),
        (("3 adults and 5 kids, how many people all together?",), "8"),
    ],
)  # fmt: skip
def test_amounts_go_on_behind_a_remark_and_by_their_place(messages: tuple[str, ...], total: str) -> None:
    assert f"= {total}" in last_reply(*messages)
