"""Tokens with real signatures, checked with keys fetched over real HTTP. What attackers send is in
`tests.integration.test_token_attacks`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from edge.auth.jwks import KeySet
from edge.auth.tokens import MAX_TOKEN_CHARACTERS, TokenRejected, TokenVerifier, parse_bearer
from tests.fakes.identity.issuers import AUDIENCE, Issuer, segment
from tests.fakes.run.clocks import ManualClock

BOTH = ("RS256", "ES256")


def verifier(issuer: Issuer, clock: ManualClock, algorithms: Sequence[str] = BOTH) -> TokenVerifier:
    keys = {issuer.url: KeySet(issuer.url, clock=clock)}
    return TokenVerifier(issuers=keys, audience=AUDIENCE, algorithms=algorithms, clock=clock)


def is_refused(token: str, issuer: Issuer, clock: ManualClock, algorithms: Sequence[str] = BOTH) -> bool:
    with pytest.raises(TokenRejected):
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


def test_an_algorithm_that_is_not_configured_is_refused_even_with_a_good_signature(
    issuer: Issuer, clock: ManualClock
) -> None:
    token = issuer.token(clock.now(), key_id="ec", algorithm="ES256")

    assert verifier(issuer, clock).verify(token)
    assert is_refused(token, issuer, clock, ["RS256"])


def test_what_is_cheap_to_refuse_makes_nobody_ask_for_keys(issuer: Issuer, clock: ManualClock) -> None:
    now = clock.now()
    good = issuer.token(now)
    for token in (
        "a.b",
        f"{good}.AAAA",
        f"{segment({'alg': 'none', 'kid': 'rsa'})}.{segment(issuer.claims(now))}.AAAA",
        f"{segment({'alg': 'RS256'})}.{segment(issuer.claims(now))}.AAAA",
        f"{segment({'alg': 'RS256', 'kid': 'rsa'})}.{segment([])}.AAAA",
        good + "=",
        issuer.token(now, header={"jku": f"{issuer.url}/keys"}),
        issuer.token(now, header={"typ": "logout+jwt"}),
        issuer.token(now, changes={"iss": issuer.url.upper()}),
    ):
        assert is_refused(token, issuer, clock)
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


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic abc", "a.b.c", "bearer" + "x" * 9])
def test_only_a_bearer_token_is_looked_at(header: str) -> None:
    with pytest.raises(TokenRejected):
        parse_bearer(header)


def test_a_token_may_be_so_long_and_no_longer() -> None:
    assert parse_bearer("Bearer " + "a" * MAX_TOKEN_CHARACTERS)
    with pytest.raises(TokenRejected):
        parse_bearer("Bearer " + "a" * (MAX_TOKEN_CHARACTERS + 1))
