"""The keys an issuer signs with, fetched from its address and kept. Imported by the authorizer only, like
`edge.auth.tokens`.

A key that is not known yet is looked for again, since issuers rotate keys; but seldom, since anybody can make
up a key id.
"""

from __future__ import annotations

import logging
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from http import HTTPStatus
from http.client import HTTPException
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from pydantic import BaseModel, ConfigDict

from conversation.clock import Clock

MAX_AGE_S = 3_600.0
REFETCH_AFTER_S = 30.0
"""How long an unknown key id is not asked about again, and a failing issuer is left alone."""
STALE_FOR_S = 24 * 3_600.0
"""How long keys are still good when the issuer can't be reached."""
TIMEOUT_S = 2.0
MAX_BYTES = 256 * 1024
RSA_BITS = range(2_048, 8_193)
"""Below it a key can be broken; above it each signature costs more than an issuer has reason to make it."""
KEY_TYPES: Mapping[str, tuple[str, str | None]] = {"RS256": ("RSA", None), "ES256": ("EC", "P-256")}

LOG = logging.getLogger("omniforge.edge")

_UNREADABLE = (OSError, HTTPException, ValueError)
_PRIVATE = frozenset({"d", "k", "p", "q", "dp", "dq", "qi", "oth"})


class KeysUnavailable(Exception):
    """The issuer's keys can't be had now, and none are at hand."""


class _Plain(urllib.request.HTTPRedirectHandler, urllib.request.HTTPDefaultErrorHandler):
    """Every answer as it comes. An issuer's address is a setting; where it may point to is not its choice."""

    def redirect_request(self, *_args: Any) -> None:
        return None

    def http_error_default(self, _request: object, response: Any, *_args: Any) -> Any:
        # As an error it would go to another thread, and hold its connection open until the next collection.
        return response


class KeySet:
    """The keys of one issuer. Safe to use from several threads: one fetches, the others wait for it."""

    def __init__(self, url: str, *, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._opener = urllib.request.build_opener(_Plain)
        self._lock = threading.Lock()
        self._keys: dict[tuple[str, str], jwt.PyJWK] = {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")

    def find(self, key_id: str, algorithm: str) -> jwt.PyJWK | None:
        """The key of that id for that algorithm, or None when the issuer has none.

        Raises:
            KeysUnavailable: it could never be asked, or not for a day.
        """
        with self._lock:
            now = self._clock.monotonic()
            known = self._keys.get((key_id, algorithm))
            is_old = now - self._fetched_at > MAX_AGE_S
            if (known is None or is_old) and now - self._tried_at > REFETCH_AFTER_S:
                self._refresh(now)
            if now - self._fetched_at > STALE_FOR_S:
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
        fetched: Future[bytes] = Future()
        # Looking up a name has no time-out, and of the others there is one for each address and each read:
        # only a thread of its own can be left alone with all of them.
        threading.Thread(target=self._settle, args=(fetched,), daemon=True).start()
        return fetched.result(TIMEOUT_S)

    def _settle(self, fetched: Future[bytes]) -> None:
        try:
            fetched.set_result(self._read())
        except _UNREADABLE as error:
            fetched.set_exception(error)

    def _read(self) -> bytes:
        request = urllib.request.Request(self._url, headers={"Accept": "application/json"})  # noqa: S310
        until = self._clock.monotonic() + TIMEOUT_S
        with self._opener.open(request, timeout=TIMEOUT_S) as response:
            if response.status != HTTPStatus.OK:
                raise ValueError("no key set")
            content = bytearray()
            while chunk := response.read1(64 * 1024):
                content += chunk
                if len(content) > MAX_BYTES or self._clock.monotonic() > until:
                    raise ValueError("the key set is too large or too slow")
        return bytes(content)


class _Member(BaseModel):
    """What of a key says whether it is for us; its numbers are PyJWT's business."""

    model_config = ConfigDict(extra="allow", strict=True)

    kid: str
    kty: str
    crv: str | None = None
    use: str = "sig"
    key_ops: list[str] = ["verify"]
    alg: str | None = None

    def fits(self, algorithm: str) -> bool:
        """Whether it is a public key to check signatures of the algorithm with."""
        kind, curve = KEY_TYPES[algorithm]
        is_for_signatures = self.use == "sig" and "verify" in self.key_ops
        return is_for_signatures and (self.kty, self.crv) == (kind, curve) and self.alg in {None, algorithm}


class _Document(BaseModel):
    keys: list[dict[str, Any]]


def _usable_keys(content: bytes) -> Iterator[tuple[tuple[str, str], jwt.PyJWK]]:
    """The keys of a set that fit an algorithm we know; the others are none of our business."""
    for parameters in _Document.model_validate_json(content).keys:
        for algorithm in KEY_TYPES:
            key = _usable_key(parameters, algorithm)
            if key is not None:
                yield (parameters["kid"], algorithm), key


def _usable_key(parameters: dict[str, Any], algorithm: str) -> jwt.PyJWK | None:
    """None for any that could not be trusted: one whose private half is published is everybody's."""
    try:
        if parameters.keys() & _PRIVATE or not _Member.model_validate(parameters).fits(algorithm):
            return None
        key = jwt.PyJWK(parameters, algorithm)
    except (jwt.PyJWTError, ValueError):
        return None
    is_odd = isinstance(key.key, RSAPublicKey) and key.key.key_size not in RSA_BITS
    return None if is_odd else key
