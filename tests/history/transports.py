"""Senders of requests over HTTP, and helpers for senders to a turn service in the same process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import httpx

from agent.turn_events import Accepted, Done, TurnEvent, TurnStarted
from conversation.errors import ConversationNotFound, DomainError, TurnNotFound
from conversation.identity import Caller
from conversation.threads.repository import ConversationRepository
from storage.errors import StorageError
from tests.fakes.aws.tables import Crash
from tests.fakes.http.described_answers import api_client
from tests.history.clients import Outcome, Promise, Refusal, Reply
from tests.history.records import Event, NotAdmitted, Operation

NO_ANSWER = Refusal("no_answer")


class AnswerFailed(Exception):
    """The production of an answer failed because of a bug."""


def outcome_of(events: Iterable[TurnEvent]) -> Outcome:
    """Return the outcome that a client would see for a turn's events."""
    try:
        *_, last = events
    except (Crash, StorageError):
        return NO_ANSWER
    except AnswerFailed:
        return Refusal("internal")
    except DomainError as refused:
        return Refusal(refused.code)
    match last:
        case Done(answer):
            persisted = bool(answer.metadata["persisted"])
            return Reply(answer.conversation_id, answer.turn_id, answer.message_id, answer.content, persisted)
        case Accepted():
            return Promise(last.conversation_id, last.turn_id)
        case _:
            raise AssertionError(f"a turn ended with {last!r}")


def record_unadmitted(
    events: Iterable[TurnEvent], note: Callable[[Event], None], now: Callable[[], float]
) -> Iterator[TurnEvent]:
    """Yield the events of a turn, and record when storage did not admit its message."""
    for event in events:
        if isinstance(event, TurnStarted) and not event.stored:
            note(NotAdmitted(event.turn_id, now()))
        yield event


def poll_outcome(
    conversations: ConversationRepository, caller: Caller, turn_id: str
) -> Reply | Refusal | None:
    """Return what a client would see when it polls a turn."""
    try:
        state = conversations.turn(caller, turn_id)
    except (Crash, StorageError):
        return None
    except (TurnNotFound, ConversationNotFound) as refused:
        return Refusal(refused.code)
    if state.reply is None:
        return None
    return Reply(state.conversation_id, turn_id, state.reply.id, state.reply.content, persisted=True)


class HttpSender:
    """Sends to the addresses in rotation, so that a retry goes to another one."""

    def __init__(self, addresses: Iterable[str], *, token: str, conversations: Mapping[str, str]) -> None:
        """``conversations`` maps the names in the operations to conversation ids."""
        self._clients = [api_client(address, timeout_s=60) for address in addresses]
        self._authorization = {"Authorization": f"Bearer {token}"}
        self._conversations = conversations

    def send(self, operation: Operation) -> Outcome:
        body = {"message": operation.message}
        if operation.conversation is not None:
            body["conversation_id"] = self._conversations[operation.conversation]
        key = {"Idempotency-Key": operation.key} if operation.key else {}
        response = self._request("POST", "/v1/chat", headers=key, json=body)
        if response is None:
            return NO_ANSWER
        told = response.json()
        if response.status_code == 200:
            metadata = told["metadata"]
            return _reply(
                told["conversation_id"], metadata["turn_id"], told["message"], metadata["persisted"]
            )
        if response.status_code == 202:
            return Promise(told["conversation_id"], told["turn_id"])
        return Refusal(told["code"])

    def poll(self, turn_id: str) -> Reply | Refusal | None:
        response = self._request("GET", f"/v1/turns/{turn_id}")
        if response is None or response.status_code >= 500:
            return None
        told = response.json()
        if response.status_code != 200:
            return Refusal(told["code"])
        message = told["message"]
        return None if message is None else _reply(told["conversation_id"], turn_id, message, persisted=True)

    def _request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> httpx.Response | None:
        client = self._clients.pop(0)
        self._clients.append(client)
        try:
            return client.request(method, path, headers={**self._authorization, **(headers or {})}, **more)
        except httpx.TransportError:
            return None


def _reply(conversation_id: str, turn_id: str, message: Mapping[str, Any], persisted: bool) -> Reply:
    return Reply(conversation_id, turn_id, message["id"], message["content"], persisted)
