"""A2A's own client and the twin: journeys, cut streams, repeated messages, strangers, bad input."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import product
from typing import Any, TypeVar
from uuid import uuid4

import httpx
import pytest
from a2a.client import A2ACardResolver, A2AClientError, Client, ClientConfig, ClientFactory
from a2a.helpers import new_data_part
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
    Task,
    TaskState,
)
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    TaskNotCancelableError,
    TaskNotFoundError,
    UnsupportedOperationError,
)

from tests.clients.faulty_proxy import Faults, FaultyProxy
from tests.clients.handbook import ASKED, STRONG, answered
from tests.fakes.data.sample_files import png
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

T = TypeVar("T")


class Agent:
    """A program that talks to the assistant as another agent does."""

    def __init__(self, twin: Twin, token: str, *, streams: bool = True, url: str = "") -> None:
        self.twin, self.token, self.streams, self.url = twin, token, streams, url or twin.url
        self.context = f"context-{uuid4()}"
        self.task = Task()
        """The newest task, as its events made it."""
        self.card: AgentCard | None = None
        """Found with the first call."""

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with httpx.AsyncClient(headers=headers, timeout=ANSWER_WITHIN_S) as http:
            if self.card is None:
                self.card = await A2ACardResolver(http, self.url).get_agent_card()
                self.card.supported_interfaces[0].url = f"{self.url}/a2a"  # a proxy has another port
            yield ClientFactory(ClientConfig(httpx_client=http, streaming=self.streams)).create(self.card)

    def call(self, use: Callable[[Client], Awaitable[T]]) -> T:
        """What a call of the client returns."""

        async def run() -> T:
            async with self.client() as client:
                return await use(client)

        return asyncio.run(run())

    def message(self, text: str, **fields: Any) -> Message:
        named = {"message_id": str(uuid4()), "context_id": self.context, **fields}
        return Message(role=Role.ROLE_USER, parts=[Part(text=text)], **named)

    def send(self, message: Message, *, cut_after: int | None = None) -> Task:
        """The task of a message, as far as its events tell of it."""

        async def run(client: Client) -> Task:
            task, seen = Task(), 0
            async for event in client.send_message(SendMessageRequest(message=message)):
                applied(task, event)
                seen += 1
                if seen == cut_after:
                    break
            return task

        self.task = self.call(run)
        return self.task

    def say(self, text: str, **fields: Any) -> str:
        return text_of(self.send(self.message(text, **fields)))

    def get(self, task_id: str = "", **fields: Any) -> Task:
        wanted = GetTaskRequest(id=task_id or self.task.id, **fields)
        return self.call(lambda client: client.get_task(wanted))

    def cancel(self) -> Task:
        return self.call(lambda client: client.cancel_task(CancelTaskRequest(id=self.task.id)))

    def resume(self) -> Task:
        """The task as a client has it that lost its stream."""

        async def run(client: Client) -> Task:
            task = Task()
            try:
                async for event in client.subscribe(SubscribeToTaskRequest(id=self.task.id)):
                    applied(task, event)
            except UnsupportedOperationError:
                return await client.get_task(GetTaskRequest(id=self.task.id))
            return task

        return self.call(run)

    def tasks(self, **fields: Any) -> list[Task]:
        wanted = ListTasksRequest(**fields)
        return list(self.call(lambda client: client.list_tasks(wanted)).tasks)

    def items(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.twin.get(path, token=self.token)["items"]
        return found

    def stored(self) -> list[str]:
        """The texts of all messages of the user's one conversation."""
        [conversation] = self.items("/v1/conversations")
        return [each["content"] for each in self.items(f"/v1/conversations/{conversation['id']}/messages")]


def applied(task: Task, event: StreamResponse) -> None:
    """Change a task as an event says."""
    match event.WhichOneof("payload"):
        case "task":
            task.CopyFrom(event.task)
        case "status_update":
            assert event.status_update.task_id == task.id
            task.status.CopyFrom(event.status_update.status)
        case "artifact_update":
            update = event.artifact_update
            known = [each for each in task.artifacts if each.artifact_id == update.artifact.artifact_id]
            if known and update.append:
                known[0].parts.extend(update.artifact.parts)
            elif known:
                known[0].CopyFrom(update.artifact)
            else:
                assert not update.append
                task.artifacts.append(update.artifact)
        case unknown:
            raise AssertionError(unknown)


def text_of(task: Task) -> str:
    """What the newest turn of a task answered."""
    answers = [each for each in task.artifacts if each.name == "answer"]
    return "".join(part.text for part in answers[-1].parts) if answers else ""


def state_of(task: Task) -> str:
    return str(TaskState.Name(task.status.state)).removeprefix("TASK_STATE_")


@pytest.fixture(params=[True, False], ids=["streamed", "in one piece"])
def agent(twin: Twin, request: pytest.FixtureRequest) -> Agent:
    return Agent(twin, twin.token("acme", request.node.name), streams=request.param)


# Journeys


def test_the_card_is_found_without_a_token_and_says_where_to_call(twin: Twin) -> None:
    async def card_of(url: str) -> AgentCard:
        async with httpx.AsyncClient(timeout=ANSWER_WITHIN_S) as http:
            return await A2ACardResolver(http, url).get_agent_card()

    card = asyncio.run(card_of(twin.url))
    [interface] = card.supported_interfaces
    told = (interface.url, interface.protocol_binding, interface.protocol_version)
    assert told == (f"{twin.url}/a2a", "JSONRPC", "1.0")
    assert card.capabilities.streaming
    assert {skill.id for skill in card.skills} == {"agents", "tasks", "questions"}


def test_an_agent_is_set_up_in_one_task_that_asks_for_what_is_missing_also_after_a_crash(twin: Twin) -> None:
    agents = [Agent(twin, twin.token("acme", f"crash-{each}"), streams=each) for each in (True, False)]
    for agent in agents:
        agent.say("I want our project updates from Notion every Monday")
        assert state_of(agent.task) == "INPUT_REQUIRED"
        assert agent.task.status.message.parts[0].text == text_of(agent.task)
        assert agent.items("/v1/agents") == []
    twin.kill9()
    twin.restart()
    for agent in agents:
        asked = agent.task.id
        assert "notion-reporter" in agent.say("At 9, and report here", task_id=asked)
        assert (agent.task.id, state_of(agent.task)) == (asked, "COMPLETED")
        assert [each["name"] for each in agent.items("/v1/agents")] == ["notion-reporter"]
        kept = agent.get(history_length=10)
        assert [Role.Name(each.role) for each in kept.history] == ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"]
        assert (kept.context_id, state_of(kept), text_of(kept)) == (
            agent.context,
            "COMPLETED",
            text_of(agent.task),
        )
        assert len(agent.stored()) == 4


def test_agents_are_listed_and_one_is_picked_and_run_until_its_run_has_ended(agent: Agent) -> None:
    for name in ("notion-reporter", "notion-watcher"):
        body = {"name": name, "what": f"what the {name} finds", "sources": ["notion"]}
        assert agent.twin.request("POST", "/v1/agents", token=agent.token, json=body).status_code == 201
    assert "notion-watcher" in agent.say("List my agents")
    assert state_of(agent.task) == "COMPLETED"
    agent.say("Run the notion agent")
    assert state_of(agent.task) == "INPUT_REQUIRED"
    assert sorted(agent.task.status.message.metadata["options"]) == ["notion-reporter", "notion-watcher"]
    agent.say("2", task_id=agent.task.id)
    run = eventually(lambda: [each for each in agent.items("/v1/runs") if each["finished_at"]], within_s=120)
    ended = agent.resume() if agent.streams else agent.get()
    # The run has the id of the task's newest turn.
    assert run[0]["id"] == ended.metadata["turn_id"].partition(".")[2]
    assert state_of(ended) == {"succeeded": "COMPLETED", "failed": "FAILED"}[run[0]["status"]]


def test_tasks_are_added_and_completed_in_one_context(agent: Agent) -> None:
    for text in ("Add a task to buy groceries", "Add a task to call the bank", "Complete the first task"):
        agent.say(text)
        assert state_of(agent.task) == "COMPLETED"
    done = {task["title"]: task["completed"] for task in agent.items("/v1/tasks")}
    assert done == {"buy groceries": True, "call the bank": False}
    listed = agent.tasks(context_id=agent.context, include_artifacts=True)
    assert [text_of(task) for task in listed] == agent.stored()[1::2][::-1]
    assert [task.id for task in agent.tasks()] == [task.id for task in listed]


def test_a_proposal_is_a_task_that_waits_for_a_yes(agent: Agent) -> None:
    agent.say(AGENT)
    agent.say("Delete my agent")
    assert state_of(agent.task) == "INPUT_REQUIRED"
    assert agent.task.status.message.metadata["asks_yes_or_no"] is True
    assert len(agent.items("/v1/agents")) == 1
    answer = agent.message("Yes", task_id=agent.task.id)
    given = [agent.send(answer) for _ in range(2)]
    assert text_of(given[0]) == text_of(given[1])
    assert (given[0].id, given[0].artifacts[-1].artifact_id) == (
        given[1].id,
        given[1].artifacts[-1].artifact_id,
    )
    assert agent.items("/v1/agents") == []
    assert len(agent.stored()) == 6
    with pytest.raises(UnsupportedOperationError):
        agent.say("Yes", task_id=agent.task.id)


def test_a_long_answer_arrives_whole(agent: Agent, server: ModelServer) -> None:
    server.use(answered(Reply(pieces=PIECES)))
    assert agent.say(ASKED) == "".join(PIECES)
    assert text_of(agent.get()) == "".join(PIECES)


def test_errors_and_limits_are_those_of_the_client(twin: Twin) -> None:
    with pytest.raises(A2AClientError, match="401"):
        Agent(twin, "nobody").say("Hello")
    agent = Agent(twin, twin.token("acme", "wrong"))
    with pytest.raises(TaskNotFoundError):
        agent.get("made-up")
    with pytest.raises(InvalidParamsError) as refused:
        agent.say("x" * 9_000)
    assert refused.value.data == {"code": "message_too_large"}
    admin = twin.token("limited", "root", roles=["admin"])
    limits = {"limits": {"turns_per_minute": 1, "burst": 1}}
    assert twin.request("PUT", "/v1/tenant/policy", token=admin, json=limits).status_code == 200
    limited = Agent(twin, twin.token("limited", "a2a"))
    with pytest.raises(A2AClientError, match="429") as told:
        say_often(limited)
    cause = told.value.__cause__
    assert isinstance(cause, httpx.HTTPStatusError)
    assert int(cause.response.headers["Retry-After"]) > 0
    assert cause.response.json()["error"]["data"][0]["metadata"] == {"code": "rate_limited"}


def say_often(agent: Agent) -> None:
    for _ in range(3):
        agent.say("Hello")


def test_a_task_is_cancelled_and_its_context_goes_on(twin: Twin, server: ModelServer) -> None:
    gate = Gate(let=3)
    server.use(answered(Reply(pieces=PIECES, gate=gate)))
    agent = Agent(twin, twin.token("acme", "canceller"))
    agent.send(agent.message(ASKED), cut_after=5)
    assert state_of(agent.get()) == "WORKING"
    # The answer ends when its process sees that it was stopped, not when the model goes on.
    assert state_of(agent.cancel()) == "CANCELED"
    gate.release(len(PIECES))
    assert "".join(PIECES).startswith(text_of(agent.get()))
    with pytest.raises(TaskNotCancelableError):
        agent.cancel()
    agent.say("Add a task to buy groceries")
    assert len(agent.stored()) == 4


def test_a_stream_that_is_cut_anywhere_is_resumed_with_one_call_of_the_model(
    twin: Twin, server: ModelServer
) -> None:
    server.use(answered(Reply(pieces=PIECES, pause_ms=PAUSE_MS)))
    strong, draw = STRONG.partition("/")[2], random.Random(30)

    def cut(number: int) -> tuple[str, str]:
        agent = Agent(twin, twin.token("acme", f"cut-{number}"))
        agent.send(agent.message(ASKED), cut_after=draw.randrange(1, len(PIECES)))
        return text_of(agent.resume()), agent.stored()[1]

    with ThreadPoolExecutor(CUTS) as clients:
        told = list(clients.map(cut, range(CUTS)))
    assert told == [("".join(PIECES),) * 2] * CUTS
    asked = sum(request.body["model"] == strong for request in server.log().requests)
    assert asked == CUTS


def test_the_same_context_of_two_users_in_two_tenants_is_four_conversations(twin: Twin) -> None:
    ids = set()
    for who in product(("acme", "globex"), ("ada", "bob")):
        agent = Agent(twin, twin.token(*who))
        agent.context = "shared"
        for text in ("Hello", "Hello again"):
            agent.say(text)
            ids.add(agent.task.metadata["conversation_id"])
            assert agent.task.context_id == "shared"
    assert len(ids) == 4


def test_through_faults_every_message_is_carried_out_once(twin: Twin) -> None:
    faults = Faults(seed=21, share=0.1)
    with FaultyProxy(twin.url, faults) as proxy:

        def talk(number: int) -> tuple[list[str], list[str]]:
            agent = Agent(
                twin, twin.token("acme", f"insistent-{number}"), streams=number % 2 == 0, url=proxy.url
            )
            said = ["Hello", "Hello", *(f"What is {number} + {turn}?" for turn in range(TURNS - 2))]
            for text in said:
                insist(agent, agent.message(text))
            return agent.stored()[::2], said

        with ThreadPoolExecutor(6) as clients:
            talks = list(clients.map(talk, range(CHATS)))
    assert [stored for stored, _ in talks] == [said for _, said in talks]
    assert min(faults.drawn[fault] for fault in ("500", "cut")) > 0, faults.drawn


def insist(agent: Agent, message: Message) -> None:
    """Send the same message until it is answered, as a client does whose connection breaks."""
    for _ in range(10):
        try:
            agent.send(message)
        except A2AClientError:
            continue
        return
    raise AssertionError("ten tries were not enough")


# Bad input


def rpc(method: str = "SendMessage", **changes: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, **changes}


def sending(configuration: Any = None, **changes: Any) -> dict[str, Any]:
    message = {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "Hi"}], **changes}
    return rpc(params={"message": message, **({"configuration": configuration} if configuration else {})})


LONG = "x" * 10_000
BAD: Mapping[str, tuple[Any, int]] = {
    "no call": ({}, -32600),
    "another version of JSON-RPC": ({**sending(), "jsonrpc": "1.0"}, -32600),
    "an id that is a list": ({**sending(), "id": []}, -32600),
    "an id of 10 kB": ({**sending(), "id": LONG}, -32600),
    "a method that is a number": (rpc(method=7), -32600),  # type: ignore[arg-type]
    "an unknown method": (rpc("message/send", params={}), -32601),
    "params that are a list": (rpc(params=[]), -32602),
    "no message": (rpc(params={}), -32602),
    "no message id": (sending(messageId=""), -32602),
    "a message id of 10 kB": (sending(messageId=LONG), -32602),
    "a context of 10 kB": (sending(contextId=LONG), -32602),
    "a task of 10 kB": (sending(taskId=LONG), -32602),
    "a task of nobody": (sending(taskId="made-up"), -32001),
    "an answer of the agent": (sending(role="ROLE_AGENT"), -32602),
    "a role that is a number": (sending(role=1), -32602),
    "no parts": (sending(parts=[]), -32602),
    "parts of another type": (sending(parts="Hi"), -32602),
    "a part that is a text": (sending(parts=["Hi"]), -32602),
    "a file that is no base64": (sending(parts=[{"raw": "!", "mediaType": "image/png"}]), -32602),
    "an image that is none": (sending(parts=[{"raw": "AAAA", "mediaType": "image/png"}]), -32602),
    "a file that is elsewhere": (sending(parts=[{"url": "https://a.example/a.png"}]), -32602),
    "a part that is data": (sending(parts=[{"text": "Hi"}, {"data": {"tool": "result"}}]), -32005),
    "an unknown part": (sending(parts=[{"hologram": "Hi"}]), -32005),
    "nothing said": (sending(parts=[{"text": ""}]), -32602),
    "a message of 9,000 characters": (sending(parts=[{"text": "x" * 9_000}]), -32602),
    "answers that are pictures": (sending({"acceptedOutputModes": ["image/png"]}), -32005),
    "a notification": (sending({"taskPushNotificationConfig": {"url": "https://a.example"}}), -32003),
    "a history of -1 messages": (sending({"historyLength": -1}), -32602),
    "a model that is a list": (rpc(params={**sending()["params"], "metadata": {"model": []}}), -32602),
    "notifications": (rpc("CreateTaskPushNotificationConfig", params={}), -32003),
    "a card for those who are signed in": (rpc("GetExtendedAgentCard", params={}), -32007),
    "no task": (rpc("GetTask", params={}), -32602),
    "cancelling nothing": (rpc("CancelTask", params={"id": "made-up"}), -32001),
    "following nothing": (rpc("SubscribeToTask", params={"id": "made-up"}), -32001),
    "a page of no place": (rpc("ListTasks", params={"pageToken": "made-up"}), -32602),
    "a page of 1,000 tasks": (rpc("ListTasks", params={"pageSize": 1_000}), -32602),
    "tasks after no moment": (rpc("ListTasks", params={"statusTimestampAfter": "soon"}), -32602),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_the_protocols_form_and_nothing_is_written(twin: Twin, name: str) -> None:
    body, number = BAD[name]
    token = twin.token("acme", "careless")
    refused = twin.request("POST", "/a2a", token=token, json=body)
    assert refused.status_code == 200, refused.text
    answer = refused.json()
    assert (answer["jsonrpc"], answer["error"]["code"]) == ("2.0", number), refused.text
    assert answer["id"] == (7 if body.get("id") == 7 else None)
    assert "xxxx" not in refused.text
    assert twin.get("/v1/conversations", token=token)["items"] == []


def test_another_version_of_the_protocol_is_refused(twin: Twin) -> None:
    token = twin.token("acme", "careless")
    refused = twin.request("POST", "/a2a", token=token, json=sending(), headers={"A2A-Version": "0.3"})
    assert refused.json()["error"]["code"] == -32009


def test_a_message_id_that_comes_again_with_other_words_is_refused(twin: Twin) -> None:
    agent = Agent(twin, twin.token("acme", "double"))
    agent.say("Add a task to buy groceries", message_id="one")
    with pytest.raises(InvalidParamsError):
        agent.say("Add a task to call the bank", message_id="one")
    assert len(agent.stored()) == 2


def test_a_file_goes_with_its_message_and_data_is_refused(twin: Twin) -> None:
    agent = Agent(twin, twin.token("acme", "file"))
    picture = agent.message("Look")
    picture.parts.append(Part(raw=png(), media_type="image/png", filename="a.png"))
    assert agent.send(picture).id == agent.send(picture).id
    assert [each["name"] for each in agent.items("/v1/attachments")] == ["a.png"]
    assert agent.stored()[0] == "Look"
    [task] = agent.tasks(history_length=5)
    [text, file] = task.history[0].parts
    assert (text.text, file.filename, file.media_type) == ("Look", "a.png", "image/png")
    assert httpx.get(file.url).content == png()
    data = agent.message("Look")
    data.parts.append(new_data_part({"tool": "result"}))
    with pytest.raises(ContentTypeNotSupportedError):
        agent.send(data)
    assert len(agent.stored()) == 2


def test_without_history_each_message_is_a_task_of_its_own(twin: Twin) -> None:
    admin = twin.token("forgetful", "root", roles=["admin"])
    policy = {"history": "off"}
    assert twin.request("PUT", "/v1/tenant/policy", token=admin, json=policy).status_code == 200
    agent = Agent(twin, twin.token("forgetful", "maya"))
    agent.say("Add a task to buy groceries")
    assert state_of(agent.task) == "COMPLETED"
    assert agent.items("/v1/tasks") != []
    assert agent.tasks() == []
    with pytest.raises(TaskNotFoundError):
        agent.get()
