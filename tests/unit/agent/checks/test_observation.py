"""What a check finds at a real server on loopback."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent.checks.check import Check, Expectation
from agent.checks.observation import MAX_PAGE_BYTES, AddressForbidden, Observation, Observer
from conversation.clock import Deadline
from tests.fakes.http.servers import Answering, Site, fixed_answer, free_port
from tests.fakes.identity.certificates import self_signed
from tests.fakes.run.clocks import ManualClock
from tools.outbound.client import OutboundClient

HTML = "text/html"


def look(
    check: Check, *, outbound: OutboundClient | None = None, clock: ManualClock | None = None
) -> Observation:
    clock = clock or ManualClock()
    observer = Observer(outbound=outbound or OutboundClient(allow_loopback=True), clock=clock)
    return observer.observe(check, Deadline.after(clock, 60))


def found_at(answer: Answering, **fields: object) -> Observation:
    with Site(answer) as site:
        return look(Check.model_validate({"url": site.url(), **fields}))


@pytest.mark.parametrize(("status", "is_up"), [(200, True), (204, True), (404, False), (503, False)])
def test_a_server_is_up_when_it_answers_without_an_error(status: int, is_up: bool) -> None:
    found = found_at(fixed_answer(b"", status=status))

    assert (found.is_up, found.reason) == (is_up, f"HTTP {status}")


def test_another_status_than_the_expected_one_is_an_outage() -> None:
    assert found_at(fixed_answer(b"", status=404), expect="status", status=404).is_up
    found = found_at(fixed_answer(b"", status=200), expect="status", status=404)
    assert (found.is_up, found.reason) == (False, "HTTP 200 instead of 404")


def test_a_server_that_is_not_there_is_down() -> None:
    found = look(Check(url=f"http://127.0.0.1:{free_port()}/"))

    assert (found.is_up, found.reason) == (False, "it can't be reached")


@pytest.mark.parametrize(("expect", "holds"), [(Expectation.CONTAINS, True), (Expectation.LACKS, False)])
def test_a_text_is_looked_for_in_what_readers_see(expect: Expectation, holds: bool) -> None:
    answer = fixed_answer(b"<p>In <b>stock</b></p>", Content_Type=HTML)

    assert found_at(answer, expect=expect.value, text="in stock").holds is holds
    assert found_at(answer, expect=expect.value, text="<b>").holds is not holds


def test_an_error_page_says_nothing_of_the_text() -> None:
    found = found_at(fixed_answer(b"in stock", status=500), expect="contains", text="in stock")

    assert (found.is_up, found.holds) == (False, None)


def test_a_page_of_any_size_is_up_and_read_to_a_limit() -> None:
    body = b"begin " + b"x" * (4 * MAX_PAGE_BYTES) + b" end"

    assert found_at(fixed_answer(body)).is_up
    assert found_at(fixed_answer(body), expect="contains", text="begin").holds
    assert found_at(fixed_answer(body), expect="contains", text="end").holds is False


@pytest.mark.parametrize(
    "look_at",
    [
        lambda _site: look(
            Check(url="http://127.0.0.1:8080/"), outbound=OutboundClient(allow_loopback=False)
        ),
        lambda _site: look(Check(url="http://127.0.0.1:9/")),
        lambda _site: look(Check(url="https://169.254.169.254/latest")),
        lambda site: look(Check(url=site.url())),
    ],
    ids=["loopback", "privileged port", "metadata", "redirect to a private address"],
)
def test_nothing_is_requested_where_nothing_may_be(look_at: Callable[[Site], Observation]) -> None:
    with (
        Site(fixed_answer(b"", status=302, Location="https://10.0.0.1/")) as site,
        pytest.raises(AddressForbidden),
    ):
        look_at(site)


def certificate_check(
    tmp_path: Path, *, days: int, days_left: int, name: str = "shop.example"
) -> Observation:
    """Look at a server whose certificate is for ``shop.example`` and valid for so many days."""
    now = datetime.now(UTC)
    pem = self_signed(tmp_path, "shop.example", valid_until=now + timedelta(days=days_left))
    server, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=str(pem))
    server.load_cert_chain(pem)
    outbound = OutboundClient(allow_loopback=True, resolve=lambda *_: ["127.0.0.1"], tls=lambda: trusting)
    with Site(fixed_answer(b""), tls=server) as site:
        check = Check(url=f"https://{name}:{site.port}/", expect=Expectation.CERTIFICATE, days=days)
        return look(check, outbound=outbound, clock=ManualClock(now))


def test_a_certificate_is_as_expected_until_so_many_days_before_its_end(tmp_path: Path) -> None:
    assert certificate_check(tmp_path, days=14, days_left=20).holds is True
    assert certificate_check(tmp_path, days=30, days_left=20).holds is False


def test_a_certificate_for_another_name_is_an_outage(tmp_path: Path) -> None:
    found = certificate_check(tmp_path, days=14, days_left=20, name="other.example")

    assert (found.is_up, found.reason) == (False, "its certificate is not valid")
