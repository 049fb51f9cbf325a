"""The secrets of tenants for calling skills: in Secrets Manager on AWS, in one file in the local twin.

Functions get a value only by its tenant and name; `local.settings` alone reads the whole file.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import TypeAdapter, ValidationError

from conversation.clock import Clock
from edge.environment import SettingsInvalid
from resilience.cache import Cache
from storage.keys import TenantId

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

LOG = logging.getLogger("omniforge.edge")
FILE_SCHEME = "file://"
MAX_AGE_S = 300.0
MAX_CACHED = 256
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_STORED = TypeAdapter(dict[str, dict[str, str]])


class TenantSecrets(Protocol):
    """Looks up secrets of tenants by name."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret of this name; None when there is none, or it can't be read now."""


class SecretsManagerSecrets:
    """Reads secrets from Secrets Manager, where they are texts named ``<prefix>/<tenant>/<name>``.

    They are cached for five minutes, so a rotated one needs no deployment. Thread-safe.
    """

    def __init__(self, connect: Callable[[], SecretsManagerClient], prefix: str, *, clock: Clock) -> None:
        self._client = functools.cache(connect)
        self._prefix = prefix
        self._known = Cache[str, str](MAX_CACHED, ttl_s=MAX_AGE_S, now=clock.monotonic)

    def get(self, tenant: TenantId, name: str) -> str | None:
        if not is_secret_name(name):
            return None
        secret_id = f"{self._prefix}/{tenant}/{name}"
        if (known := self._known.get(secret_id)) is not None:
            return known
        value = self._read(secret_id)
        if value is not None:
            self._known.put(secret_id, value)
        return value

    def _read(self, secret_id: str) -> str | None:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            value = self._client().get_secret_value(SecretId=secret_id).get("SecretString")
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            LOG.warning("tenant secret unreadable", extra={"code": code})
            return None
        except BotoCoreError as error:
            LOG.warning("tenant secret unreadable", extra={"error_type": type(error).__name__})
            return None
        return value or None


class FileSecrets:
    """Reads a JSON file that only its owner may read, each time anew: ``{tenant: {name: secret}}``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, tenant: TenantId, name: str) -> str | None:
        return self.read_all().get(tenant, {}).get(name)

    def read_all(self) -> dict[str, dict[str, str]]:
        """The secrets of all tenants; empty when the file is missing or can't be read as such."""
        try:
            return _STORED.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValidationError) as error:
            LOG.warning("tenant secrets unreadable", extra={"error_type": type(error).__name__})
            return {}


class NoSecrets:
    """The secrets of a deployment without a store for them: none."""

    def get(self, tenant: TenantId, name: str) -> str | None:  # noqa: ARG002
        return None


def is_secret_name(name: str) -> bool:
    """Whether a secret may have this name; one with a slash could reach another tenant's secrets."""
    return _NAME.fullmatch(name) is not None


def open_tenant_secrets(target: str | None, *, clock: Clock) -> TenantSecrets:
    """The secrets of a setting: a prefix of names in Secrets Manager, or ``file://`` and a file; None: none.

    Raises:
        SettingsInvalid: the setting is neither.
    """
    if target is None:
        return NoSecrets()
    if target.startswith(FILE_SCHEME):
        return FileSecrets(Path(target.removeprefix(FILE_SCHEME)))
    if not re.fullmatch(r"[A-Za-z0-9_+=.@-]+(/[A-Za-z0-9_+=.@-]+)*", target):
        raise SettingsInvalid(
            "OMNIFORGE_TENANT_SECRETS", "must be a prefix of secret names, or file:// and a file"
        )
    return SecretsManagerSecrets(_connect, target, clock=clock)


def _connect() -> SecretsManagerClient:
    import boto3

    return boto3.client("secretsmanager")
