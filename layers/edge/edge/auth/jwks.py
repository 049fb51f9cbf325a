"""The signing keys of an issuer, fetched from its address and cached.

An unknown key id causes another fetch, because issuers rotate keys; but not often (see `REFETCH_AFTER_S`),
because anybody can make up a key id. Only the authorizer imports this module, like `edge.auth.tokens`.
"""

from __future__ import annotations

import logging
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from http.client import HTTPException
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from pydantic import BaseModel, ConfigDict

from conversation.clock import Clock
from resilience.deadlines import DeadlineExceeded, run_with_deadline

MAX_AGE_S = 3_600.0
REFETCH_AFTER_S = 30.0
"""The shortest time between two fetches, for an unknown key id as well as from a failing issuer."""
STALE_KEYS_MAX_AGE_S = 24 * 3_600.0
"""How long cached keys are used while the issuer can't be reached."""
TIMEOUT_S = 2.0
MAX_BYTES = 256 * 1024
RSA_BITS = range(2_048, 8_193)
"""The accepted key sizes: a shorter key can be broken; a longer one makes each check needlessly expensive."""
KEY_TYPES: Mapping[str, tuple[str, str | None]] = {"RS256": ("RSA", None), "ES256": ("EC", "P-256")}

LOG = logging.getLogger("omniforge.edge")

_UNREADABLE = (OSError, HTTPException, ValueError, DeadlineExceeded)
_PRIVATE = frozenset({"d", "k", "p", "q", "dp", "dq", "qi", "oth"})


class KeysUnavailable(Exception):
    """The issuer's keys can't be fetched now, and no usable ones are cached."""


class _Plain(urllib.request.HTTPRedirectHandler, urllib.request.HTTPDefaultErrorHandler):
    """Returns responses as they are, without redirects: only the setting decides where keys come from."""

    def redirect_request(self, *_args: Any) -> None:
        return None

    def http_error_default(self, _request: object, response: Any, *_args: Any) -> Any:
        # Raised, it would pass to another thread and keep its connection open until the next collection.
        return response


class KeySet:
    """The keys of one issuer. Thread-safe: one thread fetches, the others wait for it."""

    def __init__(self, url: str, *, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._opener = urllib.request.build_opener(_Plain)
        self._lock = threading.Lock()
        self._keys: dict[tuple[str, str], jwt.PyJWK] = {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")

    def find(self, key_id: str, algorithm: str) -> jwt.PyJWK | None:
        """The key with that id for that algorithm; None when the issuer has none.

        Raises:
            KeysUnavailable: the issuer could never be reached, or not for a day.
        """
        with self._lock:
            now = self._clock.monotonic()
            known = self._keys.get((key_id, algorithm))
            is_old = now - self._fetched_at > MAX_AGE_S
            if (known is None or is_old) and now - self._tried_at > REFETCH_AFTER_S:
                self._refresh(now)
            if now - self._fetched_at > STALE_KEYS_MAX_AGE_S:
                raise KeysUnavailable
            return self._keys.get((key_id, algorithm))

    def _refresh(self, now: float) -> None:
        self._tried_at = now
        try:
            self._keys = dict(_usable_keys(self._fetch()))
            self._fetched_at = now
        except _UNREADABLE as error:
            LOG.warning("issuer keys unreadable", extra={"error_type": type(error).__name__})

    def _fetch(self) -> bytes:
        # A name lookup has no time-out, and the other time-outs apply to each address and each read.
        return run_with_deadline(self._read, TIMEOUT_S)

    def _read(self) -> bytes:
        request = urllib.request.Request(self._url, headers={"Accept": "application/json"})  # noqa: S310
        until = self._clock.monotonic() + TIMEOUT_S
        with self._opener.open(request, timeout=TIMEOUT_S) as response:
            # A `data:` address, which the settings allow in stage local only, has no status.
            if response.status not in {HTTPStatus.OK, None}:
                raise ValueError("no key set")
            content = bytearray()
            while chunk := response.read1(64 * 1024):
                content += chunk
                if len(content) > MAX_BYTES or self._clock.monotonic() > until:
                    raise ValueError("the key set is too large or too slow")
        return bytes(content)


class _Member(BaseModel):
    """The parameters that say whether a key can be used; PyJWT reads its numbers."""

    model_config = ConfigDict(extra="allow", strict=True)

    kid: str
    kty: str
    crv: str | None = None
    use: str = "sig"
    key_ops: list[str] = ["verify"]
    alg: str | None = None

    def fits(self, algorithm: str) -> bool:
        """Whether the key is meant for verifying signatures of the algorithm."""
        kind, curve = KEY_TYPES[algorithm]
        is_for_signatures = self.use == "sig" and "verify" in self.key_ops
        return is_for_signatures and (self.kty, self.crv) == (kind, curve) and self.alg in {None, algorithm}


class _Document(BaseModel):
    keys: list[dict[str, Any]]


def _usable_keys(content: bytes) -> Iterator[tuple[tuple[str, str], jwt.PyJWK]]:
    """The keys of a set that fit a supported algorithm; the others are ignored."""
    for parameters in _Document.model_validate_json(content).keys:
        for algorithm in KEY_TYPES:
            key = _usable_key(parameters, algorithm)
            if key is not None:
                yield (parameters["kid"], algorithm), key


def _usable_key(parameters: dict[str, Any], algorithm: str) -> jwt.PyJWK | None:
    """The key; None when it can't be trusted, for example because its private half is published."""
    try:
        if parameters.keys() & _PRIVATE or not _Member.model_validate(parameters).fits(algorithm):
            return None
        key = jwt.PyJWK(parameters, algorithm)
    except (jwt.PyJWTError, ValueError):
        return None
    is_odd = isinstance(key.key, RSAPublicKey) and key.key.key_size not in RSA_BITS
    return None if is_odd else key
