"""The chat in another site's page: where the deployment names the site, and where it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.fakes.deployment.browser_pages import DESKTOP, PATIENCE_MS, PHONE
from tests.fakes.deployment.twin import Twin
from tests.fakes.http.servers import Site, free_port

INTRANET = """<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><title>Intranet</title>
<h1>Our intranet</h1><p>The canteen is closed on Friday.</p>
<script src="{chat}/embed.js" data-omniforge-floating data-omniforge-token="chatToken"></script></html>"""


@dataclass(frozen=True)
class Sites:
    """Two sites that build in the same chat, which names one of them."""

    twin: Twin
    named: Site
    stranger: Site


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    port = free_port()

    def intranet(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.end_headers()
        handler.wfile.write(INTRANET.format(chat=f"http://127.0.0.1:{port}").encode())

    with Site(intranet) as named, Site(intranet) as stranger:
        environ = {"OMNIFORGE_EMBED_ORIGINS": named.url("")}
        with Twin(tmp_path_factory.mktemp("embedding"), port=port, environ=environ) as twin:
            yield Sites(twin, named, stranger)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A browser nobody else uses."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def opened(page: Page, site: Site, chat_token: str) -> FrameLocator:
    """The frame of the chat, opened; ``chat_token`` is what the site answers when it is asked for one."""
    page.add_init_script(f"window.chatToken ??= {chat_token}")
    page.goto(site.url())
    page.get_by_role("button", name="Open Chat").click()
    return page.frame_locator("iframe")


def gives(token: str) -> str:
    return f"() => {json.dumps(token)}"


def say(chat: FrameLocator, message: str) -> None:
    """Send a message and wait for its answer."""
    chat.get_by_test_id("composer").fill(message)
    chat.get_by_test_id("composer").press("Enter")
    expect(chat.get_by_test_id("message-user").last).to_contain_text(message)
    expect(chat.get_by_test_id("message-assistant").last).to_have_attribute("data-status", "done")


def test_users_of_a_site_that_is_named_chat_in_its_page(page: Page, sites: Sites, screenshots: Path) -> None:
    token = sites.twin.token(user="robin")
    chat = opened(page, sites.named, gives(token))
    say(chat, "Add a task to call the canteen")
    page.screenshot(path=screenshots / "embedded.png")
    page.set_viewport_size(PHONE)
    page.screenshot(path=screenshots / "embedded-phone.png")
    assert [task["title"] for task in sites.twin.get("/v1/tasks", token=token)["items"]] == [
        "call the canteen"
    ]
    page.set_viewport_size(DESKTOP)
    chat.get_by_test_id("composer").press("Escape")
    expect(page.get_by_role("button", name="Open Chat")).to_be_focused()


def test_the_frame_is_made_larger_smaller_and_closed_and_leads_to_the_page(page: Page, sites: Sites) -> None:
    chat = opened(page, sites.named, gives(sites.twin.token(user="pat")))
    say(chat, "List my agents")
    frame = page.locator("iframe")
    widths = [frame.evaluate("it => it.offsetWidth * it.offsetHeight")]
    for _ in range(2):
        chat.get_by_test_id("embed-resize").click()
        before = widths[-1]
        page.wait_for_function(
            "before => [...document.querySelectorAll('*')].flatMap(it => "
            "[...(it.shadowRoot ?? it).querySelectorAll('iframe')])"
            ".some(it => it.offsetWidth * it.offsetHeight !== before)",
            arg=before,
        )
        widths.append(frame.evaluate("it => it.offsetWidth * it.offsetHeight"))
    assert widths[0] < widths[1]
    assert widths[2] == widths[0]
    chat.get_by_test_id("new-chat").click()
    expect(chat.get_by_test_id("message-user")).to_have_count(0)
    expect(chat.get_by_role("link", name="new tab")).to_have_attribute("href", "/new")
    chat.get_by_test_id("embed-close").click()
    expect(frame).not_to_be_visible()


def test_a_conversation_goes_on_when_the_site_loads_its_next_page(page: Page, sites: Sites) -> None:
    say(opened(page, sites.named, gives(sites.twin.token(user="sam"))), "List my agents")
    page.reload()
    page.get_by_role("button", name="Open Chat").click()
    shown = page.frame_locator("iframe").get_by_test_id("message-user")
    expect(shown).to_contain_text("List my agents")
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_a_site_that_is_not_named_shows_no_chat_and_is_never_asked_for_a_token(
    page: Page, sites: Sites, screenshots: Path
) -> None:
    asked: list[str] = []
    page.expose_function("told", lambda: asked.append("token"))
    opened(page, sites.stranger, "() => { told(); return 'a token' }")
    expect(page.get_by_text("The chat can't be shown here")).to_be_visible()
    page.screenshot(path=screenshots / "embedding-refused.png")
    assert asked == []
    assert all("/v1/" not in frame.url for frame in page.frames)


def test_who_is_not_signed_in_at_the_site_is_told_where_to(
    page: Page, sites: Sites, screenshots: Path
) -> None:
    chat = opened(page, sites.named, "() => null")
    expect(chat.get_by_test_id("embed-signed-out")).to_contain_text(sites.named.url("").partition("//")[2])
    page.screenshot(path=screenshots / "embedded-signed-out.png")
    page.evaluate(f"window.chatToken = {gives(sites.twin.token(user='kim'))}")
    chat.get_by_role("button", name="Try again").click()
    say(chat, "List my agents")


def test_a_token_that_is_taken_no_longer_is_renewed_and_no_message_lost(page: Page, sites: Sites) -> None:
    fresh = sites.twin.token(user="lee")
    stale = fresh[:-8] + "AAAAAAAA"
    tokens = json.dumps([stale, fresh])
    chat = opened(page, sites.named, f"({{ renew }}) => {tokens}[renew ? 1 : 0]")
    say(chat, "List my agents")
    assert len(sites.twin.get("/v1/conversations", token=fresh)["items"]) == 1
