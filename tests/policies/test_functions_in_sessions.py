"""What the functions ask DynamoDB for, with sessions of tenants: IAM would allow each request, as whom it is
signed, and would refuse it to the session of any other tenant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import boto3
import pytest

from agent.runs.run_queue import ReminderRequest, RunRequest
from agent.turns.degraded import detached_lease
from conversation.identity import Caller, TurnId
from conversation.messages.models import Note
from conversation.turns.admission import IncomingMessage, admit
from conversation.turns.deferred_turn import DeferredTurn
from conversation.turns.lease import Reply
from edge.adapters.queues import QueuedTurn
from local.template.sam_translation import read_template
from storage import keys
from storage.dynamodb import table as dynamodb_table
from storage.dynamodb import tenant_sessions
from storage.dynamodb.table import DynamoTable, create_table
from storage.dynamodb.tenant_sessions import session_policy
from storage.keys import TenantId
from storage.table import Put
from storage.tenant_table import Tables
from tests.built.deployed_stack import Deployment, deployed
from tests.built.iam_enforcement import TRANSACTION
from tests.fakes.aws.dynamodb import REGION, dynamo_client, ministack
from tests.fakes.aws.proxy_events import Context, request
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment import functions
from tests.policies.policy_simulator import ACCOUNT, ROOT, TABLE, Asked, Policy, Rights, allowed

ROLE_ARN = f"arn:aws:iam::{ACCOUNT}:role/omniforge-TenantRole"
TENANTS = tuple(map(TenantId, ("acme", "acme-eu")))
PARAMETERS = {"Issuers": "https://id.example", "Audience": "chat", "TenantCredentials": "on"}
OWN_KEY = "function"
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
ACCEPTED = {"Accept": "application/json, text/event-stream"}
_SIGNED = re.compile(r"Credential=([^/]+)/")


class Sent(NamedTuple):
    """A request a function sent, and the access key it was signed with."""

    function: str
    key: str
    asked: Asked


class Recorder:
    """Sees every request on its way, and whose each session is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[Sent] = []
        self.tenants: dict[str, TenantId] = {}
        self.function = ""
        make_own, make_acting, assume = (
            dynamodb_table.make_client,
            tenant_sessions.make_session_client,
            tenant_sessions.assume_tenant_role,
        )
        monkeypatch.setattr(dynamodb_table, "make_client", lambda *given: self._watched(make_own(*given)))
        monkeypatch.setattr(
            tenant_sessions, "make_session_client", lambda *given: self._watched(make_acting(*given))
        )
        monkeypatch.setattr(
            tenant_sessions, "assume_tenant_role", lambda *given: self._noted(given[-1], assume(*given))
        )

    def _watched(self, client: Any) -> Any:
        client.meta.events.register_first("before-send.dynamodb.*", self._on_send)
        return client

    def _noted(
        self, tenant: TenantId, session: tenant_sessions.TenantSession
    ) -> tenant_sessions.TenantSession:
        self.tenants[str(session.credentials.access_key)] = tenant
        return session

    def _on_send(self, request: Any, **_: Any) -> None:
        headers = {name: _text(value) for name, value in request.headers.items()}
        [key] = _SIGNED.findall(headers["Authorization"])
        operation = headers["X-Amz-Target"].partition(".")[2]
        self.sent += [
            Sent(self.function, key, asked) for asked in asked_by(operation, json.loads(_text(request.body)))
        ]


def asked_by(operation: str, body: Any) -> Iterator[Asked]:
    """What IAM is asked: of a transaction each action, for its own item and for all items together."""
    if operation == "TransactWriteItems":
        actions = [
            (TRANSACTION[kind], action) for each in body["TransactItems"] for kind, action in each.items()
        ]
        together = tuple(_partition(action) for _, action in actions)
        for action, content in actions:
            yield Asked(f"dynamodb:{action}", TABLE, (_partition(content),))
            yield Asked(f"dynamodb:{action}", TABLE, together)
    elif operation == "BatchWriteItem":
        [requests] = body["RequestItems"].values()
        yield Asked(
            "dynamodb:BatchWriteItem", TABLE, tuple(_partition(each["DeleteRequest"]) for each in requests)
        )
    elif operation == "Query":
        index = f"/index/{body['IndexName']}" if "IndexName" in body else ""
        alias = body["KeyConditionExpression"].split(" ")[2]
        yield Asked("dynamodb:Query", TABLE + index, (body["ExpressionAttributeValues"][alias]["S"],))
    else:
        yield Asked(f"dynamodb:{operation}", TABLE, (_partition(body),))


def _partition(action: Any) -> str:
    return str((action.get("Key") or action["Item"])["pk"]["S"])


def _text(sent: object) -> str:
    return sent.decode() if isinstance(sent, bytes) else str(sent)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack("dynamodb,sts") as endpoint:
        create_table(dynamo_client(endpoint), "omniforge")
        yield endpoint


@pytest.fixture
def recorder(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    # What an earlier test of this process signed with must not be found again.
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", OWN_KEY)
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    return Recorder(monkeypatch)


def use_everything(recorder: Recorder, folder: Path, endpoint: str) -> None:
    """Each function does its work for both tenants, one after the other in one process."""
    settings = {
        **functions.settings(folder),
        **functions.LONG_STORAGE_DEADLINE,
        "OMNIFORGE_TABLE": "omniforge",
        "OMNIFORGE_TENANT_ROLE_ARN": ROLE_ARN,
        "OMNIFORGE_RUN_QUEUE": f"sqlite:///{folder}/runs.db",
        "OMNIFORGE_RETENTION_QUEUE": f"sqlite:///{folder}/retention.db",
        "OMNIFORGE_SCHEDULES": f"sqlite:///{folder}/schedules.db",
        "OMNIFORGE_TITLES": "rule",
        "OMNIFORGE_SUMMARIES": "rule",
    }
    names = (
        *("chat", "conversations", "workspace", "tenants", "mcp"),
        *("consequences", "enrichment", "finish", "agent_runs", "retention"),
    )
    loaded = {name: functions.load(name, settings) for name in names}

    def ask(name: str, tenant: str, method: str, path: str, body: object = None, roles: str = "") -> Any:
        recorder.function = name.title().replace("_", "")
        event = request(method, path, body=body, tenant=tenant, roles=roles, headers=ACCEPTED)
        answer = functions.invoke(loaded[name], event)
        assert answer.status < 300, answer.body
        return answer.json if answer.body else None

    for tenant in TENANTS:
        said = ask("chat", tenant, "POST", "/v1/chat", {"message": "Add a task to buy groceries"})
        conversation = f"/v1/conversations/{said['conversation_id']}"
        more = {"message": "List my tasks", "conversation_id": said["conversation_id"]}
        ask("chat", tenant, "POST", "/v1/chat", more)
        for path in ("/v1/conversations", conversation, f"{conversation}/messages", "/v1/search?q=groceries"):
            ask("conversations", tenant, "GET", path)
        ask("conversations", tenant, "PATCH", conversation, {"title": "Groceries"})
        ask("conversations", tenant, "POST", f"{conversation}/fork", {})
        agent = ask("workspace", tenant, "POST", "/v1/agents", {"what": "overdue tickets"})["id"]
        run = ask("workspace", tenant, "POST", f"/v1/agents/{agent}/runs", {})["id"]
        execute(recorder, loaded["agent_runs"], RunRequest(tenant, "maya", agent, run))
        due = {"title": "call the bank", "due_at": "2099-03-06T15:00", "time_zone": "UTC"}
        task = ask("workspace", tenant, "POST", "/v1/tasks", due)["id"]
        at = datetime(2099, 3, 6, 15, 0, tzinfo=UTC)
        execute(recorder, loaded["agent_runs"], ReminderRequest(tenant, "maya", task, at))
        ask("workspace", tenant, "PUT", "/v1/tenant/policy?confirm=true", {"retention_days": 20}, "admin")
        for path in ("/v1/agents", "/v1/tasks", "/v1/runs", "/v1/usage"):
            ask("workspace", tenant, "GET", path)
        call = {"name": "create_task", "arguments": {"title": "water the plants"}}
        assert not ask("mcp", tenant, "POST", "/mcp", {**CALL, "params": call})["result"]["isError"]
        ask("tenants", tenant, "GET", "/v1/tenant/conversations", roles="admin")
        ask("tenants", tenant, "PUT", f"/v1/tenants/{tenant}", {"name": "A tenant"}, "operator")
        finish(recorder, loaded["finish"], tenant, said["conversation_id"], endpoint)
        erasure = ask("tenants", tenant, "POST", f"{conversation}/erasures")["id"]
        for name in ("consequences", "enrichment"):
            follow(recorder, name, loaded[name], tenant, said["conversation_id"])
        sweep(recorder, loaded["retention"], {"tenant": tenant, "erasure": erasure})
    let_expire(endpoint)
    recorder.function = "Retention"
    swept = loaded["retention"].handler(
        json.loads((ROOT / "events" / "retention" / "schedule.json").read_text()), Context()
    )
    assert swept["removed"] == len(TENANTS)


def execute(recorder: Recorder, app: ModuleType, asked: RunRequest | ReminderRequest) -> None:
    """A run that somebody asked for, or a reminder that is due."""
    recorder.function = "AgentRuns"
    record = {"messageId": "1", "body": asked.to_body(), "attributes": {}, "eventSource": "aws:sqs"}
    assert app.handler({"Records": [record]}, Context()) == {"batchItemFailures": []}


def finish(
    recorder: Recorder, app: ModuleType, tenant: TenantId, conversation_id: str, endpoint: str
) -> None:
    """A message whose process died, and a turn that storage did not take."""
    now, tables = datetime.now(UTC), Tables(DynamoTable(dynamo_client(endpoint), "omniforge"))
    incoming = IncomingMessage(Caller(tenant, "maya"), "left alone", conversation_id)
    long_ago = now - timedelta(minutes=5)
    admit(
        tables.for_tenant(tenant),
        incoming,
        owner="dead",
        now=long_ago,
        caller_until=long_ago,
        retention_days=30,
    )
    led = detached_lease(incoming, TurnId.make(conversation_id, now), now)
    kept = DeferredTurn.of(led, Reply("an answer", {}, Note()), now)
    recorder.function = "Finish"
    for body in (QueuedTurn(tenant, conversation_id), QueuedTurn(tenant, conversation_id, kept)):
        record = {
            "messageId": "1",
            "body": body.to_body(),
            "attributes": {"MessageGroupId": conversation_id},
            "eventSource": "aws:sqs",
        }
        assert app.handler({"Records": [record]}, Context()) == {"batchItemFailures": []}


def follow(recorder: Recorder, name: str, app: ModuleType, tenant: TenantId, conversation_id: str) -> None:
    """What follows from a message."""
    recorder.function = name.title()
    event = (ROOT / "events" / name / "first_message.json").read_text()
    event = event.replace("T#acme#", keys.tenant_prefix(tenant))
    app.handler(json.loads(event.replace("0123456789abcdef" * 2, conversation_id)), Context())


def sweep(recorder: Recorder, app: ModuleType, asked: dict[str, str]) -> None:
    """One thing the retention function is asked to do by its queue."""
    recorder.function = "Retention"
    event = json.loads((ROOT / "events" / "retention" / "erase.json").read_text())
    body = json.loads(event["Records"][0]["body"])
    event["Records"][0]["body"] = json.dumps({**body, **asked})
    assert app.handler(event, Context()) == {"batchItemFailures": []}


def let_expire(endpoint: str) -> None:
    """One conversation of each tenant is past its time."""
    table, now = DynamoTable(dynamo_client(endpoint), "omniforge"), datetime.now(UTC)
    table.put(
        Put(
            {"pk": keys.SWEEP.partition, "sk": keys.SWEEP.sort, "day": str((now - timedelta(days=40)).date())}
        )
    )
    for tenant in TENANTS:
        write_conversation(table, Caller(tenant, "erin"), "old", begun=now - timedelta(days=31), exchanges=3)


def role_of(stack: Deployment, name: str) -> list[Policy]:
    role = stack.resources[name]["Properties"]
    documents = json.dumps([policy["PolicyDocument"] for policy in role["Policies"]])
    policies: list[Policy] = json.loads(documents.replace("Table.Arn", TABLE))
    return policies


def test_every_request_is_allowed_as_whom_it_is_signed_and_to_no_other_tenant(
    recorder: Recorder, tmp_path: Path, endpoint: str
) -> None:
    use_everything(recorder, tmp_path, endpoint)
    stack = deployed(read_template(ROOT / "template.yaml"), PARAMETERS)
    tenants_role = role_of(stack, "TenantRole")
    questions: dict[tuple[str, str, Asked], tuple[Rights, bool]] = {}
    for function, key, asked in recorder.sent:
        if key == OWN_KEY:
            rights = Rights(role_of(stack, f"{function}FunctionRole"))
            questions[function, "its own role", asked] = rights, True
            continue
        for tenant in TENANTS:
            policy = json.loads(session_policy(tenant, table_arn=TABLE))
            questions["", tenant, asked] = Rights(tenants_role, policy), tenant == recorder.tenants[key]
    decided = allowed([(asked, rights) for (_, _, asked), (rights, _) in questions.items()])
    wrong = [
        (question, is_allowed)
        for (question, (_, should_be)), is_allowed in zip(questions.items(), decided, strict=True)
        if is_allowed is not should_be
    ]
    assert wrong == []
    assert {function for function, key, _ in recorder.sent if key == OWN_KEY} == {"Retention"}
    assert {sent.function for sent in recorder.sent} == {
        *("Chat", "Conversations", "Workspace", "Tenants", "Mcp"),
        *("Consequences", "Enrichment", "Finish", "AgentRuns", "Retention"),
    }
    assert set(recorder.tenants.values()) == set(TENANTS)
    assert len(questions) > 100
