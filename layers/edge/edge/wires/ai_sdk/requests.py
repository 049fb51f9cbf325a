"""What `useChat` sends, as a turn.

The client sends all messages each time. Where history is kept, only the last one is read: what was said
before is what is stored. Where none is kept, the answer follows the messages before it; those of the role
``system`` are among them as something that was said, and instruct nobody.

Source: `HttpChatTransport` and `UIMessage` of the npm package `ai`, 7.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from conversation.messages.models import CLIENT_MESSAGE_ID
from conversation.threads.questions import ANSWERS
from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID, MAX_HISTORY, MAX_HISTORY_CHARACTERS, code_of
from edge.wires.sent_files import SentFile, names_of, sent_file
from edge.wires.wire import (
    ConversationName,
    TurnRequest,
    WireRequest,
    derived_key,
)

WIRE = "ai-sdk"
YES, NO = "Yes", "No"

ModelT = TypeVar("ModelT", bound=BaseModel)
Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]


class _Part(BaseModel):
    """A part of a message. Members that we do not read may be anything."""

    model_config = ConfigDict(extra="ignore", strict=True)

    type: str
    text: str | None = None
    state: str | None = None
    approval: Mapping[str, JsonValue] | None = None
    url: str | None = None
    filename: str | None = None


class _Message(BaseModel):
    """A message of the conversation as its client has it."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: Id
    role: Literal["system", "user", "assistant"]
    parts: list[_Part]
    metadata: JsonValue = None

    @property
    def text(self) -> str:
        return "".join(part.text or "" for part in self.parts if part.type == "text")


class _Body(BaseModel):
    """The body of a request; pages may add members of their own."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str
    messages: Annotated[list[JsonValue], Field(min_length=1)]
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    messageId: Id | None = None  # noqa: N815 - the client's name
    model: JsonValue = None
    time_zone: JsonValue = None


class ChatBody(NamedTuple):
    """A request for an answer."""

    conversation: ConversationName
    turn: TurnRequest
    """The turn of a new message; also of an edited or a repeated one, if nothing of it was stored before."""
    edited: str | None = None
    """The client's id of the message whose new version this is; None: it is a new message."""
    regenerated: str | None = None
    """The client's id of the message whose answer is made anew."""
    version_key: str | None = None
    """The key of a new version. A repeated one is known by the answer or the text that it names."""
    continues: Approval | None = None
    """The answer to a proposal. The reply is then a part of the message that made it."""


class Approval(NamedTuple):
    """An answer to a proposal."""

    turn_id: str
    """The turn that made it."""
    approved: bool


def parse_chat(request: WireRequest) -> ChatBody:
    """The turn that a request asks for.

    Raises:
        Problem: it has another form, or its last message is nothing to answer.
    """
    body = _validated(_Body, request.body)
    conversation = ConversationName.of(request.caller, WIRE, body.id)
    last = _validated(_Message, body.messages[-1])
    common = TurnRequest(
        "",
        conversation,
        model=body.model,
        time_zone=body.time_zone,
        history=() if request.keeps_history else tuple(_history(body.messages[:-1])),
        state=None if request.keeps_history else _state(body.messages[:-1]),
    )
    if body.trigger == "submit-message" and last.role == "assistant":
        return _answer_to_proposal(request, conversation, common, last)
    if last.role != "user":
        raise Problem("field_invalid", "messages: The last one is not the user's.")
    metadata = {CLIENT_MESSAGE_ID: last.id}
    said = common._replace(message=_said(last), files=_files(last), metadata=metadata)
    submitted = said._replace(key=request.key or derived_key(WIRE, "submit", last.id))
    if (asked := _answered_question(last)) is not None:
        return ChatBody(conversation, said.answering(asked, said.message, request))
    if body.trigger == "regenerate-message":
        named = None if body.messageId in (None, last.id) else derived_key(WIRE, "anew", str(body.messageId))
        return ChatBody(conversation, submitted, regenerated=last.id, version_key=request.key or named)
    if body.messageId == last.id:
        edit_key = request.key or derived_key(WIRE, "edit", last.id, said.message)
        return ChatBody(conversation, submitted, edited=last.id, version_key=edit_key)
    return ChatBody(conversation, submitted)


def _answer_to_proposal(
    request: WireRequest, conversation: ConversationName, common: TurnRequest, last: _Message
) -> ChatBody:
    answered = [part.approval for part in last.parts if part.state == "approval-responded" and part.approval]
    approval = answered[-1] if answered else {}
    turn_id, approved = approval.get("id"), approval.get("approved")
    if not isinstance(turn_id, str) or not isinstance(approved, bool) or len(turn_id) > MAX_CLIENT_ID:
        raise Problem(
            "field_invalid", "messages: The last one is no message of the user, and answers nothing."
        )
    said = YES if approved else NO
    history = (*common.history, *_history([last.model_dump()])) if not request.keeps_history else ()
    turn = common._replace(history=history).answering(turn_id, said, request)
    return ChatBody(conversation, turn, continues=Approval(turn_id, approved))


def _answered_question(message: _Message) -> str | None:
    """The question that a message names as the one it answers."""
    asked = message.metadata.get(ANSWERS) if isinstance(message.metadata, dict) else None
    return asked if isinstance(asked, str) and len(asked) <= MAX_CLIENT_ID else None


def _said(message: _Message) -> str:
    """What the user wrote.

    Raises:
        Problem: a part that we can't take.
    """
    for part in message.parts:
        if part.type not in ("text", "file") and not part.type.startswith("data-"):
            raise Problem("field_invalid", "messages: A message of the user has parts of an unknown type.")
        if part.type == "text" and part.text is None:
            raise Problem("field_missing", "messages: A part has no text.")
    return message.text or names_of(_files(message))


def _files(message: _Message) -> tuple[SentFile, ...]:
    """The files of the user's message."""
    files = (part for part in message.parts if part.type == "file")
    return tuple(sent_file("messages", part.url or "", part.filename) for part in files)


def _history(messages: Sequence[JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    """The newest messages that have a text, as those of `conversation_history`."""
    for sent in messages[-MAX_HISTORY:]:
        message = _validated(_Message, sent)
        if text := message.text[:MAX_HISTORY_CHARACTERS]:
            yield {"role": "assistant" if message.role == "assistant" else "user", "content": text}


def _state(messages: Sequence[JsonValue]) -> JsonValue:
    """What the last answer left open, as its metadata had it."""
    for sent in reversed(messages[-MAX_HISTORY:]):
        message = _validated(_Message, sent)
        if message.role == "assistant":
            return message.metadata.get("state") if isinstance(message.metadata, dict) else None
    return None


def _validated(model: type[ModelT], value: JsonValue | Mapping[str, JsonValue]) -> ModelT:
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        where = "messages" if model is not _Body else str(error["loc"][0]) if error["loc"] else "body"
        raise Problem(code_of(error), f"{where}: {error['msg'].removeprefix('Value error, ')}") from None
