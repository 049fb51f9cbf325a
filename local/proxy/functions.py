"""Invocation of the template's functions as Lambda would do it, with an environment and a context object.

`Functions` runs them in this process. Concurrent invocations of a function run in threads, where Lambda would
start another execution environment. Callers enforce timeouts; nothing here stops a function.
`local.workers.pool` runs them in other processes.
"""

from __future__ import annotations

import importlib
import os
import secrets
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

from edge.http.server_sent_events import StreamedResponse
from local.proxy import logs
from local.proxy.events import MalformedResponse
from local.template.intrinsics import ACCOUNT
from local.template.resources import Function

Handler: TypeAlias = Callable[[dict[str, Any], Any], Any]
Invoke: TypeAlias = Callable[[str, dict[str, Any]], Any]
"""Takes the logical id of a function and the event; returns the handler's result or raises FunctionFailed."""

_LAYERS_MOUNT = "/opt/python"


class FunctionFailed(Exception):
    """The handler raised an exception. ``kind`` and ``message`` are what Lambda would report."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.message = message


class FunctionMissing(Exception):
    """The template names a handler that does not exist. The message says which one."""


class Context:
    """The Lambda context object of one invocation."""

    function_version = "$LATEST"
    identity = None
    client_context = None

    def __init__(self, function: Function) -> None:
        self.function_name = function.name
        self.memory_limit_in_mb = str(function.memory_mb)
        self.invoked_function_arn = f"arn:aws:lambda:local:{ACCOUNT}:function:{function.name}"
        self.aws_request_id = secrets.token_hex(16)
        self.log_group_name = f"/aws/lambda/{function.name}"
        self.log_stream_name = "local"
        self._ends_at = time.monotonic() + function.timeout_s

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would stop the invocation."""
        return max(0, int((self._ends_at - time.monotonic()) * 1000))


class FunctionInvoker(Protocol):
    """Invokes the functions of one stack."""

    def timeout_s(self, name: str) -> float:
        """The seconds after which Lambda would stop the function."""

    def invoke(self, name: str, event: dict[str, Any]) -> Any:
        """Run the handler, wait for it and return its result.

        Raises:
            FunctionFailed: the handler raised, or its process died.
        """

    def stream(
        self,
        name: str,
        event: dict[str, Any],
        *,
        on_response: Callable[[StreamedResponse], None],
        on_chunk: Callable[[bytes], None],
    ) -> None:
        """Run a streaming handler and wait for its end.

        Calls ``on_response`` once with the response, then ``on_chunk`` with every chunk as it is produced.

        Raises:
            FunctionFailed: the handler raised or its process died, at once or while it produced chunks.
            MalformedResponse: the handler did not return a streamed response.
        """


class Functions:
    """The functions of one stack, imported into this process; they run in the calling thread.

    ``environment`` holds variables for all functions. They override a function's own variables.
    """

    def __init__(self, functions: Mapping[str, Function], environment: Mapping[str, str]) -> None:
        self._functions = functions
        self._handlers = {name: _load(function, environment) for name, function in functions.items()}

    def timeout_s(self, name: str) -> float:
        return self._functions[name].timeout_s

    def invoke(self, name: str, event: dict[str, Any]) -> Any:
        with _reported(event):
            return self._handlers[name](event, Context(self._functions[name]))

    def stream(
        self,
        name: str,
        event: dict[str, Any],
        *,
        on_response: Callable[[StreamedResponse], None],
        on_chunk: Callable[[bytes], None],
    ) -> None:
        with _reported(event):
            response = self._handlers[name](event, Context(self._functions[name]))
            if isinstance(response, StreamedResponse):
                on_response(response)
                for chunk in response.chunks:
                    on_chunk(chunk)
                return
        raise MalformedResponse


@contextmanager
def _reported(event: dict[str, Any]) -> Iterator[None]:
    # Like Lambda: any exception of a handler is reported and does not end the process.
    try:
        with logs.logged_request(event):
            yield
    except Exception as error:
        raise FunctionFailed(type(error).__name__, str(error)) from error


def set_environment(function: Function, environment: Mapping[str, str]) -> None:
    """Give this process the variables of a function, and those that override them."""
    own = {name: _mounted(value) for name, value in function.environment.items()}
    os.environ.update({**own, **environment})


def _load(function: Function, environment: Mapping[str, str]) -> Handler:
    # The process has one environment. A function reads its settings while it is imported, so the environment
    # must be that function's at that time. What libraries look up later is the same for all functions.
    set_environment(function, environment)
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
    """Replace the layers' mount point: here their packages are installed in this interpreter."""
    return value.replace(_LAYERS_MOUNT, sysconfig.get_path("purelib"), 1)
