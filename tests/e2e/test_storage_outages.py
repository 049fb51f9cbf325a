"""Conversations while the table, perhaps the queue as well, is out of reach: the functions, in one process.

``OUTAGE_MESSAGES=1000`` makes the long run of it; CI sends fewer.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from agent.turns.degraded import UNAVAILABLE_TEXT
from conversation.identity import Caller, derived_id
from storage.keys import TenantId
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tests.fakes.aws.outages import Deployment
from tests.fakes.aws.proxy_events import Answer

MESSAGES = int(os.environ.get("OUTAGE_MESSAGES", "150"))
SEEDS = (0, 1)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    return Deployment(tmp_path_factory.mktemp("deployment"))


@pytest.fixture
def deployment(shared: Deployment, request: pytest.FixtureRequest) -> Deployment:
    """Everything can be reached, and nobody has said anything."""
    shared.continue_as(derived_id(request.node.name))
    return shared


def fate(answer: Answer) -> tuple[bool, bool]:
    """Whether it is stored, and whether it is to be."""
    assert answer.status == 200, answer.body
    metadata = answer.json["metadata"]
    return metadata["persisted"], metadata["stored_later"]


STORED, LATER, NEVER = (True, False), (False, True), (False, False)


def said(deployment: Deployment, conversation_id: str) -> list[str]:
    return [message.content for message in deployment.stored(conversation_id) if message.role == "user"]


def content(answer: Answer) -> str:
    return str(answer.json["message"]["content"])


def test_what_storage_does_not_take_is_answered_and_stored_when_it_is_back(deployment: Deployment) -> None:
    first = deployment.send("Good morning!")
    conversation = first.json["conversation_id"]
    deployment.reach.fail_after()
    answer = deployment.send("What is 5 factorial times 8?", conversation)
    assert fate(answer) == LATER
    assert content(answer) == "5! * 8 = 960"
    deployment.reach.recover()
    deployment.drain()
    *_, message, reply = deployment.stored(conversation)
    assert (message.content, reply.content) == ("What is 5 factorial times 8?", "5! * 8 = 960")
    assert (message.late, reply.late) == (True, True)
    assert message.turn_id == reply.turn_id == answer.json["metadata"]["turn_id"]
    assert reply.created_at > message.created_at or reply.created_at == message.created_at


def test_what_is_queued_while_storage_is_away_is_stored_as_soon_as_it_is_back(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment.reach.fail_after()
    conversation = deployment.send("hello").json["conversation_id"]

    def comes_back(seconds: float) -> None:
        deployment.clock.advance(seconds)
        deployment.reach.recover()

    monkeypatch.setattr(deployment.clock, "sleep", comes_back)
    deployment.deliver()

    assert deployment.waiting() == []
    assert said(deployment, conversation) == ["hello"]


def test_an_outage_between_admission_and_commit_loses_no_answer(deployment: Deployment) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    for after in (1, 2):
        text = f"What is {after} factorial times 9?"
        deployment.reach.fail_after(after=after)
        answer = deployment.send(text, conversation)
        assert fate(answer) == LATER
        deployment.reach.recover()
        deployment.clock.advance(2)
        deployment.drain()
        *_, message, reply = deployment.stored(conversation)
        assert (message.content, reply.content) == (text, content(answer))


def test_a_commit_whose_answer_was_lost_is_not_stored_again(deployment: Deployment) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    deployment.send("Hello", conversation)
    deployment.reach.fail_after(after=2, loses_an_answer=True)
    assert fate(deployment.send("How are you?", conversation)) == LATER
    deployment.reach.recover()
    deployment.drain()
    assert said(deployment, conversation) == ["Good morning!", "Hello", "How are you?"]


def test_an_admission_whose_answer_was_lost_leaves_nothing_waiting(deployment: Deployment) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    deployment.reach.fail_after(loses_an_answer=True)
    assert fate(deployment.send("How are you?", conversation)) == LATER
    deployment.reach.recover()
    deployment.drain()
    assert said(deployment, conversation) == ["Good morning!", "How are you?"]
    deployment.clock.advance(60)
    assert fate(deployment.send("And now?", conversation)) == STORED
    assert said(deployment, conversation) == ["Good morning!", "How are you?", "And now?"]


def test_a_conversation_that_begins_in_an_outage_goes_on_in_it_and_behind_it(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    conversation = deployment.send("one").json["conversation_id"]
    assert fate(deployment.send("two", conversation)) == LATER
    deployment.reach.recover()
    deployment.clock.advance(10)
    assert fate(deployment.send("three", conversation)) == STORED
    deployment.drain()
    assert said(deployment, conversation) == ["three", "one", "two"]
    late = [message.late for message in deployment.stored(conversation)]
    assert late == [False, False, True, True, True, True]


def test_nobody_else_gets_into_a_conversation_that_is_not_made_yet(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    conversation = deployment.send("mine").json["conversation_id"]
    deployment.reach.recover()
    deployment.clock.advance(10)
    refused = deployment.send("mine, too", conversation, user="zoe")
    assert (refused.status, refused.code) == (404, "conversation_not_found")
    deployment.drain()
    assert said(deployment, conversation) == ["mine"]


def test_what_is_said_to_no_conversation_or_to_somebody_elses_is_stored_nowhere(
    deployment: Deployment,
) -> None:
    theirs = deployment.send("theirs", user="zoe").json["conversation_id"]
    deployment.reach.fail_after()
    for named in (theirs, "0" * 32):
        assert fate(deployment.send("intruding", named)) == LATER
    deployment.reach.recover()
    deployment.drain()
    zoe = Caller(deployment.caller.tenant, "zoe")
    assert [message.content for message in deployment.stored(theirs, zoe)][::2] == ["theirs"]
    assert deployment.read(f"/v1/conversations/{'0' * 32}").status == 404


def test_the_same_key_in_and_behind_an_outage_is_stored_once(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    ids = {deployment.send("once", key="k").json["conversation_id"] for _ in range(2)}
    deployment.reach.recover()
    deployment.clock.advance(10)
    back = deployment.send("once", key="k")
    (conversation,) = ids
    assert back.json["conversation_id"] == conversation
    deployment.drain()
    again = deployment.send("once", key="k")
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json["message"] == back.json["message"]
    assert said(deployment, conversation) == ["once"]


def test_what_was_to_be_done_is_neither_done_nor_said_to_be(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    answer = deployment.send("Add a task to buy groceries")
    assert fate(answer) == LATER
    assert content(answer) == UNAVAILABLE_TEXT
    assert answer.json["metadata"]["tool_calls"] == []
    deployment.reach.recover()
    deployment.drain()
    assert tasks(deployment) == []
    assert fate(deployment.send("Add a task to buy groceries", answer.json["conversation_id"])) == STORED
    assert tasks(deployment) == ["buy groceries"]


def test_what_was_admitted_and_could_not_be_done_is_done_later_and_once(deployment: Deployment) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    deployment.reach.fail_after(after=2)
    promised = deployment.send("Add a task to buy groceries", conversation)
    assert promised.status == 202
    deployment.reach.recover()
    deployment.drain()
    turn = deployment.read(promised.headers["location"]).json
    assert turn["state"] == "done"
    assert tasks(deployment) == ["buy groceries"]


def test_a_stream_tells_that_nothing_is_stored_yet(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    frames = deployment.stream("What is 5 factorial times 8?")
    assert frames[0][0] == "turn"
    assert frames[0][1]["stored"] is False
    name, done = frames[-1]
    assert name == "done"
    assert (done["metadata"]["persisted"], done["metadata"]["stored_later"]) == LATER
    assert "".join(data["text"] for name, data in frames if name == "chunk") == done["message"]["content"]


def test_without_table_and_queue_an_answer_claims_nothing_and_is_told_of(
    deployment: Deployment, caplog: pytest.LogCaptureFixture
) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    deployment.reach.fail_after()
    deployment.reach.queue = False
    with caplog.at_level(logging.ERROR, "omniforge.turns"):
        assert fate(deployment.send("What is 5 factorial times 8?", conversation)) == NEVER
        assert deployment.stream("Hello", conversation)[-1][1]["metadata"]["stored_later"] is False
    told = [record.message for record in caplog.records if record.levelno >= logging.ERROR]
    assert told == ["turn not kept"] * 2
    deployment.reach.recover()
    assert deployment.waiting() == []
    assert said(deployment, conversation) == ["Good morning!"]


def test_readers_are_told_to_come_back_and_the_table_is_left_alone(deployment: Deployment) -> None:
    conversation = deployment.send("Good morning!").json["conversation_id"]
    deployment.reach.fail_after()
    asked = deployment.reach.requests
    for _ in range(5):
        refused = deployment.read(f"/v1/conversations/{conversation}")
        assert (refused.status, refused.code) == (503, "storage_unavailable")
        assert int(refused.headers["retry-after"]) > 0
    assert deployment.reach.requests == asked + 1


def test_an_outage_is_noticed_once_and_not_by_every_request(deployment: Deployment) -> None:
    deployment.reach.fail_after()
    asked = deployment.reach.requests
    for number in range(10):
        deployment.send(f"message {number}")
    assert deployment.reach.requests == asked + 1


def test_a_turn_nobody_can_store_goes_to_the_dead_letters_and_holds_up_its_own_conversation_only(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment.reach.fail_after()
    poisoned, well = (deployment.send(text).json["conversation_id"] for text in ("poison", "well"))
    deployment.send("behind the poison", poisoned)
    deployment.reach.recover()
    late, store = deployment.finish.late, deployment.finish.late.store

    def planted(tenant: TenantId, turn: object, deadline: object) -> bool:
        if turn.content == "poison":  # type: ignore[attr-defined]
            raise TypeError
        return bool(store(tenant, turn, deadline))

    monkeypatch.setattr(late, "store", planted)
    for _ in range(4):
        deployment.deliver()
        deployment.clock.advance(5)
    assert said(deployment, well) == ["well"]
    assert len(deployment.waiting()) == 2
    for _ in range(6):
        deployment.clock.advance(361)
        deployment.deliver()
    assert [body for body in deployment.dead_letters() if "poison" in body]


class Sent(NamedTuple):
    """A message, and what became of it as its sender knows."""

    text: str
    conversation: str
    status: int
    persisted: bool = False
    stored_later: bool = False
    reply: str = ""


@pytest.mark.parametrize("seed", SEEDS)
def test_random_outages_lose_double_and_reorder_nothing(deployment: Deployment, seed: int) -> None:
    draw = Random(seed)
    sent = list(conversing(deployment, draw, MESSAGES // len(SEEDS)))
    deployment.reach.recover()
    deployment.clock.advance(60)
    deployment.drain()
    assert not [body for body in deployment.dead_letters() if deployment.caller.user in body]
    fates = Counter((each.status, each.persisted, each.stored_later) for each in sent)
    print(f"seed {seed}: {dict(fates)}")
    assert set(fates) <= {(200, *STORED), (200, *LATER), (202, False, False)}
    assert fates[200, *LATER] > len(sent) // 10
    for conversation in {each.conversation for each in sent}:
        is_as_told(deployment, conversation, [each for each in sent if each.conversation == conversation])
    wished = [each for each in sent if each.text.startswith("Add a task")]
    told = {each.text.removeprefix("Add a task to "): each.reply != UNAVAILABLE_TEXT for each in wished}
    done = tasks(deployment)
    assert len(done) == len(set(done))
    assert {name for name, is_told in told.items() if is_told} <= set(done) <= set(told)


def conversing(deployment: Deployment, draw: Random, messages: int) -> list[Sent]:
    """Messages to a few conversations, which begin and go on while storage comes and goes at any request."""
    sent: list[Sent] = []
    conversations: list[str | None] = [None] * 6
    outage_ends = 0
    for number in range(messages):
        if number == outage_ends:
            deployment.reach.recover()
        if number >= outage_ends and draw.random() < 0.1:
            deployment.reach.fail_after(after=draw.randrange(5), loses_an_answer=draw.random() < 0.5)
            outage_ends = number + draw.randint(1, 8)
        deployment.clock.advance(draw.uniform(0.1, 8))
        if draw.random() < 0.3:
            deployment.deliver()
        place = draw.randrange(len(conversations))
        text = f"Add a task to wash car {number}" if draw.random() < 0.2 else f"What is {number} * 7?"
        named = conversations[place]
        answer = deployment.send(text, named, key=f"key {number}" if draw.random() < 0.5 else None)
        told = answer.json
        conversations[place] = told.get("conversation_id", named)
        metadata = told.get("metadata", {"persisted": False, "stored_later": False})
        reply = told["message"]["content"] if answer.status == 200 else ""
        fate = (metadata["persisted"], metadata["stored_later"])
        sent.append(Sent(text, str(conversations[place]), answer.status, *fate, reply))
    return sent


def is_as_told(deployment: Deployment, conversation: str, sent: list[Sent]) -> None:
    """Each message stands there once, followed by its reply, and those of one fate in their order."""
    stored = deployment.stored(conversation)
    assert [message.sequence for message in stored] == list(range(1, len(stored) + 1))
    replies = {message.content: reply for message, reply in pairwise(stored) if message.role == "user"}
    texts = [message.content for message in stored if message.role == "user"]
    assert sorted(texts) == sorted(each.text for each in sent)
    for message, reply in list(pairwise(stored))[::2]:
        assert (message.turn_id, reply.role) == (reply.turn_id, "assistant")
    for each in sent:
        assert each.reply in ("", UNAVAILABLE_TEXT, replies[each.text].content)
    for late in (True, False):
        places = [each.text for each in sent if replies[each.text].late is late and each.status == 200]
        assert places == [text for text in texts if text in places]


def tasks(deployment: Deployment) -> list[str]:
    store = TaskStore(tables=Tables(deployment.table), clock=deployment.clock)
    found, _ = store.list(deployment.caller, limit=500)
    return [task.title for task in found]


@pytest.mark.parametrize("is_known", [True, False], ids=["a workspace seen before", "one never seen"])
@pytest.mark.parametrize(
    "message",
    [
        "List my agents", "Which agents do I have?", "How long are chats kept?", "What is our budget?",
        "Show the settings", "What did we decide about Jira?", "Run notion-reporter", "yes", "undo",
    ],
)  # fmt: skip
def test_nothing_is_said_of_what_could_not_be_read(
    deployment: Deployment, message: str, *, is_known: bool
) -> None:
    if is_known:
        deployment.send("I want our project updates from Notion every Monday")
    else:
        deployment.continue_as_tenant(derived_id(message))
    deployment.reach.fail_after()
    answer = deployment.send(message)
    assert (fate(answer), content(answer)) == (LATER, UNAVAILABLE_TEXT)


def test_a_question_about_what_could_not_be_read_is_answered_once_it_can_be(deployment: Deployment) -> None:
    begun = deployment.send("I want our project updates from Notion every Monday")
    conversation = begun.json["conversation_id"]
    deployment.reach.fail_after(after=1)
    promised = deployment.send("At 9, and mail them to me", conversation)
    assert promised.status == 202
    deployment.reach.recover()
    deployment.clock.advance(10)
    deployment.drain()
    assert deployment.stored(conversation)[-1].content.startswith("Saved: notion-reporter")


def test_an_unfinished_agent_survives_an_outage(deployment: Deployment) -> None:
    begun = deployment.send("I want our project updates from Notion every Monday")
    conversation = begun.json["conversation_id"]
    deployment.reach.fail_after()
    for message in ("At 9, and mail them to me", "What is 5 factorial times 8?"):
        assert fate(deployment.send(message, conversation)) == LATER
    deployment.reach.recover()
    deployment.clock.advance(10)
    deployment.drain()
    back = deployment.send("At 9, and mail them to me", conversation)
    assert content(back).startswith("Saved: notion-reporter reads Notion, runs Mondays at 9:00 AM")
