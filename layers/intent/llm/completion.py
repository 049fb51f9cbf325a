"""Model calls with a deadline, a retry, a budget and a circuit breaker.

`llm.adapters` speaks the vendors' protocols. `intent.analysis.prompt` builds the intent prompt and
`intent.analysis.output_parser` parses its answer.
"""

from __future__ import annotations

import logging
import math
import random
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace

from llm.adapters.adapter import ModelAdapter, ModelAttempt
from llm.adapters.litellm_adapter import LitellmAdapter
from llm.adapters.litellm_library import LazyModule, import_litellm
from llm.adapters.registry import DirectAdapters
from llm.available_models import vendor_of
from llm.catalogue import Catalogue, Model
from llm.circuit_breaker import ModelCircuitBreakers
from llm.content_parts import fitted
from llm.errors import (
    ModelBudgetExceeded,
    ModelMisconfigured,
    ModelOutputInvalid,
    ModelTimeout,
    ModelUnavailable,
    ModelUnavailableForNow,
    TransientModelError,
)
from llm.request_types import ModelRequest, ModelResponse, Timer
from llm.response_stream import ResponseStream, StreamStopped
from llm.spend_guard import CallAttempts, CallReservation, NoBudget, SpendGuard
from resilience.deadlines import NoWorkerFree, WorkerThreads

MAX_TRIES = 2
MAX_CALLS = 16
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.03, 0.12
_WORTH_TRYING_S = 0.05
_LONGEST_WAIT_S = 1.0
"""A provider that asks for more patience is not waited for: another model may answer."""
_IN_DOUBT = frozenset({"deadline", "unreachable", "invalid_output"})
"""Failures of a request that was sent after which the provider may have done the work and may bill it."""

LOADING_S = 8.0
"""How long a call that may take its time waits for litellm to be imported."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Call:
    """One question to one model, with its adapter and time limits."""

    adapter: ModelAdapter
    request: ModelRequest
    model: str
    listed: Model | None
    until: float
    max_silence_s: float = math.inf
    response_stream: ResponseStream | None = None
    """Receives the deltas; None when the answer comes in one piece."""
    attempts: CallAttempts = field(default_factory=CallAttempts)

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller has stopped waiting."""
        return self.response_stream is not None and self.response_stream.is_abandoned

    def reserve_budget(self, budget: SpendGuard | None) -> CallReservation:
        """Return a `CallReservation` that reserves from ``budget``; None means no accounting."""
        return CallReservation(
            self.request,
            model=self.model,
            price=self._price,
            budget=NoBudget() if budget is None else budget,
            attempts=self.attempts,
        )

    def _price(self, prompt: int, answer: int) -> float | None:
        if self.listed is not None:
            return self.listed.cost_usd(prompt, answer)
        return self.adapter.price(self.model, prompt, answer)


class CompletionClient:
    """Calls models, one request at a time per thread. Shared by all turns of a process.

    ``api_key`` returns the key for a vendor ("openai", "anthropic", …). It is called once per attempt, in the
    thread that calls the model. When it is None or returns None, litellm reads the key from the environment.
    ``direct`` are the models that are asked without litellm; None: none are.
    """

    def __init__(
        self,
        *,
        timer: Timer,
        breaker: ModelCircuitBreakers,
        api_key: Callable[[str], str | None] | None = None,
        direct: DirectAdapters | None = None,
        catalogue: Catalogue | None = None,
        max_calls: int = MAX_CALLS,
    ) -> None:
        """``catalogue`` None: the shipped one."""
        self._timer = timer
        self._breaker = breaker
        self._api_key = api_key
        self._direct = direct
        self._catalogue = catalogue or Catalogue.load()
        self._library = LazyModule(import_litellm)
        self._threads = WorkerThreads(max_calls, name="model-call")

    def is_ready(self, timeout_s: float = 0.0, *, models: Iterable[str] | None = None) -> bool:
        """Return whether the models can be called, waiting at most ``timeout_s`` seconds for litellm.

        Models with an adapter of their own always can, and litellm is imported only for others. ``models``
        None stands for models that only litellm can ask.
        """
        if models is not None and all(self._is_direct(model) for model in models):
            return True
        return self._library.wait(timeout_s)

    def is_resting(self, model: str, within_s: float = math.inf) -> bool:
        """Return whether the model would not be called now with this deadline, because it failed before."""
        return self._breaker.is_resting(model, within_s)

    def prepare(self, model: str) -> None:
        """Import what the model needs, unless that is litellm, so that the first call finds it ready."""
        if self._direct is not None:
            self._direct.prepare(model)

    def complete(
        self, question: ModelRequest, *, model: str, deadline_s: float, budget: SpendGuard | None = None
    ) -> ModelResponse:
        """Return the model's answer, paid from ``budget`` (None: no accounting). Makes at most two attempts.

        Returns or raises within ``deadline_s`` seconds, whatever the provider does. A call that runs longer
        is abandoned in its thread.

        Raises:
            ModelUnavailable: no answer; carries the reason.
        """
        until = self._timer.monotonic() + deadline_s
        with self._permitted(model, question, deadline_s, deadline_s) as adapter:
            listed = self._catalogue.find(model)
            call = _Call(adapter, _fitted(question, listed), model, listed, until)
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
            until = self._timer.monotonic() + deadline_s
            within_s = min(deadline_s, max_silence_s)
            with self._permitted(model, question, deadline_s, within_s) as adapter:
                flow = ResponseStream(self._timer, is_stopped)
                listed = self._catalogue.find(model)
                call = _Call(adapter, _fitted(question, listed), model, listed, until, max_silence_s, flow)
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
    def _permitted(
        self, model: str, question: ModelRequest, deadline_s: float, within_s: float
    ) -> Iterator[ModelAdapter]:
        """Yields the adapter for one permitted call, and reports the outcome to the circuit breaker.

        ``within_s`` is how long the model may send nothing.
        """
        adapter = self._adapter(model, question, deadline_s)
        started = self._timer.monotonic()
        if not self._breaker.permit(model, within_s):
            self._log_call(model, started, "breaker_open")
            raise ModelUnavailableForNow
        try:
            yield adapter
        except ModelUnavailable as error:
            self._report(model, error, within_s)
            if not isinstance(error, ModelBudgetExceeded):
                self._log_call(model, started, error.reason)
            raise
        except BaseException:
            self._breaker.record_inconclusive(model)
            raise
        self._breaker.record_success(model, within_s)
        self._log_call(model, started, None)

    def _log_call(self, model: str, started: float, reason: str | None) -> None:
        """Logs a call that ended, with why it failed; calls that nobody was to pay for are none."""
        latency_ms = round((self._timer.monotonic() - started) * 1000)
        fields = {
            "model": model,
            "latency_ms": latency_ms,
            "reason": reason,
            "failed": int(reason is not None),
        }
        _log.debug("model called", extra=fields)

    def _adapter(self, model: str, question: ModelRequest, deadline_s: float) -> ModelAdapter:
        direct = self._direct.find(model, question) if self._direct is not None else None
        if direct is not None:
            return direct
        if self._is_direct(model):
            # `is_ready` was true without litellm, but this one request needs it.
            self._library.wait(min(LOADING_S, deadline_s / 2))
        return LitellmAdapter(self._library.get())

    def _is_direct(self, model: str) -> bool:
        return self._direct is not None and self._direct.find(model) is not None

    def _begun(self, call: _Call) -> Future[ModelResponse]:
        # The queue may take half of the remaining time; more would leave too little for the answer.
        try:
            return self._threads.start(lambda: self._tries(call), wait_s=self._left_s(call) / 2)
        except NoWorkerFree:
            raise ModelUnavailableForNow("busy") from None

    def _tries(self, call: _Call) -> ModelResponse:
        for _ in range(MAX_TRIES - 1):
            try:
                return self._once(call)
            except TransientModelError as trouble:
                pause_s = _pause_s(trouble)
                is_late = self._left_s(call) < pause_s + _WORTH_TRYING_S or pause_s > _LONGEST_WAIT_S
                if is_late or call.attempts.received_bytes:
                    raise
            self._timer.sleep(pause_s)
        return self._once(call)

    def _once(self, call: _Call) -> ModelResponse:
        timeout_s = self._left_s(call)
        if timeout_s <= 0 or call.is_abandoned:
            raise ModelTimeout
        attempt = ModelAttempt(
            request=call.request,
            model=call.model,
            listed=call.listed,
            api_key=self._api_key(vendor_of(call.model)) if self._api_key else None,
            timeout_s=timeout_s,
            total_s=call.until - self._timer.monotonic(),
        )
        call.attempts.started += 1
        with _recorded(call):
            if call.response_stream is not None:
                return self._read(call, call.response_stream, attempt)
            return call.adapter.complete(attempt)

    def _left_s(self, call: _Call) -> float:
        """The seconds that the answer, or its next piece, may still take."""
        return min(call.until - self._timer.monotonic(), call.max_silence_s)

    def _read(self, call: _Call, flow: ResponseStream, attempt: ModelAttempt) -> ModelResponse:
        """Reads the answer from a stream and forwards its text while reading."""
        with closing(call.adapter.stream(attempt, flow)) as pieces:
            while True:
                try:
                    piece = next(pieces)
                except StopIteration as end:
                    completed: ModelResponse = end.value
                    return completed
                if flow.is_abandoned or self._timer.monotonic() > call.until:
                    raise ModelTimeout
                call.attempts.received_bytes = piece.received_bytes
                if piece.text:
                    flow.write(piece.text)

    def _report(self, model: str, error: ModelUnavailable, within_s: float) -> None:
        match error:
            case TransientModelError(reason="rate_limited"):
                self._breaker.record_rate_limit(model, error.retry_after_s)
            case TransientModelError():
                self._breaker.record_failure(model, "failing")
            case ModelTimeout():
                self._breaker.record_failure(model, "slow", within_s)
            case ModelOutputInvalid():
                self._breaker.record_failure(model, "invalid_output")
            case ModelMisconfigured():
                self._breaker.record_refusal(model)
                _log.error("model refused", extra={"model": model, "error": error.cause_name or error.reason})
            case _:
                self._breaker.record_inconclusive(model)


@contextmanager
def _recorded(call: _Call) -> Iterator[None]:
    """Counts and logs the failure of an attempt."""
    try:
        yield
    except ModelUnavailable as failure:
        if call.is_abandoned:
            raise ModelTimeout from None
        call.attempts.refused += not (_is_in_doubt(failure) or call.attempts.received_bytes)
        _log.warning("model call failed", extra={"reason": failure.reason, "error": failure.cause_name})
        raise


def _is_in_doubt(failure: ModelUnavailable) -> bool:
    return failure.was_sent and failure.reason in _IN_DOUBT


def _fitted(question: ModelRequest, listed: Model | None) -> ModelRequest:
    """The request without files that the model can't read."""
    return replace(question, messages=fitted(question.messages, listed))


def _pause_s(trouble: TransientModelError) -> float:
    return (trouble.retry_after_s or 0.0) + random.uniform(_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S)
