"""The secrets of tenants for calling skills: in Secrets Manager on AWS, in one file in the local twin.

Functions get a value only by its tenant and name; `local.settings` alone reads the whole file. What people
store has plain names (`is_secret_name`). What we store has a name that begins with ``+``, so no skill can
name it.
"""

from __future__ import annotations

import fcntl
import functools
import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import TypeAdapter, ValidationError

from conversation.clock import Clock
from edge.environment import SettingsInvalid
from resilience.cache import Cache
from storage.keys import TenantId, is_secret_name

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient

LOG = logging.getLogger("omniforge.edge")
FILE_SCHEME = "file://"
MAX_AGE_S = 300.0
MAX_CACHED = 256
OWN = "+"
_STORED = TypeAdapter(dict[str, dict[str, str]])


class TenantSecrets(Protocol):
    """Looks up secrets of tenants by name."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret of this name; None when there is none, or it can't be read now."""

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        """Our own secret for the tenant, made when there is none; None when that can't be done now.

        Of several that are made at once, one is stored and all callers get it.
        """


class SecretsManagerSecrets:
    """Reads secrets from Secrets Manager, where they are texts named ``<prefix>/<tenant>/<name>``.

    They are cached for five minutes, so a rotated one needs no deployment. Thread-safe.
    """

    def __init__(self, connect: Callable[[], SecretsManagerClient], prefix: str, *, clock: Clock) -> None:
        self._client = functools.cache(connect)
        self._prefix = prefix
        self._known = Cache[str, str](MAX_CACHED, ttl_s=MAX_AGE_S, now=clock.monotonic)

    def get(self, tenant: TenantId, name: str) -> str | None:
        return self._get(f"{self._prefix}/{tenant}/{name}") if is_secret_name(name) else None

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        secret_id = f"{self._prefix}/{tenant}/{OWN}{name}"
        value = self._get(secret_id)
        if value is None and self._create(secret_id, make()):
            value = self._get(secret_id)
        return value

    def _create(self, secret_id: str, value: str) -> bool:
        """Whether there is a secret of this name now."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            self._client().create_secret(Name=secret_id, SecretString=value)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code == "ResourceExistsException":
                return True
            LOG.warning("tenant secret not created", extra={"code": code})
            return False
        except BotoCoreError as error:
            LOG.warning("tenant secret not created", extra={"error_type": type(error).__name__})
            return False
        return True

    def _get(self, secret_id: str) -> str | None:
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
    """A JSON file that only its owner may read, read each time anew: ``{tenant: {name: secret}}``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, tenant: TenantId, name: str) -> str | None:
        return self.read_all().get(tenant, {}).get(name) if is_secret_name(name) else None

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:
        if known := self.read_all().get(tenant, {}).get(OWN + name):
            return known
        with self.locked():
            everybody = self.read_all()
            own = everybody.setdefault(tenant, {})
            value = own.setdefault(OWN + name, make())
            self.write_all(everybody)
        return value

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other processes from changing the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def write_all(self, secrets: Mapping[str, Mapping[str, str]]) -> None:
        """Replaces the secrets of all tenants; to be called within `locked`."""
        beside = self._path.with_suffix(".new")
        beside.unlink(missing_ok=True)
        # Private to the user from its creation, and never visible half written.
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(secrets, file)
        beside.replace(self._path)

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

    def get_own(self, tenant: TenantId, name: str, make: Callable[[], str]) -> str | None:  # noqa: ARG002
        return None


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
