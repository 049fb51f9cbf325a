"""The routes that export a user's conversations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from conversation.export.document import Document, to_markdown
from conversation.export.exports import ConversationExporter, ExportPage, ExportPosition
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.messages.models import Status
from edge.http import cursors
from edge.http.caller import CallerParam
from edge.http.cursors import CursorCodec
from edge.http.parameters import CursorParam, best_weight
from edge.http.resolver import HttpApi

NEXT_CURSOR = "Next-Cursor"


class Format(StrEnum):
    """The format of an export."""

    JSON = "json"
    MARKDOWN = "markdown"


def _format(text: object) -> Format:
    if text not in [each.value for each in Format]:
        raise PydanticCustomError("query_invalid", "Only json and markdown are allowed.")
    return Format(text)


FormatParam = Annotated[
    Format | None,
    BeforeValidator(_format),
    WithJsonSchema({"type": "string", "enum": [each.value for each in Format]}),
    Query(
        alias="format",
        description="`json`: to be imported again; `markdown`: to be read. By default what the header "
        "`Accept` wants, else `json`.",
    ),
]
MARKDOWN = "text/markdown; charset=utf-8"
_JSON_TYPES = ("application/json", "application/jsonl", "application/*", "*/*")
_MARKDOWN_TYPES = ("text/markdown", "text/*")


def accepted_format(request: Request) -> Format:
    """The format that the header ``Accept`` prefers; JSON when it prefers neither."""
    accept = request.resolved_event.headers.get("accept", "")
    wants_markdown = best_weight(accept, _MARKDOWN_TYPES) > best_weight(accept, _JSON_TYPES)
    return Format.MARKDOWN if wants_markdown else Format.JSON


AcceptedFormatParam = Annotated[Format, Depends(accepted_format)]
_GOES_ON = f"The header `{NEXT_CURSOR}` says where the file goes on; it is absent on the last page."


def _described(media_type: str, what: str) -> Any:
    content = {media_type: {"model": Document}, "text/markdown": {"schema": {"type": "string"}}}
    return {200: {"description": f"{what} {_GOES_ON}", "content": content}}


CONVERSATION_EXPORT = _described("application/json", "A page of the file: a document, on a line of its own.")
FULL_EXPORT = _described("application/jsonl", "A page of the file: documents, one per line.")
"""The OpenAPI descriptions of these answers."""


def conversation_export_response(page: ExportPage, form: Format, cursor: str | None) -> Response[str]:
    """A conversation, or a part of it, as an answer that a browser saves as a file."""
    name = f"conversation-{page.documents[0].conversation.id}"
    return _exported(page, form, cursor, media_type="application/json", name=name, suffix="json")


def full_export_response(page: ExportPage, form: Format, cursor: str | None) -> Response[str]:
    """A page of a user's conversations, as an answer that a browser saves as a file."""
    media_type = "application/jsonl"
    return _exported(page, form, cursor, media_type=media_type, name="conversations", suffix="jsonl")


def _exported(
    page: ExportPage, form: Format, cursor: str | None, *, media_type: str, name: str, suffix: str
) -> Response[str]:
    texts = map(Document.to_line, page.documents)
    if form is Format.MARKDOWN:
        texts, media_type, suffix = map(to_markdown, page.documents), MARKDOWN, "md"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
    if cursor is not None:
        headers[NEXT_CURSOR] = cursor
    return Response(200, media_type, "".join(texts), headers)


def position_of(place: ExportPosition | None) -> dict[str, str] | None:
    """The place as the position in a cursor; None without one."""
    if place is None:
        return None
    return {name: str(value) for name, value in asdict(place).items() if value}


def place_of(position: Mapping[str, str] | None) -> ExportPosition | None:
    """The place that `position_of` wrote; None without one.

    Raises:
        Problem: cursor_invalid for any other position.
    """
    if position is None:
        return None
    fields: dict[str, Any] = dict(position)
    try:
        fields |= {"after": int(fields.get("after", 0)), "status": Status(fields.get("status", ""))}
        return ExportPosition(**fields)
    except (TypeError, ValueError):
        raise cursors.invalid_cursor() from None


def register_routes(
    api: HttpApi, exports: ConversationExporter, cursors: CursorCodec, quotas: Quotas
) -> None:
    """Registers the routes with the API."""

    @api.get(
        "/v1/conversations/<conversation_id>/export",
        summary="Take a conversation along, to import or to read",
        tags=["conversations"],
        responses=CONVERSATION_EXPORT,
    )
    def export_conversation(
        caller: CallerParam,
        conversation_id: str,
        accepted: AcceptedFormatParam,
        requested: FormatParam = None,
        cursor: CursorParam = None,
    ) -> Response[str]:
        form = requested or accepted
        query = ("export", caller.tenant, caller.user, conversation_id, form)
        place = place_of(cursors.position(cursor, *query))
        quotas.check(caller, QuotaKind.EXPORTS)
        page = exports.conversation_page(caller, conversation_id, place)
        quotas.take(caller, QuotaKind.EXPORTS)
        return conversation_export_response(
            page, form, cursors.cursor(position_of(page.next_position), *query)
        )

    @api.get(
        "/v1/export",
        summary="Take all your conversations along, to import or to read",
        tags=["conversations"],
        responses=FULL_EXPORT,
    )
    def export_all(
        caller: CallerParam,
        accepted: AcceptedFormatParam,
        requested: FormatParam = None,
        cursor: CursorParam = None,
    ) -> Response[str]:
        form = requested or accepted
        query = ("export", caller.tenant, caller.user, form)
        place = place_of(cursors.position(cursor, *query))
        quotas.check(caller, QuotaKind.EXPORTS)
        page = exports.user_page(caller, place)
        quotas.take(caller, QuotaKind.EXPORTS)
        return full_export_response(page, form, cursors.cursor(position_of(page.next_position), *query))
