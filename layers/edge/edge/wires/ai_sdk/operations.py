"""What answers the routes of the AI SDK's wire."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from aws_lambda_powertools.event_handler import Response

from conversation.errors import ConversationNotFound
from conversation.messages.models import CLIENT_MESSAGE_ID, Message, Role
from conversation.redaction.masking import mask
from conversation.turns.commit_writes import KEY_LIFETIME
from edge.http.problems import Problem
from edge.http.resolver import JSON
from edge.http.server_sent_events import EventStream
from edge.wires.ai_sdk.chunks import HEADERS, ChunkWriter, error_text
from edge.wires.ai_sdk.requests import WIRE, ChatBody, parse_chat
from edge.wires.ai_sdk.ui_messages import continued_message, message_chunks, ui_messages
from edge.wires.wire import ConversationName, TurnRequest, Turns, WireRequest

MAX_MESSAGES = 200
"""How many of the newest messages a client gets back. `GET /v1/conversations/{id}/messages` has them all."""


def chat(request: WireRequest, turns: Turns) -> EventStream:
    """Answer a message, an edited one, or one again: ``POST /ai-sdk/chat``."""
    body = parse_chat(request)
    turn = _resolved(body, turns, request.now) if request.keeps_history else body.turn
    writer = ChunkWriter(continues=body.continues)
    return EventStream(turns.begin(turn), writer.write, HEADERS)


def resume(request: WireRequest, turns: Turns) -> EventStream | Response[str]:
    """The stream of the newest answer from its beginning; 204 when there is none to go on with."""
    conversation = _conversation(request)
    try:
        followed = turns.follow(conversation.id)
    except ConversationNotFound:
        followed = None
    if followed is None:
        return Response(status_code=204, body="")
    message = continued_message(turns.history(conversation.id, MAX_MESSAGES), followed.turn_id)
    after = (message["id"], message_chunks(message)) if message else None
    return EventStream(followed.frames, ChunkWriter(after=after).write, HEADERS)


def stop(request: WireRequest, turns: Turns) -> Response[str]:
    """End the newest answer; what was said of it is kept. Without one, nothing happens."""
    with suppress(ConversationNotFound):
        turns.stop(_conversation(request).id)
    return Response(status_code=204, body="")


def list_messages(request: WireRequest, turns: Turns) -> Response[str]:
    """The newest messages as UIMessages; none for a conversation that has not begun."""
    try:
        messages = ui_messages(turns.history(_conversation(request).id, MAX_MESSAGES))
    except ConversationNotFound:
        messages = ()
    return Response(status_code=200, content_type=JSON, body=json.dumps(list(messages), ensure_ascii=False))


def write_problem(problem: Problem, _request_id: str) -> tuple[str, str]:
    """A problem as the client's `error.message` has it: the body of the response."""
    described: Mapping[str, Any] = {
        "detail": problem.detail,
        "title": problem.status.phrase,
        "code": problem.code,
    }
    return "text/plain; charset=utf-8", error_text(described)


def _conversation(request: WireRequest) -> ConversationName:
    return ConversationName.of(request.caller, WIRE, request.path["chat_id"])


def _resolved(body: ChatBody, turns: Turns, now: datetime) -> TurnRequest:
    """The turn with our ids of what it replaces.

    A message that is not stored yet, because its request was refused or lost or is being answered, is sent
    under the key that it had: it counts once. So does one that is sent again as it is (`sendMessage()`),
    which has the form of an edited one.
    """
    client_id = body.edited or body.regenerated
    if client_id is None:
        return body.turn
    try:
        messages = turns.history(body.conversation.id, MAX_MESSAGES).messages
    except ConversationNotFound:
        return body.turn
    said = next((message for message in messages if _is_named(message, client_id)), None)
    if said is None:
        return body.turn
    version = body.turn._replace(key=body.version_key)
    if body.edited is not None and _is_unchanged(said, body.turn, messages, now):
        return body.turn
    if body.edited is not None:
        return version._replace(replaces=said.id)
    answers = (each for each in messages if each.turn_id == said.turn_id and each.role is Role.ASSISTANT)
    return version._replace(regenerates=next((each.id for each in answers), None))


def _is_unchanged(said: Message, turn: TurnRequest, messages: Sequence[Message], now: datetime) -> bool:
    """Whether the turn says the newest message again, while its key holds."""
    newest = [message for message in messages if message.role is Role.USER][-1]
    is_newest = said.id == newest.id and said.created_at > now - KEY_LIFETIME
    return is_newest and said.content == mask(turn.message) and _has_files(said, turn)


def _has_files(said: Message, turn: TurnRequest) -> bool:
    """Whether the turn brings the files that the message has, as far as their names and sizes show it."""
    has = [(file.id, file.name, file.size) for file in said.attachments]
    return len(has) == len(turn.files) and all(
        sent.attachment_id == file_id
        if sent.attachment_id
        else (sent.name, len(sent.content)) == (name, size)
        for sent, (file_id, name, size) in zip(turn.files, has, strict=True)
    )


def _is_named(message: Message, client_id: str) -> bool:
    is_users = message.role is Role.USER and not message.deleted
    return is_users and client_id in (message.id, message.metadata.get(CLIENT_MESSAGE_ID))
