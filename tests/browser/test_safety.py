"""What users and models write is shown, and never run; what one user kept nobody else sees."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Request, expect

from tests.fakes.deployment.browser_pages import PATIENCE_MS, PHONE, Visitor
from tests.fakes.deployment.twin import Twin

IS_KEPT = """text => Object.entries(localStorage)
    .some(([name, kept]) => name.includes(":thread:") && kept.includes(text))"""
"""Whether the browser keeps a text among its messages: that happens a moment after the answer."""

TRICKS = (
    "<script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "[click](javascript:document.title='owned')",
    "![pic](https://attacker.example/p.png)",
    "<svg onload=document.title='owned'>",
    "<iframe srcdoc=\"<script>parent.document.title='owned'</script>\"></iframe>",
    "[a](data:text/html,<script>opener.document.title='owned'</script>)",
    "`</code><script>document.title='owned'</script>`",
)

PLANT = """() => {
  const script = document.createElement('script');
  script.textContent = "document.title = 'owned'";
  document.body.append(script);
}"""


def test_tricks_in_messages_and_titles_do_nothing(visitor: Visitor) -> None:
    elsewhere: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((visitor.twin.url, "data:")):
            elsewhere.append(request.url)

    visitor.page.on("request", note)
    for place, trick in enumerate(TRICKS):
        if place % 4 == 0:  # of a longer conversation not all messages are in the document
            visitor.by_test_id("new-chat").first.click()
            expect(visitor.by_test_id("message-user")).to_have_count(0)
        visitor.say(f"Create an agent called tidy that reads {trick}")
        body = {"title": trick}
        made = visitor.twin.request("POST", "/v1/conversations", token=visitor.token(), json=body)
        assert made.status_code == 201, made.text
    visitor.page.reload()
    for trick in TRICKS:
        expect(visitor.by_test_id("conversation-item").filter(has_text=trick)).to_have_count(1)
        expect(visitor.by_test_id("message-user").last).to_be_visible()
    for link in visitor.page.locator("article a").all():
        assert (link.get_attribute("href") or "").startswith(("http:", "https:", "mailto:", "/", "#"))
    assert visitor.page.title() != "owned"
    assert elsewhere == []


def test_another_user_of_the_same_browser_sees_nothing(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="first") as visitor:
        visitor.sign_in()
        visitor.say("My secret is a blue whale")
        visitor.by_test_id("account").click()
        visitor.by_test_id("sign-out").click()
        expect(visitor.by_test_id("sign-in").first).to_be_visible()
        kept = visitor.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        assert "blue whale" not in kept
        visitor.by_test_id("sign-in").first.click()
        visitor.fill_in_form("second")
        assert "blue whale" not in visitor.page.content()


def test_a_sentence_in_the_field_of_the_name_signs_nobody_in(visitor: Visitor) -> None:
    page = visitor.page
    visitor.by_test_id("account").click()
    visitor.by_test_id("sign-out").click()
    visitor.by_test_id("sign-in").first.click()
    name = page.get_by_label("User")
    name.fill("What keeps you busy, Ugh,?")
    page.get_by_role("button", name="Sign in").click()
    expect(name).to_be_focused()
    assert name.evaluate("it => [it.validity.patternMismatch, it.title.slice(0, 26)]") == [
        True, "A user name is one word, s",
    ]  # fmt: skip
    visitor.fill_in_form("مها")


def test_a_message_with_a_key_says_so(browser: Browser, twin: Twin, screenshots: Path) -> None:
    with Visitor.at(browser, twin, user="careless", size=PHONE) as visitor:
        visitor.sign_in()
        visitor.say("My password is fake-Horse-77 and the card 4111 1111 1111 1111, list my agents")
        expect(visitor.by_test_id("contains")).to_have_text("Contains: card number, password")
        visitor.page.screenshot(path=screenshots / "secrets.png")


def test_the_page_runs_its_own_scripts_only(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="csp") as visitor:
        response = visitor.page.goto("/")
        assert response is not None
        policy = response.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe-inline" not in policy.split("style-src")[0]
        visitor.page.evaluate(PLANT)
        assert visitor.page.title() != "owned"


def test_history_is_painted_before_the_network_answers(browser: Browser, twin: Twin) -> None:
    with Visitor.at(browser, twin, user="quick") as visitor:
        visitor.sign_in()
        visitor.say("List my agents")
        visitor.page.wait_for_function(IS_KEPT, arg="List my agents")
        visitor.page.route("**/v1/**", lambda route: None)
        visitor.page.reload()
        expect(visitor.by_test_id("message-user").first).to_contain_text("List my agents")
        visitor.page.unroute_all(behavior="ignoreErrors")


def test_the_docs_work_under_the_pages_own_policy(browser: Browser, twin: Twin) -> None:
    page, complaints = browser.new_page(), list[str]()
    page.on("console", lambda said: complaints.append(said.text))
    page.goto(f"{twin.url}/docs")
    expect(page.locator(".opblock", has_text="/v1/chat").first).to_be_visible(timeout=PATIENCE_MS)
    page.close()
    assert complaints == []
