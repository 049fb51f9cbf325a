import pytest

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentChange, AgentSpec, AgentStatus
from agent.workspace.errors import (
    AgentChanged,
    AgentLimitReached,
    AgentNameTaken,
    AgentNotFound,
    AgentNotOwned,
    RunNotFound,
)
from agent.workspace.items import agent_to_item
from agent.workspace.runs import Run, RunStatus
from conversation.identity import Caller, new_ulid
from conversation.tenants.policy import Limits, TenantPolicy
from conversation.tenants.store import TenantStore
from storage import keys
from storage.errors import TransactionRefused
from storage.items import item_bytes
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import MAX_ITEM_BYTES, Query
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
DEREK = Caller(TenantId("acme"), "auth0|derek#1")
STRANGER = Caller(TenantId("acme-eu"), "maya")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def tables() -> Tables:
    return Tables(SqliteTable(":memory:"))


@pytest.fixture
def store(tables: Tables, clock: ManualClock) -> AgentStore:
    return AgentStore(tables=tables, clock=clock)


def spec(name: str, **fields: object) -> AgentSpec:
    return AgentSpec.model_validate({"name": name, "what": "bugs", **fields})


def test_a_created_agent_is_read_back_as_it_was(store: AgentStore) -> None:
    created = store.create(
        MAYA,
        spec(
            "jira-bot",
            sources=("jira",),
            schedule={"cron": "0 9 * * *"},
            delivery={"channels": ["slack"], "recipients": ["#ops"]},
        ),
    )

    assert store.get(MAYA, created.id) == created
    assert store.find_own_card(MAYA, "jira-bot") == created.card()


def test_an_agent_without_a_name_gets_a_fitting_free_one(store: AgentStore) -> None:
    wish = AgentSpec.model_validate({"what": "overdue tickets", "kind": "monitor", "sources": ["jira"]})

    assert [store.create(MAYA, wish).name for _ in range(2)] == [
        "jira-overdue-monitor",
        "jira-overdue-monitor-2",
    ]


def test_a_name_is_unique_for_its_owner_only(store: AgentStore) -> None:
    store.create(MAYA, spec("bot"))
    store.create(DEREK, spec("bot"))

    with pytest.raises(AgentNameTaken):
        store.create(MAYA, spec("bot"))


def test_no_more_agents_than_the_policy_allows(store: AgentStore, tables: Tables, clock: ManualClock) -> None:
    TenantStore(tables=tables, clock=clock).save(MAYA.tenant, TenantPolicy(limits=Limits(agents_per_user=1)))
    store.create(MAYA, spec("one"))
    store.create(DEREK, spec("one"))

    with pytest.raises(AgentLimitReached):
        store.create(MAYA, spec("two"))


@pytest.mark.parametrize("agent_id", ["", "x", "0" * 32, "A" * 32, "../POLICY", "a" * 5_000])
def test_an_unknown_or_malformed_id_is_not_found(store: AgentStore, agent_id: str) -> None:
    with pytest.raises(AgentNotFound):
        store.get(MAYA, agent_id)


def test_a_private_agent_of_another_user_or_tenant_is_not_found(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))

    for caller in (DEREK, STRANGER):
        with pytest.raises(AgentNotFound):
            store.get(caller, agent.id)
        with pytest.raises(AgentNotFound):
            store.update(caller, agent.id, AgentChange(scope="mine"))
        with pytest.raises(AgentNotFound):
            store.delete(caller, agent.id)


def test_a_shared_agent_is_seen_in_its_tenant_and_changed_by_its_owner_only(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot", shared=True))

    assert store.get(DEREK, agent.id) == agent
    with pytest.raises(AgentNotFound):
        store.get(STRANGER, agent.id)
    with pytest.raises(AgentNotOwned):
        store.update(DEREK, agent.id, AgentChange(status=AgentStatus.PAUSED))
    with pytest.raises(AgentNotOwned):
        store.delete(DEREK, agent.id)


def test_a_list_holds_own_agents_by_name_then_shared_ones_page_by_page(store: AgentStore) -> None:
    for name in ("c", "a", "b"):
        store.create(MAYA, spec(name))
    store.create(DEREK, spec("a", shared=True))
    store.create(DEREK, spec("hidden"))
    seen, after = [], None
    for _ in range(4):
        page, after = store.list(MAYA, limit=1, after=after)
        seen += [(card.owner, card.name) for card in page]

    assert seen == [("maya", "a"), ("maya", "b"), ("maya", "c"), (DEREK.user, "a")]
    assert after is None


def test_a_changed_agent_shows_everywhere(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))

    changed = store.update(MAYA, agent.id, AgentChange(name="robot", status=AgentStatus.PAUSED))

    assert store.get(MAYA, agent.id) == changed
    assert store.find_own_card(MAYA, "bot") is None
    assert store.visible_cards(MAYA) == (changed.card(),)


def test_a_name_given_up_is_free_again_and_a_taken_one_is_refused(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.update(MAYA, agent.id, AgentChange(name="robot"))
    store.create(MAYA, spec("bot"))

    with pytest.raises(AgentNameTaken):
        store.update(MAYA, agent.id, AgentChange(name="bot"))


def test_a_change_of_an_outdated_version_is_refused(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.update(MAYA, agent.id, AgentChange(scope="X"), version=1)

    with pytest.raises(AgentChanged):
        store.update(MAYA, agent.id, AgentChange(scope="Y"), version=1)


def test_a_change_built_on_an_outdated_read_is_refused_when_it_is_applied(
    store: AgentStore, tables: Tables, clock: ManualClock
) -> None:
    agent = store.create(MAYA, spec("bot"))
    late = store.update_actions(MAYA.tenant, agent, AgentChange(scope="Y").applied_to(agent, clock.now()))
    gone = store.delete_actions(MAYA.tenant, agent)
    store.update(MAYA, agent.id, AgentChange(scope="X"))

    for actions in (late, gone):
        with pytest.raises(TransactionRefused):
            tables.for_tenant(MAYA.tenant).transact(actions)
    assert store.get(MAYA, agent.id).scope == "X"


def test_a_deleted_agent_leaves_nothing(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.delete(MAYA, agent.id)

    assert store.visible_cards(MAYA) == ()
    with pytest.raises(AgentNotFound):
        store.get(MAYA, agent.id)
    assert store.create(MAYA, spec("bot")).id != agent.id


def test_a_deleted_agent_is_restored_as_it_was(store: AgentStore, clock: ManualClock) -> None:
    agent = store.create(MAYA, spec("bot", brief="Tell me what broke.", schedule={"cron": "0 9 * * *"}))
    store.delete(MAYA, agent.id)
    clock.advance(60)

    restored = store.restore(MAYA, agent.id)

    assert restored == agent.model_copy(update={"version": 2, "updated_at": clock.now()})
    assert store.get(MAYA, agent.id) == restored
    assert store.visible_cards(MAYA) == (restored.card(),)
    assert store.deleted(MAYA) == ()
    assert store.restore(MAYA, agent.id) == restored


def test_a_restored_agent_gets_another_name_where_its_own_is_taken(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.delete(MAYA, agent.id)
    store.create(MAYA, spec("bot"))

    assert store.restore(MAYA, agent.id).name == "bot-2"


def test_deleted_agents_are_listed_the_last_deleted_first_for_their_owner_only(
    store: AgentStore, clock: ManualClock
) -> None:
    made = [store.create(MAYA, spec(name, shared=True)) for name in ("one", "two", "three")]
    for agent in (made[1], made[0]):
        clock.advance(60)
        store.delete(MAYA, agent.id)

    assert [agent.name for agent in store.deleted(MAYA)] == ["one", "two"]
    assert store.deleted(DEREK) == store.deleted(STRANGER) == ()
    for stranger in (DEREK, STRANGER):
        for refused in (store.get, store.get_deleted, store.restore, store.delete):
            with pytest.raises(AgentNotFound):
                refused(stranger, made[0].id)


def test_an_agent_can_be_restored_for_thirty_days_after_it_was_first_deleted(
    store: AgentStore, clock: ManualClock
) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.delete(MAYA, agent.id)
    clock.advance(30 * 24 * 3_600 - 1)
    store.delete(MAYA, agent.id)
    assert [kept.id for kept in store.deleted(MAYA)] == [agent.id]

    clock.advance(1)
    assert store.deleted(MAYA) == ()
    for refused in (store.restore, store.delete, store.get_deleted):
        with pytest.raises(AgentNotFound):
            refused(MAYA, agent.id)


def test_a_deleted_agent_counts_for_no_limit_and_a_restored_one_does(
    store: AgentStore, tables: Tables, clock: ManualClock
) -> None:
    TenantStore(tables=tables, clock=clock).save(MAYA.tenant, TenantPolicy(limits=Limits(agents_per_user=1)))
    agent = store.create(MAYA, spec("bot"))
    store.delete(MAYA, agent.id)
    store.create(MAYA, spec("other"))

    with pytest.raises(AgentLimitReached):
        store.restore(MAYA, agent.id)


def test_a_restoration_built_on_an_outdated_read_is_refused(
    store: AgentStore, tables: Tables, clock: ManualClock
) -> None:
    agent = store.create(MAYA, spec("bot"))
    store.delete(MAYA, agent.id)
    late = store.get_deleted(MAYA, agent.id).restored((), clock.now())
    store.restore(MAYA, agent.id)
    store.delete(MAYA, agent.id)

    with pytest.raises(TransactionRefused):
        tables.for_tenant(MAYA.tenant).transact(store.restore_actions(MAYA.tenant, late))


def test_the_longest_agent_fits_into_its_items_and_its_card_has_no_brief(
    store: AgentStore, tables: Tables
) -> None:
    widest = "\U0001f41b"
    long = dict.fromkeys(("scope", "condition", "format", "summary"), widest * 300)
    agent = store.create(
        MAYA,
        spec("bot", **long, brief=widest * 8_000, instructions=widest * 4_000, sources=[widest * 300] * 10),
    )
    [card] = tables.for_tenant(MAYA.tenant).query(Query(keys.workspace(MAYA.tenant), limit=10)).items

    assert store.get(MAYA, agent.id).brief == widest * 8_000
    assert "brief" not in card
    assert item_bytes(agent_to_item(MAYA.tenant, agent)) < MAX_ITEM_BYTES / 4
    store.delete(MAYA, agent.id)
    assert store.restore(MAYA, agent.id).brief == agent.brief


def test_secrets_in_a_brief_are_masked(store: AgentStore) -> None:
    agent = store.create(MAYA, spec("bot", brief="Log in with password: hunter2!x and tell me what is new."))
    assert "hunter2" not in store.get(MAYA, agent.id).brief
    changed = store.update(MAYA, agent.id, AgentChange(brief="my password is hunter3!x"))
    assert "hunter3" not in changed.brief


def test_runs_are_listed_newest_first_and_belong_to_who_asked(
    store: AgentStore, tables: Tables, clock: ManualClock
) -> None:
    agent = store.create(MAYA, spec("bot"))
    for _ in range(3):
        clock.advance(60)
        run = Run.create(agent.card(), run_id=new_ulid(clock.now()), user="maya", now=clock.now())
        tables.for_tenant(MAYA.tenant).transact(store.runs.queue_actions(MAYA.tenant, run))

    first, after = store.runs.list(MAYA, limit=2)
    rest, _ = store.runs.list(MAYA, limit=2, after=after)
    times = [run.created_at for run in (*first, *rest)]

    assert times == sorted(times, reverse=True)
    assert len(times) == 3
    assert store.runs.get(MAYA, first[0].id) == first[0]
    assert first[0].status is RunStatus.QUEUED
    assert store.runs.list(DEREK, limit=2) == ((), None)
    with pytest.raises(RunNotFound):
        store.runs.get(DEREK, first[0].id)


@pytest.mark.parametrize("run_id", ["", "x", "R#1", "Z" * 26, "0" * 2_000])
def test_an_unknown_or_malformed_run_is_not_found(store: AgentStore, run_id: str) -> None:
    with pytest.raises(RunNotFound):
        store.runs.get(MAYA, run_id)
