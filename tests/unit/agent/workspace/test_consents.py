"""Consents to agents of colleagues: where nobody can be asked, and what a change takes away."""

from __future__ import annotations

from typing import Any

import pytest

from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent, AgentChange, AgentSpec
from agent.workspace.consents import (
    Agreement,
    compare,
    consent_of,
    is_changed_since,
    named_addresses,
    terms_of,
)
from agent.workspace.errors import AgentChanged, SharedAgentChanged
from agent.workspace.runs import Allowance, Run
from conversation.identity import Caller
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock

MAYA, BEN, NOAH = (Caller(TenantId("acme"), user) for user in ("maya", "ben", "noah"))
HOOK = {"channels": ["webhook"], "recipients": ["https://hook.example.com/b"]}


@pytest.fixture
def agents() -> AgentStore:
    return AgentStore(tables=Tables(SqliteTable(":memory:")), clock=ManualClock(), delivery_hosts=("*",))


def made(agents: AgentStore, **fields: Any) -> Agent:
    spec = {"name": "radar", "what": "radar", "shared": True, "delivery": HOOK, **fields}
    return agents.create(BEN, AgentSpec.model_validate(spec))


def changed(agents: AgentStore, agent: Agent, **fields: Any) -> Agent:
    return agents.update(BEN, agent.id, AgentChange.model_validate(fields))


def write(agents: AgentStore, agreement: Agreement) -> None:
    agents._tables.for_tenant(MAYA.tenant).transact(agreement.actions)


def test_a_first_use_allows_nothing_and_is_remembered(agents: AgentStore) -> None:
    agent = made(agents)

    agreement = agents.consents.agree(MAYA, agent)
    write(agents, agreement)

    assert agreement.consent is not None
    assert agreement.consent.model_dump(exclude={"terms"}) == {
        "version": 1,
        "addresses": False,
        "skills": (),
        "personal_data": False,
    }
    assert agents.consents.agree(MAYA, agent) == Agreement(agreement.consent)


def test_the_owner_needs_no_consent_but_may_name_a_version(agents: AgentStore) -> None:
    agent = changed(agents, made(agents), what="more")

    assert agents.consents.agree(BEN, agent, version=2) == Agreement()
    with pytest.raises(AgentChanged):
        agents.consents.agree(BEN, agent, version=1)


def test_a_permission_holds_for_the_version_it_names_and_its_user(agents: AgentStore) -> None:
    agent = made(agents)
    allowed = agents.consents.agree(MAYA, agent, version=1, allow=Allowance(addresses=True))
    write(agents, allowed)

    later, others = agents.consents.agree(MAYA, agent), agents.consents.agree(NOAH, agent)

    assert later.consent == allowed.consent
    assert later.consent is not None
    assert later.consent.addresses
    assert others.consent is not None
    assert not others.consent.addresses


def test_a_change_is_refused_until_its_version_is_named_and_ends_every_permission(agents: AgentStore) -> None:
    agent = made(agents)
    allow = Allowance(addresses=True, personal_data=True)
    write(agents, agents.consents.agree(MAYA, agent, version=1, allow=allow))
    agent = changed(agents, agent, instructions="Send all of it", scope="everything")

    for version in (None, 1, 3):
        with pytest.raises(SharedAgentChanged) as refused:
            agents.consents.agree(MAYA, agent, version=version)
        assert (refused.value.version, sorted(refused.value.changed)) == (2, ["instructions", "scope"])
    agreed = agents.consents.agree(MAYA, agent, version=2)

    assert agreed.consent is not None
    assert (agreed.consent.addresses, agreed.consent.personal_data) == (False, False)


@pytest.mark.parametrize(
    ("field", "value", "names"),
    [
        ("name", "all", ["name"]),
        ("what", "more", ["what", "summary"]),
        ("summary", "harmless", ["summary"]),
        ("instructions", "more", ["instructions"]),
        ("brief", "Send it all to eve.", ["brief"]),
        ("sources", ["notion"], ["sources"]),
        ("skills", ["notes"], ["skills"]),
        ("condition", "always", ["condition"]),
        ("format", "slides", ["format"]),
        ("kind", "monitor", ["kind"]),
        ("schedule", {"cron": "0 9 * * *", "text": "Send it to eve"}, ["schedule"]),
        ("delivery", {"channels": ["email"]}, ["channels", "recipients"]),
        ("delivery", {**HOOK, "recipients": ["https://eve.example.com"]}, ["recipients"]),
    ],
)
def test_every_field_that_takes_part_in_a_run_counts(
    agents: AgentStore, field: str, value: object, names: list[str]
) -> None:
    agent = made(agents)
    run = Run.create(
        agent,
        run_id="0" * 26,
        user="maya",
        now=agent.created_at,
        consent=agents.consents.agree(MAYA, agent, version=1, allow=Allowance(addresses=True)).consent,
    )
    new = changed(agents, agent, **{field: value})

    assert {change.name for change in compare(terms_of(agent), terms_of(new))} <= set(names)
    assert not is_changed_since(run, agent)
    assert consent_of(run, agent).addresses
    assert is_changed_since(run, new)
    assert not consent_of(run, new).addresses


def test_sharing_and_pausing_change_nothing_that_was_agreed(agents: AgentStore) -> None:
    agent = made(agents)
    write(agents, agents.consents.agree(MAYA, agent, version=1, allow=Allowance(addresses=True)))
    agent = changed(agents, agent, status="paused")

    agreed = agents.consents.agree(MAYA, agent).consent

    assert agreed is not None
    assert (agreed.version, agreed.addresses) == (2, True)


def test_ones_own_address_is_none_of_the_named_ones(agents: AgentStore) -> None:
    recipients = ["maya@acme.com", "ben@acme.com", "https://hook.example.com/b"]
    agent = made(agents, delivery={"channels": ["email", "webhook"], "recipients": recipients})

    assert named_addresses(agent, "maya@acme.com") == ("ben@acme.com", "https://hook.example.com/…")
