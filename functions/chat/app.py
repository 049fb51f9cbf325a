"""The chat function: answers one turn, in one piece or streamed."""
# ruff: noqa: E402

from __future__ import annotations

import gc

# What is imported and composed below stays alive: collecting garbage in it takes a tenth of a cold start.
gc.disable()

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from aws_lambda_powertools.event_handler import Response
from pydantic import JsonValue

from agent.connections.posting_links import KEY_NAME as LINKS_KEY
from agent.connections.posting_links import PostingLinks
from agent.connections.sealing import Sealer
from agent.turn_events import (
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
from agent.turns.admission_limits import with_deadline, with_rate_limit
from agent.workspace.roster import RosterCache, RosterLimits
from conversation.attachments.sent_content import add_sent
from conversation.clock import Deadline
from conversation.errors import ConversationNotFound
from conversation.identity import OWN_WIRE, Caller, conversation_id_for_client
from conversation.limits.limiter import TurnLimiter
from conversation.messages.models import Role
from conversation.running_turns.frames import FrameStore, record_frames
from conversation.threads.message_versions import Versions
from conversation.threads.questions import OpenQuestions, answering
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from conversation.turns.lease import TurnAttempt
from edge.adapters.attachments import file_link, file_reader, open_attachments
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import open_turn_queue
from edge.adapters.tenant_secrets import open_tenant_secrets
from edge.function_runtime import FunctionRuntime
from edge.http.caller import CallerParam, NamedCallerParam
from edge.http.parameters import IdempotencyKeyParam
from edge.http.problems import Problem
from edge.http.request_models import AttachmentPart, ChatRequest, Edit, Regeneration, parse_body
from edge.http.resolver import HttpApi, json_response
from edge.http.server_sent_events import EventStream, Frame
from edge.initialization import prepare_environment
from edge.routes.turns import RequestContext, RequestContextParam, TurnRoutes
from edge.routes.wires import WireBackend
from edge.routes.wires import register_routes as register_wires
from edge.streaming.frame_writer import FrameWriter
from edge.views.conversations import (
    AcceptedView,
    ChatReply,
    DecisionView,
    ReplyView,
    ToolCallView,
    TurnMetadata,
)
from resilience.deadlines import iterate_with_deadline
from storage.keys import TenantId

if TYPE_CHECKING:
    from agent.inference.model_access import ModelAccess
    from agent.turns.service import TurnService
    from agent.turns.stateless_turns import StatelessTurns
    from agent.workspace.run_store import RunStore
    from conversation.attachments.store import AttachmentStore
    from edge.wires.wire import TurnRequest

RETRY_AFTER_S = 2

settings, clock, tables, request_log = FunctionRuntime.for_requests("chat")
provider_keys = ProviderKeys(settings, clock=clock)
open_event_publisher(settings.event_bus, clock)

tools = provider_keys.tool_settings()
tenant_secrets = open_tenant_secrets(settings.tenant_secrets, clock=clock)
queue = open_turn_queue(settings.finish_queue)
rosters = RosterCache(tables=tables, clock=clock)
turn_limiter = TurnLimiter(
    tables=tables, clock=clock, defaults=settings.rate_limits, limits=RosterLimits(rosters)
)
conversations = ConversationRepository(tables=tables, clock=clock, queue=queue)
questions = OpenQuestions(conversations)
versions = Versions(tables=tables, clock=clock, conversations=conversations)
frames = FrameStore(tables=tables, clock=clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


# Half of what this function imports is for turns alone. Lambda's init phase asks for it (`prepare`), else the
# first message; what is refused before, and the twin's start, do without.


@cache
def models() -> ModelAccess:
    """The models of the deployment."""
    from agent.inference.model_access import ModelAccess

    return ModelAccess(provider_keys.model_settings(), clock=clock)


@cache
def turns() -> TurnService:
    """The service that answers messages."""
    from agent.turns.factory import compose_turns

    return compose_turns(
        settings,
        models=models(),
        tools=tools,
        tables=tables,
        clock=clock,
        queue=queue,
        read_file=file_reader(settings),
        rosters=rosters,
        links=PostingLinks(tables=tables, sealer=Sealer(tenant_secrets, key_name=LINKS_KEY)),
    )


@cache
def runs() -> RunStore:
    """The runs of agents."""
    from agent.workspace.run_store import RunStore

    return RunStore(tables=tables, clock=clock)


@cache
def stateless() -> StatelessTurns:
    """The turns where no history is kept."""
    from conversation.token_counts import TokenCounter

    return turns().stateless_turns(tables=tables, tokens=TokenCounter(settings.token_vocabulary))


def prepare() -> None:
    """Has some messages answered, so that the first request finds everything loaded."""
    from agent.turns.rehearsal import rehearse_turns

    turns()
    rehearse_turns(settings, models=models(), tools=tools, clock=clock)


@cache
def attachments() -> AttachmentStore:
    """The users' files, which most turns have none of."""
    return open_attachments(settings, tables=tables, clock=clock)


def with_attachments(
    incoming: IncomingMessage, parts: Sequence[AttachmentPart], edits_in: str | None = None
) -> IncomingMessage:
    """The message with its files, of which nothing is read for a caller who sends too much."""
    turn_limiter.check_rate(incoming.caller)
    return attachments().attach(incoming, [part.id for part in parts], edits_in=edits_in)


class PendingTurn(NamedTuple):
    """A turn that was requested; it begins when its first event is taken."""

    events: Iterator[TurnEvent]
    tenant: TenantId
    attempt: TurnAttempt | None = None
    """None: nothing of the turn is stored, so that it can't be stopped, nor its stream be read again."""


def respond(turn: PendingTurn) -> Response[ChatReply | AcceptedView]:
    """Runs a turn to its end; returns the reply, or 202 when it will be answered later."""
    *_, last = turn.events
    match last:
        case Done():
            headers = {"Idempotency-Replayed": "true"} if last.answer.replayed else {}
            return json_response(reply_of(last.answer), headers=headers)
        case Accepted():
            headers = {"Location": f"/v1/turns/{last.turn_id}", "Retry-After": str(RETRY_AFTER_S)}
            return json_response(AcceptedView(**last._asdict()), status=202, headers=headers)
        case _:
            raise AssertionError("a turn ends with its answer, or with the promise of one")


def stream(turn: PendingTurn) -> EventStream:
    """The stream of a turn's frames. Takes the first event now, so that a refusal has its own status.

    The frames of a longer turn are stored, so that its stream can be read again before its end.
    """
    first, writer = next(turn.events), FrameWriter()
    written = chain.from_iterable(frames_of(event, writer) for event in chain([first], turn.events))
    if turn.attempt is None or not (isinstance(first, TurnStarted) and first.stored):
        return EventStream(written)
    return EventStream(
        record_frames(written, frames.frame_recorder(turn.tenant, first.turn_id, turn.attempt))
    )


def frames_of(event: TurnEvent, writer: FrameWriter) -> Iterator[Frame]:
    """The frames that clients get for an event."""
    match event:
        case TurnStarted():
            return writer.turn(**event._asdict())
        case Thinking():
            return writer.thinking(event.stage)
        case Decided():
            return writer.decision(partial(decision_of, event))
        case ToolUsed():
            return writer.tool(ToolCallView(**event._asdict()))
        case Chunk():
            return writer.chunk(event.text)
        case Restarted():
            return writer.restart()
        case Done():
            return writer.done(reply_of(event.answer), replayed=event.answer.replayed)
        case Accepted():
            return writer.accepted(AcceptedView(**event._asdict()))
        case ContextAssembled() | Routed():
            return iter(())  # part of the answer's metadata


def decision_of(event: Decided) -> DecisionView:
    """The decision as clients see it."""
    return DecisionView.model_validate(event.decision.model_dump(mode="json", exclude_defaults=True))


def reply_of(answer: Answer) -> ChatReply:
    """The assistant's reply as clients see it."""
    return ChatReply(
        conversation_id=answer.conversation_id,
        message=ReplyView(
            id=answer.message_id, role=Role.ASSISTANT, content=answer.content, created_at=answer.created_at
        ),
        metadata=TurnMetadata.model_validate(answer.metadata),
    )


routes = TurnRoutes(api, respond=respond, stream=stream)


@routes.post("/v1/chat", summary="Send a message and get it answered", tags=["chat"])
def chat(
    caller: CallerParam,
    body: ChatRequest,
    context: RequestContextParam,
    idempotency_key: IdempotencyKeyParam = None,
) -> PendingTurn:
    named = body.conversation_id
    if body.client_id is not None:
        named = conversation_id_for_client(caller, OWN_WIRE, body.client_id)
    incoming = IncomingMessage(
        caller,
        body.message,
        conversation_id=named,
        idempotency_key=idempotency_key,
        metadata=body.metadata,
        time_zone=body.time_zone or context.time_zone,
        model=body.model,
        may_begin=body.client_id is not None,
    )
    return begin_chat(incoming, body, context)


def begin_chat(incoming: IncomingMessage, body: ChatRequest, context: RequestContext) -> PendingTurn:
    """The turn of a message of a chat; where no history is kept, it follows what the body says was said."""
    caller = incoming.caller
    if not (context.keeps_history and settings.history):
        if body.attachments:
            raise Problem("attachments_off", "No files are taken where no history is kept.")
        from agent.turns.stateless_turns import PriorMessage

        before = [PriorMessage(Role(each.role), each.content) for each in body.conversation_history]
        until = Deadline.after(clock, context.seconds_left)
        events = iterate_with_deadline(
            stateless().run(incoming, before, until, state=body.state, trace_id=context.trace_id),
            context.seconds_left,
        )
        return PendingTurn(with_rate_limit(turn_limiter, incoming, events, is_stored=False), caller.tenant)
    for name in body.model_fields_set & {"conversation_history", "state"}:
        raise Problem("field_unknown", f"{name} is for where no history is kept.")
    if body.attachments:
        incoming = with_attachments(incoming, body.attachments)
    if body.answers is None:
        return start_turn(incoming, context)
    earlier = questions.earlier_answer(incoming, body.answers)
    if earlier is None:
        return start_turn(answering(incoming, body.answers), context)
    answer = Answer.of(earlier, replayed=True)
    started = TurnStarted(answer.turn_id, answer.conversation_id, created=False)
    return PendingTurn(iter((started, Done(answer))), caller.tenant)


@routes.post("/v1/users/<user_id>/chat", summary="The same, for clients that name the user", tags=["chat"])
def chat_as(
    user_id: str,  # noqa: ARG001 - checked by NamedCallerParam
    caller: NamedCallerParam,
    body: ChatRequest,
    context: RequestContextParam,
    idempotency_key: IdempotencyKeyParam = None,
) -> PendingTurn:
    return chat(caller, body, context, idempotency_key)


@routes.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/edit",
    summary="Say something else instead of a message of yours, and get it answered",
    tags=["messages"],
)
def edit_message(
    conversation_id: str,
    message_id: str,
    caller: CallerParam,
    body: Edit,
    context: RequestContextParam,
    idempotency_key: IdempotencyKeyParam = None,
) -> PendingTurn:
    return begin_edit(caller, conversation_id, message_id, body, context, idempotency_key)


def begin_edit(
    caller: Caller,
    conversation_id: str,
    message_id: str,
    body: Edit,
    context: RequestContext,
    idempotency_key: str | None,
    metadata: Mapping[str, JsonValue] | None = None,
) -> PendingTurn:
    """The turn of a new version of a message, which has metadata of its own."""
    require_writable(caller, context)
    incoming = IncomingMessage(
        caller,
        body.message,
        conversation_id=conversation_id,
        idempotency_key=idempotency_key,
        metadata=metadata,
        time_zone=body.time_zone or context.time_zone,
        model=body.model,
        replaces=versions.prepare_edit(caller, conversation_id, message_id),
    )
    if body.attachments:
        incoming = with_attachments(incoming, body.attachments, conversation_id)
    return start_turn(incoming, context)


@routes.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/regenerate",
    summary="Have a message answered anew",
    tags=["messages"],
)
def regenerate_message(
    conversation_id: str,
    message_id: str,
    caller: CallerParam,
    body: Regeneration,
    context: RequestContextParam,
    idempotency_key: IdempotencyKeyParam = None,
) -> PendingTurn:
    require_writable(caller, context)
    request, replaced = versions.prepare_regeneration(caller, conversation_id, message_id)
    incoming = IncomingMessage(
        caller,
        request.content,
        conversation_id=conversation_id,
        idempotency_key=idempotency_key,
        metadata=request.metadata,
        time_zone=body.time_zone or context.time_zone,
        model=body.model,
        replaces=replaced,
        attachments=request.attachments,
    )
    return start_turn(incoming, context)


def begin_for_wire(caller: Caller, turn: TurnRequest, context: RequestContext) -> Iterator[Frame]:
    """The frames of a turn that a wire asks for; the first one is made now, so that a refusal is raised."""
    conversation = turn.conversation
    sent: dict[str, JsonValue] = {"message": turn.message, "model": turn.model, "time_zone": turn.time_zone}
    if turn.files and turn.regenerates is None:
        require_writable(caller, context)
        sent["attachments"] = add_sent(attachments(), caller, turn.files, turn.key)
    if conversation is not None and turn.replaces is not None:
        edit = parse_body(Edit, sent)
        begun = begin_edit(caller, conversation.id, turn.replaces, edit, context, turn.key, turn.metadata)
        return wire_frames(begun, is_streamed=turn.is_streamed)
    if conversation is not None and turn.regenerates is not None:
        anew = parse_body(Regeneration, {name: sent[name] for name in ("model", "time_zone")})
        begun = regenerate_message(conversation.id, turn.regenerates, caller, anew, context, turn.key)
        return wire_frames(begun, is_streamed=turn.is_streamed)
    sent |= {"metadata": dict(turn.metadata), "answers": turn.answers}
    if not (context.keeps_history and settings.history):
        sent |= {"conversation_history": [dict(said) for said in turn.history], "state": turn.state}
    body = parse_body(ChatRequest, sent)
    incoming = IncomingMessage(
        caller,
        body.message,
        conversation_id=conversation.id if conversation else None,
        idempotency_key=turn.key,
        metadata=body.metadata,
        time_zone=body.time_zone or context.time_zone,
        model=body.model,
        may_begin=conversation is not None and conversation.may_begin,
    )
    return wire_frames(begin_chat(incoming, body, context), is_streamed=turn.is_streamed)


def wire_frames(turn: PendingTurn, *, is_streamed: bool) -> Iterator[Frame]:
    """The frames of a wire's turn; of one that is answered in one piece, only those that begin and end it."""
    if is_streamed:
        return stream(turn).events
    first, writer = next(turn.events), FrameWriter()
    ends = (event for event in turn.events if isinstance(event, Done | Accepted))
    return chain.from_iterable(frames_of(event, writer) for event in chain([first], ends))


def require_writable(caller: Caller, context: RequestContext) -> None:
    """Refuses, before anything is read, a request where no history is kept, or whose caller is rate limited.

    Raises:
        ConversationNotFound: no history is kept.
        RateLimited: as for `TurnLimiter.check_rate`.
    """
    if not (context.keeps_history and settings.history):
        raise ConversationNotFound
    turn_limiter.check_rate(caller)


def start_turn(incoming: IncomingMessage, context: RequestContext) -> PendingTurn:
    """The turn of a message that is stored; when time runs out, the finish function is asked to answer it."""
    attempt, until = TurnAttempt(), Deadline.after(clock, context.seconds_left)
    events = with_deadline(
        turns().run(incoming, until, trace_id=context.trace_id, attempt=attempt),
        context.seconds_left,
        ask_to_finish=partial(turns().ask_to_finish, incoming.caller.tenant),
    )
    return PendingTurn(with_rate_limit(turn_limiter, incoming, events), incoming.caller.tenant, attempt)


register_wires(
    api,
    WireBackend(
        begin=begin_for_wire,
        check_rate=turn_limiter.check_rate,
        conversations=conversations,
        frames=frames,
        tables=tables,
        runs=runs,
        clock=clock,
        file_link=lambda caller, file: file_link(attachments(), caller, file),
        public_url=settings.public_url,
    ),
)

prepare_environment(prepare, renew=(provider_keys.renew, lambda: models().close_connections()))
gc.freeze()
gc.enable()


handler = api.resolve
stream_handler = api.stream
