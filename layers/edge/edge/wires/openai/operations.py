"""What answers the routes of the OpenAI wire."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response

from conversation.errors import ConversationNotFound
from conversation.identity import TurnId, conversation_id_for_client
from conversation.messages.models import Role
from edge.http.problems import Problem
from edge.http.resolver import JSON
from edge.http.server_sent_events import EventStream, Frame
from edge.wires.openai import errors
from edge.wires.openai.chat_completions import (
    ANSWERED_LATER,
    ASSISTANT,
    ChatBody,
    ChunkWriter,
    completion,
    model_of,
    parse_chat,
)
from edge.wires.openai.conversation_match import WIRE, begin_matched, begin_named
from edge.wires.openai.errors import invalid
from edge.wires.openai.ids import (
    conversation_id,
    conversation_name,
    own_conversation,
    turn_of_approval,
    turn_of_question,
    turn_of_response,
)
from edge.wires.openai.items import conversation_items
from edge.wires.openai.responses import Asked, EventWriter, ResponseBody, parse_response
from edge.wires.openai.talk import Talk, parse_talk
from edge.wires.wire import (
    ConversationName,
    TurnRequest,
    Turns,
    WireRequest,
    derived_key,
)

MAX_MESSAGES = 200
"""How many of the newest messages of a conversation are looked at."""
MAX_ITEMS = 100
DEFAULT_ITEMS = 20
HEADERS = ("x-conversation-id", "x-openwebui-chat-id")
"""Those in which a client may name its conversation; the first one counts."""
SIDE_TASK = "### Task:"
"""How Open WebUI begins what it wants for itself: a title, tags, what to ask next."""
YES, NO = "Yes", "No"

Answered = EventStream | Response[str]

write_problem = errors.write_problem


def list_models(_request: WireRequest, _turns: Turns) -> Response[str]:
    """The one model that is listed: the assistant."""
    return _json({"object": "list", "data": [_model()]})


def get_model(request: WireRequest, _turns: Turns) -> Response[str]:
    """The assistant as a model."""
    if request.path["model"] != ASSISTANT:
        raise Problem("model_unknown", "Only the assistant is listed.")
    return _json(_model())


def _model() -> Mapping[str, Any]:
    return {"id": ASSISTANT, "object": "model", "created": 0, "owned_by": "omniforge"}


def create_completion(request: WireRequest, turns: Turns) -> Answered:
    """Answer the newest message: ``POST /openai/v1/chat/completions``."""
    body = parse_chat(request)
    talk = parse_talk(body.messages, "messages")
    if talk.approval is not None:
        raise invalid("messages", "a yes or a no to a proposal is a message here.")
    _refuse_side_task(request, talk, is_streamed=bool(body.stream))
    turn = _turn(talk, body)
    if body.answers is None:
        frames = _begin(request, turns, talk, turn, _named(request, talk))
    else:
        frames = turns.begin(_answer_by_id(request, body.answers, turn))
    if body.stream:
        include_usage = body.stream_options is not None and bool(body.stream_options.include_usage)
        return EventStream(frames, ChunkWriter(body.model, include_usage=include_usage).write)
    last = _last(frames)
    if last.name != "done":
        raise Problem("timeout", ANSWERED_LATER, headers={"Retry-After": "2"})
    return _json(completion(body.model, last.members))


def create_response(request: WireRequest, turns: Turns) -> Answered:
    """Answer an input: ``POST /openai/v1/responses``."""
    body = parse_response(request)
    talk = parse_talk(body.messages, "input")
    frames = _begin_response(request, turns, talk, body)
    asked = Asked(body)
    if body.stream:
        return EventStream(frames, EventWriter(asked).write)
    last = _last(frames)
    data = last.members
    return _json(asked.answered(data) if last.name == "done" else asked.queued(data))


def get_response(request: WireRequest, turns: Turns) -> Response[str]:
    """A response that was given, or whose turn still waits."""
    turn = turn_of_response(request.caller, request.path["response_id"])
    history = turns.history(turn.conversation_id, MAX_MESSAGES)
    for message in history.messages:
        if message.turn_id == str(turn) and message.role is Role.ASSISTANT and not message.deleted:
            return _json(Asked().stored(message))
    if any(each.turn_id == str(turn) for each in history.waiting):
        return _json(Asked().response(str(turn), turn.conversation_id, "in_progress"))
    raise Problem("turn_not_found")


def create_conversation(request: WireRequest, _turns: Turns) -> Response[str]:
    """A conversation's id. Nothing is stored before its first message."""
    if request.body.get("items"):
        raise invalid("items", "a conversation begins with a message of its user.")
    made = conversation_id_for_client(request.caller, WIRE, secrets.token_hex(16))
    return _json(_conversation(request, made))


def get_conversation(request: WireRequest, _turns: Turns) -> Response[str]:
    """A conversation whose id was given to the caller."""
    return _json(_conversation(request, own_conversation(request.caller, request.path["conversation_id"]).id))


def _conversation(request: WireRequest, own_id: str) -> Mapping[str, Any]:
    return {
        "id": conversation_id(own_id),
        "object": "conversation",
        "created_at": int(request.now.timestamp()),
        "metadata": {},
    }


def list_items(request: WireRequest, turns: Turns) -> Response[str]:
    """A page of a conversation's items, the newest first unless ``order`` is ``asc``."""
    name = own_conversation(request.caller, request.path["conversation_id"])
    try:
        items = list(conversation_items(turns.history(name.id, MAX_MESSAGES)))
    except ConversationNotFound:
        items = []
    if _choice(request, "order", ("desc", "asc")) == "desc":
        items.reverse()
    after = request.query.get("after")
    if after is not None:
        places = [place for place, item in enumerate(items) if item["id"] == after]
        if not places:
            raise invalid("after", "no item has this id.", "query_invalid")
        items = items[places[0] + 1 :]
    limit = _limit(request)
    page = items[:limit]
    return _json(
        {
            "object": "list",
            "data": page,
            "first_id": page[0]["id"] if page else "",
            "last_id": page[-1]["id"] if page else "",
            "has_more": len(items) > limit,
        }
    )


def _choice(request: WireRequest, name: str, choices: tuple[str, ...]) -> str:
    chosen = request.query.get(name, choices[0])
    if chosen not in choices:
        raise invalid(name, f"one of {', '.join(choices)} is expected.", "query_invalid")
    return chosen


def _limit(request: WireRequest) -> int:
    sent = request.query.get("limit", str(DEFAULT_ITEMS))
    limit = int(sent) if sent.isascii() and sent.isdigit() and len(sent) <= len(str(MAX_ITEMS)) else 0
    if not 1 <= limit <= MAX_ITEMS:
        raise invalid("limit", f"a number from 1 to {MAX_ITEMS} is expected.", "query_invalid")
    return limit


def _named(request: WireRequest, talk: Talk) -> ConversationName | None:
    """The conversation that the client names, in a header or in the answer that it sends back."""
    sent = next((request.headers[name] for name in HEADERS if request.headers.get(name)), talk.conversation)
    return None if sent is None else conversation_name(request.caller, sent)


def _refuse_side_task(request: WireRequest, talk: Talk, *, is_streamed: bool) -> None:
    """Refuse what Open WebUI asks for itself in a user's chat: it would become a message of that chat.

    It does without: it takes the first message for the title.
    """
    in_chat = "x-openwebui-chat-id" in request.headers and not is_streamed and not talk.before
    if in_chat and talk.message.startswith(SIDE_TASK):
        raise invalid("messages", "titles and tags are not made for clients; this would be said in the chat.")


def _turn(talk: Talk, body: ChatBody | ResponseBody) -> TurnRequest:
    return TurnRequest(
        talk.message, model=model_of(body.model), files=talk.files, is_streamed=bool(body.stream)
    )


def _begin(
    request: WireRequest, turns: Turns, talk: Talk, turn: TurnRequest, name: ConversationName | None
) -> Iterator[Frame]:
    if not request.keeps_history:
        return turns.begin(turn._replace(history=talk.history, key=request.key))
    if name is not None:
        return begin_named(request, turns, talk, turn, name)
    return begin_matched(request, turns, talk, turn)


def _begin_response(request: WireRequest, turns: Turns, talk: Talk, body: ResponseBody) -> Iterator[Frame]:
    turn = _turn(talk, body)
    if talk.approval is not None:
        return turns.begin(_answer_to_proposal(request, talk, turn))
    if body.answers is not None:
        return turns.begin(_answer_by_id(request, body.answers, turn))
    named, previous = body.conversation_id, body.previous_response_id
    if previous is not None:
        before = turn_of_response(request.caller, previous)
        name = ConversationName(before.conversation_id, may_begin=False)
        if request.keeps_history:
            key = request.key or derived_key(WIRE, "response", previous, *talk.told)
            return turns.begin(turn._replace(conversation=name, key=key))
        raise ConversationNotFound
    if named is not None:
        talk = talk._replace(before=())
        return _begin(request, turns, talk, turn, conversation_name(request.caller, named))
    return _begin(request, turns, talk, turn, None)


def _answer_to_proposal(request: WireRequest, talk: Talk, turn: TurnRequest) -> TurnRequest:
    if talk.approval is None:
        raise AssertionError("only an approval answers a proposal")
    asked, approved = turn_of_approval(request.caller, talk.approval.request_id), talk.approval.approved
    return _answer(request, asked, turn, YES if approved else NO)


def _answer_by_id(request: WireRequest, question: str, turn: TurnRequest) -> TurnRequest:
    return _answer(request, turn_of_question(request.caller, question), turn, turn.message)


def _answer(request: WireRequest, asked: TurnId, turn: TurnRequest, said: str) -> TurnRequest:
    if not request.keeps_history:
        raise ConversationNotFound
    name = ConversationName(asked.conversation_id, may_begin=False)
    return turn._replace(conversation=name).answering(str(asked), said, request)


def _last(frames: Iterator[Frame]) -> Frame:
    *_, last = frames
    return last


def _json(body: Mapping[str, Any]) -> Response[str]:
    return Response(status_code=200, content_type=JSON, body=json.dumps(body, ensure_ascii=False))
