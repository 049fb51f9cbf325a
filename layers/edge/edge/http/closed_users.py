"""The users that no service may act for now, as the authorizer tells functions of them.

A user in erasure gets no policy of their own. A service's token names another user, so its context has to say
which users its header `X-OmniForge-User` must not name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from conversation.identity import short_hash

MAX_LISTED = 200
"""The gateway takes 8 KB of context. With more users in erasure at once, a service may act for nobody."""

_NAME = "closed_users"
_EVERYBODY = "*"


def closed_users_context(in_erasure: Collection[str]) -> dict[str, str]:
    """The part of an authorizer's context that lists the users, as hashes; empty when there are none."""
    if not in_erasure:
        return {}
    listed = " ".join(sorted(short_hash(user) for user in in_erasure))
    return {_NAME: listed if len(in_erasure) <= MAX_LISTED else _EVERYBODY}


def is_closed(context: Mapping[str, Any], user: str) -> bool:
    """Whether the context of the authorizer forbids to act for the user."""
    listed = str(context.get(_NAME, ""))
    return listed == _EVERYBODY or short_hash(user) in listed.split()
