"""A request that is repeated while it is answered gets that answer, or its own if that came to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conversation.clock import Deadline
from conversation.errors import IdempotencyInProgress
from conversation.identity import Caller, conversation_id_for_client
from conversation.running_turns.cancellation import TurnCancellation
from conversation.running_turns.frames import FrameStore
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage, admit
from edge.http.server_sent_events import Frame
from edge.streaming.turn_replay import TurnReplay
from edge.wires.turns import CallersTurns
from edge.wires.wire import ConversationName, TurnRequest
from storage import keys
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from storage.table import Delete
from storage.tenant_table import Tables
from tests.fakes.run.clocks import ManualClock

MAYA = Caller(TenantId("acme"), "maya")
NAMED = conversation_id_for_client(MAYA, "wire", "main")
REPEATED = TurnRequest("Hello", ConversationName(NAMED, may_begin=True), key="once")


class NoRuns:
    """No turn has started a run."""

    def find_of_turn(self, _caller: Caller, _turn_id: str) -> None:
        return None

    def cancel(self, _caller: Caller, _run_id: str) -> None:
        pass


def test_a_repeated_request_is_begun_again_when_the_turn_under_its_key_is_withdrawn() -> None:
    table, clock = SqliteTable(":memory:"), ManualClock()
    tables = Tables(table)
    conversations = ConversationRepository(tables=tables, clock=clock)
    begun: list[str] = []

    def begin(turn: TurnRequest) -> Iterator[Frame]:
        begun.append(turn.message)
        if len(begun) == 1:
            raise IdempotencyInProgress
        return iter([Frame(1, "turn", "{}"), Frame(2, "done", "{}")])

    class Withdrawing(TurnReplay):
        """Replays a turn whose message leaves the inbox right after it was seen."""

        def turn_under_key(self, *arguments: Any) -> Any:
            found = super().turn_under_key(*arguments)
            table.delete(Delete(keys.head(MAYA.tenant, NAMED)))
            return found

    message = IncomingMessage(MAYA, "Hello", NAMED, "once", may_begin=True)
    now = clock.now()
    admit(table, message, owner="first", now=now, caller_until=now, retention_days=30)
    turns = CallersTurns(
        MAYA,
        Deadline.after(clock, 20),
        begin,
        lambda _caller: None,
        conversations,
        Withdrawing(conversations=conversations, frames=FrameStore(tables=tables, clock=clock), clock=clock),
        TurnCancellation(tables=tables, conversations=conversations),
        NoRuns,
        tables,
        clock,
    )

    assert [frame.name for frame in turns.begin(REPEATED)] == ["turn", "done"]
    assert begun == ["Hello", "Hello"]
