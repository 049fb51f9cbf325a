"""URLs taken apart, so strictly that nobody after us can read another host into one."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from tools.addresses import literal
from tools.errors import ToolError

MAX_URL_CHARACTERS = 2_048
_PORTS = {"https": 443, "http": 80}
_LAST_PRIVILEGED_PORT = 1_023
_URL = re.compile(r"[!-\[\]-~]+")
"""Visible ASCII without the backslash, which some read as a slash."""
_NAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?"
)
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")


class OutboundRefused(ToolError):
    """Nothing came back: the address is not one to speak to, or the other side did not behave.

    ``code`` is url_blocked or scheme_blocked (never worth another try), too_large, timeout or unreachable.
    """


class Destination(NamedTuple):
    """Where a URL leads: ``host`` is a name or a literal address without brackets, ``target`` the path with
    its query.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """What two URLs of one server share."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port as a ``Host`` header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def destination(url: str) -> Destination:
    """Where the URL leads, its fragment dropped.

    Raises:
        OutboundRefused: scheme_blocked for anything but http and https; url_blocked for a URL that has a user
            or password, or that two programs could read in two ways.
    """
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        raise blocked() from None
    if scheme not in _PORTS:
        raise not_https()
    if len(url) > MAX_URL_CHARACTERS or not _URL.fullmatch(url) or "@" in parts.netloc or not host:
        raise blocked()
    port = _PORTS[scheme] if port is None else port
    if not _is_host(host):
        raise blocked()
    if not _is_port(port):
        raise blocked() if scheme == "https" else not_https()
    path = parts.path or "/"
    return Destination(scheme, host.rstrip("."), port, f"{path}?{parts.query}" if parts.query else path)


def blocked() -> OutboundRefused:
    """The refusal of an address; it doesn't say what it resolved to."""
    return OutboundRefused("url_blocked", "This address is not allowed.")


def not_https() -> OutboundRefused:
    """The refusal of any other way than https."""
    return OutboundRefused("scheme_blocked", "Only https addresses are allowed.")


def _is_host(host: str) -> bool:
    if ":" in host:
        return literal(host) is not None and "%" not in host
    if not _NAME.fullmatch(host):
        return False
    # 127.1, 0x7f.1 and 2130706433 are addresses to a resolver: only the usual spelling is taken.
    return literal(host) is not None or not _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2])


def _is_port(port: int) -> bool:
    return port in _PORTS.values() or port > _LAST_PRIVILEGED_PORT
