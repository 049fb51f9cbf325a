"""The documented examples about policy, retention and budgets, typed word for word.

Each leaves the data that its reader expects, and changes no setting that it does not name.

Source: the examples are taken out of docs/*.md; one that is new needs an entry in `OUTCOMES`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from conversation.identity import Caller
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from tests.documented.pages import commands, section
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment.twin import ROOT, Twin

pytestmark = pytest.mark.e2e

MAYA = Caller(TenantId("acme"), "maya")
MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))
IS_EXAMPLE = re.compile(
    r"^(?:admin|api|operator) .*(?:/v1/tenant/policy|/v1/tenant/holds|/v1/tenants/acme .*limits|/v1/usage)"
    r"|^\.venv/bin/python -m local retention",
)

BEFORE: Mapping[str, Any] = {
    "retention_days": 365,
    "archived_retention_days": 730,
    "legal_hold": False,
    "tone": "calm",
    "time_zone": "Europe/Zurich",
    "limits": {"agents_per_user": 7, "burst": 50},
    "budget": {"usd_per_day": 3.0},
}
"""The policy that the reader already has."""

OLD, RECENT = "300 days old", "5 days old"
BOTH = frozenset({OLD, RECENT})


@dataclass(frozen=True)
class Outcome:
    """What an example leaves. ``policy``: the settings it changes; None: all, to the defaults."""

    policy: Mapping[str, Any] | None = field(default_factory=dict)
    left: frozenset[str] = BOTH
    """The conversations that can be read when a grace would be over."""
    code: str | None = None
    """Of the problem it answers with."""


NOTHING_CHANGES = Outcome()
BRAND = {
    "assistant_name": "Robin",
    "brand": {"color": "#0f766e", "greeting": "What can Globex do for you?"},
}
OUTCOMES = {
    f"PATCH /v1/tenant/policy {json.dumps(BRAND)}": Outcome(BRAND),
    'PATCH /v1/tenant/policy {"history": "off"}': Outcome({"history": "off"}),
    'PATCH /v1/tenant/policy {"history": "on"}': NOTHING_CHANGES,
    'PATCH /v1/tenant/policy {"retention_days": 90, "archived_retention_days": 365}': Outcome(
        {"retention_days": 90, "archived_retention_days": 365}, frozenset({RECENT})
    ),
    'PATCH /v1/tenant/policy {"deleted_grace_days": 14}': Outcome({"deleted_grace_days": 14}),
    "local retention --dry-run": NOTHING_CHANGES,
    'PATCH /v1/tenant/policy?dry_run=true {"retention_days": 30}': NOTHING_CHANGES,
    'PATCH /v1/tenant/policy {"retention_days": 30}': Outcome({"retention_days": 30}, frozenset({RECENT})),
    'PATCH /v1/tenant/policy {"retention_days": 365}': Outcome({"retention_days": 365}),
    'PUT /v1/tenant/policy {"tone": "brisk"}': Outcome(code="retention_shortened"),
    'PUT /v1/tenant/policy?confirm=true {"tone": "brisk"}': Outcome(None, frozenset({RECENT})),
    'PATCH /v1/tenant/policy {"legal_hold": true}': Outcome({"legal_hold": True}),
    'PATCH /v1/tenant/policy {"legal_hold": false}': NOTHING_CHANGES,
    "PUT /v1/tenant/holds/$ID": NOTHING_CHANGES,
    "DELETE /v1/tenant/holds/$ID": NOTHING_CHANGES,
    'PATCH /v1/tenants/acme {"limits": {"usd_per_day": 50, "usd_per_month": 500}}': NOTHING_CHANGES,
    'PATCH /v1/tenant/policy {"budget": {"usd_per_day": 5}}': Outcome({"budget": {"usd_per_day": 5.0}}),
    'PATCH /v1/tenant/policy {"budget": {"usd_per_month": 100, "usd_per_user_per_day": 1}}': Outcome(
        {"budget": {"usd_per_month": 100.0, "usd_per_user_per_day": 1.0}}
    ),
    'PATCH /v1/tenant/policy {"limits": {"agents_per_user": 20, "per_day": {"runs": 500}}}': Outcome(
        {"limits": {"agents_per_user": 20, "per_day": {"runs": 500}}}
    ),
    'PATCH /v1/tenant/policy {"redaction": "store"}': Outcome({"redaction": "store"}),
    'PATCH /v1/tenant/policy {"allowed_mail_domains": ["acme.example"]}': Outcome(
        {"allowed_mail_domains": ["acme.example"]}
    ),
    "GET /v1/usage?from=2026-03-01&to=2026-03-02": NOTHING_CHANGES,
}


def documented() -> list[tuple[str, str]]:
    """Return each example as its document has it, after the document's name."""
    found = []
    for document in DOCUMENTS:
        text = re.sub(r"\\\n\s*", "", document.read_text("utf-8"))
        lines = (line.strip() for line in text.splitlines())
        found += [(document.name, line) for line in lines if IS_EXAMPLE.search(line)]
    return found


def meaning(example: str) -> str:
    """Return an example as method, path and body, the form of `OUTCOMES`."""
    if "local retention" in example:
        return "local retention --dry-run"
    path = re.search(r"(/v1/[^\s'\"]*)", example)
    assert path is not None
    body = re.search(r" -d '([^']*)'", example)
    method = re.search(r" -X (\w+)", example)
    said = f"{method[1] if method else 'POST' if body else 'GET'} {path[1]}"
    return f"{said} {body[1]}" if body else said


class Reader:
    """Somebody with a policy and conversations, who types what the documents say."""

    def __init__(self, twin: Twin, data: Path) -> None:
        self._twin, self._data, self._rounds, self._now = twin, data, count(), MORNING
        words = commands(section((ROOT / "docs" / "api.md").read_text("utf-8"), "In the shell"))
        self._functions = "\n".join(word.text for word in words if "() {" in word.text)
        self._conversations: dict[str, str] = {}

    def _admin(self) -> str:
        return self._twin.token("acme", "ada", ["admin"])

    def begin(self) -> None:
        """Have the policy of `BEFORE`, an old and a recent conversation."""
        self.wait(days=8)
        answer = self._twin.request(
            "PUT", "/v1/tenant/policy?confirm=true", token=self._admin(), json={**BEFORE}
        )
        assert answer.status_code == 200
        turn = next(self._rounds)
        with closing(SqliteTable(self._data / "omniforge.db")) as table:
            for name, days in ((OLD, 300), (RECENT, 5)):
                begun = self._now - timedelta(days=days)
                made = write_conversation(table, MAYA, f"{name} {turn}", begun=begun, days=365)
                self._conversations[name] = made

    def types(self, example: str) -> str:
        """Run an example in a shell and return what it prints."""
        tokens = {
            "TOKEN": self._twin.token("acme", "maya"),
            "ADMIN": self._admin(),
            "OPERATOR": self._twin.token("platform", "olga", ["operator"]),
            "API": self._twin.url,
            "ID": self._conversations[OLD],
            "OMNIFORGE_CLOCK_FILE": str(self._data / "clock"),
        }
        typed = example.replace("--data .data", f"--data {self._data}")
        done = subprocess.run(
            ["/bin/bash", "-c", f"{self._functions}\n{typed}"],
            cwd=ROOT, env={**os.environ, **tokens}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    def policy(self) -> dict[str, Any]:
        """Return the policy as it is now, without its grace."""
        policy: dict[str, Any] = self._twin.get("/v1/tenant/policy", token=self._admin())
        policy.pop("retention_grace")
        policy.pop("attachments_per_message")
        return policy

    def wait(self, *, days: int) -> None:
        """Let days pass."""
        self._now += timedelta(days=days)
        self._twin.set_clock(self._now)

    def readable(self) -> frozenset[str]:
        """Return the conversations that can be read, after a sweep."""
        self.types(f".venv/bin/python -m local retention --data {self._data}")
        token = self._twin.token("acme", "maya")
        return frozenset(
            name
            for name, made in self._conversations.items()
            if self._twin.request("GET", f"/v1/conversations/{made}", token=token).status_code == 200
        )


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    folder = tmp_path_factory.mktemp("data")
    with Twin(folder, clock=MORNING, clock_runs=False, workers=1) as twin:
        yield Reader(twin, folder)


def merged(policy: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the policy with changes, in the objects it holds too."""
    parts = {
        name: merged(policy[name], value) if isinstance(value, dict) else value
        for name, value in changes.items()
    }
    return {**policy, **parts}


def test_there_are_twelve_examples_and_more_and_each_has_its_outcome() -> None:
    meanings = {meaning(example) for _, example in documented()}
    assert len(meanings) >= 12
    assert meanings <= OUTCOMES.keys()


@pytest.mark.parametrize(
    ("document", "example"), documented(), ids=[f"{name}: {meaning(text)}" for name, text in documented()]
)
def test_an_example_leaves_what_its_reader_expects(reader: Reader, document: str, example: str) -> None:
    outcome = OUTCOMES[meaning(example)]
    reader.begin()
    before = reader.policy()
    printed = reader.types(example)
    if outcome.code is not None:
        assert json.loads(printed)["code"] == outcome.code
    after = reader.policy()
    if outcome.policy is None:
        assert (after["tone"], after["retention_days"], after["limits"]["burst"]) == ("brisk", 30, None)
    else:
        assert after == merged(before, outcome.policy)
    assert reader.readable() == BOTH  # nothing goes at once
    reader.wait(days=8)
    assert reader.readable() == outcome.left


def test_a_retention_set_back_as_documented_has_taken_nothing(reader: Reader) -> None:
    reader.begin()
    reader.types("admin /v1/tenant/policy -X PATCH -d '{\"retention_days\": 30}'")
    reader.wait(days=6)
    reader.types("admin /v1/tenant/policy -X PATCH -d '{\"retention_days\": 365}'")
    reader.wait(days=8)
    assert reader.readable() == BOTH
