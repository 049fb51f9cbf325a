"""HTTP responses that are streamed while the function still produces them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, TypeVar

from starlette.types import Receive, Scope, Send

from edge.http.server_sent_events import StreamedResponse
from local.proxy.events import MalformedResponse
from local.proxy.functions import FunctionFailed, FunctionInvoker

_Told = TypeVar("_Told")
_LOG = logging.getLogger("local.streamed_answer")


class StreamedInvocation:
    """One invocation of a streaming function. It starts when the object is created.

    The function runs to its end in a thread of the executor, even when the client has disconnected.
    """

    def __init__(
        self,
        functions: FunctionInvoker,
        name: str,
        event: dict[str, Any],
        *,
        executor: Executor,
        timeout_s: float,
    ) -> None:
        self.name = name
        self._loop = asyncio.get_running_loop()
        self._ends_at = self._loop.time() + timeout_s
        self._opened: asyncio.Future[StreamedResponse] = self._loop.create_future()
        self._chunks: asyncio.Queue[bytes | FunctionFailed | MalformedResponse | None] = asyncio.Queue()
        executor.submit(self._run, functions, event)

    async def wait_for_response(self) -> StreamedResponse:
        """Wait for the response's status and headers. Callers must not consume its chunks; see `next_chunk`.

        Raises:
            FunctionFailed: the function raised instead.
            MalformedResponse: it did not return a streamed response.
            TimeoutError: nothing came before the deadline of the whole response.
        """
        return await asyncio.wait_for(self._opened, self._left_s())

    async def next_chunk(self) -> bytes | None:
        """Wait for the next chunk. Returns None after the last one.

        Raises:
            FunctionFailed: the function raised instead.
            TimeoutError: the deadline of the whole response passed.
        """
        chunk = await asyncio.wait_for(self._chunks.get(), self._left_s())
        if isinstance(chunk, Exception):
            raise chunk
        return chunk

    def _left_s(self) -> float:
        return max(0.0, self._ends_at - self._loop.time())

    def _run(self, functions: FunctionInvoker, event: dict[str, Any]) -> None:
        try:
            functions.stream(
                self.name,
                event,
                on_response=lambda response: self._in_loop(self._open, response),
                on_chunk=lambda chunk: self._in_loop(self._chunks.put_nowait, chunk),
            )
            self._in_loop(self._chunks.put_nowait, None)
        except (FunctionFailed, MalformedResponse) as error:
            self._in_loop(self._fail, error)

    def _in_loop(self, act: Callable[[_Told], None], chunk: _Told) -> None:
        self._loop.call_soon_threadsafe(act, chunk)

    def _open(self, response: StreamedResponse) -> None:
        if not self._opened.done():  # done when the wait timed out
            self._opened.set_result(response)

    def _fail(self, error: FunctionFailed | MalformedResponse) -> None:
        if self._opened.done():
            self._chunks.put_nowait(error)
        else:
            self._opened.set_exception(error)


class StreamingHttpResponse:
    """An HTTP response (ASGI) that sends each chunk of an invocation as it arrives.

    A response that fails midway is never terminated properly, so no client takes it for complete.
    """

    def __init__(
        self, status: int, headers: Sequence[tuple[bytes, bytes]], invocation: StreamedInvocation
    ) -> None:
        self._status = status
        self._headers = headers
        self._invocation = invocation

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the response."""
        await send({"type": "http.response.start", "status": self._status, "headers": self._headers})
        try:
            while (chunk := await self._invocation.next_chunk()) is not None:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        except FunctionFailed as failure:
            # The type alone: the text may quote what a user wrote.
            _LOG.error("%s failed in the middle of its answer: %s", self._invocation.name, failure.kind)
        except TimeoutError:
            _LOG.error("%s was given up in the middle of its answer", self._invocation.name)
        else:
            await send({"type": "http.response.body", "body": b""})
