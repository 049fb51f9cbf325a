"""Lambda authorizers as API Gateway applies them: identity sources, cached results and policies.

The authorizer's own handler validates the token; nothing here looks into it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from local.proxy.events import Event, Match, Request, authorizer_event, method_arn
from local.proxy.functions import FunctionFailed, Invoke
from local.template.resources import Authorizer

MAX_CACHED_RESULTS = 10_000


class RequestDenied(Exception):
    """The request is denied. ``kind`` is the gateway response, ``context`` its ``$context.authorizer``."""

    def __init__(self, kind: str, context: Mapping[str, str] | None = None) -> None:
        super().__init__(kind)
        self.kind = kind
        self.context = context or {}


class AuthorizerRunner:
    """One authorizer with its cached results, which expire by the twin's clock, not the machine's."""

    def __init__(
        self, authorizer: Authorizer, *, invoke: Invoke, stage: str, now: Callable[[], datetime]
    ) -> None:
        self._authorizer = authorizer
        self._invoke = invoke
        self._stage = stage
        self._now = now
        self._cache: dict[tuple[str, ...], tuple[datetime, Event]] = {}
        self._lock = threading.Lock()

    def authorize(self, request: Request, match: Match) -> dict[str, str]:
        """Authorize a request and return the event's ``requestContext.authorizer``.

        Raises:
            Refused: the identity or the policy is missing, or the policy does not allow the method.
        """
        identity = self._identity(request)
        result = self._recall(identity) or self._ask(request, match, identity)
        context = _context(result)
        if not allows(result.get("policyDocument"), method_arn(request, self._stage)):
            raise RequestDenied("ACCESS_DENIED", context)
        return context

    def _identity(self, request: Request) -> tuple[str, ...]:
        values = tuple(_source(request, source) for source in self._authorizer.identity_sources)
        validation = self._authorizer.validation
        if not all(values) or (validation and not re.fullmatch(validation, values[0])):
            raise RequestDenied("UNAUTHORIZED")
        return values

    def _recall(self, identity: tuple[str, ...]) -> Event | None:
        with self._lock:
            since, result = self._cache.get(identity, (None, None))
        fresh = timedelta(0) <= self._now() - since if since else False
        if since and fresh and self._now() - since < timedelta(seconds=self._authorizer.ttl_s):
            return result
        return None

    def _ask(self, request: Request, match: Match, identity: tuple[str, ...]) -> Event:
        token = identity[0] if self._authorizer.by_token else None
        try:
            result = self._invoke(
                self._authorizer.function, authorizer_event(request, match, stage=self._stage, token=token)
            )
        except FunctionFailed as failure:
            # An authorizer answers 401 by raising exactly this message; any other exception is a failure.
            raise RequestDenied(
                "UNAUTHORIZED" if failure.message == "Unauthorized" else "AUTHORIZER_FAILURE"
            ) from None
        if not isinstance(result, dict) or "principalId" not in result or "policyDocument" not in result:
            raise RequestDenied("AUTHORIZER_CONFIGURATION_ERROR")
        if self._authorizer.ttl_s and identity:
            self._keep(identity, result)
        return result

    def _keep(self, identity: tuple[str, ...], result: Event) -> None:
        with self._lock:
            if len(self._cache) >= MAX_CACHED_RESULTS:
                self._cache.clear()
            self._cache[identity] = (self._now(), result)


def _source(request: Request, source: str) -> str:
    kind, _, name = source.removeprefix("method.request.").partition(".")
    return request.single_headers.get(name.lower(), "") if kind == "header" else ""


def _context(result: Mapping[str, Any]) -> dict[str, str]:
    values = result.get("context") or {}
    if not all(isinstance(value, str | int | float | bool) for value in values.values()):
        raise RequestDenied("AUTHORIZER_CONFIGURATION_ERROR")
    texts = {name: _text(value) for name, value in values.items()}
    return {**texts, "principalId": str(result["principalId"]), "integrationLatency": "0"}


def _text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def allows(policy: Any, arn: str) -> bool:
    """Whether an IAM policy document allows invoking the method. One Deny overrides every Allow."""
    statements = policy.get("Statement", []) if isinstance(policy, dict) else []
    effects = {
        statement.get("Effect")
        for statement in (statements if isinstance(statements, list) else [statements])
        if _names(statement.get("Action"), "execute-api:Invoke") and _names(statement.get("Resource"), arn)
    }
    return "Allow" in effects and "Deny" not in effects


def _names(patterns: Any, text: str) -> bool:
    listed = patterns if isinstance(patterns, list) else [patterns]
    return any(isinstance(pattern, str) and _glob(pattern).fullmatch(text) for pattern in listed)


def _glob(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")
    return re.compile(escaped, re.DOTALL | re.IGNORECASE)
