"""The one way out: which addresses are never spoken to, and what may come back from the others."""

from __future__ import annotations

import gzip
import ssl
import threading
import tracemalloc
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address
from pathlib import Path
from time import perf_counter

import pytest

from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.identity.certificates import self_signed
from tests.fakes.run.bad_inputs import row
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError, is_public

PUBLIC = "93.184.216.34"
TWIN = OutboundClient(allow_loopback=True)


def resolving(*addresses: str) -> OutboundClient:
    """A way out of a deployment, in a world where every name has these addresses."""
    return OutboundClient(allow_loopback=False, resolve=lambda _host, _port: addresses)


def never(_host: str, _port: int) -> Sequence[str]:
    raise AssertionError("nothing is to be resolved")


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(OutboundError) as error:
        call()
    return error.value.code


@row("K11")
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "169.254.169.254",
        "169.254.170.2",
        "[::1]",
        "[fd00:ec2::254]",
        "10.0.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "198.18.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[ff02::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:a9fe:a9fe]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::a9fe:a9fe]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[2001:db8::1]",
    ],
)
def test_addresses_that_are_not_public_are_refused_unresolved(host: str) -> None:
    outbound = OutboundClient(allow_loopback=False, resolve=never)
    assert refused(lambda: outbound.check_url(f"https://{host}/")) == "url_blocked"
    assert refused(lambda: outbound.check_url(f"http://{host}/")) == "url_blocked"


@row("K13", "K14")
@pytest.mark.parametrize(
    "host",
    [
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "127.1",
        "017700000001",
        "0x7f000001",
        "127.0.0.1.",
        "127.0.0.01",
        "\uff11\uff12\uff17.\uff10.\uff10.\uff11",
        "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460",
        "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54",
        "user@169.254.169.254",
        "user:pass@example.com",
        "example.com\\@169.254.169.254",
        "example.com%00.internal",
        "exa\tmple.com",
        "exa mple.com",
        "exa\nmple.com",
        "[::1%25lo]",
        "[::1",
        "",
        "example..com",
        "-example.com",
        "a" * 64 + ".com",
        "example.com:22",
        "example.com:0",
        "example.com:70000",
        "example.com:port",
    ],
)
def test_spellings_that_two_programs_could_read_in_two_ways_are_refused(host: str) -> None:
    outbound = OutboundClient(allow_loopback=False, resolve=never)
    assert refused(lambda: outbound.check_url(f"https://{host}/")) == "url_blocked"


@row("K16")
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "gopher://example.com/",
        "ftp://example.com/",
        "data:text/plain,hello",
        "http://example.com:22/",
        "http://example.com/",
        "javascript:alert(1)",
        "//example.com/",
        "example.com",
    ],
)
def test_only_https_goes_out(url: str) -> None:
    assert (
        refused(lambda: OutboundClient(allow_loopback=False, resolve=never).check_url(url))
        == "scheme_blocked"
    )


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",),
        ("169.254.169.254",),
        ("::ffff:10.0.0.1",),
        (PUBLIC, "10.0.0.1"),
        ("10.0.0.1", PUBLIC),
    ],
)
def test_a_name_with_any_address_that_is_not_public_is_refused(addresses: tuple[str, ...]) -> None:
    assert refused(lambda: resolving(*addresses).check_url("https://rebind.example/")) == "url_blocked"


def test_a_public_name_passes_and_an_unknown_one_is_unreachable() -> None:
    resolving(PUBLIC, "2606:2800:220:1::1").check_url("https://example.com:8443/a?b=c#d")
    assert refused(lambda: resolving().check_url("https://example.com/")) == "unreachable"


def test_a_name_that_nobody_resolves_in_time_is_given_up() -> None:
    end = threading.Event()

    def hang(_host: str, _port: int) -> Sequence[str]:
        end.wait(30)
        return [PUBLIC]

    outbound = OutboundClient(allow_loopback=False, resolve=hang)
    assert refused(lambda: outbound.get("https://slow.example/", timeout_s=0.05)) == "timeout"
    end.set()


def test_the_twin_may_speak_to_this_machine_but_to_nothing_else_over_http() -> None:
    twin = OutboundClient(allow_loopback=True, resolve=lambda _host, _port: [PUBLIC])
    twin.check_url("http://127.0.0.1:9000/")
    twin.check_url("http://[::1]:9000/")
    assert refused(lambda: twin.check_url("http://example.com/")) == "scheme_blocked"
    assert refused(lambda: twin.check_url("http://10.0.0.1/")) == "url_blocked"
    assert refused(lambda: twin.check_url("http://169.254.169.254/")) == "url_blocked"


def test_ordinary_addresses_are_public() -> None:
    for text in (PUBLIC, "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"):
        assert is_public(ip_address(text))


def test_a_post_arrives_whole_and_its_answer_comes_back() -> None:
    with Site(fixed_answer(b'{"ok": true}', status=202, X_Trace="1")) as site:
        answer = TWIN.post(site.url("/hook?a=b"), b"hello", {"Content-Type": "text/plain", "host": "evil"})
    assert (answer.status, answer.headers["x-trace"], answer.body) == (202, "1", b'{"ok": true}')
    [seen] = site.requests
    assert (seen.method, seen.path, seen.body) == ("POST", "/hook?a=b", b"hello")
    assert seen.headers["host"] == f"127.0.0.1:{site.port}"
    assert seen.headers["content-type"] == "text/plain"


@row("K17")
def test_an_answer_larger_than_allowed_is_cut_off() -> None:
    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(50):
            handler.wfile.write(b"x" * 1_000_000)

    with Site(flood) as site:
        assert refused(lambda: TWIN.get(site.url())) == "too_large"


@row("K17")
def test_a_gzip_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"0" * 50_000_000)
    with Site(fixed_answer(bomb, Content_Encoding="gzip")) as site:
        tracemalloc.start()
        assert refused(lambda: TWIN.get(site.url())) == "too_large"
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak_bytes < 5_000_000


def test_a_compressed_answer_of_decent_size_is_read() -> None:
    with Site(fixed_answer(gzip.compress(b"hello"), Content_Encoding="gzip")) as site:
        assert TWIN.get(site.url()).body == b"hello"


@row("K17")
@pytest.mark.parametrize("part", ["headers", "body"])
def test_a_server_that_drips_is_left_when_the_time_is_over(part: str) -> None:
    stop = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        if part == "body":
            handler.send_response(200)
            handler.end_headers()
        else:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-A: ")
        while not stop.wait(0.02):
            handler.wfile.write(b"x")

    with Site(drip) as site:
        started = perf_counter()
        assert refused(lambda: TWIN.get(site.url(), timeout_s=0.3)) == "timeout"
        assert perf_counter() - started < 3
        stop.set()


@row("K17")
def test_endless_headers_come_to_an_end() -> None:
    def headers(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            handler.wfile.write(b"X-%d: %s\r\n" % (number, b"x" * 1_000))

    with Site(headers) as site:
        assert refused(lambda: TWIN.get(site.url(), max_bytes=10)) in ("too_large", "unreachable")


def test_nobody_there_and_nonsense_are_unreachable() -> None:
    def nonsense(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"SSH-2.0-nonsense\r\n")

    with Site(nonsense) as site:
        assert refused(lambda: TWIN.get(site.url())) == "unreachable"
        gone = site.url()
    assert refused(lambda: TWIN.get(gone)) == "unreachable"


def test_a_redirect_is_followed_with_what_its_status_allows() -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        status = {"/again": 307, "/see": 303}.get(handler.path)
        (fixed_answer(b"", status=status, Location="/end") if status else fixed_answer(b"end"))(handler)

    with Site(answer) as site:
        assert TWIN.post(site.url("/again"), b"x").body == b"end"
        assert TWIN.post(site.url("/see"), b"x").body == b"end"
    assert [(seen.method, seen.path, seen.body) for seen in site.requests] == [
        ("POST", "/again", b"x"),
        ("POST", "/end", b"x"),
        ("POST", "/see", b"x"),
        ("GET", "/end", b""),
    ]


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("http://169.254.169.254/latest/meta-data/", "url_blocked"),
        ("http://10.0.0.1/", "url_blocked"),
        ("http://2130706433/", "url_blocked"),
        ("http://user@example.com/", "url_blocked"),
        ("file:///etc/passwd", "scheme_blocked"),
        ("/", "unreachable"),
    ],
)
def test_a_redirect_leads_nowhere_a_request_might_not_go(target: str, code: str) -> None:
    with Site(fixed_answer(b"", status=302, Location=target)) as site:
        assert refused(lambda: TWIN.get(site.url())) == code
    assert len(site.requests) <= 4


def test_a_key_does_not_follow_a_redirect_to_another_server() -> None:
    with (
        Site(fixed_answer(b"")) as other,
        Site(fixed_answer(b"", status=307, Location=other.url())) as site,
    ):
        TWIN.post(site.url(), b"{}", {"Authorization": "Bearer k", "Content-Type": "application/json"})
    [seen] = other.requests
    assert "authorization" not in seen.headers
    assert seen.headers["content-type"] == "application/json"


def test_with_hosts_named_no_other_is_spoken_to_even_after_a_redirect() -> None:
    with Site(fixed_answer(b"", status=307, Location="http://localhost:9999/")) as site:
        assert refused(lambda: TWIN.get(site.url(), hosts={"127.0.0.1"})) == "url_blocked"
        assert refused(lambda: TWIN.get(site.url(), hosts={"api.example"})) == "url_blocked"
    assert len(site.requests) == 1


def test_a_header_that_can_not_be_sent_is_refused_without_being_repeated() -> None:
    with Site(fixed_answer(b"")) as site, pytest.raises(OutboundError) as error:
        TWIN.post(site.url(), b"", {"X-Secret": "k\r\nX-Other: 1"})
    assert "X-Other" not in str(error.value)
    assert site.requests == []


def test_the_checked_address_is_connected_to_and_the_certificate_is_the_names(tmp_path: Path) -> None:
    pem = self_signed(tmp_path, "hooks.example")
    server, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=str(pem))
    server.load_cert_chain(pem)
    # A second look-up of a name would get an address that is not allowed.
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])

    def resolve(_host: str, _port: int) -> Sequence[str]:
        return next(answers)

    with Site(fixed_answer(b"hello"), tls=server) as site:
        outbound = OutboundClient(allow_loopback=True, resolve=resolve, tls=lambda: trusting)
        assert outbound.get(f"https://hooks.example:{site.port}/").body == b"hello"
        assert site.requests[0].headers["host"] == f"hooks.example:{site.port}"
        another = OutboundClient(allow_loopback=True, resolve=lambda *_: ["127.0.0.1"], tls=lambda: trusting)
        assert refused(lambda: another.get(f"https://other.example:{site.port}/")) == "unreachable"
