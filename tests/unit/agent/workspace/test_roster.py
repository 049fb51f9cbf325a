from __future__ import annotations

from collections.abc import Callable

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentSpec
from agent.workspace.roster import PAGE_SIZE, RosterCache
from conversation.identity import Caller
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.run.clocks import ManualClock

ACME = TenantId("acme")
MAYA = Caller(ACME, "maya")


class Observed:
    """Tables whose requests are counted, and may be interrupted just after they were made."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.after: Callable[[], None] = lambda: None
        self.tables = Tables(ObservedTable(SqliteTable(":memory:"), self._see))
        self.clock = ManualClock()
        self.store = AgentStore(tables=self.tables, clock=self.clock)

    def _see(self, request: str, moment: str) -> None:
        if moment == "before":
            self.requests.append(request)
        elif request == "query":
            self.after()

    def rosters(self, *, max_tenants: int = 256) -> RosterCache:
        return RosterCache(tables=self.tables, clock=self.clock, max_tenants=max_tenants)


def test_a_roster_is_one_query_and_then_none_for_a_minute() -> None:
    observed = Observed()
    observed.store.create(MAYA, AgentSpec(name="bot", what="bugs"))
    TenantStore(tables=observed.tables, clock=observed.clock).save(ACME, TenantPolicy(retention_days=7))
    observed.requests.clear()
    rosters = observed.rosters()

    roster = rosters.for_tenant(ACME)
    observed.clock.advance(59)

    assert rosters.for_tenant(ACME) is roster
    assert observed.requests == ["query"]
    assert roster.record.policy.retention_days == 7
    assert [card.name for card in roster.agents] == ["bot"]


def test_a_roster_is_read_again_after_a_minute_and_after_a_drop() -> None:
    observed = Observed()
    rosters = observed.rosters()
    first = rosters.for_tenant(ACME)
    observed.clock.advance(60)
    second = rosters.for_tenant(ACME)
    rosters.invalidate(ACME)

    assert second is not first
    assert rosters.cached(ACME) is None
    assert second.read_at > first.read_at


def test_a_roster_read_before_a_drop_is_not_kept_after_it() -> None:
    observed = Observed()
    rosters = observed.rosters()
    observed.after = lambda: rosters.invalidate(ACME)

    rosters.for_tenant(ACME)

    assert rosters.cached(ACME) is None


def test_the_least_used_tenant_makes_room() -> None:
    rosters = Observed().rosters(max_tenants=2)
    a, b, c = TenantId("a"), TenantId("b"), TenantId("c")
    for tenant in (a, b, a, c):
        rosters.for_tenant(tenant)

    assert [tenant for tenant in (a, b, c) if rosters.cached(tenant)] == [a, c]


def test_a_roster_holds_all_agents_however_many_pages_that_takes() -> None:
    observed = Observed()
    agent = observed.store.create(MAYA, AgentSpec(name="bot", what="bugs"))
    table = observed.tables.for_tenant(ACME)
    for number in range(PAGE_SIZE + 1):
        copy = agent.model_copy(update={"id": f"{number:032x}", "name": f"bot-{number}"})
        table.put(observed.store.create_actions(ACME, copy)[0])  # type: ignore[arg-type]

    assert len(observed.rosters().for_tenant(ACME).agents) == PAGE_SIZE + 2


def test_others_see_only_what_is_shared_after_their_own() -> None:
    observed = Observed()
    observed.store.create(MAYA, AgentSpec(name="private", what="x"))
    observed.store.create(MAYA, AgentSpec(name="public", what="x", shared=True))
    observed.store.create(Caller(ACME, "zoe"), AgentSpec(name="own", what="x"))
    roster = observed.rosters().for_tenant(ACME)

    assert [card.name for card in roster.visible_to("zoe")] == ["own", "public"]
    assert [card.name for card in roster.visible_to("maya")] == ["private", "public"]
    assert observed.rosters().for_tenant(TenantId("acme-eu")).agents == ()
