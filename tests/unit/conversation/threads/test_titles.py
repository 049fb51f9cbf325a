"""Titles made of first requests."""

from __future__ import annotations

import pytest

from conversation.threads.titles import MAX_CHARACTERS, shorten_title, title_of


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("Hi! Could you please check my overdue Jira tickets? Thanks", "Check my overdue Jira tickets"),
        ("I'd like to know what's new in Notion", "Know what's new in Notion"),
        ("Thanks! What tasks do I have?", "What tasks do I have?"),
        ("hey there, can you help me to write a poem, please?", "Write a poem"),
        ("Well-being tips", "Well-being tips"),
        ("soft launch plan", "Soft launch plan"),
        ("Hello", "Hello"),
        ("  \n ", ""),
        ("My password is hunter22", "My password is [password]"),
    ],
)
def test_a_title_says_what_is_asked_for_without_courtesies_and_secrets(request_: str, title: str) -> None:
    assert title_of(request_) == title


def test_a_long_request_is_cut_between_words() -> None:
    title = title_of(
        "Create an agent that watches my overdue tickets every Monday morning and mails them to me"
    )
    assert title == "Create an agent that watches my overdue tickets every…"
    assert len(title) <= MAX_CHARACTERS


def test_text_without_spaces_is_cut_all_the_same() -> None:
    assert shorten_title("好" * 100) == "好" * (MAX_CHARACTERS - 1) + "…"
