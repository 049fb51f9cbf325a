"""How large and how many the files of a message may be, and of which types."""

from __future__ import annotations

from typing import NamedTuple

from conversation.attachments.file_types import MAX_TEXT_BYTES, MEDIA_TYPES, TEXTS


class AttachmentLimits(NamedTuple):
    """What a deployment takes."""

    bytes: int = 20 * 1024 * 1024
    per_message: int = 5
    types: tuple[str, ...] = MEDIA_TYPES

    def largest(self, media_type: str) -> int:
        """The most bytes that a file of the type may have."""
        return min(self.bytes, MAX_TEXT_BYTES) if media_type in TEXTS else self.bytes
