"""Conversations taken along and brought back: exported by the API, imported by command."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conversation.export.exports import PAGE_DOCUMENTS
from conversation.identity import Caller
from edge.routes.exports import NEXT_CURSOR
from local.__main__ import main
from storage.keys import TenantId
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

OTHER_TENANT = Caller(TenantId("acme-eu"), "maya")


class Deployment:
    """The functions over the data of a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        settings = functions.settings(folder)
        self._chat, self._conversations = (
            functions.load(name, settings) for name in ("chat", "conversations")
        )

    def send(
        self, method: str, path: str, body: object = None, *, tenant: str = "acme", user: str = "maya"
    ) -> Any:
        """The JSON of a request that has to succeed."""
        answer = self.ask(method, path, body, tenant=tenant, user=user)
        assert answer.status < 300, answer.body
        return answer.json if answer.body else None

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        tenant: str = "acme",
        user: str = "maya",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        is_turn = path.endswith(("/chat", "/edit", "/regenerate"))
        app: ModuleType = self._chat if is_turn else self._conversations
        asked = request(method, path, body=body, tenant=tenant, user=user, headers=headers)
        return functions.invoke(app, asked)

    def say(self, message: str, conversation_id: str | None = None) -> str:
        body = {"message": message} | ({"conversation_id": conversation_id} if conversation_id else {})
        return str(self.send("POST", "/v1/chat", body)["conversation_id"])

    def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.send("GET", f"/v1/conversations/{conversation_id}/messages")[
            "items"
        ]
        return items

    def export(self, path: str = "/v1/export") -> str:
        """The whole file, page by page."""
        return "".join(self.pages(path))

    def pages(self, path: str) -> Iterator[str]:
        joint, cursor = "&" if "?" in path else "?", ""
        while True:
            answer = self.ask("GET", f"{path}{joint}cursor={cursor}" if cursor else path)
            assert answer.status == 200, answer.body
            yield answer.body
            cursor = answer.headers.get(NEXT_CURSOR.lower(), "")
            if not cursor:
                return


def taken(folder: Path, file: Path, *, tenant: str = "acme", user: str = "maya") -> int:
    """Import the file into the folder's data by command; the exit code."""
    return main(["import", "--tenant", tenant, "--user", user, "--data", str(folder), str(file)])


def stored(folder: Path) -> list[tuple[str, str]]:
    """The keys of all items of the folder's data."""
    with closing(sqlite3.connect(folder / "omniforge.db")) as connection:
        return [(pk, sk) for pk, sk in connection.execute("select pk, sk from items order by pk, sk")]


@pytest.fixture
def here(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path / "here")


@pytest.fixture
def there(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path / "there")


def saved(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "export.jsonl"
    file.write_text(text)
    return file


def lively(deployment: Deployment) -> str:
    """A conversation in which everything happened that can happen; its id."""
    chat = deployment.say("Which agents do I have?")
    deployment.say('And my tasks? 日本語 \u2028 "quoted"', chat)
    at = f"/v1/conversations/{chat}"
    deployment.send("PATCH", at, {"title": "Agents & tasks", "pinned": True, "metadata": {"a": [1.5, None]}})
    first, answer, second, _ = (each["id"] for each in deployment.messages(chat))
    deployment.send("PUT", f"{at}/messages/{answer}/feedback", {"rating": "down", "comment": "No.\nReally."})
    deployment.send("POST", f"{at}/messages/{second}/edit", {"message": "And my runs?"})
    third = deployment.messages(chat)[2]["id"]
    deployment.send("POST", f"{at}/messages/{third}/edit", {"message": "And my skills?"})
    deployment.send("POST", f"{at}/messages/{second}/select")
    deployment.send("POST", f"{at}/fork", {})
    deployment.send("DELETE", f"{at}/messages/{first}")
    return chat


def test_what_was_exported_imported_and_exported_again_has_the_same_bytes(
    here: Deployment, there: Deployment, tmp_path: Path
) -> None:
    chat = lively(here)
    here.send("PATCH", f"/v1/conversations/{here.say('Put this away')}", {"archived": True})
    here.send("POST", "/v1/conversations", {"title": "Nothing said"})
    exported = here.export()
    assert len(exported.splitlines()) != exported.count("\n") == 4  # U+2028 is no end of a line
    assert taken(there.folder, saved(tmp_path, exported)) == 0
    assert there.export() == exported
    one = f"/v1/conversations/{chat}/export"
    assert there.export(one) == here.export(one)
    assert there.messages(chat) == here.messages(chat)


def test_an_imported_conversation_goes_on_like_any_other(
    here: Deployment, there: Deployment, tmp_path: Path
) -> None:
    chat = lively(here)
    taken(there.folder, saved(tmp_path, here.export()))
    third = there.messages(chat)[2]["id"]
    versions = there.send("GET", f"/v1/conversations/{chat}/messages/{third}/versions")["items"]
    assert [each["message"]["content"] for each in versions][1:] == ["And my runs?", "And my skills?"]
    there.send("POST", f"/v1/conversations/{chat}/messages/{versions[1]['message']['id']}/select")
    there.say("Thanks", chat)
    listed = there.send("GET", "/v1/conversations")["items"]
    assert (listed[0]["id"], listed[0]["pinned"], listed[0]["message_count"]) == (chat, True, 6)


def test_importing_again_changes_nothing(
    here: Deployment, there: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lively(here)
    file = saved(tmp_path, here.export())
    taken(there.folder, file)
    before = stored(there.folder)
    assert taken(there.folder, file) == 0
    assert stored(there.folder) == before
    assert "Imported: 0 conversations with 0 messages\nAlready there: 2" in capsys.readouterr().out


def test_what_went_on_since_it_was_exported_is_left_as_it_is(
    here: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chat = here.say("hello")
    file = saved(tmp_path, here.export())
    here.say("and more", chat)
    taken(here.folder, file)
    assert f"{chat}: already there, but not the same" in capsys.readouterr().out
    assert len(here.messages(chat)) == 4


def test_markdown_shows_what_a_reader_sees(here: Deployment) -> None:
    chat = lively(here)
    text = here.export(f"/v1/conversations/{chat}/export?format=markdown")
    assert text.startswith("# Agents & tasks\n\nBegun 20")
    assert len(re.findall(r"\*\*(You|Assistant)\*\* · \d{4}-\d\d-\d\d \d\d:\d\d UTC", text)) == 3
    assert "And my tasks?" in text
    assert "👎 No. Really." in text
    assert not [gone for gone in ("Which agents do I have?", "And my runs?") if gone in text]
    assert here.export("/v1/export?format=markdown").count("# ") == 2


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("application/json;q=0.5, Text/Markdown", "text/markdown; charset=utf-8"),
        ("application/json", "application/json"),
        ("text/markdown;q=0.1, */*", "application/json"),
    ],
)
def test_a_client_gets_the_format_it_takes_rather(here: Deployment, accept: str, media_type: str) -> None:
    path = f"/v1/conversations/{here.say('Good morning!')}/export"
    assert here.ask("GET", path, headers={"Accept": accept}).headers["content-type"] == media_type
    asked = here.ask("GET", f"{path}?format=markdown", headers={"Accept": accept})
    assert asked.headers["content-type"].startswith("text/markdown")


def test_a_client_that_takes_no_form_of_a_file_is_told_so(here: Deployment) -> None:
    for accept in ("application/pdf", "text/markdown;q=0", "text/html"):
        assert here.ask("GET", "/v1/export", headers={"Accept": accept}).code == "not_acceptable"
    assert here.ask("GET", "/v1/export", headers={"Accept": "application/jsonl"}).status == 200


def test_a_browser_keeps_an_export_as_a_file(here: Deployment) -> None:
    chat = here.say("hello")
    answer = here.ask("GET", f"/v1/conversations/{chat}/export")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == f'attachment; filename="conversation-{chat}.json"'
    assert answer.json["conversation"]["id"] == chat


@pytest.mark.parametrize("query", ["format=xml", "format=", "format=json&format=json", "limit=5", "cursor=x"])
def test_another_query_is_refused(here: Deployment, query: str) -> None:
    assert here.ask("GET", f"/v1/export?{query}").status == 400


def test_nobody_exports_what_is_somebody_elses(here: Deployment) -> None:
    chat = here.say("hello")
    for tenant, user in (("acme", "derek"), ("acme-eu", "maya")):
        answer = here.ask("GET", f"/v1/conversations/{chat}/export", tenant=tenant, user=user)
        assert answer.code == "conversation_not_found"
        assert here.ask("GET", "/v1/export", tenant=tenant, user=user).body == ""


def test_a_cursor_of_one_export_is_none_of_another(here: Deployment) -> None:
    for _ in range(PAGE_DOCUMENTS + 1):
        here.send("POST", "/v1/conversations", {})
    cursor = here.ask("GET", "/v1/export").headers[NEXT_CURSOR.lower()]
    assert here.ask("GET", f"/v1/export?format=markdown&cursor={cursor}").code == "cursor_invalid"
    assert here.ask("GET", f"/v1/export?cursor={cursor}", user="derek").code == "cursor_invalid"


# What a file may have wrong with it: a change to the lines of a whole export, and what is said of it.
def other(document: dict[str, Any], **members: object) -> str:
    return json.dumps({**document, **members})


def retold(document: dict[str, Any], place: int, **members: object) -> str:
    messages = [dict(message) for message in document["messages"]]
    messages[place] |= members
    return other(document, messages=messages)


def reheaded(document: dict[str, Any], **members: object) -> str:
    return other(document, conversation={**document["conversation"], **members})


BAD: dict[str, tuple[Callable[[dict[str, Any]], str], str]] = {
    "no JSON": (lambda d: "hello\n", "Line 2: 'the document': Invalid JSON"),
    "empty line": (lambda d: "\n" + json.dumps(d), "Line 2: 'the document': Invalid JSON"),
    "no object": (lambda d: "[]\n", "Line 2: 'the document'"),
    "other schema": (lambda d: other(d, format="chatgpt"), "'format'"),
    "later version": (lambda d: other(d, version=2), "'version'"),
    "unknown member": (lambda d: other(d, more=1), "'more'"),
    "foreign tenant": (lambda d: other(d, tenant="acme-eu"), "it belongs to another tenant"),
    "foreign user": (lambda d: other(d, user="derek"), "it belongs to another user"),
    "deleted": (lambda d: reheaded(d, status="deleted"), "neither active nor archived"),
    "bad id": (lambda d: reheaded(d, id="../etc"), "32 hexadecimal digits"),
    "bad origin": (lambda d: reheaded(d, forked_from="#"), "32 hexadecimal digits"),
    "path astray": (lambda d: reheaded(d, path="1-2,9"), "the path leads out"),
    "path back and forth": (lambda d: reheaded(d, path="3-2,4"), "the path leads out"),
    "no path": (lambda d: reheaded(d, path="all"), "'conversation.path'"),
    "large metadata": (lambda d: reheaded(d, metadata={"a": "x" * 4_096}), "4096 bytes"),
    "no time": (lambda d: reheaded(d, updated_at="yesterday"), "'conversation.updated_at'"),
    "time without zone": (
        lambda d: reheaded(d, updated_at="2026-01-01T00:00:00"),
        "'conversation.updated_at'",
    ),
    "role": (lambda d: retold(d, 1, role="robot"), "'messages.1.role'"),
    "number as text": (lambda d: retold(d, 1, tokens="7"), "'messages.1.tokens'"),
    "foreign turn": (
        lambda d: retold(d, 1, turn_id="x.y"),
        "message 2: its turn is none of the conversation",
    ),
    "other role": (lambda d: retold(d, 1, role="user"), "message 2: its id does not follow"),
    "doubled message": (
        lambda d: other(d, messages=[d["messages"][0], *d["messages"]]),
        "message 1 stands where 2 belongs",
    ),
    "gap": (
        lambda d: other(d, messages=[*d["messages"][:1], *d["messages"][2:]]),
        "message 3 stands where 2",
    ),
    "begins late": (lambda d: other(d, messages=d["messages"][2:]), "what comes before message 3 is missing"),
    "versions astray": (lambda d: retold(d, 0, versions=[99]), "message 1: it names messages"),
    "left astray": (lambda d: retold(d, 0, left="1-99"), "message 1: it names messages"),
    "long": (lambda d: retold(d, 0, content="x" * 300_001), "message 1: longer than 300000 bytes"),
    "large": (lambda d: retold(d, 0, metadata={"a": "x" * 410_000}), "message 1: larger than"),
    "too complete": (lambda d: other(d, messages=d["messages"][:2]), "it is complete when"),
    "missing end": (lambda d: other(d, messages=d["messages"][:2], complete=False), "it has 2 of 4 messages"),
    "cut off": (lambda d: json.dumps(d)[:-200], "the file is cut off"),
    "doubled conversation": (lambda d: f"{json.dumps(d)}\n{json.dumps(d)}", "stands in line 2 already"),
    "older again": (
        lambda d: f"{json.dumps(d)}\n{reheaded(d, updated_at='2020-01-01T00:00:00.000Z')}",
        "stands in line 2 already",
    ),
    "very long line": (lambda d: " " * 17_000_000, "Line 2: longer than"),
    "deeply nested": (lambda d: '{"format":' * 100_000, "Line 2: "),
}


@pytest.fixture(scope="module")
def two_lines(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """An export of two conversations; the second has four messages."""
    deployment = Deployment(tmp_path_factory.mktemp("exported"))
    deployment.say("fine")
    deployment.say("something private", deployment.say("hello"))
    first, second = deployment.export().splitlines()
    return first, second


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_is_not_whole_and_right_changes_nothing(
    two_lines: tuple[str, str], tmp_path: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (spoil, told), (good, spoiled) = BAD[what], two_lines
    file = saved(tmp_path, f"{good}\n{spoil(json.loads(spoiled))}")
    assert taken(tmp_path, file) == 2
    error = capsys.readouterr().err
    assert error.startswith("Nothing was imported.")
    assert told in error
    assert "private" not in error
    assert stored(tmp_path) == []


def test_a_missing_file_is_said_to_be(
    there: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert taken(there.folder, tmp_path / "none.jsonl") == 2
    assert "none.jsonl: No such file" in capsys.readouterr().err
