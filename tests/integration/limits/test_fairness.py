"""A tenant at ten times its rate beside neighbours at theirs: through the throttles of the template and the
limits it sets, on a clock of the test's own.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from conversation.identity import Caller
from conversation.limits.limiter import TurnLimiter
from conversation.limits.rates import RateLimits
from edge.settings import Settings
from local.gateway.application import RouteLimiter
from local.template import interpreter, sam_translation
from local.template.resources import Route, Stack
from storage import keys
from storage.errors import StorageUnavailable
from storage.items import item_bytes
from storage.keys import TenantId
from storage.sqlite.table import SqliteTable
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.rate_limited_processes import retry_seconds, turn_limiter

TEMPLATE = Path(__file__).resolve().parents[3] / "template.yaml"
CHAT = Route("POST", "/v1/chat")
LOUD = Caller(TenantId("acme"), "maya")
NEIGHBOURS = [Caller(TenantId(f"neighbour-{n}"), "maya") for n in range(8)]
MINUTES, TIMES, PROCESSES = 3, 10, 6
COLLEAGUES = [Caller(LOUD.tenant, f"colleague-{n}") for n in range(20)]
EVERY_S = 2


@pytest.fixture(scope="module")
def stack() -> Stack:
    return interpreter.interpret(sam_translation.read_template(TEMPLATE), {"OMNIFORGE_STAGE": "local"})


@pytest.fixture(scope="module")
def pace(stack: Stack) -> RateLimits:
    """What the template lets every tenant have."""
    variables = stack.functions["ChatFunction"].environment
    return Settings.load({**variables, "OMNIFORGE_TABLE": "sqlite:///:memory:"}).rate_limits


@pytest.mark.slow
def test_nobody_but_the_loud_one_is_refused_by_the_gateway_or_by_us(stack: Stack, pace: RateLimits) -> None:
    clock, table = ManualClock(), SqliteTable(":memory:")
    gateway = RouteLimiter(stack.throttles, clock.monotonic)
    doors = [turn_limiter(table, clock, pace) for _ in range(PROCESSES)]
    outcomes: dict[Caller, Counter[str]] = {caller: Counter() for caller in [LOUD, *NEIGHBOURS]}
    step_s = pace.interval_us / 1_000_000 / TIMES
    for tick in range(int(MINUTES * 60 / step_s)):
        clock.advance(step_s)
        for caller in [LOUD, *(NEIGHBOURS if tick % TIMES == 0 else ())]:
            outcomes[caller][_asks(gateway, doors[tick % PROCESSES], caller)] += 1

    at_its_rate = MINUTES * pace.turns_per_minute
    assert [outcomes[caller] for caller in NEIGHBOURS] == [Counter(admitted=at_its_rate)] * len(NEIGHBOURS)
    assert outcomes[LOUD]["by the gateway"] == 0
    assert outcomes[LOUD]["admitted"] <= at_its_rate + pace.burst + PROCESSES * pace.max_unreported
    assert outcomes[LOUD]["by us"] >= (TIMES - 2) * at_its_rate - pace.burst


@pytest.mark.slow
@pytest.mark.parametrize("floods", [1, 3])
def test_colleagues_of_users_who_flood_are_not_refused(pace: RateLimits, floods: int) -> None:
    clock, table, chosen = ManualClock(), SqliteTable(":memory:"), random.Random(7)
    doors = [turn_limiter(table, clock, pace) for _ in range(PROCESSES)]
    loud = [Caller(LOUD.tenant, f"loud-{n}") for n in range(floods)]
    admitted, refused = Counter[Caller](), Counter[Caller]()
    ticks = 10 * EVERY_S
    for tick in range(MINUTES * 60 * 10):
        clock.advance(0.1)
        due = [caller for n, caller in enumerate([*COLLEAGUES, *NEIGHBOURS]) if tick % ticks == n % ticks]
        for caller in [*loud, *due, *loud, *loud]:
            (refused if retry_seconds(chosen.choice(doors), caller) else admitted)[caller] += 1

    each = MINUTES * 60 // EVERY_S
    assert [refused[caller] for caller in [*COLLEAGUES, *NEIGHBOURS]] == [0] * 28
    assert [admitted[caller] for caller in [*COLLEAGUES, *NEIGHBOURS]] == [each] * 28
    of_tenant = sum(count for caller, count in admitted.items() if caller.tenant == LOUD.tenant)
    rate = MINUTES * pace.turns_per_minute
    assert rate <= of_tenant <= rate + 2 * pace.burst + PROCESSES * pace.max_unreported


@pytest.mark.slow
@pytest.mark.parametrize("floods", [1, 2, 5])
def test_any_number_of_colleagues_who_all_begin_at_once_are_not_refused_either(
    pace: RateLimits, floods: int
) -> None:
    # More users than one item counts send in each window, and before those who flood.
    clock, table, chosen = ManualClock(), SqliteTable(":memory:"), random.Random(7)
    doors = [turn_limiter(table, clock, pace) for _ in range(PROCESSES)]
    loud = [Caller(LOUD.tenant, f"loud-{n}") for n in range(floods)]
    colleagues = [Caller(LOUD.tenant, f"colleague-{n}") for n in range(60)]
    admitted, refused = Counter[Caller](), Counter[Caller]()
    largest, window_s = 0, pace.share_window_us / 1_000_000
    clock.advance(window_s - clock.now().timestamp() % window_s)
    for tick in range(MINUTES * 60 * 10):
        at_once = colleagues if tick % round(10 * window_s) == 0 else []
        for caller in [*at_once, *loud, *loud, *loud]:
            (refused if retry_seconds(chosen.choice(doors), caller) else admitted)[caller] += 1
        largest = max(largest, item_bytes(table.get(keys.bucket(LOUD.tenant)) or {}))
        clock.advance(0.1)

    each = round(MINUTES * 60 / window_s)
    assert [refused[caller] for caller in colleagues] == [0] * len(colleagues)
    assert [admitted[caller] for caller in colleagues] == [each] * len(colleagues)
    of_tenant, rate = sum(admitted.values()), MINUTES * pace.turns_per_minute
    assert rate <= of_tenant <= rate + 2 * pace.burst + PROCESSES * pace.max_unreported
    assert largest <= 1_024  # one write unit


@pytest.mark.slow
def test_colleagues_are_not_refused_for_what_began_while_the_table_was_out_of_reach(pace: RateLimits) -> None:
    clock, chosen = ManualClock(), random.Random(7)
    table, spans = SqliteTable(":memory:"), [(0.0, 2.0), (30.0, 40.0), (41.0, 52.0), (90.0, 91.0)]
    start = clock.monotonic()

    def fail(_request: str, when: str) -> None:
        now = clock.monotonic() - start
        if when == "before" and any(since <= now < until for since, until in spans):
            raise StorageUnavailable("down")

    doors = [turn_limiter(ObservedTable(table, fail), clock, pace) for _ in range(PROCESSES)]
    refused, ticks = Counter[Caller](), 10 * EVERY_S
    for tick in range(MINUTES * 60 * 10):
        clock.advance(0.1)
        due = [caller for n, caller in enumerate(COLLEAGUES) if tick % ticks == n % ticks]
        for caller in [*due, *[LOUD] * 12]:
            refused[caller] += bool(retry_seconds(chosen.choice(doors), caller))

    assert sum(refused[caller] for caller in COLLEAGUES) == 0
    assert refused[LOUD] > 0


def test_a_tenants_limit_is_reached_before_the_gateways(stack: Stack, pace: RateLimits) -> None:
    throttle = stack.throttles["POST", "/v1/chat"]
    assert TIMES * pace.turns_per_minute / 60 <= throttle.rate / 2
    assert pace.burst <= throttle.burst / 2


def _asks(gateway: RouteLimiter, door: TurnLimiter, caller: Caller) -> str:
    if not gateway.try_acquire(CHAT, CHAT.method):
        return "by the gateway"
    return "by us" if retry_seconds(door, caller) else "admitted"
