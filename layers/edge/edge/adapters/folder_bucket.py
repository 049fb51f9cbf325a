"""The bucket of attachments in the local twin: a folder, and addresses that the twin's gateway answers.

The addresses have the form of S3's: whoever holds one may do what it says until it expires, without a token.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

from conversation.attachments.bucket import (
    FILES,
    UPLOADS,
    BucketUnavailable,
    ObjectName,
    SignedRequest,
    tenant_prefix,
    user_prefix,
)
from edge.adapters.s3_bucket import content_disposition
from storage.keys import TenantId

ADDRESS = "/attachments-bucket/"
"""Where the gateway answers signed requests."""
UNFINISHED_KEPT_S = 86_400
_KEY_FILE = "signing-key"


class FolderBucket:
    """A `conversation.attachments.bucket.FileBucket` in a folder. ``origin`` is where the gateway answers."""

    def __init__(self, folder: Path, *, origin: str, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._origin = origin
        self._now = now

    def upload_request(self, name: ObjectName, media_type: str, size: int, valid_s: int) -> SignedRequest:
        with _failures():
            self._remove_unfinished(user_prefix(UPLOADS, name.tenant, name.user))
            signed = {"length": str(size), "type": media_type}
            url = self._signed("PUT", name.within(UPLOADS), signed, valid_s)
        return SignedRequest("PUT", url, {"Content-Type": media_type})

    def download_url(self, name: ObjectName, *, file_name: str, media_type: str, valid_s: int) -> str:
        shown = {"type": media_type, "disposition": content_disposition(file_name, media_type)}
        with _failures():
            return self._signed("GET", name.within(FILES), shown, valid_s)

    def uploaded(self, name: ObjectName, most: int) -> bytes | None:
        return self.read_object(name.within(UPLOADS), most)

    def keep(self, name: ObjectName, content: bytes, media_type: str) -> None:  # noqa: ARG002
        self.write_object(name.within(FILES), content)

    def remove_upload(self, name: ObjectName) -> None:
        with _failures():
            (self._folder / name.within(UPLOADS)).unlink(missing_ok=True)

    def read(self, name: ObjectName) -> bytes | None:
        return self.read_object(name.within(FILES), None)

    def remove(self, name: ObjectName) -> None:
        with _failures():
            for folder in (UPLOADS, FILES):
                (self._folder / name.within(folder)).unlink(missing_ok=True)

    def remove_all(self, tenant: TenantId, user: str | None = None) -> None:
        for folder in (UPLOADS, FILES):
            prefix = tenant_prefix(folder, tenant) if user is None else user_prefix(folder, tenant, user)
            with _failures(), suppress(FileNotFoundError):
                shutil.rmtree(self._folder / prefix)

    def read_object(self, key: str, most: int | None) -> bytes | None:
        """The object's content, or the beginning of it; None when there is none."""
        with _failures():
            try:
                with (self._folder / key).open("rb") as file:
                    return file.read() if most is None else file.read(most)
            except FileNotFoundError:
                return None

    def write_object(self, key: str, content: bytes) -> None:
        """Write the object; it is never seen half written."""
        with _failures():
            path = self._folder / key
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
            part.write_bytes(content)
            part.replace(path)

    def permitted(self, method: str, path: str, query: str) -> tuple[str, Mapping[str, str]] | None:
        """The key of the object that the signed request is for, and what was signed; None: it may not."""
        key, given = unquote(path.removeprefix(ADDRESS)), dict(parse_qsl(query))
        signature = given.pop("signature", "")
        with _failures():
            expected = self._signature(method, key, given)
        if not hmac.compare_digest(signature.encode(), expected.encode()):
            return None
        return (key, given) if self._now() < int(given["expires"]) else None

    def _signed(self, method: str, key: str, signed: Mapping[str, str], valid_s: int) -> str:
        given = {**signed, "expires": str(int(self._now()) + valid_s)}
        query = urlencode({**given, "signature": self._signature(method, key, given)})
        return f"{self._origin}{ADDRESS}{quote(key)}?{query}"

    def _signature(self, method: str, key: str, given: Mapping[str, str]) -> str:
        text = "\n".join((method, key, urlencode(sorted(given.items()))))
        return hmac.new(self._key(), text.encode(), hashlib.sha256).hexdigest()

    def _key(self) -> bytes:
        """The key of all processes of the twin; the first one makes it."""
        path = self._folder / _KEY_FILE
        with suppress(FileNotFoundError):
            return path.read_bytes()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = path.with_name(f"{_KEY_FILE}.{secrets.token_hex(4)}.part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(32))
        with suppress(FileExistsError):
            os.link(part, path)
        part.unlink()
        return path.read_bytes()

    def _remove_unfinished(self, prefix: str) -> None:
        """What a lifecycle rule does in S3."""
        for path in (self._folder / prefix).glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < self._now() - UNFINISHED_KEPT_S:
                    path.unlink()


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise BucketUnavailable from None
