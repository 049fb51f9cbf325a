"""A user of the chat page, with their own browser context.

with Visitor.at(browser, twin, user="maya") as visitor:
    visitor.sign_in()
    visitor.say("List my agents")
    assert "no agents" in visitor.reply()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any, Literal, TypeAlias

from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import LOOK_EVERY_S, eventually

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
ZOOMED: ViewportSize = {"width": DESKTOP["width"] // 2, "height": DESKTOP["height"] // 2}
"""What is left of the desktop at 200%."""
Scheme: TypeAlias = Literal["light", "dark"]
_SCHEMES: tuple[Scheme, ...] = ("light", "dark")
PATIENCE_MS = 30_000
"""Long enough for a machine that is busy with other tests."""


class Visitor:
    """A person with one page in their own browser profile."""

    def __init__(self, page: Page, twin: Twin, user: str, tenant: str) -> None:
        self.page = page
        self.twin = twin
        self.user = user
        self.tenant = tenant
        self.complaints: list[str] = []
        """Errors of the browser's console, including blocked scripts."""
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
        """Yield a first-time visitor. Their browser data is deleted afterwards."""
        context = browser.new_context(
            base_url=twin.url, viewport=size, color_scheme=scheme, reduced_motion="reduce"
        )
        try:
            yield cls(context.new_page(), twin, user, tenant)
        finally:
            context.close()

    def sign_in(self, *, user: str | None = None, role: str = "") -> None:
        """Open the page and sign in at the twin's own provider."""
        self.page.goto("/")
        self.by_test_id("sign-in").first.click()
        self.fill_in_form(user or self.user, role)

    def fill_in_form(self, user: str, role: str = "") -> None:
        """Fill in the provider's form and wait for the page."""
        self.page.get_by_label("Tenant").fill(self.tenant)
        self.page.get_by_label("User").fill(user)
        if role:
            self.page.get_by_label("Role").select_option(role)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.by_test_id("composer")).to_be_visible()

    def by_test_id(self, name: str) -> Locator:
        """Return the element with the test id."""
        return self.page.get_by_test_id(name)

    def looks(self) -> Iterator[str]:
        """Show the page as it is on a desktop, on a phone and at 200%, each light and dark; yield the name of
        each look.
        """
        for size, scheme in product((DESKTOP, PHONE, ZOOMED), _SCHEMES):
            self.page.set_viewport_size(size)
            self.page.emulate_media(color_scheme=scheme)
            self.page.evaluate(
                "Promise.allSettled(document.getAnimations().map((it) => it.finished)).then(() => 0)"
            )
            yield f"{scheme}-{size['width']}"
        self.page.set_viewport_size(DESKTOP)
        self.page.emulate_media(color_scheme="light")

    def sideways(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        root = "document.documentElement"
        return int(self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))

    def type(self, message: str) -> None:
        """Type a message without sending it."""
        self.by_test_id("composer").fill(message)

    def say(self, message: str) -> None:
        """Send a message and wait for its reply."""
        before = self.by_test_id("message-assistant").count()
        self.type(message)
        self.page.keyboard.press("Enter")
        expect(self.by_test_id("message-assistant")).to_have_count(before + 1)
        self.until_answered()

    def until_answered(self) -> None:
        """Wait until the newest reply is complete."""
        last = self.by_test_id("message-assistant").last
        expect(last).to_have_attribute("data-status", "done")

    def reply(self) -> str:
        """Return the visible text of the newest reply."""
        return str(self.by_test_id("message-assistant").last.inner_text())

    def token(self) -> str:
        """Return a token of the same person for the API."""
        return self.twin.token(self.tenant, self.user)

    def until(self, look: Callable[[], object]) -> None:
        """Wait for what the page's requests lead to, and serve the test's own routes meanwhile.

        ``eventually`` sleeps, and no route is served while it does.
        """

        def looked() -> object:
            self.page.wait_for_timeout(LOOK_EVERY_S * 1_000)
            return look()

        eventually(looked, every_s=0)

    def items(self, path: str) -> list[dict[str, Any]]:
        """Return the items of a list of the API."""
        found: list[dict[str, Any]] = self.twin.get(path, token=self.token())["items"]
        return found
