"""The twin's API Gateway: an ASGI application that turns HTTP requests into Lambda events.

Routes, throttling limits and authorizers come from the template. The twin adds only what a deployment gets
from elsewhere: the identity provider is asked before the template's routes, the chat page after them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import threading
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from datetime import datetime
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from edge.adapters.folder_bucket import ADDRESS
from local.gateway.access_log import AccessLog, note
from local.gateway.authorizers import AuthorizerRunner, RequestDenied
from local.gateway.chat_page import Page
from local.gateway.streaming import StreamedInvocation, StreamingHttpResponse
from local.operator_page.page import OperatorPage
from local.proxy.events import (
    MAX_LAMBDA_BYTES,
    MAX_REQUEST_BYTES,
    MalformedResponse,
    Match,
    Request,
    Router,
    context_variables,
    proxy_event,
    response_headers,
    to_http_response,
)
from local.proxy.functions import FunctionFailed, FunctionInvoker
from local.proxy.gateway_responses import GatewayResponses, HttpResponse
from local.sign_in.provider import Provider
from local.template.resources import MockResponse, Route, Stack, Throttle


class RouteLimiter:
    """A token bucket per route, sized by the settings of its method or else by those of ``*`` and ``/*``."""

    def __init__(self, settings: Mapping[tuple[str, str], Throttle], monotonic: Callable[[], float]) -> None:
        self._settings = settings
        self._monotonic = monotonic
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}
        self._lock = threading.Lock()

    def try_acquire(self, route: Route, method: str) -> bool:
        """Take a token for a request with the method, which the route may have as ``ANY``. False when none is
        left.
        """
        name = (method, route.path)
        throttle = self._settings.get(name) or self._settings.get(("*", "/*"))
        if throttle is None:
            return True
        with self._lock:
            now = self._monotonic()
            tokens, seen = self._buckets.get(name, (float(throttle.burst), now))
            tokens = min(float(throttle.burst), tokens + (now - seen) * throttle.rate)
            admitted = tokens >= 1.0
            self._buckets[name] = (tokens - 1.0 if admitted else tokens, now)
            return admitted


_LOG = logging.getLogger("local.gateway")
_Result = TypeVar("_Result")


class Gateway:
    """The gateway in front of the functions of one stack.

    Handlers run in the executor's threads, so the executor limits how many requests run at once.
    """

    def __init__(
        self,
        stack: Stack,
        functions: FunctionInvoker,
        *,
        provider: Provider,
        page: Page,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
        executor: Executor,
        operator_page: OperatorPage | None = None,
        bucket: ASGIApp | None = None,
    ) -> None:
        self._stack = stack
        self._functions = functions
        self._now = now
        self._executor = executor
        self._router = Router(stack.routes)
        self._answers = GatewayResponses(stack.gateway_responses)
        self._throttles = RouteLimiter(stack.throttles, monotonic)
        self._gates = {
            name: AuthorizerRunner(authorizer, invoke=functions.invoke, stage=stack.stage, now=now)
            for name, authorizer in stack.authorizers.items()
        }
        self._provider = provider
        self._page = page
        self._bucket = bucket
        self._operator_page = operator_page
        self._monotonic = monotonic
        self._access_log = AccessLog(stack.access_log_format)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request (ASGI)."""
        if scope["type"] != "http":
            return
        if self._bucket is not None and scope["path"].startswith(ADDRESS):
            await self._bucket(scope, receive, send)
            return
        try:
            request = await self._received(HttpRequest(scope, receive))
        except ClientDisconnect:
            return
        self._access_log.begin()
        started = self._monotonic()
        answer = await self._answer(request, scope)
        if isinstance(answer, HttpResponse):
            answer = _response(answer, request)
        await answer(scope, receive, send)
        note({"responseLatency": str(round((self._monotonic() - started) * 1000))})
        self._access_log.write()

    async def _received(self, http: HttpRequest) -> Request:
        body = bytearray()
        async for chunk in http.stream():
            # One byte over the limit is enough to reject the request. The rest is still read, because the
            # client would not receive the response otherwise.
            body += chunk[: MAX_REQUEST_BYTES + 1 - len(body)]
        now = self._now()
        return Request(
            id=str(uuid.uuid4()),
            method=http.method,
            path=http.scope["raw_path"].decode("latin-1"),
            query=http.scope["query_string"].decode("latin-1"),
            headers=[*http.headers.items(), *_forwarded(http, now)],
            body=bytes(body),
            source_ip=http.client.host if http.client else "127.0.0.1",
            received_at=now,
        )

    async def _answer(self, request: Request, scope: Scope) -> HttpResponse | ASGIApp:
        provided = self._provider.respond(request)
        if provided is not None:
            return provided
        operator_page = self._operator_page
        if operator_page is not None and operator_page.is_responsible(request.path):
            token = request.single_headers.get("authorization", "")
            return await self._in_thread(lambda: operator_page.respond(request.method, request.path, token))
        match = self._router.find(request.method, request.path)
        if match is not None:
            note(context_variables(request, self._stack.stage, match))
        if match is None:
            page = await self._page.respond(request, scope)
            return page or self._own("MISSING_AUTHENTICATION_TOKEN", request, None)
        if len(request.body) > MAX_REQUEST_BYTES:
            return self._own("REQUEST_TOO_LARGE", request, match)
        if not self._throttles.try_acquire(match.route, request.method):
            return self._own("THROTTLED", request, match)
        if match.route.mock:
            note({"status": str(match.route.mock.status)})
            return _mocked(match.route.mock)
        return await self._integrated(request, match)

    async def _integrated(self, request: Request, match: Match) -> HttpResponse | ASGIApp:
        try:
            caller = await self._authorized(request, match)
            note({f"authorizer.{name}": value for name, value in (caller or {}).items()})
        except RequestDenied as refused:
            return self._own(refused.kind, request, match, refused.context)
        event = proxy_event(
            request,
            match,
            stage=self._stack.stage,
            authorizer=caller,
            binary_types=self._stack.binary_types,
        )
        if len(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")) > MAX_LAMBDA_BYTES:
            return self._own("REQUEST_TOO_LARGE", request, match)
        try:
            if match.route.is_streamed:
                return await self._streamed(request, match, event)
            returned = await self._invoked(match, event)
            return _noted(to_http_response(returned, request, self._stack.binary_types))
        except TimeoutError:
            return self._own("INTEGRATION_TIMEOUT", request, match)
        except FunctionFailed as failure:
            # The type alone: the text may quote what a user wrote.
            _LOG.error("%s failed: %s", match.route.function, failure.kind)
        except MalformedResponse:
            _LOG.error("%s returned no proxy response", match.route.function)
        return self._own("INTEGRATION_FAILURE", request, match)

    async def _authorized(self, request: Request, match: Match) -> dict[str, str] | None:
        if match.route.authorizer is None:
            return None
        gate = self._gates[match.route.authorizer]
        return await self._in_thread(lambda: gate.authorize(request, match))

    async def _invoked(self, match: Match, event: dict[str, Any]) -> Any:
        name = match.route.function or ""
        work = self._in_thread(lambda: self._functions.invoke(name, event))
        return await self._timed(asyncio.wait_for(work, self._time_s(match)), match)

    async def _streamed(self, request: Request, match: Match, event: dict[str, Any]) -> ASGIApp:
        invocation = StreamedInvocation(
            self._functions,
            match.route.function or "",
            event,
            executor=self._executor,
            timeout_s=self._time_s(match),
        )
        opened = await self._timed(invocation.wait_for_response(), match)
        headers = response_headers({"multiValueHeaders": opened.headers})
        note({"status": str(opened.status), "integration.integrationStatus": "200"})
        return StreamingHttpResponse(opened.status, _raw(headers, request), invocation)

    def _time_s(self, match: Match) -> float:
        return min(match.route.timeout_s, self._functions.timeout_s(match.route.function or ""))

    async def _timed(self, work: Awaitable[_Result], match: Match) -> _Result:
        try:
            return await work
        except TimeoutError:
            if self._time_s(match) < match.route.timeout_s:
                raise FunctionFailed("Sandbox.Timedout", "Task timed out") from None
            raise

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    def _own(
        self, kind: str, request: Request, match: Match | None, authorizer: Mapping[str, str] | None = None
    ) -> HttpResponse:
        context = context_variables(request, self._stack.stage, match)
        claims = {f"authorizer.{name}": value for name, value in (authorizer or {}).items()}
        response = self._answers.render(kind, {**context, **claims}, request.single_headers)
        note({**context, **claims, "status": str(response.status), "error.responseType": kind})
        return response


def _forwarded(http: HttpRequest, now: datetime) -> list[tuple[str, str]]:
    """The headers the gateway adds to every request."""
    host = http.client.host if http.client else "127.0.0.1"
    return [
        ("X-Amzn-Trace-Id", f"Root=1-{int(now.timestamp()):08x}-{secrets.token_hex(12)}"),
        ("X-Forwarded-For", host),
        ("X-Forwarded-Port", str(http.url.port or 80)),
        ("X-Forwarded-Proto", "http"),
    ]


def _noted(response: HttpResponse) -> HttpResponse:
    """The function's response; the access log hears of it."""
    note({"status": str(response.status), "integration.integrationStatus": "200"})
    return response


def _mocked(mock: MockResponse) -> HttpResponse:
    headers = [(name.lower(), value) for name, value in mock.headers.items()]
    return HttpResponse(mock.status, (("content-type", "application/json"), *headers), mock.body.encode())


def _response(answer: HttpResponse, request: Request) -> Response:
    response = Response(answer.body, answer.status)
    response.raw_headers = _raw(answer.headers, request)
    if answer.status not in (204, 304):
        response.raw_headers.append((b"content-length", str(len(answer.body)).encode()))
    return response


def _raw(headers: Sequence[tuple[str, str]], request: Request) -> list[tuple[bytes, bytes]]:
    named = [*headers, ("x-amzn-requestid", request.id), ("x-amz-apigw-id", request.id)]
    return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in named]
