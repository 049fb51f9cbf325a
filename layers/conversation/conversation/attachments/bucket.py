"""The port to the bucket that holds the bytes of attachments, and the names of the objects in it.

An upload is unchecked and lies apart from the files, so that whoever holds its address can't replace what was
checked. What is never finished is removed from there after a day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from conversation.identity import derived_id
from storage.keys import TenantId

UPLOADS, FILES = "uploads", "files"


class ObjectName(NamedTuple):
    """What an object in the bucket is called; of the user only a digest, because addresses are logged."""

    tenant: TenantId
    user: str
    attachment_id: str

    def within(self, folder: str) -> str:
        """The object's key as an upload or as a file."""
        return f"{user_prefix(folder, self.tenant, self.user)}{self.attachment_id}"


def tenant_prefix(folder: str, tenant: TenantId) -> str:
    """The prefix of all the tenant's objects, closing delimiter included."""
    return f"{folder}/{tenant}/"


def user_prefix(folder: str, tenant: TenantId, user: str) -> str:
    """The prefix of all the user's objects, closing delimiter included."""
    return f"{tenant_prefix(folder, tenant)}{derived_id('attachments', tenant, user)}/"


class SignedRequest(NamedTuple):
    """A request that its holder may make to the bucket without a token, for a while."""

    method: str
    url: str
    headers: Mapping[str, str]
    """To be sent as they are: they are part of the signature."""


class BucketUnavailable(Exception):
    """The bucket is out of reach, or refuses."""


class FileBucket(Protocol):
    """The bucket. Every method raises `BucketUnavailable`. Safe to call from several threads."""

    def upload_request(self, name: ObjectName, media_type: str, size: int, valid_s: int) -> SignedRequest:
        """The request that uploads exactly so many bytes."""

    def download_url(self, name: ObjectName, *, file_name: str, media_type: str, valid_s: int) -> str:
        """An address from which the file can be read."""

    def uploaded(self, name: ObjectName, most: int) -> bytes | None:
        """The upload, or the beginning of it, of ``most`` bytes; None when there is none."""

    def keep(self, name: ObjectName, content: bytes, media_type: str) -> None:
        """Store checked content as the file. Idempotent."""

    def remove_upload(self, name: ObjectName) -> None:
        """Remove what was uploaded, and is kept as a file by now."""

    def read(self, name: ObjectName) -> bytes | None:
        """The file's content; None when there is none."""

    def remove(self, name: ObjectName) -> None:
        """Remove upload and file; absent ones are ignored."""

    def remove_all(self, tenant: TenantId, user: str | None = None) -> None:
        """Remove all of the user's objects, or of the tenant's."""
