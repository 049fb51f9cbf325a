"""The keys of model providers on AWS: one secret, read when first needed and again every few minutes.

The secret is a JSON object from vendor to key, such as ``{"openai": "…"}``. Rotating it needs no deployment.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from conversation.clock import Clock

MAX_AGE_S = 300.0
RETRY_AFTER_S = 30.0
LOG = logging.getLogger("omniforge.edge")


class ProviderSecret:
    """The keys of one secret. Safe to ask from several threads; a key that can't be read is none."""

    def __init__(self, arn: str, *, clock: Clock) -> None:
        self._arn = arn
        self._clock = clock
        self._keys: Mapping[str, str] = {}
        self._until = float("-inf")

    def key(self, vendor: str) -> str | None:
        """The key of a vendor, or None when the secret names none for it."""
        now = self._clock.monotonic()
        if now >= self._until:
            self._read(now)
        return self._keys.get(vendor)

    def vendors(self) -> frozenset[str]:
        """Whose keys there are."""
        self.key("")
        return frozenset(self._keys)

    def _read(self, now: float) -> None:
        from aws_lambda_powertools.utilities.parameters import GetParameterError, get_secret

        try:
            self._keys = TypeAdapter(dict[str, str]).validate_json(get_secret(self._arn, force_fetch=True))
            self._until = now + MAX_AGE_S
        except (GetParameterError, ValidationError) as error:
            # The keys read before may still be good; without any the offline tier answers.
            LOG.warning("provider secret unreadable", extra={"error_type": type(error).__name__})
            self._until = now + RETRY_AFTER_S
