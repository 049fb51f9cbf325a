"""A writer that answers its messages itself on a DynamoDB table shared by many, as Lambda functions do.

Throttling, conflicts and lost answers happen below boto3, so that its retries and ours really run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any
from unittest.mock import patch

from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.retries.standard import ExponentialBackoff

from agent.handler_interface import TurnRequest
from agent.inference.turn_budget import TurnBudgets
from agent.turn_events import Chunk, Outcome, ReplyEvent
from agent.turns.service import TurnService
from agent.workspace.roster import RosterCache
from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from conversation.threads.repository import ConversationRepository
from conversation.token_counts import TokenCounter
from conversation.turns.admission import IncomingMessage
from conversation.turns.deferred_turn import DeferredTurn, QueueUnavailable
from conversation.turns.turn_protocol import TurnProtocol
from conversation.usage.budgets import Budgets
from intent.decision import Decision
from storage.dynamodb.table import DynamoTable
from storage.errors import StorageError
from storage.keys import TenantId
from storage.table import Table
from storage.tenant_table import Tables
from tests.fakes.aws.dynamodb import Answer, cancelled_transaction, dynamo_client, error_answer, lost_answer
from tests.fakes.data.scripted_turns import FixedAnalyzer
from tests.history.clients import Outcome as Told
from tests.history.clients import Refusal, Reply
from tests.history.effects import effect_of
from tests.history.faults import BUG, HARMLESS, REAL_BUGS, REAL_RATES, Fault, Faults
from tests.history.journal import Journal, record_model_call
from tests.history.process_faults import FaultInjectedTable, FaultInjector
from tests.history.records import FaultOccurred, Operation
from tests.history.transports import AnswerFailed, outcome_of, poll_outcome, record_unadmitted

PATIENCE_S = (2.0, 6.0)
FINISH_S = 10.0
THINKING_S = (0.0, 0.03)
CONTENDED = 0.2
_CLOCK = SystemClock()


class LocalSender:
    """Sends messages to a turn service in this process, which also does the work of `finish`."""

    def __init__(self, plan: dict[str, Any], journal: Journal, draw: Random) -> None:
        client = dynamo_client(plan["endpoint"])
        # boto3 would wait for seconds; our own waits stay as they are.
        patch.object(ExponentialBackoff, "delay_amount", return_value=0.01).start()
        below = {fault: rate for fault, rate in REAL_RATES.items() if fault in HARMLESS}
        above = {fault: rate for fault, rate in REAL_RATES.items() if fault not in HARMLESS}
        FaultyWire(client, Faults(draw, below), journal)
        faults = Faults(draw, above, bugs=REAL_BUGS)
        striker = FaultInjector(faults, draw=draw, journal=journal)
        table = FaultInjectedTable(DynamoTable(client, plan["table_name"]), striker)
        self._caller = Caller(TenantId(plan["tenant"]), plan["user"])
        self._queue = LocalFinishQueue()
        self._service = service_over(table, RecordingMaster(table, faults, journal, draw), self._queue)
        self._repository = ConversationRepository(tables=Tables(table), clock=_CLOCK, queue=self._queue)
        self._conversations = plan["conversations"]
        self._draw = draw
        self._note = journal.note

    def send(self, operation: Operation) -> Told:
        named = operation.conversation
        conversation_id = self._conversations[named] if named else None
        incoming = IncomingMessage(self._caller, operation.message, conversation_id, operation.key)
        patience_s = self._draw.uniform(*PATIENCE_S)
        events = self._service.run(incoming, Deadline.after(_CLOCK, patience_s))
        return outcome_of(record_unadmitted(events, self._note, time.monotonic))

    def poll(self, turn_id: str) -> Reply | Refusal | None:
        seen = poll_outcome(self._repository, self._caller, turn_id)
        for conversation_id in self._queue.take_all():
            try:
                self._service.drain(self._caller.tenant, conversation_id, Deadline.after(_CLOCK, FINISH_S))
            except StorageError:
                self._queue.send(self._caller.tenant, conversation_id)
        return seen


class LocalFinishQueue:
    """A queue in the memory of this process."""

    def __init__(self) -> None:
        self._asked: set[str] = set()

    def send(self, tenant: TenantId, conversation_id: str) -> None:
        self._asked.add(conversation_id)

    def send_turn(self, tenant: TenantId, turn: DeferredTurn) -> None:
        # The queue dies with the process, so it can't promise durability.
        raise QueueUnavailable

    def take_all(self) -> set[str]:
        """Return the queued requests and empty the queue."""
        taken, self._asked = self._asked, set()
        return taken


class RecordingMaster:
    """Pauses for a moment, which is recorded as a model call, and returns a unique answer."""

    def __init__(self, table: Table, faults: Faults, journal: Journal, draw: Random) -> None:
        self._table = table
        self._faults = faults
        self._journal = journal
        self._draw = draw

    def reply(self, turn: TurnRequest, decision: Decision) -> Iterator[ReplyEvent]:
        with record_model_call(self._journal, turn.turn_id):
            time.sleep(self._draw.uniform(*THINKING_S))
        if self._faults.is_bug():
            self._journal.note(FaultOccurred(BUG, time.monotonic()))
            raise AnswerFailed
        effects = effect_of(turn, self._table, contended=self._draw.random() < CONTENDED)
        yield Chunk(f"re: {turn.situation.message} ({self._draw.getrandbits(40):x})")
        yield Outcome(effects=effects)


class FaultyWire:
    """Injects faults into a client's requests in transit."""

    def __init__(self, client: Any, faults: Faults, journal: Journal) -> None:
        self._faults = faults
        self._journal = journal
        self._lost = lost_answer(client)
        client.meta.events.register_first("before-send.dynamodb.*", self._on_send)

    def _on_send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        fault = self._faults.draw_fault()
        if fault is None:
            return None
        self._journal.note(FaultOccurred(fault, time.monotonic()))
        return self._answer(fault, request)(request)

    def _answer(self, fault: Fault, request: AWSPreparedRequest) -> Answer:
        if fault is Fault.RESENT:
            return self._lost
        if fault is Fault.THROTTLED:
            return error_answer("ProvisionedThroughputExceededException")
        if "Transact" in str(request.headers["X-Amz-Target"]):
            return cancelled_transaction("TransactionConflict", "None", "None")
        return error_answer("TransactionConflictException")


def service_over(table: Table, master: Any, queue: LocalFinishQueue) -> TurnService:
    """Compose a service as a function does, except for the analyzer and the master agent."""
    tables = Tables(table)
    return TurnService(
        protocol=TurnProtocol(tables=tables, clock=_CLOCK, tokens=TokenCounter(None)),
        rosters=RosterCache(tables=tables, clock=_CLOCK),
        analyzer=FixedAnalyzer(),
        master=master,
        clock=_CLOCK,
        turn_budgets=TurnBudgets(Budgets(tables=tables, clock=_CLOCK)),
        queue=queue,
    )
