"""Conversations out of a table that agent-squad itself wrote."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from agent_squad.storage import DynamoDbChatStorage
from agent_squad.types import ConversationMessage, ParticipantRole
from botocore.exceptions import ClientError

from conversation.clock import from_millis, open_clock, to_millis
from conversation.identity import Caller
from conversation.messages.models import Message, Role
from conversation.threads.repository import ConversationRepository
from local.__main__ import main
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import REGION, dynamo_client, ministack

MAYA = Caller(TenantId("acme"), "maya")
LONG = "x" * 130_000
CLOCK = open_clock(None)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with ministack() as url:
        yield url


class Squad:
    """A table as agent-squad's guide has one made, and the library that writes to it."""

    def __init__(self, endpoint: str) -> None:
        self.client = dynamo_client(endpoint)
        self.table, self.endpoint = f"squad-{uuid4()}", endpoint
        self.client.create_table(
            TableName=self.table,
            KeySchema=[
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "SK", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "PK", "AttributeType": "S"},
                {"AttributeName": "SK", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        self.storage = DynamoDbChatStorage(self.table, REGION)

    def ask(self, user: str, session: str, agent: str, request: str, answer: str) -> None:
        """A turn, as the orchestrator stores it."""
        self.save(user, session, agent, "user", {"text": request})
        self.save(user, session, agent, "assistant", {"text": answer})

    def save(self, user: str, session: str, agent: str, role: str, *blocks: dict[str, object]) -> None:
        """One message, as the library stamps and stores it."""
        message = ConversationMessage(ParticipantRole(role).value, list(blocks))
        asyncio.run(self.storage.save_chat_message(user, session, agent, message))

    def put(self, user: str, sort: str, **attributes: object) -> None:
        """An item the library would not write like this."""
        self.storage.table.put_item(Item={"PK": user, "SK": sort, **attributes})

    def take(self, data: Path) -> int:
        """Import the table by command; the exit code."""
        options = ["--table", self.table, "--endpoint", self.endpoint, "--region", REGION]
        return main(["import-agent-squad", "--tenant", "acme", "--data", str(data), *options])


@pytest.fixture
def squad(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Squad:
    # The library makes its client by itself.
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
    return Squad(endpoint)


def conversations(data: Path) -> ConversationRepository:
    return ConversationRepository(tables=Tables(SqliteTable(data / "omniforge.db")), clock=CLOCK)


def only(data: Path, caller: Caller = MAYA) -> list[Message]:
    """The messages of the caller's one conversation."""
    repository = conversations(data)
    (conversation,), _ = repository.list(caller, limit=10)
    return list(repository.messages(caller, conversation.id))


def test_a_session_with_several_agents_becomes_one_conversation_in_the_order_it_was_said(
    squad: Squad, tmp_path: Path
) -> None:
    squad.ask("maya", "s1", "travel-agent", "Please find me a flight to Rome", "There is one at 9:40.")
    squad.ask("maya", "s1", "health-agent", "And a dentist there?", "Dr Rossi.")
    squad.ask("maya", "s1", "travel-agent", "Book the flight", "Booked: AZ-611.")
    assert squad.take(tmp_path) == 0
    messages = only(tmp_path)
    assert [message.content for message in messages] == [
        "Please find me a flight to Rome",
        "There is one at 9:40.",
        "And a dentist there?",
        "Dr Rossi.",
        "Book the flight",
        "Booked: AZ-611.",
    ]
    assert [message.metadata.get("agent") for message in messages[1::2]] == [
        "travel-agent",
        "health-agent",
        "travel-agent",
    ]
    assert len({message.turn_id for message in messages}) == 3
    assert all(message.tokens > 0 for message in messages)
    (listed,), _ = conversations(tmp_path).list(MAYA, limit=10)
    assert (listed.title, listed.updated_at) == ("Find me a flight to Rome", messages[-1].created_at)


def test_the_order_is_the_one_agent_squad_itself_reads(squad: Squad, tmp_path: Path) -> None:
    for place in range(12):
        squad.ask("maya", "s1", f"agent-{place % 5}", f"request {place}", f"answer {place}")
    squad.take(tmp_path)
    read = asyncio.run(squad.storage.fetch_all_chats("maya", "s1"))
    theirs = [message.content[0]["text"].partition("] ")[2] or message.content[0]["text"] for message in read]
    assert [message.content for message in only(tmp_path)] == theirs


def test_users_whose_session_hit_the_wall_go_on_here(
    squad: Squad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in range(3):
        squad.ask("maya", "s1", "writer", f"chapter {place}", LONG)
    with pytest.raises(ClientError):
        squad.ask("maya", "s1", "writer", "chapter 3", LONG)
    squad.ask("maya", "s2", "writer", "Another book", "Begun.")
    squad.ask("noah", "s1", "writer", "My book", "Begun, too.")
    squad.take(tmp_path)
    out = capsys.readouterr().out
    sizes = {each.title: each.count for each in conversations(tmp_path).list(MAYA, limit=10)[0]}
    assert sizes["Another book"] == 2
    assert sizes["Chapter 0"] == 7  # the last request was stored, its answer did not fit any more
    assert "Imported: 3 conversations with 11 messages" in out
    assert [each.content for each in only(tmp_path, Caller(MAYA.tenant, "noah"))] == [
        "My book",
        "Begun, too.",
    ]


def test_importing_again_imports_what_is_new_and_tells_what_went_on(
    squad: Squad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    squad.ask("maya", "s1", "writer", "hello", "hi")
    squad.ask("maya", "s2", "writer", "hello", "hi")
    squad.take(tmp_path)
    squad.ask("maya", "s2", "writer", "more", "here")
    squad.ask("maya", "s3", "writer", "hello", "hi")
    capsys.readouterr()
    squad.take(tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        "Imported: 1 conversations with 2 messages",
        "Already there: 1 conversations",
        "Left out: 1",
        "  user 'maya', session 's2': already there, but not the same",
    ]


def test_what_can_not_be_read_is_counted_and_said_why(
    squad: Squad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    squad.save("maya", "s1", "finder", "user", {"text": "Find it"}, {"image": {"format": "png"}})
    squad.save("maya", "s1", "finder", "assistant", {"toolUse": {"name": "find", "input": {"n": 3}}})
    squad.ask("maya", "a#b", "writer", "with a delimiter", "read")
    squad.ask("maya", "a", "writer", "without", "read")
    squad.ask(" ", "s1", "writer", "no name", "none")
    broken = [{"role": "robot"}, "text", {"role": "user", "content": "x", "timestamp": "soon"}]
    squad.put("maya", "s9#writer", conversation=broken)
    squad.put("maya", "settings")
    old = [{"role": "user", "content": "long ago", "timestamp": 1_600_000_000_000}]
    squad.put("maya", "s0#writer", conversation=old)
    assert squad.take(tmp_path) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Imported: 3 conversations with 5 messages"
    assert sorted(out[3:]) == [
        "  an item: not as agent-squad writes them",
        "  user ' ', session 's1': the user is not a valid user name",
        "  user 'maya', session 's0': older than the tenant keeps conversations",
        "  user 'maya', session 's1': messages: without text",
        "  user 'maya', session 's9': messages: 3 not as agent-squad writes them",
    ]
    titles = {each.title for each in conversations(tmp_path).list(MAYA, limit=10)[0]}
    assert titles == {"Find it", "With a delimiter", "Without"}


def test_a_clock_that_was_set_back_turns_nothing_round(squad: Squad, tmp_path: Path) -> None:
    now = to_millis(CLOCK.now())
    said = (("user", "one", now), ("assistant", "two", now - 5_000), ("user", "three", now))
    stored = [{"role": role, "content": [{"text": text}], "timestamp": at} for role, text, at in said]
    squad.put("maya", "s1#writer", conversation=stored)
    squad.take(tmp_path)
    messages = only(tmp_path)
    assert [(message.role, message.content) for message in messages] == [
        (Role.USER, "one"),
        (Role.ASSISTANT, "two"),
        (Role.USER, "three"),
    ]
    assert {message.created_at for message in messages} == {from_millis(now)}


def test_a_table_that_is_not_there_is_said_to_be(
    squad: Squad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    squad.table = "nothing"
    assert squad.take(tmp_path) == 2
    assert "The import stopped." in capsys.readouterr().err
