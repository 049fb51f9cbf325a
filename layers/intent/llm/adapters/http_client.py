"""Posts JSON to model servers: reused connections, verified TLS, bounded time and size.

Follows no redirects, uses no proxies and tries nothing twice; `llm.completion` decides about retries.
Errors hold no address, header or body.
"""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import urllib3
from botocore.httpsession import get_cert_path
from urllib3 import BaseHTTPResponse

from llm.adapters.adapter import StreamLink
from llm.errors import (
    ModelOutputInvalid,
    ModelTimeout,
    ModelUnavailable,
    TransientModelError,
    error_of_status,
    parse_retry_after,
)
from resilience.trace_context import trace_headers

MAX_RESPONSE_BYTES = 16_000_000
"""Above the longest answer of any model, its events included."""
MAX_ERROR_BYTES = 65_536
_AT_ONCE = 65_536
_HEADERS = {
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",  # a compressed answer could be bounded only after it was unpacked
    "User-Agent": "omniforge",
}


class HttpClient:
    """Keeps up to ``max_connections`` idle connections per server. Thread-safe."""

    def __init__(self, *, max_connections: int) -> None:
        self._max_connections = max_connections
        self._pools: dict[str, urllib3.PoolManager] = {}

    def prepare_tls(self) -> None:
        """Load the machine's certificates now, which takes 20 ms."""
        self._pool("https")

    def close_connections(self) -> None:
        """Close the idle connections; certificates stay loaded."""
        for pool in self._pools.values():
            pool.clear()

    def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        *,
        timeout_s: float,
        total_s: float,
    ) -> Any:
        """Return the JSON value of the answer.

        Raises:
            ModelUnavailable: there is none; carries the reason.
        """
        until = time.monotonic() + total_s
        response = self._open(url, body, headers, timeout_s)
        with _released(response):
            text = b"".join(_read(response, timeout_s, until))
        try:
            return json.loads(text)
        except ValueError:
            raise ModelOutputInvalid from None

    def stream(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        link: StreamLink,
        *,
        timeout_s: float,
        total_s: float,
    ) -> Generator[bytes, None, None]:
        """Yield the answer's body as it arrives. Closing the generator hangs up.

        Raises:
            ModelUnavailable: it broke off, or never began; carries the reason.
        """
        until = time.monotonic() + total_s
        response = self._open(url, body, headers, timeout_s)
        link.attach(lambda: _hang_up(response))
        try:
            with _released(response):
                try:
                    yield from _read(response, timeout_s, until)
                finally:
                    link.detach()  # before the connection goes back and may serve another call
        finally:
            link.detach()

    def _open(self, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float) -> BaseHTTPResponse:
        with _as_failure():
            response = self._pool(urlsplit(url).scheme).request(
                "POST",
                url,
                body=body,
                headers={**_HEADERS, **trace_headers(), **headers},
                timeout=urllib3.Timeout(connect=timeout_s, read=timeout_s),
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
        if response.status != 200:
            raise _refusal(response)
        return response

    def _pool(self, scheme: str) -> urllib3.PoolManager:
        # Two threads may make one each at the same time; the later one stays.
        if scheme not in self._pools:
            self._pools[scheme] = urllib3.PoolManager(
                num_pools=8,
                maxsize=self._max_connections,
                retries=False,
                # Made for TLS only: reading the machine's certificates takes 20 ms.
                ssl_context=_tls_context() if scheme == "https" else None,
            )
        return self._pools[scheme]


def _tls_context() -> ssl.SSLContext:
    """Return a context that verifies servers, by botocore's certificates where the machine has none."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        context.load_verify_locations(get_cert_path(True))
    return context


def encode_json(body: Mapping[str, Any]) -> bytes:
    """Return the body as it is sent."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _read(response: BaseHTTPResponse, timeout_s: float, until: float) -> Iterator[bytes]:
    """Yields what arrives; a server that sends a byte now and then is given up in time, too."""
    size = 0
    while True:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise ModelTimeout
        with _as_failure():
            if (wire := _socket(response)) is not None:
                wire.settimeout(min(left_s, timeout_s))
            data = response.read1(_AT_ONCE)
        if not data:
            return
        size += len(data)
        if size > MAX_RESPONSE_BYTES:
            raise ModelOutputInvalid
        yield data


@contextmanager
def _released(response: BaseHTTPResponse) -> Iterator[None]:
    """Gives the connection back when the body was read to its end; else it is closed."""
    try:
        yield
    except BaseException:
        response.close()
        raise
    response.release_conn()


def _refusal(response: BaseHTTPResponse) -> ModelUnavailable:
    failure = error_of_status(response.status, parse_retry_after(response.headers.get("Retry-After")))
    failure.cause_name = f"HTTP {response.status}"
    # Its body is not looked at, but read, so that the connection can be used again.
    with suppress(urllib3.exceptions.HTTPError, OSError, ValueError):
        if int(response.headers.get("Content-Length", MAX_ERROR_BYTES + 1)) <= MAX_ERROR_BYTES:
            response.read()
            response.release_conn()
            return failure
    response.close()
    return failure


@contextmanager
def _as_failure() -> Iterator[None]:
    """Converts exceptions of the transport to our own errors, which quote nothing."""
    try:
        yield
    except urllib3.exceptions.NewConnectionError as error:  # in urllib3 a kind of timeout
        raise _named(TransientModelError("unreachable", was_sent=False), error) from None
    except (urllib3.exceptions.TimeoutError, TimeoutError) as error:
        raise _named(ModelTimeout(), error) from None
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise _named(TransientModelError("unreachable"), error) from None


def _named(failure: ModelUnavailable, error: Exception) -> ModelUnavailable:
    failure.cause_name = type(error).__name__
    return failure


def _socket(response: BaseHTTPResponse) -> socket.socket | None:
    return getattr(response.connection, "sock", None)


def _hang_up(response: BaseHTTPResponse) -> None:
    """Wakes the thread that reads, which then closes the connection."""
    if (wire := _socket(response)) is not None:
        with suppress(OSError):
            wire.shutdown(socket.SHUT_RDWR)
