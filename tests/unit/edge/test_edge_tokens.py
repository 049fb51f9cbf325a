"""Tokens with real signatures, checked with keys fetched over real HTTP. Source of the attacks: RFC 8725."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from edge.jwks import KeySet
from edge.tokens import MAX_TOKEN_CHARACTERS, TokenRefused, TokenVerifier, bearer
from tests.fakes.clocks import ManualClock
from tests.fakes.issuers import AUDIENCE, Issuer, public_jwk, segment

BOTH = ("RS256", "ES256")


def verifier(issuer: Issuer, clock: ManualClock, algorithms: Sequence[str] = BOTH) -> TokenVerifier:
    keys = {issuer.url: KeySet(issuer.url, clock=clock)}
    return TokenVerifier(issuers=keys, audience=AUDIENCE, algorithms=algorithms, clock=clock)


def is_refused(token: str, issuer: Issuer, clock: ManualClock, algorithms: Sequence[str] = BOTH) -> bool:
    with pytest.raises(TokenRefused):
        verifier(issuer, clock, algorithms).verify(token)
    return True


@pytest.mark.parametrize(("key_id", "algorithm"), [("rsa", "RS256"), ("ec", "ES256")])
def test_a_good_token_tells_its_claims(
    issuer: Issuer, clock: ManualClock, key_id: str, algorithm: str
) -> None:
    token = issuer.token(clock.now(), key_id=key_id, algorithm=algorithm, changes={"roles": ["admin"]})

    assert verifier(issuer, clock).verify(token) == issuer.claims(clock.now(), roles=["admin"])


@pytest.mark.parametrize("audience", [AUDIENCE, ["other", AUDIENCE]])
def test_the_audience_may_be_one_of_several(issuer: Issuer, clock: ManualClock, audience: object) -> None:
    assert verifier(issuer, clock).verify(issuer.token(clock.now(), changes={"aud": audience}))


@pytest.mark.parametrize("token", ["", ".", "..", "a.b", "a.b.c.d", "a.b.c.d.e", "a..c", "é.é.é", "a b.c.d"])
def test_what_has_not_three_parts_is_no_token(issuer: Issuer, clock: ManualClock, token: str) -> None:
    assert is_refused(token, issuer, clock)
    assert issuer.asked == 0


@pytest.mark.parametrize(
    "algorithm", ["none", "None", "nOnE", "", None, 1, ["RS256"], "HS256", "PS256", "RS512", "rs256"]
)
def test_only_the_configured_algorithms_count(issuer: Issuer, clock: ManualClock, algorithm: object) -> None:
    signature = issuer.token(clock.now()).rpartition(".")[2]
    token = f"{segment({'alg': algorithm, 'kid': 'rsa'})}.{segment(issuer.claims(clock.now()))}"

    assert is_refused(f"{token}.{signature}", issuer, clock)
    assert issuer.asked == 0


def test_an_algorithm_that_is_not_configured_is_refused_even_with_a_good_signature(
    issuer: Issuer, clock: ManualClock
) -> None:
    assert is_refused(issuer.token(clock.now(), key_id="ec", algorithm="ES256"), issuer, clock, ["RS256"])
    assert is_refused(issuer.token(clock.now(), algorithm="RS512"), issuer, clock)
    assert is_refused(issuer.token(clock.now(), algorithm="PS256"), issuer, clock)


def test_a_header_without_an_algorithm_is_refused(issuer: Issuer, clock: ManualClock) -> None:
    assert is_refused(f"{segment({'kid': 'rsa'})}.{segment(issuer.claims(clock.now()))}.AAAA", issuer, clock)


@pytest.mark.parametrize("algorithm", ["HS256", "RS256"])
def test_the_public_key_is_no_shared_secret(issuer: Issuer, clock: ManualClock, algorithm: str) -> None:
    public = issuer.keys["rsa"].public_key()
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    signed = f"{segment({'alg': algorithm, 'kid': 'rsa'})}.{segment(issuer.claims(clock.now()))}"
    for secret in (pem, b""):
        signature = segment(hmac.digest(secret, signed.encode(), hashlib.sha256))
        assert is_refused(f"{signed}.{signature}", issuer, clock)


@pytest.mark.parametrize(
    "damage",
    [
        lambda signature: "",
        lambda signature: "AAAA",
        lambda signature: signature[:-4],
        lambda signature: signature[::-1],
        lambda signature: signature + "AAAA",
        lambda signature: segment(bytes(256)),
        lambda signature: segment(bytes(64)),
    ],
)
@pytest.mark.parametrize(("key_id", "algorithm"), [("rsa", "RS256"), ("ec", "ES256")])
def test_a_signature_that_is_not_the_issuers_proves_nothing(
    issuer: Issuer, clock: ManualClock, damage: Callable[[str], str], key_id: str, algorithm: str
) -> None:
    content, _, signature = issuer.token(clock.now(), key_id=key_id, algorithm=algorithm).rpartition(".")

    assert is_refused(f"{content}.{damage(signature)}", issuer, clock)


def test_changed_claims_are_not_signed(issuer: Issuer, clock: ManualClock) -> None:
    header, _, signature = issuer.token(clock.now()).split(".")

    assert is_refused(
        f"{header}.{segment(issuer.claims(clock.now(), tenant='other'))}.{signature}", issuer, clock
    )


def test_somebody_elses_key_under_the_issuers_id_proves_nothing(issuer: Issuer, clock: ManualClock) -> None:
    stranger = rsa.generate_private_key(65_537, 2_048)
    header: dict[str, Any]
    for header in ({}, {"jwk": public_jwk(stranger, "rsa")}):
        token = jwt.encode(issuer.claims(clock.now()), stranger, "RS256", headers={"kid": "rsa", **header})
        assert is_refused(token, issuer, clock)


@pytest.mark.parametrize("name", ["jku", "x5u"])
def test_a_token_makes_nobody_fetch_anything(issuer: Issuer, clock: ManualClock, name: str) -> None:
    token = issuer.token(clock.now(), header={name: f"{issuer.url}/attacker"})

    assert is_refused(token, issuer, clock)
    assert issuer.asked == 0


@pytest.mark.parametrize(
    "header",
    [
        {"crit": ["exp"]},
        {"crit": []},
        {"crit": ["b64"], "b64": False},
        {"x5c": ["MII"]},
        {"kid": ...},
        {"kid": 1},
    ],
)
def test_a_header_that_changes_how_tokens_are_checked_is_refused(
    issuer: Issuer, clock: ManualClock, header: dict[str, Any]
) -> None:
    members = {"alg": "RS256", "kid": "rsa", **header}
    known = {name: value for name, value in members.items() if value is not ...}
    signed = f"{segment(known)}.{segment(issuer.claims(clock.now()))}"
    signature = jwt.get_algorithm_by_name("RS256").sign(signed.encode(), issuer.keys["rsa"])

    assert is_refused(f"{signed}.{segment(signature)}", issuer, clock)


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": ...},
        {"exp": "4102444800"},
        {"exp": True},
        {"exp": None},
        {"exp": 1e15},
        {"exp": 10**18},
        {"exp": 0},
        {"exp": -1},
        {"iat": "0"},
        {"iat": 1.5},
        {"nbf": "0"},
        {"nbf": False},
        {"iss": ...},
        {"iss": "https://iss.evil"},
        {"iss": ["https://iss.evil"]},
        {"aud": ...},
        {"aud": "chat2"},
        {"aud": "cha"},
        {"aud": ["other"]},
        {"aud": None},
        {"sub": ...},
        {"sub": 5},
    ],
)
def test_a_claim_that_is_missing_wrong_or_of_another_type_is_refused(
    issuer: Issuer, clock: ManualClock, changes: dict[str, Any]
) -> None:
    claims = issuer.claims(clock.now(), **changes)
    signed = f"{segment({'alg': 'RS256', 'kid': 'rsa'})}.{segment(claims)}"
    signature = jwt.get_algorithm_by_name("RS256").sign(signed.encode(), issuer.keys["rsa"])

    assert is_refused(f"{signed}.{segment(signature)}", issuer, clock)


def test_an_issuer_is_compared_letter_by_letter(issuer: Issuer, clock: ManualClock) -> None:
    assert is_refused(issuer.token(clock.now(), changes={"iss": f"{issuer.url}/"}), issuer, clock)
    assert is_refused(issuer.token(clock.now(), changes={"iss": issuer.url.upper()}), issuer, clock)
    assert issuer.asked == 0


@pytest.mark.parametrize(
    ("claim", "seconds", "accepted"),
    [
        ("exp", 1, True),
        ("exp", 0, False),
        ("exp", 24 * 3_600, True),
        ("exp", 24 * 3_600 + 1, False),
        ("iat", 60, True),
        ("iat", 61, False),
        ("nbf", 60, True),
        ("nbf", 3_600, False),
    ],
)
def test_times_are_checked_to_the_second(
    issuer: Issuer, clock: ManualClock, claim: str, seconds: int, *, accepted: bool
) -> None:
    token = issuer.token(clock.now(), changes={claim: int(clock.now().timestamp()) + seconds})

    if accepted:
        assert verifier(issuer, clock).verify(token)
    else:
        assert is_refused(token, issuer, clock)


def test_a_token_without_a_birthday_lives_no_longer_than_others(issuer: Issuer, clock: ManualClock) -> None:
    now = int(clock.now().timestamp())

    assert verifier(issuer, clock).verify(
        issuer.token(clock.now(), changes={"iat": ..., "exp": now + 24 * 3_600})
    )
    assert is_refused(
        issuer.token(clock.now(), changes={"iat": ..., "exp": now + 24 * 3_600 + 1}), issuer, clock
    )


@pytest.mark.parametrize(
    "payload", [b"[]", b'"x"', b"1", b"", b"\xff\xfe", b"{", b"{" * 20_000, b'{"a":' * 20_000]
)
def test_claims_that_are_no_object_are_refused(issuer: Issuer, clock: ManualClock, payload: bytes) -> None:
    assert is_refused(f"{segment({'alg': 'RS256', 'kid': 'rsa'})}.{segment(payload)}.AAAA", issuer, clock)
    assert is_refused(f"{segment(payload)}.{segment(issuer.claims(clock.now()))}.AAAA", issuer, clock)
    assert issuer.asked == 0


def test_a_member_named_twice_is_refused(issuer: Issuer, clock: ManualClock) -> None:
    header = b'{"alg":"RS256","kid":"rsa","kid":"rsa"}'
    signed = f"{segment(header)}.{segment(issuer.claims(clock.now()))}"
    signature = jwt.get_algorithm_by_name("RS256").sign(signed.encode(), issuer.keys["rsa"])
    claims = json.dumps(issuer.claims(clock.now())).replace("{", '{"tenant":"other",').encode()
    twice = f"{segment({'alg': 'RS256', 'kid': 'rsa'})}.{segment(claims)}"
    signature_of_twice = jwt.get_algorithm_by_name("RS256").sign(twice.encode(), issuer.keys["rsa"])

    assert is_refused(f"{signed}.{segment(signature)}", issuer, clock)
    assert is_refused(f"{twice}.{segment(signature_of_twice)}", issuer, clock)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic abc",
        "a.b.c",
        "bearer" + "x" * 9,
        "Bearer " + "a" * (MAX_TOKEN_CHARACTERS + 1),
    ],
)
def test_only_one_bearer_token_of_a_sane_size_is_looked_at(header: str) -> None:
    with pytest.raises(TokenRefused):
        bearer(header)


def test_the_scheme_may_be_written_in_any_letter_case(issuer: Issuer, clock: ManualClock) -> None:
    assert bearer("bearer a.b.c") == bearer("BEARER a.b.c") == "a.b.c"


@pytest.mark.parametrize("header", ["Bearer  a.b.c", "Bearer a.b.c d", "Bearer a.b.c "])
def test_a_token_has_no_spaces(issuer: Issuer, clock: ManualClock, header: str) -> None:
    assert is_refused(bearer(header), issuer, clock)
