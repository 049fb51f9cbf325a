"""The function that executes runs of agents, one at a time, checks skills, and reminds of tasks.

A turn, a request or a schedule starts a run. Only this function's package can check skills.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.connections.access import ConnectionAccess
from agent.connections.posting_links import KEY_NAME as LINKS_KEY
from agent.connections.posting_links import PostingLinks
from agent.connections.sealing import Sealer
from agent.connections.secret_store import SecretStore
from agent.connections.store import ConnectionStore
from agent.inference.model_access import ModelAccess
from agent.reminders.delivery import ReminderDelivery
from agent.runs.claims import RunOccupied
from agent.runs.delivery import Deliverer
from agent.runs.factory import compose_runs
from agent.runs.run_queue import CheckRequest, ReminderRequest, Request, parse_request
from agent.runs.skill_tools import SkillTools
from agent.workspace.runs import Run, RunStatus
from agent.workspace.skill_store import SkillStore
from conversation.clock import Deadline
from conversation.domain_events import DomainEvent, EventKind
from conversation.limits.concurrency import RunSlots, TooManyRuns
from conversation.token_counts import TokenCounter
from conversation.turns.proactive_messages import LeaseWaitTimeout, ProactiveMessages
from edge.adapters.event_batches import process_batch
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.mail import open_mailer
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import open_request_queue
from edge.adapters.tenant_secrets import open_tenant_secrets
from edge.function_runtime import FunctionRuntime
from edge.initialization import prepare_environment
from resilience.cpu_limit import CpuLimit
from storage.keys import TenantId
from tasks.reminders import ReminderOccupied

MARGIN_S = 5.0
"""The time at the end of an invocation for reporting how it went."""

REQUEUE_DELAY_S = 30
"""Longer than a claim on a run lasts when it is not renewed."""

CPU_LIMIT_S = 60.0
"""A run calls models several times, with more context than a turn, and mostly waits."""
SLOT_MARGIN_S = 60.0
"""Longer than an invocation takes beside the run itself."""
LIBRARY_S = 6.0
"""How long to wait for litellm before the first request, where a model needs it."""

ENDED = {
    RunStatus.SUCCEEDED: EventKind.RUN_FINISHED,
    RunStatus.FAILED: EventKind.RUN_FAILED,
    RunStatus.TIMED_OUT: EventKind.RUN_FAILED,
}

settings, clock, tables, request_log = FunctionRuntime.for_events("agent_runs")
queue = open_request_queue(settings.run_queue)
slots = RunSlots(
    tables=tables, clock=clock, lifetime=timedelta(seconds=settings.run_timeout_s + SLOT_MARGIN_S)
)
provider_keys = ProviderKeys(settings, clock=clock)
tools = provider_keys.tool_settings()

kept_secrets = open_tenant_secrets(settings.tenant_secrets, clock=clock)
sealer = Sealer(kept_secrets)
secrets = SecretStore(tables=tables, sealer=sealer, others=kept_secrets, clock=clock)
skills = SkillTools(
    store=SkillStore(tables=tables, clock=clock, outbound=tools.outbound),
    secrets=secrets,
    outbound=tools.outbound,
    clock=clock,
    connections=ConnectionAccess(
        store=ConnectionStore(tables=tables, clock=clock),
        sealer=sealer,
        outbound=tools.outbound,
        clock=clock,
    ),
)
cpu_limit = CpuLimit(CPU_LIMIT_S)
events = open_event_publisher(settings.event_bus, clock)
mailer = open_mailer(settings.mail)
models = ModelAccess(provider_keys.model_settings(), clock=clock)
executor = compose_runs(
    settings,
    models=models,
    tools=tools,
    skills=skills,
    secrets=secrets,
    links=PostingLinks(tables=tables, sealer=Sealer(kept_secrets, key_name=LINKS_KEY)),
    mailer=mailer,
    tables=tables,
    clock=clock,
)
reminders = ReminderDelivery(
    tables=tables,
    clock=clock,
    poster=ProactiveMessages(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary)),
    deliverer=Deliverer(outbound=tools.outbound, mailer=mailer, clock=clock),
    is_mail_set_up=mailer is not None,
    delivery_hosts=tools.delivery_hosts,
)


prepare_environment(partial(models.prepare, LIBRARY_S), renew=(provider_keys.renew, models.close_connections))


def carry_out(request: Request, deadline: Deadline) -> None:
    """Does what the request asks for. A reminder takes no slot: it asks no model."""
    if isinstance(request, ReminderRequest):
        reminders.remind(request, deadline)
        return
    with slots.hold(request.tenant), cpu_limit.enforced():
        if isinstance(request, CheckRequest):
            skills.check(request)
        elif (run := executor.execute(request, deadline)) is not None:
            tell_of_end(request.tenant, run)


def tell_of_end(tenant: TenantId, run: Run) -> None:
    """Tells other systems that a run has ended; one that its user cancelled is told to nobody.

    A request that comes again after that failed finds the run ended, and tells of it then.
    """
    kind = ENDED.get(run.status)
    if kind is not None:
        outcome = run.outcome.code if run.outcome else ""
        detail = {"run_id": run.id, "agent_id": run.agent_id, "status": run.status.value, "outcome": outcome}
        events.publish(DomainEvent(kind, tenant, run.id, detail))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Runs the requests of a batch.

    A run that another invocation executes is queued again. So are a request of a tenant that has as many
    under way as it may, and a reminder that has to wait. That sends a new message, so it counts neither as a
    try of the queue nor of the run.
    """
    deadline = Deadline.after(clock, context.get_remaining_time_in_millis() / 1000 - MARGIN_S)

    def work(body: str) -> None:
        request = parse_request(body)
        try:
            carry_out(request, deadline)
        except (RunOccupied, TooManyRuns, ReminderOccupied, LeaseWaitTimeout):
            queue.send(request, delay_s=REQUEUE_DELAY_S)

    with request_log.for_request(context.aws_request_id):
        return dict(process_batch(event, context, work))
