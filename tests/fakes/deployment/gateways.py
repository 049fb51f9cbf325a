"""A gateway in this process, over the handlers of `tests.fakes.deployment.backends` or a template of the
test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest

from local.gateway.handler import Gateway
from local.gateway.page import Page
from local.proxy.functions import Functions
from local.sign_in.issuer import Issuer
from local.sign_in.provider import Provider
from local.template import interpreter as template
from local.template import translation
from local.template.resources import Stack
from tests.fakes.run.clocks import ManualClock

URL = "http://twin"
TEMPLATE = Path(__file__).parent / "backends" / "template.yaml"


def stack_of(folder: Path, *edits: tuple[str, str], environment: Mapping[str, str] | None = None) -> Stack:
    """The stack of the template with some of its text replaced; every edit has to change something."""
    text = TEMPLATE.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "template.yaml"
    path.write_text(text)
    return template.interpret(translation.read(path), environment or {})


@cache
def issuer() -> Issuer:
    """One for all tests: to make a key takes a while."""
    with TemporaryDirectory() as folder:
        return Issuer(Path(folder))


class LocalGateway:
    """A gateway and its manual clock; `send` is one HTTP request. ``page`` is the built page."""

    def __init__(
        self, stack: Stack, monkeypatch: pytest.MonkeyPatch, *, page: Path = Path("not built")
    ) -> None:
        self.clock = ManualClock()
        for name in {name for function in stack.functions.values() for name in function.environment}:
            # Loading sets these for the whole process: have them put back.
            monkeypatch.setenv(name, "")
        self.functions = Functions(stack.functions, {})
        self._app = Gateway(
            stack,
            self.functions,
            provider=Provider(issuer(), origins=[URL], allowed=[], now=self.clock.now),
            page=Page(page, stack.page, lambda _: {"authority": URL}),
            now=self.clock.now,
            monotonic=self.clock.monotonic,
            executor=ThreadPoolExecutor(8),
        )

    def send(self, method: str, path: str, *, token: str | None = None, **more: Any) -> httpx.Response:
        """One request, with ``Authorization: Bearer <token>`` when there is one."""
        headers = httpx.Headers(more.pop("headers", None))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return asyncio.run(self._send(method, path, headers, more))

    async def _send(
        self, method: str, path: str, headers: httpx.Headers, more: dict[str, Any]
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
            return await client.request(method, path, headers=headers, **more)
