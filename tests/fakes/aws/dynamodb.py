"""Emulators of DynamoDB, on loopback or in this process, and faults injected into a client's requests.

ministack runs concurrent transactions correctly. moto starts faster but loses writes when threads share it,
so it serves one thread. Neither throttles, conflicts or leaves a batch unprocessed on its own; `Faults` does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config
from botocore.exceptions import ReadTimeoutError
from botocore.retries.standard import ExponentialBackoff
from moto import mock_aws

from storage.dynamodb.table import client_config
from storage.dynamodb.timeouts import BACKGROUND_TIMEOUTS, RequestTimeouts
from tests.fakes.http.servers import free_port

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REGION = "us-east-1"
_START_TIMEOUT_S = 60.0


@contextmanager
def ministack(services: str = "dynamodb") -> Iterator[str]:
    """Yield the endpoint of a server that runs inside the ``with`` block. ``services`` is a comma list."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "BIND_HOST": "127.0.0.1",
            "GATEWAY_PORT": str(port),
            "SERVICES": services,
            "SFTP_ENABLED": "0",
            "IOT_MTLS_ENABLED": "0",
            "LOG_LEVEL": "ERROR",
            "TMPDIR": folder,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "ministack"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            endpoint = f"http://127.0.0.1:{port}"
            _await(f"{endpoint}/_ministack/health", process)
            yield endpoint
        finally:
            process.terminate()
            process.wait()


def dynamo_client(endpoint: str, patience: RequestTimeouts = BACKGROUND_TIMEOUTS) -> DynamoDBClient:
    """Return a client as in production, except for its endpoint and more connections for many threads."""
    config = client_config(patience).merge(Config(max_pool_connections=32, read_timeout=30))
    return _client(config, endpoint)


@contextmanager
def moto_client() -> Iterator[DynamoDBClient]:
    """Yield a client of moto, which runs in this process and serves one thread only."""
    with mock_aws():
        yield _client(client_config())


def _client(config: Config, endpoint: str | None = None) -> DynamoDBClient:
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        config=config,
        region_name=REGION,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )


Answer = Callable[[AWSPreparedRequest], AWSResponse | None]
"""Answers a request in place of the server, or returns None to let it through."""


class Faults:
    """Answers a client's next requests with the given faults, lets the rest through and counts all of them.

    It works below boto3's own retries, so that they really run, but without their delays.
    """

    def __init__(self, client: DynamoDBClient) -> None:
        self.sent: list[str] = []
        self.bodies: list[Any] = []
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        hook: Any = self._on_send
        client.meta.events.register_first("before-send.dynamodb.*", hook)

    def inject(self, *answers: Answer) -> None:
        """Set the faults of the next requests, one each."""
        self._answers.extend(answers)

    def stop(self) -> None:
        """Let all requests through from now on."""
        self._answers.clear()

    def _on_send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse | None:
        with self._lock:
            self.sent.append(_operation(request))
            self.bodies.append(json.loads(_text(request.body)))
            answer = self._answers.pop(0) if self._answers else None
        return answer(request) if answer else None


@contextmanager
def without_retry_delays() -> Iterator[None]:
    """Make boto3 retry without delays inside the ``with`` block."""
    with patch.object(ExponentialBackoff, "delay_amount", return_value=0):
        yield


def error_answer(code: str, status: int = 400, **body: Any) -> Answer:
    """Return an error answer with the given code."""
    return json_answer(
        {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "injected", **body}, status
    )


def cancelled_transaction(*codes: str) -> Answer:
    """Return a cancelled transaction with a reason per action: ``None``, ``TransactionConflict``, …"""
    return error_answer(
        "TransactionCanceledException", CancellationReasons=[{"Code": code} for code in codes]
    )


def json_answer(body: Any, status: int = 200) -> Answer:
    """Return a JSON answer."""

    def respond(request: AWSPreparedRequest) -> AWSResponse:
        headers: Any = {"content-type": "application/x-amz-json-1.0"}
        return AWSResponse(request.url, status, headers, _Raw(json.dumps(body).encode()))

    return respond


def unsent_request(error: Exception) -> Answer:
    """Return a fault with which the request is never sent and fails with this error."""

    def fail(_: AWSPreparedRequest) -> AWSResponse:
        raise error

    return fail


def let_through(_: AWSPreparedRequest) -> None:
    """Inject no fault: the server answers."""


def lost_answer(client: DynamoDBClient) -> Answer:
    """Return a fault with which the server executes the request, but its answer never arrives."""

    def respond(request: AWSPreparedRequest) -> AWSResponse:
        client._endpoint.http_session.send(request)  # type: ignore[attr-defined]
        raise ReadTimeoutError(endpoint_url=request.url)

    return respond


class _Raw:
    """A response body with the interface of urllib3."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self._body


def _operation(request: AWSPreparedRequest) -> str:
    return _text(request.headers["X-Amz-Target"]).split(".")[1]


def _text(sent: object) -> str:
    return sent.decode() if isinstance(sent, bytes) else str(sent)


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    raise RuntimeError("ministack did not start")
