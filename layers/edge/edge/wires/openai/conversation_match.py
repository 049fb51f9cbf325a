"""Which conversation a request means, and under which key it is carried out once.

A client that names its conversation costs nothing: the name is the conversation. One that only sends again
what was said is matched by it. The first message of the user says where to look: conversations that begin
with it have the places 0, 1, 2 and so on. The exchanges before the newest message say which of them it is. No
id could be derived from them alone: two chats that begin with "hello" are one and the same until their
first answer, and a repeated request is the same as a new chat but for the count of retries in its headers.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import cache
from typing import NamedTuple

from conversation.errors import ConversationNotFound
from conversation.identity import short_hash
from conversation.messages.models import CLIENT_MESSAGE_ID, Message, Role
from conversation.redaction.masking import mask
from conversation.turns.admission import hash_of_key
from edge.http.server_sent_events import Frame
from edge.wires.openai.talk import Exchange, Talk
from edge.wires.wire import (
    ConversationName,
    History,
    TurnRequest,
    Turns,
    WireRequest,
    derived_key,
)

WIRE = "openai"
RETRY_COUNT = "x-stainless-retry-count"
"""Sent by OpenAI's own clients with each try, from 0."""
COMPARED = 20
"""How many of the newest messages are compared."""
PROBED = 4
"""How many places are looked at one after the other: a deleted conversation leaves a gap."""
TRIED = 8
"""How many of the newest places are compared where many conversations begin alike."""
MOST_PLACES = 64
REPEATED_WITHIN = timedelta(minutes=15)
"""A client's own retries come within seconds, or after its timeout of ten minutes."""


class _Place(NamedTuple):
    """A conversation among those that begin alike."""

    name: ConversationName
    history: History | None
    """None: there is none (any more)."""


def begin_named(
    request: WireRequest, turns: Turns, talk: Talk, turn: TurnRequest, name: ConversationName
) -> Iterator[Frame]:
    """The turn in the conversation that the client named."""
    return turns.begin(_once(request, turns, talk, turn._replace(conversation=name), name))


def begin_matched(request: WireRequest, turns: Turns, talk: Talk, turn: TurnRequest) -> Iterator[Frame]:
    """The turn in the conversation that what was said before belongs to, or in a new one."""
    turn = turn._replace(key=request.key or _key_of(talk))
    place, replaces = _match(request, turns, talk)
    if place.history is not None:
        return turns.begin(turn._replace(conversation=place.name, replaces=replaces))
    for free in _free_places(_reader(request, turns, talk), place):
        try:
            return turns.begin(turn._replace(conversation=free.name))
        except ConversationNotFound:
            continue  # the one of this place was deleted, and its name is not given again
    raise ConversationNotFound


def _once(
    request: WireRequest, turns: Turns, talk: Talk, turn: TurnRequest, name: ConversationName
) -> TurnRequest:
    """The turn under the key of its request, with the metadata from which a retry learns it.

    What was said before makes a request one of a kind. Without it, only the count of retries tells a repeated
    request from the same words said again.
    """
    if request.key is not None:
        return turn._replace(key=request.key)
    if talk.before:
        return turn._replace(key=_key_of(talk, request.headers.get("x-openwebui-message-id", "")))
    said = derived_key(WIRE, name.id, *talk.told)
    tried = _earlier_try(request, turns, name, talk, said) if _is_retry(request) else None
    key = tried or f"{said}.{secrets.token_hex(8)}"
    return turn._replace(key=key, metadata={CLIENT_MESSAGE_ID: key})


def _key_of(talk: Talk, *more: str) -> str:
    return derived_key(WIRE, json.dumps([*talk.before, *talk.told]), *more)


def _is_retry(request: WireRequest) -> bool:
    return request.headers.get(RETRY_COUNT, "0") != "0"


def _earlier_try(
    request: WireRequest, turns: Turns, name: ConversationName, talk: Talk, said: str
) -> str | None:
    """The key of the try before this one, if it got as far as the conversation."""
    try:
        history = turns.history(name.id, COMPARED)
    except ConversationNotFound:
        return None
    waiting = [each.metadata for each in history.waiting if each.content == talk.message]
    of_user = [
        each.metadata
        for each in history.messages
        if each.role is Role.USER and each.created_at >= request.now - REPEATED_WITHIN
    ][-1:]
    keys = (each.get(CLIENT_MESSAGE_ID) for each in (*waiting[::-1], *of_user))
    return next((key for key in keys if isinstance(key, str) and key.startswith(f"{said}.")), None)


def _match(request: WireRequest, turns: Turns, talk: Talk) -> tuple[_Place, str | None]:
    """The place of the talk, and our id of the message that its newest one replaces."""
    read, edited, free = _reader(request, turns, talk), None, None
    is_new = not talk.before and not _is_retry(request) and request.key is None
    for place in _places(read, is_new=is_new, is_opening=not talk.before):
        if place.history is None:
            free = place if free is None or not talk.before else free
        elif _goes_on(place.history, talk) or _is_repeated(request, place.history, talk):
            return place, None
        elif edited is None and (replaced := _replaced(place.history, talk)) is not None:
            edited = place, replaced
    return edited or (free or read(_first_free(read)), None)


def _reader(request: WireRequest, turns: Turns, talk: Talk) -> Callable[[int], _Place]:
    opening = short_hash("opening", talk.opening)

    @cache
    def read(place: int) -> _Place:
        name = ConversationName.of(request.caller, WIRE, f"{opening}-{place}")
        try:
            return _Place(name, turns.history(name.id, COMPARED))
        except ConversationNotFound:
            return _Place(name, None)

    return read


def _places(read: Callable[[int], _Place], *, is_new: bool, is_opening: bool) -> Iterator[_Place]:
    """The places to look at. A new talk needs the first free one and no more."""
    if is_new:
        yield read(_first_free(read))
        return
    # An opening that is repeated was said last, so the newest place goes first.
    yield from map(read, reversed(range(PROBED)) if is_opening else range(PROBED))
    if all(read(place).history is not None for place in range(PROBED)):
        free = _first_free(read)
        yield from map(read, range(free - 1, max(free - 1 - TRIED, PROBED - 1), -1))


def _first_free(read: Callable[[int], _Place]) -> int:
    """The first place without a conversation, in as many steps as the number of places has digits."""
    if read(0).history is None:
        return 0
    high = 1
    while read(high).history is not None:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if read(middle).history is None else (middle, high)
    return high


def _free_places(read: Callable[[int], _Place], first: _Place) -> Iterator[_Place]:
    yield first
    for place in range(MOST_PLACES):
        candidate = read(place)
        if candidate.history is None and candidate != first:
            yield candidate


class _Stored(NamedTuple):
    """An exchange as it is stored. What the assistant said without being asked belongs to none."""

    message: Message
    answer: Message


def _stored(history: History) -> Sequence[_Stored]:
    kept = [message for message in history.messages if not message.deleted]
    answers = {each.turn_id: each for each in kept if each.role is Role.ASSISTANT}
    return [
        _Stored(each, answers[each.turn_id])
        for each in kept
        if each.role is Role.USER and each.turn_id in answers
    ]


def _goes_on(history: History, talk: Talk) -> bool:
    """Whether the newest message follows all that is stored."""
    return bool(talk.before) and not history.waiting and _is_same(history, _stored(history), talk.before)


def _is_repeated(request: WireRequest, history: History, talk: Talk) -> bool:
    """Whether the newest message is already there, as the last one."""
    stored = _stored(history)
    if history.waiting:
        is_there = _is_text(history.waiting[-1].content, talk.message)
        return is_there and _is_same(history, stored, talk.before)
    if not stored or not _is_text(stored[-1].message.content, talk.message):
        return False
    is_under_key = request.key is not None and stored[-1].message.key_hash == hash_of_key(
        request.caller, request.key
    )
    is_recent = stored[-1].message.created_at >= request.now - REPEATED_WITHIN
    is_known = is_under_key or bool(talk.before) or (request.key is None and _is_retry(request) and is_recent)
    return is_known and _is_same(history, stored[:-1], talk.before)


def _replaced(history: History, talk: Talk) -> str | None:
    """Our id of the message in whose place the newest one stands: an edited one; None if there is none."""
    stored = _stored(history)
    for place in range(len(stored) - 1, 0, -1):
        if _is_same(history, stored[:place], talk.before):
            return stored[place].message.id
    return None


def _is_same(history: History, stored: Sequence[_Stored], before: Sequence[Exchange]) -> bool:
    """Whether the client's exchanges are the stored ones, as far as those were read."""
    is_whole = len(history.messages) < COMPARED
    if len(before) < len(stored) or (is_whole and len(before) != len(stored)):
        return False
    if not is_whole and not stored:
        return False
    pairs = zip(stored, before[len(before) - len(stored) :], strict=True)
    return all(
        _is_text(kept.message.content, sent.message) and _is_answer(kept.answer.content, sent.answer)
        for kept, sent in pairs
    )


def _is_text(kept: str, sent: str) -> bool:
    # Secrets are masked in what is stored.
    return kept.strip() == sent.strip() or kept.strip() == mask(sent).strip()


def _is_answer(kept: str, sent: str) -> bool:
    """Whether it is the answer, or what a client saw of it before its user stopped it."""
    return kept.strip().startswith(sent.strip()) or kept.strip() == mask(sent).strip()
