"""Files come with messages over the other wires as their clients send them, and are stored like any other."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.fakes.aws.proxy_events import Answer, Context, request
from tests.fakes.data import sample_files
from tests.fakes.deployment import functions
from tests.integration.attachments.test_attachments import Deployment

IMAGE = sample_files.png()
URL = f"data:image/png;base64,{base64.b64encode(IMAGE).decode()}"
PROGRAM = f"data:image/png;base64,{base64.b64encode(sample_files.EXECUTABLE).decode()}"


WIRES = ("ai-sdk", "ag-ui", "a2a", "chatkit", "completions", "responses")
STREAMED = ("ai-sdk", "ag-ui", "chatkit")
BY_ID_ALONE = ("chatkit",)
TAKE_CONTENT = tuple(wire for wire in WIRES if wire not in BY_ID_ALONE)


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path)


def sent(deployment: Deployment, wire: str, address: str, text: str = "hello") -> Any:
    """The answer to a message with one file, in the form of the wire."""
    paths = {
        "completions": "/openai/v1/chat/completions",
        "responses": "/openai/v1/responses",
        "ai-sdk": "/ai-sdk/chat",
        "ag-ui": "/ag-ui",
        "a2a": "/a2a",
        "chatkit": "/chatkit",
    }
    head, is_content, content = address.partition(";base64,")
    media_type = head.removeprefix("data:")
    source = {"type": "data", "mimeType": media_type, "value": content}
    raw = {"raw": content, "mediaType": media_type, "filename": "a dot.png"}
    bodies: dict[str, Any] = {
        "completions": {
            "model": "omniforge",
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": text},
                        {"type": "image_url", "image_url": {"url": address}},
                    ],
                }
            ],
        },
        "responses": {
            "model": "omniforge",
            "input": [
                {
                    "role": "user",
                    "content": [
                        {"type": "input_text", "text": text},
                        {"type": "input_file", "filename": "/home/me/a dot.png", "file_data": address},
                    ],
                }
            ],
        },
        "ai-sdk": {
            "id": "a-chat",
            "messages": [
                {
                    "id": f"m-{address[-20:]}",
                    "role": "user",
                    "parts": [
                        {"type": "text", "text": text},
                        {"type": "file", "mediaType": "image/png", "filename": "a dot.png", "url": address},
                    ],
                }
            ],
        },
        "ag-ui": {
            "threadId": "a-thread",
            "runId": f"r-{address[-20:]}",
            "messages": [
                {
                    "id": f"m-{address[-20:]}",
                    "role": "user",
                    "content": [
                        {"type": "text", "text": text},
                        {
                            "type": "image",
                            "source": source if is_content else {"type": "file", "value": address},
                        },
                    ],
                }
            ],
        },
        "a2a": {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "SendMessage",
            "params": {
                "message": {
                    "messageId": f"m-{address[-20:]}",
                    "role": "ROLE_USER",
                    "parts": [{"text": text}, raw if is_content else {"url": address}],
                }
            },
        },
        "chatkit": {
            "type": "threads.create",
            "params": {
                "input": {"content": [{"type": "input_text", "text": text}], "attachments": [address]}
            },
        },
    }
    event = request("POST", paths[wire], body=bodies[wire])
    if wire not in STREAMED:
        return functions.invoke(deployment.chat, event)
    response = deployment.chat.stream_handler(event, Context())
    return Answer(response.status, response.headers, b"".join(response.chunks).decode())


@pytest.mark.parametrize("wire", TAKE_CONTENT)
def test_a_file_of_a_client_is_stored_with_its_message(deployment: Deployment, wire: str) -> None:
    answer = sent(deployment, wire, URL)
    assert answer.status == 200, answer.body
    [conversation] = deployment.call("GET", "/v1/conversations").json["items"]
    messages = deployment.call("GET", f"/v1/conversations/{conversation['id']}/messages").json["items"]
    [file] = messages[0]["attachments"]
    assert (file["media_type"], file["size"]) == ("image/png", len(IMAGE))
    assert "/" not in file["name"]
    assert [path.read_bytes() for path in deployment.stored()] == [IMAGE]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "address",
    [PROGRAM, "https://example.com/a.png", "data:image/png;base64,!", "data:text/html,x", "x" * 10_000],
)
def test_what_is_no_file_is_refused_and_nothing_is_stored(
    deployment: Deployment, wire: str, address: str
) -> None:
    answer = sent(deployment, wire, address)
    # A call over JSON-RPC is answered, whatever was wrong with it.
    assert answer.status in ((200,) if wire == "a2a" else (400, 422)), answer.body
    assert "error" in answer.body.lower() or answer.body.endswith(")"), answer.body
    assert address[:40] not in answer.body
    assert deployment.stored() == []
    assert deployment.call("GET", "/v1/conversations").json["items"] == []


def files_of_messages(deployment: Deployment) -> list[Any]:
    """The files of all messages of the caller."""
    found = deployment.call("GET", "/v1/conversations").json["items"]
    paths = (f"/v1/conversations/{each['id']}/messages" for each in found)
    messages = (message for path in paths for message in deployment.call("GET", path).json["items"])
    return [file for message in messages for file in message["attachments"]]


@pytest.mark.parametrize("wire", WIRES)
def test_an_attachment_of_the_caller_is_sent_by_its_id_and_nobody_elses(
    deployment: Deployment, wire: str
) -> None:
    other, own = deployment.ready(IMAGE, user="noah"), deployment.ready(IMAGE)
    refused = sent(deployment, wire, other)
    assert "attachment_not_found" in refused.body, refused.body
    assert files_of_messages(deployment) == []
    assert sent(deployment, wire, own).status == 200
    assert [file["id"] for file in files_of_messages(deployment)] == [own]


@pytest.mark.parametrize("wire", WIRES)
def test_a_document_of_20_mb_is_sent_by_its_id_and_read_again(deployment: Deployment, wire: str) -> None:
    large = sample_files.pdf("walrus", padding=20 * 1024 * 1024 - 2_000)
    answer = sent(deployment, wire, deployment.ready(large, "application/pdf"))
    assert answer.status == 200, answer.body
    [file] = files_of_messages(deployment)
    found = deployment.call("GET", f"/v1/attachments/{file['id']}").json
    assert deployment.bucket("GET", found["download_url"]).content == large


DOCUMENT = sample_files.pdf("The walrus contract")
HISTORIES: dict[str, tuple[str, str, Any]] = {
    "ai-sdk": ("GET", "/ai-sdk/chat/{id}/messages", None),
    "ag-ui": ("POST", "/ag-ui", {"threadId": "{id}", "runId": "look", "messages": []}),
    "openai": ("GET", "/openai/v1/conversations/{id}/items", None),
    "chatkit": ("POST", "/chatkit", {"type": "items.list", "params": {"thread_id": "{id}"}}),
    "a2a": (
        "POST",
        "/a2a",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "ListTasks",
            "params": {"contextId": "{id}", "historyLength": 9},
        },
    ),
}


def with_files(deployment: Deployment) -> str:
    """A conversation whose one message has an image and a document."""
    files = (deployment.ready(IMAGE), deployment.ready(DOCUMENT, "application/pdf"))
    said = deployment.say(*files)
    assert said.status == 200, said.body
    return str(said.json["conversation_id"])


def shown(deployment: Deployment, wire: str, conversation_id: str) -> str:
    method, path, body = HISTORIES[wire]
    asked = json.loads(json.dumps(body).replace("{id}", conversation_id))
    answer = functions.invoke(
        deployment.chat, request(method, path.replace("{id}", conversation_id), body=asked)
    )
    assert answer.status == 200, answer.body
    # A stream is bytes, which Lambda's answers have in base64.
    return answer.body if "{" in answer.body else base64.b64decode(answer.body).decode()


def addresses(told: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r'http://127.0.0.1:1/attachments-bucket/[^"]+', told)))


@pytest.mark.parametrize("wire", HISTORIES)
def test_what_a_client_reads_of_a_conversation_has_its_files_with_addresses_that_work(
    deployment: Deployment, wire: str
) -> None:
    told = shown(deployment, wire, with_files(deployment))
    links = {urlsplit(url).path: url for url in addresses(told)}
    read = [deployment.bucket("GET", url).content for url in links.values()]
    assert sorted(read) == sorted([IMAGE, DOCUMENT]), told
    assert told.count("a file") >= 1


@pytest.mark.parametrize("number", [0, 1])
def test_a_message_that_a_client_sends_back_keeps_its_files(deployment: Deployment, number: int) -> None:
    conversation = with_files(deployment)
    [said, answer] = json.loads(shown(deployment, "ai-sdk", conversation))
    said["parts"][-1]["text"] = "hello again"
    edited = {"messageId": said["id"], "trigger": "submit-message", "messages": [said]}
    anew = {"messageId": answer["id"], "trigger": "regenerate-message", "messages": [said]}
    body = {"id": conversation, **(edited, anew)[number]}
    response = deployment.chat.stream_handler(request("POST", "/ai-sdk/chat", body=body), Context())
    stream = b"".join(response.chunks).decode()
    assert (response.status, "finish" in stream) == (200, True), stream
    [again, _answer] = json.loads(shown(deployment, "ai-sdk", conversation))
    assert [part["mediaType"] for part in again["parts"][:-1]] == ["image/png", "application/pdf"]
    assert len(deployment.stored()) == 2
    stolen = {"id": "elsewhere", "trigger": "submit-message", "messages": [said]}
    event = request("POST", "/ai-sdk/chat", body=stolen, user="noah")
    assert deployment.chat.stream_handler(event, Context()).status == 404
