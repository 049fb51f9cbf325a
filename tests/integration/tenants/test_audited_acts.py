"""Everything an administrator can change is in the audit log, with its values before and after.

What can be changed is generated: the operations come from the API's description, the acts of a message from
`ActKind`. A new one fails here until the log has it, or until `OWN_WORK` or `TALK` says whose alone it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.clock import SystemClock
from conversation.identity import ADMIN, Caller
from conversation.tenants.audit import Act, AuditLog, AuditRecord
from edge.routes import docs
from intent.acts.act import ActKind
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import request
from tests.fakes.data.chat_session import Talk
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment.functions import invoke, load, settings
from tests.fakes.run.api_operations import operations
from tests.fakes.run.clocks import ManualClock

ADA = Caller(TenantId("acme"), "ada", frozenset({ADMIN}))
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
SKILL_URL = "http://127.0.0.1:9999/mcp"
ANSWER = {"title": "Who", "questions": ["Who is my admin?"], "text": "Ada."}
LATER_ANSWER = {**ANSWER, "text": "Bea."}

OWN_WORK = frozenset(
    {
        "POST /v1/chat", "POST /v1/chat/stream", "POST /v1/users/{user_id}/chat",
        "POST /v1/users/{user_id}/chat/stream", "POST /v1/turns/{turn_id}/stop", "POST /v1/conversations",
        "PATCH /v1/conversations/{conversation_id}", "POST /v1/conversations/{conversation_id}/fork",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit/stream",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate/stream",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/select",
        "POST /v1/conversations/{conversation_id}/messages/{message_id}/pin",
        "DELETE /v1/conversations/{conversation_id}/messages/{message_id}/pin",
        "PUT /v1/conversations/{conversation_id}/messages/{message_id}/feedback",
        "POST /v1/agents", "POST /v1/agents/{agent_id}/runs", "POST /v1/runs/{run_id}/approvals",
        "POST /v1/runs/{run_id}/cancel", "POST /v1/mail-recipients/verify", "POST /v1/tasks",
        "PATCH /v1/tasks/{task_id}", "POST /v1/attachments", "POST /v1/attachments/{attachment_id}/complete",
        "DELETE /v1/attachments/{attachment_id}",
        "DELETE /v1/tasks/{task_id}", "POST /v1/tasks/{task_id}/restore", "POST /v1/skills/{skill_id}/check",
    }
)  # fmt: skip
"""Operations on what only its user sees, or that change nothing that anybody decided."""


class Workspace:
    """The functions of a deployment, an administrator who calls them, and the audit log."""

    def __init__(self, folder: Path) -> None:
        self._apps: dict[str, ModuleType] = {}
        self._environ = settings(folder, OMNIFORGE_TENANT_SECRETS=f"file://{folder}/secrets.json")
        self.table = SqliteTable(folder / "omniforge.db")

    def call(self, app: str, method: str, path: str, body: object = None, roles: str = "admin") -> Any:
        """Send a request that must succeed, and return its answer."""
        if app not in self._apps:
            self._apps[app] = load(app, self._environ)
        sent = request(method, f"/v1/{path}", body=body, user="ada", roles=roles)
        answer = invoke(self._apps[app], sent)
        assert answer.status < 300, answer.body
        return answer.json if answer.body else None

    def conversation(self) -> str:
        """Write a conversation of the administrator and return its id."""
        return write_conversation(self.table, ADA, "talk", begun=SystemClock().now())

    def records(self) -> tuple[AuditRecord, ...]:
        """Return the log, newest first."""
        return AuditLog(tables=Tables(self.table), clock=ManualClock()).list(ADA.tenant, limit=50)[0]


@dataclass(frozen=True)
class Case:
    """What is sent, and what the newest record then has."""

    do: Callable[[Workspace], str]
    act: Act
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


def policy(method: str) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        acme.call("workspace", method, "tenant/policy", {"tone": "brisk"})
        return ""

    return do


def agent(then: Callable[[Workspace, str], object]) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        made: str = acme.call("workspace", "POST", "agents", {"what": "tickets", "name": "tickets"})["id"]
        then(acme, made)
        return made

    return do


def skill(then: Callable[[Workspace, str], object]) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        made: str = acme.call("workspace", "POST", "skills", {"name": "wiki", "url": SKILL_URL})["id"]
        then(acme, made)
        return made

    return do


def conversation(*paths: tuple[str, str, str]) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        made = acme.conversation()
        for app, method, path in paths:
            acme.call(app, method, path.format(made), roles="admin")
        return made

    return do


SECRET = {"value": "a key of the wiki"}


def secret(*bodies: Mapping[str, Any] | None) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        for body in bodies:
            acme.call("mcp", "PUT" if body else "DELETE", "tenant/secrets/wiki-key", body)
        return "wiki-key"

    return do


def answer(*bodies: Mapping[str, Any] | None) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        for body in bodies:
            acme.call("workspace", "PUT" if body else "DELETE", "tenant/answers/who", body)
        return "who"

    return do


def correction_removed(acme: Workspace) -> str:
    said = acme.call("chat", "POST", "chat", {"message": "A chit for the lamp"})
    meant = {"message": "That was meant as a task", "conversation_id": said["conversation_id"]}
    acme.call("chat", "POST", "chat", meant)
    [kept] = acme.call("tenants", "GET", "tenant/corrections")["items"]
    acme.call("tenants", "DELETE", f"tenant/corrections/{kept['id']}")
    return str(kept["id"])


def tenant(*paths: tuple[str, str, object]) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        for method, path, body in paths:
            acme.call("tenants", method, path, body, roles="operator")
        return ""

    return do


def erased(path: str, scope: str) -> Callable[[Workspace], str]:
    def do(acme: Workspace) -> str:
        made = acme.conversation()
        roles = "operator" if scope == "tenant" else "admin"
        acme.call("tenants", "POST", path.format(made), roles=roles)
        return {"conversation": f"conversation {made}", "user": "user ada", "tenant": "tenant acme"}[scope]

    return do


def message_taken_back(acme: Workspace) -> str:
    made = acme.conversation()
    first = acme.call("conversations", "GET", f"conversations/{made}/messages")["items"][0]["id"]
    acme.call("conversations", "DELETE", f"conversations/{made}/messages/{first}")
    return f"{made} {first}"


DELETE = ("conversations", "DELETE", "conversations/{}")
HOLD = ("tenants", "PUT", "tenant/holds/{}")
NAMED, SHARED = {"name": "tickets", "shared": False}, {"shared": False}
WIKI: Mapping[str, Any] = {
    "kind": "mcp", "url": SKILL_URL, "description": "", "allowed_tools": None, "secret": None,
    "sign_in": None, "serves": [], "name": "wiki", "owner": "ada", "shared": True, "status": "active",
}  # fmt: skip
ACME = ("PUT", "tenants/acme", {"name": "Acme", "limits": {"burst": 5}})
CASES: Mapping[str, Case] = {
    "PATCH /v1/tenant/policy": Case(
        policy("PATCH"), Act.POLICY_CHANGED, {"tone": "friendly"}, {"tone": "brisk"}
    ),
    "PUT /v1/tenant/policy": Case(
        policy("PUT"), Act.POLICY_REPLACED, {"tone": "friendly"}, {"tone": "brisk"}
    ),
    "PATCH /v1/agents/{agent_id}": Case(
        agent(lambda acme, it: acme.call("workspace", "PATCH", f"agents/{it}", {"shared": True})),
        Act.AGENT_SHARED, SHARED, {"shared": True},
    ),
    "POST /v1/agents/{agent_id}/undo": Case(
        agent(
            lambda acme, it: [
                shared := acme.call("workspace", "PATCH", f"agents/{it}", {"shared": True}),
                acme.call("workspace", "POST", f"agents/{it}/undo", {"version": shared["version"]}),
            ]
        ),
        Act.AGENT_UNSHARED, {"shared": True}, SHARED,
    ),
    "DELETE /v1/agents/{agent_id}": Case(
        agent(lambda acme, it: acme.call("workspace", "DELETE", f"agents/{it}")),
        Act.AGENT_DELETED, NAMED, None,
    ),
    "POST /v1/agents/{agent_id}/restore": Case(
        agent(
            lambda acme, it: [
                acme.call("workspace", "DELETE", f"agents/{it}"),
                acme.call("workspace", "POST", f"agents/{it}/restore"),
            ]
        ),
        Act.AGENT_RESTORED, None, NAMED,
    ),
    "POST /v1/skills": Case(skill(lambda _acme, _it: None), Act.SKILL_REGISTERED, None, WIKI),
    "PATCH /v1/skills/{skill_id}": Case(
        skill(lambda acme, it: acme.call("workspace", "PATCH", f"skills/{it}", {"shared": False})),
        Act.SKILL_CHANGED, {"shared": True}, {"shared": False},
    ),
    "DELETE /v1/skills/{skill_id}": Case(
        skill(lambda acme, it: acme.call("workspace", "DELETE", f"skills/{it}")),
        Act.SKILL_REMOVED, WIKI, None,
    ),
    "DELETE /v1/conversations/{conversation_id}": Case(
        conversation(DELETE), Act.CONVERSATION_DELETED, None, None
    ),
    "POST /v1/conversations/{conversation_id}/restore": Case(
        conversation(DELETE, ("conversations", "POST", "conversations/{}/restore")),
        Act.CONVERSATION_RESTORED, None, None,
    ),
    "DELETE /v1/conversations/{conversation_id}/messages/{message_id}": Case(
        message_taken_back, Act.MESSAGE_DELETED, None, None
    ),
    "PUT /v1/tenant/holds/{conversation_id}": Case(
        conversation(HOLD), Act.HOLD_PLACED, {"held": False}, {"held": True}
    ),
    "DELETE /v1/tenant/holds/{conversation_id}": Case(
        conversation(HOLD, ("tenants", "DELETE", "tenant/holds/{}")),
        Act.HOLD_LIFTED, {"held": True}, {"held": False},
    ),
    "PUT /v1/tenant/answers/{answer_id}": Case(
        answer(ANSWER, LATER_ANSWER), Act.ANSWER_WRITTEN, {"text": "Ada."}, {"text": "Bea."}
    ),
    "DELETE /v1/tenant/answers/{answer_id}": Case(
        answer(ANSWER, None), Act.ANSWER_REMOVED, ANSWER, None
    ),
    "PUT /v1/tenant/secrets/{secret_name}": Case(
        secret(SECRET, SECRET), Act.SECRET_STORED, None, {"replaced": True}
    ),
    "DELETE /v1/tenant/secrets/{secret_name}": Case(
        secret(SECRET, None), Act.SECRET_REMOVED, None, None
    ),
    "DELETE /v1/tenant/corrections/{correction_id}": Case(
        correction_removed, Act.CORRECTION_REMOVED, None, None
    ),
    "PUT /v1/tenants/{tenant_id}": Case(
        tenant(ACME, ("PUT", "tenants/acme", {"name": "Acme", "limits": {"burst": 9}})),
        Act.TENANT_REGISTERED, {"limits": {"burst": 5}}, {"limits": {"burst": 9}},
    ),
    "PATCH /v1/tenants/{tenant_id}": Case(
        tenant(ACME, ("PATCH", "tenants/acme", {"limits": {"runs_at_once": 3}})),
        Act.TENANT_CHANGED,
        {"limits": {"burst": 5}},
        {"limits": {"burst": 5, "runs_at_once": 3}},
    ),
    "POST /v1/tenants/{tenant_id}/suspend": Case(
        tenant(ACME, ("POST", "tenants/acme/suspend", None)),
        Act.TENANT_SUSPENDED, {"status": "active"}, {"status": "suspended"},
    ),
    "POST /v1/tenants/{tenant_id}/resume": Case(
        tenant(ACME, ("POST", "tenants/acme/suspend", None), ("POST", "tenants/acme/resume", None)),
        Act.TENANT_RESUMED, {"status": "suspended"}, {"status": "active"},
    ),
    "POST /v1/conversations/{conversation_id}/erasures": Case(
        erased("conversations/{}/erasures", "conversation"), Act.ERASURE_ASKED, None, None
    ),
    "POST /v1/users/{user_id}/erasures": Case(
        erased("users/ada/erasures", "user"), Act.ERASURE_ASKED, None, None
    ),
    "POST /v1/tenants/{tenant_id}/erasures": Case(
        erased("tenants/acme/erasures", "tenant"), Act.ERASURE_ASKED, None, None
    ),
}  # fmt: skip
BY_OTHER_TESTS = frozenset(
    {
        # Needs a server whose tools changed: `tests/integration/tools/test_pinned_tools.py`.
        "POST /v1/skills/{skill_id}/accept",
        # Need a server to sign in to, and the record comes with its end: `tests/e2e/test_connections.py`.
        "POST /v1/connections/sign-ins", "DELETE /v1/connections/{skill_id}",
    }
)  # fmt: skip
OPERATIONS = tuple(operations(docs.openapi_document("")))
CHANGES = frozenset(each.name for each in OPERATIONS if each.method in CHANGING and not each.is_public)


@pytest.fixture
def acme(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_every_operation_that_changes_something_is_recorded_or_is_its_users_own_work() -> None:
    assert CASES.keys() | BY_OTHER_TESTS | OWN_WORK == CHANGES
    assert not (CASES.keys() | BY_OTHER_TESTS) & OWN_WORK


@pytest.mark.parametrize("operation", CASES)
def test_an_operation_is_recorded_with_its_values_before_and_after(acme: Workspace, operation: str) -> None:
    case = CASES[operation]
    subject = case.do(acme)
    newest = acme.records()[0]
    assert (newest.act, newest.actor, newest.subject) == (case.act, "ada", subject)
    assert (newest.before, newest.after) == (case.before, case.after)


CONNECTED = ("connect https://xero.example.com/mcp as xero", "yes")
TALK: Mapping[ActKind, tuple[tuple[str, ...], Act]] = {
    ActKind.SET_POLICY: (("keep chats for 45 days", "yes"), Act.POLICY_CHANGED),
    ActKind.CONNECT: (CONNECTED, Act.SKILL_REGISTERED),
    ActKind.REMOVE_SKILL: ((*CONNECTED, "disconnect xero", "yes"), Act.SKILL_REMOVED),
    ActKind.ERASE: (("erase everything about me", "yes"), Act.ERASURE_ASKED),
    ActKind.SHARE_AGENT: (("share tickets with my team",), Act.AGENT_SHARED),
    ActKind.UNSHARE_AGENT: (
        ("share tickets with my team", "stop sharing tickets with my team"), Act.AGENT_UNSHARED
    ),
    ActKind.DELETE_AGENT: (("delete tickets", "yes"), Act.AGENT_DELETED),
    ActKind.RESTORE_AGENT: (("delete tickets", "yes", "restore tickets"), Act.AGENT_RESTORED),
    ActKind.UNDO: (("share tickets with my team", "undo"), Act.AGENT_UNSHARED),
}  # fmt: skip
"""What somebody says, and the newest record then."""

K = ActKind
FOLLOWED = frozenset({K.DELETE_CONVERSATION})
"""Done once the turn is stored: `tests/integration/after_turn/test_requested_deletions.py`."""
OWN_ACTS = frozenset(
    {
        K.CREATE_AGENT, K.COPY_AGENT, K.CHANGE_AGENT, K.PAUSE_AGENT, K.RESUME_AGENT, K.RUN_AGENT,
        K.CANCEL_RUN, K.ADD_TASK, K.COMPLETE_TASK, K.REOPEN_TASK, K.CHANGE_TASK, K.DELETE_TASK,
        K.RESTORE_TASK,
    }
)  # fmt: skip
"""Acts on what only its user sees; `OWN_WORK` has their operations."""
SAYING = frozenset(
    {
        K.LIST_AGENTS, K.SHOW_AGENT, K.SHOW_RESULT, K.LIST_TASKS, K.LIST_SKILLS, K.ASK_WORKSPACE, K.ASK_USAGE,
        K.SHOW_POLICY, K.EXPORT, K.RECALL, K.REMEMBER, K.SUM, K.CLOCK, K.ASK_PRODUCT, K.ASK_WORLD,
        K.DO_IN_WORLD, K.SMALL_TALK, K.UNSURE, K.YES, K.NO, K.LATER, K.RESUME_DRAFT, K.PICK, K.ANSWER, K.WHY,
        K.NONE,
    }
)  # fmt: skip
"""Acts that change nothing by themselves."""


def test_every_act_of_a_message_is_recorded_or_its_users_own_or_changes_nothing() -> None:
    kinds = [*TALK, *FOLLOWED, *OWN_ACTS, *SAYING]
    assert sorted(kinds) == sorted(ActKind)


@pytest.mark.parametrize("kind", TALK)
def test_what_is_done_by_talking_is_recorded(kind: ActKind) -> None:
    messages, act = TALK[kind]
    talk = Talk(ADA)
    talk.create("tickets", "overdue tickets")
    for message in messages:
        talk.clock.advance(1)
        talk.classify_and_answer(message)
    records, _ = AuditLog(tables=talk.tables, clock=talk.clock).list(ADA.tenant, limit=1)
    assert [(each.act, each.actor) for each in records] == [(act, "ada")]


def test_a_policy_changed_by_talking_has_its_values_before_and_after() -> None:
    talk = Talk(ADA)
    for message in ("keep chats for 45 days", "yes"):
        talk.classify_and_answer(message)
    (record,), _ = AuditLog(tables=talk.tables, clock=talk.clock).list(ADA.tenant, limit=1)
    assert (record.before, record.after) == ({"retention_days": 30}, {"retention_days": 45})
