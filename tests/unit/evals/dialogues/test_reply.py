"""A reply is read as a user would: what it asks, and what it offers to choose from."""

from __future__ import annotations

import pytest

from tests.evals.dialogues.person import conflict
from tests.evals.dialogues.reply import Reply, asked, is_menu, options_of

MENU = Reply(
    "I'd like you to choose:\n\n1. Create a new agent\n2. Put it on your list\n\nJust tell me the number."
)
WHICH = Reply("Which one do you mean?\n1. alpha\n2. beta")
MONDAYS = "Every Monday at 9:00 AM. Want me to set that up?"


def test_a_numbered_choice_of_acts_is_a_menu() -> None:
    assert is_menu(MENU, [])
    assert options_of(MENU) == ("Create a new agent", "Put it on your list")
    assert asked(MENU) == ["menu"]
    assert is_menu(Reply("Shall I?", options=("Create a new agent",)), [])


def test_a_list_is_no_menu() -> None:
    assert not is_menu(Reply("You have two agents:\n1. alpha: weekly\n2. beta: daily"), [])


def test_a_choice_among_ones_own_things_is_a_question() -> None:
    assert is_menu(WHICH, [])
    assert not is_menu(WHICH, ["alpha", "beta"])
    assert asked(WHICH, ["alpha", "beta"]) == ["which"]


def test_a_choice_of_acts_on_ones_own_things_is_a_menu() -> None:
    acts = "Shall I:\n1. Run alpha once\n2. Change alpha\n3. Do it another way\nJust tell me the number."

    assert is_menu(Reply(acts), ["alpha"])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("When should it run, and where should I send the result?", {"where", "when"}),
        ("Where do the closed tickets live?", {"source"}),
        ("Which app or service should it work with (for example Jira, Gmail or Google Sheets)?", {"source"}),
        ("How should I deliver the result: here in this conversation, by e-mail, or to Slack?", {"where"}),
        ("What should happen when it comes to that: a Slack alert, an e-mail, or both?", {"where"}),
        ("How often should it run?", {"when"}),
        ("Got it!\n- Source: Slack\n\nWhat should it do?", {"job"}),
        ("What specific data should the report include?", {"job"}),
        (
            "Questions:\n1. When should it run?\n2. How should I deliver it: here, by e-mail, or to Slack?",
            {"when", "where"},
        ),
        ("How do you define 'low': below a fixed number, or below what is usual?", {"other"}),
        ("What should change about cash-report? I can change its schedule.", {"change"}),
        ("Which task do you mean?", {"which"}),
        ("What would you like to call it?", {"name"}),
        ("That can be automated, on Fridays at 9. Want me to set that up?", {"confirm"}),
        (
            "Do you really want to delete alpha? This can't be undone. Say yes to delete it, or no.",
            {"confirm"},
        ),
        ("Shall I save it?", {"confirm"}),
        ("Shall it run every Friday at 9:00 AM?", {"confirm"}),
        (
            "I'm not sure what you'd like. Would you like to set up an agent, list yours, or see more?",
            {"open"},
        ),
        ("(Your agent isn't finished: I still need to know what counts.)", {"other"}),
        ("I'm not sure what that refers to. What would you like me to do?", {"open"}),
        ("Done. Anything else?", set()),
        ('Nothing is on your list. To add one say "what time should I call?".', set()),
        ("It runs when a ticket is closed.", set()),
    ],
)
def test_what_a_reply_asks(text: str, kinds: set[str]) -> None:
    found = asked(Reply(text))

    assert set(found) == kinds
    assert len(found) == len(kinds)


def test_a_reply_may_say_beside_its_text_that_it_asks_for_a_yes() -> None:
    assert asked(Reply("I'd save it like this.", asks_yes_or_no=True)) == ["confirm"]


@pytest.mark.parametrize(
    ("proposed", "wanted"), [(MONDAYS, "mondays at 7"), ("on Mondays?", "fri"), ("at 9:00 AM?", "at 10")]
)
def test_another_time_than_the_wanted_one_is_a_conflict(proposed: str, wanted: str) -> None:
    assert conflict(proposed, wanted)


@pytest.mark.parametrize(
    "wanted", ["Mondays at 9", "mon 9 am", "9:00 in the morning", "weekly", "at 9 and 5 pm", "I don't know"]
)
def test_the_same_time_in_other_words_is_none(wanted: str) -> None:
    assert not conflict(MONDAYS, wanted)
