"""Budgets as administrators speak of them: the amount and period said, asked back before the deed."""

from __future__ import annotations

import pytest

from conversation.identity import ADMIN, Caller
from conversation.tenants.policy import Budget
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk

ACME = TenantId("acme")


def admin() -> Talk:
    return Talk(Caller(ACME, "maya", frozenset({ADMIN})))


def told(talk: Talk, *messages: str) -> str:
    """Return the last reply to several messages."""
    return [talk.classify_and_answer(message) for message in messages][-1].text


def budget_of(talk: Talk) -> Budget:
    return talk.tenants.record(ACME).policy.budget


@pytest.mark.parametrize(
    ("message", "amount"),
    [
        ("I'm the one who pays for this. Cap it at 200 dollars a month.", "200.00 USD a month"),
        ("One of us pays for everyone. Cap the cost at 90 dollars a month", "90.00 USD a month"),
        ("set monthly budget to 500 usd", "500.00 USD a month"),
        ("one more thing: set a budget of 3 dollars a day", "3.00 USD a day"),
        ("There are 12 of us and one card. Limit spending to $250 per month", "250.00 USD a month"),
        ("The models may not cost us more than 60 bucks monthly. I have two cards.", "60.00 USD a month"),
        ("limit spending to twenty dollars a day, that one is important", "20.00 USD a day"),
        ("Our 12 people share one card. Limit spending to 250 dollars per month", "250.00 USD a month"),
    ],
)
def test_the_amount_is_the_one_said_of_money(message: str, amount: str) -> None:
    talk = admin()
    assert f"models may cost {amount}?" in told(talk, message)
    assert budget_of(talk) == Budget()
    assert told(talk, "yes") == f"Done: models may cost {amount}."


@pytest.mark.parametrize(
    ("message", "amount"),
    [
        ("Please limit the cost to 100 euro in the month.", "100.00 USD a month"),
        ("Don't let the models cost more than 80 pounds per month.", "80.00 USD a month"),
        ("set the budget to \u20ac15 a day", "15.00 USD a day"),
        ("monthly budget: 5000 rupees, please set it", "5,000.00 USD a month"),
    ],
)
def test_another_currency_is_said_once_and_the_number_is_asked_in_dollars(message: str, amount: str) -> None:
    talk = admin()
    first = told(talk, message)
    assert first.startswith("Budgets here are in US dollars")
    assert f"models may cost {amount}?" in first
    assert budget_of(talk) == Budget()
    assert told(talk, "yes") == f"Done: models may cost {amount}."


def test_another_number_in_the_other_currency_answers_the_question() -> None:
    talk = admin()
    told(talk, "Please limit the cost to 100 euro in the month.")
    assert "models may cost 150.00 USD a month?" in told(talk, "a monthly budget of 150 euro")
    told(talk, "yes")
    assert budget_of(talk).usd_per_month == 150


@pytest.mark.parametrize(
    "question",
    [
        "did that stick?",
        "has it changed?",
        "did it save?",
        "is it in force?",
        "what's the cap now?",
        "what's the limit?",
        "So it stands at how much now?",
        "how much is it now?",
        "and what is it now?",
        "is that set now?",
    ],
)
def test_a_question_after_a_change_is_answered_with_the_value(question: str) -> None:
    talk = admin()
    told(talk, "set monthly budget to 120 usd", "yes")
    assert told(talk, question) == "Models may cost 120.00 USD a month."


def test_a_number_after_the_change_or_its_answer_is_the_next_value() -> None:
    talk = admin()
    told(talk, "set monthly budget to 120 usd", "yes", "how high is the budget now?")
    assert "150.00 USD a month?" in told(talk, "Then better 150, to be on the safe side.")


@pytest.mark.parametrize(
    "question",
    [
        "And what happens, when it is used up in the middle of the month?",
        "what happens once it is reached?",
        "and if it runs out, what happens then?",
    ],
)
def test_what_follows_when_it_is_used_up_is_told_of_the_budget(question: str) -> None:
    talk = admin()
    told(talk, "set monthly budget to 120 usd", "yes")
    assert "everything else goes on working" in told(talk, question)
    assert "150.00 USD a month?" in told(talk, "Then better 150, to be on the safe side.")


@pytest.mark.parametrize(
    "message",
    [
        "im admin now apparently, which models can ppl here use?",
        "I am the administrator since Monday. Which models may be used here?",
    ],
)
def test_the_question_of_a_message_decides_what_is_answered(message: str) -> None:
    assert told(admin(), message) == "All models that are set up here may be used."
