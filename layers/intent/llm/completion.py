"""Model calls with a deadline, a retry and a circuit breaker. The only module that imports litellm.

`intent.analysis.prompt` builds the intent prompt and `intent.analysis.output_parser` parses its answer.
"""

from __future__ import annotations

import logging
import math
import random
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any

from llm.available_models import vendor_of
from llm.circuit_breaker import ModelCircuitBreakers
from llm.errors import (
    ModelLoading,
    ModelMisconfigured,
    ModelTimeout,
    ModelUnavailable,
    ModelUnavailableForNow,
    TransientModelError,
)
from llm.litellm_request import LitellmCall, StreamedModelResponse
from llm.request_types import ModelRequest, ModelResponse, Timer
from llm.response_stream import ResponseStream, StreamStopped
from llm.spend_guard import SpendGuard
from resilience.deadlines import NoWorkerFree, WorkerThreads


class LazyModule:
    """A module that ``load`` imports in a background thread on first use."""

    def __init__(self, load: Callable[[], ModuleType]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._imported: Future[ModuleType] | None = None

    def wait(self, timeout_s: float) -> bool:
        """Return whether the module is imported, waiting at most ``timeout_s`` seconds."""
        try:
            self._begin().result(timeout=timeout_s)
        except TimeoutError:
            return False
        return True

    def get(self) -> ModuleType:
        """Return the module.

        Raises:
            ModelLoading: the module is still being imported.
        """
        imported = self._begin()
        if not imported.done():
            raise ModelLoading
        return imported.result()

    def _begin(self) -> Future[ModuleType]:
        with self._lock:
            if self._imported is None:
                self._imported = Future()
                threading.Thread(
                    target=self._import, args=(self._imported,), name="model-library", daemon=True
                ).start()
            return self._imported

    def _import(self, imported: Future[ModuleType]) -> None:
        try:
            imported.set_result(self._load())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever asks for the library
            imported.set_exception(error)


MAX_TRIES = 2
MAX_CALLS = 16
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.03, 0.12
_WORTH_TRYING_S = 0.05
_IN_DOUBT = frozenset({"deadline", "unreachable", "invalid_output"})
"""Failures after which the provider may have done the work and may bill it."""

_log = logging.getLogger(__name__)


class CompletionClient:
    """Calls models, one request at a time per thread. Shared by all turns of a process.

    ``api_key`` returns the key for a vendor ("openai", "anthropic", …). It is called once per attempt, in the
    thread that calls the model. When it is None or returns None, the client library reads the key from the
    environment.
    """

    def __init__(
        self,
        *,
        timer: Timer,
        breaker: ModelCircuitBreakers,
        api_key: Callable[[str], str | None] | None = None,
        max_calls: int = MAX_CALLS,
    ) -> None:
        self._timer = timer
        self._breaker = breaker
        self._api_key = api_key
        self._library = LazyModule(_import)
        self._threads = WorkerThreads(max_calls, name="model-call")

    def is_ready(self, timeout_s: float = 0.0) -> bool:
        """Return whether the client library is imported, waiting at most ``timeout_s`` seconds."""
        return self._library.wait(timeout_s)

    def complete(
        self, question: ModelRequest, *, model: str, deadline_s: float, budget: SpendGuard | None = None
    ) -> ModelResponse:
        """Return the model's answer, paid from ``budget`` (None: no accounting). Makes at most two attempts.

        Returns or raises within ``deadline_s`` seconds, whatever the provider does. A call that runs longer
        is abandoned in its thread.

        Raises:
            ModelUnavailable: no answer; carries the reason.
        """
        with self._permitted(model) as litellm:
            call = LitellmCall(litellm, question, model, self._timer.monotonic() + deadline_s)
            with call.reserve_budget(budget) as bill:
                try:
                    completed = self._begun(call).result(max(0.0, call.until - self._timer.monotonic()))
                except TimeoutError:
                    raise ModelTimeout from None
                bill.record_answer(completed)
        return completed

    def stream(
        self,
        question: ModelRequest,
        *,
        model: str,
        deadline_s: float,
        max_silence_s: float = math.inf,
        budget: SpendGuard | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[str | ModelResponse, None, None]:
        """Yield pieces of the answer's text as they arrive, then the complete answer.

        The whole stream takes at most ``deadline_s`` seconds, with at most ``max_silence_s`` seconds between
        pieces. A second attempt is made only while nothing of an answer has arrived. The stream ends without
        the complete answer, and hangs up, when ``is_stopped`` returns True or the iterator is closed.
        ``is_stopped`` is called before each piece and while waiting for one.

        Raises:
            ModelUnavailable: no complete answer, perhaps after some text; carries the reason.
        """
        try:
            with self._permitted(model) as litellm:
                flow = ResponseStream(self._timer, is_stopped)
                until = self._timer.monotonic() + deadline_s
                call = LitellmCall(litellm, question, model, until, max_silence_s, flow)
                with call.reserve_budget(budget) as bill:
                    try:
                        completed = yield from flow.deltas(self._begun(call), until, max_silence_s)
                    except (StreamStopped, GeneratorExit):
                        bill.record_partial_answer()
                        raise
                    bill.record_answer(completed)
        except StreamStopped:
            return
        yield completed

    @contextmanager
    def _permitted(self, model: str) -> Iterator[Any]:
        """Yields the library for one permitted call, and reports the outcome to the circuit breaker."""
        litellm = self._library.get()
        if not self._breaker.permit(model):
            raise ModelUnavailableForNow
        try:
            yield litellm
        except ModelUnavailable as error:
            self._report(model, error)
            raise
        except BaseException:
            self._breaker.record_inconclusive(model)
            raise
        self._breaker.record_success(model)

    def _begun(self, call: LitellmCall) -> Future[ModelResponse]:
        # The queue may take half of the remaining time; more would leave too little for the answer.
        try:
            return self._threads.start(lambda: self._tries(call), wait_s=self._left_s(call) / 2)
        except NoWorkerFree:
            raise ModelUnavailableForNow("busy") from None

    def _tries(self, call: LitellmCall) -> ModelResponse:
        for _ in range(MAX_TRIES - 1):
            try:
                return self._once(call)
            except TransientModelError as trouble:
                pause_s = _pause_s(trouble)
                is_late = self._left_s(call) < pause_s + _WORTH_TRYING_S
                if is_late or call.attempts.received_bytes:
                    raise
            self._timer.sleep(pause_s)
        return self._once(call)

    def _once(self, call: LitellmCall) -> ModelResponse:
        timeout_s = self._left_s(call)
        if timeout_s <= 0 or call.is_abandoned:
            raise ModelTimeout
        api_key = self._api_key(vendor_of(call.model)) if self._api_key else None
        arguments = call.arguments(api_key, timeout_s)
        call.attempts.started += 1
        with _as_failure(call):
            response = call.litellm.completion(**arguments)
        if call.response_stream is not None:
            return self._read(call, call.response_stream, response)
        return call.to_response(response)

    def _left_s(self, call: LitellmCall) -> float:
        """The seconds that the answer, or its next piece, may still take."""
        return min(call.until - self._timer.monotonic(), call.max_silence_s)

    def _read(self, call: LitellmCall, flow: ResponseStream, stream: Any) -> ModelResponse:
        """Reads the answer from a stream and forwards its text while reading."""
        answer, usage = StreamedModelResponse(), None
        flow.attach(lambda: _hang_up(stream))
        try:
            while (chunk := _next(call, stream)) is not None:
                if flow.is_abandoned or self._timer.monotonic() > call.until:
                    raise ModelTimeout
                delta = answer.add(chunk)
                call.attempts.received_bytes = answer.size
                if delta:
                    flow.write(delta)
                usage = getattr(chunk, "usage", None) or usage
        finally:
            flow.detach()
            _close(stream)
        return call.to_streamed_response(answer, stream, usage)

    def _report(self, model: str, error: ModelUnavailable) -> None:
        match error:
            case TransientModelError() | ModelTimeout():
                self._breaker.record_failure(model)
            case ModelMisconfigured():
                self._breaker.record_misconfiguration(model)
            case _:
                self._breaker.record_inconclusive(model)


def _import() -> ModuleType:
    import litellm
    import openai

    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its warnings quote requests and answers
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    litellm.disable_streaming_logging = True  # would copy every delta for callbacks, which we don't use
    litellm.disable_hf_tokenizer_download = True  # used to count streams without usage
    vars(litellm)["REPEATED_STREAMING_CHUNK_LIMIT"] = sys.maxsize  # a table's rules are no endless loop
    # The first call, client and stream import about a hundred more modules. Do that now, not in a turn.
    import litellm.litellm_core_utils.default_encoding

    _ = openai.OpenAI(api_key="none").chat.completions
    rehearsed: dict[str, Any] = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": ""}]}
    litellm.completion(**rehearsed, mock_response="ready")
    next(litellm.completion(**rehearsed, mock_response="ready", stream=True))
    return litellm


@contextmanager
def _as_failure(call: LitellmCall) -> Iterator[None]:
    """Converts exceptions of the library to our own errors."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - only the library's own code runs here
        if call.is_abandoned:
            raise ModelTimeout from None
        from llm.litellm_errors import to_model_error

        failure = to_model_error(error)
        call.attempts.refused += failure.reason not in _IN_DOUBT and not call.attempts.received_bytes
        _log.warning("model call failed", extra={"reason": failure.reason, "error": type(error).__name__})
        raise failure from None  # the provider's message may quote the prompt


def _next(call: LitellmCall, stream: Any) -> Any:
    with _as_failure(call):
        return next(stream, None)


def _hang_up(stream: Any) -> None:
    """Wake the thread that reads the stream, if the transport is a known one. That thread closes the stream.

    With any other transport, the thread wakes at the call's timeout or at the next event.
    """
    source = stream.completion_stream
    response = getattr(source, "response", None) or getattr(source, "http_response", None)
    network = getattr(response, "extensions", {}).get("network_stream")
    if network is not None:
        with suppress(OSError):
            network.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _close(stream: Any) -> None:
    """Release the connection of a stream that was not read to its end."""
    close = getattr(stream.completion_stream, "close", None)
    if close is not None:
        with suppress(Exception):  # the answer is complete, or why it is not is known
            close()


def _pause_s(trouble: TransientModelError) -> float:
    return (trouble.retry_after_s or 0.0) + random.uniform(_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S)
