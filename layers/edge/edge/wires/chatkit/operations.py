"""What answers ChatKit's one route, by the type of a request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from aws_lambda_powertools.event_handler import Response

from conversation.errors import MessageNotFound
from conversation.messages.models import Role
from edge.http.problems import Problem
from edge.http.resolver import JSON
from edge.http.server_sent_events import EventStream
from edge.wires.chatkit import events
from edge.wires.chatkit.events import EventWriter
from edge.wires.chatkit.items import (
    Item,
    items_of,
    message_of_item,
    thread,
    thread_of,
    turn_of_waiting,
)
from edge.wires.chatkit.requests import (
    ANSWER,
    DEFAULT_PAGE,
    STOP,
    Asked,
    Choice,
    CustomAction,
    Feedback,
    ItemPaging,
    OfThread,
    Paging,
    Rename,
    Retry,
    parse_request,
    thread_name,
    turn_of_message,
    validated,
)
from edge.wires.wire import TurnRequest, Turns, WireRequest

MAX_MESSAGES = 200
"""How many of the newest messages of a conversation are looked at."""

Answered: TypeAlias = EventStream | Response[str]

write_problem = events.write_problem


def process(request: WireRequest, turns: Turns) -> Answered:
    """Carry out a request: ``POST /chatkit``."""
    asked = parse_request(request.body)
    operation = _OPERATIONS.get(asked.type)
    if operation is None:
        raise Problem("field_invalid", "type: Requests of this type are not taken.")
    return operation(asked, request, turns)


def _say(asked: Asked, request: WireRequest, turns: Turns) -> EventStream:
    turn = turn_of_message(request, asked)
    thread_id = asked.params.get("thread_id") if turn.conversation else None
    writer = EventWriter(said=turn.message, thread_id=str(thread_id) if thread_id else None)
    return EventStream(turns.begin(_storable(request, turn)), writer.write)


def _storable(request: WireRequest, turn: TurnRequest) -> TurnRequest:
    """The turn; where no history is kept, nothing of what was said before is at hand."""
    return turn if request.keeps_history else turn._replace(conversation=None, key=request.key)


def _retry(asked: Asked, request: WireRequest, turns: Turns) -> EventStream:
    """Answer a message anew; one whose answer is under way gets that."""
    sent = validated(Retry, asked.params)
    name = thread_name(request, sent.thread_id)
    history = turns.history(name.id, MAX_MESSAGES)
    writer = EventWriter(said=None, thread_id=sent.thread_id)
    waiting = turn_of_waiting(history, sent.item_id)
    if waiting is not None:
        return EventStream(turns.replay(waiting).frames, writer.write)
    said = message_of_item(history, sent.item_id)
    if said is None or said.role is not Role.USER:
        raise MessageNotFound
    answers = (each for each in history.messages if each.turn_id == said.turn_id and each is not said)
    answer = next((each for each in answers if each.role is Role.ASSISTANT), None)
    if answer is None:
        raise MessageNotFound
    turn = TurnRequest(said.content, name, key=request.key, regenerates=answer.id)
    return EventStream(turns.begin(turn), writer.write)


def _act(asked: Asked, request: WireRequest, turns: Turns) -> EventStream:
    """Say what a button says, once; it is refused when something else was said since."""
    sent = validated(CustomAction, asked.params)
    if sent.action.type != ANSWER:
        raise Problem("field_invalid", "action.type: There is no such action.")
    choice = validated(Choice, sent.action.payload, "action.payload")
    name = thread_name(request, sent.thread_id)._replace(may_begin=False)
    turn = TurnRequest(choice.text, name).answering(choice.turn_id, choice.text, request)
    writer = EventWriter(said=choice.text, thread_id=sent.thread_id)
    return EventStream(turns.begin(turn), writer.write)


def _act_at_once(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    """End the newest answer, which keeps what was said."""
    sent = validated(CustomAction, asked.params)
    if sent.action.type != STOP:
        raise Problem("field_invalid", "action.type: There is no such action.")
    turns.stop(thread_name(request, sent.thread_id).id)
    return _json({})


def _get_thread(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    thread_id = validated(OfThread, asked.params).thread_id
    name = thread_name(request, thread_id)
    stored = turns.conversation(name.id)
    items = _page(items_of(turns.history(name.id, MAX_MESSAGES), thread_id), DEFAULT_PAGE, None)
    return _json(thread(thread_id, stored.created_at, title=stored.title, items=items))


def _list_threads(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    sent = validated(Paging, asked.params)
    if sent.order == "asc":
        raise Problem("field_invalid", "order: Threads are listed by their newest activity, desc.")
    if not request.keeps_history:
        return _json({"data": [], "has_more": False})
    listed = turns.list(sent.limit or DEFAULT_PAGE, sent.after)
    after = {} if listed.cursor is None else {"after": listed.cursor}
    threads = [thread_of(each) for each in listed.conversations]
    return _json({"data": threads, "has_more": listed.cursor is not None, **after})


def _list_items(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    sent = validated(ItemPaging, asked.params)
    history = turns.history(thread_name(request, sent.thread_id).id, MAX_MESSAGES)
    items = list(items_of(history, sent.thread_id))
    if sent.order == "desc":
        items.reverse()
    return _json(_page(items, sent.limit or DEFAULT_PAGE, sent.after))


def _page(items: Sequence[Item], limit: int, after: str | None) -> Mapping[str, Any]:
    """A page of items, and the id after which the next one begins."""
    place = 0
    if after is not None:
        places = [number for number, item in enumerate(items, 1) if item["id"] == after]
        if not places:
            raise Problem("field_invalid", "after: No item has this id.")
        place = places[0]
    page = items[place : place + limit]
    has_more = place + limit < len(items)
    return {"data": page, "has_more": has_more, **({"after": page[-1]["id"]} if has_more else {})}


def _rename(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    sent = validated(Rename, asked.params)
    stored = turns.rename(thread_name(request, sent.thread_id).id, sent.title)
    return _json(thread(sent.thread_id, stored.created_at, title=stored.title))


def _delete(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    turns.delete(thread_name(request, validated(OfThread, asked.params).thread_id).id)
    return _json({})


def _rate(asked: Asked, request: WireRequest, turns: Turns) -> Response[str]:
    """Note whether answers helped; nothing is noted if one of the items is no answer."""
    sent = validated(Feedback, asked.params)
    name = thread_name(request, sent.thread_id)
    history = turns.history(name.id, MAX_MESSAGES)
    found = [message_of_item(history, item_id) for item_id in sent.item_ids]
    answers = [each.id for each in found if each is not None and each.role is Role.ASSISTANT]
    if len(answers) < len(found):
        raise MessageNotFound
    for message_id in answers:
        turns.rate(name.id, message_id, helped=sent.kind == "positive")
    return _json({})


_OPERATIONS: Mapping[str, Callable[[Asked, WireRequest, Turns], Answered]] = {
    "threads.create": _say,
    "threads.add_user_message": _say,
    "threads.retry_after_item": _retry,
    "threads.custom_action": _act,
    "threads.sync_custom_action": _act_at_once,
    "threads.get_by_id": _get_thread,
    "threads.list": _list_threads,
    "threads.update": _rename,
    "threads.delete": _delete,
    "items.list": _list_items,
    "items.feedback": _rate,
}


def _json(body: Mapping[str, Any]) -> Response[str]:
    return Response(status_code=200, content_type=JSON, body=json.dumps(body, ensure_ascii=False))
