"""Two gateways on one table: what one of them made, the other one knows before it says that there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Twin, Twin]]:
    data: Path = tmp_path_factory.mktemp("shared")
    with Twin(data) as one, Twin(data) as other:
        yield one, other


def say(twin: Twin, token: str, message: str) -> str:
    response = twin.chat(message, token=token)
    assert response.status_code == 200, response.text
    return str(response.json()["message"]["content"])


def make(twin: Twin, token: str, **fields: Any) -> None:
    response = twin.request("POST", "/v1/agents", token=token, json={"what": "updates", **fields})
    assert response.status_code == 201, response.text


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("list my agents", "standup-notes"),
        ("which agents do I have?", "standup-notes"),
        ("pause standup-notes", "standup-notes is paused"),
        ("run standup-notes", "Started standup-notes"),
        ("what does standup-notes do?", "standup-notes: updates"),
        ("rename standup-notes to daily-notes", "daily-notes"),
        ("delete standup-notes", "Shall I delete standup-notes?"),
        ("share standup-notes with my team", "standup-notes"),
    ],
)
@pytest.mark.parametrize("has_others", [False, True])
def test_an_agent_that_another_process_made_is_known_at_once(
    gateways: tuple[Twin, Twin], message: str, answer: str, has_others: bool
) -> None:
    one, other = gateways
    tenant = f"{message.partition(' ')[0]}-{len(message)}-{has_others}"
    token = one.token(tenant=tenant)
    if has_others:
        make(other, token, name="jira-monitor")
    say(other, token, "list my agents")

    make(one, token, name="standup-notes")

    said = say(other, token, message)
    assert answer in said
    assert "You don't have any agents" not in said
