"""The runtime loop of a function that streams its answers, which the stock Python runtime can't do.

`edge/bootstrap` starts it in place of the stock runtime. The handler decides what an answer says.

Source: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html, runtimes-custom.html (streaming) and
snapstart-runtime-hooks.html; the form of an answer,
https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode-lambda.html
"""

from __future__ import annotations

import base64
import importlib
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage
from typing import Any, Literal, NamedTuple, TypeAlias

from edge.environment import process_environment
from edge.http.server_sent_events import StreamedResponse

CONTENT_TYPE = "application/vnd.awslambda.http-integration-response"
DELIMITER = bytes(8)
ERROR_TYPE = "Lambda-Runtime-Function-Error-Type"
ERROR_BODY = "Lambda-Runtime-Function-Error-Body"
TRACE = "_X_AMZN_TRACE_ID"

_PATH = "/2018-06-01/runtime"
_LOG = logging.getLogger("omniforge.edge.runtime")


class RuntimeApiRefused(Exception):
    """The Runtime API refused a request that the loop can't continue without."""


class Invocation(NamedTuple):
    """A request as Lambda passes it to the runtime."""

    headers: HTTPMessage
    event: bytes
    """A JSON document."""

    @property
    def path(self) -> str:
        """The path of the Runtime API below which its answer or error is posted."""
        return f"{_PATH}/invocation/{self.headers['Lambda-Runtime-Aws-Request-Id']}"

    @property
    def id_headers(self) -> dict[str, str]:
        """Headers that tie an answer to this invocation: a later one may have the same request id."""
        name = "Lambda-Runtime-Invocation-Id"
        return {name: self.headers[name]} if name in self.headers else {}


@dataclass(frozen=True, slots=True)
class InvocationContext:
    """The context object of a handler, with the names of the stock runtime."""

    aws_request_id: str
    invoked_function_arn: str | None
    function_name: str | None
    function_version: str | None
    memory_limit_in_mb: str | None
    log_group_name: str | None
    log_stream_name: str | None
    tenant_id: str | None
    deadline_ms: int
    """In milliseconds since the epoch."""
    client_context: None = None
    """Only invocations by an SDK have one, never those by API Gateway; the same holds for the identity."""
    identity: None = None

    @classmethod
    def of(cls, invocation: Invocation, environ: Mapping[str, str]) -> InvocationContext:
        """The context of an invocation in this function."""
        return cls(
            aws_request_id=invocation.headers["Lambda-Runtime-Aws-Request-Id"],
            invoked_function_arn=invocation.headers.get("Lambda-Runtime-Invoked-Function-Arn"),
            function_name=environ.get("AWS_LAMBDA_FUNCTION_NAME"),
            function_version=environ.get("AWS_LAMBDA_FUNCTION_VERSION"),
            memory_limit_in_mb=environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"),
            log_group_name=environ.get("AWS_LAMBDA_LOG_GROUP_NAME"),
            log_stream_name=environ.get("AWS_LAMBDA_LOG_STREAM_NAME"),
            tenant_id=invocation.headers.get("Lambda-Runtime-Aws-Tenant-Id"),
            deadline_ms=int(invocation.headers["Lambda-Runtime-Deadline-Ms"]),
        )

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda stops the invocation; never below 0."""
        return max(0, self.deadline_ms - int(time.time() * 1000))


Handler: TypeAlias = Callable[[Any, Any], StreamedResponse]


class RuntimeApi:
    """The HTTP interface between Lambda and a runtime, at ``address`` (host and port).

    Each request uses a new connection: an open one would not survive a snapshot.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def next(self) -> Invocation:
        """Waits for the next request; Lambda freezes the function meanwhile.

        Raises:
            RuntimeApiRefused: there will be no request.
        """
        return Invocation(*self._get("/invocation/next"))

    def wait_for_restore(self) -> None:
        """Lets Lambda take the snapshot; returns in an environment that was restored from it.

        Raises:
            RuntimeApiRefused: no snapshot was taken.
        """
        self._get("/restore/next")

    def begin_response(self, invocation: Invocation) -> Upload:
        """Begins to send the answer to a request."""
        connection = HTTPConnection(self._address)
        headers = {
            **invocation.id_headers,
            "Content-Type": CONTENT_TYPE,
            "Lambda-Runtime-Function-Response-Mode": "streaming",
            "Transfer-Encoding": "chunked",
            "Trailer": f"{ERROR_TYPE}, {ERROR_BODY}",
        }
        return Upload(connection, f"{invocation.path}/response", headers)

    def report_failure(self, invocation: Invocation, error: BaseException) -> None:
        """Reports that a request failed."""
        self._report(f"{invocation.path}/error", type(error).__name__, _told_of(error), invocation.id_headers)

    def report_start_failure(
        self, phase: Literal["init", "restore"], error: BaseException, error_type: str | None = None
    ) -> None:
        """Reports why the function can't run, with the error's text: there was no request it could quote."""
        body = _told_of(error, str(error))
        self._report(f"{_PATH}/{phase}/error", error_type or type(error).__name__, body, {})

    def _get(self, path: str) -> tuple[HTTPMessage, bytes]:
        with closing(HTTPConnection(self._address)) as connection:
            connection.request("GET", _PATH + path)
            response = connection.getresponse()
            body = response.read()
        if response.status != 200:
            raise RuntimeApiRefused(f"{path}: {response.status}")
        return response.headers, body

    def _report(self, path: str, error_type: str, body: bytes, headers: Mapping[str, str]) -> None:
        with closing(HTTPConnection(self._address)) as connection:
            content = {"Content-Type": "application/json", ERROR_TYPE: error_type}
            connection.request("POST", path, body, {**headers, **content})
            _check_taken(connection)


class Upload:
    """An answer that is being sent.

    When the connection breaks, the rest of the answer is dropped and nothing is raised, because the turn that
    makes it has to run to its end.
    """

    def __init__(self, connection: HTTPConnection, path: str, headers: Mapping[str, str]) -> None:
        self._connection = connection
        self._broken = False
        self._attempt(lambda: self._open(path, headers))

    def send(self, data: bytes) -> None:
        """Sends a piece of the answer."""
        if data:  # an empty chunk would end the answer
            self._attempt(lambda: self._connection.send(b"%x\r\n%s\r\n" % (len(data), data)))

    def end(self, error: BaseException | None = None) -> None:
        """Ends the answer; with an error, reports that it is incomplete."""
        trailers = b""
        if error is not None:
            body = base64.b64encode(_told_of(error)).decode()
            trailers = f"{ERROR_TYPE}: {type(error).__name__}\r\n{ERROR_BODY}: {body}\r\n".encode()
        self._attempt(lambda: self._connection.send(b"0\r\n" + trailers + b"\r\n"))
        self._attempt(lambda: _check_taken(self._connection))
        self._connection.close()

    def _open(self, path: str, headers: Mapping[str, str]) -> None:
        self._connection.putrequest("POST", path)
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders()

    def _attempt(self, act: Callable[[], None]) -> None:
        if self._broken:
            return
        try:
            act()
        except (OSError, HTTPException) as error:
            self._broken = True
            _LOG.warning("answer broken off", extra={"error_type": type(error).__name__})


def main(environ: MutableMapping[str, str]) -> int:
    """Runs the function that the environment names, as long as Lambda has requests.

    Returns only when the function can't run, with the exit status of the process.
    """
    api = RuntimeApi(environ["AWS_LAMBDA_RUNTIME_API"])
    try:
        handler = _handler(environ["_HANDLER"])
    except Exception as error:  # noqa: BLE001 - an import may raise anything
        _LOG.exception("the function can't be imported")
        api.report_start_failure("init", error)
        return 1
    if environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start" and (status := _snapshot(api)):
        return status
    while True:
        _serve(api, handler, environ)


def _handler(name: str) -> Handler:
    module, _, function = name.rpartition(".")
    handler: Handler = getattr(importlib.import_module(module.replace("/", ".")), function)
    return handler


def _snapshot(api: RuntimeApi) -> int:
    """Runs the hooks around a snapshot; the exit status of the process when that fails, else 0."""
    # Hooks are registered with this package: if the function has not imported it, there are none.
    hooks = sys.modules.get("snapshot_restore_py")
    try:
        for hook, arguments, named in reversed(hooks.get_before_snapshot() if hooks else []):
            hook(*arguments, **named)
        api.wait_for_restore()
    except Exception as error:  # noqa: BLE001 - so may a hook
        _LOG.exception("no snapshot can be taken")
        api.report_start_failure("init", error, "Runtime.BeforeSnapshotError")
        return 64
    try:
        for hook, arguments, named in hooks.get_after_restore() if hooks else []:
            hook(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - likewise
        _LOG.exception("the function can't be restored")
        api.report_start_failure("restore", error, "Runtime.AfterRestoreError")
        return 65
    return 0


def _serve(api: RuntimeApi, handler: Handler, environ: MutableMapping[str, str]) -> None:
    """Waits for a request and answers it."""
    invocation = api.next()
    _set_trace(environ, invocation.headers.get("Lambda-Runtime-Trace-Id"))
    try:
        response = handler(json.loads(invocation.event), InvocationContext.of(invocation, environ))
        prelude = _prelude(response)
    except Exception as error:  # noqa: BLE001 - Lambda is told, and the next request served
        _log_fault(error)
        api.report_failure(invocation, error)
        return
    upload = api.begin_response(invocation)
    upload.send(prelude)
    try:
        for chunk in response.chunks:
            upload.send(chunk)
    except Exception as error:  # noqa: BLE001 - likewise
        _log_fault(error)
        upload.end(error)
    else:
        upload.end()


def _set_trace(environ: MutableMapping[str, str], trace_id: str | None) -> None:
    if trace_id is None:
        environ.pop(TRACE, None)
    else:
        environ[TRACE] = trace_id


def _prelude(response: StreamedResponse) -> bytes:
    headers = {name: list(values) for name, values in response.headers.items()}
    return json.dumps({"statusCode": response.status, "multiValueHeaders": headers}).encode() + DELIMITER


def _told_of(error: BaseException, message: str = "") -> bytes:
    report = {"errorType": type(error).__name__, "errorMessage": message, "stackTrace": []}
    return json.dumps(report).encode()


def _check_taken(connection: HTTPConnection) -> None:
    response = connection.getresponse()
    response.read()
    # For example, an invocation that timed out has been answered (410): the next one may succeed.
    if response.status != 202:
        _LOG.warning("answer not taken", extra={"status": response.status})


def _log_fault(error: Exception) -> None:
    from edge.observability import log_internal_error

    log_internal_error(error)


if __name__ == "__main__":
    sys.exit(main(process_environment()))
