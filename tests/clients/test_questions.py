"""What is asked on one wire is answered on another one a day later, by the question's id, and once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.fakes.deployment.twin import Twin

pytestmark = pytest.mark.e2e

BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
TASKS = ("buy groceries", "sell groceries")
DELETE, COMPLETE = "Delete all my tasks", "Complete the groceries task"


class Asked(NamedTuple):
    """A question as a client of a wire gets it."""

    conversation: str
    id: str
    options: tuple[str, ...]


class Person(NamedTuple):
    """A user with two tasks."""

    twin: Twin
    token: str

    def post(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        return self.twin.request("POST", path, token=self.token, json=body, headers=headers)

    def tasks(self) -> list[Any]:
        found: list[Any] = self.twin.get("/v1/tasks", token=self.token)["items"]
        return found


def question(found: Any) -> tuple[str, tuple[str, ...]]:
    return found["id"], tuple(found["options"])


def events(response: Any) -> list[Any]:
    return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]


def own_ask(person: Person, text: str) -> Asked:
    told = person.post("/v1/chat", {"message": text}).json()
    return Asked(told["conversation_id"], *question(told["metadata"]["question"]))


def own_answer(person: Person, asked: Asked, said: str) -> Any:
    body = {"message": said, "conversation_id": asked.conversation, "answers": asked.id}
    return person.post("/v1/chat", body)


def ai_sdk_body(conversation: str, number: str, **message: Any) -> dict[str, Any]:
    return {"id": conversation, "trigger": "submit-message", "messages": [{"id": number, **message}]}


def said_part(text: str) -> list[Any]:
    return [{"type": "text", "text": text}]


def ai_sdk_ask(person: Person, text: str) -> Asked:
    body = ai_sdk_body("main", "1", role="user", parts=said_part(text))
    chunks = events(person.post("/ai-sdk/chat", body))
    metadata = chunks[-1]["messageMetadata"]
    approvals = [chunk["approvalId"] for chunk in chunks if chunk["type"] == "tool-approval-request"]
    assert approvals in ([], [metadata["question"]["id"]])
    return Asked(metadata["conversation_id"], *question(metadata["question"]))


def ai_sdk_answer(person: Person, asked: Asked, said: str) -> Any:
    if asked.options:
        message = {"role": "user", "parts": said_part(said), "metadata": {"answers": asked.id}}
        return person.post("/ai-sdk/chat", ai_sdk_body(asked.conversation, "picked", **message))
    approval = {"id": asked.id, "approved": said == "Yes"}
    part = {"type": "dynamic-tool", "state": "approval-responded", "approval": approval}
    return person.post("/ai-sdk/chat", ai_sdk_body(asked.conversation, "1", role="assistant", parts=[part]))


def ag_ui_ask(person: Person, text: str) -> Asked:
    said = {"id": "1", "role": "user", "content": text}
    *_, finished = events(person.post("/ag-ui", {"threadId": "main", "runId": "1", "messages": [said]}))
    [interrupt] = finished["outcome"]["interrupts"]
    options = interrupt["responseSchema"]["properties"].get("choice", {}).get("enum", ())
    return Asked(finished["result"]["conversation_id"], interrupt["id"], tuple(options))


def ag_ui_answer(person: Person, asked: Asked, said: str) -> Any:
    answer = {"interruptId": asked.id, "status": "resolved", "payload": said}
    run = {"threadId": asked.conversation, "runId": "2", "messages": [], "resume": [answer]}
    return person.post("/ag-ui", run)


def chatkit(person: Person, kind: str, **params: Any) -> Any:
    return person.post("/chatkit", {"type": kind, "params": params})


def chatkit_ask(person: Person, text: str) -> Asked:
    said = {"content": [{"type": "input_text", "text": text}], "attachments": [], "inference_options": {}}
    told = events(chatkit(person, "threads.create", input=said))
    [thread] = [event["thread"]["id"] for event in told if event["type"] == "thread.created"]
    [column] = told[-1]["item"]["widget"]["children"]
    clicks = [button["onClickAction"]["payload"] for button in column["children"]]
    [asked], texts = {click["turn_id"] for click in clicks}, tuple(click["text"] for click in clicks)
    return Asked(thread, asked, () if texts == ("Yes", "No") else texts)


def chatkit_answer(person: Person, asked: Asked, said: str) -> Any:
    click = {"type": "omniforge.answer", "payload": {"turn_id": asked.id, "text": said}}
    return chatkit(person, "threads.custom_action", thread_id=asked.conversation, action=click)


def a2a_send(person: Person, text: str, **message: str) -> Any:
    said = {"role": "ROLE_USER", "parts": [{"text": text}], **message}
    call = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": said}}
    return person.post("/a2a", call)


def a2a_ask(person: Person, text: str) -> Asked:
    task = a2a_send(person, text, messageId="1").json()["result"]["task"]
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    options = task["status"]["message"]["metadata"].get("options", ())
    return Asked(task["contextId"], task["id"], tuple(options))


def a2a_answer(person: Person, asked: Asked, said: str) -> Any:
    return a2a_send(person, said, messageId=f"answer {said}", taskId=asked.id)


def responses_ask(person: Person, text: str) -> Asked:
    told = person.post("/openai/v1/responses", {"model": "omniforge", "input": text}).json()
    conversation = told["conversation"]["id"].removeprefix("conv_")
    proposals = [item["id"] for item in told["output"] if item["type"] == "mcp_approval_request"]
    named = f"mcpr_{told['question']['id'].replace('.', '')}"
    assert proposals == ([named] if told["question"]["kind"] == "yes_or_no" else [])
    return Asked(conversation, *question(told["question"]))


def responses_answer(person: Person, asked: Asked, said: str) -> Any:
    if asked.options:
        body = {"model": "omniforge", "input": said, "answers": asked.id}
        return person.post("/openai/v1/responses", body)
    named = f"mcpr_{asked.id.replace('.', '')}"
    item = {"type": "mcp_approval_response", "approval_request_id": named, "approve": said == "Yes"}
    return person.post("/openai/v1/responses", {"model": "omniforge", "input": [item]})


def completion_of(person: Person, text: str, **more: Any) -> Any:
    body = {"model": "omniforge", "messages": [{"role": "user", "content": text}], **more}
    return person.post("/openai/v1/chat/completions", body)


def completions_ask(person: Person, text: str) -> Asked:
    [choice] = completion_of(person, text).json()["choices"]
    told = choice["message"]
    return Asked(told["conversation_id"].removeprefix("conv_"), *question(told["question"]))


def completions_answer(person: Person, asked: Asked, said: str) -> Any:
    return completion_of(person, said, answers=asked.id)


def streamed_ask(person: Person, text: str) -> Asked:
    *_, last = events(completion_of(person, text, stream=True))
    [choice] = last["choices"]
    asked = question(choice["delta"]["question"])
    return Asked(last["conversation_id"].removeprefix("conv_"), *asked)


def streamed_answer(person: Person, asked: Asked, said: str) -> Any:
    return completion_of(person, said, answers=asked.id, stream=True)


def mcp_call(person: Person, **arguments: str) -> Any:
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    call = {"name": "chat", "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    return person.post("/mcp", body, headers)


def mcp_ask(person: Person, text: str) -> Asked:
    told = mcp_call(person, message=text).json()["result"]["structuredContent"]
    return Asked(told["conversation_id"], *question(told["question"]))


def mcp_answer(person: Person, asked: Asked, said: str) -> Any:
    return mcp_call(person, message=said, conversation_id=asked.conversation, answers=asked.id)


Ask = Callable[[Person, str], Asked]
Answer = Callable[[Person, Asked, str], Any]
WIRES: Mapping[str, tuple[Ask, Answer]] = {
    "own": (own_ask, own_answer),
    "ai-sdk": (ai_sdk_ask, ai_sdk_answer),
    "ag-ui": (ag_ui_ask, ag_ui_answer),
    "mcp": (mcp_ask, mcp_answer),
    "chatkit": (chatkit_ask, chatkit_answer),
    "a2a": (a2a_ask, a2a_answer),
    "responses": (responses_ask, responses_answer),
    "completions": (completions_ask, completions_answer),
    "completions, streamed": (streamed_ask, streamed_answer),
}
REFUSED = {"mcp": "not_allowed", "a2a": "-32004"}
"""How wires with codes of their own say `proposal_closed`."""


def neighbours(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each wire with the next one, in both directions."""
    pairs = list(zip(names, (*names[1:], names[0]), strict=True))
    return [*pairs, *((second, first) for first, second in pairs)]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(Path(tmp_path_factory.mktemp("questions")), clock=BEGIN) as running:
        yield running


def people(twin: Twin, kind: str, pairs: list[tuple[str, str]]) -> list[Person]:
    """A user for each pair of wires, by the present clock."""
    return [Person(twin, twin.token(user=f"{kind}-{first}-{second}")) for first, second in pairs]


def asked_on_all(twin: Twin, kind: str, pairs: list[tuple[str, str]], text: str) -> list[Asked]:
    asked = []
    for person, (first, _) in zip(people(twin, kind, pairs), pairs, strict=True):
        for title in TASKS:
            assert person.post("/v1/tasks", {"title": title}).status_code == 201
        asked.append(WIRES[first][0](person, text))
    return asked


def test_a_proposal_and_a_choice_are_answered_on_another_wire_a_day_later_and_once(twin: Twin) -> None:
    pairs = neighbours(tuple(WIRES))
    proposed = asked_on_all(twin, "proposal", pairs, DELETE)
    offered = asked_on_all(twin, "choice", pairs, COMPLETE)
    assert {each.options for each in proposed} == {()}
    assert {tuple(sorted(each.options)) for each in offered} == {TASKS}
    twin.set_clock(BEGIN + timedelta(days=1))

    for person, (_, second), asked in zip(people(twin, "proposal", pairs), pairs, proposed, strict=True):
        first, again = (WIRES[second][1](person, asked, "Yes") for _ in range(2))
        assert (first.status_code, again.status_code) == (200, 200), again.text
        assert person.tasks() == []
        assert count(person, asked) == 4
    for person, (_, second), asked in zip(people(twin, "choice", pairs), pairs, offered, strict=True):
        first, again = (WIRES[second][1](person, asked, asked.options[1]) for _ in range(2))
        assert (first.status_code, again.status_code) == (200, 200), again.text
        assert [task["title"] for task in person.tasks() if task["completed"]] == [asked.options[1]]
        assert count(person, asked) == 4


def count(person: Person, asked: Asked) -> int:
    """How many messages the conversation has."""
    messages = person.twin.get(f"/v1/conversations/{asked.conversation}/messages", token=person.token)
    return len(messages["items"])


def test_an_answer_on_one_wire_closes_the_question_on_all_others(twin: Twin) -> None:
    [asked] = asked_on_all(twin, "closed", [("own", "own")], DELETE)
    [person] = people(twin, "closed", [("own", "own")])
    assert ag_ui_answer(person, asked, "No").status_code == 200
    # The same answer elsewhere gets the same reply; another one comes too late.
    assert own_answer(person, asked, "No").json()["metadata"]["turn_id"] != asked.id
    assert count(person, asked) == 4
    for name, (_, answer) in WIRES.items():
        refused = answer(person, asked, "Yes")
        assert REFUSED.get(name, "proposal_closed") in refused.text, refused.text
    assert (len(person.tasks()), count(person, asked)) == (2, 4)
