"""Lists: a button loads the next page, and one that could not be read is asked for again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.test_panels import made
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer

WATCH = {"name": "invoice-watch", "what": "late invoices", "sources": ["notion"], "kind": "report"}


class Paged(NamedTuple):
    """A list: where it is, what it asks for, and its rows."""

    place: str
    request: str
    rows: str
    opener: str = ""
    more: str = "Show more"


PAGED = (
    Paged("agents", r"/v1/agents(\?cursor=.*)?$", "[data-testid=agent-item]"),
    Paged("agents", r"/v1/agents\?deleted=true", "[data-testid=deleted-item]", "recently-deleted"),
    Paged("agents&at={agent}", r"/v1/runs\?.*agent_id=", "[data-testid=run-item]", more="Show earlier runs"),
    Paged("agents&at={agent}", r"/v1/agents/[^/]+/changes", "[data-testid=list-row]", "agent-changes"),
    Paged("tasks", r"/v1/tasks\?.*completed=false", "[data-testid=task-item]"),
    Paged("tasks", r"/v1/tasks\?deleted=true", "[data-testid=deleted-item]", "recently-deleted"),
    Paged("connections", r"/v1/skills(\?.*)?$", "[data-testid=list-row]"),
    Paged("settings&at=files", r"/v1/attachments(\?.*)?$", "[data-testid=list-row]"),
    Paged("settings&at=conversations", r"/v1/tenant/conversations(\?.*)?$", "[data-testid=list-row]"),
    Paged(
        "settings&at=conversations/{conversation}",
        r"/v1/tenant/conversations/.*/messages",
        "[data-testid=list-row]",
    ),
    Paged("settings&at=audit", r"/v1/audit", "[data-testid=list-row]"),
    Paged("", r"/v1/conversations\?.*deleted=true", "nav [data-testid=list-row]", "show-deleted"),
)
UNPAGED = (
    Paged("settings&at=usage", r"/v1/usage", "[data-testid=usage-days]"),
    Paged("settings&at=models", r"/v1/models", "text=No model is set up here"),
    Paged("settings&at=policy", r"/v1/tenant/policy", "[data-testid=form-policy]"),
    Paged("settings&at=answers", r"/v1/tenant/answers", "[data-testid=list-row]"),
    Paged("settings&at=secrets", r"/v1/tenant/secrets", "[data-testid=list-row]"),
    Paged("settings&at=corrections", r"/v1/tenant/corrections", "text=Nobody has corrected anything"),
    Paged("help", r"/v1/help", "[data-testid=help-answers]"),
    Paged("connections", r"/v1/connections$", "[data-testid=connection-notion]"),
    Paged("agents&at={agent}", r"/v1/agents/[0-9a-f]+$", "[data-testid=agent-status]"),
    Paged("connections&at={skill}", r"/v1/skills/[0-9a-f]+$", "[data-testid=skill-health]"),
)


def name_of(paged: Paged) -> str:
    return re.sub("[^a-z]+", "-", f"{paged.place} {paged.request}").strip("-")


@pytest.fixture(scope="module")
def admin(browser: Browser, twin: Twin) -> Iterator[Visitor]:
    """An administrator whose lists all have something in them."""
    with Visitor.at(browser, twin, user="ada", tenant="listed") as admin:
        admin.sign_in(role="admin")
        admin.by_test_id("attach-input").set_input_files(
            {"name": "a dot.png", "mimeType": "image/png", "buffer": sample_files.png()}
        )
        expect(admin.by_test_id("draft-file")).to_have_attribute("aria-busy", "false")
        yield admin


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(fixed_answer(b"{}")) as running:
        yield running


@pytest.fixture(scope="module")
def ids(admin: Visitor, site: Site) -> dict[str, str]:
    """The ids of what is in the lists."""
    twin, token = admin.twin, admin.twin.token(admin.tenant, admin.user, roles=["admin"])

    def send(method: str, path: str, **body: Any) -> None:
        answer = twin.request(method, path, token=token, json=body or None)
        assert answer.status_code < 300, answer.text

    agent = made(admin, "/v1/agents", **WATCH)["id"]
    send("PATCH", f"/v1/agents/{agent}", brief="Tell me what is late.")
    made(admin, f"/v1/agents/{agent}/runs")
    made(admin, "/v1/tasks", title="Call the bank")
    deleted: dict[str, dict[str, Any]] = {
        "agents": {**WATCH, "name": "gone"},
        "tasks": {"title": "gone"},
        "conversations": {},
    }
    for path, body in deleted.items():
        send("DELETE", f"/v1/{path}/{made(admin, f'/v1/{path}', **body)['id']}")
    skill = made(admin, "/v1/skills", kind="mcp", name="crm", url=site.url("/mcp"))["id"]
    send("PUT", "/v1/tenant/answers/hours", title="Hours", questions=["When are you there?"], text="From 9.")
    send("PUT", "/v1/tenant/secrets/results", value="tok-91d5e0a4c7")
    conversation = twin.chat("List my agents", token=token).json()["conversation_id"]
    return {"agent": agent, "skill": skill, "conversation": conversation}


def open_list(visitor: Visitor, paged: Paged, ids: dict[str, str]) -> None:
    visitor.page.goto(f"/new?panel={paged.place.format(**ids)}" if paged.place else "/new")
    if paged.opener:
        opener = visitor.by_test_id(paged.opener)
        (opener.locator("summary").or_(opener.and_(visitor.page.locator("button")))).first.click()


@pytest.fixture(autouse=True)
def unrouted(admin: Visitor) -> Iterator[None]:
    yield
    admin.page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("paged", PAGED, ids=name_of)
def test_the_next_page_of_a_list_is_loaded_by_its_button(
    admin: Visitor, ids: dict[str, str], paged: Paged
) -> None:
    def in_pages(route: Route) -> None:
        """The first item alone, and the same one by another id after it."""
        url = route.request.url
        is_next = "cursor=onwards" in url
        answer = route.fetch(url=re.sub(r"[?&]cursor=onwards", "", url))
        [first, *_] = answer.json()["items"]
        other = {**first, "id": "f" * 32, "version": 999}
        page = (
            {"items": [other], "next_cursor": None}
            if is_next
            else {"items": [first], "next_cursor": "onwards"}
        )
        route.fulfill(response=answer, json=page)

    admin.page.route(re.compile(paged.request), in_pages)
    open_list(admin, paged, ids)
    rows = admin.page.locator(paged.rows)
    expect(rows).to_have_count(1)
    admin.page.get_by_role("button", name=paged.more).first.click()
    expect(rows).to_have_count(2)
    expect(admin.page.get_by_role("button", name=paged.more)).to_have_count(0)


@pytest.mark.parametrize("paged", [*PAGED, *UNPAGED], ids=name_of)
def test_a_list_that_could_not_be_read_is_asked_for_again(
    admin: Visitor, ids: dict[str, str], paged: Paged
) -> None:
    is_down = True

    def refuse(route: Route) -> None:
        if is_down:
            problem = {"code": "storage_unavailable", "title": "Storage is out of reach", "status": 400}
            route.fulfill(status=400, json=problem)
        else:
            route.continue_()

    admin.page.route(re.compile(paged.request), refuse)
    open_list(admin, paged, ids)
    again = admin.by_test_id("retry")
    expect(again.first).to_be_visible()
    expect(admin.page.locator(paged.rows)).to_have_count(0)
    is_down = False
    again.first.click()
    expect(admin.page.locator(paged.rows).first).to_be_visible()
    expect(again).to_have_count(0)


def test_earlier_runs_of_an_agent_are_shown_and_looked_for(admin: Visitor, ids: dict[str, str]) -> None:
    [run] = admin.items(f"/v1/runs?agent_id={ids['agent']}")
    many = [{**run, "id": f"{number:032x}"} for number in range(1, 8)]

    def runs(route: Route) -> None:
        is_next = "cursor=onwards" in route.request.url
        earlier = [{**run, "id": "f" * 32}]
        route.fulfill(
            json={"items": earlier, "next_cursor": None}
            if is_next
            else {"items": many, "next_cursor": "onwards"}
        )

    admin.page.route(re.compile(r"/v1/runs(\?.*)?$"), runs)
    admin.page.goto("/new?panel=agents")
    admin.by_test_id("agent-runs").click()
    rows = admin.by_test_id("run-item")
    expect(rows).to_have_count(5)
    admin.page.get_by_role("button", name="Show earlier runs").click()
    expect(rows).to_have_count(7)
    admin.page.get_by_role("button", name="Look for earlier runs").click()
    expect(rows).to_have_count(8)
    rows.first.get_by_role("button", expanded=True).click()
    expect(rows.first.get_by_role("button", expanded=False)).to_be_visible()


def test_conversations_that_could_not_be_read_are_asked_for_again(visitor: Visitor) -> None:
    page = visitor.page
    refused = {"first", "next"}
    conversation = made(visitor, "/v1/conversations", title="One")
    many = [{**conversation, "id": f"{at:032x}", "title": f"Number {at}"} for at in range(1, 31)]

    def answer(route: Route) -> None:
        which = "next" if "cursor=onwards" in route.request.url else "first"
        if which in refused:
            problem = {"code": "storage_unavailable", "title": "Storage is out of reach", "status": 400}
            route.fulfill(status=400, json=problem)
        elif which == "next":
            oldest = {**conversation, "title": "The oldest"}
            route.fulfill(json={"items": [oldest], "next_cursor": None})
        else:
            route.fulfill(json={"items": many, "next_cursor": "onwards"})

    page.route(re.compile(r"/v1/conversations\?(?!.*(pinned|deleted)=true)"), answer)
    page.evaluate(
        "localStorage.removeItem(Object.keys(localStorage).find(it => it.endsWith(':conversations')))"
    )
    page.reload()
    expect(visitor.by_test_id("conversations-problem")).to_be_visible()
    refused.remove("first")
    visitor.by_test_id("retry").click()
    expect(visitor.by_test_id("conversation-item").first).to_contain_text("Number 1")
    to_end = "it => it.scrollTo(0, it.scrollHeight)"
    visitor.by_test_id("conversation-list").evaluate(to_end)
    end = visitor.by_test_id("conversation-list").get_by_role("alert")
    expect(end).to_contain_text("The rest of the list can't be read.")
    refused.remove("next")
    end.get_by_role("button", name="Try again").click()
    expect(end).to_have_count(0)
    visitor.by_test_id("conversation-list").evaluate(to_end)
    expect(visitor.by_test_id("conversation-item").last).to_contain_text("The oldest")
    refused.add("first")
    page.reload()
    stale = page.get_by_text("Not up to date")
    expect(stale).to_be_visible()
    refused.remove("first")
    visitor.by_test_id("sidebar").get_by_role("button", name="Try again").click()
    expect(stale).to_have_count(0)


def test_a_search_that_failed_is_repeated_with_all_of_its_parts(visitor: Visitor) -> None:
    visitor.say("The aubergine supplier is Verdani")
    page = visitor.page
    refused = {"/v1/search", "/v1/conversations"}

    def answer(route: Route) -> None:
        if any(path in route.request.url for path in refused):
            problem = {"code": "storage_unavailable", "title": "Storage is out of reach", "status": 503}
            route.fulfill(status=503, json=problem)
        else:
            route.continue_()

    page.route(re.compile(r"/v1/(search|conversations)\?.*(q|title)="), answer)
    visitor.by_test_id("search-input").fill("aubergine")
    problem = visitor.by_test_id("search-problem")
    expect(problem).to_contain_text("can't be reached")
    expect(visitor.by_test_id("nothing-found")).to_have_count(0)
    refused.remove("/v1/search")
    with page.expect_response(re.compile(r"title=aubergine")):
        problem.get_by_role("button", name="Try again").click()
    expect(visitor.by_test_id("search-hit").first).to_contain_text("aubergine")
    # The titles could not be searched again.
    expect(problem).to_be_visible()
    refused.clear()
    problem.get_by_role("button", name="Try again").click()
    expect(problem).to_have_count(0)
    expect(visitor.by_test_id("search-hit").first).to_contain_text("aubergine")


def test_more_hits_of_a_search_are_shown(visitor: Visitor) -> None:
    visitor.say("The aubergine supplier is Verdani")
    [hit, *_] = eventually(lambda: visitor.twin.get("/v1/search?q=aubergine", token=visitor.token())["items"])

    def hits(route: Route) -> None:
        is_next = "cursor=onwards" in route.request.url
        found = [{**hit, "message_id": f"{at:032x}"} for at in ((21,) if is_next else range(20))]
        route.fulfill(json={"items": found, "next_cursor": None if is_next else "onwards"})

    visitor.page.route(re.compile(r"/v1/search"), hits)
    visitor.by_test_id("search-input").fill("aubergine")
    expect(visitor.by_test_id("search-hit")).to_have_count(20)
    visitor.page.get_by_role("button", name="Show more").click()
    expect(visitor.by_test_id("search-hit")).to_have_count(21)
