"""What an answer tells its reader: its text, how the message was understood, and what it was made from."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.test_looks import require_accessible
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.long_thread import CONVERSATION, serve_long_thread
from tests.fakes.deployment.wait_until import eventually

GAP = """p => {
  const range = document.createRange();
  range.selectNodeContents(p);
  return p.getBoundingClientRect().right - range.getBoundingClientRect().right;
}"""
"""How far a paragraph's text is from its right edge."""

TEXT = """A paragraph in English, which costs $5 and $6: \\(a^2 + b^2\\).

\\[
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
\\]

هذه فقرة بالعربية مع `code`.

- [x] done
- [ ] not done

| a | b | c | d | e | f | g | h |
|---|---|---|---|---|---|---|---|
| wide column one | wide column two | three | four | five | six | seven | eight |

```python
print("a line that is so long that it has to be scrolled to be read to its end, on all screens there are")
```
"""


def test_every_kind_of_text_can_be_read(visitor: Visitor, screenshots: Path) -> None:
    serve_long_thread(visitor.page, 2, answer=TEXT)
    visitor.page.goto(f"/c/{CONVERSATION}")
    arabic = visitor.page.locator("p", has_text="فقرة")
    expect(arabic).to_be_visible()
    # Its text begins at the right, where that of the paragraph before it ends.
    assert arabic.evaluate(GAP) < 2
    assert visitor.page.locator("p", has_text="in English").evaluate(GAP) > 2
    expect(visitor.page.get_by_role("img", name="Done:")).to_be_visible()
    expect(visitor.page.locator("math")).to_have_count(2)
    expect(visitor.page.get_by_text("costs $5 and $6")).to_be_visible()
    expect(visitor.page.locator("pre .hljs-string")).to_have_count(1)
    visitor.page.locator("pre").focus()
    expect(visitor.page.locator("pre")).to_be_focused()
    visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=visitor.twin.url)
    visitor.by_test_id("copy-code").click()
    expect(visitor.by_test_id("copy-code")).to_have_text("Copied")
    assert visitor.page.evaluate("navigator.clipboard.readText()").startswith('print("a line')
    for look in visitor.looks():
        assert visitor.sideways() <= 0
        require_accessible(visitor)
        visitor.page.screenshot(path=screenshots / f"text-{look}.png")
    assert visitor.complaints == []


def test_formulas_and_colours_are_loaded_where_there_are_any(visitor: Visitor) -> None:
    loaded: list[str] = []
    visitor.page.on("request", lambda request: loaded.append(request.url))
    serve_long_thread(visitor.page, 2, answer="No formula for $5, and `no` code.")
    visitor.page.goto(f"/c/{CONVERSATION}")
    expect(visitor.page.get_by_text("No formula for $5")).to_be_visible()
    assert [url for url in loaded if "colouring" in url] == []


def test_the_badge_says_what_was_understood_and_what_the_answer_was_made_from(
    visitor: Visitor, screenshots: Path
) -> None:
    visitor.say("Add a task to call Anna")
    visitor.say("List my agents")
    badge = visitor.by_test_id("decision-badge")
    expect(badge.first).to_contain_text("Add a task")
    expect(badge.last).to_contain_text("List agents")
    assert "%" not in badge.last.inner_text()
    badge.last.click()
    expect(visitor.by_test_id("acts")).to_contain_text("List my agents")
    visitor.by_test_id("context-receipt").locator("summary").click()
    expect(visitor.by_test_id("context-receipt")).to_contain_text("Add a task to call Anna")
    require_accessible(visitor)
    visitor.page.screenshot(path=screenshots / "badge.png")


def test_a_message_is_pinned_and_another_taken_back_and_an_answer_rated(visitor: Visitor) -> None:
    visitor.say("List my agents")
    visitor.by_test_id("pin").click()
    expect(visitor.by_test_id("toast")).to_contain_text("goes along with every answer")
    visitor.by_test_id("thumb-down").click()
    visitor.by_test_id("correction").select_option("create_agent")
    visitor.by_test_id("feedback-send").click()
    [conversation] = visitor.items("/v1/conversations")
    reply = visitor.items(f"/v1/conversations/{conversation['id']}/messages")[-1]
    path = f"/v1/conversations/{conversation['id']}/messages/{reply['id']}/feedback"
    given = eventually(lambda: visitor.twin.get(path, token=visitor.token())["correction"])
    assert given == "create_agent"
    visitor.by_test_id("take-back").click()
    visitor.page.get_by_role("button", name="Take back", exact=True).last.click()
    expect(visitor.page.get_by_text("You took this message back.")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_text("You took this message back.")).to_be_visible()
