"""The types of files that are taken, and the check that content is of the type that its sender says.

A file of the web's formats shows its type in its first bytes. Text has no such mark: it is text when it is
UTF-8 without control characters. Libraries such as `filetype` and `puremagic` know hundreds of formats; for
the few that models take, this table is smaller, and stricter: it also finds a file that ends too early.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping

PDF = "application/pdf"
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
TEXTS = ("text/plain", "text/markdown", "text/csv", "application/json")
MAX_TEXT_BYTES = 1024 * 1024
"""A longer text fits no model's prompt."""
MAX_IMAGE_SIDE = 16_384
"""Pixels. A small file can stand for an image that fills a memory."""
_PDF_WITHIN = 1024
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def is_content_of(media_type: str, content: bytes) -> bool:
    """Whether the content is what the type promises; False for a type that is not taken."""
    check = _CHECKS.get(media_type)
    return check is not None and check(content)


def _is_png(content: bytes) -> bool:
    if not content.startswith(b"\x89PNG\r\n\x1a\n") or content[12:16] != b"IHDR" or len(content) < 45:
        return False
    return b"IEND" in content[-64:] and _is_sane(*struct.unpack(">II", content[16:24]))


def _is_gif(content: bytes) -> bool:
    if content[:6] not in (b"GIF87a", b"GIF89a") or len(content) < 14:
        return False
    return _is_sane(*struct.unpack("<HH", content[6:10])) and b"\x3b" in content[-16:]


def _is_webp(content: bytes) -> bool:
    if content[:4] != b"RIFF" or content[8:12] != b"WEBP" or content[12:15] != b"VP8":
        return False
    return int.from_bytes(content[4:8], "little") <= len(content) - 8


def _is_jpeg(content: bytes) -> bool:
    if not content.startswith(b"\xff\xd8\xff") or b"\xff\xd9" not in content[-64:]:
        return False
    size = _jpeg_size(content)
    return size is not None and _is_sane(*size)


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Width and height in the frame header, which some segments of a stated length precede."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[place + 5 : place + 9])
            return width, height
        length = struct.unpack(">H", content[place + 2 : place + 4])[0]
        place += 2 + max(2, length)
    return None


def _is_sane(width: int, height: int) -> bool:
    return 0 < width <= MAX_IMAGE_SIDE and 0 < height <= MAX_IMAGE_SIDE


def _is_pdf(content: bytes) -> bool:
    return b"%PDF-" in content[:_PDF_WITHIN] and b"%%EOF" in content[-2 * _PDF_WITHIN :]


def _is_text(content: bytes) -> bool:
    if not 0 < len(content) <= MAX_TEXT_BYTES:
        return False
    try:
        return _CONTROL.search(content.decode("utf-8")) is None
    except UnicodeDecodeError:
        return False


_CHECKS: Mapping[str, Callable[[bytes], bool]] = {
    "image/png": _is_png,
    "image/jpeg": _is_jpeg,
    "image/gif": _is_gif,
    "image/webp": _is_webp,
    PDF: _is_pdf,
    **dict.fromkeys(TEXTS, _is_text),
}
MEDIA_TYPES = tuple(_CHECKS)
"""All types that are taken, without parameters."""
