from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import RSAAlgorithm

from edge.auth.jwks import (
    MAX_AGE_S,
    MAX_BYTES,
    REFETCH_AFTER_S,
    STALE_KEYS_MAX_AGE_S,
    KeySet,
    KeysUnavailable,
)
from tests.fakes.identity.issuers import Issuer, public_jwk
from tests.fakes.run.clocks import ManualClock


def test_keys_are_fetched_once_an_hour(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)

    assert keys.find("rsa", "RS256")
    assert keys.find("ec", "ES256")
    clock.advance(MAX_AGE_S)
    assert keys.find("rsa", "RS256")
    assert issuer.asked == 1
    clock.advance(1)
    assert keys.find("rsa", "RS256")
    assert issuer.asked == 2


def test_a_key_that_is_not_known_yet_is_looked_for_at_once(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)
    issuer.content = issuer.published("ec")
    assert keys.find("rsa", "RS256") is None

    issuer.content = issuer.published("rsa")
    clock.advance(REFETCH_AFTER_S + 1)

    assert keys.find("rsa", "RS256")
    assert keys.find("ec", "ES256") is None


def test_made_up_key_ids_do_not_make_us_ask_again_and_again(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)

    assert not any(keys.find(f"made-up-{number}", "RS256") for number in range(100))
    assert issuer.asked == 1


def test_known_keys_outlive_an_issuer_that_fails_for_a_day(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)
    assert keys.find("rsa", "RS256")

    issuer.status = 500
    clock.advance(STALE_KEYS_MAX_AGE_S - 1)
    assert keys.find("rsa", "RS256")
    clock.advance(2)
    with pytest.raises(KeysUnavailable):
        keys.find("rsa", "RS256")


def test_a_failing_issuer_is_left_alone_for_a_while(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)
    issuer.status = 503

    for _ in range(10):
        with pytest.raises(KeysUnavailable):
            keys.find("rsa", "RS256")
    assert issuer.asked == 1

    issuer.status = 200
    clock.advance(REFETCH_AFTER_S + 1)
    assert keys.find("rsa", "RS256")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"keys":{}}',
        b'{"keys":["x"]}',
        b"\xff",
        b"[" * 100_000,
        b" " * (MAX_BYTES + 1),
    ],
)
def test_what_is_no_key_set_is_as_good_as_no_answer(
    issuer: Issuer, clock: ManualClock, content: bytes
) -> None:
    issuer.content = content

    with pytest.raises(KeysUnavailable):
        KeySet(issuer.url, clock=clock).find("rsa", "RS256")


@pytest.fixture
def patience() -> Iterator[threading.Event]:
    """What a slow issuer waits for: the end of the test."""
    over = threading.Event()
    yield over
    over.set()


def silent(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    over.wait(10)


def dripping_headers(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not over.wait(0.05):
        handler.wfile.write(b"x")


def dripping_body(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n{")
    while not over.wait(0.05):
        handler.wfile.write(b" ")


@pytest.mark.parametrize("slow", [silent, dripping_headers, dripping_body])
def test_nobody_waits_long_for_a_slow_issuer(
    slow: Callable[[BaseHTTPRequestHandler, threading.Event], None],
    patience: threading.Event,
    issuer: Issuer,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = KeySet(issuer.url, clock=clock)
    assert keys.find("rsa", "RS256")
    clock.advance(MAX_AGE_S + 1)
    monkeypatch.setattr("edge.auth.jwks.TIMEOUT_S", 0.3)
    issuer.misbehave = lambda handler: slow(handler, patience)

    began = time.monotonic()
    assert keys.find("rsa", "RS256")
    assert keys.find("made-up", "RS256") is None
    assert 0.3 <= time.monotonic() - began < 2
    assert issuer.asked == 2


def test_of_an_endless_answer_only_the_beginning_is_read(issuer: Issuer, clock: ManualClock) -> None:
    sent = 0

    def endless(handler: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while sent < 100 * MAX_BYTES:
                sent += handler.wfile.write(b" " * 65_536)
        except OSError:
            return

    issuer.misbehave = endless
    with pytest.raises(KeysUnavailable):
        KeySet(issuer.url, clock=clock).find("rsa", "RS256")
    assert sent < 100 * MAX_BYTES


def test_an_issuer_that_is_not_there_is_no_answer(clock: ManualClock) -> None:
    with pytest.raises(KeysUnavailable):
        KeySet("http://127.0.0.1:9/", clock=clock).find("rsa", "RS256")


def test_a_redirect_is_not_followed(issuer: Issuer, clock: ManualClock) -> None:
    issuer.status, issuer.headers = 302, {"Location": f"{issuer.url}/elsewhere"}

    with pytest.raises(KeysUnavailable):
        KeySet(issuer.url, clock=clock).find("rsa", "RS256")
    assert issuer.asked == 1


@pytest.mark.parametrize(
    "change",
    [
        {"use": "enc"},
        {"key_ops": ["sign"]},
        {"key_ops": 5},
        {"alg": "RS512"},
        {"kty": "oct"},
        {"n": "!"},
        {"kid": 5},
        {"k": "c2VjcmV0"},
        {"e": "AQ"},
        {"e": "Ag"},
        {"n": "AQAB"},
    ],
)
def test_a_key_for_something_else_is_not_used(
    issuer: Issuer, clock: ManualClock, change: dict[str, object]
) -> None:
    good = public_jwk(issuer.keys["ec"], "ec")
    issuer.content = json.dumps({"keys": [public_jwk(issuer.keys["rsa"], "rsa") | change, good]}).encode()
    keys = KeySet(issuer.url, clock=clock)

    assert keys.find("rsa", "RS256") is None
    assert keys.find("ec", "ES256")


def test_a_key_serves_one_algorithm(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)

    assert keys.find("rsa", "ES256") is None
    assert keys.find("ec", "RS256") is None


def test_weak_keys_and_other_curves_are_not_used(issuer: Issuer, clock: ManualClock) -> None:
    weak, other = rsa.generate_private_key(65_537, 1_024), ec.generate_private_key(ec.SECP384R1())
    published = [public_jwk(weak, "weak"), public_jwk(other, "other"), public_jwk(issuer.keys["rsa"], "rsa")]
    issuer.content = json.dumps({"keys": published}).encode()
    keys = KeySet(issuer.url, clock=clock)

    assert keys.find("rsa", "RS256")
    assert keys.find("weak", "RS256") is None
    assert keys.find("other", "ES256") is None


def test_a_key_whose_private_half_is_published_is_everybodys(issuer: Issuer, clock: ManualClock) -> None:
    key = issuer.keys["rsa"]
    assert isinstance(key, rsa.RSAPrivateKey)
    parameters = RSAAlgorithm.to_jwk(key, as_dict=True)
    parameters = {name: value for name, value in parameters.items() if name != "key_ops"}
    issuer.content = json.dumps({"keys": [{**parameters, "kid": "rsa"}]}).encode()

    assert KeySet(issuer.url, clock=clock).find("rsa", "RS256") is None


def test_a_key_so_large_that_each_signature_costs_dearly_is_not_used(
    issuer: Issuer, clock: ManualClock
) -> None:
    modulus = base64.urlsafe_b64encode(b"\xff" * (MAX_BYTES // 2)).decode().rstrip("=")
    large = {"kty": "RSA", "kid": "rsa", "n": modulus, "e": "AQAB"}
    issuer.content = json.dumps({"keys": [large]}).encode()

    assert KeySet(issuer.url, clock=clock).find("rsa", "RS256") is None


def test_many_who_ask_at_once_cost_one_request(issuer: Issuer, clock: ManualClock) -> None:
    keys = KeySet(issuer.url, clock=clock)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(keys.find("rsa", "RS256"))) for _ in range(16)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(found)
    assert len(found) == 16
    assert issuer.asked == 1
