"""What a user and a tenant may make and start in a day, over the real functions: by REST and by talking."""

from __future__ import annotations

from pathlib import Path

import pytest

from conversation.limits.quotas import DAILY, QuotaKind, StockLimits
from tests.fakes.deployment import functions
from tests.fakes.deployment.creating_functions import AGENT, BY_REST, CreatingFunctions, calls_taking


@pytest.fixture
def deployment(tmp_path: Path) -> CreatingFunctions:
    return CreatingFunctions(functions.with_attachments(tmp_path))


@pytest.mark.parametrize("kind", BY_REST)
def test_every_kind_ends_at_the_users_limit_with_a_stable_code(
    deployment: CreatingFunctions, kind: QuotaKind
) -> None:
    attempt = calls_taking(deployment, kind)
    before = 1 if kind is QuotaKind.SKILL_CHECKS else 0  # a new skill is checked, too
    deployment.grant(per_user_per_day={kind.value: 2 + before})
    answers = [attempt() for _ in range(4)]
    assert [answer.status < 300 for answer in answers] == [True, True, False, False]
    refused = answers[-1]
    assert (refused.status, refused.code) == (429, "daily_limit_reached")
    assert DAILY[kind].what in refused.json["detail"]
    assert 1 <= int(refused.headers["retry-after"]) <= 24 * 60 * 60


@pytest.mark.parametrize("kind", BY_REST)
def test_every_kind_ends_at_the_tenants_limit_for_all_its_users_and_nobody_else(
    deployment: CreatingFunctions, kind: QuotaKind
) -> None:
    attempt = calls_taking(deployment, kind)
    deployment.grant(per_day={kind.value: 0})
    assert attempt().code == "daily_limit_reached"
    other = deployment.ask("workspace", "POST", "/v1/tasks", body={"title": "a"}, tenant="acme-eu")
    assert other.status == 201


def test_admins_may_not_raise_what_operators_granted(deployment: CreatingFunctions) -> None:
    deployment.grant(per_user_per_day={"tasks": 1})
    policy = {"limits": {"per_user_per_day": {"tasks": 400}}}
    saved = deployment.ask("workspace", "PUT", "/v1/tenant/policy", body=policy, roles="admin")
    assert saved.status == 200
    attempt = calls_taking(deployment, QuotaKind.TASKS)
    assert [attempt().status for _ in range(2)] == [201, 429]


def test_a_user_has_no_more_agents_than_allowed_however_many_calls(deployment: CreatingFunctions) -> None:
    attempt = calls_taking(deployment, QuotaKind.AGENTS)
    answers = [attempt() for _ in range(60)]
    assert [answer.status for answer in answers].count(201) == 50
    assert {answer.code for answer in answers[50:]} == {"agent_limit_reached"}


def test_a_user_takes_no_more_skills_than_their_share(deployment: CreatingFunctions) -> None:
    attempt = calls_taking(deployment, QuotaKind.SKILLS)
    answers = [attempt() for _ in range(30)]
    assert [answer.status for answer in answers].count(201) == StockLimits().skills_per_user
    assert answers[-1].code == "skill_limit_reached"


def test_what_is_asked_for_in_the_chat_counts_and_is_refused_in_a_sentence(
    deployment: CreatingFunctions,
) -> None:
    deployment.grant(per_user_per_day={"tasks": 2, "runs": 0, "agents": 0})
    conversation_id = deployment.conversation()
    assert "Added" in deployment.say("add a task to call the bank", conversation_id=conversation_id)
    assert deployment.ask("workspace", "POST", "/v1/tasks", body={"title": "a"}).status == 201
    said = deployment.say("add a task to buy groceries", conversation_id=conversation_id)
    assert said == "You have reached the limit of 2 new tasks a day; it goes on after midnight UTC."
    assert len(deployment.ask("workspace", "GET", "/v1/tasks").json["items"]) == 2


def test_an_agent_that_may_not_be_made_today_stays_a_draft(deployment: CreatingFunctions) -> None:
    deployment.grant(per_user_per_day={"agents": 0})
    conversation_id = deployment.conversation()
    deployment.say(
        "Create an agent that compiles project updates from Notion every Monday at 9",
        conversation_id=conversation_id,
    )
    said = deployment.say("in the chat", conversation_id=conversation_id)
    assert said == "You have reached the limit of 0 new agents a day; it goes on after midnight UTC."
    assert deployment.ask("workspace", "GET", "/v1/agents").json["items"] == []
    deployment.grant(per_user_per_day={})
    deployment.restart("chat")  # its workspace is cached for a minute
    said = deployment.say("in the chat", conversation_id=conversation_id)
    assert said.startswith("Saved")
    assert len(deployment.ask("workspace", "GET", "/v1/agents").json["items"]) == 1


def test_a_run_that_may_not_start_today_is_refused_in_a_sentence(deployment: CreatingFunctions) -> None:
    deployment.grant(per_user_per_day={"runs": 1})
    deployment.ask("workspace", "POST", "/v1/agents", body={**AGENT, "name": "reader"})
    conversation_id = deployment.conversation()
    deployment.say("run reader", conversation_id=conversation_id)
    said = deployment.say("run reader", conversation_id=conversation_id)
    assert said == "You have reached the limit of 1 runs a day; it goes on after midnight UTC."
    assert len(deployment.ask("workspace", "GET", "/v1/runs").json["items"]) == 1


def test_a_fork_counts_as_stored(deployment: CreatingFunctions) -> None:
    source = deployment.conversation()
    deployment.grant(bytes_per_user_per_day=10)
    path = f"/v1/conversations/{source}/fork"
    assert deployment.ask("conversations", "POST", path, body={}).status == 201
    refused = deployment.ask("conversations", "POST", path, body={})
    assert (refused.status, refused.code) == (429, "daily_bytes_reached")
