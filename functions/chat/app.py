"""The chat function: answers one turn, in one piece or streamed."""
# ruff: noqa: E402

from __future__ import annotations

import gc

# What is imported and composed below stays alive: collecting garbage in it takes a tenth of a cold start.
gc.disable()

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from agent.events import (
    Accepted,
    Answer,
    Chunk,
    ContextAssembled,
    Decided,
    Done,
    Restarted,
    Routed,
    Thinking,
    ToolUsed,
    TurnEvent,
    TurnStarted,
)
from agent.inference.model_access import ModelAccess
from agent.turns.compose import TurnSettings, compose_turns
from agent.turns.limits import hurried, paced
from agent.turns.stateless import Said
from conversation.clock import Deadline, open_clock
from conversation.deadlines import told_in_time
from conversation.errors import ConversationNotFound
from conversation.identity import Caller
from conversation.limits.limiter import Turnstile
from conversation.messages.models import Role
from conversation.streams.frames import FrameStore, recorded
from conversation.tenants.store import TenantStore
from conversation.threads.repository import ConversationRepository
from conversation.threads.versions import Versions
from conversation.tokens import TokenCounter
from conversation.turns.admission import Incoming
from conversation.turns.lease import Attempt
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import open_queue
from edge.http.caller import Asker, NamedAsker
from edge.http.event_stream import EventStream, Frame, StreamedResponse
from edge.http.parameters import IdempotencyKey
from edge.http.problems import Problem
from edge.http.request_models import ChatRequest, Edit, Regeneration
from edge.http.resolver import Api, json_response
from edge.observability import open_journal
from edge.routes.turns import Asked, Circumstances, TurnRoutes
from edge.settings import Settings
from edge.streaming.frames import TurnFrames
from edge.views.conversations import (
    AcceptedView,
    ChatReply,
    DecisionView,
    ReplyView,
    ToolCallView,
    TurnMetadata,
)
from storage.factory import open_tables
from storage.keys import TenantId

LOOK_AGAIN_AFTER_S = 2

settings = Settings.load()
clock = open_clock(settings.clock_file)
tables = open_tables(
    settings.table, deadline_s=settings.storage_deadline_s, tenant_role_arn=settings.tenant_role_arn
)
tenants = TenantStore(tables=tables, clock=clock)
provider_keys = ProviderKeys(settings.provider_secret_arn, clock=clock, keyless=settings.keyless)

models = ModelAccess(provider_keys.models(settings), clock=clock)
turns = compose_turns(
    TurnSettings(
        intent_deadline_s=settings.intent_deadline_s,
        clarify_below=settings.clarify_below,
        limits=settings.context_limits,
        vocabulary=settings.token_vocabulary,
    ),
    models=models,
    tools=provider_keys.tools(settings),
    tables=tables,
    clock=clock,
    tenants=tenants,
    queue=open_queue(settings.finish_queue),
)
turnstile = Turnstile(tables=tables, clock=clock, most=settings.pace, limits=turns.limits)
versions = Versions(
    tables=tables, clock=clock, conversations=ConversationRepository(tables=tables, clock=clock)
)
stateless = turns.stateless(tables=tables, tokens=TokenCounter(settings.token_vocabulary))
frames = FrameStore(tables=tables, clock=clock)
api = Api(origins=settings.allowed_origins, clock=clock, journal=open_journal("chat", settings))


class Turn(NamedTuple):
    """A turn that was requested; it begins when its first event is taken."""

    events: Iterator[TurnEvent]
    tenant: TenantId
    attempt: Attempt | None = None
    """None: nothing of the turn is stored, so that it can't be stopped, nor its stream be read again."""


def answered(turn: Turn) -> Response[ChatReply | AcceptedView]:
    """Runs a turn to its end; returns the reply, or 202 when it will be answered later."""
    *_, last = turn.events
    match last:
        case Done():
            headers = {"Idempotency-Replayed": "true"} if last.answer.replayed else {}
            return json_response(reply_of(last.answer), headers=headers)
        case Accepted():
            headers = {"Location": f"/v1/turns/{last.turn_id}", "Retry-After": str(LOOK_AGAIN_AFTER_S)}
            return json_response(AcceptedView(**last._asdict()), status=202, headers=headers)
        case _:
            raise AssertionError("a turn ends with its answer, or with the promise of one")


def told(turn: Turn) -> EventStream:
    """The stream of a turn's frames. Takes the first event now, so that a refusal has its own status."""
    first, making = next(turn.events), TurnFrames()
    made = chain.from_iterable(frames_of(event, making) for event in chain([first], turn.events))
    if turn.attempt is None or not (isinstance(first, TurnStarted) and first.stored):
        return EventStream(made)
    return EventStream(recorded(made, frames.keeper(turn.tenant, first.turn_id, turn.attempt)))


def frames_of(event: TurnEvent, making: TurnFrames) -> Iterator[Frame]:
    """The frames that clients get for an event."""
    match event:
        case TurnStarted():
            return making.started(**event._asdict())
        case Thinking():
            return making.thinking(event.stage)
        case Decided():
            decision = event.decision.model_dump(mode="json", exclude_defaults=True)
            return making.decided(DecisionView.model_validate(decision))
        case ToolUsed():
            return making.used(ToolCallView(**event._asdict()))
        case Chunk():
            return making.said(event.text)
        case Restarted():
            return making.restarted()
        case Done():
            return making.done(reply_of(event.answer), replayed=event.answer.replayed)
        case Accepted():
            return making.accepted(AcceptedView(**event._asdict()))
        case ContextAssembled() | Routed():
            return iter(())  # part of the answer's metadata


def reply_of(answer: Answer) -> ChatReply:
    """The assistant's reply as clients see it."""
    return ChatReply(
        conversation_id=answer.conversation_id,
        message=ReplyView(
            id=answer.message_id, role=Role.ASSISTANT, content=answer.content, created_at=answer.created_at
        ),
        metadata=TurnMetadata.model_validate(answer.metadata),
    )


routes = TurnRoutes(api, answered=answered, told=told)


@routes.post("/v1/chat", summary="Send a message and get it answered", tags=["chat"])
def chat(caller: Asker, body: ChatRequest, asked: Asked, idempotency_key: IdempotencyKey = None) -> Turn:
    incoming = Incoming(
        caller,
        body.message,
        conversation_id=body.conversation_id,
        idempotency_key=idempotency_key,
        metadata=body.metadata,
        time_zone=body.time_zone or asked.time_zone,
        model=body.model,
    )
    if not (asked.keeps_history and settings.history):
        before = [Said(Role(each.role), each.content) for each in body.conversation_history]
        until = Deadline.after(clock, asked.seconds_left)
        events = told_in_time(
            stateless.run(incoming, before, until, trace_id=asked.trace_id), asked.seconds_left
        )
        return Turn(paced(turnstile, incoming, events, is_stored=False), caller.tenant)
    if "conversation_history" in body.model_fields_set:
        raise Problem("field_unknown", "conversation_history is for where no history is kept.")
    return taken(incoming, asked)


@routes.post("/v1/users/<user_id>/chat", summary="The same, for clients that name the user", tags=["chat"])
def chat_as(
    user_id: str,  # noqa: ARG001 - checked by NamedAsker
    caller: NamedAsker,
    body: ChatRequest,
    asked: Asked,
    idempotency_key: IdempotencyKey = None,
) -> Turn:
    return chat(caller, body, asked, idempotency_key)


@routes.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/edit",
    summary="Say something else instead of a message of yours, and get it answered",
    tags=["messages"],
)
def edit_message(
    conversation_id: str,
    message_id: str,
    caller: Asker,
    body: Edit,
    asked: Asked,
    idempotency_key: IdempotencyKey = None,
) -> Turn:
    require_open(caller, asked)
    incoming = Incoming(
        caller,
        body.message,
        conversation_id=conversation_id,
        idempotency_key=idempotency_key,
        time_zone=body.time_zone or asked.time_zone,
        model=body.model,
        replaces=versions.to_edit(caller, conversation_id, message_id),
    )
    return taken(incoming, asked)


@routes.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/regenerate",
    summary="Have a message answered anew",
    tags=["messages"],
)
def regenerate_message(
    conversation_id: str,
    message_id: str,
    caller: Asker,
    body: Regeneration,
    asked: Asked,
    idempotency_key: IdempotencyKey = None,
) -> Turn:
    require_open(caller, asked)
    request, replaced = versions.to_regenerate(caller, conversation_id, message_id)
    incoming = Incoming(
        caller,
        request.content,
        conversation_id=conversation_id,
        idempotency_key=idempotency_key,
        metadata=request.metadata,
        time_zone=body.time_zone or asked.time_zone,
        model=body.model,
        replaces=replaced,
    )
    return taken(incoming, asked)


def require_open(caller: Caller, asked: Circumstances) -> None:
    """Refuses, before anything is read, a request where no history is kept, or whose caller is rate limited.

    Raises:
        ConversationNotFound: no history is kept.
        RateLimited: as for `Turnstile.require_open`.
    """
    if not (asked.keeps_history and settings.history):
        raise ConversationNotFound
    turnstile.require_open(caller)


def taken(incoming: Incoming, asked: Circumstances) -> Turn:
    """The turn of a message that is stored; when time runs out, the finish function is asked to answer it."""
    attempt, until = Attempt(), Deadline.after(clock, asked.seconds_left)
    events = hurried(
        turns.run(incoming, until, trace_id=asked.trace_id, attempt=attempt),
        asked.seconds_left,
        ask_to_finish=partial(turns.ask_to_finish, incoming.caller.tenant),
    )
    return Turn(paced(turnstile, incoming, events), incoming.caller.tenant, attempt)


gc.freeze()
gc.enable()


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one request of the gateway."""
    return api.resolve(event, context)


def stream_handler(event: dict[str, Any], context: LambdaContext) -> StreamedResponse:
    """Answers one request of the gateway, streamed if its route streams."""
    return api.stream(event, context)
