"""Attachments over the functions: announced, uploaded, checked, sent with a message, and read again."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from local.gateway.bucket import local_bucket
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data import sample_files
from tests.fakes.deployment import functions


class Deployment:
    """The functions that attachments pass through, with their bucket in a folder."""

    def __init__(self, folder: Path, **changes: str) -> None:
        self.files = folder / "files"
        settings = functions.settings(
            folder,
            OMNIFORGE_ATTACHMENTS=f"file://{self.files}",
            OMNIFORGE_PUBLIC_URL="http://127.0.0.1:1",
            OMNIFORGE_RETENTION_QUEUE=f"sqlite:///{folder}/retention.db",
            **changes,
        )
        self._conversations = functions.load("conversations", settings)
        self.chat = functions.load("chat", settings)
        self._bucket = local_bucket(f"file://{self.files}")

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        user: str = "maya",
        tenant: str = "acme",
        **more: Any,
    ) -> Answer:
        is_turn = path == "/v1/chat" or path.endswith(("/edit", "/regenerate"))
        module = self.chat if is_turn else self._conversations
        return functions.invoke(module, request(method, path, body=body, user=user, tenant=tenant, **more))

    def bucket(self, method: str, url: str, content: bytes = b"") -> httpx.Response:
        async def send() -> httpx.Response:
            assert self._bucket is not None
            transport = httpx.ASGITransport(app=self._bucket)
            async with httpx.AsyncClient(transport=transport) as client:
                return await client.request(method, url, content=content)

        return asyncio.run(send())

    def stored(self) -> list[Path]:
        return [each for each in self.files.rglob("*") if each.is_file() and each.name != "signing-key"]

    def announced(self, content: bytes, media_type: str = "image/png", **who: str) -> dict[str, Any]:
        body = {"name": "a file", "media_type": media_type, "size": len(content)}
        answer = self.call("POST", "/v1/attachments", body, **who)
        assert answer.status == 201, answer.body
        made: dict[str, Any] = answer.json
        return made

    def ready(self, content: bytes, media_type: str = "image/png", **who: str) -> str:
        made = self.announced(content, media_type, **who)
        assert self.bucket("PUT", made["upload"]["url"], content).status_code == 200
        answer = self.call("POST", f"/v1/attachments/{made['id']}/complete", **who)
        assert answer.status == 200, answer.body
        return str(made["id"])

    def say(self, *ids: str, **more: Any) -> Answer:
        parts = [{"type": "attachment", "id": each} for each in ids]
        return self.call("POST", "/v1/chat", {"message": "hello", "attachments": parts}, **more)


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


def code(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def test_a_file_is_uploaded_checked_sent_and_read_again(deployment: Deployment) -> None:
    content = sample_files.png()
    ready = deployment.ready(content)
    sent = deployment.say(ready)
    assert sent.status == 200, sent.body
    conversation = sent.json["conversation_id"]
    said = deployment.call("GET", f"/v1/conversations/{conversation}/messages").json["items"][0]
    assert said["attachments"] == [
        {"id": ready, "name": "a file", "media_type": "image/png", "size": len(content)}
    ]
    found = deployment.call("GET", f"/v1/attachments/{ready}").json
    assert (found["state"], found["sent"], found["expires_at"]) == ("ready", True, None)
    read = deployment.bucket("GET", found["download_url"])
    assert read.content == content
    assert read.headers["content-type"] == "image/png"
    assert read.headers["x-content-type-options"] == "nosniff"
    assert [each["id"] for each in deployment.call("GET", "/v1/attachments").json["items"]] == [ready]


def test_a_document_of_20_mb_is_uploaded_sent_and_read_again(deployment: Deployment) -> None:
    whole = 20 * 1024 * 1024
    # The more there is of it, the more digits its length has.
    more = len(sample_files.pdf("walrus", padding=whole)) - whole
    content = sample_files.pdf("walrus", padding=whole - more)
    assert len(content) == whole
    ready = deployment.ready(content, "application/pdf")
    assert deployment.say(ready).status == 200
    found = deployment.call("GET", f"/v1/attachments/{ready}").json
    assert deployment.bucket("GET", found["download_url"]).content == content
    program = sample_files.EXECUTABLE.ljust(whole, b"\0")
    made = deployment.announced(program, "application/pdf")
    deployment.bucket("PUT", made["upload"]["url"], program)
    assert code(deployment.call("POST", f"/v1/attachments/{made['id']}/complete")) == (
        422,
        "attachment_invalid",
    )
    assert len(deployment.stored()) == 1


def test_files_take_a_message_one_request_more_however_many(deployment: Deployment) -> None:
    conversation = deployment.say().json["conversation_id"]
    requests, counts = Requests(), []
    deployment.chat.tables._table = ObservedTable(deployment.chat.tables._table, requests)
    for many in (0, 1, 5):
        parts = [{"type": "attachment", "id": deployment.ready(sample_files.png())} for _ in range(many)]
        body = {"message": "hello", "conversation_id": conversation, "attachments": parts}
        requests.names.clear()
        assert deployment.call("POST", "/v1/chat", body).status == 200
        counts.append(len(requests.names))
    assert counts == [3, 4, 4]


def test_a_small_file_needs_no_upload(deployment: Deployment) -> None:
    content = b"a,b\n"
    body = {
        "name": "table.csv",
        "media_type": "text/csv",
        "size": len(content),
        "content": base64.b64encode(content).decode(),
    }
    made = deployment.call("POST", "/v1/attachments", body).json
    assert made["state"] == "ready"
    assert deployment.bucket("GET", made["download_url"]).content == content
    assert deployment.say(made["id"]).status == 200


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"media_type": "application/x-msdownload"}, (415, "attachment_type_not_allowed")),
        ({"media_type": "image/svg+xml"}, (415, "attachment_type_not_allowed")),
        ({"size": 20 * 1024 * 1024 + 1}, (413, "attachment_too_large")),
        ({"media_type": "text/plain", "size": 1024 * 1024 + 1}, (413, "attachment_too_large")),
        ({"size": 0}, (400, "field_invalid")),
        ({"name": "x" * 10_000}, (400, "field_too_long")),
        ({"name": "../../etc/passwd"}, (400, "field_invalid")),
        ({"name": "..\\x"}, (400, "field_invalid")),
        ({"name": ".."}, (400, "field_invalid")),
        ({"name": "a\nb"}, (400, "field_invalid")),
        ({"content": "no base64!"}, (400, "field_invalid")),
        ({"content": base64.b64encode(sample_files.EXECUTABLE).decode()}, (422, "attachment_invalid")),
    ],
)
def test_what_is_announced_wrongly_is_refused_and_nothing_is_written(
    deployment: Deployment, changes: dict[str, Any], expected: tuple[int, str]
) -> None:
    body = {"name": "x.png", "media_type": "image/png", "size": len(sample_files.EXECUTABLE), **changes}
    assert code(deployment.call("POST", "/v1/attachments", body)) == expected
    assert deployment.stored() == []
    assert deployment.call("GET", "/v1/attachments").json["items"] == []


def test_a_renamed_program_is_refused_and_nothing_is_left_of_it(deployment: Deployment) -> None:
    made = deployment.announced(sample_files.EXECUTABLE)
    deployment.bucket("PUT", made["upload"]["url"], sample_files.EXECUTABLE)
    complete = f"/v1/attachments/{made['id']}/complete"
    assert code(deployment.call("POST", complete)) == (422, "attachment_invalid")
    assert deployment.stored() == []
    assert code(deployment.call("POST", complete)) == (404, "attachment_not_found")


def test_the_address_takes_no_other_length_method_or_key_and_ends(deployment: Deployment) -> None:
    url = deployment.announced(b"abc", "text/plain")["upload"]["url"]
    assert deployment.bucket("PUT", url, b"abcd").status_code == 403
    assert deployment.bucket("GET", url).status_code == 403
    parts = urlsplit(url)
    other = parts.path[:-1] + ("0" if parts.path[-1] != "0" else "1")
    assert deployment.bucket("PUT", url.replace(parts.path, other), b"abc").status_code == 403
    assert deployment.bucket("PUT", url.replace("expires=", "expires=9"), b"abc").status_code == 403
    assert deployment.bucket("GET", "http://x/attachments-bucket/signing-key").status_code == 403
    assert deployment.stored() == []


def test_what_was_checked_can_not_be_replaced_by_its_address(deployment: Deployment) -> None:
    content = sample_files.png()
    made = deployment.announced(content)
    deployment.bucket("PUT", made["upload"]["url"], content)
    done = deployment.call("POST", f"/v1/attachments/{made['id']}/complete").json
    deployment.bucket("PUT", made["upload"]["url"], b"x" * len(content))
    assert deployment.bucket("GET", done["download_url"]).content == content


def test_an_upload_that_was_never_finished_can_not_be_sent(deployment: Deployment) -> None:
    made = deployment.announced(sample_files.png())
    assert code(deployment.say(made["id"])) == (409, "attachment_not_ready")
    assert code(deployment.call("POST", f"/v1/attachments/{made['id']}/complete")) == (
        409,
        "attachment_not_ready",
    )
    assert deployment.call("GET", "/v1/conversations").json["items"] == []


def test_a_file_of_another_user_or_tenant_is_not_found(deployment: Deployment) -> None:
    ready = deployment.ready(sample_files.png())
    for who in ({"user": "noah"}, {"tenant": "acme-eu"}):
        assert code(deployment.say(ready, **who)) == (404, "attachment_not_found")
        assert code(deployment.call("GET", f"/v1/attachments/{ready}", **who)) == (
            404,
            "attachment_not_found",
        )
        assert code(deployment.call("DELETE", f"/v1/attachments/{ready}", **who)) == (
            404,
            "attachment_not_found",
        )
        assert deployment.call("GET", "/v1/attachments", **who).json["items"] == []
        assert deployment.call("GET", "/v1/conversations", **who).json["items"] == []


def test_a_file_is_sent_once_but_a_repeated_request_gets_its_answer(deployment: Deployment) -> None:
    ready, headers = deployment.ready(sample_files.png()), {"Idempotency-Key": "k1"}
    first = deployment.say(ready, headers=headers)
    again = deployment.say(ready, headers=headers)
    assert (again.status, again.json["message"]["id"]) == (200, first.json["message"]["id"])
    assert code(deployment.say(ready)) == (409, "attachment_used")
    assert code(deployment.say(ready, ready)) == (400, "too_many_attachments")
    assert code(deployment.call("DELETE", f"/v1/attachments/{ready}")) == (409, "attachment_used")


def test_an_edit_may_keep_the_files_and_a_regeneration_does(deployment: Deployment) -> None:
    ready = deployment.ready(sample_files.png())
    said = deployment.say(ready).json
    place = f"/v1/conversations/{said['conversation_id']}/messages"
    first, *_ = deployment.call("GET", place).json["items"]
    edited = {"message": "hi", "attachments": [{"id": ready}]}
    assert deployment.call("POST", f"{place}/{first['id']}/edit", edited).status == 200
    newest = deployment.call("GET", place).json["items"]
    assert [each["attachments"][0]["id"] for each in newest if each["role"] == "user"] == [ready]
    again = deployment.call("POST", f"{place}/{newest[-1]['id']}/regenerate", {})
    assert again.status == 200, again.body
    assert deployment.call("GET", place).json["items"][0]["attachments"][0]["id"] == ready


def test_there_is_a_limit_of_files_per_message_and_of_announcements_a_day(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path, OMNIFORGE_ATTACHMENTS_PER_MESSAGE="1")
    ids = [deployment.ready(sample_files.png()) for _ in range(2)]
    assert code(deployment.say(*ids)) == (400, "too_many_attachments")
    policy = {"limits": {"per_user_per_day": {"attachments": 2}}}
    workspace = functions.load("workspace", functions.settings(tmp_path))
    given = functions.invoke(
        workspace, request("PATCH", "/v1/tenant/policy", body=policy, user="ada", roles="admin")
    )
    assert given.status == 200, given.body
    fresh = Deployment(tmp_path)
    body = {"name": "x", "media_type": "image/png", "size": 9}
    assert code(fresh.call("POST", "/v1/attachments", body)) == (429, "daily_limit_reached")


def test_a_tenant_says_which_types_its_users_may_send(tmp_path: Path) -> None:
    workspace = functions.load("workspace", functions.settings(tmp_path))
    policy = {"attachment_types": ["text/plain"]}
    functions.invoke(workspace, request("PATCH", "/v1/tenant/policy", body=policy, user="ada", roles="admin"))
    body = {"name": "x", "media_type": "image/png", "size": 9}
    refused = Deployment(tmp_path).call("POST", "/v1/attachments", body)
    assert code(refused) == (415, "attachment_type_not_allowed")


def test_a_tenant_says_how_large_files_may_be_and_the_audit_log_says_who_said_so(tmp_path: Path) -> None:
    workspace, tenants = (
        functions.load(name, functions.settings(tmp_path)) for name in ("workspace", "tenants")
    )

    def changed(value: object) -> Answer:
        body = {"attachment_bytes": value}
        event = request("PATCH", "/v1/tenant/policy", body=body, user="ada", roles="admin")
        return functions.invoke(workspace, event)

    for refused in (0, -1, 2**40, "20 MB", 1.5, True):
        assert changed(refused).status == 400
    assert changed(100).json["attachment_bytes"] == 100
    deployment = Deployment(tmp_path)
    announced = {"name": "x", "media_type": "image/png", "size": 101}
    assert code(deployment.call("POST", "/v1/attachments", announced)) == (413, "attachment_too_large")
    assert deployment.call("POST", "/v1/attachments", announced, tenant="globex").status == 201
    assert deployment.call("POST", "/v1/attachments", {**announced, "size": 100}).status == 201
    # A tenant can't allow more than its operator does.
    assert changed(1_000).status == 200
    small = Deployment(tmp_path, OMNIFORGE_ATTACHMENT_BYTES="500")
    assert code(small.call("POST", "/v1/attachments", {**announced, "size": 501})) == (
        413,
        "attachment_too_large",
    )
    listed = functions.invoke(tenants, request("GET", "/v1/audit", user="ada", roles="admin")).json
    acts = [(each["act"], each["actor"], each["before"], each["after"]) for each in listed["items"]]
    assert acts == [
        ("policy_changed", "ada", {"attachment_bytes": 100}, {"attachment_bytes": 1_000}),
        ("policy_changed", "ada", {"attachment_bytes": None}, {"attachment_bytes": 100}),
    ]


def test_an_export_has_the_files_of_its_user_and_of_nobody_else(deployment: Deployment) -> None:
    people = [("acme", "maya"), ("acme", "noah"), ("globex", "maya")]
    canaries = {who: sample_files.pdf(f"canary of {'-'.join(who)}") for who in people}
    for (tenant, user), canary in canaries.items():
        file = deployment.ready(canary, "application/pdf", tenant=tenant, user=user)
        assert deployment.say(file, tenant=tenant, user=user).status == 200
    for (tenant, user), canary in canaries.items():
        exported = deployment.call("GET", "/v1/export", tenant=tenant, user=user)
        [document] = map(json.loads, exported.body.splitlines())
        files = [file for said in document["messages"] for file in said.get("attachments", ())]
        read = [deployment.bucket("GET", file["download_url"]).content for file in files]
        assert read == [canary]
        assert [file["media_type"] for file in files] == ["application/pdf"]


def test_where_there_is_no_bucket_nothing_is_taken(tmp_path: Path) -> None:
    module = functions.load("conversations", functions.settings(tmp_path))
    body = {"name": "x", "media_type": "image/png", "size": 9}
    assert code(functions.invoke(module, request("POST", "/v1/attachments", body=body))) == (
        403,
        "attachments_off",
    )
