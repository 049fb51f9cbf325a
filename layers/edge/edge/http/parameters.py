"""The query and header parameters of the API, parsed strictly: a number consists of digits only.

The types are for parameters of route functions; `edge.http.binding` supplies the values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le
from aws_lambda_powertools.event_handler.openapi.params import Header, Query
from pydantic import AfterValidator, BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from conversation.messages.models import Message, Status
from conversation.messages.ownership import ACTIVE_STATUSES
from edge.http import cursors
from edge.http.cursors import MAX_CHARACTERS
from edge.http.problems import Problem
from storage.keys import MAX_SEQUENCE

DEFAULT_LIMIT = 50
MAX_LIMIT = 100

_IDEMPOTENCY_KEY = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")


def _whole(most_digits: int) -> BeforeValidator:
    """Digits only: pydantic by itself also accepts ``1_0``, ``10.0`` and surrounding spaces."""
    form = re.compile(rf"[0-9]{{1,{most_digits}}}")

    def parse(text: object) -> int:
        if not isinstance(text, str) or not form.fullmatch(text):
            raise PydanticCustomError("query_invalid", "Only the digits of a whole number are allowed.")
        return int(text)

    return BeforeValidator(parse)


def _key(text: str) -> str:
    if not _IDEMPOTENCY_KEY.fullmatch(text):
        raise PydanticCustomError(
            "idempotency_key_invalid", "1 to 255 visible characters of ASCII are expected."
        )
    return text


def _truth(text: object) -> bool:
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
CompletedParam = Annotated[
    bool | None,
    BeforeValidator(_truth),
    Query(description="Only tasks that are done, or only open ones; by default both."),
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
        description="Repeating a request under the same key within 24 hours stores and answers it once.",
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
