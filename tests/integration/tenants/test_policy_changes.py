"""Changes of a policy over its routes: what stays, what is refused, and what a shorter retention takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

import pytest

from conversation.clock import Deadline
from conversation.identity import Caller
from conversation.retention.jobs import RetentionUpdate, UpdateRetentionJob
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from tests.fakes.aws.proxy_events import Answer, Context, request
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.deployment.functions import invoke, load, settings

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
MAYA = Caller(TenantId("acme"), "maya")


class Acme:
    """A tenant with a year of conversations, and its administrator."""

    def __init__(self, folder: Path) -> None:
        self._clock = folder / "clock"
        self.at(MORNING)
        environ = settings(folder, OMNIFORGE_CLOCK_FILE=str(self._clock))
        queue = {"OMNIFORGE_RETENTION_QUEUE": f"sqlite:///{folder}/retention.db"}
        self._apps: dict[str, ModuleType] = {
            name: load(name, {**environ, **queue})
            for name in ("workspace", "conversations", "retention", "tenants", "chat")
        }
        self._table = SqliteTable(folder / "omniforge.db")

    def at(self, moment: datetime) -> None:
        """Set the clock."""
        self._clock.write_text(moment.isoformat())

    def policy(
        self, method: str, body: Mapping[str, object] | None = None, roles: str = "admin", **query: str
    ) -> Answer:
        """Send a request for the policy."""
        path = f"/v1/tenant/policy?{urlencode(query)}"
        return invoke(self._apps["workspace"], request(method, path, body=body, user="ada", roles=roles))

    def began(self, name: str, days_ago: int) -> str:
        """Write a conversation of Maya's that began, and ended, so many days ago."""
        return write_conversation(self._table, MAYA, name, begun=MORNING - timedelta(days=days_ago), days=365)

    def sweep(self) -> Any:
        """Give conversations their due days, as the stream asks for it, and remove what has expired."""
        redate = UpdateRetentionJob(RetentionUpdate(MAYA.tenant))
        self._apps["retention"].work(redate.to_body(), Deadline.after(self._apps["retention"].clock, 60))
        return self._apps["retention"].handler({}, Context())

    def listed(self) -> set[str]:
        """Return the titles of Maya's conversations."""
        listed = invoke(self._apps["conversations"], request("GET", "/v1/conversations"))
        return {each["title"] for each in listed.json["items"]}

    def says(self, *messages: str) -> str:
        """Have the administrator say these in one new conversation, and return the last answer."""
        reply: dict[str, Any] = {}
        for message in messages:
            body = {"message": message, "conversation_id": reply.get("conversation_id")}
            given = {name: value for name, value in body.items() if value}
            answer = invoke(
                self._apps["chat"], request("POST", "/v1/chat", body=given, user="ada", roles="admin")
            )
            assert answer.status == 200, answer.body
            reply = answer.json
        return str(reply["message"]["content"])

    def audited(self) -> list[dict[str, Any]]:
        """Return the audit log, newest first."""
        log = invoke(self._apps["tenants"], request("GET", "/v1/audit", user="ada", roles="admin"))
        return list(log.json["items"])


@pytest.fixture
def acme(tmp_path: Path) -> Acme:
    return Acme(tmp_path)


def test_a_patch_changes_what_it_names_and_keeps_the_rest(acme: Acme) -> None:
    acme.policy(
        "PUT", {"retention_days": 365, "limits": {"agents_per_user": 5, "burst": 20}, "tone": "brisk"}
    )
    changed = acme.policy("PATCH", {"budget": {"usd_per_day": 5}, "limits": {"burst": 10}})
    assert changed.status == 200
    assert changed.json == acme.policy("GET").json
    policy = changed.json
    assert (policy["retention_days"], policy["tone"]) == (365, "brisk")
    assert policy["budget"] == {
        "usd_per_day": 5.0, "usd_per_month": None, "usd_per_user_per_day": None,
        "usd_per_user_per_month": None,
    }  # fmt: skip
    assert (policy["limits"]["agents_per_user"], policy["limits"]["burst"]) == (5, 10)


def test_the_policy_says_how_many_files_a_message_may_have_and_takes_no_other_number(acme: Acme) -> None:
    assert acme.policy("GET").json["attachments_per_message"] == 5
    assert acme.policy("PATCH", {"attachments_per_message": 9}).json["attachments_per_message"] == 5


def test_a_patch_takes_a_value_back_with_null(acme: Acme) -> None:
    acme.policy("PATCH", {"budget": {"usd_per_day": 5}, "archived_retention_days": 365})
    acme.policy("PATCH", {"budget": {"usd_per_day": None}, "archived_retention_days": None})
    policy = acme.policy("GET").json
    assert (policy["budget"]["usd_per_day"], policy["archived_retention_days"]) == (None, None)


def test_a_patch_with_nothing_changes_nothing(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    assert acme.policy("PATCH", {}).json["retention_days"] == 365


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"retention_days": None}, "field_type"),
        ({"retention_days": 0}, "field_invalid"),
        ({"retention": 90}, "field_unknown"),
        ({"limits": {"agents": 0}}, "field_invalid"),
    ],
)
def test_a_patch_that_can_not_be_is_refused_and_changes_nothing(
    acme: Acme, body: dict[str, object], code: str
) -> None:
    before = acme.policy("GET").json
    assert (acme.policy("PATCH", body).status, acme.policy("PATCH", body).code) == (400, code)
    assert acme.policy("GET").json == before


def test_only_an_admin_patches_the_policy(acme: Acme) -> None:
    assert acme.policy("PATCH", {"tone": "brisk"}, roles="").code == "role_required"


def test_a_replacement_that_shortens_the_retention_needs_a_confirmation(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    acme.began("last week", days_ago=7)
    refused = acme.policy("PUT", {"budget": {"usd_per_day": 5}})
    assert (refused.status, refused.code) == (409, "retention_shortened")
    assert (
        refused.json["retention_grace"]["conversations"],
        refused.json["retention_grace"]["and_more"],
    ) == (1, False)
    assert acme.policy("GET").json["retention_days"] == 365
    assert acme.policy("PUT", {"budget": {"usd_per_day": 5}}, confirm="true").json["retention_days"] == 30


def test_a_replacement_that_shortens_nothing_needs_no_confirmation(acme: Acme) -> None:
    assert acme.policy("PUT", {"retention_days": 365}).status == 200
    assert acme.policy("PUT", {"retention_days": 365, "tone": "brisk"}).status == 200


def test_the_policy_as_it_was_read_can_be_put_back(acme: Acme) -> None:
    acme.policy("PATCH", {"retention_days": 10})
    read = acme.policy("GET").json
    assert read["retention_grace"]["retention_days"] == 30
    assert acme.policy("PUT", read).json == read


def test_a_dry_run_shows_what_a_shorter_retention_takes_and_changes_nothing(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    shown = acme.policy("PATCH", {"retention_days": 30}, dry_run="true").json
    assert shown["retention_grace"].pop("until").startswith("2026-03-09T08:")
    assert shown["retention_grace"] == {
        "retention_days": 365,
        "archived_retention_days": 365,
        "deleted_grace_days": 7,
        "legal_hold": False,
        "conversations": 1,
        "and_more": False,
    }
    assert acme.policy("GET").json["retention_days"] == 365


def test_a_shorter_retention_takes_nothing_for_seven_days_and_then_what_it_showed(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    acme.began("last week", days_ago=7)
    shown = acme.policy("PATCH", {"retention_days": 30}).json["retention_grace"]
    assert (shown["conversations"], shown["until"][:14]) == (1, "2026-03-09T08:")
    acme.at(MORNING + timedelta(days=6, hours=23))
    acme.sweep()
    assert acme.listed() == {"last spring", "last week"}
    acme.at(MORNING + timedelta(days=7, hours=1))
    assert acme.listed() == {"last week"}
    acme.at(MORNING + timedelta(days=8))
    assert acme.sweep()["removed"] == 1
    assert acme.policy("GET").json["retention_grace"] is None


def test_a_retention_set_back_within_the_grace_has_taken_nothing(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    acme.policy("PATCH", {"retention_days": 30})
    acme.at(MORNING + timedelta(days=6))
    assert acme.policy("PATCH", {"retention_days": 365}).json["retention_grace"] is None
    acme.at(MORNING + timedelta(days=30))
    acme.sweep()
    assert acme.listed() == {"last spring"}


def test_a_hold_of_the_workspace_that_is_lifted_takes_nothing_for_seven_days(acme: Acme) -> None:
    acme.policy("PATCH", {"legal_hold": True})
    acme.began("two years ago", days_ago=700)
    assert acme.policy("PUT", {"tone": "brisk"}).code == "retention_shortened"
    assert acme.policy("PATCH", {"legal_hold": False}).json["retention_grace"]["conversations"] == 1
    assert acme.listed() == {"two years ago"}
    acme.at(MORNING + timedelta(days=8))
    acme.sweep()
    assert acme.listed() == set()


def test_a_second_shortening_within_the_grace_keeps_what_the_first_kept(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    acme.policy("PATCH", {"retention_days": 90})
    acme.at(MORNING + timedelta(days=5))
    acme.policy("PATCH", {"retention_days": 30})
    acme.at(MORNING + timedelta(days=11))
    acme.sweep()
    assert acme.listed() == {"last spring"}


def test_undoing_a_shorter_retention_in_the_chat_ends_its_grace_and_nothing_goes(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    said = acme.says("keep chats for 30 days", "yes", "undo that")
    assert "365 days (1 year) after the last activity again" in said
    policy = acme.policy("GET").json
    assert (policy["retention_days"], policy["retention_grace"]) == (365, None)
    acme.at(MORNING + timedelta(days=30))
    acme.sweep()
    assert acme.listed() == {"last spring"}


def test_undoing_a_longer_retention_in_the_chat_has_a_grace_of_its_own(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.began("last spring", days_ago=300)
    acme.policy("PATCH", {"retention_days": 30})
    acme.at(MORNING + timedelta(days=3))
    acme.says("keep chats for 90 days", "yes", "undo that")
    policy = acme.policy("GET").json
    assert policy["retention_days"] == 30
    assert policy["retention_grace"]["until"].startswith("2026-03-12T08:")
    assert policy["retention_grace"]["retention_days"] == 365
    acme.at(MORNING + timedelta(days=9))
    acme.sweep()
    assert acme.listed() == {"last spring"}
    acme.at(MORNING + timedelta(days=11))
    acme.sweep()
    assert acme.listed() == set()


def test_users_see_the_grace_and_not_how_much_goes(acme: Acme) -> None:
    acme.began("last spring", days_ago=20)
    acme.policy("PATCH", {"retention_days": 10})
    assert acme.policy("GET", roles="").json["retention_grace"]["conversations"] is None


def test_the_audit_log_has_the_values_before_and_after(acme: Acme) -> None:
    acme.policy("PUT", {"retention_days": 365})
    acme.policy("PATCH", {"retention_days": 90, "tone": "brisk"})
    newest, first = acme.audited()
    assert (newest["act"], first["act"]) == ("policy_changed", "policy_replaced")
    assert newest["before"] == {"retention_days": 365, "tone": "friendly"}
    assert newest["after"] == {"retention_days": 90, "tone": "brisk"}
    assert json.dumps(first["after"]) == '{"retention_days": 365}'


def test_everybody_reads_the_brand_and_the_log_keeps_no_image(acme: Acme) -> None:
    logo = "data:image/png;base64,iVBORw0KGgo="
    brand = {"color": "#0f766e", "logo": logo, "greeting": "What can Globex do for you?"}
    assert acme.policy("PATCH", {"brand": brand}).status == 200
    assert acme.policy("PATCH", {"brand": {"color": None}}).status == 200
    read = acme.policy("GET", roles="").json["brand"]
    assert read == {**brand, "color": None}
    second, first = acme.audited()[:2]
    assert first["after"]["brand"]["logo"] == f"data:image/png, {len(logo)} characters"
    assert second["after"]["brand"]["greeting"] == brand["greeting"]
