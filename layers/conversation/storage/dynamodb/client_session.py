"""botocore sessions that make the clients of the table."""

from __future__ import annotations

from typing import Any

import botocore.session
from botocore.loaders import Loader

SERVICES = ("dynamodb", "sts", "sso", "sso-oidc", "signin")
"""The table's, the one of tenants' sessions, and those that botocore may get credentials from."""


class _FewServices(Loader):
    """Loads the descriptions of these services without a look at the 400 others.

    That look takes 2,700 requests to the file system and 15 ms of processor time for each client.
    """

    def list_available_services(self, type_name: str) -> list[str]:  # noqa: ARG002 - each has all types
        return list(SERVICES)


def open_session() -> Any:
    """A new session that finds region, endpoint and credentials as boto3 does, and knows only `SERVICES`."""
    session = botocore.session.get_session()
    session.register_component("data_loader", _FewServices())
    return session
