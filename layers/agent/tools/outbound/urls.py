"""Strict URL parsing: a URL passes only if no other parser can read a different host from it."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from tools.errors import ToolError

Address = IPv4Address | IPv6Address

_CLOSED_V4 = tuple(
    IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared between a provider's customers
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's host
        "169.254.0.0/16",  # link-local: the metadata of AWS, Google and Azure
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",  # multicast, reserved, broadcast
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    IPv6Network(text)
    for text in (
        "2001::/23",  # Teredo among others, which carries an IPv4 address
        "2001:db8::/32",
        "2002::/16",  # 6to4: carries an IPv4 address as well
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)


def is_public(address: Address) -> bool:
    """Whether the address belongs to the public internet.

    An IPv4-mapped IPv6 address is judged by its IPv4 address; IPv4 addresses embedded in any other form are
    refused.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_V4)
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    return address in _GLOBAL_V6 and not any(address in network for network in _CLOSED_V6)


def is_loopback(address: Address) -> bool:
    """Whether the address is this machine."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def parse_address(host: str) -> Address | None:
    """Returns the address when the host is one in its usual spelling; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


MAX_URL_CHARACTERS = 2_048
_PORTS = {"https": 443, "http": 80}
_LAST_PRIVILEGED_PORT = 1_023
_URL = re.compile(r"[!-\[\]-~]+")
"""Visible ASCII without the backslash, which some parsers read as a slash."""
_NAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?"
)
_NUMBER = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")


class OutboundError(ToolError):
    """A request got no usable response: the address is not allowed, or the server failed.

    ``code`` is url_blocked or scheme_blocked (never worth a retry), too_large, timeout, unreachable, or
    certificate_invalid when only the certificate was asked for.
    """


class CheckedUrl(NamedTuple):
    """A parsed URL. ``host`` is a name or an address without brackets, ``target`` the path with its query."""

    scheme: str
    host: str
    port: int
    path_and_query: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: two URLs of one server share them."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port in the form of a ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def parse_url(url: str) -> CheckedUrl:
    """Parses the URL; its fragment is dropped.

    Raises:
        OutboundError: scheme_blocked for anything but http and https; url_blocked for a URL that has a user
            or password, or that two programs could read differently.
    """
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        raise url_blocked_error() from None
    if scheme not in _PORTS:
        raise scheme_blocked_error()
    if len(url) > MAX_URL_CHARACTERS or not _URL.fullmatch(url) or "@" in parts.netloc or not host:
        raise url_blocked_error()
    port = _PORTS[scheme] if port is None else port
    if not _is_host(host):
        raise url_blocked_error()
    if not _is_port(port):
        raise url_blocked_error() if scheme == "https" else scheme_blocked_error()
    path = parts.path or "/"
    return CheckedUrl(scheme, host.rstrip("."), port, f"{path}?{parts.query}" if parts.query else path)


def url_blocked_error() -> OutboundError:
    """Returns the error for a forbidden address; it doesn't reveal what the name resolved to."""
    return OutboundError("url_blocked", "This address is not allowed.")


def scheme_blocked_error() -> OutboundError:
    """Returns the error for a scheme other than https."""
    return OutboundError("scheme_blocked", "Only https addresses are allowed.")


def _is_host(host: str) -> bool:
    if ":" in host:
        return parse_address(host) is not None and "%" not in host
    if not _NAME.fullmatch(host):
        return False
    # Resolvers read 127.1, 0x7f.1 and 2130706433 as addresses: only the usual spelling is accepted.
    return parse_address(host) is not None or not _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2])


def _is_port(port: int) -> bool:
    return port in _PORTS.values() or port > _LAST_PRIVILEGED_PORT
