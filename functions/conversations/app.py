"""The function for conversations, their messages and turns, search, export, and the API's description."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response

from conversation.export.exports import ConversationExporter
from conversation.identity import OWN_WIRE, Caller, conversation_id_for_client
from conversation.keyed_creation import CreationRequest
from conversation.limits.quotas import Quotas
from conversation.messages.models import Conversation, Status
from conversation.running_turns.cancellation import TurnCancellation
from conversation.running_turns.frames import FrameStore
from conversation.search.service import ConversationSearch
from conversation.tenants.store import PolicyCache, TenantStore
from conversation.threads.context_report import ContextReports
from conversation.threads.feedback import FeedbackStore
from conversation.threads.forks import ConversationForks
from conversation.threads.lifecycle import Lifecycle
from conversation.threads.message_versions import Versions
from conversation.threads.pins import Pins
from conversation.threads.repository import ConversationRepository
from edge.adapters.attachments import open_attachments
from edge.adapters.queues import open_turn_queue
from edge.function_runtime import FunctionRuntime
from edge.http.caller import CallerParam
from edge.http.cursors import CursorCodec
from edge.http.parameters import (
    DEFAULT_LIMIT,
    CursorParam,
    DeletedParam,
    IdempotencyKeyParam,
    LastEventParam,
    LimitParam,
    PinnedParam,
    SequenceParam,
    StatusParam,
    TitleParam,
    message_page,
)
from edge.http.request_models import ConversationChange, ForkRequest, NewConversation
from edge.http.resolver import HttpApi, creation_response
from edge.routes import attachments as attachment_routes
from edge.routes import docs
from edge.routes import exports as export_routes
from edge.routes import search as search_routes
from edge.views.base import Page
from edge.views.conversations import (
    ConversationDetails,
    ConversationView,
    MessageView,
    TurnView,
    VersionsView,
    VersionView,
)
from edge.views.turns import ContextView, FeedbackBody, FeedbackView, StoppedTurnView, WatchedTurnView

settings, clock, tables, request_log = FunctionRuntime.for_requests("conversations")
policies = PolicyCache(tables=tables, clock=clock)
quotas = Quotas(tables=tables, clock=clock, policies=policies)
conversations = ConversationRepository(
    tables=tables, clock=clock, queue=open_turn_queue(settings.finish_queue), policies=policies, quotas=quotas
)
lifecycle = Lifecycle(tables=tables, clock=clock, policies=policies, conversations=conversations)
pins = Pins(tables=tables, clock=clock, conversations=conversations)
context_reports = ContextReports(tables=tables, conversations=conversations)
forks = ConversationForks(
    tables=tables,
    clock=clock,
    policies=policies,
    conversations=conversations,
    quotas=quotas,
    rates=settings.rate_limits,
)
versions = Versions(tables=tables, clock=clock, conversations=conversations)
feedback = FeedbackStore(tables=tables, clock=clock, conversations=conversations)
frames = FrameStore(tables=tables, clock=clock)
turn_cancellation = TurnCancellation(tables=tables, conversations=conversations)
search = ConversationSearch(tables=tables, conversations=conversations)
tenants = TenantStore(tables=tables, clock=clock)
attachments = open_attachments(settings, tables=tables, clock=clock)
exports = ConversationExporter(
    tables=tables, conversations=conversations, lifecycle=lifecycle, file_url=attachments.file_url
)
cursors = CursorCodec(clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


@api.get(
    "/v1/conversations", summary="List your conversations, newest activity first", tags=["conversations"]
)
def list_conversations(
    caller: CallerParam,
    limit: LimitParam = DEFAULT_LIMIT,
    cursor: CursorParam = None,
    status: StatusParam = Status.ACTIVE,
    deleted: DeletedParam = False,
    pinned: PinnedParam = False,
    title: TitleParam = None,
) -> Page[ConversationView]:
    listed = Status.DELETED if deleted else status
    chosen = (str(pinned), title or "") if pinned or title else ()
    query = ("conversations", caller.tenant, caller.user, str(limit), listed, *chosen)
    found, after = conversations.list(
        caller,
        limit=limit,
        after=cursors.position(cursor, *query),
        status=listed,
        title=title or "",
        is_pinned=pinned,
    )
    items = tuple(ConversationView.of(conversation) for conversation in found)
    return Page(items=items, next_cursor=cursors.cursor(after, *query))


@api.post(
    "/v1/conversations",
    summary="Begin a conversation without a message",
    tags=["conversations"],
    status_code=201,
)
def create_conversation(
    caller: CallerParam, body: NewConversation, idempotency_key: IdempotencyKeyParam = None
) -> Response[ConversationView]:
    retention_days = tenants.record(caller.tenant).policy.retention_days
    if body.client_id is not None:
        named = conversation_id_for_client(caller, OWN_WIRE, body.client_id)
        conversation, replayed = conversations.create_named(
            caller, named, title=body.title, retention_days=retention_days
        )
    else:
        request = CreationRequest("conversation", idempotency_key, body)
        conversation, replayed = conversations.create_once(
            caller, request, title=body.title, retention_days=retention_days
        )
    location = f"/v1/conversations/{conversation.id}"
    return creation_response(ConversationView.of(conversation), location, replayed=replayed)


@api.get(
    "/v1/conversations/active",
    summary="Read the conversation of your latest activity, or begin one",
    tags=["conversations"],
)
def read_active_conversation(caller: CallerParam) -> ConversationDetails:
    return conversation_details(caller, lifecycle.active_or_new(caller))


@api.get("/v1/conversations/<conversation_id>", summary="Read a conversation", tags=["conversations"])
def read_conversation(caller: CallerParam, conversation_id: str) -> ConversationDetails:
    return conversation_details(caller, conversations.get(caller, conversation_id))


@api.patch(
    "/v1/conversations/<conversation_id>",
    summary="Rename, archive, pin or describe a conversation",
    tags=["conversations"],
)
def change_conversation(
    caller: CallerParam, conversation_id: str, body: ConversationChange
) -> ConversationDetails:
    return conversation_details(caller, lifecycle.change(caller, conversation_id, body.changes()))


@api.delete(
    "/v1/conversations/<conversation_id>",
    summary="Delete a conversation",
    tags=["conversations"],
    status_code=204,
)
def delete_conversation(caller: CallerParam, conversation_id: str) -> None:
    conversations.delete(caller, conversation_id)


@api.post(
    "/v1/conversations/<conversation_id>/restore",
    summary="Take back a deletion, within the days of grace",
    tags=["conversations"],
)
def restore_conversation(caller: CallerParam, conversation_id: str) -> ConversationDetails:
    return conversation_details(caller, lifecycle.restore(caller, conversation_id))


@api.get(
    "/v1/conversations/<conversation_id>/messages",
    summary="Read messages, oldest first: the newest page, or the one before or after a place",
    tags=["conversations"],
)
def list_messages(
    caller: CallerParam,
    conversation_id: str,
    limit: LimitParam = DEFAULT_LIMIT,
    before: SequenceParam = None,
    after: SequenceParam = None,
    cursor: CursorParam = None,
) -> Page[MessageView]:
    query = ("messages", caller.tenant, caller.user, conversation_id, str(limit))
    wanted = message_page(before=before, after=after, position=cursors.position(cursor, *query))
    found = conversations.page(caller, conversation_id, limit=limit, before=wanted.before, after=wanted.after)
    following = wanted.next_position(found, limit)
    items = tuple(MessageView.of(message) for message in found)
    return Page(items=items, next_cursor=cursors.cursor(following, *query))


@api.post(
    "/v1/conversations/<conversation_id>/fork",
    summary="Copy a conversation, up to a message if you like, to go on another way",
    tags=["conversations"],
    status_code=201,
)
def fork_conversation(
    caller: CallerParam, conversation_id: str, body: ForkRequest, idempotency_key: IdempotencyKeyParam = None
) -> Response[ConversationDetails]:
    copied, replayed = forks.fork(caller, conversation_id, up_to=body.message_id, key=idempotency_key)
    location = f"/v1/conversations/{copied.id}"
    return creation_response(conversation_details(caller, copied), location, replayed=replayed)


@api.delete(
    "/v1/conversations/<conversation_id>/messages/<message_id>",
    summary="Take a message back",
    tags=["messages"],
    status_code=204,
)
def delete_message(caller: CallerParam, conversation_id: str, message_id: str) -> None:
    versions.delete(caller, conversation_id, message_id)


@api.get(
    "/v1/conversations/<conversation_id>/messages/<message_id>/versions",
    summary="List the versions of a message, oldest first",
    tags=["messages"],
)
def list_versions(caller: CallerParam, conversation_id: str, message_id: str) -> VersionsView:
    found = versions.message_versions(caller, conversation_id, message_id)
    return VersionsView(
        items=tuple(VersionView(message=MessageView.of(each.message), active=each.active) for each in found)
    )


@api.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/select",
    summary="Go on from this version of a message",
    tags=["messages"],
)
def select_version(caller: CallerParam, conversation_id: str, message_id: str) -> ConversationDetails:
    return conversation_details(caller, versions.select(caller, conversation_id, message_id))


@api.post(
    "/v1/conversations/<conversation_id>/messages/<message_id>/pin",
    summary="Have a message go along with every answer from now on",
    tags=["messages"],
)
def pin_message(caller: CallerParam, conversation_id: str, message_id: str) -> MessageView:
    return MessageView.of(pins.pin(caller, conversation_id, message_id))


@api.delete(
    "/v1/conversations/<conversation_id>/messages/<message_id>/pin",
    summary="Take a message's pin away",
    tags=["messages"],
)
def unpin_message(caller: CallerParam, conversation_id: str, message_id: str) -> MessageView:
    return MessageView.of(pins.unpin(caller, conversation_id, message_id))


@api.put(
    "/v1/conversations/<conversation_id>/messages/<message_id>/feedback",
    summary="Say what you think of an answer",
    tags=["messages"],
)
def rate_message(
    caller: CallerParam, conversation_id: str, message_id: str, body: FeedbackBody
) -> FeedbackView:
    given = feedback.save_feedback(
        caller,
        conversation_id,
        message_id,
        rating=body.rating,
        correction=body.correction,
        comment=body.comment,
    )
    return FeedbackView.of(given)


@api.get(
    "/v1/conversations/<conversation_id>/messages/<message_id>/feedback",
    summary="Read what you said of an answer, if anything",
    tags=["messages"],
)
def read_feedback(caller: CallerParam, conversation_id: str, message_id: str) -> FeedbackView:
    return FeedbackView.of(feedback.read(caller, conversation_id, message_id))


@api.get(
    "/v1/turns/<turn_id>",
    summary="Read how far an answer is, and what its stream told behind a frame",
    tags=["chat"],
)
def read_turn(caller: CallerParam, turn_id: str, after: LastEventParam = None) -> WatchedTurnView | TurnView:
    turn = conversations.turn(caller, turn_id)
    if after is None:
        return TurnView.of(turn)
    return WatchedTurnView.with_frames(
        turn, frames.read_frames(caller.tenant, turn, after=after), after=after
    )


@api.post(
    "/v1/turns/<turn_id>/stop",
    summary="End an answer; what was said of it is kept",
    tags=["chat"],
    status_code=202,
)
def stop_turn(caller: CallerParam, turn_id: str) -> Response[StoppedTurnView]:
    stopped = StoppedTurnView.of(turn_cancellation.cancel(caller, turn_id))
    return creation_response(stopped, f"/v1/turns/{stopped.turn_id}", status=202)


@api.get("/v1/turns/<turn_id>/context", summary="Read what an answer was given against", tags=["chat"])
def read_context(caller: CallerParam, turn_id: str) -> ContextView:
    return ContextView.of(context_reports.of_turn(caller, turn_id))


def conversation_details(caller: Caller, conversation: Conversation) -> ConversationDetails:
    """The conversation with the metadata that its client keeps with it."""
    return ConversationDetails.with_metadata(conversation, lifecycle.metadata(caller, conversation.id))


docs.register_routes(api, docs=settings.docs)
export_routes.register_routes(api, exports, cursors, quotas)
search_routes.register_routes(api, search, cursors)
attachment_routes.register_routes(api, attachments, cursors)


handler = api.resolve
