"""Forms: every field reaches the service, and Cancel changes nothing and forgets what was entered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.test_panels import made
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually, is_idle
from tests.fakes.http.servers import Site, fixed_answer

Value: TypeAlias = str | float | bool | list[str]
LIMITS = re.compile(r"^field-limits\.(?!usd)")
WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}
CHANNELS = ("conversation", "email", "slack", "teams", "webhook", "sms")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """What connections are made to."""
    with Site(fixed_answer(b"{}")) as running:
        yield running


@pytest.fixture
def admin(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """An administrator, alone in a workspace."""
    tenant = "f" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="ada", tenant=tenant) as admin:
        admin.sign_in(role="admin")
        yield admin


def unfold(visitor: Visitor) -> None:
    """Open what is folded in a form."""
    visitor.page.locator("form details").evaluate_all("them => them.forEach((it) => { it.open = true; })")


def enter(visitor: Visitor, fields: Mapping[str, Value]) -> None:
    unfold(visitor)
    for name, value in fields.items():
        field = visitor.by_test_id(f"field-{name}")
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("it => it.tagName") == "SELECT":
            field.select_option(str(value))
        else:
            field.fill("\n".join(value) if isinstance(value, list) else str(value))


def at(body: Any, path: str) -> Any:
    for name in path.split("."):
        body = None if body is None else body[name]
    return body


def save_and_compare(visitor: Visitor, fields: Mapping[str, Value], path: str) -> dict[str, Any]:
    """Save the form and wait until the service has all of its values."""
    visitor.by_test_id("form-save").click()
    token = visitor.twin.token(visitor.tenant, visitor.user, roles=["admin", "operator"])

    stored: dict[str, Any] = {}

    def differing() -> list[str]:
        response = visitor.twin.request("GET", path, token=token)
        if response.status_code == HTTPStatus.NOT_FOUND:  # not yet saved for the first time
            return list(fields)
        assert response.is_success, response.text
        stored.update(response.json())
        return [name for name, value in fields.items() if at(stored, name) != value]

    eventually(lambda: not differing(), within_s=30)
    return stored


def test_every_field_of_an_agent_is_saved(admin: Visitor, site: Site) -> None:
    agent = made(admin, "/v1/agents", **WATCH)
    made(admin, "/v1/skills", kind="mcp", name="crm", url=site.url("/mcp"))
    fields: dict[str, Value] = {
        "what": "overdue tickets",
        "brief": "Tell me what is late.",
        "kind": "monitor",
        "name": "ticket-watch",
        "summary": "Late tickets",
        "sources": ["jira", "google sheets"],
        "scope": "the project PLATFORM",
        "condition": "past the due date",
        "skills": ["crm"],
        "combines_skills": True,
        "delivery.recipients": ["#ops"],
        "format": "a table",
        "instructions": "Be short.",
        "shared": True,
    }
    admin.page.goto(f"/?panel=agents&at={agent['id']}/edit")
    channels = {channel: channel != "conversation" for channel in CHANNELS}
    for channel, is_chosen in channels.items():
        admin.by_test_id(f"field-delivery.channels-{channel}").set_checked(is_chosen)
    enter(admin, fields)
    saved = save_and_compare(admin, fields, f"/v1/agents/{agent['id']}")
    assert set(saved["delivery"]["channels"]) == {channel for channel in CHANNELS if channels[channel]}


def test_every_field_of_a_check_is_saved(admin: Visitor, site: Site) -> None:
    agent = made(admin, "/v1/agents", **WATCH)
    page = admin.page
    page.goto(f"/?panel=agents&at={agent['id']}")
    checks: tuple[tuple[str, dict[str, Value]], ...] = (
        ("contains", {"check.text": "all is well"}),
        ("status", {"check.status": 204}),
        ("certificate", {"check.days": 14, "check.url": site.url("/").replace("http:", "https:")}),
        ("reachable", {}),
    )
    former = {"check.url": site.url("/status")}
    for expected, terms in checks:
        admin.by_test_id("agent-edit").click()
        fields: dict[str, Value] = {"check.expect": expected, **terms}
        enter(admin, {**former, **fields})
        save_and_compare(admin, fields, f"/v1/agents/{agent['id']}")
        former = dict.fromkeys(terms.keys() - {"check.url"}, "")
        expect(admin.by_test_id("agent-check")).to_contain_text("Tells: ")


def test_every_field_of_a_connection_is_saved(admin: Visitor, site: Site) -> None:
    skill = made(admin, "/v1/skills", kind="mcp", name="crm", url=site.url("/mcp"))
    fields: dict[str, Value] = {
        "url": site.url("/desk"),
        "description": "Tickets of customers",
        "serves": ["zendesk", "jira"],
        "allowed_tools": ["list_tickets"],
        "secret": "desk-key",
        "shared": True,
        "status": "disabled",
    }
    admin.page.goto(f"/?panel=connections&at={skill['id']}/edit")
    enter(admin, fields)
    save_and_compare(admin, fields, f"/v1/skills/{skill['id']}")
    admin.by_test_id("skill-edit").click()
    enter(admin, {"secret": "", "sign_in": "user"})
    save_and_compare(admin, {"sign_in": "user"}, f"/v1/skills/{skill['id']}")


def test_every_field_of_the_workspaces_policy_is_saved(admin: Visitor) -> None:
    fields: dict[str, Value] = {
        "assistant_name": "Robin",
        "tone": "formal",
        "instructions": "Say you.",
        "language": "de-CH",
        "time_zone": "Asia/Tokyo",
        "brand.color": "#0f766e",
        "brand.greeting": "What is it today?",
        "history": "on",
        "retention_days": 3600,
        "archived_retention_days": 3500,
        "deleted_grace_days": 40,
        "legal_hold": True,
        "admin_content_access": True,
        "redaction": "store",
        "budget.usd_per_day": 1.5,
        "budget.usd_per_month": 20,
        "budget.usd_per_user_per_day": 0.5,
        "budget.usd_per_user_per_month": 5,
        "allowed_mail_domains": ["acme.example"],
        "other_mail_recipients": "refused",
        "allowed_hook_hosts": ["hooks.acme.example"],
        "attachment_types": ["image/png", "text/plain"],
        "attachment_bytes": 200_000,
    }
    admin.page.goto("/?panel=settings&at=policy")
    expect(admin.by_test_id("form-policy")).to_be_visible()
    unfold(admin)
    limits = [
        str(each.get_attribute("data-testid")).removeprefix("field-")
        for each in admin.page.get_by_test_id(LIMITS).all()
    ]
    assert len(limits) > 30
    fields |= dict.fromkeys(limits, 7)
    enter(admin, fields)
    save_and_compare(admin, fields, "/v1/tenant/policy")


def test_models_are_allowed_by_name(browser: Browser, modelled: Twin) -> None:
    with Visitor.at(browser, modelled, user="ada", tenant="allowing") as admin:
        admin.sign_in(role="admin")
        admin.page.goto("/?panel=settings&at=policy")
        enter(admin, {"allowed_models": ["gpt-4o"]})
        save_and_compare(admin, {"allowed_models": ["gpt-4o"]}, "/v1/tenant/policy")


def test_every_limit_of_a_tenant_is_saved(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="olga", tenant="ops") as olga:
        olga.sign_in(role="operator")
        olga.page.goto("/?panel=settings&at=tenants/initrode")
        enter(olga, {"name": "Initrode"})
        save_and_compare(olga, {"name": "Initrode"}, "/v1/tenants/initrode")
        expect(olga.by_test_id("tenant-status")).to_be_visible()
        unfold(olga)
        limits = [
            str(each.get_attribute("data-testid")).removeprefix("field-")
            for each in olga.page.get_by_test_id(re.compile(r"^field-limits\.")).all()
        ]
        fields: dict[str, Value] = dict.fromkeys(limits, 9)
        enter(olga, fields)
        save_and_compare(olga, fields, "/v1/tenants/initrode")


def cancels(visitor: Visitor, opener: Locator, entered: Mapping[str, str]) -> None:
    """What is entered into a form and cancelled is neither stored nor there when the form opens again."""
    for _ in range(2):
        opener.click()
        form = visitor.page.locator("form, [role=dialog], dialog[open]").filter(
            has=visitor.page.get_by_role("button", name="Cancel", exact=True)
        )
        for name, text in entered.items():
            field = visitor.by_test_id(name)
            expect(field).not_to_have_value(text)
            field.fill(text)
        form.last.get_by_role("button", name="Cancel", exact=True).click()
        expect(visitor.page.get_by_role("button", name="Cancel", exact=True)).to_have_count(0)
        leaves_the_dialogs_entry(visitor)


def leaves_the_dialogs_entry(visitor: Visitor) -> None:
    """Waits for the step back that a closed dialog makes a moment later: it would end a visit elsewhere."""
    visitor.page.wait_for_function("() => history.state?.mark !== 'omniforge-dialog'")


def test_cancel_leaves_everything_as_it_was(admin: Visitor, site: Site) -> None:
    agent = made(admin, "/v1/agents", **WATCH)
    made(admin, "/v1/tasks", title="Call the bank")
    skill = made(admin, "/v1/skills", kind="mcp", name="ticket-hook", url=site.url("/mcp"))
    token = admin.twin.token(admin.tenant, admin.user, roles=["admin"])
    for path, body in (
        ("answers/hours", {"title": "Hours", "questions": ["When are you there?"], "text": "From 9."}),
        ("secrets/results", {"value": "tok-91d5e0a4c7"}),
    ):
        assert admin.twin.request("PUT", f"/v1/tenant/{path}", token=token, json=body).status_code < 300
    admin.say("List my agents")

    def everything() -> list[Any]:
        paths = ("agents", "tasks", "skills", "tenant/answers", "tenant/secrets", "conversations")
        messages = f"conversations/{admin.items('/v1/conversations')[0]['id']}/messages"
        return [admin.twin.get(f"/v1/{path}", token=token)["items"] for path in (*paths, messages)]

    eventually(lambda: is_idle(admin.twin.data))  # what follows a turn has followed
    before = everything()
    cancels(admin, admin.by_test_id("thumb-down"), {})
    cancels(admin, admin.by_test_id("take-back"), {})
    cancels(admin, admin.by_test_id("edit"), {})
    by_place: dict[str, list[tuple[str, dict[str, str]]]] = {
        "agents": [
            ("agent-new", {"field-what": "cancelled"}),
            ("agent-brief-edit", {"brief-text": "cancelled"}),
            ("agent-schedule", {}),
        ],
        f"agents&at={agent['id']}": [("agent-edit", {"field-what": "cancelled"})],
        "tasks": [
            ("task-add", {"task-title": "cancelled"}),
            ("task-edit", {"task-title": "cancelled"}),
        ],
        "connections": [("skill-new", {"field-name": "cancelled"})],
        f"connections&at={skill['id']}": [
            ("skill-edit", {"field-description": "cancelled"}),
            ("secret-enter", {"secret-value": "cancelled"}),
            ("skill-remove", {}),
        ],
        "settings&at=answers": [
            ("answer-add", {"field-title": "cancelled", "answer-id": "cancelled"}),
            ("answer-edit", {"field-title": "cancelled"}),
            ("answer-remove", {}),
        ],
        "settings&at=secrets": [
            ("secret-add", {"secret-name": "cancelled", "secret-value": "cancelled"}),
            ("secret-replace", {"secret-value": "cancelled"}),
            ("secret-remove", {}),
        ],
        "settings&at=data": [("delete-my-data", {"erase-name": "ada"})],
        "settings&at=conversations": [("oversee-erase", {"erase-name": "ada"})],
    }
    for place, openers in by_place.items():
        admin.page.goto(f"/?panel={place}")
        for opener, entered in openers:
            cancels(admin, admin.by_test_id(opener).first, entered)
    admin.page.goto("/?panel=agents")
    admin.by_test_id("agent-menu").click()
    cancels_menu(admin, "agent-delete")
    assert everything() == before


def cancels_menu(visitor: Visitor, item: str) -> None:
    visitor.by_test_id(item).click()
    visitor.by_test_id("confirm").get_by_role("button", name="Cancel").click()
    expect(visitor.by_test_id("confirm")).to_have_count(0)
