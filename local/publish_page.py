"""`python -m local.publish_page STACK` uploads the built page to the bucket of a deployed stack.

A file is never missing while somebody loads the page: what the new document needs is there before the
document, and hashed files of older builds stay for whoever still has their document open.
"""

from __future__ import annotations

import argparse
import mimetypes
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from conversation.identity import new_id
from local.gateway.page import BUILT, CHECKED, CONFIG_PATH, FOR_EVER, HASHED, INDEX

_CONFIG = CONFIG_PATH[1:]
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class CannotPublish(Exception):
    """Why the page was not put there; one line."""


class Target(NamedTuple):
    """Where a stack has its page."""

    bucket: str
    distribution: str
    config: str
    url: str


def publish(stack: str, page: Path) -> str:
    """Put the built page into the stack; the address where it is.

    Raises:
        CannotPublish: nothing is built, or the stack is not there or has no page.
    """
    built = {path.relative_to(page).as_posix() for path in page.rglob("*") if path.is_file()}
    names = _in_order(built - {_CONFIG})
    if INDEX not in names:
        raise CannotPublish(f"{page} holds no built page")
    try:
        target = _target(stack)
        _upload(target, page, names)
        _renew(
            target.distribution, ["/", CONFIG_PATH, *(f"/{each}" for each in names if not _is_hashed(each))]
        )
    except (BotoCoreError, ClientError) as error:
        raise CannotPublish(f"{stack}: {error}") from None
    return target.url


def _target(stack: str) -> Target:
    client: Any = boto3.client("cloudformation")
    [found] = client.describe_stacks(StackName=stack)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", ())}
    if "PageBucketName" not in outputs:
        raise CannotPublish(f"{stack} has no page: it was deployed without Page=yes")
    return Target(
        outputs["PageBucketName"], outputs["PageDistributionId"], outputs["PageConfig"], outputs["PageUrl"]
    )


def _upload(target: Target, page: Path, names: list[str]) -> None:
    client: Any = boto3.client("s3")
    bodies = {_CONFIG: target.config.encode(), **{name: (page / name).read_bytes() for name in names}}
    for name, body in bodies.items():
        client.put_object(Bucket=target.bucket, Key=name, Body=body, **_headers(name))
    for stored in _stored(client, target.bucket):
        if stored not in bodies and not _is_hashed(stored):
            client.delete_object(Bucket=target.bucket, Key=stored)


def _in_order(names: Iterable[str]) -> list[str]:
    # What others name comes first, the document last.
    return sorted(names, key=lambda name: (name == INDEX, not _is_hashed(name), name))


def _is_hashed(name: str) -> bool:
    return f"/{name}".startswith(HASHED)


def _headers(name: str) -> Mapping[str, str]:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith(_TEXTS) else ""
    return {"ContentType": kind + charset, "CacheControl": FOR_EVER if _is_hashed(name) else CHECKED}


def _stored(client: Any, bucket: str) -> Iterator[str]:
    for found in client.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        yield from (each["Key"] for each in found.get("Contents", ()))


def _renew(distribution: str, paths: list[str]) -> None:
    client: Any = boto3.client("cloudfront")
    batch = {"Paths": {"Quantity": len(paths), "Items": paths}, "CallerReference": new_id()}
    client.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)


def main(arguments: list[str] | None = None) -> int:
    """Publish; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m local.publish_page", description="Publish the built page"
    )
    parser.add_argument("stack", help="the deployed stack's name")
    parser.add_argument("--page", type=Path, default=BUILT, metavar="DIR", help="folder of the built page")
    options = parser.parse_args(arguments)
    try:
        print(publish(options.stack, options.page))
    except CannotPublish as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
