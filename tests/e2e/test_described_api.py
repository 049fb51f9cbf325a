"""The API held to its own description, by requests generated from it, over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.fakes.bad_inputs import case
from tests.fakes.twin import Twin

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("described")) as running:
        yield running


@pytest.mark.parametrize(
    "framing",
    [
        case("D11 shorter than told", "Content-Length: 50\r\n\r\n{}"),
        case("D11 no number", "Content-Length: many\r\n\r\n{}"),
        case("D11 two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
        case("D11 garbage for a chunk", "Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n"),
        case("D11 an unknown coding", "Transfer-Encoding: gzip\r\n\r\n{}"),
    ],
)
def test_a_request_that_is_no_http_reaches_nobody(twin: Twin, framing: str) -> None:
    head = f"POST /v1/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {twin.token()}\r\n"
    with socket.create_connection(("127.0.0.1", twin.port), timeout=10) as raw:
        raw.sendall(f"{head}Content-Type: application/json\r\n{framing}".encode())
        raw.shutdown(socket.SHUT_WR)
        status = raw.makefile("rb").readline()
    assert status == b"" or status.split()[1].startswith(b"4")
    assert twin.request("GET", "/health", token=None).status_code == 200
