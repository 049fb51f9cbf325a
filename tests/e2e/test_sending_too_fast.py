"""Limits over HTTP, through two gateways that share a folder and a clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event

import httpx
import pytest

from conversation.clock import open_clock
from conversation.limits.rates import RateLimits
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually

pytestmark = pytest.mark.e2e

NOON = datetime(2026, 1, 30, 12, 0, tzinfo=UTC)
BURST = 5
AT_ONCE = 36
"""More than a full inbox of one conversation."""


@pytest.fixture(scope="module")
def gateways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Twin, Twin]]:
    data = tmp_path_factory.mktemp("limits")
    usual = RateLimits()
    environ = {
        "OMNIFORGE_INTENT_MODEL": "",
        "OMNIFORGE_TURNS_PER_MINUTE": str(usual.turns_per_minute),
        "OMNIFORGE_TURNS_BURST": str(usual.burst),
    }
    still = partial(Twin, data, environ=environ, clock=NOON, clock_runs=False)
    with still() as one, still() as other:
        yield one, other


def limit(twin: Twin, tenant: str, **limits: int) -> None:
    admin = twin.token(tenant, "root", roles=["admin"])
    answer = twin.request("PUT", "/v1/tenant/policy", token=admin, json={"limits": limits})
    assert answer.status_code == 200, answer.text


def wait(twin: Twin, refused: httpx.Response) -> None:
    """Let exactly as much time pass as the refusal says."""
    now = open_clock(twin.data / "clock").now()
    twin.set_clock(now + timedelta(seconds=int(refused.headers["Retry-After"])))


def test_a_tenant_that_bursts_waits_exactly_as_long_as_it_is_told_and_its_neighbour_not_at_all(
    gateways: tuple[Twin, Twin],
) -> None:
    one, _ = gateways
    limit(one, "acme", turns_per_minute=1, burst=BURST)
    loud, quiet = one.token("acme", "maya"), one.token("acme-eu", "maya")

    def say(n: int, token: str = loud) -> httpx.Response:
        return gateways[n % 2].chat(f"message {n}", token=token)

    for n in range(2):
        assert say(n).status_code == 200  # each gateway learns the policy with its first turn
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(say, range(2, 20)))
        neighbours = list(pool.map(partial(say, token=quiet), range(20)))

    answered = [answer for answer in sent if answer.status_code == 200]
    refused = [answer for answer in sent if answer.status_code == 429]
    assert len(answered) + len(refused) == len(sent)
    assert BURST - 2 <= len(answered) <= BURST - 2 + 2  # one more per gateway, untold
    assert {answer.json()["code"] for answer in refused} == {"rate_limited"}
    assert {answer.headers["Content-Type"] for answer in refused} == {"application/problem+json"}
    assert {answer.status_code for answer in neighbours} == {200}
    stored = one.get("/v1/conversations?limit=100", token=loud)["items"]
    assert len(stored) == 2 + len(answered)

    wait(one, say(0))
    assert say(0).status_code == 200
    assert say(1).status_code == 429


def test_the_usual_limits_let_a_full_inbox_through(gateways: tuple[Twin, Twin]) -> None:
    token = gateways[0].token("initech", "maya")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = list(pool.map(lambda n: gateways[n % 2].chat("hi", token=token), range(AT_ONCE)))
    assert {answer.status_code for answer in sent} == {200}


def test_a_stream_that_may_not_begin_is_refused_before_its_first_frame(gateways: tuple[Twin, Twin]) -> None:
    one, _ = gateways
    limit(one, "umbrella", turns_per_minute=1, burst=1)
    token = one.token("umbrella", "maya")
    assert one.chat("hi", token=token).status_code == 200
    answers = [one.request("POST", "/v1/chat/stream", token=token, json={"message": "hi"}) for _ in range(2)]
    refused = answers[-1]
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")


def test_a_user_who_floods_gets_no_colleague_refused(gateways: tuple[Twin, Twin]) -> None:
    rounds, every_s = 5, 2
    flooding = [one.token("hooli", "loud") for one in gateways]
    colleagues = [gateways[0].token("hooli", f"colleague-{n}") for n in range(20)]
    neighbour, is_over = gateways[0].token("hooli-eu", "maya"), Event()

    def flood(n: int) -> Counter[int]:
        statuses = Counter[int]()
        while not is_over.is_set():
            statuses[gateways[n % 2].chat("hi", token=flooding[n % 2]).status_code] += 1
        return statuses

    answers = list[httpx.Response]()
    with ThreadPoolExecutor(24) as pool:
        floods = [pool.submit(flood, n) for n in range(4)]
        try:
            for _ in range(rounds):
                eventually(lambda: gateways[0].chat("hi", token=flooding[0]).status_code == 429)
                said = [
                    pool.submit(gateways[n % 2].chat, "hi", token=who) for n, who in enumerate(colleagues)
                ]
                answers += [each.result() for each in said] + [gateways[1].chat("hi", token=neighbour)]
                now = open_clock(gateways[0].data / "clock").now()
                gateways[0].set_clock(now + timedelta(seconds=every_s))
        finally:
            is_over.set()

    assert [answer.status_code for answer in answers] == [200] * rounds * 21
    assert sum(one.result()[429] for one in floods) > 0
