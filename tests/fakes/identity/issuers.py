"""A token issuer on loopback that serves its keys over real HTTP and really signs its tokens."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

AUDIENCE = "chat"

PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def public_jwk(key: PrivateKey, key_id: str, **members: object) -> dict[str, Any]:
    """Return the public half of a key as an issuer publishes it."""
    if isinstance(key, rsa.RSAPrivateKey):
        parameters = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        parameters = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {key: value for key, value in parameters.items() if key != "key_ops"} | {"kid": key_id, **members}


def segment(content: object) -> str:
    """Encode a segment of a token: bytes as they are, anything else as JSON."""
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Issuer:
    """Serves ``content`` with ``status``, or answers with ``misbehave``; counts its requests."""

    def __init__(self, url: str, keys: Mapping[str, PrivateKey]) -> None:
        self.url = url
        self.keys = keys
        self.asked = 0
        self.status = 200
        self.headers: dict[str, str] = {}
        self.content = self.published(*keys)
        self.misbehave: Callable[[BaseHTTPRequestHandler], None] | None = None

    def published(self, *key_ids: str) -> bytes:
        """Return the key set with these keys."""
        return json.dumps({"keys": [public_jwk(self.keys[key_id], key_id) for key_id in key_ids]}).encode()

    def claims(self, now: datetime, **changes: object) -> dict[str, Any]:
        """Return the claims of a valid token; a change to ``...`` removes the claim."""
        issued = int(now.timestamp())
        claims = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": "maya",
            "tenant": "acme",
            "iat": issued,
            "exp": issued + 3_600,
        }
        return {name: value for name, value in {**claims, **changes}.items() if value is not ...}

    def token(
        self,
        now: datetime,
        *,
        key_id: str = "rsa",
        algorithm: str = "RS256",
        header: Mapping[str, Any] | None = None,
        changes: Mapping[str, object] | None = None,
    ) -> str:
        """Return a signed token with the given changes to its claims and header."""
        claims = self.claims(now, **(changes or {}))
        headers = {"kid": key_id, **(header or {})}
        return jwt.encode(claims, self.keys[key_id], algorithm=algorithm, headers=headers)

    def signed(
        self, header: object, payload: object, *, key_id: str = "rsa", algorithm: str = "RS256"
    ) -> str:
        """Return a token with a valid signature over any parts.

        A part is bytes, a JSON value, or a text that is an encoded segment already.
        """
        parts = [part if isinstance(part, str) else segment(part) for part in (header, payload)]
        signature = jwt.get_algorithm_by_name(algorithm).sign(".".join(parts).encode(), self.keys[key_id])
        return ".".join([*parts, segment(signature)])


@contextmanager
def serve_issuer() -> Iterator[Issuer]:
    """Yield an issuer with an RSA and an EC key."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            issuer.asked += 1
            if issuer.misbehave is not None:
                issuer.misbehave(self)
                return
            self.send_response(issuer.status)
            for name, value in {"Content-Length": str(len(issuer.content)), **issuer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(issuer.content)

        def log_message(self, *_args: object) -> None:
            """Log nothing."""

    keys: dict[str, PrivateKey] = {
        "rsa": rsa.generate_private_key(65_537, 2_048),
        "ec": ec.generate_private_key(ec.SECP256R1()),
    }
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer = Issuer(f"http://127.0.0.1:{server.server_port}", keys)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield issuer
        server.shutdown()
        thread.join()
