"""What a turn costs in DynamoDB, held to its limits: requests and units are exact, so these are tests.

Measured is the chat function as its module composes it, invoked with API Gateway's event, its own boto3
client watched; units are counted with every index and transactions twice (`tests.fakes.aws.dynamodb_meter`).

The workload: read the last 20 messages, store a question of 500 characters and an answer of 1,000. The
history is seeded directly: natural English of these lengths, carrying the metadata, notes and key hashes
that a turn of this very function stores (`tests.benchmarks.workload.seed`). The measured question is such
English, too, and a scripted model decides what it asks for: the list of the user's six agents, an answer of
about 1,000 characters stored with a model's metadata, or the tenant's settings. Both are read anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conversation.identity import Caller
from storage.keys import TenantId
from tests.benchmarks.metered import AGENTS_QUESTION, SETTINGS_QUESTION, MeteredChat, metered_chat
from tests.benchmarks.workload import ANSWER_CHARACTERS, QUESTION_CHARACTERS
from tests.fakes.aws.dynamodb import ministack
from tests.fakes.aws.dynamodb_meter import Totals

pytestmark = pytest.mark.slow

USD_PER_MILLION = 10.0
USD_PER_MILLION_KEYED = 11.5
USD_PER_MILLION_CAPPED = 1.5
"""On top, where the tenant has a budget."""
GROWTH = 0.05

SHORT_NAMES = Caller(TenantId("acme"), "maya")
LONG_NAMES = Caller(TenantId("0f8fad5b-d9cb-469f-a165-70867728950e"), "7c9e6679-7425-40de-944b-e07fc1f90ae7")
"""As identity providers make them: 36 characters that most keys of a turn hold."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as endpoint:
        yield endpoint


@pytest.fixture(scope="module", params=[SHORT_NAMES, LONG_NAMES], ids=["short-names", "long-names"])
def chat(endpoint: str, request: pytest.FixtureRequest) -> Iterator[MeteredChat]:
    with metered_chat(endpoint, request.param) as chat:
        yield chat


@pytest.fixture
def short_chat(endpoint: str) -> Iterator[MeteredChat]:
    with metered_chat(endpoint, SHORT_NAMES) as chat:
        yield chat


@pytest.fixture
def offline_chat(endpoint: str) -> Iterator[MeteredChat]:
    with metered_chat(endpoint, SHORT_NAMES, model=False) as chat:
        yield chat


def test_the_first_turn_of_a_conversation_takes_two_requests_and_one_for_the_list(
    chat: MeteredChat,
) -> None:
    assert chat.say(AGENTS_QUESTION).spent.requests == ["UpdateItem", "Query", "TransactWriteItems"]


@pytest.mark.parametrize("keyed", [False, True])
def test_an_uncontended_turn_takes_three_requests_and_one_for_the_list(
    chat: MeteredChat, keyed: bool
) -> None:
    turn = chat.workload_turn(100, keyed=keyed)
    assert turn.spent.requests == ["UpdateItem", "Query", "Query", "TransactWriteItems"]


def test_a_turn_under_a_cap_takes_two_more_requests_which_cost_little(endpoint: str) -> None:
    with metered_chat(endpoint, SHORT_NAMES, usd_per_day=5.0) as chat:
        turn = chat.workload_turn(100)
    reserve, settle = turn.spent.requests[2:4]
    assert turn.spent.requests == ["UpdateItem", "Query", reserve, settle, "Query", "TransactWriteItems"]
    assert reserve == settle == "UpdateItem"
    assert turn.spent.usd_per_million <= USD_PER_MILLION + USD_PER_MILLION_CAPPED, turn.spent.bill()


def test_an_offline_turn_counts_nothing_and_asks_no_budget(endpoint: str) -> None:
    with metered_chat(endpoint, SHORT_NAMES, model=False, usd_per_day=5.0) as chat:
        chat.say("Good morning!")
        turn = chat.say("Good morning!")
    assert turn.spent.requests == ["UpdateItem", "TransactWriteItems"]
    assert not [charge for charge in turn.spent.charges if charge.what.startswith("D#")]


def test_a_workspace_that_is_not_cached_takes_one_more_request(offline_chat: MeteredChat) -> None:
    first, second = (offline_chat.say("Good morning!") for _ in range(2))
    assert first.spent.requests == ["UpdateItem", "Query", "TransactWriteItems"]
    assert second.spent.requests == ["UpdateItem", "TransactWriteItems"]


def test_limits_take_no_more_than_a_tenth_of_a_request_and_a_unit_per_turn(
    offline_chat: MeteredChat,
) -> None:
    turns = [offline_chat.say("Good morning!") for _ in range(41)]
    assert [turn.drawn.requests for turn in turns if turn.drawn.requests] == [["UpdateItem"]] * 3
    assert sum(turn.drawn.write_units for turn in turns) <= 0.1 * len(turns)


@pytest.mark.parametrize(("keyed", "limit"), [(False, USD_PER_MILLION), (True, USD_PER_MILLION_KEYED)])
def test_a_million_turns_of_the_workload_stay_within_their_price(
    chat: MeteredChat, keyed: bool, limit: float
) -> None:
    assert len(AGENTS_QUESTION) == QUESTION_CHARACTERS
    turn = chat.workload_turn(100, keyed=keyed)
    assert turn.source == "model"
    assert len(turn.content) == pytest.approx(ANSWER_CHARACTERS, rel=0.1)
    assert turn.spent.usd_per_million <= limit, turn.spent.bill()


@pytest.mark.parametrize(("keyed", "limit"), [(False, USD_PER_MILLION), (True, USD_PER_MILLION_KEYED)])
def test_so_do_turns_that_read_the_settings_anew(short_chat: MeteredChat, keyed: bool, limit: float) -> None:
    turn = short_chat.workload_turn(100, keyed=keyed, question=SETTINGS_QUESTION)
    assert turn.content.startswith("Chats are kept for 30 days")
    assert turn.spent.requests == ["UpdateItem", "Query", "GetItem", "TransactWriteItems"]
    assert turn.spent.usd_per_million <= limit, turn.spent.bill()


@pytest.mark.parametrize("keyed", [False, True])
def test_a_turn_costs_the_same_at_ten_thousand_messages_as_at_a_hundred(
    chat: MeteredChat, keyed: bool
) -> None:
    short, long = (chat.workload_turn(messages, keyed=keyed).spent for messages in (100, 10_000))
    assert long.requests == short.requests
    assert _units(long) == pytest.approx(_units(short), rel=GROWTH), f"{short.bill()}\n\n{long.bill()}"


def _units(spent: Totals) -> list[float]:
    return [spent.write_units, spent.read_units, spent.usd_per_million]
