"""Which addresses of the network may be spoken to: public ones, and this machine where that is allowed.

Whoever gives us a URL may be after what only we can reach: metadata services, the inside of a network, this
machine. Written against the registries of special addresses, not against Python's `ipaddress`, whose view of
them differs between versions.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

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
        "2002::/16",  # 6to4: as well
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)


def is_public(address: Address) -> bool:
    """Whether the address belongs to the public internet; an IPv4 address inside an IPv6 one is judged by
    itself where it is mapped, and refused in every other form.
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


def literal(host: str) -> Address | None:
    """The address that a host is, in its one usual spelling; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
