"""How live the chat page stays in a long conversation, in a real browser."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import CDPSession, expect, sync_playwright

from tests.benchmarks.figures import Figure, Report, at_most
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.long_thread import (
    CONVERSATION,
    PIECES,
    answer_in_pieces,
    message_id,
    serve_long_thread,
)
from tests.fakes.deployment.twin import ROOT, Twin

MESSAGES = 2_000
EVERY_MS = 12
MOST_KEYS = 2_000
JUMPS = 5
SHOWN_KEY_MS = 16.0
"""The browser reports no key that took less."""


def measure() -> Report:
    """Keys, frames and text during an answer of many pieces, and the way to a hit far back."""
    if not (ROOT / "web" / "dist" / "index.html").exists():
        yield "left out: `make page` has not been run here"
        return
    if _chromium() is None:
        yield "left out: there is no Chromium on this machine"
        return
    with _visitor() as visitor:
        yield from _streaming(visitor)
        yield from _jumps(visitor)


def _streaming(visitor: Visitor) -> Report:
    page = visitor.page
    page.unroute_all()
    serve_long_thread(page, MESSAGES, at_once=True)
    answer_in_pieces(page, every_ms=EVERY_MS)
    page.goto(f"/c/{CONVERSATION}")
    expect(page.get_by_text(f"Answer {MESSAGES}.")).to_be_visible()
    # What it took to open the page is not part of the answer.
    page.evaluate("wire.frames.length = 0")
    visitor.type("Go on")
    page.keyboard.press("Enter")
    keys = 0
    while not page.evaluate("wire.isDone") and keys < MOST_KEYS:
        page.keyboard.type("a word ", delay=60)
        keys += 7
    seen = page.evaluate("({ late: wire.late, frames: wire.frames, keys: wire.keys })")
    shown = [SHOWN_KEY_MS] * max(0, keys - len(seen["keys"])) + seen["keys"]
    name = f"page: {MESSAGES} messages, {PIECES} pieces"
    yield Figure(f"{name}: key to frame, p95", _p95(shown), "ms", at_most(80))
    yield Figure(f"{name}: longest frame", max(seen["frames"]), "ms", at_most(200))
    yield Figure(f"{name}: text behind the wire, p95", _p95(seen["late"]), "ms", at_most(150))
    yield Figure(f"{name}: pieces seen", len(seen["late"]), "")


_OPEN_HIT = """(url) => new Promise((seen) => {
  const started = performance.now();
  const look = () => {
    const isShown = [...document.querySelectorAll("[data-testid=message-assistant]")].some((each) => {
      const box = each.getBoundingClientRect();
      return each.textContent.includes("Answer 300.") && box.top > 0 && box.bottom < innerHeight;
    });
    if (isShown) seen(performance.now() - started);
    else requestAnimationFrame(look);
  };
  history.pushState(null, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
  requestAnimationFrame(look);
})"""


def _jumps(visitor: Visitor) -> Report:
    """From opening the hit to its message on screen, in a page that is loaded. A busy machine makes the time
    longer, so the time that its main thread worked is told, too.
    """
    page = visitor.page
    asked = serve_long_thread(page, MESSAGES)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    took, worked, requests = list[float](), list[float](), list[float]()
    for _ in range(JUMPS):
        page.goto("/new")
        expect(visitor.by_test_id("starter").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        asked.clear()
        before = _worked_ms(session)
        took.append(float(page.evaluate(_OPEN_HIT, f"/c/{CONVERSATION}?message={message_id(300)}")))
        worked.append(_worked_ms(session) - before)
        requests.append(len(asked))
    session.detach()
    name = f"page: to a hit in {MESSAGES} messages"
    yield Figure(name, statistics.median(took), "ms", at_most(300))
    yield Figure(f"{name}: processor time", statistics.median(worked), "ms", at_most(200))
    yield Figure(f"{name}: requests", max(requests), "", at_most(3))


def _worked_ms(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration")) * 1_000


@contextmanager
def _visitor() -> Iterator[Visitor]:
    with tempfile.TemporaryDirectory() as data, Twin(Path(data)) as twin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        try:
            with Visitor.at(browser, twin, user="reader") as visitor:
                visitor.sign_in()
                yield visitor
        finally:
            browser.close()


def _chromium() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]
