"""The files of the page that shows the API's description: Swagger UI, as Powertools packages it.

The page is under the headers of the chat page, so its script and style are files of their own. Their names
hold a hash of their content. `edge.routes.docs` serves them.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""The headers that the template's `WebHeaders` has for the chat page, less the origin of files."""
CACHE_FOREVER = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"

_START = """\
SwaggerUIBundle({
  url: document.getElementById("swagger-ui").dataset.description,
  dom_id: "#swagger-ui",
  deepLinking: true,
  filter: true,
  layout: "BaseLayout",
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
});
"""
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>OmniForge API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/{style}">
</head>
<body>
<div id="swagger-ui" data-description="openapi.json">Loading ...</div>
<script src="docs/{library}"></script>
<script src="docs/{start}"></script>
</body>
</html>
"""


class PageFile(NamedTuple):
    """A file, ready to be sent."""

    media_type: str
    content: bytes
    gzipped: bytes
    etag: str
    """Weak, since it is the same for both forms of the content."""

    @classmethod
    def of(cls, media_type: str, content: bytes) -> PageFile:
        """The file with this content."""
        return cls(media_type, content, gzip.compress(content, mtime=0), f'W/"{_digest(content)}"')


@cache
def page() -> PageFile:
    """The page itself. Its addresses are relative, so it works below any prefix."""
    library, start, style = assets()
    text = _PAGE.format(library=library, start=start, style=style)
    return PageFile.of("text/html; charset=utf-8", text.encode())


@cache
def assets() -> Mapping[str, PageFile]:
    """The files that the page loads by name: the library, the script that starts it, the style."""
    from aws_lambda_powertools.event_handler.openapi import swagger_ui

    folder = Path(swagger_ui.__file__).parent
    script, style = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
    return dict(
        (
            _named("swagger-ui.{}.js", script, (folder / "swagger-ui-bundle.min.js").read_bytes()),
            _named("start.{}.js", script, _START.encode()),
            _named("swagger-ui.{}.css", style, (folder / "swagger-ui.min.css").read_bytes()),
        )
    )


def _named(pattern: str, media_type: str, content: bytes) -> tuple[str, PageFile]:
    return pattern.format(_digest(content)), PageFile.of(media_type, content)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
