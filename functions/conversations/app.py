"""Conversations, their messages and turns; and what the API says of itself."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.typing import LambdaContext

from conversation.repository import ConversationRepository
from conversation.tenants import TenantStore
from edge import documents
from edge.api import JSON, PUBLIC, Api, PathPrefix, json_response
from edge.clocks import open_clock
from edge.cursors import Cursors
from edge.identity import Asker
from edge.models import ConversationChange, NewConversation
from edge.observability import open_journal
from edge.pages import message_page
from edge.parameters import DEFAULT_LIMIT, Cursor, Limit, Place
from edge.queues import open_queue
from edge.settings import Settings
from edge.views import ConversationView, Health, MessageView, Page, TurnView
from storage.opening import open_table
from storage.tenant import Tables

settings = Settings.load()
clock = open_clock(settings.clock_file)
tables = Tables(open_table(settings.table))
conversations = ConversationRepository(tables=tables, clock=clock, queue=open_queue(settings.finish_queue))
tenants = TenantStore(tables=tables, clock=clock)
cursors = Cursors(clock)
api = Api(origins=settings.allowed_origins, clock=clock, journal=open_journal("conversations", settings))


@api.get(
    "/v1/conversations", summary="List your conversations, newest activity first", tags=["conversations"]
)
def list_conversations(
    caller: Asker, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[ConversationView]:
    query = ("conversations", caller.tenant, caller.user, str(limit))
    found, after = conversations.list(caller, limit=limit, after=cursors.position(cursor, *query))
    items = tuple(ConversationView.of(conversation) for conversation in found)
    return Page(items=items, next_cursor=cursors.cursor(after, *query))


@api.post(
    "/v1/conversations",
    summary="Begin a conversation without a message",
    tags=["conversations"],
    status_code=201,
)
def create_conversation(caller: Asker, body: NewConversation) -> Response[ConversationView]:
    retention_days = tenants.record(caller.tenant).policy.retention_days
    conversation = conversations.create(caller, title=body.title, retention_days=retention_days)
    location = {"Location": f"/v1/conversations/{conversation.id}"}
    return json_response(ConversationView.of(conversation), status=201, headers=location)


@api.get("/v1/conversations/<conversation_id>", summary="Read a conversation", tags=["conversations"])
def read_conversation(caller: Asker, conversation_id: str) -> ConversationView:
    return ConversationView.of(conversations.get(caller, conversation_id))


@api.patch("/v1/conversations/<conversation_id>", summary="Rename a conversation", tags=["conversations"])
def rename_conversation(caller: Asker, conversation_id: str, body: ConversationChange) -> ConversationView:
    return ConversationView.of(conversations.rename(caller, conversation_id, body.title))


@api.delete(
    "/v1/conversations/<conversation_id>",
    summary="Delete a conversation",
    tags=["conversations"],
    status_code=204,
)
def delete_conversation(caller: Asker, conversation_id: str) -> None:
    conversations.delete(caller, conversation_id)


@api.get(
    "/v1/conversations/<conversation_id>/messages",
    summary="Read messages, oldest first: the newest page, or the one before or after a place",
    tags=["conversations"],
)
def list_messages(
    caller: Asker,
    conversation_id: str,
    limit: Limit = DEFAULT_LIMIT,
    before: Place = None,
    after: Place = None,
    cursor: Cursor = None,
) -> Page[MessageView]:
    query = ("messages", caller.tenant, caller.user, conversation_id, str(limit))
    wanted = message_page(before=before, after=after, position=cursors.position(cursor, *query))
    found = conversations.page(caller, conversation_id, limit=limit, before=wanted.before, after=wanted.after)
    following = wanted.following(found, limit)
    items = tuple(MessageView.of(message) for message in found)
    return Page(items=items, next_cursor=cursors.cursor(following, *query))


@api.get("/v1/turns/<turn_id>", summary="Read how far an answer is", tags=["chat"])
def read_turn(caller: Asker, turn_id: str) -> TurnView:
    return TurnView.of(conversations.turn(caller, turn_id))


@api.get("/health", summary="Whether the service answers", tags=["service"], openapi_extensions=PUBLIC)
def health() -> Health:
    return Health(status="ok")


@api.get("/openapi.json", summary="This description", tags=["service"], openapi_extensions=PUBLIC)
def describe(prefix: PathPrefix) -> Response[dict[str, Any]]:
    return Response(200, JSON, documents.openapi(prefix))


@api.get("/docs", summary="This description as a page", tags=["service"], include_in_schema=False)
def show_docs(prefix: PathPrefix) -> Response[str]:
    return Response(200, "text/html; charset=utf-8", documents.page(prefix))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one request of the gateway."""
    return api.resolve(event, context)
