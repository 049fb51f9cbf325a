"""The function that titles, indexes and summarises conversations, reads the text of files, learns from
corrections and forgets them.

It may ask a model. Nothing waits for it: what must follow from a write is done by `functions.consequences`.
"""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.after_turn.background_model import BackgroundModel
from agent.after_turn.feedback_labels import FeedbackLabels
from agent.after_turn.summaries import ModelSummarisers, SummaryFollower
from agent.after_turn.titles import TitleUpdater
from agent.inference.model_access import ModelAccess
from agent.inference.turn_budget import TurnBudgets
from conversation.attachments.file_texts import FileTexts
from conversation.context.summary_updater import ExtractiveSummariser, SummaryUpdater
from conversation.search.index import SearchIndex, SearchIndexFollower
from conversation.tenants.store import TenantStore
from conversation.threads.example_removal import ExampleRemover
from conversation.usage.budgets import Budgets
from edge.adapters.attachments import open_bucket
from edge.adapters.crash_marks import CrashMarks
from edge.adapters.event_batches import ENRICHMENT_LIMIT_S, process_stream_batch
from edge.adapters.provider_keys import ProviderKeys
from edge.function_runtime import FunctionRuntime
from resilience.cpu_limit import CpuLimit
from storage.table import Item, Key, StreamRecord

settings, clock, tables, request_log = FunctionRuntime.for_events("enrichment")
tenants = TenantStore(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings, clock=clock)

models = ModelAccess(provider_keys.model_settings(), clock=clock)
model = (
    BackgroundModel(
        completion=models.completion,
        registry=models.registry,
        name=models.intent_model,
        tables=tables,
        clock=clock,
        tenants=tenants,
        turn_budgets=TurnBudgets(
            Budgets(tables=tables, clock=clock), usd_per_day=settings.tenant_usd_per_day
        ),
    )
    if models.intent_model
    else None
)
summariser = ModelSummarisers(model) if model and settings.summaries == "model" else ExtractiveSummariser()
cpu_limit = CpuLimit()
marks = CrashMarks()
file_texts = FileTexts(tables, open_bucket(settings))
followers = (
    TitleUpdater(tables=tables, model=model if settings.titles == "model" else None),
    FeedbackLabels(tables=tables, clock=clock, tenants=tenants),
    file_texts,
    SearchIndexFollower(SearchIndex(tables=tables, clock=clock, file_texts=file_texts)),
    SummaryFollower(SummaryUpdater(tables=tables, clock=clock, summariser=summariser)),
    ExampleRemover(tables),
)


def handle_write(key: Key, old: Item | None, new: Item | None) -> None:
    """Passes a write to every follower; one that does not handle it costs nothing."""
    change = StreamRecord(key, old, new)
    with cpu_limit.enforced():
        for follower in followers:
            follower.handle(change)


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Handles a batch of the table's stream, in order, up to the first write that fails."""
    with request_log.for_request(context.aws_request_id):
        return dict(
            process_stream_batch(event, context, handle_write, marks=marks, limit_s=ENRICHMENT_LIMIT_S)
        )
