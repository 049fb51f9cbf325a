"""What an agent lacks is computed from what there is, and told in one sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agent.readiness import MissingKind, Provision, can_work, missing_keys, readiness
from agent.templates.readiness_texts import missing_text
from agent.workspace.agents import Agent, AgentSpec
from conversation.tenants.policy import Budget, TenantPolicy

NOW = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
CHECK = {"url": "https://acme.test"}


def agent(**fields: Any) -> Agent:
    spec = AgentSpec.model_validate({"what": "updates", **fields})
    return Agent.create(spec, agent_id="a" * 32, name="bot", owner="maya", now=NOW)


@pytest.mark.parametrize(
    ("fields", "provision", "missing", "text"),
    [
        ({}, Provision(), (), ""),
        ({"sources": ("notion",)}, Provision(services={"notion"}), (), ""),
        (
            {"sources": ("notion", "jira")},
            Provision(has_model=False),
            ("connection:notion", "connection:jira", "model"),
            "Before it can work: connect Notion and Jira; no model is set up here.",
        ),
        ({}, Provision(has_model=False), ("model",), "Before it can work: no model is set up here."),
        (
            {},
            Provision(has_budget=False),
            ("budget",),
            "Before it can work: your workspace's budget for models is 0.",
        ),
        ({}, Provision(has_model=False, has_budget=False), ("model",), None),
        (
            {"delivery": {"channels": ["email", "sms"]}},
            Provision(),
            ("address:email", "channel:sms"),
            "I have no address to send results to by e-mail: tell me one. I can't send results by SMS.",
        ),
        ({"check": CHECK, "sources": ("notion",)}, Provision(has_model=False, has_budget=False), (), ""),
    ],
)
def test_what_is_missing_follows_from_what_there_is(
    fields: dict[str, Any], provision: Provision, missing: tuple[str, ...], text: str | None
) -> None:
    found = readiness(agent(**fields), provision)

    assert missing_keys(found) == missing
    assert text is None or missing_text(found) == text


def test_an_agent_without_an_address_works_all_the_same() -> None:
    found = readiness(agent(delivery={"channels": ["slack"]}), Provision())

    assert [each.kind for each in found] == [MissingKind.ADDRESS]
    assert can_work(found)


def test_a_policy_without_a_budget_has_none_for_agents() -> None:
    nothing = Provision.of(TenantPolicy(budget=Budget(usd_per_day=0.0)), (), has_model=True)

    assert not nothing.has_budget
    assert Provision.of(TenantPolicy(), (), has_model=True).has_budget
