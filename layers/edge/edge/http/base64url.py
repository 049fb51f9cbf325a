"""Base64url without padding, in the one canonical spelling of each value."""

from __future__ import annotations

import base64


def encode_base64url(raw: bytes) -> str:
    """The bytes as text."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """The bytes that `encode_base64url` wrote.

    Raises:
        ValueError: for any other text. The last character has unused bits, so a lenient decoder accepts
            several spellings of the same bytes.
    """
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64url(raw) != text:
        raise ValueError("not canonical base64url")
    return raw
