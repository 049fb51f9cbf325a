"""A conversation of 2,000 messages: how much of it is in the document, and how little a hit far back fetches.

How fast it is: ``make bench``, group ``page``.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.long_thread import (
    CONVERSATION,
    PIECES,
    answer_in_pieces,
    message_id,
    serve_long_thread,
)

COUNT = 2_000
ROWS = 40
"""A screen shows about 10 rows; those close to it are rendered ahead."""


def test_only_the_rows_near_the_screen_are_in_the_document(visitor: Visitor) -> None:
    serve_long_thread(visitor.page, COUNT, at_once=True)
    answer_in_pieces(visitor.page, every_ms=1)
    visitor.page.goto(f"/c/{CONVERSATION}")
    expect(visitor.page.get_by_text(f"Answer {COUNT}.")).to_be_visible()
    rows = visitor.page.locator("[data-index]")
    assert rows.count() <= ROWS
    visitor.type("Go on")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.get_by_text(f"w{PIECES - 1}")).to_be_visible()
    assert rows.count() <= ROWS


def test_a_hit_far_back_takes_three_requests_and_reading_on_leads_to_the_end(
    visitor: Visitor, screenshots: Path
) -> None:
    asked = serve_long_thread(visitor.page, COUNT)
    visitor.page.goto(f"/c/{CONVERSATION}?message={message_id(300)}")
    expect(visitor.page.get_by_text("Answer 300.")).to_be_in_viewport()
    assert len(asked) <= 3, asked
    visitor.page.screenshot(path=screenshots / "far-back.png")
    # What is sent from far back is seen at the end.
    visitor.by_test_id("scroll-down").click()
    expect(visitor.page.get_by_text(f"Answer {COUNT}.")).to_be_in_viewport()


def test_reading_on_from_far_back_leaves_no_gap(visitor: Visitor) -> None:
    serve_long_thread(visitor.page, 260)
    visitor.page.goto(f"/c/{CONVERSATION}?message={message_id(60)}")
    expect(visitor.page.get_by_text("Answer 60.")).to_be_in_viewport()
    log = visitor.page.get_by_role("log")
    for sequence in range(80, 261, 20):
        # Scrolled by hand, so that every page is reached.
        while visitor.page.get_by_text(f"Answer {sequence}.").count() == 0:
            log.evaluate("view => { view.scrollTop += 600; }")
            visitor.page.evaluate("() => new Promise(requestAnimationFrame)")
    log.evaluate("view => { view.scrollTop = view.scrollHeight; }")
    expect(visitor.page.get_by_text("Answer 260.")).to_be_in_viewport()
