"""The bucket of attachments in S3: signed addresses for clients, and the bytes for functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from conversation.attachments.bucket import (
    FILES,
    UPLOADS,
    BucketUnavailable,
    ObjectName,
    SignedRequest,
    tenant_prefix,
    user_prefix,
)
from storage.keys import TenantId


class S3Bucket:
    """A `conversation.attachments.bucket.FileBucket` in S3, encrypted as the bucket says.

    An address is signed with the function's own credentials, so it ends with them at the latest.
    """

    def __init__(self, connect: Callable[[], Any], bucket: str) -> None:
        self._client = functools.cache(connect)
        self._bucket = bucket

    def upload_request(self, name: ObjectName, media_type: str, size: int, valid_s: int) -> SignedRequest:
        # The length is part of the signature: S3 refuses any other one.
        wanted = {**self._at(name, UPLOADS), "ContentType": media_type, "ContentLength": size}
        with _failures():
            url: str = self._client().generate_presigned_url("put_object", Params=wanted, ExpiresIn=valid_s)
        return SignedRequest("PUT", url, {"Content-Type": media_type})

    def download_url(self, name: ObjectName, *, file_name: str, media_type: str, valid_s: int) -> str:
        wanted = {
            **self._at(name, FILES),
            "ResponseContentType": media_type,
            "ResponseContentDisposition": content_disposition(file_name, media_type),
        }
        with _failures():
            url: str = self._client().generate_presigned_url("get_object", Params=wanted, ExpiresIn=valid_s)
        return url

    def uploaded(self, name: ObjectName, most: int) -> bytes | None:
        return self._read(name, UPLOADS, most)

    def keep(self, name: ObjectName, content: bytes, media_type: str) -> None:
        with _failures():
            self._client().put_object(**self._at(name, FILES), Body=content, ContentType=media_type)

    def remove_upload(self, name: ObjectName) -> None:
        with _failures():
            self._client().delete_object(**self._at(name, UPLOADS))

    def read(self, name: ObjectName) -> bytes | None:
        return self._read(name, FILES, None)

    def remove(self, name: ObjectName) -> None:
        with _failures():
            for folder in (UPLOADS, FILES):
                self._client().delete_object(**self._at(name, folder))

    def remove_all(self, tenant: TenantId, user: str | None = None) -> None:
        for folder in (UPLOADS, FILES):
            prefix = tenant_prefix(folder, tenant) if user is None else user_prefix(folder, tenant, user)
            with _failures():
                pages = (
                    self._client()
                    .get_paginator("list_objects_v2")
                    .paginate(Bucket=self._bucket, Prefix=prefix)
                )
                for page in pages:
                    for found in page.get("Contents", ()):
                        self._client().delete_object(Bucket=self._bucket, Key=found["Key"])

    def _read(self, name: ObjectName, folder: str, most: int | None) -> bytes | None:
        from botocore.exceptions import ClientError

        part = {} if most is None else {"Range": f"bytes=0-{most - 1}"}
        with _failures():
            try:
                answer = self._client().get_object(**self._at(name, folder), **part)
            except ClientError as error:
                code = error.response.get("Error", {}).get("Code")
                if code == "NoSuchKey":
                    return None
                if code == "InvalidRange":
                    return b""  # an empty upload has no first byte
                raise
            content: bytes = answer["Body"].read()
            return content

    def _at(self, name: ObjectName, folder: str) -> Any:
        return {"Bucket": self._bucket, "Key": name.within(folder)}


def content_disposition(file_name: str, media_type: str) -> str:
    """The header that names a downloaded file; only images are shown by a browser. Source: RFC 6266."""
    kind = "inline" if media_type.startswith("image/") else "attachment"
    return f"{kind}; filename*=UTF-8''{quote(file_name, safe='')}"


def connect_s3() -> Any:
    """A client whose addresses name the bucket's region: the global address redirects browsers."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        "s3",
        config=Config(
            signature_version="s3v4",
            s3={"addressing_style": "virtual"},
            connect_timeout=2,
            read_timeout=10,
            retries={"mode": "standard", "total_max_attempts": 3},
        ),
    )


@contextmanager
def _failures() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (BotoCoreError, ClientError):
        raise BucketUnavailable from None
