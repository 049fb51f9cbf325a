"""The template's table on a local endpoint, such as DynamoDB Local, for `sam local`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from local.template.intrinsics import Resolver, Tree
from local.template.sam_translation import TemplateInvalid, read_template

ENDPOINT = "http://127.0.0.1:8000"
NAME = "omniforge"
"""The endpoint and table that `events/env.json` names, as this machine reaches them."""

_RESOURCE = "Table"
_TAKEN_OVER = ("AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema")


class TableNotCreated(Exception):
    """The table could not be created; the message is one line."""


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Declare where the table is created."""
    parser.add_argument("--endpoint", default=ENDPOINT, metavar="URL", help=f"(default: {ENDPOINT})")
    parser.add_argument("--table", default=NAME, metavar="NAME", help=f"(default: {NAME})")


def create_local_table(options: argparse.Namespace, template: Path) -> Iterator[str]:
    """Create the table and yield lines that say so. A table that exists stays as it is.

    Raises:
        TableNotCreated: the template can't be read, or nothing answers at the endpoint.
    """
    # Made-up credentials: whatever the endpoint is, no account of the user's is touched.
    client: Any = boto3.client(
        "dynamodb",
        endpoint_url=options.endpoint,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",  # noqa: S106
    )
    try:
        is_new = create_from_template(client, options.table, read_template(template))
    except (BotoCoreError, ClientError, TemplateInvalid) as error:
        raise TableNotCreated(f"{options.table} at {options.endpoint}: {error}") from None
    yield f"{options.table} at {options.endpoint} {'was created' if is_new else 'was there already'}."


def create_from_template(client: Any, name: str, template: Mapping[str, Tree]) -> bool:
    """Create the translated template's table with its indexes, stream and time to live.

    Returns:
        Whether it was created; False: there was a table of that name.
    """
    properties = Resolver(template, {}).resolve(template["Resources"][_RESOURCE]["Properties"])
    request = {key: properties[key] for key in _TAKEN_OVER if key in properties}
    view = properties.get("StreamSpecification")
    if view is not None:
        request["StreamSpecification"] = {"StreamEnabled": True, **view}
    try:
        client.create_table(TableName=name, **request)
    except client.exceptions.ResourceInUseException:
        return False
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    expiry = properties.get("TimeToLiveSpecification")
    if expiry is not None:
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=expiry)
    return True
