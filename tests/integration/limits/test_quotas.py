"""What a user and a tenant may make and start in a day, over the real functions: by REST and by talking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from conversation.limits.quotas import DAILY, QuotaKind, StockLimits
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

SKILL = {"name": "wiki", "url": "http://127.0.0.1:8080/mcp", "kind": "mcp"}
AGENT = {"what": "pages that changed"}


@dataclass
class Deployment:
    """The functions that make things, over one file."""

    settings: dict[str, str]

    def __post_init__(self) -> None:
        self._loaded: dict[str, ModuleType] = {}

    def ask(self, function: str, method: str, path: str, *, user: str = "maya", **sent: object) -> Answer:
        """The answer of a function, which is loaded on first use."""
        if function not in self._loaded:
            self._loaded[function] = functions.load(function, self.settings)
        event = request(method, path, user=user, **sent)  # type: ignore[arg-type]
        return functions.invoke(self._loaded[function], event)

    def restart(self, function: str) -> None:
        """Let a new process of the function answer from now on."""
        del self._loaded[function]

    def grant(self, **limits: object) -> None:
        """Let operators set limits of the tenant."""
        body = {"name": "Acme", "limits": limits}
        sent: dict[str, str] = {"tenant": "omniforge", "roles": "operator"}
        assert self.ask("tenants", "PUT", "/v1/tenants/acme", body=body, **sent).status == 200

    def say(self, message: str, **body: str) -> str:
        """The reply to a message."""
        said = self.ask("chat", "POST", "/v1/chat", body={"message": message, **body})
        assert said.status == 200
        return str(said.json["message"]["content"])

    def conversation(self) -> str:
        """A conversation of Maya's with one exchange."""
        return str(self.ask("chat", "POST", "/v1/chat", body={"message": "hi"}).json["conversation_id"])

    def agent(self) -> str:
        """An agent of Maya's."""
        return str(self.ask("workspace", "POST", "/v1/agents", body=AGENT).json["id"])

    def skill(self) -> str:
        """A skill of Maya's."""
        made = self.ask("workspace", "POST", "/v1/skills", body=SKILL)
        assert made.status == 201, made.body
        return str(made.json["id"])


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(functions.settings(tmp_path))


Attempt = Callable[[], Answer]


def attempts(deployment: Deployment, kind: QuotaKind) -> Attempt:
    """What takes one of the kind with each call."""
    ask, names = deployment.ask, iter(range(10_000))
    calls: dict[QuotaKind, Callable[[str], Answer]] = {
        QuotaKind.RUNS: lambda agent: ask("workspace", "POST", f"/v1/agents/{agent}/runs", body={}),
        QuotaKind.FORKS: lambda source: ask(
            "conversations", "POST", f"/v1/conversations/{source}/fork", body={}
        ),
        QuotaKind.EXPORTS: lambda _: ask("conversations", "GET", "/v1/export"),
        QuotaKind.SKILL_CHECKS: lambda skill: ask("workspace", "POST", f"/v1/skills/{skill}/check"),
        QuotaKind.AGENTS: lambda _: ask("workspace", "POST", "/v1/agents", body=AGENT),
        QuotaKind.SKILLS: lambda _: ask(
            "workspace", "POST", "/v1/skills", body={**SKILL, "name": f"wiki-{next(names)}"}
        ),
        QuotaKind.TASKS: lambda _: ask("workspace", "POST", "/v1/tasks", body={"title": "call the bank"}),
        QuotaKind.CONVERSATIONS: lambda _: ask("conversations", "POST", "/v1/conversations", body={}),
        QuotaKind.ERASURES: lambda source: ask(
            "tenants", "POST", f"/v1/conversations/{source}/erasures", body={}
        ),
    }
    needs: dict[QuotaKind, Callable[[], str]] = {
        QuotaKind.RUNS: deployment.agent,
        QuotaKind.FORKS: deployment.conversation,
        QuotaKind.SKILL_CHECKS: deployment.skill,
        QuotaKind.ERASURES: deployment.conversation,
    }
    subject = needs[kind]() if kind in needs else ""
    return lambda: calls[kind](subject)


BY_REST = [kind for kind in QuotaKind if kind is not QuotaKind.IMPORTS]
"""Imports come from the command line."""


@pytest.mark.parametrize("kind", BY_REST)
def test_every_kind_ends_at_the_users_limit_with_a_stable_code(
    deployment: Deployment, kind: QuotaKind
) -> None:
    attempt = attempts(deployment, kind)
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
    deployment: Deployment, kind: QuotaKind
) -> None:
    attempt = attempts(deployment, kind)
    deployment.grant(per_day={kind.value: 0})
    assert attempt().code == "daily_limit_reached"
    other = deployment.ask("workspace", "POST", "/v1/tasks", body={"title": "a"}, tenant="acme-eu")
    assert other.status == 201


def test_admins_may_not_raise_what_operators_granted(deployment: Deployment) -> None:
    deployment.grant(per_user_per_day={"tasks": 1})
    policy = {"limits": {"per_user_per_day": {"tasks": 400}}}
    saved = deployment.ask("workspace", "PUT", "/v1/tenant/policy", body=policy, roles="admin")
    assert saved.status == 200
    attempt = attempts(deployment, QuotaKind.TASKS)
    assert [attempt().status for _ in range(2)] == [201, 429]


def test_a_user_has_no_more_agents_than_allowed_however_many_calls(deployment: Deployment) -> None:
    attempt = attempts(deployment, QuotaKind.AGENTS)
    answers = [attempt() for _ in range(60)]
    assert [answer.status for answer in answers].count(201) == 50
    assert {answer.code for answer in answers[50:]} == {"agent_limit_reached"}


def test_a_user_takes_no_more_skills_than_their_share(deployment: Deployment) -> None:
    attempt = attempts(deployment, QuotaKind.SKILLS)
    answers = [attempt() for _ in range(30)]
    assert [answer.status for answer in answers].count(201) == StockLimits().skills_per_user
    assert answers[-1].code == "skill_limit_reached"


def test_what_is_asked_for_in_the_chat_counts_and_is_refused_in_a_sentence(deployment: Deployment) -> None:
    deployment.grant(per_user_per_day={"tasks": 2, "runs": 0, "agents": 0})
    conversation_id = deployment.conversation()
    assert "added" in deployment.say("add a task to call the bank", conversation_id=conversation_id)
    assert deployment.ask("workspace", "POST", "/v1/tasks", body={"title": "a"}).status == 201
    said = deployment.say("add a task to buy groceries", conversation_id=conversation_id)
    assert said == "You have reached the limit of 2 new tasks a day; it goes on after midnight UTC."
    assert len(deployment.ask("workspace", "GET", "/v1/tasks").json["items"]) == 2


def test_an_agent_that_may_not_be_made_today_stays_a_draft(deployment: Deployment) -> None:
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
    assert "is saved" in said


def test_a_run_that_may_not_start_today_is_refused_in_a_sentence(deployment: Deployment) -> None:
    deployment.grant(per_user_per_day={"runs": 1})
    deployment.ask("workspace", "POST", "/v1/agents", body={**AGENT, "name": "reader"})
    conversation_id = deployment.conversation()
    deployment.say("run reader", conversation_id=conversation_id)
    said = deployment.say("run reader", conversation_id=conversation_id)
    assert said == "You have reached the limit of 1 runs a day; it goes on after midnight UTC."
    assert len(deployment.ask("workspace", "GET", "/v1/runs").json["items"]) == 1


def test_a_fork_counts_as_stored(deployment: Deployment) -> None:
    source = deployment.conversation()
    deployment.grant(bytes_per_user_per_day=10)
    path = f"/v1/conversations/{source}/fork"
    assert deployment.ask("conversations", "POST", path, body={}).status == 201
    refused = deployment.ask("conversations", "POST", path, body={})
    assert (refused.status, refused.code) == (429, "daily_bytes_reached")
