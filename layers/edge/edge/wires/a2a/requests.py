"""The parameters of A2A's methods, and the turn that a message asks for.

``contextId`` is the client's name of a conversation, or one of our ids. ``messageId`` says that a message is
the same one when it is sent again. ``taskId`` goes on with a task that asks something.

Source: `SendMessageRequest`, `GetTaskRequest` and `ListTasksRequest` of the package `a2a-sdk`, 1.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
)

from conversation.identity import Caller, TurnId, is_own_id
from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID, code_of
from edge.wires.a2a.json_rpc import (
    CONTENT_TYPE_NOT_SUPPORTED,
    PUSH_NOTIFICATION_NOT_SUPPORTED,
    CallRefused,
)
from edge.wires.sent_files import SentFile, names_of, sent_file
from edge.wires.wire import CLIENT_MESSAGE_ID, ConversationName, TurnRequest, WireRequest, derived_key

WIRE = "a2a"
CONTEXT = "a2a_context"
"""In the metadata of a user's message: the client's name of the conversation, if it is not our id of it."""
TASK = "a2a_task"
"""In the metadata of a user's message: the task that it goes on with."""
MAX_TASKS = 100
TEXT_MODES = frozenset({"text/plain", "text/markdown", "text/*", "*/*", "text"})

ModelT = TypeVar("ModelT", bound=BaseModel)
Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]
OptionalId = Annotated[str, StringConstraints(max_length=MAX_CLIENT_ID)]
Length = Annotated[int, Field(ge=0, le=10_000)]


class _Params(BaseModel):
    """Members that we do not read may be anything."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Part(_Params):
    text: str | None = None
    raw: str | None = None
    url: str | None = None
    filename: str | None = None
    mediaType: str | None = None  # noqa: N815 - the protocol's name

    @property
    def file(self) -> SentFile | None:
        """The file that it is; None: it is none.

        Raises:
            Problem: field_invalid.
        """
        address = self.url
        if self.raw is not None:
            address = f"data:{self.mediaType or 'application/octet-stream'};base64,{self.raw}"
        return None if address is None else sent_file("message.parts", address, self.filename)


class MessageBody(_Params):
    """A message of the user."""

    messageId: Id  # noqa: N815 - the protocol's name
    role: Literal["ROLE_USER"]
    parts: Annotated[list[_Part], Field(min_length=1)]
    contextId: OptionalId = ""  # noqa: N815
    taskId: OptionalId = ""  # noqa: N815
    metadata: Mapping[str, JsonValue] = {}

    @property
    def files(self) -> tuple[SentFile, ...]:
        """Its files.

        Raises:
            Problem: one of them can't be taken.
            CallRefused: a part is neither a text nor a file.
        """
        files = []
        for part in self.parts:
            file = part.file
            if file is not None:
                files.append(file)
            elif part.text is None:
                raise CallRefused(CONTENT_TYPE_NOT_SUPPORTED, "message.parts: texts and files are taken.")
        return tuple(files)

    @property
    def text(self) -> str:
        """What the user wrote; a message of files alone says their names."""
        said = "\n".join(part.text for part in self.parts if part.text is not None)
        return said or names_of(self.files)


class _Configuration(_Params):
    acceptedOutputModes: list[str] = []  # noqa: N815
    historyLength: Length | None = None  # noqa: N815
    taskPushNotificationConfig: Mapping[str, JsonValue] | None = None  # noqa: N815


_DEFAULTS = _Configuration()


class SendParams(_Params):
    """The parameters of `SendMessage` and `SendStreamingMessage`."""

    message: MessageBody
    configuration: _Configuration | None = None
    metadata: Mapping[str, JsonValue] = {}


class TaskParams(_Params):
    """The parameters of methods that name a task."""

    id: Id
    historyLength: Length | None = None  # noqa: N815


class ListParams(_Params):
    """The parameters of `ListTasks`."""

    contextId: OptionalId = ""  # noqa: N815
    status: str = ""
    pageSize: Annotated[int, Field(ge=1, le=MAX_TASKS)] = 50  # noqa: N815
    pageToken: OptionalId = ""  # noqa: N815
    historyLength: Length = 0  # noqa: N815
    statusTimestampAfter: str | None = None  # noqa: N815
    includeArtifacts: bool = False  # noqa: N815

    @property
    def after(self) -> datetime | None:
        """Only tasks that changed later are listed.

        Raises:
            Problem: it is no moment.
        """
        sent = self.statusTimestampAfter
        return None if sent is None else validated(_Moment, {"statusTimestampAfter": sent}).moment


class _Moment(BaseModel):
    moment: AwareDatetime = Field(alias="statusTimestampAfter")


class Sent(NamedTuple):
    """A message that was sent."""

    body: MessageBody
    turn: TurnRequest
    task: TurnId | None
    """The task that it goes on with."""
    history_length: int | None

    @property
    def context(self) -> str:
        """The client's name of the conversation; empty: it gave none."""
        return self.body.contextId


def parse_send(request: WireRequest, params: Mapping[str, JsonValue]) -> Sent:
    """The message of a call, and the turn that it asks for.

    Raises:
        Problem: it has another form, or names what is not the caller's.
        CallRefused: it has parts that are neither, or wants what we do not do.
    """
    sent = validated(SendParams, params)
    body, wanted = sent.message, sent.configuration or _DEFAULTS
    if wanted.taskPushNotificationConfig:
        raise CallRefused(PUSH_NOTIFICATION_NOT_SUPPORTED, "Tasks are not notified of.")
    if wanted.acceptedOutputModes and not TEXT_MODES.intersection(wanted.acceptedOutputModes):
        raise CallRefused(CONTENT_TYPE_NOT_SUPPORTED, "configuration.acceptedOutputModes: answers are texts.")
    task = turn_of(request.caller, body.taskId) if body.taskId else None
    turn = TurnRequest(
        body.text,
        files=body.files,
        model=sent.metadata.get("model"),
        time_zone=sent.metadata.get("time_zone"),
        key=request.key,
    )
    if not request.keeps_history:
        if task is not None:
            raise Problem("turn_not_found")
        return Sent(body, turn._replace(state=body.metadata.get("state")), None, wanted.historyLength)
    return Sent(body, _stored_turn(request, body, turn, task), task, wanted.historyLength)


def _stored_turn(
    request: WireRequest, body: MessageBody, turn: TurnRequest, task: TurnId | None
) -> TurnRequest:
    name = ConversationName.of(request.caller, WIRE, body.contextId) if body.contextId else None
    if task is not None:
        if name is not None and name.id != task.conversation_id:
            raise Problem("field_invalid", "message.contextId: the task is of another context.")
        name = ConversationName(task.conversation_id, may_begin=False)
    metadata: dict[str, JsonValue] = {CLIENT_MESSAGE_ID: body.messageId}
    if name is not None and name.id != body.contextId:
        metadata[CONTEXT] = body.contextId
    metadata |= {TASK: str(task)} if task else {}
    key = request.key or derived_key(WIRE, "message", name.id if name else "", body.messageId)
    return turn._replace(conversation=name, key=key, metadata=metadata)


def turn_of(caller: Caller, task_id: str) -> TurnId:
    """The turn that a task began with.

    Raises:
        Problem: turn_not_found: it is none of the caller's.
    """
    turn = TurnId.parse(task_id)
    if turn is None or not is_own_id(turn.conversation_id, caller):
        raise Problem("turn_not_found", "There is no such task.")
    return turn


def validated(model: type[ModelT], params: Mapping[str, JsonValue]) -> ModelT:
    """The parameters as their model.

    Raises:
        Problem: for the first member that has another form.
    """
    try:
        return model.model_validate(params)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(each) for each in error["loc"]) or "params"
        raise Problem(code_of(error), f"{where}: {error['msg'].removeprefix('Value error, ')}") from None
