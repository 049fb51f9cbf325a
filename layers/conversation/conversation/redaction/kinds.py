"""The kinds of secrets, and the values that the secret finders take and return."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class SecretKind(StrEnum):
    """The kind of a secret; messages are marked with it."""

    API_KEY = "api_key"
    """A key, token or secret with which a machine signs in."""
    PASSWORD = "password"  # noqa: S105 - a kind, not a password
    """What a person signs in with: a password, a PIN, a code."""
    PRIVATE_KEY = "private_key"
    CARD = "card"
    IBAN = "iban"
    NATIONAL_ID = "national_id"
    """A number by which a state knows a person: social security, identity or tax number."""
    WEBHOOK = "webhook"
    """The secret part of a URL to which anyone who knows it can post."""


LATER_KINDS = frozenset({SecretKind.NATIONAL_ID})
"""Kinds that the version before does not know. They are stored apart, so that it can read the rest."""


class SecretSpan(NamedTuple):
    """A part of a text, and the kind of secret in it."""

    start: int
    end: int
    kind: SecretKind


class SearchText(NamedTuple):
    """A text, and the same text in lower case with every character at the same position."""

    original: str
    lower: str
