"""One call of a model as values: what the library is asked, and what its answer took. Imports no library.

Making it, in time and again if need be, is `llm.completion`'s job.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from llm import wire
from llm.billing import Bill, Tries, prompt_tokens, tokens_in
from llm.catalogue import Catalogue
from llm.errors import ModelOutputInvalid
from llm.metering import Free, Purse
from llm.questions import Completed, Question
from llm.streaming import Flow
from llm.wire import Streamed


@dataclass(frozen=True, slots=True)
class Call:
    """One question to one model, with the library that puts it and the time it has."""

    litellm: Any
    question: Question
    model: str
    until: float
    silent_s: float = math.inf
    """How long it may say nothing."""
    flow: Flow | None = None
    """Where its deltas go; None: it is answered in one piece."""
    tries: Tries = field(default_factory=Tries)

    @property
    def is_given_up(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.flow is not None and self.flow.is_given_up

    def paid_by(self, purse: Purse | None) -> Bill:
        """Its bill; None: nobody keeps accounts."""
        payer = Free() if purse is None else purse
        return Bill(self.question, model=self.model, price=self.price, purse=payer, tries=self.tries)

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost, by the catalogue; else by litellm, which knows far more models."""
        listed = Catalogue.load().find(self.model)
        if listed is not None:
            return listed.cost_usd(prompt_tokens, completion_tokens)
        try:
            costs = self.litellm.cost_per_token(
                model=self.model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
            )
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return None
        return float(sum(costs))

    def completed(self, response: Any) -> Completed:
        """The answer in a response.

        Raises:
            ModelOutputInvalid: there is none.
        """
        return wire.completed(response, self._cost_of(response))

    def streamed(self, answer: Streamed, stream: Any, usage: Any) -> Completed:
        """The answer that a stream came to, with what the library says at its end that it took.

        Raises:
            ModelOutputInvalid: there is none, or the stream just ended.
        """
        # Behind a stream that just ended the library makes up a reason, and tokens nobody told of.
        if not (stream.received_finish_reason or stream.intermittent_finish_reason):
            raise ModelOutputInvalid
        if usage is None or not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
            tokens = prompt_tokens(self.question), tokens_in(answer.size)
            return answer.completed(*tokens, self.price(*tokens))
        cost = self._cost_of_usage(usage)
        return answer.completed(usage.prompt_tokens, usage.completion_tokens, cost)

    def arguments(self, api_key: str | None, timeout_s: float) -> dict[str, Any]:
        """What the library is called with."""
        arguments: dict[str, Any] = {
            **wire.arguments(self.question),
            "model": self.model,
            "timeout": _rounded_up(timeout_s),
            "max_retries": 0,
            "drop_params": True,
            "_skip_mcp_handler": True,  # with tools or a schema it would import mcp
        }
        if self.flow is not None:
            arguments |= {"stream": True, "stream_options": {"include_usage": True}}
        return arguments if api_key is None else {**arguments, "api_key": api_key}

    def _cost_of(self, response: Any) -> float | None:
        """What an answer cost: litellm counts cached prompts and the like, where it knows the model."""
        cost = response._hidden_params.get("response_cost")  # noqa: SLF001 - documented, and never raises
        if isinstance(cost, float):
            return cost
        return self.price(response.usage.prompt_tokens, response.usage.completion_tokens)

    def _cost_of_usage(self, usage: Any) -> float | None:
        """The same for a stream, which says only at its end what it took."""
        try:
            costs = self.litellm.cost_per_token(model=self.model, usage_object=usage)
        except Exception:  # noqa: BLE001 - only the library's own code runs here, and it raises a bare one
            return self.price(usage.prompt_tokens, usage.completion_tokens)
        return float(sum(costs))


def _rounded_up(seconds: float) -> float:
    """To one digit: the library has a client, and so connections, of its own for every timeout it is told."""
    unit = 10.0 ** math.floor(math.log10(seconds))
    return round(math.ceil(seconds / unit) * unit, 6)
