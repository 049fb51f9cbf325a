"""The operator's page of the twin, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin


def sign_in(page: Page, role: str) -> None:
    page.goto("/operator")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Role").select_option(role)
    page.get_by_role("button", name="Sign in").click()


def test_an_operator_watches_the_turns_of_the_twin(browser: Browser, twin: Twin, screenshots: Path) -> None:
    token = twin.token()
    with Visitor.at(browser, twin, user="olga") as olga:
        sign_in(olga.page, "operator")
        turns = olga.page.locator("figure").filter(
            has=olga.page.get_by_role("heading", name="Turns", exact=True)
        )
        expect(turns).to_be_visible()
        before = int(turns.locator("output").inner_text())
        for message in ("Hello", "List my agents", "What is 5!?"):
            twin.chat(message, token=token)
        expect(turns.locator("output")).to_have_text(str(before + 3))
        tiers = olga.page.locator("figure").filter(has=olga.page.get_by_role("heading", name="Tiers"))
        expect(tiers).to_contain_text("offline")
        queues = olga.page.locator("figure").filter(has=olga.page.get_by_role("heading", name="Queues"))
        expect(queues).to_contain_text("FinishQueue")
        assert turns.locator("rect").count() >= 1
        olga.page.screenshot(path=screenshots / "operator.png", full_page=True)
        assert olga.complaints == []


def test_a_user_who_is_no_operator_sees_no_figures(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="maya") as maya:
        sign_in(maya.page, "admin")
        expect(maya.page.get_by_role("status")).to_contain_text("for the role operator")
        assert maya.page.locator("figure").count() == 0
