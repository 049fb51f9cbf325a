"""The bodies of ChatKit's requests: a type, and parameters by it.

The protocol gives a message no id of its own. What its client says of it in ``metadata.message_id``, or an
Idempotency-Key, makes it count once.

Source: `ChatKitReq` of the package `openai-chatkit`, 1.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID, code_of
from edge.wires.sent_files import names_of, sent_file
from edge.wires.wire import CLIENT_MESSAGE_ID, ConversationName, TurnRequest, WireRequest, derived_key

WIRE = "chatkit"
MAX_PAGE = 100
DEFAULT_PAGE = 20
ANSWER, STOP = "omniforge.answer", "omniforge.stop"
"""The types of actions: of the buttons below an answer, and to end the newest one."""

ModelT = TypeVar("ModelT", bound=BaseModel)
Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]


class _Body(BaseModel):
    """Members that we do not read may be anything."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Content(_Body):
    type: Literal["input_text", "input_tag"]
    text: str


class _Options(_Body):
    model: str | None = None
    tool_choice: Mapping[str, JsonValue] | None = None


class UserInput(_Body):
    """What a user has written."""

    content: list[_Content]
    attachments: list[str] = []
    quoted_text: str | None = None
    inference_options: _Options = _Options()

    @property
    def text(self) -> str:
        """The message, after what it quotes."""
        said = "".join(part.text for part in self.content)
        if not self.quoted_text or not said:
            return said
        quoted = "\n".join(f"> {line}" for line in self.quoted_text.splitlines())
        return f"{quoted}\n\n{said}"


class NewMessage(_Body):
    """The parameters of `threads.create`, and with a thread those of `threads.add_user_message`."""

    input: UserInput
    thread_id: Id | None = None


class OfThread(_Body):
    """The parameters of requests that name a thread."""

    thread_id: Id


class Retry(OfThread):
    """The parameters of `threads.retry_after_item`."""

    item_id: Id


class Rename(OfThread):
    """The parameters of `threads.update`."""

    title: str


class Feedback(OfThread):
    """The parameters of `items.feedback`."""

    item_ids: Annotated[list[Id], Field(min_length=1, max_length=MAX_PAGE)]
    kind: Literal["positive", "negative"]


class _Action(_Body):
    type: Id
    payload: JsonValue = None


class CustomAction(OfThread):
    """The parameters of `threads.custom_action`."""

    action: _Action
    item_id: str | None = None


class Paging(_Body):
    """The parameters of lists."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE)] | None = None
    order: Literal["asc", "desc"] = "desc"
    after: str | None = None


class ItemPaging(Paging):
    """The parameters of `items.list`."""

    thread_id: Id


class Choice(_Body):
    """The payload of the action `ANSWER`: the text of a button, and the turn whose answer has it."""

    turn_id: Id
    text: Annotated[str, StringConstraints(min_length=1)]


class _Request(_Body):
    type: str
    params: Mapping[str, JsonValue] = {}
    metadata: Mapping[str, JsonValue] = {}


class Asked(NamedTuple):
    """A request: its type, its parameters, and the name that its client gave to the message."""

    type: str
    params: Mapping[str, JsonValue]
    message_id: str | None


def parse_request(body: Mapping[str, JsonValue]) -> Asked:
    """The request of a body.

    Raises:
        Problem: it has another form.
    """
    request = validated(_Request, body, "body")
    message_id = request.metadata.get("message_id")
    if message_id is not None and not (isinstance(message_id, str) and 0 < len(message_id) <= MAX_CLIENT_ID):
        raise Problem("field_invalid", f"metadata.message_id: a text of up to {MAX_CLIENT_ID} characters.")
    return Asked(request.type, request.params, message_id)


def turn_of_message(request: WireRequest, asked: Asked) -> TurnRequest:
    """The turn of a message, in a thread or in a new one.

    Raises:
        Problem: it has another form, or parts that are not taken.
    """
    sent = validated(NewMessage, asked.params)
    files = tuple(sent_file("input.attachments", each) for each in sent.input.attachments)
    if sent.input.inference_options.tool_choice:
        raise Problem("field_invalid", "input.inference_options.tool_choice: The tools are chosen here.")
    in_thread = asked.type == "threads.add_user_message"
    if in_thread and sent.thread_id is None:
        raise Problem("field_missing", "thread_id: Field required")
    name = thread_name(request, sent.thread_id) if in_thread and sent.thread_id else None
    key, metadata = request.key, {}
    if asked.message_id is not None:
        key = key or derived_key(WIRE, "message", name.id if name else "", asked.message_id)
        metadata = {CLIENT_MESSAGE_ID: asked.message_id}
    said, model = sent.input.text or names_of(files), sent.input.inference_options.model
    return TurnRequest(said, name, key=key, metadata=metadata, model=model, files=files)


def thread_name(request: WireRequest, thread_id: str) -> ConversationName:
    """The conversation of a thread's id: one of ours, or one that the client made up."""
    return ConversationName.of(request.caller, WIRE, thread_id)


def validated(
    model: type[ModelT], value: JsonValue | Mapping[str, JsonValue], where: str = "params"
) -> ModelT:
    """A part of a request as its model.

    Raises:
        Problem: for the first member that has another form.
    """
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(each) for each in error["loc"]) or where
        raise Problem(code_of(error), f"{place}: {error['msg'].removeprefix('Value error, ')}") from None
