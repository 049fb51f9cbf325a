"""The models of request bodies, and the problems for bodies that do not fit them.

Bodies are validated as strict JSON: no text becomes a number, no number a text. A problem names one of our
own fields, never a key that the client made up.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from conversation.messages.models import (
    MAX_MESSAGE_BYTES,
    MAX_MESSAGE_CHARACTERS,
    MAX_METADATA_BYTES,
    MAX_TITLE_CHARACTERS,
)
from conversation.tenants.policy import Grant, validate_time_zone
from conversation.threads.lifecycle import ConversationChanges
from edge.http.problems import STATUSES, Problem

MAX_HISTORY = 100
MAX_ATTACHMENTS = 10
MAX_FILE_NAME_BYTES = 255
MAX_INLINE_CHARACTERS = 4_000_000
"""Of base64: with its envelope, what a function may be sent."""
MAX_STATE = 16_000
MAX_CLIENT_ID = 255
MAX_HISTORY_CHARACTERS = 32_000
"""Per message: answers are longer than questions."""

Model = TypeVar("Model", bound=BaseModel)

_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_CODES: Mapping[str, str] = {
    "missing": "field_missing",
    "extra_forbidden": "field_unknown",
    "string_too_long": "field_too_long",
    "string_too_short": "field_empty",
    "too_short": "field_empty",
    "too_long": "too_many_items",
    "greater_than_equal": "field_invalid",
    "less_than_equal": "field_invalid",
    "string_pattern_mismatch": "field_invalid",
    "enum": "field_invalid",
    "literal_error": "field_invalid",
    "value_error": "field_invalid",
}
"""Our codes for pydantic's types of error; all others mean that a value has another type than the field."""


def parse_body(model: type[Model], members: Mapping[str, JsonValue]) -> Model:
    """The body as an instance of the model.

    Raises:
        Problem: for the first member that is not accepted.
    """
    try:
        return model.model_validate_json(json.dumps(members), strict=True)
    except ValidationError as refused:
        raise _problem(model, refused.errors(include_url=False, include_input=False)[0]) from None


def code_of(error: ErrorDetails) -> str:
    """The stable code of one of pydantic's errors."""
    return error["type"] if error["type"] in STATUSES else _CODES.get(error["type"], "field_type")


def _problem(model: type[BaseModel], error: ErrorDetails) -> Problem:
    code = code_of(error)
    if code == "field_unknown":
        return Problem(code, f"The body may have these fields: {', '.join(_names(model))}.")
    return Problem(code, f"{_path(model, error['loc'])}: {error['msg'].removeprefix('Value error, ')}")


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _path(model: type[BaseModel], location: Sequence[Any]) -> str:
    """The location's first level if it is a field of ours, else ``body``: deeper keys may be the client's."""
    first = str(location[0]) if location else ""
    return first if first in _names(model) else "body"


def require_visible(text: str) -> str:
    """The text, when it has a visible character; otherwise the error field_empty."""
    if all(unicodedata.category(character) in _INVISIBLE for character in text):
        raise PydanticCustomError("field_empty", "There is nothing to read in it.")
    return text


def _message(text: str) -> str:
    if len(text) > MAX_MESSAGE_CHARACTERS or len(text.encode()) > MAX_MESSAGE_BYTES:
        limits = f"{MAX_MESSAGE_CHARACTERS} characters and {MAX_MESSAGE_BYTES} bytes"
        raise PydanticCustomError("message_too_large", f"A message may have {limits}.")
    return require_visible(text)


def _metadata(metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if len(json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_METADATA_BYTES:
        raise PydanticCustomError("metadata_too_large", "Metadata may have 4,096 bytes.")
    return metadata


def _time_zone(name: str) -> str:
    try:
        return validate_time_zone(name)
    except ValueError:
        raise PydanticCustomError(
            "time_zone_invalid", "An IANA time zone such as Europe/Paris is expected."
        ) from None


MessageText = Annotated[
    str,
    AfterValidator(_message),
    Field(
        description=f"At most {MAX_MESSAGE_CHARACTERS} characters and {MAX_MESSAGE_BYTES} bytes.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_MESSAGE_CHARACTERS},
    ),
]
ClientId = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]
ModelName = Annotated[str, StringConstraints(min_length=1, max_length=200)]
TimeZone = Annotated[str, AfterValidator(_time_zone)]
Title = Annotated[
    str,
    StringConstraints(max_length=MAX_TITLE_CHARACTERS),
    AfterValidator(require_visible),
    Field(json_schema_extra={"minLength": 1}),
]


class Body(BaseModel):
    """A request body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class SaidBefore(Body):
    """One earlier message of the conversation."""

    role: Literal["user", "assistant"]
    content: Annotated[str, StringConstraints(min_length=1, max_length=MAX_HISTORY_CHARACTERS)]


class AttachmentPart(Body):
    """A file of a message."""

    type: Literal["attachment"] = "attachment"
    id: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="Of an attachment that is `ready`."
    )


Attachments = Annotated[
    tuple[AttachmentPart, ...],
    Field(
        max_length=MAX_ATTACHMENTS,
        strict=False,
        description="Files that go with the message; each can be sent once.",
    ),
]


class ChatRequest(Body):
    """One message to the assistant."""

    message: MessageText
    conversation_id: str | None = Field(default=None, description="Without one a new conversation begins.")
    client_id: ClientId | None = Field(
        default=None,
        description="Your own id of the conversation instead; it begins with the first message of that id.",
    )
    attachments: Attachments = ()
    model: ModelName | None = Field(
        default=None,
        description="The model to ask, one of `GET /v1/models`; the conversation goes on with it.",
    )
    conversation_history: Annotated[tuple[SaidBefore, ...], Field(max_length=MAX_HISTORY)] = Field(
        default=(),
        strict=False,
        description="What was said before, oldest first; only where no history is kept, else it is refused.",
    )
    state: Annotated[str, StringConstraints(min_length=1, max_length=MAX_STATE)] | None = Field(
        default=None,
        description="The `metadata.state` of the answer before; only where no history is kept, else it is"
        " refused.",
    )
    metadata: Annotated[dict[str, JsonValue], AfterValidator(_metadata)] = Field(
        default_factory=dict, description="Kept with the message and not read; at most 4,096 bytes of JSON."
    )
    time_zone: TimeZone | None = Field(default=None, description="The IANA name of the user's time zone.")
    answers: ClientId | None = Field(
        default=None,
        description="The question that the message answers, by its id (`metadata.question`). The same answer"
        " twice has one effect. If something else was said since, it is `proposal_closed`.",
    )

    @model_validator(mode="after")
    def _names_one_conversation(self) -> Self:
        if self.conversation_id is not None and self.client_id is not None:
            raise PydanticCustomError("field_invalid", "Name the conversation by one of its two ids.")
        return self


class Edit(Body):
    """The new text of one of the user's messages."""

    message: MessageText
    attachments: Attachments = ()
    model: ModelName | None = Field(default=None, description="As in a chat.")
    time_zone: TimeZone | None = Field(default=None, description="As in a chat.")


def _file_name(name: str) -> str:
    """The name of a file, which is never a path."""
    if len(name.encode()) > MAX_FILE_NAME_BYTES:
        raise PydanticCustomError("field_too_long", f"A name may have {MAX_FILE_NAME_BYTES} bytes.")
    has_control = any(unicodedata.category(each) in {"Cc", "Cf", "Cs"} for each in name)
    if has_control or "/" in name or "\\" in name or not name.strip(". "):
        raise PydanticCustomError("field_invalid", "A plain name is expected, without folders.")
    return name


class NewAttachment(Body):
    """A file to be sent with a message."""

    name: Annotated[str, AfterValidator(_file_name)] = Field(
        description="For people: a plain name of at most 255 bytes."
    )
    media_type: Annotated[str, StringConstraints(min_length=1, max_length=64)] = Field(
        description="What it is, such as `image/png`; the content has to be that."
    )
    size: int = Field(ge=1, le=2**40, description="In bytes.")
    content: Annotated[str, StringConstraints(min_length=1, max_length=MAX_INLINE_CHARACTERS)] | None = Field(
        default=None,
        description="The content in base64, of a small file; without it you get an address to upload it to.",
    )


class Regeneration(Body):
    """How to answer a message again."""

    model: ModelName | None = Field(default=None, description="As in a chat.")
    time_zone: TimeZone | None = Field(default=None, description="As in a chat.")


class ForkRequest(Body):
    """How much of a conversation to copy."""

    message_id: str | None = Field(default=None, description="The last message of the copy; null: of all.")


class NewConversation(Body):
    """A conversation to create without a message."""

    title: Title | None = None
    client_id: ClientId | None = Field(
        default=None, description="Your own id of it; a second request with the same id gets the same one."
    )


class ConversationChange(Body):
    """Changes to a conversation; fields that are not sent stay as they are."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    title: Title | None = Field(default=None, description="Null takes the title away.")
    archived: bool = Field(default=False, description="Put away, until a message is sent to it.")
    pinned: bool = False
    metadata: Annotated[dict[str, JsonValue], AfterValidator(_metadata)] = Field(
        default_factory=dict, description="Replaces what was kept; at most 4,096 bytes of JSON."
    )

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("field_missing", "At least one field is expected.")
        return self

    def changes(self) -> ConversationChanges:
        """The changes: only the fields that were sent."""
        return cast("ConversationChanges", {name: getattr(self, name) for name in self.model_fields_set})


class NewTenant(Body):
    """A tenant to register."""

    name: Title = Field(description="For people.")
    limits: Grant | None = Field(
        default=None,
        description="What it may have instead of what every tenant may have; left out: as it was.",
    )


class TenantChange(Body):
    """What to change of a tenant. What is left out stays as it was."""

    name: Title | None = Field(default=None, description="For people.")
    limits: Grant | None = Field(
        default=None, description="The limits to change; null takes one back, and all others stay."
    )
