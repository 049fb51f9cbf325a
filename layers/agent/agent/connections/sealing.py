"""Seals texts for the table: AES-256-GCM under a key of the tenant's, which is kept with its secrets.

A sealed text opens at its own place only: one that was copied to another item, user or tenant does not.
Only the packages of `agent_runs`, `mcp`, `chat` and `workspace` contain `cryptography`.
"""

from __future__ import annotations

import secrets as randomness
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Protocol

from storage.keys import TenantId
from storage.table import Key
from tools.errors import ToolError

KEY_NAME = "connections-key"
_KEY_BYTES, _NONCE_BYTES = 32, 12


class OwnSecrets(Protocol):
    """The secrets that we keep for tenants."""

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        """The secret, made when there is none; None when it can't be read or made now."""


class Sealer:
    """Seals and opens texts of tenants."""

    def __init__(self, secrets: OwnSecrets, *, key_name: str = KEY_NAME) -> None:
        """``key_name``: under which of the tenant's keys; what one seals, no other opens."""
        self._secrets = secrets
        self._key_name = key_name

    def seal(self, tenant: TenantId, place: Key, text: str) -> str:
        """Returns the text sealed for one item.

        Raises:
            ToolError: unavailable; the tenant's key can't be read.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = randomness.token_bytes(_NONCE_BYTES)
        sealed = AESGCM(self._key(tenant)).encrypt(nonce, text.encode(), _bound_to(place))
        return b64encode(nonce + sealed).decode()

    def open(self, tenant: TenantId, place: Key, sealed: str) -> str | None:
        """Returns the text of an item; None when it was not sealed for it under the tenant's present key.

        Raises:
            ToolError: unavailable; the tenant's key can't be read.
        """
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        data = b64decode(sealed)
        key = AESGCM(self._key(tenant))
        try:
            return key.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], _bound_to(place)).decode()
        except InvalidTag:
            return None

    def _key(self, tenant: TenantId) -> bytes:
        stored = self._secrets.get_own(tenant, self._key_name, _new_key)
        key = b64decode(stored or "")
        if len(key) != _KEY_BYTES:
            raise ToolError("unavailable", "The key of your workspace's connections can't be read now.")
        return key


def _new_key() -> str:
    return b64encode(randomness.token_bytes(_KEY_BYTES)).decode()


def _bound_to(place: Key) -> bytes:
    return f"{place.partition}|{place.sort}".encode()
