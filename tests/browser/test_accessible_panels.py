"""Every panel with something in it, light and dark, on a desktop, at 390 pixels and at 200%, by axe."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_looks import require_accessible
from tests.browser.test_panels import made
from tests.fakes.data import sample_files
from tests.fakes.deployment.browser_pages import Visitor
from tests.fakes.deployment.twin import Twin
from tests.fakes.models.sign_in_server import SignInServer

PLACES = (
    "agents", "agents&at=new", "agents&at={agent}", "agents&at={agent}/edit", "tasks", "help",
    "connections", "connections&at=new", "connections&at={skill}", "connections&at={skill}/edit",
    *(f"settings&at={section}" for section in (
        "account", "usage", "models", "data", "files", "policy", "answers", "answers/new", "secrets",
        "corrections", "conversations", "conversations/{conversation}", "erasures", "audit",
    )),
)  # fmt: skip
DIALOGS = (
    ("agents", "agent-menu"),
    ("agents&at={agent}", "agent-schedule"),
    ("tasks", "task-add"),
    ("settings&at=data", "delete-my-data"),
    ("settings&at=conversations", "oversee-erase"),
    ("settings&at=secrets", "secret-add"),
)


@pytest.fixture(scope="module")
def maha(browser: Browser, twin: Twin) -> Iterator[Visitor]:
    """An administrator whose panels all have something in them."""
    with Visitor.at(browser, twin, user="مها", tenant="filled") as maha:
        maha.sign_in(role="admin")
        maha.by_test_id("attach-input").set_input_files(
            {"name": "تقرير.png", "mimeType": "image/png", "buffer": sample_files.png()}
        )
        expect(maha.by_test_id("draft-file")).to_have_attribute("aria-busy", "false")
        yield maha


@pytest.fixture(scope="module")
def ids(maha: Visitor) -> Iterator[dict[str, str]]:
    """The ids of what is in the panels."""

    def put(path: str, **body: Any) -> None:
        token = maha.twin.token(maha.tenant, maha.user, roles=["admin"])
        answer = maha.twin.request("PUT", path, token=token, json=body)
        assert answer.status_code < 300, answer.text

    with SignInServer() as server:
        what = {"what": "late invoices", "sources": ["notion"], "kind": "report"}
        agent = made(maha, "/v1/agents", **what, name="invoice-watch", instructions="Look at all of it.")
        made(maha, f"/v1/agents/{agent['id']}/runs")
        gone = made(maha, "/v1/agents", **what, name="gone-watch")
        assert maha.twin.request("DELETE", f"/v1/agents/{gone['id']}", token=maha.token()).status_code == 204
        skill = made(maha, "/v1/skills", kind="mcp", name="ticket-hook", url=server.url)
        for title in ("مراجعة التقارير " * 5, "Call the bank"):
            task = made(maha, "/v1/tasks", title=title, due_date="2026-01-05")
        done = {"completed": True}
        path = f"/v1/tasks/{task['id']}"
        assert maha.twin.request("PATCH", path, token=maha.token(), json=done).status_code == 200
        put("/v1/tenant/answers/hours", title="Hours", questions=["When are you there?"], text="From 9 to 5.")
        put("/v1/tenant/secrets/results-key", value="tok-91d5e0a4c7")
        conversation = maha.twin.chat("List my agents", token=maha.token()).json()["conversation_id"]
        put(f"/v1/tenant/holds/{conversation}", reason="A case")
        yield {"agent": agent["id"], "skill": skill["id"], "conversation": conversation}


def look_at(visitor: Visitor, name: str, screenshots: Path) -> None:
    """Have axe look at the page in every look, and keep a screenshot of each."""
    for look in visitor.looks():
        require_accessible(visitor)
        assert visitor.sideways() <= 0, look
        visitor.page.screenshot(path=screenshots / f"{name}-{look}.png")
    unexpected = [each for each in visitor.complaints if "404" not in each]
    visitor.complaints.clear()
    assert unexpected == [], json.dumps(unexpected)


def open_panel(visitor: Visitor, place: str) -> None:
    """Open a panel with all that is folded in it, and wait until it is loaded."""
    visitor.page.goto(f"/?panel={place}")
    expect(visitor.page.locator("aside h2")).to_be_visible()
    expect(visitor.page.locator("aside [aria-busy=true]")).to_have_count(0)
    visitor.page.locator("aside").evaluate(
        "it => it.querySelectorAll('details').forEach((each) => { each.open = true; })"
    )
    expect(visitor.page.locator("aside [aria-busy=true]")).to_have_count(0)


def name_of(place: str) -> str:
    return re.sub("[^a-z]+", "-", place).strip("-")


@pytest.mark.parametrize("place", PLACES, ids=name_of)
def test_everybody_can_use_a_filled_panel(
    maha: Visitor, ids: dict[str, str], place: str, screenshots: Path
) -> None:
    open_panel(maha, place.format(**ids))
    if "audit" not in place:
        assert re.findall(r"\b[a-z]+_[a-z]+\b", maha.page.locator("aside").inner_text()) == []
    look_at(maha, name_of(place), screenshots)


@pytest.mark.parametrize(("place", "button"), DIALOGS, ids=[button for _, button in DIALOGS])
def test_everybody_can_use_what_a_button_opens(
    maha: Visitor, ids: dict[str, str], place: str, button: str, screenshots: Path
) -> None:
    open_panel(maha, place.format(**ids))
    maha.by_test_id(button).first.click()
    look_at(maha, button, screenshots)


def test_everybody_can_use_the_panels_of_an_operator(browser: Browser, twin: Twin, screenshots: Path) -> None:
    with Visitor.at(browser, twin, user="olga", tenant="ops") as olga:
        olga.sign_in(role="operator")
        token = twin.token("ops", "olga", roles=["operator"])
        body = {"name": "Initech", "limits": {"usd_per_day": 2.5}}
        assert twin.request("PUT", "/v1/tenants/initech", token=token, json=body).status_code < 300
        for place in ("tenants", "tenants/initech", "tenants/nobody-yet"):
            open_panel(olga, f"settings&at={place}")
            look_at(olga, name_of(place), screenshots)
        open_panel(olga, "settings&at=tenants/initech")
        olga.by_test_id("tenant-erase").click()
        look_at(olga, "tenant-erase", screenshots)
