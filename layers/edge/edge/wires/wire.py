"""What a wire is: requests of somebody else's protocol become turns, and the frames of a turn become its own.

A wire is a package beside this module: parsers of its requests, a writer of its frames, a writer of its
errors, and functions for its routes, which `edge.wires.table` lists. Such a function takes a `WireRequest`
and `Turns`, and returns a response or an `EventStream`. It is pure but for what it asks of `Turns`. No wire
knows another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from pydantic import JsonValue

from conversation.identity import Caller, conversation_id_for_client, is_own_id, short_hash
from conversation.messages import models
from conversation.messages.attached_files import AttachedFile
from conversation.messages.models import Conversation, Message
from conversation.threads.questions import answer_key
from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID
from edge.http.server_sent_events import Frame
from edge.wires.sent_files import SentFile
from edge.wires.shown_files import FileLinks, no_links

CLIENT_MESSAGE_ID = models.CLIENT_MESSAGE_ID
"""In the metadata of a user's message: the id that its client gave it."""


class WireRequest(NamedTuple):
    """A request whose caller is known, and whose body is a JSON object within our limits."""

    caller: Caller
    path: Mapping[str, str]
    """Its path parameters, decoded."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """By lower-case name."""
    body: Mapping[str, JsonValue]
    """Empty when the route takes none."""
    key: str | None
    """Its Idempotency-Key. It counts before any that the wire derives."""
    now: datetime
    """When it came."""
    keeps_history: bool
    """Whether turns are stored; if not, they begin with what the client says was said before."""


class ConversationName(NamedTuple):
    """The conversation that a client means."""

    id: str
    may_begin: bool
    """Whether it begins with the next message if it is not there: the client made up the name."""

    @classmethod
    def of(cls, caller: Caller, wire: str, client_id: str) -> ConversationName:
        """The conversation of a client's id: one of our own ids is taken as such.

        Raises:
            Problem: field_empty or field_too_long.
        """
        if not client_id:
            raise Problem("field_empty", "The id of the conversation is empty.")
        if len(client_id) > MAX_CLIENT_ID:
            raise Problem("field_too_long", f"An id may have {MAX_CLIENT_ID} characters.")
        if is_own_id(client_id, caller):
            return cls(client_id, may_begin=False)
        return cls(conversation_id_for_client(caller, wire, client_id), may_begin=True)


class TurnRequest(NamedTuple):
    """A message to answer; its values are checked as those of `POST /v1/chat` are."""

    message: str
    conversation: ConversationName | None = None
    """None begins a conversation."""
    key: str | None = None
    """Under which it is carried out once."""
    metadata: Mapping[str, JsonValue] = {}
    model: JsonValue = None
    time_zone: JsonValue = None
    history: Sequence[Mapping[str, JsonValue]] = ()
    """What was said before, as `conversation_history` of `POST /v1/chat`; read only where none is kept."""
    state: JsonValue = None
    """The `metadata.state` of the answer before; read only where no history is kept."""
    answers: str | None = None
    """The id of the question that the message answers; None: it is a message like any other."""
    replaces: str | None = None
    """Our id of the user's message that this one is a new version of."""
    files: tuple[SentFile, ...] = ()
    """Its files: `edge.wires.sent_files.sent_file` makes one of what a client sends."""
    regenerates: str | None = None
    """Our id of the answer that is made anew; the message is then the one it answered."""
    is_streamed: bool = True
    """Whether its client gets it while it is made; if not, the frames between its first and its end are left
    out, and none are kept for a broken stream.
    """

    def answering(self, asked: str, said: str, request: WireRequest) -> TurnRequest:
        """The turn of what is said to a question. Without history there is none but in what was said."""
        return self._replace(
            message=said,
            key=request.key or answer_key(asked, said),
            answers=asked if request.keeps_history else None,
        )


class WaitingMessage(NamedTuple):
    """A message of the user that is not answered yet."""

    turn_id: str
    content: str
    received_at: datetime
    metadata: Mapping[str, JsonValue]
    attachments: tuple[AttachedFile, ...] = ()


class History(NamedTuple):
    """The newest messages of a conversation, oldest first, and those that wait for their answer."""

    messages: Sequence[Message]
    waiting: Sequence[WaitingMessage]
    files: FileLinks = no_links


class FollowedTurn(NamedTuple):
    """A turn whose stream is read again."""

    turn_id: str
    frames: Iterator[Frame]
    """From the first to ``done``, or to ``accepted`` shortly before the request's deadline."""


class Run(NamedTuple):
    """The run of an agent that a turn has started."""

    status: str
    """``queued``, ``running``, ``succeeded``, ``failed``, ``cancelled`` or ``timed_out``."""
    output: str
    """Its result; empty while there is none."""
    changed_at: datetime
    """When it ended, else when it was last seen to begin."""
    asks: bool
    """Whether it holds a call back until its user approves it."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.status not in ("queued", "running")


class Listing(NamedTuple):
    """A page of conversations, newest activity first."""

    conversations: Sequence[Conversation]
    cursor: str | None
    """Where the next page begins; None: there is none."""


class Turns(Protocol):
    """What a wire may ask for, on behalf of the caller of one request.

    A conversation that is not the caller's, and one that is not there, raise `ConversationNotFound`.
    """

    def begin(self, turn: TurnRequest) -> Iterator[Frame]:
        """The frames of a turn that has begun: what refuses it is raised here.

        A request that is repeated under its key while the first one is answered gets that answer's frames.
        The last frame is ``done`` or ``accepted``; an error raised later has to become the client's last one.
        """
        ...

    def follow(self, conversation_id: str) -> FollowedTurn | None:
        """The conversation's newest turn, from its beginning until it is answered.

        None when there is none, or when it has been answered for a while.
        """
        ...

    def stop(self, conversation_id: str) -> bool:
        """Stop the newest turn, which keeps what it said. False: no turn was running or waiting."""
        ...

    def history(self, conversation_id: str, limit: int) -> History:
        """At most ``limit`` stored messages, and all that wait."""
        ...

    def replay(self, turn_id: str) -> FollowedTurn:
        """A turn, from its beginning until it is answered, also one that was answered long ago.

        Raises:
            TurnNotFound: it is not the caller's.
        """
        ...

    def cancel(self, turn_id: str) -> None:
        """Stop a turn, which keeps what it said; one that is answered stays as it is.

        Raises:
            TurnNotFound: it is not the caller's.
        """
        ...

    def run(self, turn_id: str) -> Run | None:
        """The run that a turn has started; None: it started none, or that is gone."""
        ...

    def follow_run(self, turn_id: str) -> Iterator[Run | None]:
        """The run as it is about every second, until it is over or shortly before the request's deadline."""
        ...

    def cancel_run(self, turn_id: str) -> None:
        """Stop the run that a turn has started; nothing happens if there is none, or if it is over."""
        ...

    def conversation(self, conversation_id: str) -> Conversation:
        """The conversation without its messages."""
        ...

    def rename(self, conversation_id: str, title: str) -> Conversation:
        """The conversation with another title.

        Raises:
            Problem: the title is empty or too long.
        """
        ...

    def delete(self, conversation_id: str) -> None:
        """Delete the conversation, as `DELETE /v1/conversations/{conversation_id}` does."""
        ...

    def rate(self, conversation_id: str, message_id: str, *, helped: bool) -> None:
        """Note whether an answer helped.

        Raises:
            MessageNotFound, WrongMessageRole: it is no answer of the conversation.
        """
        ...

    def list(self, limit: int, cursor: str | None = None) -> Listing:
        """A page of the caller's conversations that are not archived.

        Raises:
            Problem: cursor_invalid or cursor_expired.
        """
        ...


def derived_key(wire: str, *parts: str) -> str:
    """An Idempotency-Key for clients that send none; it depends on all parts."""
    return f"{wire}:{short_hash('wire key', wire, *parts)}"
