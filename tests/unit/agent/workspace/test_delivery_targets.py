"""Where a tenant lets results be sent to."""

from __future__ import annotations

import pytest

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import AgentChange, AgentSpec
from agent.workspace.delivery_targets import AllowedTargets, Channel, Delivery
from agent.workspace.errors import TargetNotAllowed
from conversation.identity import Caller
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from intent.decision import ActionType
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.data.chat_session import Talk
from tests.fakes.run.clocks import ManualClock

MAYA = "maya@acme.com"


def allows(address: str, *, owner: str = MAYA, default: tuple[str, ...] = (), **policy: object) -> bool:
    decided = TenantPolicy.model_validate(policy)
    return AllowedTargets.of(decided, owner, default).allows(address)


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("noah@acme.com", True),
        ("noah@Sales.ACME.com", True),
        ("noah@acme.com.evil.example", False),
        ("noah@evilacme.com", False),
        ("noah@partner.com", False),
        ("https://acme.com/hook", True),
        ("https://hooks.acme.com:8443/x?y=1", True),
        ("https://acme.com.evil.example/hook", False),
        ("https://acme.com@evil.example/hook", False),
        ("https://evil.example/acme.com", False),
        ("https://hooks.slack.com/services/T/B/x", False),
        ("https://[::1/", False),
        ("the sales team", True),
    ],
)
def test_only_the_users_own_domain_is_allowed_where_nobody_decided(address: str, is_allowed: bool) -> None:
    assert allows(address) is is_allowed


def test_a_user_without_a_domain_may_send_nothing_out() -> None:
    assert not allows("maya@acme.com", owner="maya")
    assert not allows("https://acme.com/hook", owner="maya")


def test_a_mail_provider_is_nobodys_own_domain() -> None:
    assert allows("Maya@gmail.com", owner="maya@gmail.com")
    assert not allows("noah@gmail.com", owner="maya@gmail.com")
    assert not allows("https://gmail.com/hook", owner="maya@gmail.com")


def test_a_deployment_may_allow_more() -> None:
    assert allows("noah@partner.com", default=("partner.com",))
    assert allows("https://anything.example/x", owner="maya", default=("*",))


def test_what_an_admin_lists_is_what_is_allowed() -> None:
    assert allows("https://hooks.slack.com/x", allowed_hook_hosts=["hooks.slack.com"])
    assert not allows("https://acme.com/x", allowed_hook_hosts=["hooks.slack.com"], default=("*",))
    assert allows("noah@acme.com", allowed_hook_hosts=[])
    assert not allows(MAYA, allowed_mail_domains=[])
    assert allows("noah@anywhere.example", allowed_mail_domains=["*"])


@pytest.mark.parametrize("host", ["", "a b", "https://acme.com", "acme.com/x", "*.acme.com", "acme.com:80"])
def test_a_policy_lists_hosts_and_nothing_else(host: str) -> None:
    with pytest.raises(ValueError, match="allowed_hook_hosts"):
        TenantPolicy.model_validate({"allowed_hook_hosts": [host]})


CALLER = Caller(TenantId("acme"), MAYA)
OUTSIDE = Delivery(channels=(Channel.EMAIL,), recipients=("noah@partner.com",))


def test_a_mail_address_elsewhere_may_be_set_up_and_confirms_before_it_is_sent_to() -> None:
    store = AgentStore(tables=Tables(SqliteTable(":memory:")), clock=ManualClock())
    assert store.create(CALLER, AgentSpec(what="sales", delivery=OUTSIDE)).delivery == OUTSIDE
    allowed = AllowedTargets.of(TenantPolicy(), MAYA, ())
    assert allowed.needs_verification("noah@partner.com")
    others = (MAYA, "noah@acme.com", "https://evil.example/x", "sales")
    assert not any(map(allowed.needs_verification, others))


REFUSED = TenantPolicy(other_mail_recipients="refused")


def test_an_agent_may_not_be_set_up_to_send_anywhere_else() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    TenantStore(tables=tables, clock=clock).save(CALLER.tenant, REFUSED)
    store = AgentStore(tables=tables, clock=clock)
    with pytest.raises(TargetNotAllowed):
        store.create(CALLER, AgentSpec(what="sales", delivery=OUTSIDE))
    agent = store.create(CALLER, AgentSpec(what="sales"))
    with pytest.raises(TargetNotAllowed):
        store.update(CALLER, agent.id, AgentChange(delivery=OUTSIDE))


def test_an_agent_of_before_can_be_changed_otherwise() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    before = AgentStore(tables=tables, clock=clock, delivery_hosts=("*",))
    agent = before.create(CALLER, AgentSpec(what="sales", delivery=OUTSIDE))
    store = AgentStore(tables=tables, clock=clock)
    assert store.update(CALLER, agent.id, AgentChange(what="returns")).delivery == OUTSIDE


def test_an_admins_word_counts_at_once() -> None:
    tables, clock = Tables(SqliteTable(":memory:")), ManualClock()
    store = AgentStore(tables=tables, clock=clock)
    policy = TenantPolicy(allowed_mail_domains=("partner.com",))
    TenantStore(tables=tables, clock=clock).save(CALLER.tenant, policy)
    assert store.create(CALLER, AgentSpec(what="sales", delivery=OUTSIDE)).delivery == OUTSIDE


NOT_ALLOWED = "an administrator can allow it"


def test_who_asks_in_the_chat_for_another_place_is_told_who_can_allow_it() -> None:
    talk = Talk(delivery_hosts=())
    talk.say("create an agent that reports sales every day at 9", ActionType.CREATE_AGENT)
    said = talk.say("post it to https://hooks.slack.com/services/T/B/x", ActionType.CREATE_AGENT)
    assert NOT_ALLOWED in said.text
    assert said.effects == ()
    assert "hooks.slack.com" not in str(said.note.draft)


def test_who_asks_in_the_chat_to_change_the_place_is_told_who_can_allow_it() -> None:
    talk = Talk(delivery_hosts=())
    talk.tenants.save(talk.caller.tenant, REFUSED)
    agent = talk.store.create(talk.caller, AgentSpec(name="reporter", what="sales"))
    said = talk.say("send reporter's results to noah@partner.com", ActionType.UPDATE_AGENT, agent_id=agent.id)
    assert NOT_ALLOWED in said.text
    assert said.effects == ()
