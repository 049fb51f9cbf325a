"""One turn, answered in one piece."""
# ruff: noqa: E402

from __future__ import annotations

import gc

# What is imported and composed below stays: looking for garbage in it takes a tenth of a cold start.
gc.disable()

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.types import OpenAPIResponse
from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.events import Accepted, Answer, Done
from agent.master import MasterAgent
from agent.roster import Rosters
from agent.store import AgentStore
from agent.thinking import ContextLimits
from agent.turns import TurnService
from conversation.admission import Incoming
from conversation.clock import Deadline
from conversation.models import Role
from conversation.tenants import TenantStore
from conversation.tokens import TokenCounter
from conversation.turns import TurnProtocol
from edge.api import JSON, Api, RequestId, SecondsLeft, json_response
from edge.clocks import open_clock
from edge.identity import Asker, ClaimedTimeZone, NamedAsker
from edge.models import ChatRequest
from edge.observability import open_journal
from edge.parameters import IdempotencyKey
from edge.queues import open_queue
from edge.secrets import ProviderKeys
from edge.settings import Settings
from edge.views import AcceptedView, ChatReply, ReplyView, TurnMetadata
from intent.analyzer import IntentAnalyzer
from intent.offline import OfflineClassifier
from llm.breaker import Breaker
from llm.choice import default_model
from llm.completion import Completion
from storage.opening import open_table
from storage.tenant import Tables

LOOK_AGAIN_AFTER_S = 2

settings = Settings.load()
clock = open_clock(settings.clock_file)
tables = Tables(open_table(settings.table))
tenants = TenantStore(tables=tables, clock=clock)
rosters = Rosters(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings.provider_secret_arn, clock=clock, keyless=settings.keyless)
turns = TurnService(
    protocol=TurnProtocol(tables=tables, clock=clock, tokens=TokenCounter(settings.token_vocabulary)),
    rosters=rosters,
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
    queue=open_queue(settings.finish_queue),
    limits=ContextLimits(
        budget_tokens=settings.context_token_budget, max_messages=settings.context_max_messages
    ),
)
REPLIES: dict[int, OpenAPIResponse] = {
    200: {"description": "Answered.", "content": {JSON: {"model": ChatReply}}},
    202: {"description": "Stored; it will be answered later.", "content": {JSON: {"model": AcceptedView}}},
}
api = Api(origins=settings.allowed_origins, clock=clock, journal=open_journal("chat", settings))


@api.post("/v1/chat", summary="Send a message and get it answered", tags=["chat"], responses=REPLIES)
def chat(
    caller: Asker,
    body: ChatRequest,
    claimed_zone: ClaimedTimeZone,
    seconds_left: SecondsLeft,
    trace_id: RequestId,
    idempotency_key: IdempotencyKey = None,
) -> Response[ChatReply | AcceptedView]:
    incoming = Incoming(
        caller,
        body.message,
        conversation_id=body.conversation_id,
        idempotency_key=idempotency_key,
        metadata=body.metadata,
        time_zone=body.time_zone or claimed_zone,
        model=body.model,
    )
    *_, last = turns.run(incoming, Deadline.after(clock, seconds_left), trace_id=trace_id)
    match last:
        case Done():
            return answered(last.answer)
        case Accepted():
            return accepted(last)
        case _:
            raise AssertionError("a turn ends with its answer, or with the promise of one")


@api.post(
    "/v1/users/<user_id>/chat",
    summary="The same, for clients that name the user",
    tags=["chat"],
    responses=REPLIES,
)
def chat_as(
    user_id: str,  # noqa: ARG001 - checked by NamedAsker
    caller: NamedAsker,
    body: ChatRequest,
    claimed_zone: ClaimedTimeZone,
    seconds_left: SecondsLeft,
    trace_id: RequestId,
    idempotency_key: IdempotencyKey = None,
) -> Response[ChatReply | AcceptedView]:
    return chat(caller, body, claimed_zone, seconds_left, trace_id, idempotency_key)


def answered(answer: Answer) -> Response[ChatReply | AcceptedView]:
    """The assistant's reply; the stored one, when the request was answered before."""
    reply = ChatReply(
        conversation_id=answer.conversation_id,
        message=ReplyView(
            id=answer.message_id, role=Role.ASSISTANT, content=answer.content, created_at=answer.created_at
        ),
        metadata=TurnMetadata.model_validate(answer.metadata),
    )
    return json_response(reply, headers={"Idempotency-Replayed": "true"} if answer.replayed else {})


def accepted(turn: Accepted) -> Response[ChatReply | AcceptedView]:
    """The message is stored; where its answer will be, and when to look."""
    headers = {"Location": f"/v1/turns/{turn.turn_id}", "Retry-After": str(LOOK_AGAIN_AFTER_S)}
    view = AcceptedView(conversation_id=turn.conversation_id, turn_id=turn.turn_id)
    return json_response(view, status=202, headers=headers)


gc.freeze()
gc.enable()


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request of the gateway."""
    return api.resolve(event, context)
