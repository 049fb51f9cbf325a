"""Invokes the functions of the template as Lambda would: with an environment, a context, a time limit.

All of them live in this one process, and invocations of one function run beside each other in threads, where
Lambda would start another execution environment. How long a caller waits is the caller's business.
"""

from __future__ import annotations

import importlib
import os
import secrets
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from edge.http.event_stream import StreamedResponse
from local.proxy import logs
from local.proxy.events import MalformedResponse
from local.template.resources import Function

Handler: TypeAlias = Callable[[dict[str, Any], Any], Any]
Invoke: TypeAlias = Callable[[str, dict[str, Any]], Any]
"""Logical id of a function, and the event: what the handler returned, or FunctionFailed."""

_LAYERS_MOUNT = "/opt/python"


class FunctionFailed(Exception):
    """The handler raised; ``kind`` and ``message`` are what Lambda would report."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.message = message


class FunctionMissing(Exception):
    """The template names a handler that is not there; the message says which."""


class Context:
    """The context object of one invocation."""

    function_version = "$LATEST"
    identity = None
    client_context = None

    def __init__(self, function: Function) -> None:
        self.function_name = function.name
        self.memory_limit_in_mb = str(function.memory_mb)
        self.invoked_function_arn = f"arn:aws:lambda:local:000000000000:function:{function.name}"
        self.aws_request_id = secrets.token_hex(16)
        self.log_group_name = f"/aws/lambda/{function.name}"
        self.log_stream_name = "local"
        self._ends_at = time.monotonic() + function.timeout_s

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would stop the invocation."""
        return max(0, int((self._ends_at - time.monotonic()) * 1000))


class Functions:
    """The functions of one stack, imported and ready.

    ``environment`` is what all of them get beside their own variables, and goes before those.
    """

    def __init__(self, functions: Mapping[str, Function], environment: Mapping[str, str]) -> None:
        self._functions = functions
        self._handlers = {name: _load(function, environment) for name, function in functions.items()}

    def timeout_s(self, name: str) -> float:
        """After how many seconds Lambda would stop the function."""
        return self._functions[name].timeout_s

    def invoke(self, name: str, event: dict[str, Any]) -> Any:
        """What the handler returns for the event; it runs in the thread that calls.

        Raises:
            FunctionFailed: the handler raised.
        """
        with _reported(event):
            return self._handlers[name](event, Context(self._functions[name]))

    def stream(
        self,
        name: str,
        event: dict[str, Any],
        *,
        opened: Callable[[StreamedResponse], None],
        sent: Callable[[bytes], None],
    ) -> None:
        """Tell how the handler's answer begins, then every chunk as it is made, up to the end.

        Raises:
            FunctionFailed: the handler raised, at once or while its answer was made.
            MalformedResponse: its answer is none that can be streamed.
        """
        with _reported(event):
            response = self._handlers[name](event, Context(self._functions[name]))
            if isinstance(response, StreamedResponse):
                opened(response)
                for chunk in response.chunks:
                    sent(chunk)
                return
        raise MalformedResponse


@contextmanager
def _reported(event: dict[str, Any]) -> Iterator[None]:
    # Lambda reports whatever a handler raises, and lives on.
    try:
        with logs.request(event):
            yield
    except Exception as error:
        raise FunctionFailed(type(error).__name__, str(error)) from error


def _load(function: Function, environment: Mapping[str, str]) -> Handler:
    # The process has one environment. A function reads its settings while it is imported, so it has to be
    # that function's then; what libraries look up later is the same for all.
    own = {name: _mounted(value) for name, value in function.environment.items()}
    os.environ.update({**own, **environment})
    module, _, handler = f"{function.folder.replace('/', '.')}.{function.handler}".rpartition(".")
    try:
        return _handler(importlib.import_module(module), handler)
    except ModuleNotFoundError as error:
        if not (error.name and module.startswith(error.name)):
            raise
        raise FunctionMissing(f"{function.name}: there is no module {module!r}") from None


def _handler(module: object, name: str) -> Handler:
    found = getattr(module, name, None)
    if not callable(found):
        raise FunctionMissing(f"{module!r} has no handler {name!r}")
    handler: Handler = found
    return handler


def _mounted(value: str) -> str:
    """Layers are not mounted here: what they bring is among this interpreter's packages."""
    return value.replace(_LAYERS_MOUNT, sysconfig.get_path("purelib"), 1)
