"""Erasures over a real table: what they remove, what they leave alone, and that they survive being killed."""

from __future__ import annotations

import inspect
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from agent.handler_interface import TurnRequest
from conversation.clock import Deadline
from conversation.erasure.eraser import HOLD_RETRY_S, SETTLING_TIME, Eraser
from conversation.erasure.partitions import MemberIndex
from conversation.erasure.requests import Erasure, ErasureFollower, Erasures, Progress
from conversation.errors import (
    ConversationNotFound,
    ErasureInProgress,
    ErasureNotFound,
    OnLegalHold,
    TenantInactive,
)
from conversation.identity import ADMIN, OPERATOR, Caller, conversation_id_for_key, derived_id
from conversation.retention.holds import LegalHolds
from conversation.retention.jobs import EraseJob, UpdateRetentionJob, parse_job
from conversation.search.index import SearchIndex
from conversation.search.index_items import tail_from_item, tail_key
from conversation.tenants.policy import TenantPolicy, TenantStatus
from conversation.tenants.store import PolicyCache, TenantStore, UserBeingErased, check_active
from conversation.threads.forks import ConversationForks
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import ProactiveMessage, ProactiveMessages
from edge.views.admin import ErasureView
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Item, Key, Put, Query, StreamRecord, Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import dynamo_client, ministack
from tests.fakes.aws.tables import Crash, CrashAt, ObservedTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, scripted_service
from tests.fakes.data.users_to_erase import ACME, FILLED, GLOBEX, NOAH, RAVI, data_hash, fill
from tests.fakes.run.clocks import ManualClock

ADMINISTRATOR = Caller(MAYA.tenant, "ana", frozenset({ADMIN}))
ROOT = Path(__file__).parents[3]
KILLS = 10
"""Of a user's erasure, and as many of a tenant's."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def table() -> Iterator[SqliteTable]:
    with closing(SqliteTable(":memory:")) as table:
        yield table


def erasures(table: Table, clock: ManualClock) -> Erasures:
    return Erasures(tables=Tables(table), clock=clock)


def eraser(table: Table, clock: ManualClock) -> Eraser:
    return Eraser(tables=Tables(table), clock=clock)


def carried_out(table: Table, clock: ManualClock, erasure: Erasure) -> Erasure:
    """The erasure's receipt: both of its passes, however often it has to be called."""
    later_s: int | None = 0
    while later_s is not None:
        clock.advance(later_s)
        later_s = eraser(table, clock).run(erasure.tenant, erasure.id, Deadline.after(clock, 1e9))
    found = erasures(table, clock).find(erasure.tenant, erasure.id)
    assert found is not None
    assert found.progress is Progress.DONE
    return found


def both_passes(table: Table, clock: ManualClock, erasure: Erasure) -> Erasure:
    """The erasure's receipt after all that does not wait for a hold is done."""
    for _ in range(3):
        later_s = eraser(table, clock).run(erasure.tenant, erasure.id, Deadline.after(clock, 1e9))
        clock.advance(later_s or 0)
    found = erasures(table, clock).find(erasure.tenant, erasure.id)
    assert found is not None
    return found


def left(table: SqliteTable, tenant: TenantId) -> list[tuple[str, str]]:
    """Keys of all that there is of a tenant."""
    with table._connections.read_connection() as connection:
        rows = connection.execute("select pk, sk from items order by pk, sk").fetchall()
    return [(pk, sk) for pk, sk in rows if pk.startswith(keys.tenant_prefix(tenant))]


COUNTED = {"BUDGET", "U#ana#QUOTAS"}
"""The partitions that count what the administrator asked for today."""


def names_left(table: SqliteTable, tenant: TenantId) -> set[str]:
    """The partitions of a tenant that hold anything, without its prefix; of conversations only what is more
    than a tombstone.
    """
    prefix = keys.tenant_prefix(tenant)
    return {pk.removeprefix(prefix) for pk, sk in left(table, tenant) if sk != keys.HEAD}


def test_a_users_erasure_leaves_nothing_of_them(table: SqliteTable, clock: ManualClock) -> None:
    fill(table, MAYA, clock.now())
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    receipt = carried_out(table, clock, asked)
    assert receipt.removed == FILLED
    assert names_left(table, ACME) == {"W", "ERASURES", "AUDIT", *COUNTED}
    assert [sk for pk, sk in left(table, ACME) if pk == keys.workspace(ACME)] == [keys.POLICY]


def test_a_users_erasure_changes_nothing_of_others(table: SqliteTable, clock: ManualClock) -> None:
    for caller in (MAYA, RAVI, GLOBEX):
        fill(table, caller, clock.now())
    ravi, globex = data_hash(table, RAVI), data_hash(table, GLOBEX)
    carried_out(table, clock, erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user))
    assert data_hash(table, RAVI) == ravi
    assert data_hash(table, GLOBEX) == globex


def test_a_tenants_erasure_leaves_its_receipt_and_refusals(table: SqliteTable, clock: ManualClock) -> None:
    for caller in (MAYA, RAVI, GLOBEX):
        fill(table, caller, clock.now())
    globex = data_hash(table, GLOBEX)
    receipt = carried_out(table, clock, erasures(table, clock).request_for_tenant(OPERATING, ACME))
    assert receipt.removed["conversations"] == 2 * FILLED["conversations"]
    assert receipt.removed["messages"] == 2 * FILLED["messages"]
    assert names_left(table, ACME) == {"W", "ERASURES"}
    assert TenantStore(tables=Tables(table), clock=clock).record(ACME).status is TenantStatus.ERASED
    assert data_hash(table, GLOBEX) == globex


OPERATING = Caller(TenantId("house"), "olga", frozenset({OPERATOR}))


def test_a_tenant_that_was_erased_can_begin_anew(table: SqliteTable, clock: ManualClock) -> None:
    tenants = TenantStore(tables=Tables(table), clock=clock)
    tenants.register(ACME, name="Acme")
    asked = erasures(table, clock).request_for_tenant(OPERATING, ACME)
    with pytest.raises(ErasureInProgress):
        tenants.register(ACME, name="Acme again")
    with pytest.raises(TenantInactive):
        check_active(tenants.record(ACME), registered_only=False)
    carried_out(table, clock, asked)
    with pytest.raises(TenantInactive):
        check_active(tenants.record(ACME), registered_only=False)
    tenants.register(ACME, name="Acme again")
    check_active(tenants.record(ACME), registered_only=True)


def test_a_user_is_kept_out_until_their_erasure_is_done(table: SqliteTable, clock: ManualClock) -> None:
    tenants = TenantStore(tables=Tables(table), clock=clock)
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    with pytest.raises(UserBeingErased):
        check_active(tenants.record(ACME), registered_only=False, user=MAYA.user)
    check_active(tenants.record(ACME), registered_only=False, user=RAVI.user)
    tenants.save(ACME, TenantPolicy(retention_days=60))
    carried_out(table, clock, asked)
    check_active(tenants.record(ACME), registered_only=False, user=MAYA.user)


def test_erasing_a_conversation_leaves_the_others(table: SqliteTable, clock: ManualClock) -> None:
    fill(table, MAYA, clock.now())
    one = derived_id(MAYA.tenant, MAYA.user, "chat 0")
    receipt = carried_out(table, clock, erasures(table, clock).request_for_conversation(MAYA, one))
    assert receipt.removed["conversations"] == 1
    assert receipt.removed["messages"] == 6
    assert receipt.removed["runs"] == 1
    repository = ConversationRepository(tables=Tables(table), clock=clock)
    with pytest.raises(ConversationNotFound):
        repository.get(MAYA, one)
    assert len(repository.list(MAYA, limit=50)[0]) == FILLED["conversations"] - 1


def test_a_conversation_that_is_erased_takes_nothing_late(table: SqliteTable, clock: ManualClock) -> None:
    turns = scripted_service(table, clock)
    conversation = turns.say("hello").conversation_id

    def erase(_turn: TurnRequest) -> None:
        asked = erasures(table, clock).request_for_conversation(MAYA, conversation)
        assert carried_out(table, clock, asked).removed["messages"] == 2

    late = scripted_service(table, clock, EchoMaster(before=erase))
    with pytest.raises(ConversationNotFound):
        late.say("a turn that is being answered", conversation)
    with pytest.raises(ConversationNotFound):
        turns.say("another one", conversation)
    assert turns.service.drain(ACME, conversation, Deadline.after(clock, 5.0))
    poster = ProactiveMessages(tables=Tables(table), clock=clock, tokens=TokenCounter(None))
    poster.ensure_conversation(MAYA, conversation, title="Results")
    assert not poster.post(
        ACME, conversation, ProactiveMessage("run", "a result"), Deadline.after(clock, 1.0)
    )
    assert [sk for pk, sk in left(table, ACME) if conversation in pk] == [keys.HEAD]


def test_a_copy_that_is_being_erased_is_not_gone_on_with(table: SqliteTable, clock: ManualClock) -> None:
    original = write_conversation(table, MAYA, "plans", begun=clock.now(), exchanges=40)
    copy = conversation_id_for_key(MAYA, f"fork {original} once")
    asked: list[Erasure] = []

    def take_away(name: str, when: str) -> None:
        """Of the two steps of an erasure the first: nobody may read or write the copy any more."""
        if (name, when) != ("transact", "after") or asked:
            return
        asked.append(erasures(table, clock).request_for_conversation(MAYA, copy))
        with pytest.raises(Crash):
            carried_out(ObservedTable(table, crash_after_transaction), clock, asked[0])

    def crash_after_transaction(name: str, when: str) -> None:
        if (name, when) == ("transact", "after"):
            raise Crash

    tables = Tables(table)
    forks = ConversationForks(
        tables=Tables(ObservedTable(table, take_away)),
        clock=clock,
        policies=PolicyCache(tables=tables, clock=clock),
        conversations=ConversationRepository(tables=tables, clock=clock),
    )
    with pytest.raises(ConversationNotFound):
        forks.fork(MAYA, original, key="once")
    carried_out(table, clock, asked[0])
    assert [sk for pk, sk in left(table, ACME) if copy in pk] == [keys.HEAD]


def test_words_of_an_erased_conversation_are_nowhere_in_the_search_index(
    table: SqliteTable, clock: ManualClock
) -> None:
    index = SearchIndex(tables=Tables(table), clock=clock)
    say = scripted_service(table, clock).say
    animals = ("zebra", "aardvark", "giraffe", "elephant")
    gone, forgotten, kept, waiting = (say(f"Feed the {animal}").conversation_id for animal in animals)
    for conversation in (gone, forgotten, kept):
        index.enqueue(ACME, conversation, 2, at_once=True)
    index.enqueue(ACME, waiting, 2)
    index.detach(ACME, MAYA.user, forgotten)  # as the stream has it, maybe before the erasure looks
    for conversation in (gone, waiting, forgotten):
        carried_out(table, clock, erasures(table, clock).request_for_conversation(MAYA, conversation))
    left_of_it = str(table.query(Query(keys.search(ACME, MAYA.user), limit=100)).items)
    assert "zebra" not in left_of_it
    assert "aardvark" not in left_of_it
    assert "giraffe" in left_of_it
    assert tail_from_item(table.get(tail_key(ACME, MAYA.user))).waiting == {}


def test_two_that_erase_at_once_count_everything_once(table: SqliteTable, clock: ManualClock) -> None:
    fill(table, MAYA, clock.now(), conversations=5)
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    transactions = count(1)

    def be_overtaken(name: str, when: str) -> None:
        """Now and then another process does it all between what this one reads and what it removes."""
        if (name, when) == ("transact", "before") and next(transactions) in {1, 3, 4}:
            eraser(table, clock).run(ACME, asked.id, Deadline.after(clock, 1e9))

    eraser(ObservedTable(table, be_overtaken), clock).run(ACME, asked.id, Deadline.after(clock, 1e9))
    receipt = carried_out(table, clock, asked)
    assert receipt.removed["conversations"] == 5
    assert receipt.removed["messages"] == 30
    assert receipt.removed["examples"] == 5
    assert receipt.removed["tasks"] == FILLED["tasks"]


def test_a_tenants_erasure_takes_one_of_its_users_along(table: SqliteTable, clock: ManualClock) -> None:
    fill(table, MAYA, clock.now())
    of_maya = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)

    def be_overtaken(name: str, when: str) -> None:
        if (name, when) == ("transact", "before") and erasures(table, clock).find(ACME, of_maya.id):
            carried_out(table, clock, erasures(table, clock).request_for_tenant(OPERATING, ACME))

    eraser(ObservedTable(table, be_overtaken), clock).run(ACME, of_maya.id, Deadline.after(clock, 1e9))
    assert erasures(table, clock).find(ACME, of_maya.id) is None
    [receipt], _ = erasures(table, clock).list(ACME, limit=10)
    assert receipt.removed["messages"] == FILLED["messages"]


def test_an_erasure_without_time_goes_on_where_it_was_left(table: SqliteTable, clock: ManualClock) -> None:
    for number in range(12):
        write_conversation(table, MAYA, f"chat {number}", begun=clock.now(), exchanges=60)
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)

    def take_time(name: str, when: str) -> None:
        clock.advance(0.1 if (name, when) == ("transact", "before") else 0.0)

    runs = 0
    while eraser(ObservedTable(table, take_time), clock).run(ACME, asked.id, Deadline.after(clock, 1.0)) == 0:
        runs += 1
    assert runs > 3
    assert carried_out(table, clock, asked).removed == {"conversations": 12, "messages": 1_440}


@pytest.mark.slow
def test_an_erasure_works_over_dynamodb(clock: ManualClock) -> None:
    with ministack() as endpoint:
        client = dynamo_client(endpoint)
        create_table(client, "erasing")
        table = DynamoTable(client, "erasing")
        for caller in (MAYA, RAVI):
            fill(table, caller, clock.now(), conversations=2)
        ravi = carried_out(table, clock, erasures(table, clock).request_for_user(ADMINISTRATOR, RAVI.user))
        acme = carried_out(table, clock, erasures(table, clock).request_for_tenant(OPERATING, ACME))
        assert ravi.removed["messages"] == acme.removed["messages"] == 12
        assert table.get(keys.agent_card(ACME, MAYA.user, "weekly")) is None
        assert table.query(Query(keys.tasks(ACME, MAYA.user), limit=10)).items == ()


def test_an_erasure_is_started_once_by_what_follows_writes(table: SqliteTable, clock: ManualClock) -> None:
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    sent: list[UpdateRetentionJob | EraseJob] = []
    starts = ErasureFollower(Sent(sent))
    item = table.get(asked.key)
    starts.handle(StreamRecord(asked.key, None, item))
    starts.handle(StreamRecord(asked.key, item, item))
    starts.handle(StreamRecord(keys.task(ACME, MAYA.user, "T1"), None, {}))
    assert sent == [EraseJob(ACME, asked.id)]
    assert parse_job(sent[0].to_body()) == sent[0]


class Sent:
    """A queue that keeps what is put into it."""

    def __init__(self, sent: list[UpdateRetentionJob | EraseJob]) -> None:
        self._sent = sent

    def send(self, request: UpdateRetentionJob | EraseJob, *, delay_s: int = 0) -> None:
        self._sent.append(request)


def test_users_are_named_by_their_first_conversation_run_task_or_deleted_agent(
    table: SqliteTable, clock: ManualClock
) -> None:
    members = MemberIndex(Tables(table))
    chat = keys.message(ACME, write_conversation(table, MAYA, "chat", begun=clock.now()), 1)
    run, task = keys.run(ACME, "auth0|ravi", "R1"), keys.task(ACME, "zoe", "T1")
    for key in (chat, run, task, keys.deleted_agent(ACME, "yuki", "a" * 32), keys.policy(ACME)):
        members.handle(StreamRecord(key, None, {}))
        members.handle(StreamRecord(key, None, {}))
    named = table.query(Query(keys.members(ACME), limit=10)).items
    assert [keys.user_of_member(str(item["sk"])) for item in named] == ["auth0|ravi", "maya", "yuki", "zoe"]


def test_what_is_on_hold_is_not_erased(table: SqliteTable, clock: ManualClock) -> None:
    conversation = write_conversation(table, MAYA, "evidence", begun=clock.now())
    LegalHolds(tables=Tables(table), clock=clock).place(ACME, conversation)
    with pytest.raises(OnLegalHold):
        erasures(table, clock).request_for_conversation(MAYA, conversation)
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    assert both_passes(table, clock, asked).progress is Progress.HELD
    assert {sk for pk, sk in left(table, ACME) if pk == keys.conversation(ACME, conversation)} >= {
        keys.message(ACME, conversation, place).sort for place in (1, 2)
    }


def test_a_hold_on_the_tenant_stops_an_erasure(table: SqliteTable, clock: ManualClock) -> None:
    write_conversation(table, MAYA, "evidence", begun=clock.now())
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    tenants = TenantStore(tables=Tables(table), clock=clock)
    tenants.save(ACME, TenantPolicy(legal_hold=True))
    assert eraser(table, clock).run(ACME, asked.id, Deadline.after(clock, 1e9)) == HOLD_RETRY_S
    with pytest.raises(OnLegalHold):
        erasures(table, clock).request_for_user(ADMINISTRATOR, RAVI.user)
    tenants.save(ACME, TenantPolicy())
    assert carried_out(table, clock, asked).removed == {"conversations": 1, "messages": 2}


def test_what_comes_while_the_erasure_runs_is_found_by_its_second_look(
    table: SqliteTable, clock: ManualClock
) -> None:
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    later_s = eraser(table, clock).run(ACME, asked.id, Deadline.after(clock, 1e9))
    assert later_s == SETTLING_TIME.total_seconds()
    write_conversation(table, MAYA, "late", begun=clock.now())
    assert carried_out(table, clock, asked).removed == {"conversations": 1, "messages": 2}


def test_an_erasure_is_told_to_nobody_else(table: SqliteTable, clock: ManualClock) -> None:
    asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
    assert erasures(table, clock).get(MAYA, asked.id).id == asked.id
    for stranger in (RAVI, Caller(GLOBEX.tenant, MAYA.user, frozenset({ADMIN}))):
        with pytest.raises(ErasureNotFound):
            erasures(table, clock).get(stranger, asked.id)


def test_a_crash_at_any_step_changes_no_count(clock: ManualClock) -> None:
    step = 0
    while True:
        step += 1
        with closing(SqliteTable(":memory:")) as table:
            fill(table, MAYA, clock.now(), conversations=1)
            asked = erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user)
            crash = CrashAt(step, "before" if step % 2 else "after")
            try:
                carried_out(ObservedTable(table, crash), clock, asked)
            except Crash:
                receipt = carried_out(table, clock, asked)
                assert receipt.removed == {**FILLED, "conversations": 1, "messages": 6, **ONE_CHAT}
                assert names_left(table, ACME) == {"W", "ERASURES", "AUDIT", *COUNTED}
            else:
                break
    assert step > 40


ONE_CHAT = {
    "idempotency_records": 1,
    "summaries": 2,
    "feedback": 1,
    "other_records": 1,
    "runs": 2,
    "examples": 1,
}

_SAMPLES: dict[str, Any] = {
    "tenant": ACME,
    "user": MAYA.user,
    "owner": MAYA.user,
    "conversation_id": "c" * 32,
    "agent_id": "a" * 32,
    "skill_id": "5" * 32,
    "run_id": "R1",
    "task_id": "T1",
    "attachment_id": "f" * 32,
    "example_id": "E1",
    "erasure_id": "X1",
    "answer_id": "office-hours",
    "lesson_id": "bleep",
    "link_id": "b" * 32,
    "record_id": "L1",
    "key_hash": "h",
    "state_hash": "h",
    "name": "weekly",
    "sequence": 1,
    "ulid": "0" * 26,
    "first": 1,
    "number": 1,
    "version": 1,
    "day": date(2026, 1, 30),
    "month": date(2026, 1, 1),
    "shard": "0",
    "prefix": "",
}
ANY_SORT = keys.usage_counter(ACME, MAYA.user, date(2026, 1, 30), "0").sort
"""Of an item in a partition whose items get their sort keys elsewhere."""

_NO_PARTITIONS = {"tenant_prefix", "by_user", "by_tenant", "due", "due_on", "usage_of_month"}
"""Of indexes, whose items lie elsewhere, or parts of keys."""


def _built() -> Iterator[tuple[str, Key]]:
    """A key of every builder of `storage.keys`; one whose parameters are new needs a sample above."""
    for name, builder in inspect.getmembers(keys, inspect.isfunction):
        hints = inspect.signature(builder)
        if builder.__module__ != keys.__name__ or name in _NO_PARTITIONS or "tenant" not in hints.parameters:
            continue
        if hints.return_annotation not in {"Key", "str"}:
            continue
        built = builder(**{parameter: _SAMPLES[parameter] for parameter in hints.parameters})
        yield name, built if isinstance(built, Key) else Key(built, ANY_SORT)


def test_a_tenants_erasure_reaches_every_key_that_can_be_built(
    table: SqliteTable, clock: ManualClock
) -> None:
    write_conversation(table, MAYA, "chat", begun=clock.now())
    for name, key in _built():
        if key.sort not in {keys.POLICY, keys.HEAD}:
            table.put(Put(_sample(key)))
            assert table.get(key) is not None, name
    samples = _SAMPLES["conversation_id"]
    _give_head(table, str(samples), clock)
    carried_out(table, clock, erasures(table, clock).request_for_tenant(OPERATING, ACME))
    assert names_left(table, ACME) == {"W", "ERASURES"}


def test_a_users_erasure_reaches_every_key_of_theirs_that_can_be_built(
    table: SqliteTable, clock: ManualClock
) -> None:
    for name, builder in inspect.getmembers(keys, inspect.isfunction):
        parameters = inspect.signature(builder).parameters
        is_key = inspect.signature(builder).return_annotation in {"Key", "str"}
        if not is_key or "tenant" not in parameters or not {"user", "owner"} & parameters.keys():
            continue
        if name in _NO_PARTITIONS:
            continue
        built = builder(**{parameter: _SAMPLES[parameter] for parameter in parameters})
        table.put(Put(_sample(built if isinstance(built, Key) else Key(built, ANY_SORT))))
    carried_out(table, clock, erasures(table, clock).request_for_user(ADMINISTRATOR, MAYA.user))
    assert names_left(table, ACME) == {"W", "ERASURES", "AUDIT", *COUNTED}


def _sample(key: Key) -> Item:
    ids = {keys.AGENT_CARD_PREFIX: "a" * 32, keys.SKILL_CARD_PREFIX: "5" * 32}
    ident = next((each for prefix, each in ids.items() if key.sort.startswith(prefix)), "i")
    turn = f"{'c' * 32}.0"
    return {"pk": key.partition, "sk": key.sort, "id": ident, "owner": MAYA.user, "turn": turn}


def _give_head(table: SqliteTable, conversation_id: str, clock: ManualClock) -> None:
    chat = keys.head(ACME, derived_id(MAYA.tenant, MAYA.user, "chat"))
    head = table.get(chat)
    assert head is not None
    table.put(Put({**head, "pk": keys.conversation(ACME, conversation_id)}))


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["user", "tenant"])
def test_sigkill_at_random_points_changes_no_count_and_no_other_tenants_bytes(
    scope: str, tmp_path: Path, clock: ManualClock
) -> None:
    with closing(SqliteTable(":memory:")) as table:
        undisturbed = carried_out(table, clock, _asked_among_others(table, clock, scope))
    file = tmp_path / "omniforge.db"
    with closing(SqliteTable(str(file))) as table:
        asked = _asked_among_others(table, clock, scope)
        others = data_hash(table, GLOBEX) + data_hash(table, NOAH)
    seed = random.Random(20 if scope == "user" else 21)
    for _ in range(KILLS):
        assert _is_killed(file, asked, at=seed.randrange(1, 8))
    with closing(SqliteTable(str(file))) as table:
        receipt = carried_out(table, clock, asked)
        assert receipt.removed == undisturbed.removed
        assert (receipt.removed["conversations"], receipt.removed["messages"]) == (30, 180)
        assert data_hash(table, GLOBEX) + data_hash(table, NOAH) == others


def _asked_among_others(table: SqliteTable, clock: ManualClock, scope: str) -> Erasure:
    """An erasure of one with many conversations, beside two tenants whose names are much like theirs."""
    fill(table, MAYA, clock.now(), conversations=30)
    for caller in (GLOBEX, NOAH):
        fill(table, caller, clock.now())
    asking = erasures(table, clock)
    return (
        asking.request_for_user(ADMINISTRATOR, MAYA.user)
        if scope == "user"
        else asking.request_for_tenant(OPERATING, ACME)
    )


def _is_killed(file: Path, asked: Erasure, *, at: int) -> bool:
    """Whether another process died by SIGKILL at the given write, rather than being done with a pass."""
    command = [
        sys.executable,
        "-m",
        "tests.fakes.data.users_to_erase",
        str(file),
        asked.tenant,
        asked.id,
        str(at),
    ]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [ROOT, *sorted(ROOT.glob("layers/*"))]))}
    ended = subprocess.run(command, env=environ, cwd=ROOT, check=False, capture_output=True, timeout=300)
    assert ended.returncode in {0, -signal.SIGKILL}, ended.stderr.decode()
    return ended.returncode == -signal.SIGKILL


def test_a_receipt_names_what_no_erasure_reaches(table: SqliteTable, clock: ManualClock) -> None:
    asking = erasures(table, clock)
    user = ErasureView.of(asking.request_for_user(ADMINISTRATOR, MAYA.user))
    tenant = ErasureView.of(asking.request_for_tenant(OPERATING, ACME))
    assert (user.not_reached, tenant.not_reached) == (("backups",), ("backups", "skill_secrets"))
