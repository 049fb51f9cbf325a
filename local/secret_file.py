"""`python -m local secret`: a tenant's secret, kept in a file that only its owner may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

from edge.tenant_secrets import FileSecrets, is_secret_name
from storage.keys import InvalidIdentity, parse_tenant

FILE_NAME = "secrets.json"


class SecretUnusable(Exception):
    """A tenant, name or value that can't be kept; the message says which."""


def keep_secret(data: Path, *, tenant: str, name: str, value: str) -> None:
    """Put the secret into the file, in place of one of the same name; an empty value removes it.

    Raises:
        SecretUnusable: the tenant or the name can't be one.
    """
    try:
        owner = parse_tenant(tenant)
    except InvalidIdentity as error:
        raise SecretUnusable(str(error)) from None
    if not is_secret_name(name):
        raise SecretUnusable("a secret's name is lower-case letters, digits, - and _, at most 64 of them")
    path = data / FILE_NAME
    kept = FileSecrets(path).all()
    own = {**kept.get(owner, {}), name: value}
    _write(path, kept | {owner: {key: secret for key, secret in own.items() if secret}})


def _write(path: Path, kept: dict[str, dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    # Readable by nobody else from its first moment, and never half written.
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(kept, file)
    beside.replace(path)
