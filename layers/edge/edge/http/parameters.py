"""The query and header parameters of the API, parsed strictly: a number consists of digits only.

The types are for parameters of route functions; `edge.http.parameters` supplies the values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Any

from annotated_types import Ge, Le
from aws_lambda_powertools.event_handler import Request
from aws_lambda_powertools.event_handler.depends import Depends
from aws_lambda_powertools.event_handler.openapi.compat import ModelField
from aws_lambda_powertools.event_handler.openapi.params import Dependant, Header, Query
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.data_classes.common import BaseProxyEvent
from pydantic import AfterValidator, BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from conversation.messages.items import ACTIVE_STATUSES
from conversation.messages.models import Message, Status
from edge.http import cursors, json_body, request_models
from edge.http.cursors import MAX_CHARACTERS
from edge.http.problems import STATUSES, Problem
from storage.keys import MAX_SEQUENCE

DEFAULT_LIMIT = 50
MAX_LIMIT = 100
MAX_TITLE_WORDS = 200

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_IDEMPOTENCY_KEY = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")
IDEMPOTENCY_KEY_FORM = "1 to 255 visible characters of ASCII are expected."


def _whole(most_digits: int) -> BeforeValidator:
    """Digits only: pydantic by itself also accepts ``1_0``, ``10.0`` and surrounding spaces."""
    form = re.compile(rf"[0-9]{{1,{most_digits}}}")

    def parse(text: object) -> int:
        if not isinstance(text, str) or not form.fullmatch(text):
            raise PydanticCustomError("query_invalid", "Only the digits of a whole number are allowed.")
        return int(text)

    return BeforeValidator(parse)


def is_idempotency_key(value: object) -> bool:
    """Whether the value has the form of an Idempotency-Key."""
    return isinstance(value, str) and _IDEMPOTENCY_KEY.fullmatch(value) is not None


def _key(text: str) -> str:
    if not is_idempotency_key(text):
        raise PydanticCustomError("idempotency_key_invalid", IDEMPOTENCY_KEY_FORM)
    return text


def parse_truth(text: object) -> bool:
    """Two spellings only: pydantic by itself also accepts ``on``, ``y`` and ``1``."""
    if text not in ("true", "false"):
        raise PydanticCustomError("query_invalid", "Only true and false are allowed.")
    return text == "true"


LimitParam = Annotated[
    int, Ge(1), Le(MAX_LIMIT), _whole(3), Query(description="How many items a page has at most.")
]
CursorParam = Annotated[
    str | None, Query(max_length=MAX_CHARACTERS, description="The `next_cursor` of the page before.")
]


def _moment(text: object, *, day_after: bool = False) -> datetime:
    """A day, which begins and ends at midnight UTC, or a moment with its offset."""
    try:
        if isinstance(text, str) and _DAY.fullmatch(text):
            day = datetime.combine(date.fromisoformat(text), time(), UTC)
            return day + timedelta(days=1) if day_after else day
        if isinstance(text, str) and _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass  # no such day or time of day
    raise PydanticCustomError(
        "query_invalid", "A day such as 2026-01-30, or a moment such as 2026-01-30T09:00:00Z is expected."
    )


SinceParam = Annotated[
    datetime | None,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string"}),
    Query(alias="from", description="Only what was created from this day (UTC) or moment on."),
]
UntilParam = Annotated[
    datetime | None,
    BeforeValidator(partial(_moment, day_after=True)),
    WithJsonSchema({"type": "string"}),
    Query(alias="to", description="Only what was created up to the end of this day, or before this moment."),
]
CompletedParam = Annotated[
    bool | None,
    BeforeValidator(parse_truth),
    Query(description="Only tasks that are done, or only open ones; by default both."),
]
HelpQuery = Annotated[
    str | None,
    Query(
        alias="q", max_length=200, description="Words that the answers should fit; by default all answers."
    ),
]

DeletedParam = Annotated[
    bool,
    BeforeValidator(parse_truth),
    Query(description="`true`: those you deleted and can restore, the last deleted first, instead."),
]


PinnedParam = Annotated[bool, BeforeValidator(parse_truth), Query(description="`true`: only pinned ones.")]
TitleParam = Annotated[
    str | None,
    Query(
        max_length=MAX_TITLE_WORDS,
        description="Only those whose title contains all of these words or parts of words, in any case.",
    ),
]


def _listed_status(text: object) -> Status:
    """Deleted conversations are not listed."""
    if text not in [status.value for status in ACTIVE_STATUSES]:
        raise PydanticCustomError("query_invalid", "Only active and archived are allowed.")
    return Status(text)


StatusParam = Annotated[
    Status,
    BeforeValidator(_listed_status),
    WithJsonSchema({"type": "string", "enum": [status.value for status in ACTIVE_STATUSES]}),
    Query(description="Which conversations: those in use, or those put away."),
]
SequenceParam = Annotated[
    int | None,
    Ge(1),
    Le(MAX_SEQUENCE),
    _whole(12),
    Query(description="The sequence of a message; the page begins or ends next to it."),
]
LastEventParam = Annotated[
    int | None,
    Ge(0),
    Le(999_999),
    _whole(6),
    Query(description="The id of the last frame that was seen of the turn's stream; 0: none."),
]
IdempotencyKeyParam = Annotated[
    str | None,
    AfterValidator(_key),
    Header(
        alias="Idempotency-Key",
        json_schema_extra={"pattern": f"^{_IDEMPOTENCY_KEY.pattern}$"},
        description="A request repeated under the same key within 24 hours is carried out once.",
    ),
]


@dataclass(frozen=True, slots=True)
class MessagePage:
    """The newest messages before a sequence, or the first ones after one; with neither, the newest of all."""

    before: int | None = None
    after: int | None = None

    def next_position(self, found: Sequence[Message], limit: int) -> dict[str, str] | None:
        """The position of the next page in the same direction; None when this page reaches the end."""
        if not found:
            return None
        if self.after is not None:
            return {"after": str(found[-1].sequence)} if len(found) == limit else None
        return {"before": str(found[0].sequence)} if found[0].sequence > 1 else None


def message_page(*, before: int | None, after: int | None, position: Mapping[str, str] | None) -> MessagePage:
    """The page that a request asks for; at most one of the three parameters may be given.

    Raises:
        Problem: query_invalid for more than one; cursor_invalid for a malformed position.
    """
    if sum(given is not None for given in (before, after, position)) > 1:
        raise Problem("query_invalid", "Only one of before, after and cursor can be followed.")
    if position is None:
        return MessagePage(before, after)
    try:
        return MessagePage(**{name: int(sequence) for name, sequence in position.items()})
    except (TypeError, ValueError):
        raise cursors.invalid_cursor() from None


MAX_QUERY_CHARACTERS = 8_192


def bind(signature: Dependant, request: Request, event: APIGatewayProxyEvent) -> dict[str, Any]:
    """The arguments of a route function, except those of its path. Dependencies come first, so the caller is
    known before anything they sent is read.

    Raises:
        Problem, DomainError: for the first argument that can't be supplied.
    """
    arguments = {needed.param_name: needed.depends.dependency(request) for needed in signature.dependencies}
    if not any(needed.depends.dependency is whole_query for needed in signature.dependencies):
        arguments |= _query(signature.query_params, event)
    arguments |= _headers(signature.header_params, event)
    for body in signature.body_params:
        arguments[body.name] = _body(body, event)
    return arguments


def whole_query(request: Request) -> Mapping[str, str]:
    """The query of a route whose callers add parameters of their own; one that is sent twice is left out."""
    sent = request.resolved_event.multi_value_query_string_parameters
    if sum(map(len, (text for values in sent.values() for text in values))) > MAX_QUERY_CHARACTERS:
        return {}
    return {name: values[0] for name, values in sent.items() if len(values) == 1}


WholeQueryParam = Annotated[Mapping[str, str], Depends(whole_query)]


def _query(fields: Sequence[ModelField], event: APIGatewayProxyEvent) -> dict[str, Any]:
    sent = event.multi_value_query_string_parameters
    if (
        sum(len(name) + len(value) + 2 for name, values in sent.items() for value in values)
        > MAX_QUERY_CHARACTERS
    ):
        raise Problem("query_too_long", f"The query may have {MAX_QUERY_CHARACTERS} characters.")
    names = [field.alias for field in fields]
    if not sent.keys() <= set(names):
        raise Problem("query_unknown", f"The query may have these parameters: {', '.join(names) or 'none'}.")
    return {field.name: _one(field, sent.get(field.alias, ()), "query_invalid") for field in fields}


def _headers(fields: Sequence[ModelField], event: APIGatewayProxyEvent) -> dict[str, Any]:
    sent = event.resolved_headers_field
    return {field.name: _one(field, _values(sent, field.alias), "header_invalid") for field in fields}


def _values(headers: Mapping[str, Any], name: str) -> Sequence[str]:
    values = headers.get(name.lower(), ())
    return [values] if isinstance(values, str) else values


def _one(field: ModelField, values: Sequence[str], code: str) -> Any:
    """The parameter's value; a parameter that is sent twice is refused."""
    if not values and not field.required:
        return field.default
    if len(values) != 1:
        raise Problem(code, f"{field.alias}: expected once.")
    value, errors = field.validate(values[0])
    if errors:
        kind = errors[0]["type"]
        raise Problem(kind if kind in STATUSES else code, f"{field.alias}: {errors[0]['msg']}")
    return value


def _body(field: ModelField, event: APIGatewayProxyEvent) -> Any:
    body = event.body
    if body:
        require_json(event)
    members = json_body.parse_object(body, is_base64=bool(event.is_base64_encoded))
    return request_models.parse_body(field.type_, members)


def require_json(event: BaseProxyEvent) -> None:
    media_type = event.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem("unsupported_media_type", "The body must be application/json.")


_WEIGHT = re.compile(r"q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


def parse_accept(accept: str) -> dict[str, float]:
    """The media types and ranges in the header, in lower case, each with its weight: 0 (refused) to 1."""
    found = {}
    for part in accept.split(","):
        media_type, *parameters = (piece.strip().lower() for piece in part.split(";"))
        stated = (_WEIGHT.fullmatch(each) for each in parameters)
        found[media_type] = next((float(weight[1]) for weight in stated if weight), 1.0)
    return found


def best_weight(accept: str, types: Iterable[str]) -> float:
    """The highest weight that the header gives to one of the types and ranges; 0 when it names none."""
    stated = parse_accept(accept)
    return max((stated.get(each, 0.0) for each in types), default=0.0)


def documented_types(responses: Mapping[int, Mapping[str, object]] | None) -> Set[str]:
    """The media types that a route documents for its status 200, and their ranges."""
    content = (responses or {}).get(200, {}).get("content")
    types = content.keys() if isinstance(content, Mapping) else ()
    return {*types, *(f"{each.partition('/')[0]}/*" for each in types)}
