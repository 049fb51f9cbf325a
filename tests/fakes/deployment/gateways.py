"""A gateway in this process, with the handlers of `tests.fakes.deployment.backends` or a test's own
template."""

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

from local.gateway.application import Gateway
from local.gateway.chat_page import Page
from local.proxy.functions import Functions
from local.sign_in.issuer import Issuer
from local.sign_in.provider import Provider
from local.template import interpreter, sam_translation
from local.template.resources import Stack
from tests.fakes.run.clocks import ManualClock

URL = "http://twin"
TEMPLATE = Path(__file__).parent / "backends" / "template.yaml"


def stack_of(folder: Path, *edits: tuple[str, str], environment: Mapping[str, str] | None = None) -> Stack:
    """Return the stack of the template after replacing some of its text. Every edit must match."""
    text = TEMPLATE.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "template.yaml"
    path.write_text(text)
    return interpreter.interpret(sam_translation.read_template(path), environment or {})


@cache
def shared_issuer() -> Issuer:
    """Return an issuer shared by all tests, because creating a key is slow."""
    with TemporaryDirectory() as folder:
        return Issuer(Path(folder))


class LocalGateway:
    """A gateway with a manual clock. ``page`` is the folder of the built page."""

    def __init__(
        self, stack: Stack, monkeypatch: pytest.MonkeyPatch, *, page: Path = Path("not built")
    ) -> None:
        self.clock = ManualClock()
        for name in {name for function in stack.functions.values() for name in function.environment}:
            # Loading a function sets these for the whole process; monkeypatch restores them.
            monkeypatch.setenv(name, "")
        self.functions = Functions(stack.functions, {})
        self._app = Gateway(
            stack,
            self.functions,
            provider=Provider(shared_issuer(), origins=[URL], allowed=[], now=self.clock.now),
            page=Page(page, stack.page, lambda _: {"authority": URL}),
            now=self.clock.now,
            monotonic=self.clock.monotonic,
            executor=ThreadPoolExecutor(8),
        )

    def send(self, method: str, path: str, *, token: str | None = None, **more: Any) -> httpx.Response:
        """Send one HTTP request, with ``Authorization: Bearer <token>`` when a token is given."""
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
