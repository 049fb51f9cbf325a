"""Secrets at the page: entered, replaced and removed by an administrator, and nowhere else in the browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_looks import require_accessible
from tests.browser.test_panels import fill, made, save
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.mcp_server import McpProcess
from tests.fakes.models.sign_in_server import SignInServer

pytestmark = pytest.mark.e2e

VALUE = "tok-91d5e0a4c7"
KEPT = """JSON.stringify(
    [{...localStorage}, {...sessionStorage}, location.href, document.documentElement.innerHTML]
)"""


@pytest.fixture
def admin(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """An administrator of a workspace of their own."""
    tenant = "s" + str(abs(hash(request.node.name)) % 10**8)
    with Visitor.at(browser, twin, user="ada", tenant=tenant) as admin:
        admin.sign_in(role="admin")
        yield admin


def test_a_servers_key_is_entered_with_it_and_replaced_and_goes_with_it(admin: Visitor) -> None:
    with McpProcess("--token", VALUE) as server:
        admin.page.goto("/?panel=connections&at=new")
        fill(admin, kind="mcp", name="notes", url=server.url, description="Notes")
        admin.by_test_id("skill-key").fill(VALUE)
        assert VALUE not in admin.page.evaluate(KEPT)
        require_accessible(admin)
        save(admin)
        expect(admin.by_test_id("secret-notes-key")).to_contain_text("by ada")
        expect(admin.by_test_id("skill-health")).to_have_text("Works")

        admin.by_test_id("secret-replace").click()
        admin.by_test_id("secret-value").fill("a wrong one")
        admin.by_test_id("secret-save").click()
        expect(admin.by_test_id("skill-health")).to_have_text("Does not work")
        admin.by_test_id("secret-replace").click()
        admin.by_test_id("secret-value").fill(VALUE)
        admin.by_test_id("secret-save").click()
        expect(admin.by_test_id("skill-health")).to_have_text("Works")
    require_accessible(admin)
    assert VALUE not in admin.page.evaluate(KEPT)

    admin.by_test_id("skill-remove").click()
    admin.by_test_id("confirm").get_by_role("button", name="Remove").click()
    admin.page.goto("/?panel=settings&at=secrets")
    expect(admin.page.get_by_text("No secrets are saved here.")).to_be_visible()


def test_a_webhook_is_connected_with_its_key_at_once(admin: Visitor) -> None:
    with Site(fixed_answer(b"ok")) as receiver:
        admin.page.goto("/?panel=connections&at=new")
        fill(admin, kind="webhook", name="crm", url=receiver.url("/hook"))
        admin.by_test_id("skill-key").fill(VALUE)
        save(admin)
        expect(admin.by_test_id("skill-health")).to_have_text("Works")
    assert receiver.requests[-1].is_signed_with(VALUE)


def test_secrets_are_added_and_removed_in_the_settings_and_others_do_not_see_them(
    admin: Visitor, browser: Browser, twin: Twin
) -> None:
    admin.page.goto("/?panel=settings&at=secrets")
    admin.by_test_id("secret-add").click()
    admin.by_test_id("secret-name").fill("results")
    admin.by_test_id("secret-value").fill(VALUE)
    admin.by_test_id("secret-save").click()
    expect(admin.by_test_id("secret-results")).to_contain_text("by ada")
    require_accessible(admin)
    with Visitor.at(browser, twin, user="maya", tenant=admin.tenant) as maya:
        maya.sign_in()
        maya.page.goto("/?panel=settings&at=secrets")
        expect(maya.by_test_id("settings-account")).to_be_visible()
        expect(maya.by_test_id("settings-secrets")).to_have_count(0)

    admin.by_test_id("secret-remove").click()
    admin.by_test_id("confirm").get_by_role("button", name="Remove").click()
    expect(admin.by_test_id("secret-results")).to_have_count(0)


def test_a_service_that_wants_a_client_asks_an_administrator_for_it(admin: Visitor) -> None:
    with SignInServer(registers=False) as server:
        redirect_uri = f"{admin.twin.url}/v1/connections/callback"
        server.clients["by-hand"] = {"redirect_uris": [redirect_uri]}
        made(admin, "/v1/skills", name="notes", url=server.url, sign_in="user", shared=True)
        admin.page.goto("/?panel=connections")
        item = admin.by_test_id("connection-notes")
        item.get_by_role("button", name="Connect").click()
        expect(admin.by_test_id("client-form")).to_contain_text(redirect_uri)
        require_accessible(admin)
        admin.by_test_id("client-id").fill("by-hand")
        admin.by_test_id("client-secret").fill("s3cret")
        admin.by_test_id("client-save").click()
        expect(admin.by_test_id("client-form")).to_have_count(0)
        with admin.page.expect_popup() as opened:
            item.get_by_role("button", name="Connect").click()
        opened.value.get_by_role("link", name="Allow").click()
        expect(item).to_contain_text("Connected")
    token = admin.twin.token(admin.tenant, "ada", roles=["admin"])
    stored = eventually(lambda: admin.twin.get("/v1/tenant/secrets", token=token)["items"])
    assert [each["name"] for each in stored] == ["notes-client"]
