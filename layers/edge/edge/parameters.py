"""The query and header parameters of the API, read strictly: a number is digits and nothing else.

The types are for parameters of route functions; `edge.arguments` fills them in.
"""

from __future__ import annotations

import re
from typing import Annotated

from annotated_types import Ge, Le
from aws_lambda_powertools.event_handler.openapi.params import Header, Query
from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from edge.cursors import MAX_CHARACTERS
from storage.keys import MAX_SEQUENCE

DEFAULT_LIMIT = 50
MAX_LIMIT = 100

_IDEMPOTENCY_KEY = re.compile(r"[!-~]([ -~]{0,253}[!-~])?")


def _whole(most_digits: int) -> BeforeValidator:
    """Digits only: by itself pydantic also takes ``1_0``, ``10.0`` and surrounding spaces."""
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


Limit = Annotated[
    int, Ge(1), Le(MAX_LIMIT), _whole(3), Query(description="How many items a page has at most.")
]
Cursor = Annotated[
    str | None, Query(max_length=MAX_CHARACTERS, description="The `next_cursor` of the page before.")
]
Place = Annotated[
    int | None,
    Ge(1),
    Le(MAX_SEQUENCE),
    _whole(12),
    Query(description="The sequence of a message; the page begins or ends next to it."),
]
IdempotencyKey = Annotated[
    str | None,
    AfterValidator(_key),
    Header(
        alias="Idempotency-Key",
        description="Repeating a request under the same key within 24 hours stores and answers it once.",
    ),
]
