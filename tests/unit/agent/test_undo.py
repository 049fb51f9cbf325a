"""Undoing what a turn changed: the former state comes back exactly, over both storage backends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from agent.undo import (
    MAX_INLINE_BYTES,
    AgentHistory,
    Change,
    ChangedSince,
    ChangeKind,
    ChangeRecord,
    ChangeStore,
    plan_undo,
)
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange, AgentSpec, AgentStatus
from agent.workspace.errors import AgentLimitReached, AgentNameTaken, AgentNotOwned
from agent.workspace.roster import read_roster
from conversation.identity import Caller, new_id
from conversation.tenants.policy import Limits, TenantPolicy
from conversation.tenants.store import TenantStore
from storage import keys
from storage.dynamodb.table import DynamoTable, create_table
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Action, Item, Query, Table
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tasks.task import TaskChange, TaskSpec
from tests.fakes.aws.dynamodb import moto_client
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
DAY_S = 24 * 3_600


class World:
    """The stores over one table, and the turns of one user that change what is in it."""

    def __init__(self, table: Table) -> None:
        self.me = Caller(ACME, new_id())
        self.clock = ManualClock()
        self.tables = Tables(table)
        self.agents = AgentStore(tables=self.tables, clock=self.clock)
        self.tasks = TaskStore(tables=self.tables, clock=self.clock)
        self.changes = ChangeStore(tables=self.tables, clock=self.clock)

    def commit(self, actions: Sequence[Action]) -> None:
        self.tables.for_tenant(ACME).transact(actions)

    def add_agent(self, **fields: Any) -> Agent:
        return self.agents.create(
            self.me, AgentSpec.model_validate({"name": "bug-bot", "what": "bugs", **fields})
        )

    def change_agent(self, agent_id: str, **fields: Any) -> Change:
        self.clock.advance(60)
        old = self.agents.get(self.me, agent_id)
        new = AgentChange.model_validate(fields).applied_to(old, self.clock.now())
        self.commit(self.agents.update_actions(ACME, old, new))
        return Change.of_agent(old, new)

    def delete_agent(self, agent_id: str) -> Change:
        self.clock.advance(60)
        agent = self.agents.get(self.me, agent_id)
        self.commit(self.agents.delete_actions(ACME, agent))
        return Change.of_agent(agent, None)

    def change_task(self, task_id: str, **fields: Any) -> Change:
        self.clock.advance(60)
        old, change = self.tasks.get(self.me, task_id), TaskChange.model_validate(fields)
        new = change.applied_to(old, self.clock.now())
        assert self.tasks.update(self.me, task_id, change) == new
        return Change.of_task(old, new)

    def delete_task(self, task_id: str) -> Change:
        self.clock.advance(60)
        task = self.tasks.get(self.me, task_id)
        self.commit(self.tasks.delete_actions(self.me, task_id))
        return Change.of_task(task, None)

    def undo(self, change: Change) -> Change:
        """Undo a change that a note kept, and return the change that this is."""
        self.clock.advance(60)
        noted = Change.model_validate_json(change.model_dump_json(exclude_defaults=True))
        roster = read_roster(self.tables, ACME, self.clock.now())
        undo = plan_undo(
            noted, self.me, agents=self.agents, tasks=self.tasks, roster=roster, now=self.clock.now()
        )
        self.commit(undo.actions)
        if undo.agent is not None:
            assert self.agents.get(self.me, undo.agent.id) == undo.agent
        return undo.change

    def stored(self, agent_id: str = "") -> list[Item]:
        """All that is stored of the user's agents and tasks, without what counts their changes."""
        table = self.tables.for_tenant(ACME)
        partitions = [
            keys.tasks(ACME, self.me.user),
            keys.restorable(ACME, self.me.user),
            keys.agent(ACME, agent_id).partition,
        ]
        items = [item for part in partitions for item in table.query(Query(part, limit=1_000)).items]
        cards = Query(keys.workspace(ACME), limit=1_000, prefix=f"{keys.AGENT_CARD_PREFIX}{self.me.user}#")
        found = (*items, *table.query(cards).items)
        return [
            _uncounted(item) for item in found if not str(item["sk"]).startswith(keys.AGENT_CHANGE_PREFIX)
        ]


def _uncounted(item: Item) -> Item:
    counted = {"version", "updated_at", "due_set_at", "last_done_at"}
    kept = {name: value for name, value in item.items() if name not in counted}
    if "agent" in kept:
        fields = json.loads(str(kept["agent"]))
        kept["agent"] = json.dumps({name: fields[name] for name in fields if name != "updated_at"})
    return kept


@pytest.fixture(params=["sqlite", "moto"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "sqlite":
        with closing(SqliteTable(":memory:")) as table:
            yield table
    else:
        with moto_client() as client:
            create_table(client, "undo")
            yield DynamoTable(client, "undo")


@pytest.fixture
def world(table: Table) -> World:
    return World(table)


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
AGENT_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": st.sampled_from(["bug-bot", "crash-bot", "мост-bot"]),
    "what": WORDS,
    "brief": st.text(max_size=60) | st.just("Tell me. " * 800),
    "sources": st.lists(WORDS, max_size=3),
    "scope": st.none() | WORDS,
    "condition": st.none() | WORDS,
    "instructions": st.text(st.characters(codec="utf-8"), max_size=60) | st.just("é" * 4_000),
    "format": st.none() | WORDS,
    "summary": st.none() | WORDS,
    "schedule": st.none()
    | st.builds(
        lambda hour, zone, more: {"cron": f"0 {hour} * * 1-5", "time_zone": zone, "text": "weekdays", **more},
        st.integers(0, 23),
        st.sampled_from(["UTC", "America/Chicago"]),
        st.sampled_from(
            [
                {},
                {"every": 2, "unit": "weeks", "start": "2026-03-06T16:00"},
                {"more_crons": ["0 16 * * 5L"], "end": "2026-12-31"},
            ]
        ),
    ),
    "delivery": st.sampled_from(
        [{}, {"channels": ["email"]}, {"channels": ["slack"], "recipients": ["#ops"]}]
    ),
    "shared": st.booleans(),
    "combines_skills": st.booleans(),
    "skills": st.lists(WORDS, max_size=2),
}
AGENTS = st.fixed_dictionaries({}, optional=AGENT_FIELDS)
AGENT_CHANGES = st.fixed_dictionaries(
    {}, optional={**AGENT_FIELDS, "status": st.sampled_from(["active", "paused"])}
)
TASK_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": st.text(st.characters(codec="utf-8"), max_size=60),
    "due_date": st.none() | st.dates(date(2026, 1, 1), date(2027, 1, 1)),
}
TIMES = st.fixed_dictionaries(
    {
        "due_at": st.datetimes(datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("2027-01-01")),
        "time_zone": st.sampled_from(["UTC", "America/Chicago"]),
    },
    optional={"remind": st.booleans(), "repeat": st.sampled_from(["0 9 * * 5", "30 16 1 * *"])},
)
NO_TIMES = st.sampled_from([{}, {}, {"due_at": None}, {"repeat": None}])


def _with_times(fields: dict[str, Any], times: dict[str, Any]) -> dict[str, Any]:
    # A day and a time in one change have to agree.
    kept = {name: value for name, value in fields.items() if name != "due_date" or "due_at" not in times}
    return {**kept, **times}


TASKS = st.builds(
    _with_times,
    st.fixed_dictionaries({"title": WORDS}, optional=TASK_FIELDS),
    st.just({}) | TIMES,
)
TASK_CHANGES = st.builds(
    _with_times,
    st.fixed_dictionaries({}, optional={**TASK_FIELDS, "title": WORDS, "completed": st.booleans()}),
    NO_TIMES | TIMES,
)
ANY = settings(
    max_examples=30,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SOME = settings(ANY, max_examples=5)
"""On a stand-in for DynamoDB an example takes forty times as long."""


@ANY
@given(made=AGENTS, first=AGENT_CHANGES, second=AGENT_CHANGES)
def test_undoing_any_change_of_an_agent_restores_exactly_what_was_stored(
    made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    with closing(SqliteTable(":memory:")) as table:
        undo_changes_of_an_agent(World(table), made, first, second)


@SOME
@given(made=AGENTS, first=AGENT_CHANGES, second=AGENT_CHANGES)
def test_undoing_changes_of_an_agent_restores_exactly_what_was_stored_on_either_backend(
    table: Table, made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    undo_changes_of_an_agent(World(table), made, first, second)


def undo_changes_of_an_agent(
    world: World, made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    agent_id = world.add_agent(**made).id
    world.change_agent(agent_id, **first)
    before = world.stored(agent_id)

    change = world.change_agent(agent_id, **second)
    changed = world.stored(agent_id)
    redo = world.undo(change)
    assert world.stored(agent_id) == before
    world.undo(redo)
    assert world.stored(agent_id) == changed
    world.undo(world.delete_agent(agent_id))
    assert world.stored(agent_id) == changed


@ANY
@given(made=TASKS, first=TASK_CHANGES, second=TASK_CHANGES)
def test_undoing_any_change_of_a_task_restores_exactly_what_was_stored(
    made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    with closing(SqliteTable(":memory:")) as table:
        undo_changes_of_a_task(World(table), made, first, second)


@SOME
@given(made=TASKS, first=TASK_CHANGES, second=TASK_CHANGES)
def test_undoing_changes_of_a_task_restores_exactly_what_was_stored_on_either_backend(
    table: Table, made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    undo_changes_of_a_task(World(table), made, first, second)


def undo_changes_of_a_task(
    world: World, made: dict[str, Any], first: dict[str, Any], second: dict[str, Any]
) -> None:
    task_id = world.tasks.create(world.me, TaskSpec.model_validate(made)).id
    world.change_task(task_id, **first)
    before = world.stored()

    change = world.change_task(task_id, **second)
    changed = world.stored()
    redo = world.undo(change)
    assert world.stored() == before
    world.undo(redo)
    assert world.stored() == changed
    world.undo(world.delete_task(task_id))
    assert world.stored() == changed


def test_a_task_that_repeats_can_be_completed_again_at_once_when_its_completion_was_undone(
    world: World,
) -> None:
    spec = TaskSpec(title="water the plants", repeat="0 9 * * 5", time_zone="UTC")
    task = world.tasks.create(world.me, spec)
    done = world.change_task(task.id, completed=True)
    moved = world.tasks.get(world.me, task.id).due_at
    world.undo(done)
    assert world.tasks.get(world.me, task.id).due_at == task.due_at
    world.clock.advance(-30)
    assert world.tasks.complete(world.me, task.id).due_at == moved


def test_undoing_a_creation_deletes_what_was_made_and_undoing_that_brings_it_back(world: World) -> None:
    agent = world.add_agent(shared=True)
    task = world.tasks.create(world.me, TaskSpec(title="call mom"))
    before = world.stored(agent.id)

    redo = [world.undo(Change.of_agent(None, agent)), world.undo(Change.of_task(None, task))]
    assert (world.agents.visible_cards(world.me), world.tasks.list(world.me)) == ((), ((), None))
    assert [each.kind for each in redo] == [ChangeKind.DELETED] * 2
    again = [world.undo(each) for each in redo]
    assert world.stored(agent.id) == before
    assert [each.kind for each in again] == [ChangeKind.RESTORED] * 2


@pytest.mark.parametrize("fields", [{"status": AgentStatus.PAUSED}, {"shared": True}, {"name": "crash-bot"}])
def test_what_was_changed_since_is_left_as_it_is(world: World, fields: dict[str, Any]) -> None:
    agent = world.add_agent()
    change = world.change_agent(agent.id, **fields)
    world.change_agent(agent.id, scope="the backlog")
    left = world.stored(agent.id)

    for outdated in (change, Change.of_agent(None, agent)):
        with pytest.raises(ChangedSince):
            world.undo(outdated)
    assert world.stored(agent.id) == left


def test_a_task_that_was_changed_since_is_left_as_it_is(world: World) -> None:
    task = world.tasks.create(world.me, TaskSpec(title="call mom"))
    done = world.change_task(task.id, completed=True)
    world.change_task(task.id, due_date="2026-03-01")
    left = world.stored()

    for outdated in (done, Change.of_task(None, task)):
        with pytest.raises(ChangedSince):
            world.undo(outdated)
    assert world.stored() == left


def test_a_change_of_what_was_deleted_is_not_undone_nor_a_deletion_that_was_undone_already(
    world: World,
) -> None:
    agent, task = world.add_agent(), world.tasks.create(world.me, TaskSpec(title="call mom"))
    changes = [world.change_agent(agent.id, scope="x"), world.change_task(task.id, title="call dad")]
    deletions = [world.delete_agent(agent.id), world.delete_task(task.id)]
    for change in changes:
        with pytest.raises(ChangedSince):
            world.undo(change)
    for deletion in deletions:
        world.undo(deletion)
        with pytest.raises(ChangedSince):
            world.undo(deletion)


def test_a_deletion_can_be_undone_for_thirty_days(world: World) -> None:
    agent, task = world.add_agent(), world.tasks.create(world.me, TaskSpec(title="call mom"))
    deletions = [world.delete_agent(agent.id), world.delete_task(task.id)]
    world.clock.advance(30 * DAY_S)
    for deletion in deletions:
        with pytest.raises(ChangedSince):
            world.undo(deletion)


def test_nobody_else_undoes_it(world: World) -> None:
    change = world.change_agent(world.add_agent(shared=True).id, scope="x")
    world.me = Caller(ACME, "somebody else")
    with pytest.raises(ChangedSince):
        world.undo(change)


def test_a_former_name_that_is_taken_meanwhile_is_not_taken_back(world: World) -> None:
    renamed = world.change_agent(world.add_agent().id, name="crash-bot")
    world.add_agent()
    with pytest.raises(AgentNameTaken):
        world.undo(renamed)


def test_a_deletion_is_not_undone_when_the_user_has_as_many_agents_as_allowed(world: World) -> None:
    gone = world.delete_agent(world.add_agent().id)
    world.add_agent(name="other")
    TenantStore(tables=world.tables, clock=world.clock).save(
        ACME, TenantPolicy(limits=Limits(agents_per_user=1))
    )
    with pytest.raises(AgentLimitReached):
        world.undo(gone)


def test_short_changes_are_in_the_note_and_long_ones_beside_it_for_thirty_days(world: World) -> None:
    agent = world.add_agent(brief="Tell me what broke. " * 400)
    short = world.change_agent(agent.id, status="paused")
    long = world.change_agent(agent.id, brief="")

    record, actions = world.changes.record(world.me, "turn1", [short])
    assert (actions, world.changes.read(world.me, record)) == ((), (short,))

    record, actions = world.changes.record(world.me, "turn1", [short, long])
    world.commit(actions)
    noted = ChangeRecord.model_validate_json(text := record.model_dump_json(exclude_defaults=True))
    assert len(text) < MAX_INLINE_BYTES
    assert world.changes.read(world.me, noted) == (short, long)
    assert world.changes.read(Caller(ACME, "somebody else"), noted) == ()
    world.clock.advance(30 * DAY_S)
    assert world.changes.read(world.me, noted) == ()


def test_the_longest_changes_of_twenty_agents_are_kept_whole(world: World) -> None:
    longest = {"brief": "\U0001f41b" * 8_000, "instructions": "\U0001f41b" * 4_000}
    changes = []
    for number in range(20):
        agent = world.add_agent(name=f"bot-{number}", **longest)
        changes.append(world.change_agent(agent.id, brief="", instructions=""))
    record, actions = world.changes.record(world.me, "turn1", changes)
    world.commit(actions)
    assert world.changes.read(world.me, record) == tuple(changes)


def test_every_change_of_an_agent_is_listed_with_what_it_replaced_and_can_be_gone_back_before(
    world: World,
) -> None:
    history = AgentHistory(tables=world.tables, clock=world.clock, agents=world.agents)
    agent = world.add_agent(brief="Look for bugs", sources=["jira"])
    world.change_agent(agent.id, brief="Look for crashes")
    world.change_agent(agent.id, sources=["github"], shared=True)
    found, after = history.list(world.me, agent.id, limit=10)
    assert [(each.version, dict(each.former)) for each in found] == [
        (3, {"sources": ["jira"], "shared": False}),
        (2, {"brief": "Look for bugs"}),
    ]
    assert after is None
    back = history.go_back(world.me, agent.id, 2)
    assert (back.brief, back.sources, back.shared, back.version) == ("Look for bugs", ("jira",), False, 4)
    # Going back is a change as well, and can be gone back before.
    again = history.go_back(world.me, agent.id, 4)
    assert (again.brief, again.sources, again.shared) == ("Look for crashes", ("github",), True)
    with pytest.raises(ChangedSince):
        history.go_back(world.me, agent.id, 17)
    with pytest.raises(ChangedSince):
        history.go_back(world.me, agent.id, 1)


def test_changes_of_an_agent_are_gone_after_thirty_days_and_never_a_colleagues(world: World) -> None:
    history = AgentHistory(tables=world.tables, clock=world.clock, agents=world.agents)
    agent = world.add_agent(shared=True)
    world.change_agent(agent.id, brief="Look for crashes")
    colleague = Caller(ACME, "noah")
    with pytest.raises(AgentNotOwned):
        history.list(colleague, agent.id, limit=10)
    with pytest.raises(AgentNotOwned):
        history.go_back(colleague, agent.id, 2)
    world.clock.advance(31 * 86_400)
    assert history.list(world.me, agent.id, limit=10) == ((), None)
    with pytest.raises(ChangedSince):
        history.go_back(world.me, agent.id, 2)
