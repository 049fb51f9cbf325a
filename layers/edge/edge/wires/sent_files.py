"""Files that clients of a wire send with a message: their content as a data URL, or the id of an attachment.

Clients send back the messages that they were given, so the address of a file of ours stands for its
attachment. Addresses of files elsewhere are refused: nothing is fetched for a client. The content decides
what a file is, when it is stored.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import NamedTuple

from edge.http.problems import Problem
from edge.http.request_models import MAX_FILE_NAME_BYTES

_DATA_URL = re.compile(r"data:([a-z]{1,16}/[A-Za-z0-9.+-]{1,64})(?:;charset=[A-Za-z0-9-]{1,16})?;base64,")
_ATTACHMENT = re.compile(r"(?:/v1/attachments/)?([0-9a-f]{32})")
_OWN_ADDRESS = re.compile(
    r"https?://[^?#]{1,400}/files/[A-Za-z0-9_-]{1,128}/[0-9a-f]{1,64}/([0-9a-f]{32})(?:\?|$)"
)
_NO_NAME = re.compile(r"[\x00-\x1f\x7f/\\]")


class SentFile(NamedTuple):
    """A file of a message."""

    name: str
    media_type: str = ""
    content: bytes = b""
    attachment_id: str | None = None
    """The attachment that it is; None: the content came along."""

    @property
    def digest(self) -> str:
        """What tells it from any other file: part of the keys that are derived of a message."""
        return self.attachment_id or hashlib.sha256(self.content).hexdigest()


def sent_file(where: str, address: str, name: object = None) -> SentFile:
    """The file at a data URL, or the attachment of an id; ``where`` names the field in a refusal.

    Raises:
        Problem: field_invalid.
    """
    if (own := _ATTACHMENT.fullmatch(address) or _OWN_ADDRESS.match(address)) is not None:
        return SentFile(_plain(name, "file"), attachment_id=own[1])
    head = _DATA_URL.match(address)
    if head is None:
        raise Problem(
            "field_invalid",
            f"{where}: the content as a data URL in base64 is expected, or an attachment's id.",
        )
    try:
        content = base64.b64decode(address[head.end() :], validate=True)
    except (binascii.Error, ValueError):
        raise Problem("field_invalid", f"{where}: base64 is expected.") from None
    media_type = head[1].lower()
    return SentFile(_plain(name, f"file.{media_type.rpartition('/')[2]}"), media_type, content)


def names_of(files: tuple[SentFile, ...]) -> str:
    """What a message of files alone says."""
    return ", ".join(file.name for file in files)


def _plain(name: object, otherwise: str) -> str:
    """A name without folders: clients of other protocols send whole paths."""
    last = name.replace("\\", "/").rpartition("/")[2] if isinstance(name, str) else ""
    plain = _NO_NAME.sub("", last).strip(". ").encode()[:MAX_FILE_NAME_BYTES].decode(errors="ignore")
    return plain if plain.isprintable() and plain else otherwise
