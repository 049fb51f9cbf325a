"""One HTTP exchange with a server at checked addresses, bounded in size and time.

`tools.outbound.client` decides which addresses are allowed and follows redirects.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from tools.outbound.urls import Address, CheckedUrl, OutboundError

TlsContext = Callable[[], ssl.SSLContext]

_CHUNK = 65_536
_OVERHEAD_BYTES = 131_072
"""The bytes allowed for headers and body framing on top of the body."""
_GZIP_OR_ZLIB = 47
_COMPRESSED = frozenset({"gzip", "x-gzip", "deflate"})


class OutboundRequest(NamedTuple):
    """A request. Header names are case-insensitive; ``body`` None: no body."""

    method: str
    headers: Mapping[str, str]
    body: bytes | None


class ResponseLimits(NamedTuple):
    """The limits of an exchange: bytes of the decompressed body, and the deadline (`time.monotonic`)."""

    max_bytes: int
    deadline: float
    cuts: bool = False
    """Whether a body that is too large is cut instead of refused."""


class OutboundResponse(NamedTuple):
    """The server's response, with any status. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    method: str = ""
    """The method that was answered: a redirect may have turned a POST into a GET without the body."""


@cache
def system_tls_context() -> ssl.SSLContext:
    """Returns a TLS context with the machine's CA certificates. Cached: loading takes 20 ms."""
    return ssl.create_default_context()


def send_request(
    place: CheckedUrl,
    addresses: Sequence[Address],
    request: OutboundRequest,
    bounds: ResponseLimits,
    tls: TlsContext,
) -> OutboundResponse:
    """Sends the request to the first address that accepts a connection and returns the response.

    Raises:
        OutboundError: timeout, too_large, or unreachable for any other failure.
    """
    try:
        with closing(_connected(place, addresses, bounds.deadline, tls)) as wire:
            return _answer(_sent(place, request, _DeadlineSocket(wire, bounds)), bounds)
    except TimeoutError:
        raise OutboundError("timeout", "The server took too long.") from None
    except (OSError, http.client.HTTPException, zlib.error):
        raise OutboundError("unreachable", "The server can't be reached or doesn't speak HTTP.") from None
    except ValueError:
        raise OutboundError("unreachable", "The request has a header that can't be sent.") from None


def read_certificate_expiry(
    place: CheckedUrl, addresses: Sequence[Address], until: float, tls: TlsContext
) -> datetime:
    """Returns when the certificate of the first address that accepts a connection expires.

    Raises:
        OutboundError: certificate_invalid, timeout or unreachable.
    """
    try:
        with closing(_connected(place, addresses, until, tls)) as wire:
            certificate = wire.getpeercert() if isinstance(wire, ssl.SSLSocket) else None
    except ssl.SSLCertVerificationError:
        raise OutboundError("certificate_invalid", "The server's certificate is not valid.") from None
    except TimeoutError:
        raise OutboundError("timeout", "The server took too long.") from None
    except OSError:
        raise OutboundError("unreachable", "The server can't be reached or doesn't speak TLS.") from None
    expiry = (certificate or {}).get("notAfter")
    if not isinstance(expiry, str):
        raise OutboundError("certificate_invalid", "The server's certificate names no end.")
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(expiry), UTC)


def _connected(
    place: CheckedUrl, addresses: Sequence[Address], until: float, tls: TlsContext
) -> socket.socket:
    for left in range(len(addresses), 0, -1):
        address = str(addresses[-left])
        try:
            plain = socket.create_connection((address, place.port), timeout=_remaining(until) / left)
        except OSError:
            if left == 1:
                raise
            continue
        return plain if place.scheme == "http" else _secured(plain, place, until, tls)
    raise OSError


def _secured(plain: socket.socket, place: CheckedUrl, until: float, tls: TlsContext) -> socket.socket:
    plain.settimeout(_remaining(until))
    try:
        # The certificate must match the name, not the address.
        return tls().wrap_socket(plain, server_hostname=place.host)
    except BaseException:  # raised again: no socket stays open
        plain.close()
        raise


def _sent(place: CheckedUrl, request: OutboundRequest, wire: _DeadlineSocket) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(place.host, place.port)
    connection.sock = wire  # implements the part of a socket that is used
    connection.putrequest(request.method, place.path_and_query, skip_host=True, skip_accept_encoding=True)
    body = request.body
    framing = {} if body is None else {"Content-Length": str(len(body))}
    ours = {"Host": place.authority, "Accept-Encoding": "identity", "Connection": "close", **framing}
    taken = {name.lower() for name in ours}
    theirs = {name: value for name, value in request.headers.items() if name.lower() not in taken}
    for name, value in {**ours, **theirs}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    return connection.getresponse()


def _answer(response: http.client.HTTPResponse, bounds: ResponseLimits) -> OutboundResponse:
    max_bytes = bounds.max_bytes
    headers = {name.lower(): value for name, value in response.getheaders()}
    packed = headers.get("content-encoding", "identity").strip().lower()
    if packed not in _COMPRESSED | {"identity", ""}:
        raise OutboundError("unreachable", "The server's answer is compressed in an unknown way.")
    unpack = zlib.decompressobj(_GZIP_OR_ZLIB) if packed in _COMPRESSED else None
    body = bytearray()
    while chunk := response.read(_CHUNK):
        # A few bytes can unpack to gigabytes: unpack at most one byte more than allowed.
        body += chunk if unpack is None else unpack.decompress(chunk, max_bytes + 1 - len(body))
        if len(body) > max_bytes and bounds.cuts:
            break
        if len(body) > max_bytes:
            raise too_large_error(max_bytes)
    return OutboundResponse(response.status, headers, bytes(body[:max_bytes]))


def too_large_error(max_bytes: int) -> OutboundError:
    """Returns the error for a response that is longer than allowed."""
    return OutboundError("too_large", f"The server's answer is larger than {max_bytes} bytes.")


def _remaining(until: float) -> float:
    seconds = until - monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _DeadlineSocket:
    """A socket with one deadline for all its waits, so that a server which drips bytes can't extend it."""

    def __init__(self, wire: socket.socket, bounds: ResponseLimits) -> None:
        self._wire = wire
        self._bounds = bounds

    def sendall(self, data: Any) -> None:
        self._wire.settimeout(_remaining(self._bounds.deadline))
        self._wire.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_BoundedReader(self._wire, self._bounds))

    def close(self) -> None:
        """Does nothing: `send_request` closes the connection."""


class _BoundedReader(io.RawIOBase):
    """The incoming bytes, counted against the size limit."""

    def __init__(self, wire: socket.socket, bounds: ResponseLimits) -> None:
        self._wire = wire
        self._bounds = bounds
        self._received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._wire.settimeout(_remaining(self._bounds.deadline))
        count = self._wire.recv_into(buffer)
        self._received += count
        if self._received > self._bounds.max_bytes + _OVERHEAD_BYTES:
            raise too_large_error(self._bounds.max_bytes)
        return count
