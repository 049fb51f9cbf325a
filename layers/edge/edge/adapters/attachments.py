"""Opens the attachments of a deployment, and the bucket of their bytes, from its settings."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from conversation.clock import Clock
from conversation.identity import Caller
from conversation.messages.attached_files import AttachedFile
from edge.environment import SettingsInvalid
from edge.settings import Settings
from storage.tenant_table import Tables

if TYPE_CHECKING:
    from conversation.attachments.bucket import FileBucket
    from conversation.attachments.store import AttachmentStore

FILE_SCHEME = "file://"


def open_attachments(settings: Settings, *, tables: Tables, clock: Clock) -> AttachmentStore:
    """The attachments of all users."""
    from conversation.attachments.store import AttachmentStore
    from conversation.limits.quotas import Quotas
    from conversation.tenants.store import PolicyCache

    policies = PolicyCache(tables=tables, clock=clock)
    return AttachmentStore(
        tables=tables,
        clock=clock,
        bucket=open_bucket(settings),
        policies=policies,
        quotas=Quotas(tables=tables, clock=clock, policies=policies),
        rates=settings.rate_limits,
        limits=settings.attachment_limits,
    )


def file_link(store: AttachmentStore, caller: Caller, file: AttachedFile) -> str | None:
    """The address of a file of one of the caller's messages, for a while; None: there is none now."""
    from conversation.attachments.errors import AttachmentsUnavailable

    try:
        return store.file_url(caller, file)
    except AttachmentsUnavailable:
        return None


def file_reader(settings: Settings) -> Callable[[Caller, AttachedFile], bytes | None]:
    """A function that returns the content of a message's file; None when it is gone or out of reach. Opens
    nothing before it is called, because few turns have files.
    """
    bucket = cache(lambda: open_bucket(settings))

    def read(caller: Caller, file: AttachedFile) -> bytes | None:
        from conversation.attachments.bucket import BucketUnavailable, ObjectName

        opened = bucket()
        try:
            return opened.read(ObjectName(caller.tenant, caller.user, file.id)) if opened else None
        except BucketUnavailable:
            return None

    return read


def open_bucket(settings: Settings) -> FileBucket | None:
    """The bucket of a setting: the name of one in S3, or ``file://`` and a folder; None: none.

    Raises:
        SettingsInvalid: the setting is neither.
    """
    target = settings.attachments
    if target is None:
        return None
    if target.startswith(FILE_SCHEME):
        from edge.adapters.folder_bucket import FolderBucket

        # The twin's gateway answers at its public address.
        return FolderBucket(Path(target.removeprefix(FILE_SCHEME)), origin=settings.public_url or "")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]{1,61}[A-Za-z0-9]", target):
        raise SettingsInvalid(
            "OMNIFORGE_ATTACHMENTS", "must be the name of a bucket, or file:// and a folder"
        )
    from edge.adapters.s3_bucket import S3Bucket, connect_s3

    return S3Bucket(connect_s3, target)
