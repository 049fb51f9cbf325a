"""What a turn costs in DynamoDB, as its conversation grows: requests, units and money, exact rather than
timed.

`tests/integration/turns/test_turn_cost.py` holds the same figures to their limits.
"""

from __future__ import annotations

from conversation.identity import Caller
from storage.keys import TenantId
from tests.benchmarks.figures import Figure, Limit, Report, at_most
from tests.benchmarks.metered import (
    AGENTS_QUESTION,
    SETTINGS_QUESTION,
    MeteredChat,
    MeteredTurn,
    metered_chat,
)
from tests.fakes.aws.dynamodb import ministack

LENGTHS = (10, 100, 10_000)
REQUESTS = 4
FIRST_TURN_REQUESTS = 3
"""With the request for the user's agents, which the measured answer lists and which are read anew."""
USD_PER_MILLION = 10.0
USD_PER_MILLION_KEYED = 11.5

MAYA = Caller(TenantId("acme"), "maya")


def measure() -> Report:
    """A first turn, then one turn at every length, without and with an Idempotency-Key."""
    yield "read the last 20 messages, store a question of 500 characters and its answer; exact: measured once"
    with ministack() as endpoint, metered_chat(endpoint, MAYA) as chat:
        first = chat.say(AGENTS_QUESTION)
        yield f"the handler answers with {len(first.content)} characters; the history is seeded"
        requests = len(first.spent.requests)
        yield Figure("first turn of a conversation: requests", requests, "", at_most(FIRST_TURN_REQUESTS))
        for keyed in (False, True):
            yield from _growing(chat, keyed=keyed)
        yield from _looking_up(chat)


def _growing(chat: MeteredChat, *, keyed: bool) -> Report:
    limit = at_most(USD_PER_MILLION_KEYED if keyed else USD_PER_MILLION)
    turns = {messages: chat.workload_turn(messages, keyed=keyed) for messages in LENGTHS}
    for messages, turn in turns.items():
        name = f"{messages:,} messages{', with Idempotency-Key' if keyed else ''}"
        yield from _figures(name, turn, limit)
    growth = turns[10_000].spent.usd_per_million / turns[100].spent.usd_per_million
    yield Figure("price at 10,000 messages against 100", growth, "times", at_most(1.05))


def _looking_up(chat: MeteredChat) -> Report:
    """The settings: an answer that is short, and read anew."""
    spent = chat.workload_turn(100, question=SETTINGS_QUESTION).spent
    name = "100 messages, answered with the settings"
    yield Figure(f"{name}: requests, its own included", len(spent.requests), "")
    yield Figure(f"{name}: a million", spent.usd_per_million, "USD", at_most(USD_PER_MILLION))


def _figures(name: str, turn: MeteredTurn, limit: Limit) -> Report:
    spent = turn.spent
    yield Figure(f"{name}: requests", len(spent.requests), "", at_most(REQUESTS))
    yield Figure(f"{name}: write units", spent.write_units, "")
    yield Figure(f"{name}: read units", spent.read_units, "")
    yield Figure(f"{name}: a million turns", spent.usd_per_million, "USD", limit)
