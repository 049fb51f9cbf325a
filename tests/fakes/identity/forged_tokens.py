"""Forged tokens: each differs from a valid one in one respect."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from tests.fakes.identity.issuers import Issuer, segment

STRANGER = rsa.generate_private_key(65_537, 2_048)
P384 = ec.generate_private_key(ec.SECP384R1())
HOUR = 3_600


class Scene(NamedTuple):
    """What an attacker knows: how a valid token is made, and the issuers' public keys."""

    issuer: Issuer
    other: Issuer
    now: datetime

    @property
    def seconds(self) -> int:
        return int(self.now.timestamp())

    @property
    def header(self) -> dict[str, Any]:
        return {"alg": "RS256", "kid": "rsa", "typ": "JWT"}

    @property
    def claims(self) -> dict[str, Any]:
        return self.issuer.claims(self.now)

    @property
    def good(self) -> str:
        return self.issuer.signed(self.header, self.claims)


Attack = Callable[[Scene], str]


def with_changes(members: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**members, **changes}.items() if value is not ...}


def header(key_id: str = "rsa", algorithm: str = "RS256", **changes: Any) -> Attack:
    """A valid signature over a changed header; ``...`` removes a member."""

    def forge(scene: Scene) -> str:
        members = with_changes({**scene.header, "alg": algorithm, "kid": key_id}, changes)
        return scene.issuer.signed(members, scene.claims, key_id=key_id, algorithm=algorithm)

    return forge


def claims(**changes: Any) -> Attack:
    """A valid signature over changed claims; ``...`` removes one."""
    return lambda scene: scene.issuer.signed(scene.header, with_changes(scene.claims, changes))


def with_header(name: str, *values: Any) -> dict[str, Attack]:
    """An attack for each value of a member of the header."""
    return {f"header {name} {str(value)[:30]!r}": header(**{name: value}) for value in values}


def with_claim(name: str, *values: Any) -> dict[str, Attack]:
    """An attack for each value of a claim."""
    return {f"claim {name} {value!r}": claims(**{name: value}) for value in values}


def time_claims(**offsets: int) -> Attack:
    """Time claims with these offsets from now in seconds."""
    return lambda scene: claims(**{name: scene.seconds + value for name, value in offsets.items()})(scene)


def raw_claim(name: str, text: str) -> Attack:
    """A claim with raw JSON text that no serializer would write."""

    def forge(scene: Scene) -> str:
        payload = json.dumps(with_changes(scene.claims, {name: "@"})).replace('"@"', text)
        return scene.issuer.signed(scene.header, payload.encode())

    return forge


def duplicate_member(part: str, name: str, value: Any) -> Attack:
    """A member that occurs twice, first with another value."""

    def forge(scene: Scene) -> str:
        parts = {"header": scene.header, "claims": scene.claims}
        text = json.dumps(parts[part]).replace("{", "{" + f"{json.dumps(name)}:{json.dumps(value)},", 1)
        raw: dict[str, Any] = {**parts, part: text.encode()}
        return scene.issuer.signed(raw["header"], raw["claims"])

    return forge


def shared_secret(secret: Callable[[Scene], bytes], algorithm: str = "HS256", key_id: str = "rsa") -> Attack:
    """A token signed with public data as the shared secret."""

    def forge(scene: Scene) -> str:
        content = f"{segment({**scene.header, 'alg': algorithm, 'kid': key_id})}.{segment(scene.claims)}"
        return f"{content}.{segment(hmac.digest(secret(scene), content.encode(), hashlib.sha256))}"

    return forge


def public_bytes(
    encoding: serialization.Encoding, form: serialization.PublicFormat
) -> Callable[[Scene], bytes]:
    return lambda scene: scene.issuer.keys["rsa"].public_key().public_bytes(encoding, form)


def by_stranger(**members: Any) -> Attack:
    """A token signed with the attacker's own key, to which the header refers."""

    def forge(scene: Scene) -> str:
        return jwt.encode(scene.claims, STRANGER, "RS256", headers={"kid": "rsa", **members})

    return forge


def signature(change: Callable[[str], str], key_id: str = "rsa", algorithm: str = "RS256") -> Attack:
    """A valid token with a changed signature."""

    def forge(scene: Scene) -> str:
        good = header(key_id, algorithm)(scene)
        content, _, signed = good.rpartition(".")
        return f"{content}.{change(signed)}"

    return forge


def respelled_segment(number: int, change: Callable[[str], str]) -> Attack:
    """A segment that encodes the same bytes in other characters; the signature covers that spelling."""

    def forge(scene: Scene) -> str:
        parts = scene.good.split(".")
        parts[number] = change(parts[number])
        return ".".join(parts) if number == 2 else scene.issuer.signed(parts[0], parts[1])

    return forge


def other_last_bits(text: str) -> str:
    """Change the unused bits in the last character of a segment."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    assert len(text) % 4
    return text[:-1] + alphabet[alphabet.index(text[-1]) | 1]


def with_spare_bits(scene: Scene) -> str:
    """A header whose length leaves unused bits in its last character."""
    raw = json.dumps(scene.header).encode()
    raw += b" " * (1 if len(raw) % 3 == 0 else 0)
    return scene.issuer.signed(other_last_bits(segment(raw)), scene.claims)


def pss(scene: Scene) -> str:
    key = scene.issuer.keys["rsa"]
    assert isinstance(key, rsa.RSAPrivateKey)
    content = f"{segment(scene.header)}.{segment(scene.claims)}"
    filled = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    return f"{content}.{segment(key.sign(content.encode(), filled, hashes.SHA256()))}"


def in_der(scene: Scene) -> str:
    """An ECDSA signature in DER, as in certificates, instead of the raw form of tokens."""
    key = scene.issuer.keys["ec"]
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    content = f"{segment({**scene.header, 'alg': 'ES256', 'kid': 'ec'})}.{segment(scene.claims)}"
    return f"{content}.{segment(key.sign(content.encode(), ec.ECDSA(hashes.SHA256())))}"


def on_another_curve(scene: Scene) -> str:
    return jwt.encode(scene.claims, P384, "ES384", headers={"kid": "ec"})


def by_the_other_issuer(scene: Scene) -> str:
    return scene.other.signed(scene.header, scene.claims)


def in_the_other_issuers_name(scene: Scene) -> str:
    return claims(iss=scene.other.url)(scene)


def nested_token(scene: Scene) -> str:
    return scene.issuer.signed({**scene.header, "cty": "JWT"}, scene.good.encode())


def another_tenant(scene: Scene) -> str:
    head, _, signed = scene.good.split(".")
    return f"{head}.{segment({**scene.claims, 'tenant': 'other'})}.{signed}"


def issuer_like(change: Callable[[str], Any]) -> Attack:
    return lambda scene: claims(iss=change(scene.issuer.url))(scene)


PEM = public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
DER = public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
PKCS1 = public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1)
