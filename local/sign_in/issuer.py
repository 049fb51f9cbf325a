"""The twin's own token issuer: a key kept in the data folder, its public half as JWKS, tokens signed with it.

Nobody but a twin on this machine should ever trust it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://issuer.omniforge.localhost"
AUDIENCE = "omniforge-local"
LIFETIME = timedelta(hours=12)
_KEY_FILE = "issuer-key.pem"


class IssuerUnusable(Exception):
    """The folder can't hold a key, or holds something else; one line."""


class Issuer:
    """Signs with the key of a data folder, made on first use; whoever shares the folder shares the key."""

    def __init__(self, folder: Path) -> None:
        path = folder / _KEY_FILE
        try:
            self._key = _read_or_make(path)
        except OSError as error:
            raise IssuerUnusable(f"{path}: {error.strerror}") from None
        except ValueError:
            raise IssuerUnusable(f"{path}: no RSA key") from None

    def token(self, *, tenant: str, user: str, roles: Sequence[str] = (), now: datetime) -> str:
        """A token for the user of the tenant, valid for `LIFETIME` from now."""
        return self._signed({"iss": ISSUER, "aud": AUDIENCE, **_who(tenant, user, roles)}, now)

    def id_token(
        self,
        *,
        issuer: str,
        client_id: str,
        tenant: str,
        user: str,
        roles: Sequence[str] = (),
        nonce: str | None,
        now: datetime,
    ) -> str:
        """What tells a client who signed in; no API accepts it. ``login_hint`` in it lets them sign in again
        without typing.
        """
        claims = {"iss": issuer, "aud": client_id, **_who(tenant, user, roles)}
        claims |= {"auth_time": int(now.timestamp()), "login_hint": f"{tenant}/{user}"}
        return self._signed(claims | ({"nonce": nonce} if nonce else {}), now)

    def jwks(self) -> dict[str, Any]:
        """The JSON Web Key Set an authorizer checks the tokens with."""
        public = {**RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True), "kid": self._kid()}
        return {"keys": [{**public, "use": "sig", "alg": "RS256"}]}

    def _signed(self, claims: Mapping[str, Any], now: datetime) -> str:
        lasting = {"iat": int(now.timestamp()), "exp": int((now + LIFETIME).timestamp())}
        return jwt.encode({**claims, **lasting}, self._key, algorithm="RS256", headers={"kid": self._kid()})

    def _kid(self) -> str:
        return f"local-{self._key.public_key().public_numbers().n % 16**8:08x}"


def _who(tenant: str, user: str, roles: Sequence[str]) -> dict[str, Any]:
    return {"sub": user, "tenant": tenant, "roles": list(roles)}


def _read_or_make(path: Path) -> rsa.RSAPrivateKey:
    if not path.exists():
        _make(path)
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError(path.name)  # noqa: TRY004 - what the file holds, not what was passed
    return key


def _make(path: Path) -> None:
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        # Of two that start at once only one link succeeds, and nobody ever sees half a key.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
