"""What is taken out of texts and values."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from conversation.redaction.kinds import SecretKind
from conversation.redaction.masking import (
    find_secrets,
    mask,
    mask_for_models,
    mask_strictly,
    mask_value,
    secret_kinds_in,
)
from tests.evals.secrets import DEV, read_secret_cases

_SPLIT = {
    "T0000/B000": "post to https://hooks.slack.com/services/{}0000/XyZ123abcXyZ456def every day",
    "hunter2": "my password is {}, run the report",
    "d41d8cd98f00b204": "webhook id {}e9800998ecf8427e",
    "maya@": "mail the report to {}acme.example.com and Joe",
    "3704 0044": "pay DE89 {} 0532 0130 00 into it",
    "4500123412": "order {}341231 is late",
}
"""What may be a secret, and a text around it."""

DOUBTFUL = {secret: text.format(secret) for secret, text in _SPLIT.items()}
SECRET = [case.text for case in read_secret_cases(DEV) if case.secrets]


@pytest.mark.parametrize("secret", DOUBTFUL)
def test_what_is_kept_to_be_learned_from_loses_whatever_may_be_a_secret(secret: str) -> None:
    assert secret.casefold() not in mask_strictly(DOUBTFUL[secret]).casefold()


@pytest.mark.parametrize("text", SECRET, ids=range(len(SECRET)))
def test_taking_secrets_out_again_changes_nothing(text: str) -> None:
    assert mask(mask(text)) == mask(text)
    assert mask_strictly(mask_strictly(text)) == mask_strictly(text)


@pytest.mark.parametrize("text", SECRET, ids=range(len(SECRET)))
def test_a_text_that_comes_again_still_has_its_secrets(text: str) -> None:
    found = find_secrets(text)
    assert find_secrets(text) == found


def test_the_words_around_a_secret_stay() -> None:
    text = "Mail maya@acme.com: the password is hunter2, card 4111-1111-1111-1111, run it weekly"
    assert mask(text) == "Mail maya@acme.com: the password is [password], card [card], run it weekly"
    assert mask_strictly(text) == "Mail [email]: the password is [password], card [card], run it weekly"


@pytest.mark.parametrize(
    "text",
    [
        "Our API token is expired, can you rotate it every month?",
        "Reset the password of everybody in the finance team",
        "Run quarterly-revenue-report-for-emea-2026-final at 9:30 on 2026-03-03",
        "How do bearer tokens work, and what does the secret santa bot do?",
        "Call +49 30 1234567 when more than 1,200,000 rows fail",
        "Create an agent that watches Jira for overdue tickets in PLATFORM-1234",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert mask_strictly(text) == text


def test_an_address_to_post_to_stays_only_where_it_is_used_as_one() -> None:
    text = DOUBTFUL["T0000/B000"]
    assert mask_for_models(text) == text
    assert mask(text).endswith("services/[webhook] every day")
    assert secret_kinds_in(text) == (SecretKind.WEBHOOK,)


def test_values_lose_secrets_at_any_depth_and_by_the_name_of_their_field() -> None:
    value: JsonValue = {"what": ["the pin is 4921", {"password": "kittens"}], "count": 3, "to": None}
    assert mask_value(value) == {
        "what": ["the pin is [password]", {"password": "[password]"}],
        "count": 3,
        "to": None,
    }
