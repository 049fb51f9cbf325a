"""Somebody at the page: a browser context of their own, and what they can do there.

with Visitor.at(browser, twin, user="maya") as visitor:
    visitor.sign_in()
    visitor.say("List my agents")
    assert "no agents" in visitor.reply()
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.fakes.deployment.twin import Twin

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
Scheme: TypeAlias = Literal["light", "dark"]
PATIENCE_MS = 30_000
"""For what a machine that is busy with other tests takes its time for."""


class Visitor:
    """A person with one page, in a browser profile that nobody else uses."""

    def __init__(self, page: Page, twin: Twin, user: str, tenant: str) -> None:
        self.page = page
        self.twin = twin
        self.user = user
        self.tenant = tenant
        self.complaints: list[str] = []
        """Errors of the console, a blocked script among them."""
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    @classmethod
    @contextmanager
    def at(
        cls,
        browser: Browser,
        twin: Twin,
        *,
        user: str,
        tenant: str = "acme",
        size: ViewportSize = DESKTOP,
        scheme: Scheme = "light",
    ) -> Iterator[Visitor]:
        """Somebody who has not been here before; gone, with all they kept, afterwards."""
        context = browser.new_context(
            base_url=twin.url, viewport=size, color_scheme=scheme, reduced_motion="reduce"
        )
        try:
            yield cls(context.new_page(), twin, user, tenant)
        finally:
            context.close()

    def sign_in(self, *, user: str | None = None) -> None:
        """Open the page and sign in at the twin's own provider."""
        self.page.goto("/")
        self.at_hand("sign-in").first.click()
        self.fill_in_form(user or self.user)

    def fill_in_form(self, user: str) -> None:
        """What the provider asks, answered; ends at the page."""
        self.page.get_by_label("Tenant").fill(self.tenant)
        self.page.get_by_label("User").fill(user)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.at_hand("composer")).to_be_visible()

    def at_hand(self, name: str) -> Locator:
        """What has the test id."""
        return self.page.get_by_test_id(name)

    def type(self, message: str) -> None:
        """Write a message, and don't send it yet."""
        self.at_hand("composer").fill(message)

    def say(self, message: str) -> None:
        """Send a message and wait for its answer."""
        before = self.at_hand("message-assistant").count()
        self.type(message)
        self.page.keyboard.press("Enter")
        expect(self.at_hand("message-assistant")).to_have_count(before + 1)
        self.until_answered()

    def until_answered(self) -> None:
        """Wait until the newest answer is complete."""
        last = self.at_hand("message-assistant").last
        expect(last).to_have_attribute("data-status", "done")

    def reply(self) -> str:
        """The newest answer, as it is read."""
        return str(self.at_hand("message-assistant").last.inner_text())

    def token(self) -> str:
        """A token of the same person, to look at the same things over the API."""
        return self.twin.token(self.tenant, self.user)

    def items(self, path: str) -> list[dict[str, Any]]:
        """A list of the API."""
        found: list[dict[str, Any]] = self.twin.get(path, token=self.token())["items"]
        return found
