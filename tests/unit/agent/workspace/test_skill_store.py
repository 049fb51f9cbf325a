"""Who may register, see, change and remove skills."""

from __future__ import annotations

import pytest

from agent.workspace.errors import (
    SkillInvalid,
    SkillLimitReached,
    SkillNameTaken,
    SkillNotFound,
    SkillNotOwned,
)
from agent.workspace.roster import read_roster
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import Health, HealthStatus, SkillChange, SkillSpec, SkillStatus
from conversation.errors import RoleRequired
from conversation.identity import ADMIN, Caller
from conversation.limits.quotas import StockLimits
from conversation.tenants.policy import Grant
from conversation.tenants.store import TenantStore
from storage.errors import TransactionRefused
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

ACME = TenantId("acme")
ADA = Caller(ACME, "ada", frozenset({ADMIN}))
MAYA, NOAH = Caller(ACME, "maya"), Caller(ACME, "noah")
STRANGER = Caller(TenantId("acme-eu"), "maya", frozenset({ADMIN}))
WIKI = SkillSpec(name="wiki", url="https://wiki.example.com/mcp", serves=("confluence",))


@pytest.fixture
def tables() -> Tables:
    return Tables(SqliteTable(":memory:"))


@pytest.fixture
def skills(tables: Tables) -> SkillStore:
    outbound = OutboundClient(allow_loopback=False, resolve=lambda _host, _port: ["93.184.216.34"])
    return SkillStore(tables=tables, clock=ManualClock(), outbound=outbound)


def test_a_users_skill_is_their_own(skills: SkillStore) -> None:
    wiki = skills.create(MAYA, WIKI)

    assert skills.get(MAYA, wiki.id) == wiki
    assert skills.get(ADA, wiki.id) == wiki
    for other in (NOAH, STRANGER):
        with pytest.raises(SkillNotFound):
            skills.get(other, wiki.id)
        assert skills.visible_cards(other) == ()


def test_an_admins_skill_is_everybodys_in_the_tenant(skills: SkillStore, tables: Tables) -> None:
    wiki = skills.create(ADA, WIKI)
    roster = read_roster(tables, ACME, wiki.created_at)

    assert skills.get(NOAH, wiki.id).shared
    assert skills.usable_skills(NOAH, roster, names=(), services=("confluence",)) == (wiki,)
    assert skills.usable_skills(NOAH, roster, names=("wiki",), services=()) == (wiki,)
    assert skills.usable_skills(NOAH, roster, names=(), services=("notion",)) == ()


@pytest.mark.parametrize("fields", [{"shared": True}, {"secret": "wiki-key"}])
def test_sharing_and_secrets_need_an_admin(skills: SkillStore, fields: dict[str, object]) -> None:
    with pytest.raises(RoleRequired):
        skills.create(MAYA, WIKI.model_copy(update=fields))


def test_a_secret_does_not_follow_a_skill_to_another_address_without_an_admin(skills: SkillStore) -> None:
    wiki = skills.create(MAYA, WIKI)
    skills.update(ADA, wiki.id, SkillChange(secret="wiki-key"))

    with pytest.raises(RoleRequired):
        skills.update(MAYA, wiki.id, SkillChange(url="https://elsewhere.example.com/mcp"))
    assert skills.update(MAYA, wiki.id, SkillChange(description="ours")).secret == "wiki-key"


def test_a_shared_skill_does_not_move_to_another_server_without_an_admin(skills: SkillStore) -> None:
    wiki = skills.create(MAYA, WIKI)
    skills.update(ADA, wiki.id, SkillChange(shared=True))
    moved = SkillChange(url="https://elsewhere.example.com/mcp")

    with pytest.raises(RoleRequired):
        skills.update(MAYA, wiki.id, moved)
    assert skills.update(MAYA, wiki.id, SkillChange(description="ours")).description == "ours"
    assert skills.update(ADA, wiki.id, moved).url == moved.url


@pytest.mark.parametrize(
    "url",
    [
        "http://wiki.example.com/mcp",
        "https://127.0.0.1/mcp",
        "https://169.254.169.254/mcp",
        "https://[::ffff:10.0.0.1]/mcp",
        "https://2130706433/mcp",
        "ftp://wiki.example.com",
    ],
)
def test_only_public_https_addresses_are_registered(skills: SkillStore, url: str) -> None:
    with pytest.raises(SkillInvalid):
        skills.create(MAYA, WIKI.model_copy(update={"url": url}))
    wiki = skills.create(MAYA, WIKI)
    with pytest.raises(SkillInvalid):
        skills.update(MAYA, wiki.id, SkillChange(url=url))


def test_a_name_is_taken_once_in_a_tenant(skills: SkillStore) -> None:
    skills.create(MAYA, WIKI)

    with pytest.raises(SkillNameTaken):
        skills.create(NOAH, WIKI)
    assert skills.create(STRANGER, WIKI).name == "wiki"


def test_there_is_an_end_to_skills(skills: SkillStore) -> None:
    for number in range(StockLimits().skills_per_user):
        skills.create(MAYA, WIKI.model_copy(update={"name": f"wiki-{number}"}))

    with pytest.raises(SkillLimitReached, match="25 skills per user"):
        skills.create(MAYA, WIKI)
    assert skills.create(NOAH, WIKI).owner == NOAH.user


def test_a_workspace_has_no_more_skills_than_it_was_granted(skills: SkillStore, tables: Tables) -> None:
    TenantStore(tables=tables, clock=ManualClock()).register(MAYA.tenant, grant=Grant(skills=1))
    skills.create(MAYA, WIKI)

    with pytest.raises(SkillLimitReached, match="1 skills are allowed in a workspace"):
        skills.create(NOAH, WIKI.model_copy(update={"name": "other"}))


def test_a_shared_skill_is_changed_by_its_owner_and_by_admins(skills: SkillStore) -> None:
    wiki = skills.create(ADA, WIKI)

    with pytest.raises(SkillNotOwned):
        skills.update(MAYA, wiki.id, SkillChange(status=SkillStatus.DISABLED))
    with pytest.raises(SkillNotOwned):
        skills.delete(MAYA, wiki.id)
    assert skills.update(ADA, wiki.id, SkillChange(status=SkillStatus.DISABLED)).version == 2


def test_a_disabled_skill_is_used_by_nobody(skills: SkillStore, tables: Tables) -> None:
    wiki = skills.create(ADA, WIKI)
    skills.update(ADA, wiki.id, SkillChange(status=SkillStatus.DISABLED))

    roster = read_roster(tables, ACME, wiki.created_at)
    assert skills.usable_skills(ADA, roster, names=("wiki",), services=()) == ()


def test_a_removed_skill_leaves_its_name_free(skills: SkillStore) -> None:
    skills.delete(MAYA, skills.create(MAYA, WIKI).id)

    assert skills.visible_cards(MAYA) == ()
    assert skills.create(NOAH, WIKI).owner == "noah"


def test_what_a_check_found_survives_a_change_but_not_a_move(skills: SkillStore) -> None:
    wiki = skills.create(MAYA, WIKI)
    found = Health(status=HealthStatus.OK, checked_at=wiki.created_at, tools=("pages",))
    skills.record_health(ACME, wiki, found)

    assert skills.update(MAYA, wiki.id, SkillChange(description="ours")).health == found
    moved = skills.update(MAYA, wiki.id, SkillChange(url="https://new.example.com/mcp"))
    assert moved.health.status is HealthStatus.UNKNOWN
    skills.record_health(ACME, wiki, found)
    assert skills.get(MAYA, wiki.id).health.status is HealthStatus.UNKNOWN


def test_a_removal_thought_out_before_a_change_is_refused(skills: SkillStore, tables: Tables) -> None:
    wiki = skills.create(MAYA, WIKI)
    skills.update(MAYA, wiki.id, SkillChange(description="ours"))

    with pytest.raises(TransactionRefused):
        tables.for_tenant(ACME).transact(skills.delete_actions(MAYA, wiki))


def test_a_list_goes_on_where_a_page_ended(skills: SkillStore) -> None:
    for name in ("b", "a", "c"):
        skills.create(MAYA, WIKI.model_copy(update={"name": name}))

    first, after = skills.list(MAYA, limit=2)
    rest, end = skills.list(MAYA, limit=2, after=after)

    assert [card.name for card in (*first, *rest)] == ["a", "b", "c"]
    assert end is None
