"""A message, or a write, that ends the process that handles it: everybody else goes on, and so does its own
conversation.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from agent.turns.lease_holder import GIVEN_UP_REPLY
from conversation.clock import FileClock
from conversation.turns.admission import LEASE_DURATION
from edge.adapters.crash_marks import MAX_DEATHS
from edge.adapters.queues import SqliteTurnQueue
from storage.keys import TenantId
from tests.fakes.deployment.faulty_twins import DeadlyTwin
from tests.fakes.deployment.twin_with_deadly_messages import Fate
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
UNDERSTANDING = "intent.analysis.analyzer:IntentAnalyzer.analyze"
TITLES = "agent.after_turn.titles:TitleUpdater.handle"


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[DeadlyTwin]:
    with DeadlyTwin(tmp_path, places=[UNDERSTANDING], clock=MORNING) as twin:
        yield twin


class Bystander:
    """A user of another tenant, who sends one message after the other and sends again what got no answer."""

    def __init__(self, twin: DeadlyTwin) -> None:
        self._twin = twin
        self._token = twin.token("globex", "noah")
        self._over = Event()
        self.answered = 0

    def talk(self) -> None:
        conversation_id = None
        while not self._over.is_set():
            try:
                reply = self._twin.chat("List my agents", token=self._token, conversation_id=conversation_id)
            except httpx.TransportError:
                continue
            assert reply.status_code in (200, 202), reply.text
            if reply.status_code == 200:
                conversation_id = reply.json()["conversation_id"]
                self.answered += 1
            else:
                conversation_id = None  # its lease stands as still as the clock does

    def goes_on_after(self, answered: int) -> bool:
        return self.answered > answered

    def stop(self) -> None:
        self._over.set()


def let_the_lease_run_out(twin: DeadlyTwin) -> None:
    """The only way a lease ends here: the clock stands still."""
    twin.set_clock(FileClock(twin.data / "clock").now() + LEASE_DURATION)


def messages(twin: DeadlyTwin, conversation_id: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = twin.get(
        f"/v1/conversations/{conversation_id}/messages", token=twin.token()
    )["items"]
    return items


def die_of(twin: DeadlyTwin, message: str, conversation_id: str) -> None:
    """Send a message whose server dies, and wait for the next one."""
    before = twin.deaths
    with pytest.raises(httpx.TransportError):
        twin.chat(message, token=twin.token(), conversation_id=conversation_id)
    eventually(lambda: twin.deaths > before)
    let_the_lease_run_out(twin)


@pytest.mark.parametrize("fate", Fate)
def test_a_deadly_message_gets_an_apology_and_everybody_goes_on(twin: DeadlyTwin, fate: Fate) -> None:
    conversation_id = twin.chat("Hello", token=twin.token()).json()["conversation_id"]
    noah = Bystander(twin)
    with ThreadPoolExecutor(1) as pool:
        talk = pool.submit(noah.talk)
        try:
            for message in (f"What is a {fate}?", "What can you do?"):
                die_of(twin, message, conversation_id)
                answered = noah.answered
                eventually(partial(noah.goes_on_after, answered))
            reply = twin.chat("List my agents", token=twin.token(), conversation_id=conversation_id)
        finally:
            noah.stop()
        talk.result()
    assert reply.status_code == 200, reply.text
    said = messages(twin, conversation_id)
    assert [each["role"] for each in said] == ["user", "assistant"] * 4
    requests = ["Hello", f"What is a {fate}?", "What can you do?", "List my agents"]
    assert [each["content"] for each in said[::2]] == requests
    assert [each["content"] == GIVEN_UP_REPLY for each in said[1::2]] == [False, True, False, False]
    assert twin.deaths == 2


def test_a_killed_twin_starts_whatever_waits_in_its_queue_and_answers_it_by_itself(twin: DeadlyTwin) -> None:
    conversation_id = twin.chat("Hello", token=twin.token()).json()["conversation_id"]
    die_of(twin, f"What is a {Fate.LOOP_IN_C}?", conversation_id)
    twin.kill9()
    SqliteTurnQueue(str(twin.data / "queue.db")).send(TenantId("acme"), conversation_id)
    twin.restart()
    eventually(lambda: twin.deaths == 2)
    let_the_lease_run_out(twin)
    eventually(lambda: messages(twin, conversation_id)[-1]["content"] == GIVEN_UP_REPLY)
    assert twin.deaths == 2


def waiting_changes(data: Path) -> int:
    """Return how many writes wait to be followed."""
    with closing(sqlite3.connect(data / "omniforge.db")) as connection:
        return int(connection.execute("select count(*) from writes").fetchone()[0])


def dead_writes(data: Path) -> int:
    """Return how many writes were given up."""
    with closing(sqlite3.connect(data / "omniforge.db")) as connection:
        return int(connection.execute("select count(*) from dead_writes").fetchone()[0])


def test_a_write_that_ends_what_follows_it_keeps_no_other_from_being_followed(tmp_path: Path) -> None:
    with DeadlyTwin(tmp_path, places=[TITLES], clock=MORNING) as twin:
        token = twin.token()
        with suppress(httpx.TransportError):
            # It is answered, and its server may die before the answer is sent.
            twin.chat(f"What is a {Fate.CRASH}?", token=token)
        # Each write that has the word ends it: the message, its reply with the acts, and the conversation.
        eventually(lambda: twin.deaths and not waiting_changes(tmp_path))
        deaths = twin.deaths
        # Each of the three is given up after so many; one handled at the same time counts a death, too.
        assert MAX_DEATHS <= deaths <= 3 * MAX_DEATHS
        assert dead_writes(tmp_path) >= 1
        other = twin.chat("Which tasks are due today?", token=token).json()["conversation_id"]
        eventually(lambda: twin.get(f"/v1/conversations/{other}", token=token)["title"])
        assert twin.deaths == deaths
