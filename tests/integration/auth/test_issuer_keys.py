"""How the authorizer gets on with its issuers: rotated keys, made-up ones, issuers that are down. And what it
writes down of tokens: nothing.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from edge.auth.authorizer import Unauthorized
from edge.auth.jwks import MAX_AGE_S, REFETCH_AFTER_S, KeysUnavailable
from tests.fakes.identity.authorizers import LoadedAuthorizer, load_authorizer
from tests.fakes.identity.forged_tokens import (
    Attack,
    Scene,
    by_stranger,
    claims,
    header,
    shared_secret,
    signature,
)
from tests.fakes.identity.issuers import Issuer, serve_issuer
from tests.fakes.run.clocks import ManualClock

pytestmark = pytest.mark.slow


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with serve_issuer() as serving:
        yield serving


@pytest.fixture
def other() -> Iterator[Issuer]:
    with serve_issuer() as serving:
        yield serving


@pytest.fixture
def authorizer(issuer: Issuer, other: Issuer, tmp_path: Path) -> LoadedAuthorizer:
    """As after a cold start."""
    return load_authorizer(tmp_path, ManualClock(), issuer, other)


def lets_in(authorizer: LoadedAuthorizer, token: str) -> bool:
    try:
        authorizer.context_of(f"Bearer {token}")
    except Unauthorized:
        return False
    return True


def test_a_rotated_key_is_known_within_half_a_minute_and_the_old_one_goes_within_an_hour(
    issuer: Issuer, authorizer: LoadedAuthorizer
) -> None:
    clock = authorizer.clock
    assert lets_in(authorizer, issuer.token(clock.now()))

    issuer.keys = {**issuer.keys, "next": rsa.generate_private_key(65_537, 2_048)}
    issuer.content = issuer.published("rsa", "next")
    clock.advance(REFETCH_AFTER_S + 1)
    assert lets_in(authorizer, issuer.token(clock.now(), key_id="next"))
    assert lets_in(authorizer, issuer.token(clock.now()))

    issuer.content = issuer.published("next")
    clock.advance(MAX_AGE_S + 1)
    assert lets_in(authorizer, issuer.token(clock.now(), key_id="next"))
    assert not lets_in(authorizer, issuer.token(clock.now()))


def test_ten_minutes_of_made_up_keys_cost_a_request_in_half_a_minute_and_lock_nobody_out(
    issuer: Issuer, other: Issuer, authorizer: LoadedAuthorizer
) -> None:
    for second in range(600):
        scene = Scene(issuer, other, authorizer.clock.now())
        assert not lets_in(authorizer, header(kid=f"made-up-{second}")(scene))
        if second % 60 == 0:
            assert lets_in(authorizer, scene.good)
        authorizer.clock.advance(1)

    assert issuer.asked <= 600 / REFETCH_AFTER_S + 1
    assert other.asked == 0


def test_who_is_no_issuer_of_ours_makes_nobody_ask_anything(
    issuer: Issuer, other: Issuer, tmp_path: Path
) -> None:
    authorizer = load_authorizer(tmp_path, ManualClock(), issuer)
    scene = Scene(issuer, other, authorizer.clock.now())
    addresses = {"jku": f"{other.url}/keys", "x5u": f"{other.url}/certificate"}
    assert not lets_in(authorizer, other.token(authorizer.clock.now()))
    assert not lets_in(authorizer, header(**addresses)(scene))
    assert not lets_in(authorizer, by_stranger(**addresses)(scene))
    assert (issuer.asked, other.asked) == (0, 0)


def test_an_issuer_that_is_down_concerns_its_own_users_only(
    issuer: Issuer, other: Issuer, authorizer: LoadedAuthorizer
) -> None:
    issuer.status = 503
    with pytest.raises(KeysUnavailable):
        lets_in(authorizer, issuer.token(authorizer.clock.now()))
    assert lets_in(authorizer, other.token(authorizer.clock.now()))

    issuer.status = 200
    authorizer.clock.advance(REFETCH_AFTER_S + 1)
    assert lets_in(authorizer, issuer.token(authorizer.clock.now()))


def test_an_issuer_that_points_to_another_is_not_followed_there(
    issuer: Issuer, other: Issuer, authorizer: LoadedAuthorizer
) -> None:
    issuer.status, issuer.headers = 302, {"Location": other.url}
    with pytest.raises(KeysUnavailable):
        lets_in(authorizer, other.token(authorizer.clock.now(), changes={"iss": issuer.url}))
    assert (issuer.asked, other.asked) == (1, 0)


def test_a_published_secret_signs_nothing(
    issuer: Issuer, other: Issuer, authorizer: LoadedAuthorizer
) -> None:
    keys = json.loads(issuer.published("rsa"))["keys"]
    issuer.content = json.dumps(
        {"keys": [*keys, {"kty": "oct", "kid": "secret", "k": "c2VjcmV0", "alg": "HS256"}]}
    ).encode()
    scene = Scene(issuer, other, authorizer.clock.now())
    for algorithm in ("HS256", "RS256"):
        assert not lets_in(authorizer, shared_secret(lambda _: b"secret", algorithm, key_id="secret")(scene))
    assert lets_in(authorizer, scene.good)


CANARY = "canary-7f3a"
TOLD = {name: f"{CANARY}-{name}" for name in ("email", "jti", "name", "nonce")}
LEAKS: dict[str, Attack] = {
    "good": claims(sub=f"{CANARY}-sub", tenant=f"{CANARY}-tenant", roles=[f"{CANARY}-role"], **TOLD),
    "expired": claims(exp=1, **TOLD),
    "another audience": claims(aud=CANARY, **TOLD),
    "another issuer": claims(iss=f"https://{CANARY}.example", **TOLD),
    "another key": header(kid=CANARY, **TOLD),
    "another algorithm": header(alg=CANARY),
    "another type": header(typ=CANARY),
    "no tenant": claims(tenant=f"{CANARY}#", **TOLD),
    "no user": claims(sub=f"{CANARY}\n", **TOLD),
    "a bad signature": signature(lambda text: "A" * len(text)),
    "no token": lambda scene: f"{CANARY}.{CANARY}.{CANARY}",
    "no JSON": lambda scene: scene.issuer.signed(scene.header, f"{{{CANARY}".encode()),
}


@pytest.mark.parametrize("is_down", [False, True], ids=["", "issuer down"])
@pytest.mark.parametrize("name", LEAKS)
def test_nothing_of_a_token_is_written_down(
    name: str,
    issuer: Issuer,
    other: Issuer,
    authorizer: LoadedAuthorizer,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    *,
    is_down: bool,
) -> None:
    caplog.set_level(logging.DEBUG)
    issuer.status = 500 if is_down else 200
    token = LEAKS[name](Scene(issuer, other, authorizer.clock.now()))
    said = ""
    try:
        authorizer.handle({"authorizationToken": f"Bearer {token}"})
    except (Unauthorized, KeysUnavailable) as error:
        # Lambda writes down what a function ends with, and what that came of.
        said = "".join(traceback.format_exception(error))
    written = [str(vars(record)) for record in caplog.records] + [*capsys.readouterr(), said]

    kept_back = [CANARY, *(part for part in token.split(".") if len(part) > 8)]
    assert not [text for text in written for word in kept_back if word in text]
