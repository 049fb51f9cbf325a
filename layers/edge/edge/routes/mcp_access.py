"""How MCP clients find where to sign in, and which pages may send them.

Source: RFC 9728 (metadata of a protected resource) and MCP's specification, "Authorization" and "Transports".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlsplit

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends
from pydantic import BaseModel

from edge.http.problems import Problem
from edge.http.resolver import HttpApi, json_response

MCP_PATH = "/mcp"
METADATA_PATH = "/.well-known/oauth-protected-resource"
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


class ResourceMetadata(BaseModel):
    """What a client has to know of a resource to get a token for it; the names are those of RFC 9728."""

    resource: str
    authorization_servers: tuple[str, ...]
    scopes_supported: tuple[str, ...]
    bearer_methods_supported: tuple[str, ...] = ("header",)
    resource_name: str = "OmniForge"


def register_metadata(
    api: HttpApi, *, public_url: str | None, servers: Sequence[str], scopes: Sequence[str]
) -> None:
    """Add the routes that tell where to get a token: for the MCP server, and for the API as a whole.

    Without a public address or a server to sign in at they answer 404.
    """

    def described(path: str) -> Response[Any]:
        if public_url is None or not servers:
            raise Problem("route_not_found")
        metadata = ResourceMetadata(
            resource=public_url + path, authorization_servers=tuple(servers), scopes_supported=tuple(scopes)
        )
        # Public, and the same for all: a client of any page may read it.
        return json_response(metadata, headers={"Cache-Control": "max-age=3600"})

    @api.get(METADATA_PATH, summary="Where to get a token for the API", include_in_schema=False)
    def describe_api() -> Response[Any]:
        return described("")

    @api.get(METADATA_PATH + MCP_PATH, summary="Where to get a token for MCP", include_in_schema=False)
    def describe_mcp() -> Response[Any]:
        return described(MCP_PATH)


def sent_origin(request: Request) -> str | None:
    """The origin of the page that sent the request; None: no page did."""
    return request.resolved_event.headers.get("origin") or None


def sent_host(request: Request) -> str:
    """The host that the request was sent to, as the client names it."""
    return request.resolved_event.headers.get("host") or ""


OriginParam = Annotated[str | None, Depends(sent_origin)]
HostParam = Annotated[str, Depends(sent_host)]


def require_known_origin(
    origin: str | None, host: str, *, allowed: Sequence[str], public_url: str | None
) -> None:
    """Refuses a message that a foreign page sent.

    Where any origin is allowed, a page may still not claim to be of the host that it calls unless that is our
    own address: so a name that was rebound to this machine gains nothing.

    Raises:
        Problem: origin_not_allowed.
    """
    if origin is None or origin in allowed or origin == public_url:
        return
    if "*" in allowed and urlsplit(origin).netloc.lower() != host.lower():
        return
    if not _is_other_name_of(origin, public_url):
        raise Problem("origin_not_allowed", "The page that sent this may not use the API.")


def _is_other_name_of(origin: str, public_url: str | None) -> bool:
    """Whether the origin is our own on this machine, by its other name."""
    asked, own = urlsplit(origin), urlsplit(public_url or "")
    return {asked.hostname, own.hostname} <= _LOOPBACK and _port(origin) == _port(public_url or "")


def _port(origin: str) -> str:
    return origin.rpartition(":")[2]
