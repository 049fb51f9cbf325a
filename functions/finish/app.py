"""The finish function: answers turns that are pending, and stores turns that storage refused.

A turn is pending when it was admitted and not answered: its client has gone, but the message must not get
lost.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.inference.model_access import ModelAccess
from agent.turns.factory import compose_turns
from agent.turns.rehearsal import rehearse_turns
from conversation.clock import Deadline
from conversation.token_counts import TokenCounter
from conversation.turns.deferred_storage import DeferredTurnStore
from edge.adapters.attachments import file_reader
from edge.adapters.event_batches import process_fifo_batch
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import QueuedTurn, open_turn_queue
from edge.function_runtime import FunctionRuntime
from edge.http.resolver import ANSWER_MARGIN_S
from edge.initialization import prepare_environment
from resilience.cpu_limit import CpuLimit
from storage.errors import StorageUnavailable

STORAGE_PAUSE_S = 5.0

settings, clock, tables, request_log = FunctionRuntime.for_events("finish")
queue = open_turn_queue(settings.finish_queue)
provider_keys = ProviderKeys(settings, clock=clock)
open_event_publisher(settings.event_bus, clock)

models = ModelAccess(provider_keys.model_settings(), clock=clock)
tools = provider_keys.tool_settings()
turns = compose_turns(
    settings,
    models=models,
    tools=tools,
    tables=tables,
    clock=clock,
    queue=queue,
    read_file=file_reader(settings),
)
late = DeferredTurnStore(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary))
cpu_limit = CpuLimit()
prepare_environment(
    partial(rehearse_turns, settings, models=models, tools=tools, clock=clock),
    renew=(provider_keys.renew, models.close_connections),
)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers the pending messages in the conversations of a batch, and stores the turns in it.

    A conversation that another invocation answers is queued again. While storage refuses, an entry is tried
    every few seconds: the queue would hide it for minutes.
    """
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - ANSWER_MARGIN_S)
    left = count(len(event["Records"]), -1)

    def finish(entry: QueuedTurn) -> None:
        # Waiting for one conversation has to leave time for the others.
        share = Deadline.after(clock, deadline.remaining() / next(left))
        while True:
            try:
                return process(entry, share)
            except StorageUnavailable:
                if share.remaining() <= STORAGE_PAUSE_S:
                    raise
                clock.sleep(STORAGE_PAUSE_S)

    def process(entry: QueuedTurn, share: Deadline) -> None:
        if entry.turn is not None:
            with cpu_limit.enforced():
                late.store(entry.tenant, entry.turn, share)
        elif not turns.drain(entry.tenant, entry.conversation_id, deadline) and queue is not None:
            queue.send(entry.tenant, entry.conversation_id)

    with request_log.for_request(context.aws_request_id):
        return dict(process_fifo_batch(event, context, finish))
