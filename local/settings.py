"""The twin's settings: its data folder, the functions' environment variables, and the stored tenant secrets.

Variables of the user's shell take precedence: `OMNIFORGE_TABLE` can name another table.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from edge.adapters.tenant_secrets import FileSecrets
from edge.environment import SettingsInvalid
from local.sign_in.clients import CLIENT_ID
from local.sign_in.grants import SCOPE
from local.sign_in.issuer import AUDIENCE, ISSUER
from storage.keys import InvalidIdentity, is_secret_name, parse_tenant

SECRETS_FILE = "secrets.json"


class SecretInvalid(Exception):
    """The tenant or the secret's name is not valid; the message says which."""


def store_secret(data: Path, *, tenant: str, name: str, value: str) -> None:
    """Store a tenant's secret in the data folder, replacing one of the same name. An empty value removes it.

    Raises:
        SecretInvalid: the tenant or the name is not valid.
    """
    try:
        owner = parse_tenant(tenant)
    except InvalidIdentity as error:
        raise SecretInvalid(str(error)) from None
    if not is_secret_name(name):
        raise SecretInvalid("a secret's name is lower-case letters, digits, - and _, at most 64 of them")
    file = FileSecrets(data / SECRETS_FILE)
    with file.locked():
        secrets = file.read_all()
        own = {**secrets.get(owner, {}), name: value}
        file.write_all(secrets | {owner: {key: secret for key, secret in own.items() if secret}})


DEFAULT_DATA = ".data"
_OWN_TOKENS = "OMNIFORGE_JWT_ISSUERS"
_AUTHORITY = "OMNIFORGE_PAGE_AUTHORITY"
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:-]+")


class PageSettings(NamedTuple):
    """The settings of the chat page."""

    authority: str | None
    """The identity provider where its users sign in; None means the twin's own."""
    client_id: str
    scope: str
    token: str
    """The kind of token it sends to the API: ``access_token`` or ``id_token``."""
    embed_origins: tuple[str, ...]
    """Origins of the sites that may embed the page."""

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> PageSettings:
        """Read the settings from environment variables.

        Raises:
            SettingsInvalid: a value is not valid; only the first such value is reported.
        """
        token = environ.get("OMNIFORGE_PAGE_TOKEN") or "access_token"
        if token not in ("access_token", "id_token"):
            raise SettingsInvalid("OMNIFORGE_PAGE_TOKEN", "must be one of access_token, id_token")
        _origins("OMNIFORGE_PAGE_SIGN_IN_ORIGINS", environ)
        return cls(
            authority=environ.get(_AUTHORITY) or None,
            client_id=environ.get("OMNIFORGE_PAGE_CLIENT_ID") or CLIENT_ID,
            scope=environ.get("OMNIFORGE_PAGE_SCOPE") or SCOPE,
            token=token,
            embed_origins=_origins("OMNIFORGE_EMBED_ORIGINS", environ),
        )

    def to_config(self, origin: str) -> dict[str, Any]:
        """The content of `/config.json` for a browser that loaded the page from the origin."""
        return {
            "authority": self.authority or origin,
            "client_id": self.client_id,
            "scope": self.scope,
            "api": "",
            "token": self.token,
            "embed_origins": list(self.embed_origins),
        }


def data_folder(given: str | None, environ: Mapping[str, str] = os.environ) -> Path:
    """The twin's data folder: ``given``, else ``OMNIFORGE_DATA``, else ``.data``."""
    return Path(given or environ.get("OMNIFORGE_DATA") or DEFAULT_DATA)


def clock_file(given: str | None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that sets the clock: ``given``, else ``OMNIFORGE_CLOCK_FILE``, else None."""
    named = given or environ.get("OMNIFORGE_CLOCK_FILE")
    return Path(named) if named else None


def environment(
    data: Path, *, port: int, clock: Path | None, environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """The variables that every function gets; they override those of the template."""
    own = {
        "OMNIFORGE_STAGE": "local",
        "OMNIFORGE_TABLE": f"sqlite:///{data.resolve()}/omniforge.db",
        "OMNIFORGE_FINISH_QUEUE": f"sqlite:///{data.resolve()}/queue.db",
        "OMNIFORGE_RUN_QUEUE": f"sqlite:///{data.resolve()}/runs.db",
        "OMNIFORGE_RETENTION_QUEUE": f"sqlite:///{data.resolve()}/retention.db",
        "OMNIFORGE_SCHEDULES": f"sqlite:///{data.resolve()}/schedules.db",
        "OMNIFORGE_ATTACHMENTS": f"file://{data.resolve()}/attachments",
        "OMNIFORGE_MAIL": f"file://{data.resolve()}/mail",
        "OMNIFORGE_TENANTS": "open",
        # Whoever signs in to the twin may have any name, so most have no domain of their own.
        "OMNIFORGE_DELIVERY_HOSTS": "*",
        "OMNIFORGE_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "OMNIFORGE_AUTHORIZATION_SERVERS": f"http://127.0.0.1:{port}",
        "OMNIFORGE_TENANT_SECRETS": f"file://{data.resolve()}/{SECRETS_FILE}",
    }
    if _OWN_TOKENS not in environ:
        own[_OWN_TOKENS] = ISSUER
        own["OMNIFORGE_JWT_AUDIENCE"] = AUDIENCE
        own["OMNIFORGE_JWT_JWKS_URLS"] = f"http://127.0.0.1:{port}/.well-known/jwks.json"
    else:
        issuers = [issuer.strip() for issuer in environ[_OWN_TOKENS].split(",")]
        own[_AUTHORITY] = issuers[0]
        # What is no https address is refused under the name of the issuers.
        if all(issuer.startswith("https://") for issuer in issuers):
            own["OMNIFORGE_AUTHORIZATION_SERVERS"] = ",".join(issuers)
    # `clock_file` chose between the option and the shell's variable.
    chosen = {"OMNIFORGE_CLOCK_FILE": str(clock.resolve())} if clock else {}
    return {**own, **environ, **chosen}


def _origins(name: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    origins = tuple(part.strip() for part in environ.get(name, "").split(",") if part.strip())
    if not all(map(_ORIGIN.fullmatch, origins)):
        raise SettingsInvalid(name, "must be origins such as https://app.example.com, separated by commas")
    return origins
