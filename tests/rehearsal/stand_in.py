"""A stand-in for AWS on loopback: ministack under the functions' own Python, and an issuer of tokens."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import boto3
import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

from tests.fakes.http.servers import free_port
from tests.fakes.identity.issuers import Issuer

REGION = "us-east-1"
READY_WITHIN_S = 90
_MINISTACK = Path(__file__).with_name("unpacked_once.py")
ISSUER = "https://id.example"
"""How the issuer is called in tokens; its keys are served from another address."""


class StandIn(NamedTuple):
    """The stand-in's address, what a shell needs to use it as AWS, and the issuer."""

    endpoint: str
    variables: Mapping[str, str]
    issuer: Issuer
    jwks_url: str
    log: Path

    def client(self, service: str) -> Any:
        """Return a client of one of its services, who may do everything."""
        return boto3.client(
            service,  # type: ignore[call-overload]
            endpoint_url=self.endpoint,
            region_name=REGION,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def token(self, tenant: str, user: str, *roles: str) -> str:
        """Return a token of the issuer for ten minutes."""
        now = int(datetime.now(UTC).timestamp())
        who = {"sub": user, "tenant": tenant, "roles": list(roles)}
        claims = {"iss": ISSUER, "aud": "chat", "iat": now, "exp": now + 600, **who}
        return self.issuer.signed({"kid": "rsa", "alg": "RS256"}, claims)


@contextmanager
def stand_in(python: Path, folder: Path) -> Iterator[StandIn]:
    """Run the stand-in until the block ends. ``python`` has ministack; ``folder`` takes its files."""
    certificate = _certificate(folder)
    with _issuer(certificate) as (issuer, jwks_url):
        port = free_port()
        variables = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "SAM_CLI_TELEMETRY": "0",
        }
        log = folder / "ministack.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(python), "-P", str(_MINISTACK)],
                cwd=folder,
                stdout=output,
                stderr=output,
                env=os.environ
                | variables
                | {
                    "BIND_HOST": "127.0.0.1",
                    "GATEWAY_PORT": str(port),
                    "SFTP_ENABLED": "0",
                    "IOT_MTLS_ENABLED": "0",
                    "LOG_LEVEL": "INFO",
                    "TMPDIR": str(folder),
                    # The functions accept the issuer's certificate beside no other.
                    "SSL_CERT_FILE": str(certificate),
                },
                # A group of its own, which the functions' processes end with.
                start_new_session=True,
            )
        try:
            _wait(f"http://127.0.0.1:{port}/_ministack/health", process, log)
            yield StandIn(f"http://127.0.0.1:{port}", variables, issuer, jwks_url, log)
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, subprocess.TimeoutExpired):
        process.terminate()
        process.wait(timeout=30)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(url, trust_env=False).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"the stand-in did not start\n{log.read_text(errors='replace')[-2000:]}")


def _certificate(folder: Path) -> Path:
    """Return a file with a new key and a certificate for loopback, which signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rehearsal")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "issuer.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    path.chmod(0o600)
    return path


@contextmanager
def _issuer(certificate: Path) -> Iterator[tuple[Issuer, str]]:
    """Yield an issuer and the https address of its keys."""
    keys: dict[str, Any] = {"rsa": rsa.generate_private_key(65_537, 2_048)}
    issuer = Issuer(ISSUER, keys)

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(issuer.content)))
            self.end_headers()
            self.wfile.write(issuer.content)

        def log_message(self, *_args: object) -> None:
            """Log nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ThreadingHTTPServer(("127.0.0.1", 0), Keys) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield issuer, f"https://127.0.0.1:{server.server_port}/jwks.json"
        server.shutdown()
