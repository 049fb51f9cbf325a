"""The routes that need no token: the health check, and the API's description as JSON and as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aws_lambda_powertools.event_handler import Response

from edge.http.resolver import JSON, PUBLIC, HttpApi, PathPrefixParam
from edge.views.base import ServiceHealth

_DESCRIPTION = Path(__file__).with_name("openapi.json")


def openapi_document(prefix: str) -> dict[str, Any]:
    """The OpenAPI description of the whole API, served below a path prefix such as ``/dev`` (empty: none)."""
    description: dict[str, Any] = json.loads(_DESCRIPTION.read_text())
    return {**description, "servers": [{"url": prefix or "/"}]}


def docs_page(prefix: str) -> str:
    """A self-contained page of Swagger UI with the description; it loads nothing else."""
    from aws_lambda_powertools.event_handler.openapi import swagger_ui

    assets = Path(swagger_ui.__file__).parent
    return swagger_ui.generate_swagger_html(
        # A "</script>" in the description would end the script of the page.
        spec=json.dumps(openapi_document(prefix)).replace("</", "<\\/"),
        swagger_js=(assets / "swagger-ui-bundle.min.js").read_text(),
        swagger_css=(assets / "swagger-ui.min.css").read_text(),
        swagger_base_url="",
        oauth2_config=None,
    )


def register_routes(api: HttpApi) -> None:
    """Registers the routes with the API."""

    @api.get("/health", summary="Whether the service answers", tags=["service"], openapi_extensions=PUBLIC)
    def health() -> ServiceHealth:
        return ServiceHealth(status="ok")

    @api.get("/openapi.json", summary="This description", tags=["service"], openapi_extensions=PUBLIC)
    def describe(prefix: PathPrefixParam) -> Response[dict[str, Any]]:
        return Response(200, JSON, openapi_document(prefix))

    @api.get("/docs", summary="This description as a page", tags=["service"], include_in_schema=False)
    def show_docs(prefix: PathPrefixParam) -> Response[str]:
        return Response(200, "text/html; charset=utf-8", docs_page(prefix))
