"""The page on a phone, in the dark, by keyboard and for screen readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ViewportSize, expect

from tests.fakes.deployment.browser_pages import DESKTOP, PHONE, Scheme, Visitor
from tests.fakes.deployment.twin import Twin

SERIOUS = {"serious", "critical"}


def require_accessible(visitor: Visitor) -> None:
    """No finding of axe that keeps somebody from using the page."""
    found = Axe().run(visitor.page).response["violations"]
    serious = [
        (each["id"], [node["html"] for node in each["nodes"]]) for each in found if each["impact"] in SERIOUS
    ]
    assert not serious, json.dumps(serious, indent=1)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(
    browser: Browser, twin: Twin, size: ViewportSize, scheme: Scheme, screenshots: Path
) -> None:
    user = f"{scheme}{size['width']}"
    name = f"{scheme}-{size['width']}"
    with Visitor.at(browser, twin, user=user, size=size, scheme=scheme) as visitor:
        visitor.page.goto("/")
        expect(visitor.by_test_id("sign-in")).to_be_visible()
        require_accessible(visitor)
        visitor.sign_in()
        require_accessible(visitor)
        visitor.page.screenshot(path=screenshots / f"empty-{name}.png")
        visitor.say("Our team wastes hours every Monday compiling project updates from Notion")
        require_accessible(visitor)
        visitor.page.screenshot(path=screenshots / f"chat-{name}.png")
        visitor.by_test_id("decision-badge").click()
        expect(visitor.by_test_id("decision-details")).to_be_visible()
        require_accessible(visitor)
        visitor.page.screenshot(path=screenshots / f"decision-{name}.png")
        visitor.page.keyboard.press("Escape")
        for panel in ("agents", "tasks"):
            visitor.page.goto(f"/?panel={panel}")
            expect(visitor.by_test_id(f"panel-{panel}")).to_be_visible()
            require_accessible(visitor)
            visitor.page.screenshot(path=screenshots / f"{panel}-{name}.png")
        assert visitor.complaints == []


def test_nothing_runs_off_the_side_of_a_phone(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="narrow", size=PHONE) as visitor:
        visitor.sign_in()
        visitor.say(
            "List my agents " + "x" * 400 + " | a | b | c |\n|---|---|---|\n| " + "y" * 200 + " | 1 | 2 |"
        )
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visitor.page.evaluate(wide) <= 0


def test_a_chat_needs_no_mouse(browser: Browser, twin: Twin) -> None:
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


def test_what_happens_is_announced(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="listener") as visitor:
        visitor.sign_in()
        visitor.say("List my agents")
        live = visitor.page.locator("[aria-live=polite], [role=status]")
        assert live.count() > 0
        expect(visitor.by_test_id("announcer")).to_contain_text("agents")
