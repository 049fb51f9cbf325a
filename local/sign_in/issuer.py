"""The twin's token issuer, which signs tokens with a key in the data folder.

Only a twin on this machine should ever trust its tokens.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://issuer.omniforge.localhost"
AUDIENCE = "omniforge-local"
LIFETIME = timedelta(hours=12)
_KEY_FILE = "issuer-key.pem"


class IssuerUnusable(Exception):
    """The data folder's key can't be read or created; the message is one line."""


class Issuer:
    """An issuer with the key of a data folder, created on first use. Twins on one folder share the key."""

    def __init__(self, folder: Path) -> None:
        path = folder / _KEY_FILE
        try:
            self._key = _read_or_make(path)
        except OSError as error:
            raise IssuerUnusable(f"{path}: {error.strerror}") from None
        except ValueError:
            raise IssuerUnusable(f"{path}: no RSA key") from None

    def access_token(
        self, *, tenant: str, user: str, roles: Sequence[str] = (), now: datetime, resource: str | None = None
    ) -> str:
        """An access token for the user of the tenant, valid for `LIFETIME` from ``now``.

        Its audience is the API, and the ``resource`` for which the client asked for it.
        """
        audience = AUDIENCE if resource is None else [AUDIENCE, resource]
        return self._signed({"iss": ISSUER, "aud": audience, **_who(tenant, user, roles)}, now)

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
        """An id token, which tells a client who signed in. No API accepts it.

        Its ``login_hint`` claim lets the user sign in again without typing.
        """
        claims = {"iss": issuer, "aud": client_id, **_who(tenant, user, roles)}
        claims |= {"auth_time": int(now.timestamp()), "login_hint": f"{tenant}/{user}"}
        return self._signed(claims | ({"nonce": nonce} if nonce else {}), now)

    def derived_key(self, purpose: str) -> bytes:
        """A secret key for one purpose, the same as long as the data folder is."""
        secret = self._key.private_numbers().d.to_bytes(256, "big")
        return HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode()).derive(secret)

    def jwks(self) -> dict[str, Any]:
        """The JSON Web Key Set with which an authorizer verifies the tokens."""
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
        # If two processes start at once, only one link succeeds. No process ever sees half a key.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
