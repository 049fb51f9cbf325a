"""Query parameters of lists, read strictly: a number is digits and nothing else.

The types are for parameters of route functions; `edge.arguments` fills them in.
"""

from __future__ import annotations

import re
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from edge.cursors import MAX_CHARACTERS
from storage.keys import MAX_SEQUENCE

DEFAULT_LIMIT = 50
MAX_LIMIT = 100


def _whole(text: object) -> int:
    """Digits only: by itself pydantic also takes ``1_0``, ``10.0`` and surrounding spaces."""
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,12}", text, re.ASCII):
        raise PydanticCustomError("query_invalid", "Only the digits of a whole number are allowed.")
    return int(text)


Limit = Annotated[
    int, BeforeValidator(_whole), Query(ge=1, le=MAX_LIMIT, description="How many items a page has at most.")
]
Cursor = Annotated[
    str | None, Query(max_length=MAX_CHARACTERS, description="The `next_cursor` of the page before.")
]
Place = Annotated[
    int | None,
    BeforeValidator(_whole),
    Query(ge=1, le=MAX_SEQUENCE, description="The sequence of a message, which is not part of the page."),
]
