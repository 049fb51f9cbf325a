"""What administrators see and do over REST, and that it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from conversation.clock import open_clock
from conversation.identity import ADMIN, OPERATOR, Caller, derived_id
from conversation.messages.items import message_from_item, message_to_item
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Put
from storage.tenant_table import Tables
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment import functions

ACME = TenantId("acme")
MAYA, RAVI = Caller(ACME, "maya"), Caller(ACME, "ravi")
ANA = Caller(ACME, "ana", frozenset({ADMIN}))
OLGA = Caller(TenantId("house"), "olga", frozenset({OPERATOR}))
SECRET = "What was said"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SqliteTable]:
    with closing(SqliteTable(str(tmp_path / "omniforge.db"))) as table:
        yield table


class Service(NamedTuple):
    """The functions that record what admins do, on one table."""

    tenants: ModuleType
    workspace: ModuleType


@pytest.fixture
def service(tmp_path: Path, table: SqliteTable) -> Service:
    settings = functions.settings(tmp_path)
    return Service(functions.load("tenants", settings), functions.load("workspace", settings))


def ask(service: Service, method: str, path: str, caller: Caller, body: object = None) -> Answer:
    roles = " ".join(sorted(caller.roles))
    asked = request(method, path, body=body, tenant=caller.tenant, user=caller.user, roles=roles)
    function = service.workspace if path == "/v1/tenant/policy" else service.tenants
    return functions.invoke(function, asked)


def chat(table: SqliteTable, owner: Caller, name: str = "plans") -> str:
    """A conversation whose answer tells how its request was understood."""
    conversation_id = write_conversation(table, owner, name, begun=datetime.now(UTC))
    item = table.get(keys.message(owner.tenant, conversation_id, 2))
    assert item is not None
    decision = {
        "action_type": "query_info",
        "confidence": 0.9,
        "source": "offline",
        "entities": {"topic": "salary"},
        "reasoning": "They asked about salaries.",
    }
    reply = message_from_item(item).model_copy(update={"metadata": {"decision": decision}})
    table.put(Put(message_to_item(owner.tenant, reply)))
    return conversation_id


def acts(service: Service) -> list[tuple[str, str, str]]:
    """What the audit says, oldest first."""
    items = ask(service, "GET", "/v1/audit", ANA).json["items"]
    return [(each["actor"], each["act"], each["subject"]) for each in reversed(items)]


def test_admins_list_the_conversations_of_all_users_without_their_titles(
    service: Service, table: SqliteTable
) -> None:
    made = {chat(table, owner, name) for owner, name in ((MAYA, "a"), (MAYA, "b"), (RAVI, "c"))}
    found, query = [], "limit=2"
    while query:
        page = ask(service, "GET", f"/v1/tenant/conversations?{query}", ANA).json
        found += page["items"]
        query = f"limit=2&cursor={page['next_cursor']}" if page["next_cursor"] else ""
    assert {each["id"] for each in found} == made
    assert {each["user"] for each in found} == {"maya", "ravi"}
    assert "title" not in found[0]


def test_admins_read_how_requests_were_understood_and_nothing_of_what_was_said(
    service: Service, table: SqliteTable
) -> None:
    conversation = chat(table, MAYA)
    answer = ask(service, "GET", f"/v1/tenant/conversations/{conversation}/messages", ANA)
    request, reply = answer.json["items"]
    assert reply["decision"]["action_type"] == "query_info"
    assert request["content"] is None
    assert SECRET not in answer.body
    assert "salar" not in answer.body
    assert acts(service) == [("ana", "routing_read", conversation)]


def test_admins_read_what_was_said_where_the_policy_allows_it_and_it_is_written_down(
    service: Service, table: SqliteTable
) -> None:
    conversation = chat(table, MAYA)
    tenants = TenantStore(tables=Tables(table), clock=open_clock(None))
    tenants.save(ACME, TenantPolicy(admin_content_access=True))
    answer = ask(service, "GET", f"/v1/tenant/conversations/{conversation}/messages", ANA)
    assert SECRET in answer.json["items"][0]["content"]
    assert acts(service) == [("ana", "content_read", conversation)]


def test_a_conversation_of_another_tenant_is_not_there(service: Service, table: SqliteTable) -> None:
    conversation = chat(table, Caller(TenantId("globex"), "noah"))
    answer = ask(service, "GET", f"/v1/tenant/conversations/{conversation}/messages", ANA)
    assert (answer.status, answer.json["code"]) == (404, "conversation_not_found")
    assert acts(service) == []


def test_what_is_decided_for_a_tenant_is_written_down(service: Service, table: SqliteTable) -> None:
    conversation = chat(table, MAYA)
    ask(service, "PUT", "/v1/tenants/acme", OLGA, body={"name": "Acme"})
    ask(service, "PUT", "/v1/tenant/policy", ANA, body={"retention_days": 60})
    ask(service, "PUT", f"/v1/tenant/holds/{conversation}", ANA)
    ask(service, "DELETE", f"/v1/tenant/holds/{conversation}", ANA)
    ask(service, "POST", "/v1/tenants/acme/suspend", OLGA)
    ask(service, "POST", "/v1/tenants/acme/resume", OLGA)
    ask(service, "POST", f"/v1/conversations/{conversation}/erasures", MAYA)
    assert acts(service) == [
        ("olga", "tenant_registered", ""),
        ("ana", "policy_replaced", ""),
        ("ana", "hold_placed", conversation),
        ("ana", "hold_lifted", conversation),
        ("olga", "tenant_suspended", ""),
        ("olga", "tenant_resumed", ""),
        ("maya", "erasure_asked", f"conversation {conversation}"),
    ]


def test_what_is_refused_leaves_no_record(service: Service) -> None:
    assert ask(service, "POST", "/v1/tenants/acme/suspend", OLGA).status == 404
    assert ask(service, "PUT", "/v1/tenant/policy", ANA, body={"retention_days": 0}).status == 400
    assert ask(service, "PUT", f"/v1/tenant/holds/{derived_id('none')}", ANA).status == 404
    assert acts(service) == []


def test_a_user_may_have_themself_erased_and_an_admin_anybody(service: Service) -> None:
    assert ask(service, "POST", "/v1/users/maya/erasures", MAYA).status == 202
    assert ask(service, "POST", "/v1/users/auth0%7Cravi/erasures", ANA).json["subject"] == "auth0|ravi"
    refused = ask(service, "POST", "/v1/users/ravi/erasures", MAYA)
    assert (refused.status, refused.json["code"]) == (403, "user_mismatch")


def test_an_erasure_tells_where_its_receipt_is(service: Service, table: SqliteTable) -> None:
    asked = ask(service, "POST", f"/v1/conversations/{chat(table, MAYA)}/erasures", MAYA)
    receipt = ask(service, "GET", asked.headers["location"], MAYA).json
    assert receipt["state"] == "running"
    assert receipt["scope"] == "conversation"
    listed = ask(service, "GET", "/v1/tenants/acme/erasures", OLGA).json["items"]
    assert [each["id"] for each in listed] == [receipt["id"]]


def test_a_tenant_is_erased_by_who_runs_the_deployment_only(service: Service) -> None:
    assert ask(service, "POST", "/v1/tenants/acme/erasures", ANA).status == 403
    assert ask(service, "POST", "/v1/tenants/acme/erasures", OLGA).status == 202
    again = ask(service, "POST", "/v1/tenants/acme/erasures", OLGA)
    assert (again.status, again.json["code"]) == (409, "erasure_under_way")
