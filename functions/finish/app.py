"""Turns that were admitted and not answered: whoever was waiting has gone, and the message must not."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.master import MasterAgent
from agent.roster import Rosters
from agent.store import AgentStore
from agent.thinking import ContextLimits
from agent.turns import TurnService
from conversation.clock import Deadline
from conversation.tenants import TenantStore
from conversation.tokens import TokenCounter
from conversation.turns import TurnProtocol
from edge.api import ANSWER_MARGIN_S
from edge.batches import work_through
from edge.clocks import open_clock
from edge.observability import open_journal
from edge.queues import Waiting, open_queue
from edge.secrets import ProviderKeys
from edge.settings import Settings
from intent.analyzer import IntentAnalyzer
from intent.offline import OfflineClassifier
from llm.breaker import Breaker
from llm.choice import default_model
from llm.completion import Completion
from storage.opening import open_table
from storage.tenant import Tables

settings = Settings.load()
clock = open_clock(settings.clock_file)
journal = open_journal("finish", settings)
queue = open_queue(settings.finish_queue)
tables = Tables(open_table(settings.table))
tenants = TenantStore(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings.provider_secret_arn, clock=clock, keyless=settings.keyless)
turns = TurnService(
    protocol=TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary)),
    rosters=Rosters(tables=tables, clock=clock),
    analyzer=IntentAnalyzer(
        offline=OfflineClassifier(),
        completion=Completion(timer=clock, breaker=Breaker(clock.monotonic), api_key=provider_keys.key),
        model=default_model(settings.intent_model, provider_keys.credentials(settings)),
        clock=clock,
        deadline_s=settings.intent_deadline_ms / 1000,
    ),
    master=MasterAgent(
        store=AgentStore(tables=tables, clock=clock),
        tenants=tenants,
        clarify_below=settings.clarify_below,
    ),
    clock=clock,
    queue=queue,
    limits=ContextLimits(
        budget_tokens=settings.context_token_budget, max_messages=settings.context_max_messages
    ),
)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer what waits in the conversations of a batch; one that somebody else answers is queued again."""
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - ANSWER_MARGIN_S)

    def finish(waiting: Waiting) -> None:
        if not turns.drain(waiting.tenant, waiting.conversation_id, deadline) and queue is not None:
            queue.send(waiting.tenant, waiting.conversation_id)

    with journal.request(context.aws_request_id):
        return dict(work_through(event, context, finish))
