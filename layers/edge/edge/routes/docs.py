"""The routes that need no token: the health check, and the API's description as JSON and as a page."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends

from edge.http.parameters import best_weight
from edge.http.problems import Problem
from edge.http.resolver import JSON, PUBLIC, HttpApi, PathPrefixParam
from edge.routes import docs_page
from edge.routes.docs_page import PageFile
from edge.views.base import ServiceHealth

_DESCRIPTION = Path(__file__).with_name("openapi.json")


def openapi_document(prefix: str) -> dict[str, Any]:
    """The OpenAPI description of the whole API, served below a path prefix such as ``/dev`` (empty: none)."""
    description: dict[str, Any] = json.loads(_DESCRIPTION.read_text())
    return {**description, "servers": [{"url": prefix or "/"}]}


class KnownCopy(NamedTuple):
    """What a client has and takes of a file."""

    etags: frozenset[str]
    takes_gzip: bool


def known_copy(request: Request) -> KnownCopy:
    """What the request's headers say of the client's copy and of encodings."""
    headers = request.resolved_event.headers
    etags = frozenset(each.strip() for each in headers.get("if-none-match", "").split(","))
    return KnownCopy(etags, best_weight(headers.get("accept-encoding", ""), ("gzip",)) > 0)


KnownCopyParam = Annotated[KnownCopy, Depends(known_copy)]


def file_response(file: PageFile, caching: str, copy: KnownCopy) -> Response[bytes]:
    """The file, compressed for a client that takes that; 304 for one that has it already."""
    headers = {**docs_page.HEADERS, "Cache-Control": caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if file.etag in copy.etags:
        return Response(HTTPStatus.NOT_MODIFIED, file.media_type, b"", headers)
    if copy.takes_gzip:
        return Response(HTTPStatus.OK, file.media_type, file.gzipped, {**headers, "Content-Encoding": "gzip"})
    return Response(HTTPStatus.OK, file.media_type, file.content, headers)


def register_routes(api: HttpApi, *, docs: bool) -> None:
    """Registers the routes with the API; those of the page only with ``docs``."""

    @api.get("/health", summary="Whether the service answers", tags=["service"], openapi_extensions=PUBLIC)
    def health() -> ServiceHealth:
        return ServiceHealth(status="ok")

    @api.get("/openapi.json", summary="This description", tags=["service"], openapi_extensions=PUBLIC)
    def describe(prefix: PathPrefixParam) -> Response[dict[str, Any]]:
        return Response(200, JSON, openapi_document(prefix))

    if not docs:
        return

    @api.get("/docs", summary="This description as a page", tags=["service"], include_in_schema=False)
    def show_docs(copy: KnownCopyParam) -> Response[bytes]:
        return file_response(docs_page.page(), docs_page.CACHE_REVALIDATE, copy)

    @api.get("/docs/<asset>", summary="A file of that page", tags=["service"], include_in_schema=False)
    def send_asset(asset: str, copy: KnownCopyParam) -> Response[bytes]:
        file = docs_page.assets().get(asset)
        if file is None:
            raise Problem("route_not_found")
        return file_response(file, docs_page.CACHE_FOREVER, copy)
