"""One HTTP exchange with a server whose addresses were checked before: bounded in size and in time.

Which addresses are allowed is not decided here, and no redirect is followed.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from tools.outbound.urls import Address, Destination, OutboundRefused

TlsContext = Callable[[], ssl.SSLContext]

_CHUNK = 65_536
_OVERHEAD_BYTES = 131_072
"""What headers and the framing of a body may take besides."""
_GZIP_OR_ZLIB = 47
_COMPRESSED = frozenset({"gzip", "x-gzip", "deflate"})


class Request(NamedTuple):
    """What to send: names are matched without regard to case, a body of None is none."""

    method: str
    headers: Mapping[str, str]
    body: bytes | None


class Bounds(NamedTuple):
    """How much may come back, decompressed, and until when (`time.monotonic`)."""

    max_bytes: int
    until: float


class OutboundAnswer(NamedTuple):
    """What the other server said, whatever its status; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    method: str = ""
    """What was answered: a redirect may have made a GET of a POST, and its body got nowhere."""


@cache
def system_trust() -> ssl.SSLContext:
    """Servers are believed as the machine's certificates say. Loaded once: that takes 20 ms."""
    return ssl.create_default_context()


def exchange(
    place: Destination, addresses: Sequence[Address], request: Request, bounds: Bounds, tls: TlsContext
) -> OutboundAnswer:
    """The answer of the first address that can be connected to.

    Raises:
        OutboundRefused: timeout, too_large, or unreachable for whatever else comes between.
    """
    try:
        with closing(_connected(place, addresses, bounds.until, tls)) as wire:
            return _answer(_sent(place, request, _Timed(wire, bounds)), bounds.max_bytes)
    except TimeoutError:
        raise OutboundRefused("timeout", "The server took too long.") from None
    except (OSError, http.client.HTTPException, zlib.error):
        raise OutboundRefused("unreachable", "The server can't be reached or doesn't speak HTTP.") from None
    except ValueError:
        raise OutboundRefused("unreachable", "The request has a header that can't be sent.") from None


def _connected(
    place: Destination, addresses: Sequence[Address], until: float, tls: TlsContext
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


def _secured(plain: socket.socket, place: Destination, until: float, tls: TlsContext) -> socket.socket:
    plain.settimeout(_remaining(until))
    try:
        # The certificate has to be the name's, not the address's.
        return tls().wrap_socket(plain, server_hostname=place.host)
    except BaseException:
        plain.close()
        raise


def _sent(place: Destination, request: Request, wire: _Timed) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(place.host, place.port)
    connection.sock = wire  # as much of a socket as is used
    connection.putrequest(request.method, place.target, skip_host=True, skip_accept_encoding=True)
    body = request.body
    framing = {} if body is None else {"Content-Length": str(len(body))}
    ours = {"Host": place.authority, "Accept-Encoding": "identity", "Connection": "close", **framing}
    taken = {name.lower() for name in ours}
    theirs = {name: value for name, value in request.headers.items() if name.lower() not in taken}
    for name, value in {**ours, **theirs}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    return connection.getresponse()


def _answer(response: http.client.HTTPResponse, max_bytes: int) -> OutboundAnswer:
    headers = {name.lower(): value for name, value in response.getheaders()}
    packed = headers.get("content-encoding", "identity").strip().lower()
    if packed not in _COMPRESSED | {"identity", ""}:
        raise OutboundRefused("unreachable", "The server's answer is compressed in an unknown way.")
    unpack = zlib.decompressobj(_GZIP_OR_ZLIB) if packed in _COMPRESSED else None
    body = bytearray()
    while chunk := response.read(_CHUNK):
        # A few bytes can unpack to gigabytes: never more than one byte too many is unpacked.
        body += chunk if unpack is None else unpack.decompress(chunk, max_bytes + 1 - len(body))
        if len(body) > max_bytes:
            raise too_large(max_bytes)
    return OutboundAnswer(response.status, headers, bytes(body))


def too_large(max_bytes: int) -> OutboundRefused:
    """The refusal of an answer that is longer than allowed."""
    return OutboundRefused("too_large", f"The server's answer is larger than {max_bytes} bytes.")


def _remaining(until: float) -> float:
    seconds = until - monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


class _Timed:
    """A socket whose every wait counts towards one limit: a server that drips bytes gains nothing."""

    def __init__(self, wire: socket.socket, bounds: Bounds) -> None:
        self._wire = wire
        self._bounds = bounds

    def sendall(self, data: Any) -> None:
        self._wire.settimeout(_remaining(self._bounds.until))
        self._wire.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self._wire, self._bounds))

    def close(self) -> None:
        """Nothing: whoever connected closes."""


class _Incoming(io.RawIOBase):
    """What comes in, counted."""

    def __init__(self, wire: socket.socket, bounds: Bounds) -> None:
        self._wire = wire
        self._bounds = bounds
        self._received = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._wire.settimeout(_remaining(self._bounds.until))
        count = self._wire.recv_into(buffer)
        self._received += count
        if self._received > self._bounds.max_bytes + _OVERHEAD_BYTES:
            raise too_large(self._bounds.max_bytes)
        return count
