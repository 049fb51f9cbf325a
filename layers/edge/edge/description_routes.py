"""The routes that need no token: whether the service answers, and what the API says of itself."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response

from edge import documents
from edge.api import JSON, PUBLIC, Api, PathPrefix
from edge.views import ServiceHealth


def add_to(api: Api) -> None:
    """Have the API answer them."""

    @api.get("/health", summary="Whether the service answers", tags=["service"], openapi_extensions=PUBLIC)
    def health() -> ServiceHealth:
        return ServiceHealth(status="ok")

    @api.get("/openapi.json", summary="This description", tags=["service"], openapi_extensions=PUBLIC)
    def describe(prefix: PathPrefix) -> Response[dict[str, Any]]:
        return Response(200, JSON, documents.openapi(prefix))

    @api.get("/docs", summary="This description as a page", tags=["service"], include_in_schema=False)
    def show_docs(prefix: PathPrefix) -> Response[str]:
        return Response(200, "text/html; charset=utf-8", documents.page(prefix))
