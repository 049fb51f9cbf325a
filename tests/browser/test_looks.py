"""The page on a phone, in the dark, by keyboard and for screen readers."""

from __future__ import annotations

import json
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin

SERIOUS = {"serious", "critical"}


def require_accessible(visitor: Visitor) -> None:
    """No finding of axe that keeps somebody from using the page."""
    found = Axe().run(visitor.page).response["violations"]
    serious = [
        (each["id"], [node["html"] for node in each["nodes"]]) for each in found if each["impact"] in SERIOUS
    ]
    assert not serious, json.dumps(serious, indent=1)


def test_everybody_can_use_it(browser: Browser, twin: Twin, screenshots: Path) -> None:
    with Visitor.at(browser, twin, user="everybody") as visitor:
        visitor.page.goto("/")
        expect(visitor.by_test_id("sign-in")).to_be_visible()
        require_accessible(visitor)
        visitor.sign_in()
        expect(visitor.by_test_id("starter")).to_have_count(3)
        for look in visitor.looks():
            require_accessible(visitor)
            visitor.page.screenshot(path=screenshots / f"empty-{look}.png")
        visitor.say("Our team wastes hours every Monday compiling project updates from Notion")
        visitor.say("List my agents " + "x" * 400 + " | a | b |\n|---|---|\n| " + "y" * 200 + " | 1 |")
        for look in visitor.looks():
            require_accessible(visitor)
            assert visitor.sideways() <= 0
            visitor.page.screenshot(path=screenshots / f"chat-{look}.png")
        visitor.by_test_id("decision-badge").last.click()
        expect(visitor.by_test_id("decision-details")).to_be_visible()
        require_accessible(visitor)
        assert visitor.complaints == []


def test_a_chat_needs_no_mouse_and_what_happens_is_announced(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="keys") as visitor:
        visitor.sign_in()
        expect(visitor.by_test_id("composer")).to_be_focused()
        visitor.page.keyboard.type("List my agents")
        visitor.page.keyboard.press("Shift+Enter")
        visitor.page.keyboard.type("please")
        visitor.page.keyboard.press("Enter")
        visitor.until_answered()
        expect(visitor.by_test_id("message-user")).to_contain_text("please")
        expect(visitor.by_test_id("composer")).to_be_focused()
        expect(visitor.by_test_id("announcer")).to_contain_text("agents")
