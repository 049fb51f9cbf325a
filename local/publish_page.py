"""Upload of the built page to the bucket of a deployed stack: `python -m local.publish_page STACK`.

No file is ever missing while a browser loads the page. The files that the new document needs are uploaded
before the document, and hashed files of older builds stay for browsers that still show an older document.
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
from local.gateway.chat_page import (
    BUILT_PAGE,
    CACHE_FOREVER,
    CACHE_REVALIDATE,
    CONFIG_PATH,
    HASHED_PREFIX,
    INDEX,
)

_CONFIG = CONFIG_PATH[1:]
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class CannotPublish(Exception):
    """The page was not published; the message is one line."""


class PageTarget(NamedTuple):
    """The bucket, distribution, config and URL of a stack's page."""

    bucket: str
    distribution: str
    config: str
    url: str


def publish(stack: str, page: Path) -> str:
    """Upload the built page to the stack and return its URL.

    Raises:
        CannotPublish: no page is built, the stack does not exist or has no page, or AWS reported an error.
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


def _target(stack: str) -> PageTarget:
    client: Any = boto3.client("cloudformation")
    [found] = client.describe_stacks(StackName=stack)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", ())}
    if "PageBucketName" not in outputs:
        raise CannotPublish(f"{stack} has no page: it was deployed without Page=yes")
    return PageTarget(
        outputs["PageBucketName"], outputs["PageDistributionId"], outputs["PageConfig"], outputs["PageUrl"]
    )


def _upload(target: PageTarget, page: Path, names: list[str]) -> None:
    client: Any = boto3.client("s3")
    bodies = {_CONFIG: target.config.encode(), **{name: (page / name).read_bytes() for name in names}}
    for name, body in bodies.items():
        client.put_object(Bucket=target.bucket, Key=name, Body=body, **_headers(name))
    for stored in _stored(client, target.bucket):
        if stored not in bodies and not _is_hashed(stored):
            client.delete_object(Bucket=target.bucket, Key=stored)


def _in_order(names: Iterable[str]) -> list[str]:
    # Hashed files first, since other files refer to them; the document last.
    return sorted(names, key=lambda name: (name == INDEX, not _is_hashed(name), name))


def _is_hashed(name: str) -> bool:
    return f"/{name}".startswith(HASHED_PREFIX)


def _headers(name: str) -> Mapping[str, str]:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    charset = "; charset=utf-8" if kind.startswith(_TEXTS) else ""
    return {
        "ContentType": kind + charset,
        "CacheControl": CACHE_FOREVER if _is_hashed(name) else CACHE_REVALIDATE,
    }


def _stored(client: Any, bucket: str) -> Iterator[str]:
    for found in client.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        yield from (each["Key"] for each in found.get("Contents", ()))


def _renew(distribution: str, paths: list[str]) -> None:
    client: Any = boto3.client("cloudfront")
    batch = {"Paths": {"Quantity": len(paths), "Items": paths}, "CallerReference": new_id()}
    client.create_invalidation(DistributionId=distribution, InvalidationBatch=batch)


def main(arguments: list[str] | None = None) -> int:
    """Publish the page and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m local.publish_page", description="Publish the built page"
    )
    parser.add_argument("stack", help="the deployed stack's name")
    parser.add_argument(
        "--page", type=Path, default=BUILT_PAGE, metavar="DIR", help="folder of the built page"
    )
    options = parser.parse_args(arguments)
    try:
        print(publish(options.stack, options.page))
    except CannotPublish as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
