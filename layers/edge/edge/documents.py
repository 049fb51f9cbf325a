"""What the API says of itself: its OpenAPI description, and a page to read and try it.

The description is made from the functions' routes by ``python -m local.openapi`` and committed, so that no
function has to know the others' routes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_DESCRIPTION = Path(__file__).with_name("openapi.json")


def openapi(prefix: str) -> dict[str, Any]:
    """The description of the whole API, served below a path prefix such as ``/dev`` (empty: none)."""
    description: dict[str, Any] = json.loads(_DESCRIPTION.read_text())
    return {**description, "servers": [{"url": prefix or "/"}]}


def page(prefix: str) -> str:
    """Swagger UI with the description, in one page that loads nothing from anywhere."""
    from aws_lambda_powertools.event_handler.openapi import swagger_ui

    assets = Path(swagger_ui.__file__).parent
    return swagger_ui.generate_swagger_html(
        # A "</script>" in the description would end the page's own.
        spec=json.dumps(openapi(prefix)).replace("</", "<\\/"),
        swagger_js=(assets / "swagger-ui-bundle.min.js").read_text(),
        swagger_css=(assets / "swagger-ui.min.css").read_text(),
        swagger_base_url="",
        oauth2_config=None,
    )
