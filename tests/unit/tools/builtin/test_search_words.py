"""A search query holds the user's own words, whatever a model makes of it."""

from __future__ import annotations

from datetime import date

import pytest

from tools.builtin.search_words import COMMON, MAX_QUERY_CHARACTERS, limit_query

TODAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("message", "query", "sent"),
    [
        (
            "What is the weather in Lisbon this afternoon?",
            "weather Lisbon afternoon",
            "weather Lisbon afternoon",
        ),
        (
            "Has Python 3.15 been released yet?",
            "Python 3.15 release date 2026",
            "Python 3.15 release date 2026",
        ),
        (
            "Is there a train strike in France this week?",
            "train strike France March 2026",
            "train strike France March 2026",
        ),
        (
            "Compare hotel prices in Hamburg",
            "Hamburg hotel price comparison",
            "Hamburg hotel price comparison",
        ),
        ("Which hotels near the fair are good?", "Maya salary 84200 hotels fair", "hotels fair"),
        ("Was gibt es Neues zur Bahnreform?", "railway reform news", "Was gibt es Neues zur Bahnreform?"),
        ("Lisbon weather", "IBAN 4711 84,200", "Lisbon weather"),
        ("and Paris?", "weather Paris", "weather Paris"),
    ],
)
def test_only_words_of_the_message_leave(message: str, query: str, sent: str) -> None:
    assert limit_query(query, message, TODAY) == sent


def test_the_message_itself_is_cut_at_a_word() -> None:
    sent = limit_query("something else", "word " * 200, TODAY)
    assert sent.endswith("word")
    assert len(sent) <= MAX_QUERY_CHARACTERS


def test_without_words_nothing_is_left() -> None:
    assert limit_query("IBAN 4711", "", TODAY) == ""


def test_the_common_words_name_nobody() -> None:
    assert all(word.isalpha() and word == word.casefold() for word in COMMON)
