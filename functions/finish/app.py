"""Turns that were admitted and not answered: whoever was waiting has gone, and the message must not. And
turns that were answered and not stored, because storage was out of reach.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.composing import ModelAccess, TurnSettings, compose_turns
from agent.deployment import ModelSettings, ToolSettings
from conversation.clock import Deadline
from conversation.context import ContextLimits
from conversation.late import LateTurns
from conversation.tenants import TenantStore
from conversation.tokens import TokenCounter
from edge.api import ANSWER_MARGIN_S
from edge.batches import work_through
from edge.clocks import open_clock
from edge.observability import open_journal
from edge.queues import Waiting, open_queue
from edge.secrets import ProviderKeys
from edge.settings import LOCAL, Settings
from storage.opening import open_tables
from tools.outbound import Outbound

settings = Settings.load()
clock = open_clock(settings.clock_file)
journal = open_journal("finish", settings)
queue = open_queue(settings.finish_queue)
tables = open_tables(settings.table, tenant_role_arn=settings.tenant_role_arn)
tenants = TenantStore(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings.provider_secret_arn, clock=clock, keyless=settings.keyless)

models = ModelAccess(
    ModelSettings(
        credentials=provider_keys.credentials(settings),
        intent_model=settings.intent_model,
        strong_models=settings.strong_models,
        api_key=provider_keys.key,
    ),
    clock=clock,
)
turns = compose_turns(
    TurnSettings(
        intent_deadline_s=settings.intent_deadline_ms / 1000,
        clarify_below=settings.clarify_below,
        limits=ContextLimits(
            budget_tokens=settings.context_token_budget, max_messages=settings.context_max_messages
        ),
        vocabulary=settings.token_vocabulary,
    ),
    models=models,
    tools=ToolSettings(
        outbound=Outbound(allow_loopback=settings.stage == LOCAL),
        search_url=settings.search_url,
        search_key=provider_keys.search_key,
    ),
    tables=tables,
    clock=clock,
    tenants=tenants,
    queue=queue,
)
late = LateTurns(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer what waits in the conversations of a batch; one that somebody else answers is queued again.

    Turns that were answered are stored.
    """
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - ANSWER_MARGIN_S)
    left = count(len(event["Records"]), -1)

    def finish(waiting: Waiting) -> None:
        # Who waits for a conversation leaves time for the others.
        share = Deadline.after(clock, deadline.remaining() / next(left))
        if waiting.turn is not None:
            late.store(waiting.tenant, waiting.turn, share)
        elif not turns.drain(waiting.tenant, waiting.conversation_id, deadline) and queue is not None:
            queue.send(waiting.tenant, waiting.conversation_id)

    with journal.request(context.aws_request_id):
        return dict(work_through(event, context, finish))
