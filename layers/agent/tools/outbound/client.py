"""The HTTP client for servers whose address comes from a user or a model; SSRF-safe.

It speaks only https and only to public addresses. A name is resolved once and the connection goes to the
addresses that were checked, so a name that resolves differently a moment later (DNS rebinding) has no effect.
Redirects are checked like any other address. Responses are bounded in size and time. Nothing is retried.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from time import monotonic
from urllib.parse import urljoin

from resilience.deadlines import DeadlineExceeded, NoWorkerFree, WorkerThreads
from tools.outbound.connection import (
    OutboundRequest,
    OutboundResponse,
    ResponseLimits,
    TlsContext,
    read_certificate_expiry,
    send_request,
    system_tls_context,
)
from tools.outbound.urls import (
    Address,
    CheckedUrl,
    OutboundError,
    is_loopback,
    is_public,
    parse_address,
    parse_url,
    scheme_blocked_error,
    url_blocked_error,
)

DEFAULT_TIMEOUT_S = 5.0
MAX_BYTES = 1_000_000
MAX_REDIRECTS = 3

_LOOKUPS = WorkerThreads(32)
"""Threads for name look-ups: the system resolver has no timeout, so a look-up that hangs is abandoned."""

Resolver = Callable[[str, int], Sequence[str]]
"""Resolves a host and port to addresses as text."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_METHOD_PRESERVING = frozenset({307, 308})
_FORWARDED_HEADERS = frozenset({"accept", "content-type", "user-agent"})
"""Headers that are sent on after a redirect to another server; keys and signatures are not."""


def resolve_name(host: str, port: int) -> Sequence[str]:
    """Resolves the host with the system resolver; each address once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class OutboundClient:
    """Sends requests to other servers; safe to use from several threads.

    ``allow_loopback`` is for the local twin: it also allows this machine, and plain http to it alone.
    """

    def __init__(
        self, *, allow_loopback: bool, resolve: Resolver = resolve_name, tls: TlsContext = system_tls_context
    ) -> None:
        self._allow_loopback = allow_loopback
        self._resolve = resolve
        self._tls = tls

    def check_url(self, url: str) -> None:
        """Checks that the URL may be requested now; each request checks again.

        Raises:
            OutboundError: url_blocked, scheme_blocked, timeout, or unreachable for an unknown name.
        """
        self.resolve_addresses(parse_url(url))

    def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        max_bytes: int = MAX_BYTES,
        hosts: Collection[str] | None = None,
        cuts: bool = False,
    ) -> OutboundResponse:
        """Sends a GET. ``hosts`` limits the hosts to contact, redirects included; None: any host. With
        ``cuts``, a body that is too large is cut.

        Raises:
            OutboundError: as its codes say.
        """
        bounds = ResponseLimits(max_bytes, monotonic() + timeout_s, cuts)
        return self._follow(url, OutboundRequest("GET", headers or {}, None), bounds, hosts)

    def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        max_bytes: int = MAX_BYTES,
        hosts: Collection[str] | None = None,
    ) -> OutboundResponse:
        """Sends a POST. A redirect with status 307 or 308 repeats it with its body; any other becomes a GET.

        ``hosts`` limits the hosts to contact, redirects included; None: any host.

        Raises:
            OutboundError: as its codes say.
        """
        bounds = ResponseLimits(max_bytes, monotonic() + timeout_s)
        return self._follow(url, OutboundRequest("POST", headers or {}, body), bounds, hosts)

    def delete(
        self, url: str, headers: Mapping[str, str] | None = None, *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> OutboundResponse:
        """Sends a DELETE.

        Raises:
            OutboundError: as its codes say.
        """
        bounds = ResponseLimits(MAX_BYTES, monotonic() + timeout_s)
        return self._follow(url, OutboundRequest("DELETE", headers or {}, None), bounds, None)

    def certificate_expiry(self, url: str, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> datetime:
        """Returns when the certificate of the server expires, without a request to it.

        Raises:
            OutboundError: certificate_invalid when it is not valid now; scheme_blocked without https; else as
                its codes say.
        """
        place = parse_url(url)
        if place.scheme != "https":
            raise scheme_blocked_error()
        until = monotonic() + timeout_s
        addresses = self.resolve_addresses(place, timeout_s=timeout_s)
        return read_certificate_expiry(place, addresses, until, self._tls)

    def resolve_addresses(
        self, place: CheckedUrl, *, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> tuple[Address, ...]:
        """Returns the addresses to connect to. One forbidden address is enough to refuse the name.

        Raises:
            OutboundError: url_blocked, scheme_blocked, unreachable or timeout.
        """
        address = parse_address(place.host)
        if address is not None and not self._is_allowed(address):
            raise url_blocked_error()
        if place.scheme == "http" and not self._allow_loopback:
            raise scheme_blocked_error()
        found = (address,) if address is not None else self._resolved(place, timeout_s)
        if not all(map(self._is_allowed, found)):
            raise url_blocked_error()
        if place.scheme == "http" and not all(map(is_loopback, found)):
            raise scheme_blocked_error()
        return found

    def _is_allowed(self, address: Address) -> bool:
        return is_public(address) or (self._allow_loopback and is_loopback(address))

    def _resolved(self, place: CheckedUrl, timeout_s: float) -> tuple[Address, ...]:
        try:
            texts = _LOOKUPS.run(lambda: self._resolve(place.host, place.port), timeout_s)
            found = tuple(map(ip_address, texts))
        except DeadlineExceeded:
            raise OutboundError("timeout", "Nobody said in time what this address stands for.") from None
        except (OSError, ValueError, NoWorkerFree):
            found = ()
        if not found:
            raise OutboundError("unreachable", "Nothing is known under this address.")
        return found

    def _follow(
        self, url: str, request: OutboundRequest, bounds: ResponseLimits, hosts: Collection[str] | None
    ) -> OutboundResponse:
        for _ in range(MAX_REDIRECTS + 1):
            place = parse_url(url)
            if hosts is not None and place.host not in hosts:
                raise url_blocked_error()
            addresses = self.resolve_addresses(place, timeout_s=bounds.deadline - monotonic())
            answer = send_request(place, addresses, request, bounds, self._tls)
            if answer.status not in _REDIRECTS or "location" not in answer.headers:
                return answer._replace(method=request.method)
            url = urljoin(url, answer.headers["location"])
            request = _redirected(request, answer.status, place, parse_url(url))
        raise OutboundError("unreachable", "The server redirects too often.")


def _redirected(
    request: OutboundRequest, status: int, place: CheckedUrl, target: CheckedUrl
) -> OutboundRequest:
    if place.scheme == "https" and target.scheme != "https":
        raise OutboundError("scheme_blocked", "The server redirects to an address that is not https.")
    if status not in _METHOD_PRESERVING:
        request = OutboundRequest("GET", request.headers, None)
    if target.origin == place.origin:
        return request
    headers = {name: value for name, value in request.headers.items() if name.lower() in _FORWARDED_HEADERS}
    return request._replace(headers=headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """The settings tools need, besides the table."""

    outbound: OutboundClient
    search_url: str
    search_key: Callable[[], str | None]
    """Returns the key of the web search; when it returns None, no web search is offered."""
    delivery_hosts: tuple[str, ...] = ()
    """Where every tenant may send results that decides nothing itself; ``*``: anywhere."""
    public_url: str | None = None
    """Where browsers reach the page and the API; None: unknown, so nobody can sign in to a skill's server."""
