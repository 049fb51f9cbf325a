"""Part of what was `conversation.redaction.redact`."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class SecretKind(StrEnum):
    """What was found, as messages are marked with it."""

    API_KEY = "api_key"
    """A key, a token or a secret that a machine signs in with."""
    PASSWORD = "password"  # noqa: S105 - a kind, not a password
    """What a person signs in with: a password, a PIN, a code."""
    PRIVATE_KEY = "private_key"
    CARD = "card"
    IBAN = "iban"
    WEBHOOK = "webhook"
    """The part of a web address by which anybody may post there."""


class Span(NamedTuple):
    """A part of a text, and what it is."""

    start: int
    end: int
    kind: SecretKind


class Text(NamedTuple):
    """A text, and the same in lower case with every character in its place."""

    given: str
    lower: str
