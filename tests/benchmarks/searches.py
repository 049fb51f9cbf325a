"""Searching 100,000 messages of one user: the function's whole answer, over the twin's own kind of table."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from urllib.parse import quote

from conversation.clock import SystemClock
from conversation.identity import Caller
from conversation.search.index import SearchIndex
from conversation.search.words import COMMON, words
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.benchmarks.figures import Figure, Report, at_most
from tests.benchmarks.workload import exchange
from tests.fakes.aws.proxy_events import request
from tests.fakes.aws.tables import WriteMeter
from tests.fakes.data.stored_conversations import ConversationWriter
from tests.fakes.deployment.functions import invoke, load, settings

MESSAGES = 100_000
TURNS_PER_CONVERSATION = 125
"""A user may begin 500 conversations a day."""
P95_MS = 100.0
"""Source: the memory issue, "Speed, cost"."""
UNITS_PER_MESSAGE = 4.0
_MAYA = Caller(TenantId("acme"), "maya")
_QUERIES = 100


class Taken(NamedTuple):
    """How long one search took; of ``cpu_ms`` nothing is due to others on the machine."""

    ms: float
    cpu_ms: float


def measure() -> Report:
    """Times by kind of search, and of all."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        units = _fill(Path(folder))
        yield f"{MESSAGES} messages in {MESSAGES // TURNS_PER_CONVERSATION // 2} conversations of one user"
        yield Figure("indexing and storing a message", (time.monotonic() - started) / MESSAGES * 1e3, "ms")
        yield Figure("write units of the index", units / MESSAGES, "per message", at_most(UNITS_PER_MESSAGE))
        function = load("conversations", settings(Path(folder)))
        _ask(function, "warming")
        taken: list[Taken] = []
        for kind, queries in _kinds().items():
            times = [_ask(function, query) for query in queries]
            yield Figure(f"{kind}, p95", _p95([each.ms for each in times]), "ms")
            taken += times
    yield Figure("all searches, p50", statistics.median(each.ms for each in taken), "ms")
    yield Figure("all searches, p95", _p95([each.ms for each in taken]), "ms", at_most(P95_MS))
    yield Figure("all searches, p95 of CPU time alone", _p95([each.cpu_ms for each in taken]), "ms")


def _fill(folder: Path) -> float:
    table, clock = SqliteTable(folder / "omniforge.db"), SystemClock()
    meter, spoken, conversation_id = WriteMeter(table), ConversationWriter(table, clock), ""
    index = SearchIndex(tables=Tables(meter), clock=clock)
    for place in range(MESSAGES // 2):
        if place % TURNS_PER_CONVERSATION == 0:
            conversation_id = spoken.begin(_MAYA)
        said = exchange(place)
        reply = spoken.write_turn(_MAYA, conversation_id, said.question, said.answer)
        index.enqueue(_MAYA.tenant, conversation_id, reply.sequence)
    table.close()
    return float(meter.units)


def _kinds() -> Mapping[str, list[str]]:
    """Searches made of what was said, always the same ones."""
    chance = random.Random(100_000)
    return {
        "one word": _made(chance, lambda found: found[0]),
        "two words": _made(chance, lambda found: f"{found[0]} {found[3]}"),
        "four words": _made(chance, lambda found: " ".join(found[:8:2])),
        "a phrase": _made(chance, lambda found: f'"{found[0]} {found[1]}"'),
        "a beginning": _made(chance, lambda found: f"{found[0][:4]}*"),
    }


def _made(chance: random.Random, make: Callable[[list[str]], str]) -> list[str]:
    return [make(found) for found in islice(_sentences(chance), _QUERIES)]


def _sentences(chance: random.Random) -> Iterator[list[str]]:
    while True:
        terms = [word.term for word in words(exchange(chance.randrange(MESSAGES // 2)).answer)]
        start = chance.randrange(len(terms) - 12)
        found = [term for term in terms[start : start + 12] if term not in COMMON and len(term) > 3]
        if len(found) >= 8:
            yield found


def _ask(function: ModuleType, query: str) -> Taken:
    event = request("GET", f"/v1/search?q={quote(query)}&limit=20")
    started, cpu = time.perf_counter(), time.process_time()
    said = invoke(function, event)
    taken = Taken((time.perf_counter() - started) * 1e3, (time.process_time() - cpu) * 1e3)
    assert said.status == 200, said.body
    return taken


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[18]
