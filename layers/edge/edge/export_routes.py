"""The routes that let users take their conversations along."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response

from conversation.export import Exports
from edge.api import Api
from edge.cursors import Cursors
from edge.exporting import (
    EXPORTED_ALL,
    EXPORTED_ONE,
    AcceptedFormat,
    AskedFormat,
    exported_all,
    exported_one,
    place_of,
    position_of,
)
from edge.identity import Asker
from edge.parameters import Cursor


def add_to(api: Api, exports: Exports, cursors: Cursors) -> None:
    """Have the API answer them."""

    @api.get(
        "/v1/conversations/<conversation_id>/export",
        summary="Take a conversation along, to import or to read",
        tags=["conversations"],
        responses=EXPORTED_ONE,
    )
    def export_conversation(
        caller: Asker,
        conversation_id: str,
        accepted: AcceptedFormat,
        asked: AskedFormat = None,
        cursor: Cursor = None,
    ) -> Response[str]:
        form = asked or accepted
        query = ("export", caller.tenant, caller.user, conversation_id, form)
        page = exports.one(caller, conversation_id, place_of(cursors.position(cursor, *query)))
        return exported_one(page, form, cursors.cursor(position_of(page.following), *query))

    @api.get(
        "/v1/export",
        summary="Take all your conversations along, to import or to read",
        tags=["conversations"],
        responses=EXPORTED_ALL,
    )
    def export_all(
        caller: Asker, accepted: AcceptedFormat, asked: AskedFormat = None, cursor: Cursor = None
    ) -> Response[str]:
        form = asked or accepted
        query = ("export", caller.tenant, caller.user, form)
        page = exports.all(caller, place_of(cursors.position(cursor, *query)))
        return exported_all(page, form, cursors.cursor(position_of(page.following), *query))
