"""A web address is watched by an agent that one sentence sets up, over the twin, without any model."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer

pytestmark = pytest.mark.e2e

NINE = datetime(2026, 1, 30, 9, 0, 30, tzinfo=UTC)
FIVE_MINUTES = timedelta(minutes=5)


class Shop:
    """A web server that answers as the test says."""

    def __init__(self) -> None:
        self.status = 200

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        fixed_answer(b"<p>welcome</p>", status=self.status, Content_Type="text/html")(handler)


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def site(shop: Shop) -> Iterator[Site]:
    with Site(shop.answer) as running:
        yield running


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Twin]:
    with Twin(tmp_path, clock=NINE, clock_runs=False) as running:
        yield running


class Watch:
    """Maya's conversation about a site, and the clock that its schedule goes by."""

    def __init__(self, twin: Twin) -> None:
        self.twin, self.token, self.now = twin, twin.token(), NINE
        self.conversation_id: str | None = None

    def say(self, message: str) -> str:
        response = self.twin.chat(message, token=self.token, conversation_id=self.conversation_id)
        assert response.status_code == 200, response.text
        self.conversation_id = response.json()["conversation_id"]
        return str(response.json()["message"]["content"])

    def next_check(self) -> dict[str, Any]:
        """The next scheduled run, once it has ended."""
        before = len(self.runs())
        self.now += FIVE_MINUTES
        self.twin.set_clock(self.now)
        return eventually(lambda: self._ended(before + 1))

    def _ended(self, count: int) -> dict[str, Any] | None:
        runs = self.runs()
        is_over = len(runs) >= count and runs[0]["status"] not in ("queued", "running")
        return runs[0] if is_over else None

    def runs(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.twin.get("/v1/runs", token=self.token)["items"]
        return items

    def posted(self) -> list[str]:
        path = f"/v1/conversations/{self.conversation_id}/messages?limit=100"
        items = self.twin.get(path, token=self.token)["items"]
        return [item["content"] for item in items if item["metadata"].get("run")]


def test_an_outage_and_its_end_are_told_once_each_without_a_model(twin: Twin, shop: Shop, site: Site) -> None:
    watch, url = Watch(twin), site.url()
    said = watch.say(f"watch {url} every 5 minutes and tell me here when it is down")
    assert "runs every 5 minutes and reports here" in said
    assert "Before it can work" not in said

    eventually(lambda: watch.twin.get("/v1/agents", token=watch.token)["items"])
    codes = [watch.next_check()["outcome"]["code"]]
    shop.status = 503
    codes += [watch.next_check()["outcome"]["code"] for _ in range(2)]
    shop.status = 200
    codes += [watch.next_check()["outcome"]["code"] for _ in range(2)]

    assert codes == ["no_change", "done", "no_change", "done", "no_change"]
    assert watch.posted() == [
        f"{url} has been down since 9:10 AM (HTTP 503).",
        f"{url} is back after 10 minutes.",
    ]
