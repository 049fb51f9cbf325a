"""The chat page as CloudFront would deliver it: built files with the template's headers, and its config."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from local.proxy.events import Request
from local.template.resources import PageDelivery

BUILT_PAGE = Path(__file__).resolve().parents[2] / "web" / "dist"
CONFIG_PATH = "/config.json"
INDEX = "index.html"
CACHE_FOREVER = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "no-cache"
HASHED_PREFIX = "/assets/"
"""Files under this path have a hash of their content in the name."""

_COMPRESSED = (".html", ".js", ".css", ".svg", ".json")

# No build writes names with a leading dot in a segment or with percent-encoding, so they are not served.
_FILE = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+")


class Page:
    """Serves the page from one folder, which may be built or rebuilt at any time.

    ``config`` returns the page's settings for a request.
    """

    def __init__(
        self, folder: Path, delivery: PageDelivery, config: Callable[[Request], Mapping[str, Any]]
    ) -> None:
        self._index = folder / INDEX
        self._files = StaticFiles(directory=folder, check_dir=False)
        self._delivery = delivery
        self._apis = [_glob(pattern) for pattern in delivery.api_patterns]
        self._config = config

    @property
    def is_built(self) -> bool:
        """Whether the folder holds a built page."""
        return self._index.is_file()

    async def respond(self, request: Request, scope: Scope) -> Response | None:
        """Return the response for a path of the page, or None when the path belongs to the API.

        When no page is built, ``/`` redirects to the API's documentation.
        """
        if request.method not in ("GET", "HEAD") or any(api.fullmatch(request.path) for api in self._apis):
            return None
        if request.path == CONFIG_PATH:
            return self._dressed(Response(json.dumps(self._config(request)), media_type="application/json"))
        if not self.is_built:
            return RedirectResponse("/docs") if request.path == "/" else None
        name = self._name(request)
        return await self._file(name, scope) if name else None

    def _name(self, request: Request) -> str | None:
        if request.path == "/":
            return INDEX
        if "." in request.path.rpartition("/")[2]:
            return request.path[1:] if _FILE.fullmatch(request.path) else None
        # A path of the page's client-side routing: browsers get the index, other clients get no page.
        return INDEX if "text/html" in request.single_headers.get("accept", "") else None

    async def _file(self, name: str, scope: Scope) -> Response | None:
        try:
            found = await self._files.get_response(name, scope)
        except HTTPException:
            return None
        if isinstance(found, FileResponse) and name.endswith(_COMPRESSED):
            found = _compressed(found, scope)
        return self._dressed(
            found, CACHE_FOREVER if f"/{name}".startswith(HASHED_PREFIX) else CACHE_REVALIDATE
        )

    def _dressed(self, response: Response, caching: str = CACHE_REVALIDATE) -> Response:
        response.headers.update({**self._delivery.headers, "cache-control": caching})
        return response


def _compressed(file: FileResponse, scope: Scope) -> Response:
    """Return the file as CloudFront delivers it to a browser that takes gzip."""
    file.headers["vary"] = "Accept-Encoding"
    accepted = dict(scope["headers"]).get(b"accept-encoding", b"")
    if scope["method"] != "GET" or file.status_code != 200 or b"gzip" not in accepted:
        return file
    body = gzip.compress(Path(file.path).read_bytes(), compresslevel=6, mtime=0)
    kept = {
        name: value for name, value in file.headers.items() if name not in ("content-length", "accept-ranges")
    }
    return Response(body, headers={**kept, "content-encoding": "gzip"})


def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."))
