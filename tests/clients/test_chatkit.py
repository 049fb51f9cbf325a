"""Requests and events of ChatKit, of its own package's types, and the twin: journeys, faults, bad input."""

from __future__ import annotations

import json
import os
import random
from base64 import b64encode
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import httpx
import pytest
from chatkit import types as kit
from chatkit.actions import Action
from pydantic import TypeAdapter

from tests.clients.faulty_proxy import Faults, FaultyProxy
from tests.clients.handbook import ASKED, STRONG, answered
from tests.fakes.data.sample_files import pdf, png
from tests.fakes.deployment.twin import ANSWER_WITHIN_S, Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.models.model_script import Gate, Reply
from tests.fakes.models.model_server import ModelServer

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("forgetful")]

PIECES = [f"{place}. Satz — ü 日本\r\n\n{'y' * (place % 5)}" for place in range(40)]
PAUSE_MS = 100
AGENT = "I want our project updates from Notion every Monday at 9, and report here"
CHATS, TURNS, CUTS = int(os.environ.get("CHATS", "8")), 5, 20
"""With `CHATS=200` a thousand turns go through the faults; a busy machine needs `--timeout 1800` for them."""
EVENTS: TypeAdapter[Any] = TypeAdapter(kit.ThreadStreamEvent)
ITEMS: TypeAdapter[Any] = TypeAdapter(kit.Page[kit.ThreadItem])


class Refused(Exception):
    """The request was refused before its stream began."""

    def __init__(self, status: int, event: kit.ErrorEvent) -> None:
        super().__init__(f"{status}: {event.message}")
        self.status, self.event = status, event


class Page:
    """A page that talks as ChatKit does, and keeps the items of a thread as the events say."""

    def __init__(self, twin: Twin, token: str, *, url: str = "") -> None:
        self.twin, self.token, self.url = twin, token, url or twin.url
        self.thread: str | None = None
        self.items: dict[str, Any] = {}

    def post(self, request: Any, *, cut_after: int | None = None, key: str | None = None) -> list[Any] | Any:
        """The events of a streamed request, or the JSON of another one; ``key`` is added by its `fetch`."""
        named = {} if key is None else {"Idempotency-Key": key}
        with httpx.stream(
            "POST",
            f"{self.url}/chatkit",
            content=request.model_dump_json(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **named},
            timeout=ANSWER_WITHIN_S,
        ) as response:
            if response.status_code != 200:
                sent = json.loads(response.read())
                raise Refused(response.status_code, kit.ErrorEvent.model_validate(sent))
            if not kit.is_streaming_req(request):
                return json.loads(response.read())
            events = []
            for line in response.iter_lines():
                if line.startswith("data: "):
                    events.append(EVENTS.validate_json(line[6:]))
                    self.apply(events[-1])
                if len(events) == cut_after:
                    break
            return events

    def apply(self, event: Any) -> None:
        match event:
            case kit.ThreadCreatedEvent():
                self.thread = event.thread.id
            case kit.ThreadItemAddedEvent() | kit.ThreadItemDoneEvent():
                assert event.item.thread_id == self.thread
                self.items[event.item.id] = event.item
            case kit.ThreadItemUpdatedEvent(update=kit.AssistantMessageContentPartTextDelta() as update):
                self.items[event.item_id].content[update.content_index].text += update.delta
            case kit.ThreadItemUpdatedEvent(update=update):
                assert isinstance(
                    update, kit.AssistantMessageContentPartAdded | kit.AssistantMessageContentPartDone
                )
                self.items[event.item_id].content[:] = [update.content]
            case kit.ThreadItemRemovedEvent():
                del self.items[event.item_id]
            case kit.ErrorEvent():
                raise AssertionError(event.message)
            case _:
                pass

    def request(self, text: str, message_id: str | None = None) -> Any:
        content = [kit.UserMessageTextContent(text=text)]
        said = kit.UserMessageInput(content=content, attachments=[], inference_options=kit.InferenceOptions())
        metadata = {"message_id": message_id} if message_id else {}
        if self.thread is None:
            return kit.ThreadsCreateReq(params=kit.ThreadCreateParams(input=said), metadata=metadata)
        params = kit.ThreadAddUserMessageParams(input=said, thread_id=self.thread)
        return kit.ThreadsAddUserMessageReq(params=params, metadata=metadata)

    def say(self, text: str) -> str:
        self.post(self.request(text))
        return self.last

    @property
    def last(self) -> str:
        """The text of the newest answer."""
        answers = [each for each in self.items.values() if isinstance(each, kit.AssistantMessageItem)]
        return str(answers[-1].content[0].text)

    @property
    def buttons(self) -> dict[str, Any]:
        """The actions below the newest answer, by their labels."""
        *_, newest = self.items.values()
        if not isinstance(newest, kit.WidgetItem):
            return {}
        column = newest.model_dump()["widget"]["children"][0]
        return {each["label"]: each["onClickAction"] for each in column["children"]}

    def click(self, label: str) -> str:
        action = self.buttons[label]
        self.post(self.action(action["type"], action["payload"]))
        return self.last

    def action(self, kind: str, payload: Any = None) -> Any:
        made: Any = Action[str, Any](type=kind, payload=payload)
        params = kit.ThreadCustomActionParams(thread_id=str(self.thread), action=made)
        return kit.ThreadsCustomActionReq(params=params)

    def reloaded(self) -> kit.Thread:
        params = kit.ThreadGetByIdParams(thread_id=str(self.thread))
        return kit.Thread.model_validate(self.post(kit.ThreadsGetByIdReq(params=params)))

    def listed(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.twin.get(path, token=self.token)["items"]
        return found

    def stored(self) -> list[str]:
        """The texts of all messages of the user's one conversation."""
        [conversation] = self.listed("/v1/conversations")
        return [each["content"] for each in self.listed(f"/v1/conversations/{conversation['id']}/messages")]


@pytest.fixture
def page(twin: Twin, request: pytest.FixtureRequest) -> Page:
    return Page(twin, twin.token("acme", request.node.name))


# Journeys


def test_an_agent_is_set_up_in_several_messages_also_after_a_crash(twin: Twin, page: Page) -> None:
    page.say("I want our project updates from Notion every Monday")
    assert page.listed("/v1/agents") == []
    twin.kill9()
    twin.restart()
    assert "notion-reporter" in page.say("At 9, and report here")
    assert [agent["name"] for agent in page.listed("/v1/agents")] == ["notion-reporter"]
    assert list(page.items.values()) == page.reloaded().items.data


def test_agents_are_listed_and_one_is_picked_by_a_button_and_run(page: Page) -> None:
    for name in ("notion-reporter", "notion-watcher"):
        body = {"name": name, "what": f"what the {name} finds", "sources": ["notion"]}
        assert page.twin.request("POST", "/v1/agents", token=page.token, json=body).status_code == 201
    assert "notion-watcher" in page.say("List my agents")
    page.say("Run the notion agent")
    assert sorted(page.buttons) == ["notion-reporter", "notion-watcher"]
    page.click("notion-watcher")
    assert [run["agent_name"] for run in page.listed("/v1/runs")] == ["notion-watcher"]


def test_tasks_are_added_and_completed_in_one_thread(page: Page) -> None:
    for text in ("Add a task to buy groceries", "Add a task to call the bank", "Complete the first task"):
        page.say(text)
    done = {task["title"]: task["completed"] for task in page.listed("/v1/tasks")}
    assert done == {"buy groceries": True, "call the bank": False}
    assert len(page.stored()) == 6


@pytest.mark.parametrize("label", ["Yes", "No"])
def test_a_proposal_is_answered_by_a_button_once(page: Page, label: str) -> None:
    page.say(AGENT)
    page.say("Delete my agent")
    assert list(page.buttons) == ["Yes", "No"]
    action = page.buttons[label]
    given = [page.click(label), page.last]
    page.post(page.action(action["type"], action["payload"]))
    assert [*given, page.last] == [page.last] * 3
    assert (page.listed("/v1/agents") == []) == (label == "Yes")
    assert len(page.stored()) == 6
    page.say("Add a task to buy groceries")
    with pytest.raises(Refused, match="proposal_closed"):
        page.post(page.action(action["type"], action["payload"]))


def test_a_long_answer_arrives_whole(page: Page, server: ModelServer) -> None:
    server.use(answered(Reply(pieces=PIECES)))
    assert page.say(ASKED) == "".join(PIECES)


def test_errors_and_limits_are_events_of_an_error(twin: Twin) -> None:
    page = Page(twin, twin.token("acme", "wrong"))
    page.thread = "made-up"
    with pytest.raises(Refused) as refused:
        page.reloaded()
    assert (refused.value.status, refused.value.event.allow_retry) == (404, False)
    admin = twin.token("limited", "root", roles=["admin"])
    limits = {"limits": {"turns_per_minute": 1, "burst": 1}}
    assert twin.request("PUT", "/v1/tenant/policy", token=admin, json=limits).status_code == 200
    limited = Page(twin, twin.token("limited", "chatkit"))
    with pytest.raises(Refused, match="rate_limited") as told:
        say_often(limited)
    assert (told.value.status, told.value.event.allow_retry) == (429, True)


def say_often(page: Page) -> None:
    for _ in range(3):
        page.say("Hello")


def test_an_answer_is_stopped_by_an_action_and_keeps_what_was_said(page: Page, server: ModelServer) -> None:
    gate = Gate(let=3)
    server.use(answered(Reply(pieces=PIECES, gate=gate)))
    page.post(page.request(ASKED), cut_after=6)
    made: Any = Action[str, Any](type="omniforge.stop")
    params = kit.ThreadCustomActionParams(thread_id=str(page.thread), action=made)
    assert page.post(kit.ThreadsSyncCustomActionReq(params=params)) == {}
    eventually(lambda: len(page.stored()) == 2, within_s=120)
    gate.release(len(PIECES))
    assert "".join(PIECES).startswith(page.stored()[1])
    page.say("Add a task to buy groceries")
    assert len(page.stored()) == 4


def test_a_stream_that_is_cut_anywhere_is_whole_after_a_reload_with_one_call_of_the_model(
    twin: Twin, server: ModelServer
) -> None:
    server.use(answered(Reply(pieces=PIECES, pause_ms=PAUSE_MS)))
    strong, draw = STRONG.partition("/")[2], random.Random(31)

    def cut(number: int) -> tuple[str, str]:
        page = Page(twin, twin.token("acme", f"cut-{number}"))
        page.post(page.request(ASKED), cut_after=draw.randrange(3, len(PIECES)))
        [asked] = [each for each in page.items.values() if isinstance(each, kit.UserMessageItem)]
        # What is under way is followed from its beginning, instead of being made anew.
        params = kit.ThreadRetryAfterItemParams(thread_id=str(page.thread), item_id=asked.id)
        page.post(kit.ThreadsRetryAfterItemReq(params=params))
        return page.last, page.reloaded().items.data[1].content[0].text  # type: ignore[union-attr]

    with ThreadPoolExecutor(CUTS) as clients:
        told = list(clients.map(cut, range(CUTS)))
    assert told == [("".join(PIECES),) * 2] * CUTS
    asked = sum(request.body["model"] == strong for request in server.log().requests)
    assert asked == CUTS


def test_a_file_is_an_attachment_of_its_items(page: Page) -> None:
    content = {"image/png": png(), "application/pdf": pdf("walrus")}
    ids = []
    for media_type, sent in content.items():
        new = {"name": "a file", "media_type": media_type, "size": len(sent)}
        body = {**new, "content": b64encode(sent).decode()}
        ids.append(page.twin.request("POST", "/v1/attachments", token=page.token, json=body).json()["id"])
    said = page.request("Hello")
    said.params.input.attachments = ids
    page.post(said)
    first = page.reloaded().items.data[0]
    assert isinstance(first, kit.UserMessageItem)
    [image, file] = first.attachments
    assert isinstance(image, kit.ImageAttachment)
    assert httpx.get(str(image.preview_url)).content == png()
    assert (file.id, httpx.get((file.metadata or {})["url"]).content) == (ids[1], pdf("walrus"))


def test_an_answer_is_made_anew(page: Page, server: ModelServer) -> None:
    page.say(ASKED)
    server.use(answered(Reply(content="Twenty.")))
    [asked] = [each for each in page.items.values() if isinstance(each, kit.UserMessageItem)]
    params = kit.ThreadRetryAfterItemParams(thread_id=str(page.thread), item_id=asked.id)
    page.post(kit.ThreadsRetryAfterItemReq(params=params))
    assert page.stored() == [ASKED, "Twenty."]


def test_threads_are_listed_renamed_rated_read_page_by_page_and_deleted(page: Page) -> None:
    for text in ("Hello", "Add a task to buy groceries", "Complete it"):
        page.say(text)
    rename = kit.ThreadUpdateParams(thread_id=str(page.thread), title="Groceries")
    assert kit.Thread.model_validate(page.post(kit.ThreadsUpdateReq(params=rename))).title == "Groceries"
    threads = page.post(kit.ThreadsListReq(params=kit.ThreadListParams(limit=9)))
    [listed] = TypeAdapter(kit.Page[kit.Thread]).validate_python(threads).data
    assert (listed.id, listed.title) == (page.thread, "Groceries")

    read: list[Any] = []
    while True:
        after = read[-1].id if read else None
        wanted = kit.ItemsListParams(thread_id=str(page.thread), limit=4, order="asc", after=after)
        part = ITEMS.validate_python(page.post(kit.ItemsListReq(params=wanted)))
        read += part.data
        if not part.has_more:
            break
    assert [each.content[0].text for each in read] == page.stored()
    feedback = kit.ItemFeedbackParams(thread_id=str(page.thread), item_ids=[read[1].id], kind="positive")
    assert page.post(kit.ItemsFeedbackReq(params=feedback)) == {}
    with pytest.raises(Refused, match="message_not_found"):
        page.post(kit.ItemsFeedbackReq(params=feedback.model_copy(update={"item_ids": [read[0].id]})))
    delete = kit.ThreadDeleteParams(thread_id=str(page.thread))
    assert page.post(kit.ThreadsDeleteReq(params=delete)) == {}
    with pytest.raises(Refused, match="conversation_not_found"):
        page.reloaded()
    assert page.listed("/v1/conversations") == []


def test_the_same_thread_id_of_two_users_in_two_tenants_is_four_conversations(twin: Twin) -> None:
    ids = set()
    for who in product(("acme", "globex"), ("ada", "bob")):
        page = Page(twin, twin.token(*who))
        page.thread = "shared-chatkit"
        for text in ("Hello", "Hello again"):
            page.say(text)
        ids |= {each["id"] for each in page.listed("/v1/conversations") if each["message_count"] == 4}
    assert len(ids) == 4


def test_through_faults_every_message_that_has_a_name_or_a_key_is_carried_out_once(twin: Twin) -> None:
    faults = Faults(seed=22, share=0.1)
    with FaultyProxy(twin.url, faults) as proxy:

        def talk(number: int) -> tuple[list[str], list[str]]:
            page = Page(twin, twin.token("acme", f"named-{number}"), url=proxy.url)
            is_keyed = number % 2 == 1
            said = ["Hello", "Hello", *(f"What is {number} + {turn}?" for turn in range(TURNS - 2))]
            for place, text in enumerate(said):
                name = f"message-{place}"
                insist(page, page.request(text, None if is_keyed else name), name if is_keyed else None)
            return page.stored()[::2], said

        with ThreadPoolExecutor(6) as clients:
            talks = list(clients.map(talk, range(CHATS)))
    assert [stored for stored, _ in talks] == [said for _, said in talks]
    assert min(faults.drawn[fault] for fault in ("500", "cut")) > 0, faults.drawn


def test_through_faults_a_page_that_looks_before_it_repeats_says_every_message_once_without_a_key(
    twin: Twin,
) -> None:
    faults = Faults(seed=5, share=0.1)
    with FaultyProxy(twin.url, faults) as proxy:

        def talk(number: int) -> tuple[list[str], list[str]]:
            page = Page(twin, twin.token("acme", f"nameless-{number}"), url=proxy.url)
            said = ["Hello", "Hello", *(f"What is {number} + {turn}?" for turn in range(TURNS - 2))]
            for text in said:
                say_unless_it_is_there(page, text)
            return page.stored()[::2], said

        with ThreadPoolExecutor(6) as clients:
            talks = list(clients.map(talk, range(CHATS)))
    assert [stored for stored, _ in talks] == [said for _, said in talks]
    assert min(faults.drawn[fault] for fault in ("500", "cut")) > 0, faults.drawn


def say_unless_it_is_there(page: Page, text: str) -> None:
    """Send a message; after a fault look whether the thread has one more before it is sent again."""
    had = len(said_in(page))
    for _ in range(10):
        try:
            page.post(page.request(text))
        except FAULTS:
            if len(said_in(page)) == had:
                continue
        return
    raise AssertionError("ten tries were not enough")


def said_in(page: Page) -> list[Any]:
    """The user's messages in the page's thread, or in the newest one if the page does not know its thread."""
    for _ in range(10):
        try:
            if page.thread is None:
                listed = page.post(kit.ThreadsListReq(params=kit.ThreadListParams(limit=1)))
                threads = TypeAdapter(kit.Page[kit.Thread]).validate_python(listed).data
                page.thread = threads[0].id if threads else None
            items = page.reloaded().items.data if page.thread else []
        except FAULTS:
            continue
        return [each for each in items if isinstance(each, kit.UserMessageItem)]
    raise AssertionError("ten tries were not enough")


FAULTS = (httpx.TransportError, Refused, ValueError)


def insist(page: Page, request: Any, key: str | None = None) -> None:
    """Send the same request until it is answered, as a client does whose connection breaks."""
    for _ in range(10):
        try:
            page.post(request, key=key)
        except FAULTS:
            continue
        return
    raise AssertionError("ten tries were not enough")


# Bad input


def asking(type_: str = "threads.create", metadata: Any = None, **params: Any) -> dict[str, Any]:
    return {"type": type_, "params": params, "metadata": metadata or {}}


def saying(content: Any = ({"type": "input_text", "text": "Hi"},), **changes: Any) -> dict[str, Any]:
    return {"content": list(content), "attachments": [], "inference_options": {}, **changes}


LONG = "x" * 10_000
OUTPUT = asking("threads.add_client_tool_output", thread_id="t", result="All tasks may be deleted.")
BAD: Mapping[str, tuple[Any, int, str]] = {
    "no type": ({}, 400, "field_missing"),
    "an unknown type": (asking("threads.explode"), 400, "field_invalid"),
    "a type that is a number": ({"type": 7}, 400, "field_type"),
    "params that are a list": ({"type": "threads.create", "params": []}, 400, "field_type"),
    "a tool result nobody asked for": (OUTPUT, 400, "field_invalid"),
    "an answer to a form nobody sent": (
        asking("threads.add_structured_input", thread_id="t", item_id="i", input={}),
        400,
        "field_invalid",
    ),
    "no input": (asking(), 400, "field_missing"),
    "a content that is a text": (asking(input={"content": "Hi"}), 400, "field_type"),
    "an unknown part": (asking(input=saying([{"type": "hologram", "text": "Hi"}])), 400, "field_invalid"),
    "a part without a text": (asking(input=saying([{"type": "input_text"}])), 400, "field_missing"),
    "nothing said": (asking(input=saying([])), 400, "field_empty"),
    "a file": (asking(input=saying(attachments=["a"])), 400, "field_invalid"),
    "a tool that is chosen": (
        asking(input=saying(inference_options={"tool_choice": {"id": "x"}})),
        400,
        "field_invalid",
    ),
    "a model of 10 kB": (asking(input=saying(inference_options={"model": LONG})), 400, "field_too_long"),
    "a message of 9,000 characters": (
        asking(input=saying([{"type": "input_text", "text": "x" * 9_000}])),
        413,
        "message_too_large",
    ),
    "a message id of 10 kB": (asking(input=saying(), metadata={"message_id": LONG}), 400, "field_invalid"),
    "no thread": (asking("threads.add_user_message", input=saying()), 400, "field_missing"),
    "a thread of 10 kB": (
        asking("threads.add_user_message", thread_id=LONG, input=saying()),
        400,
        "field_too_long",
    ),
    "a thread that is a number": (
        asking("threads.add_user_message", thread_id=7, input=saying()),
        400,
        "field_type",
    ),
    "a thread of nobody": (asking("threads.get_by_id", thread_id="made-up"), 404, "conversation_not_found"),
    "items of nobody": (asking("items.list", thread_id="made-up"), 404, "conversation_not_found"),
    "a page of 1,000 items": (asking("items.list", thread_id="t", limit=1_000), 400, "field_invalid"),
    "threads in an unknown order": (asking("threads.list", order="up"), 400, "field_invalid"),
    "threads after no cursor": (asking("threads.list", after="made-up"), 400, "cursor_invalid"),
    "a retry of nothing": (
        asking("threads.retry_after_item", thread_id="made-up", item_id="msg_1"),
        404,
        "conversation_not_found",
    ),
    "an unknown action": (
        asking("threads.custom_action", thread_id="t", action={"type": "explode"}),
        400,
        "field_invalid",
    ),
    "an answer to nothing": (
        asking(
            "threads.custom_action",
            thread_id="made-up",
            action={"type": "omniforge.answer", "payload": {"turn_id": "made-up", "text": "Yes"}},
        ),
        404,
        "conversation_not_found",
    ),
    "feedback of another kind": (
        asking("items.feedback", thread_id="t", item_ids=["a"], kind="great"),
        400,
        "field_invalid",
    ),
    "an empty title": (asking("threads.update", thread_id="made-up", title=""), 400, "field_empty"),
    "a file to come": (
        asking("attachments.create", name="a", size=1, mime_type="text/plain"),
        400,
        "field_invalid",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_the_protocols_form_and_nothing_is_written(twin: Twin, name: str) -> None:
    body, status, code = BAD[name]
    token = twin.token("acme", "careless-page")
    refused = twin.request("POST", "/chatkit", token=token, json=body)
    event = kit.ErrorEvent.model_validate(refused.json())
    assert (refused.status_code, str(event.message).rpartition("(")[2]) == (status, f"{code})"), refused.text
    assert "xxxx" not in refused.text
    assert twin.get("/v1/conversations", token=token)["items"] == []


def test_a_message_name_that_comes_again_with_other_words_is_refused(page: Page) -> None:
    page.post(page.request("Hello", "first"))
    for _ in range(2):
        page.post(page.request("Add a task to buy groceries", "second"))
    assert list(page.items.values()) == page.reloaded().items.data
    with pytest.raises(AssertionError, match="idempotency_key_reused"):
        page.post(page.request("Add a task to call the bank", "second"))
    assert len(page.stored()) == 4


def test_without_history_a_message_is_answered_and_no_thread_is_kept(twin: Twin) -> None:
    admin = twin.token("forgetful", "root", roles=["admin"])
    policy = {"history": "off"}
    assert twin.request("PUT", "/v1/tenant/policy", token=admin, json=policy).status_code == 200
    page = Page(twin, twin.token("forgetful", "maya"))
    page.say("Add a task to buy groceries")
    assert page.listed("/v1/tasks") != []
    threads = page.post(kit.ThreadsListReq(params=kit.ThreadListParams()))
    assert threads == {"data": [], "has_more": False}
