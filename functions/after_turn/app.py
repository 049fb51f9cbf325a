"""The function that follows the table's stream, and acts on its writes.

It starts runs, updates schedules, has skills checked, titles, indexes and summarises conversations, learns
from corrections and forgets them, and queues work for the retention function.
"""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.after_turn.feedback_labels import Corrections
from agent.after_turn.summaries import Summarising, Summarists
from agent.after_turn.titles import TitleModel, Titling
from agent.inference.budget import Purses
from agent.inference.model_access import ModelAccess
from agent.runs.triggers import Consequences
from conversation.clock import open_clock
from conversation.context.summary_updater import Extracting, Folding
from conversation.erasure.partitions import Members
from conversation.erasure.requests import ErasureStarts
from conversation.retention.jobs import Shortening
from conversation.search.index import Indexing, SearchIndex
from conversation.tenants.store import TenantStore
from conversation.threads.examples import Forgetting
from conversation.usage.budgets import Budgets
from edge.adapters.event_batches import follow
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import open_requests
from edge.adapters.schedules import open_timetable
from edge.observability import open_journal
from edge.settings import Settings
from storage.factory import open_tables
from storage.stream_record import StreamRecord
from storage.table import Item, Key

settings = Settings.load()
clock = open_clock(settings.clock_file)
journal = open_journal("after_turn", settings)
tables = open_tables(settings.table, tenant_role_arn=settings.tenant_role_arn)
tenants = TenantStore(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings.provider_secret_arn, clock=clock, keyless=settings.keyless)

models = ModelAccess(provider_keys.models(settings), clock=clock)
model = TitleModel(models.completion, models.registry, models.intent_model) if models.intent_model else None
purses = Purses(Budgets(tables=tables, clock=clock))
summariser = (
    Summarists(tables=tables, clock=clock, tenants=tenants, purses=purses, model=model)
    if model and settings.summaries == "model"
    else Extracting()
)
removals = open_requests(settings.retention_queue, setting="OMNIFORGE_RETENTION_QUEUE")
followers = (
    Consequences(runs=open_requests(settings.run_queue), timetable=open_timetable(settings)),
    Titling(
        tables=tables,
        clock=clock,
        tenants=tenants,
        purses=purses,
        model=model if settings.titles == "model" else None,
    ),
    Corrections(tables=tables, clock=clock, tenants=tenants),
    Indexing(SearchIndex(tables=tables, clock=clock)),
    Summarising(Folding(tables=tables, clock=clock, summariser=summariser)),
    Shortening(removals),
    ErasureStarts(removals),
    Members(tables),
    Forgetting(tables),
)


def work(key: Key, old: Item | None, new: Item | None) -> None:
    """Passes a write to every follower; one that does not handle it costs nothing."""
    change = StreamRecord(key, old, new)
    for follower in followers:
        follower.follow(change)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handles a batch of the table's stream, in order, up to the first write that fails."""
    with journal.request(context.aws_request_id):
        return dict(follow(event, context, work))
