"""What is taken out of the turns of a tenant that stores no secrets."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from agent.turn_events import Chunk, Done, Outcome, Restarted, ToolUsed, TurnStarted
from agent.turns.redaction import redact_events, redact_incoming
from agent.workspace.roster import Roster, RosterCache
from conversation.clock import Deadline
from conversation.errors import IdempotencyKeyReused
from conversation.messages.models import Message
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from storage import keys
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable, Requests
from tests.fakes.data.scripted_turns import MAYA, EchoMaster, Fixture, StreamingMaster, scripted_service
from tests.fakes.run.clocks import ManualClock

SECRET = "hunter2"
SAID = f"My password is {SECRET}, is that a good one?"
LEFT = "My password is [password], is that a good one?"


def service(redaction: str, master: EchoMaster | None = None) -> tuple[Fixture, Tables]:
    table, clock = SqliteTable(":memory:"), ManualClock()
    tables = Tables(table)
    policy = TenantPolicy.model_validate({"redaction": redaction})
    TenantStore(tables=tables, clock=clock).save(MAYA.tenant, policy)
    return scripted_service(table, clock, master), tables


def stored(fixture: Fixture, tables: Tables, conversation_id: str) -> list[Message]:
    conversations = ConversationRepository(tables=tables, clock=fixture.clock)
    return list(conversations.messages(MAYA, conversation_id))


def told(events: Iterable[object]) -> str:
    """The text that is left of what was told."""
    pieces: list[str] = []
    for event in events:
        if isinstance(event, Restarted):
            pieces.clear()
        elif isinstance(event, Chunk):
            pieces.append(event.text)
    return "".join(pieces)


def test_a_secret_is_only_marked_by_default() -> None:
    fixture, tables = service("mark")
    answer = fixture.say(SAID)
    user, _ = stored(fixture, tables, answer.conversation_id)
    assert (user.content, user.contains) == (SAID, ("password",))


def test_a_secret_is_neither_stored_nor_heard_where_the_tenant_stores_none() -> None:
    fixture, tables = service("store")
    answer = fixture.say(SAID)
    user, reply = stored(fixture, tables, answer.conversation_id)
    assert (user.content, user.contains) == (LEFT, ("password",))
    assert SECRET not in reply.content
    assert SECRET not in " ".join(fixture.master.received)


def test_the_same_request_is_replayed_and_another_one_refused_although_both_store_the_same() -> None:
    fixture, tables = service("store")
    first = fixture.say(SAID, key="once")
    again = fixture.say(SAID, key="once")
    assert again.replayed
    assert again.message_id == first.message_id
    with pytest.raises(IdempotencyKeyReused):
        fixture.say(SAID.replace(SECRET, "hunter3"), key="once")
    assert len(stored(fixture, tables, first.conversation_id)) == 2


def test_what_waits_in_the_inbox_holds_no_secret_either() -> None:
    fixture, tables = service("store")
    waiting = fixture.service.run(IncomingMessage(MAYA, SAID), Deadline.after(fixture.clock, 20))
    started = next(waiting)
    assert isinstance(started, TurnStarted)
    head = tables.for_tenant(MAYA.tenant).get(keys.head(MAYA.tenant, started.conversation_id))
    assert head is not None
    assert LEFT in str(head["inbox"])


def test_what_was_stored_under_another_policy_is_told_without_its_secrets() -> None:
    fixture, tables = service("mark")
    conversation_id = fixture.say(SAID).conversation_id
    TenantStore(tables=tables, clock=fixture.clock).save(MAYA.tenant, TenantPolicy(redaction="store"))
    fixture.rosters.invalidate(MAYA.tenant)
    fixture.say("And now?", conversation_id)
    assert SECRET not in str(fixture.master.histories)


def test_a_reply_loses_its_secrets_before_it_is_told_and_stored() -> None:
    speaker = StreamingMaster(pieces=("Here: the password ", "is hunt", "er2. ", "Anything else?"))
    fixture, tables = service("store", speaker)
    events = fixture.run(IncomingMessage(MAYA, "what is it?"))
    done = events[-1]
    assert isinstance(done, Done)
    pieces = [event.text for event in events if isinstance(event, Chunk)]
    assert SECRET not in "".join(pieces)
    _, reply = stored(fixture, tables, done.answer.conversation_id)
    assert reply.content == "Here: the password is [password]. Anything else?"
    assert "".join(pieces) == reply.content


def test_a_key_that_comes_in_lines_is_told_anew_without_them() -> None:
    lines = [
        "-----BEGIN PRIVATE KEY-----\n",
        "MIICXQIBAAKBgQDaBcDeFg\n",
        "-----END PRIVATE KEY-----\n",
        "So.",
    ]
    events = list(redact_events([*map(Chunk, lines), Outcome()]))
    assert told(events) == "[private_key]\nSo."


def test_tool_messages_lose_their_secrets_and_everything_else_stays() -> None:
    asked = {"role": "tool", "content": f"password: {SECRET}1"}
    used = ToolUsed("look")
    *others, outcome = redact_events([used, Chunk("Hm"), Outcome(tool_messages=(asked,))])
    assert others == [used, Chunk("Hm")]
    assert isinstance(outcome, Outcome)
    assert outcome.tool_messages == ({"role": "tool", "content": "password: [password]"},)


def test_a_message_without_secrets_costs_no_look_at_the_policy() -> None:
    rosters = Unreachable(tables=Tables(SqliteTable(":memory:")), clock=ManualClock())
    incoming = IncomingMessage(MAYA, "The password is wrong", metadata={"page": "login"})
    assert redact_incoming(incoming, rosters) is incoming
    assert rosters.asked == 0


@pytest.mark.parametrize("redaction", ["mark", "store"])
def test_a_secret_costs_a_turn_no_request(redaction: str) -> None:
    asked: list[list[str]] = []
    for message in ("Is that a good one?", SAID):
        requests, table, clock = Requests(), SqliteTable(":memory:"), ManualClock()
        policy = TenantPolicy.model_validate({"redaction": redaction})
        TenantStore(tables=Tables(table), clock=clock).save(MAYA.tenant, policy)
        fixture = scripted_service(ObservedTable(table, requests), clock)
        conversation_id = fixture.say(message).conversation_id
        fixture.say(message, conversation_id)
        asked.append(sorted(requests.names))
    assert asked[0] == asked[1]


def test_where_nobody_can_say_what_the_tenant_wants_secrets_are_taken_out() -> None:
    incoming = IncomingMessage(MAYA, SAID, metadata={"note": "pin: 4921"})
    kept = redact_incoming(incoming, Unreachable(tables=Tables(SqliteTable(":memory:")), clock=ManualClock()))
    assert (kept.content, kept.metadata) == (LEFT, {"note": "pin: [password]"})
    assert kept.body_hash() == incoming.body_hash()


class Unreachable(RosterCache):
    """Rosters of a table that is out of reach."""

    asked = 0

    def for_tenant(self, tenant: TenantId) -> Roster:
        self.asked += 1
        raise StorageUnavailable(tenant)
