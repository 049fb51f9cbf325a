from __future__ import annotations

from collections.abc import Iterator

import pytest

from edge.observability import RequestLog
from tests.fakes.identity.issuers import Issuer, serve_issuer
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.logs import restore_logging


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def journal() -> Iterator[RequestLog]:
    """A journal to open; afterwards logging is as it was."""
    with restore_logging():
        yield RequestLog("chat")


@pytest.fixture(scope="module")
def shared_issuer() -> Iterator[Issuer]:
    with serve_issuer() as issuer:
        yield issuer


@pytest.fixture
def issuer(shared_issuer: Issuer) -> Issuer:
    """An issuer that was never asked and publishes its good keys."""
    shared_issuer.asked = 0
    shared_issuer.status = 200
    shared_issuer.headers = {}
    shared_issuer.misbehave = None
    shared_issuer.content = shared_issuer.published("rsa", "ec")
    return shared_issuer
