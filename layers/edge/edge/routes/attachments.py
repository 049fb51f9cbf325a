"""The routes of attachments: announced, uploaded to a signed address, checked, read and removed."""

from __future__ import annotations

import base64
import binascii

from aws_lambda_powertools.event_handler import Response

from conversation.attachments import store
from conversation.attachments.store import AttachmentStore
from edge.http.caller import CallerParam
from edge.http.cursors import CursorCodec
from edge.http.parameters import DEFAULT_LIMIT, CursorParam, LimitParam
from edge.http.problems import Problem
from edge.http.request_models import NewAttachment
from edge.http.resolver import HttpApi, creation_response
from edge.views.attachments import AttachmentView
from edge.views.base import Page

INLINE_BYTES = 5 * 1024 * 1024
"""Of the body of a request with content."""
NEW = "/v1/attachments"


def decoded(content: str) -> bytes:
    """The bytes of a text in base64.

    Raises:
        Problem: field_invalid.
    """
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise Problem("field_invalid", "content: base64 is expected.") from None


def register_routes(api: HttpApi, attachments: AttachmentStore, cursors: CursorCodec) -> None:
    """Registers the routes with the API."""

    @api.post(NEW, summary="Announce a file, or send a small one", tags=["attachments"], status_code=201)
    def create_attachment(caller: CallerParam, body: NewAttachment) -> Response[AttachmentView]:
        new = store.NewAttachment(body.name, body.media_type, body.size)
        if body.content is None:
            made, upload = attachments.announce(caller, new)
            view = AttachmentView.with_addresses(made, upload=upload)
        else:
            made = attachments.add(caller, new, decoded(body.content))
            view = AttachmentView.with_addresses(made, download_url=attachments.download_url(caller, made))
        return creation_response(view, f"{NEW}/{made.file.id}")

    @api.get(NEW, summary="List your files, newest first", tags=["attachments"])
    def list_attachments(
        caller: CallerParam, limit: LimitParam = DEFAULT_LIMIT, cursor: CursorParam = None
    ) -> Page[AttachmentView]:
        query = ("attachments", caller.tenant, caller.user, str(limit))
        found, after = attachments.page(caller, limit=limit, after=cursors.position(cursor, *query))
        items = tuple(map(AttachmentView.with_addresses, found))
        return Page(items=items, next_cursor=cursors.cursor(after, *query))

    @api.get(
        "/v1/attachments/<attachment_id>",
        summary="Read a file: what it is, and where its content is",
        tags=["attachments"],
    )
    def read_attachment(caller: CallerParam, attachment_id: str) -> AttachmentView:
        found = attachments.find(caller, attachment_id)
        return AttachmentView.with_addresses(found, download_url=attachments.download_url(caller, found))

    @api.post(
        "/v1/attachments/<attachment_id>/complete",
        summary="Have an uploaded file checked; it is `ready` then",
        tags=["attachments"],
    )
    def complete_attachment(caller: CallerParam, attachment_id: str) -> AttachmentView:
        found = attachments.complete(caller, attachment_id)
        return AttachmentView.with_addresses(found, download_url=attachments.download_url(caller, found))

    @api.delete(
        "/v1/attachments/<attachment_id>",
        summary="Remove a file that no message was sent with",
        tags=["attachments"],
        status_code=204,
    )
    def delete_attachment(caller: CallerParam, attachment_id: str) -> None:
        attachments.delete(caller, attachment_id)
