"""Asking a model, within a deadline. The only module that knows litellm.

It neither builds prompts nor reads answers: those are `intent.prompt` and `intent.parsing`.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from pydantic import JsonValue

from llm.breaker import Breaker
from llm.choice import vendor_of
from llm.errors import (
    ModelLoading,
    ModelMisconfigured,
    ModelOutputInvalid,
    ModelRested,
    ModelTooLate,
    ModelTrouble,
    ModelUnavailable,
)

MAX_TRIES = 2
MAX_CALLS = 16
_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S = 0.03, 0.12
_WORTH_TRYING_S = 0.05

_log = logging.getLogger(__name__)


class Timer(Protocol):
    """The part of a clock that deadlines need."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a model is asked. ``schema`` is the JSON schema its answer should follow; None: free text."""

    messages: Sequence[Mapping[str, str]]
    schema: Mapping[str, JsonValue] | None = None
    max_tokens: int
    temperature: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A model's answer, unchecked. ``cost_usd`` None: the price of this model is not known."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class Completion:
    """Models, asked one question at a time per thread; shared by all turns of a process.

    ``api_key`` gives the key for a vendor ("openai", "anthropic", …), asked for once per try in the thread
    that calls the model. None, or a None from it, leaves it to the client library, which reads the
    environment.
    """

    def __init__(
        self,
        *,
        timer: Timer,
        breaker: Breaker,
        api_key: Callable[[str], str | None] | None = None,
        max_calls: int = MAX_CALLS,
    ) -> None:
        self._timer = timer
        self._breaker = breaker
        self._api_key = api_key
        self._library = _Library()
        self._free = threading.BoundedSemaphore(max_calls)

    def is_ready(self, timeout_s: float = 0.0) -> bool:
        """Whether the client library is imported, waiting for it at most so long."""
        return self._library.wait(timeout_s)

    def complete(self, question: Question, *, model: str, deadline_s: float) -> Completed:
        """The model's answer, tried at most twice.

        Returns or raises within ``deadline_s`` seconds, whatever the provider does: a call that trickles on
        after that is left to a thread whose answer nobody reads.

        Raises:
            ModelUnavailable: with the reason.
        """
        litellm = self._library.get()
        if not self._breaker.permit(model):
            raise ModelRested
        try:
            completed = self._in_time(_Call(litellm, question, model, self._timer.monotonic() + deadline_s))
        except ModelUnavailable as error:
            self._report(model, error)
            raise
        except BaseException:
            self._breaker.undecided(model)
            raise
        self._breaker.succeeded(model)
        return completed

    def _in_time(self, call: _Call) -> Completed:
        if not self._free.acquire(blocking=False):
            raise ModelRested("busy")
        future: Future[Completed] = Future()
        threading.Thread(target=self._work, args=(call, future), name="model-call", daemon=True).start()
        try:
            return future.result(timeout=max(0.0, call.until - self._timer.monotonic()))
        except TimeoutError:
            raise ModelTooLate from None

    def _work(self, call: _Call, future: Future[Completed]) -> None:
        try:
            future.set_result(self._tries(call))
        except BaseException as error:  # noqa: BLE001 - raised again where the caller waits
            future.set_exception(error)
        finally:
            self._free.release()

    def _tries(self, call: _Call) -> Completed:
        for _ in range(MAX_TRIES - 1):
            try:
                return self._once(call)
            except ModelTrouble as trouble:
                pause_s = _pause_s(trouble)
                if self._timer.monotonic() + pause_s + _WORTH_TRYING_S > call.until:
                    raise
            self._timer.sleep(pause_s)
        return self._once(call)

    def _once(self, call: _Call) -> Completed:
        timeout_s = call.until - self._timer.monotonic()
        if timeout_s <= 0:
            raise ModelTooLate
        api_key = self._api_key(vendor_of(call.model)) if self._api_key else None
        arguments = call.arguments(api_key, timeout_s)
        try:
            response = call.litellm.completion(**arguments)
        except Exception as error:  # noqa: BLE001 - only the library's own code runs here
            failure = _meaning(error)
            _log.warning("model call failed", extra={"reason": failure.reason, "error": type(error).__name__})
            raise failure from None  # the provider's text may quote the prompt
        return _completed(response)

    def _report(self, model: str, error: ModelUnavailable) -> None:
        match error:
            case ModelTrouble() | ModelTooLate():
                self._breaker.failed(model)
            case ModelMisconfigured():
                self._breaker.misconfigured(model)
            case _:
                self._breaker.undecided(model)


@dataclass(frozen=True, slots=True)
class _Call:
    litellm: Any
    question: Question
    model: str
    until: float

    def arguments(self, api_key: str | None, timeout_s: float) -> dict[str, Any]:
        question = self.question
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [dict(message) for message in question.messages],
            "temperature": question.temperature,
            "max_tokens": question.max_tokens,
            "timeout": timeout_s,
            "max_retries": 0,
            "drop_params": True,
            "_skip_mcp_handler": True,  # with tools or a schema it would import mcp
        }
        if question.schema is not None:
            arguments["response_format"] = _response_format(question.schema)
        return arguments if api_key is None else {**arguments, "api_key": api_key}


class _Library:
    """litellm, imported once, by a thread of its own: it costs seconds of CPU."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._imported: Future[ModuleType] | None = None

    def begin(self) -> Future[ModuleType]:
        with self._lock:
            if self._imported is None:
                self._imported = Future()
                threading.Thread(
                    target=_load, args=(self._imported,), name="model-library", daemon=True
                ).start()
            return self._imported

    def wait(self, timeout_s: float) -> bool:
        try:
            self.begin().result(timeout=timeout_s)
        except TimeoutError:
            return False
        return True

    def get(self) -> ModuleType:
        imported = self.begin()
        if not imported.done():
            raise ModelLoading
        return imported.result()


def _load(imported: Future[ModuleType]) -> None:
    try:
        imported.set_result(_import())
    except BaseException as error:  # noqa: BLE001 - raised again by whoever asks for the library
        imported.set_exception(error)


def _import() -> ModuleType:
    import litellm
    import openai

    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its warnings quote requests and answers
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    # The first call and the first client import some hundred modules more; better now than in a turn.
    _ = openai.OpenAI(api_key="none").chat.completions
    litellm.completion(model="gpt-4o-mini", messages=[{"role": "user", "content": ""}], mock_response="ready")
    return litellm


def _meaning(error: Exception) -> ModelUnavailable:
    from llm.failures import meaning  # needs what litellm brings, which an offline turn never imports

    return meaning(error)


def _pause_s(trouble: ModelTrouble) -> float:
    return (trouble.retry_after_s or 0.0) + random.uniform(_SHORTEST_PAUSE_S, _LONGEST_PAUSE_S)


def _response_format(schema: Mapping[str, JsonValue]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), "strict": False}}


def _completed(response: Any) -> Completed:
    text = response.choices[0].message.content if response.choices else None
    if not isinstance(text, str):
        raise ModelOutputInvalid
    cost = response._hidden_params.get("response_cost")  # noqa: SLF001 - documented, and never raises
    usage = response.usage
    return Completed(
        text=text,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost_usd=cost if isinstance(cost, float) else None,
    )
