"""The walk over the models that may answer a question: each is asked until one does, within the time left.

The callers ask the models; `llm.circuit_breaker` says which of them rest.
"""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol, TypeVar

from pydantic import JsonValue

from llm.catalogue import Model, Vendor
from llm.errors import ModelBudgetExceeded, ModelUnavailable, ModelUnavailableForNow

WORTH_ASKING_S = 0.05
_log = logging.getLogger(__name__)

Answer = TypeVar("Answer")


class PassedOver(NamedTuple):
    """A model that another one answered for, and the reason of `llm.errors.ModelUnavailable`."""

    model: str
    reason: str

    def to_json(self) -> dict[str, JsonValue]:
        """The model and the reason as they are stored with a turn."""
        return {"model": self.model, "reason": self.reason}


class Resting(Protocol):
    """Tells which models rest; see `llm.completion.CompletionClient.is_resting`."""

    def __call__(self, model: str, within_s: float) -> bool:
        """Return whether the model would not be called with this deadline."""


class Attempt(NamedTuple):
    """A model to ask, and the time that it may take."""

    model: Model
    within_s: float


class ModelWalk:
    """One walk; made for one answer.

    ``left_s`` returns the seconds left for all models together, ``call_s`` is the most that one may take.
    After each attempt that failed, call `pass_over`.
    """

    def __init__(
        self,
        models: Sequence[Model],
        *,
        is_resting: Resting,
        left_s: Callable[[], float],
        call_s: float = math.inf,
    ) -> None:
        self._models = models
        self._is_resting = is_resting
        self._left_s = left_s
        self._call_s = call_s
        self._failures: list[ModelUnavailable] = []
        self.passed_over: list[PassedOver] = []
        """The models so far that did not answer, in the order in which they were preferred."""

    def attempts(self) -> Iterator[Attempt]:
        """The models to ask, in order; those that rest are passed over.

        A model gets half of the time left while another one could still answer.
        """
        has_asked = False
        for place, model in enumerate(self._models):
            left_s = self._left_s()
            if has_asked and left_s < WORTH_ASKING_S:
                return
            if self._is_resting(model.id, min(self._call_s, left_s)):
                self.pass_over(model, ModelUnavailableForNow())
                continue
            has_asked = True
            share_s = left_s if self._is_last(place, left_s) else left_s / 2
            yield Attempt(model, min(self._call_s, share_s))
        if self._models and not has_asked:
            # Without this the alarm for failing models would hear nothing while all of them rest.
            fields = {"model": self._models[0].id, "latency_ms": 0, "reason": "breaker_open", "failed": 1}
            _log.debug("model called", extra=fields)

    def pass_over(self, model: Model, error: ModelUnavailable) -> None:
        """Note that the model did not answer.

        Raises:
            ModelUnavailable: the error itself, where another model would fail the same way.
        """
        self.passed_over.append(PassedOver(model.id, error.reason))
        self._failures.append(error)
        if isinstance(error, ModelBudgetExceeded) or error.reason in ("busy", "budget_unknown"):
            raise error

    @property
    def failure(self) -> ModelUnavailable:
        """Why no model answered: the failure of the first one that was asked, if any was."""
        asked = (error for error in self._failures if error.reason != "breaker_open")
        return next(asked, ModelUnavailableForNow())

    def first_answer(self, ask: Callable[[Model, float], Answer]) -> Answer:
        """Return the answer of the first model that has one. ``ask`` gets the model and its time in seconds.

        Raises:
            ModelUnavailable: no model answered; see `failure`.
        """
        for model, within_s in self.attempts():
            try:
                return ask(model, within_s)
            except ModelUnavailable as error:
                self.pass_over(model, error)
        raise self.failure

    def _is_last(self, place: int, left_s: float) -> bool:
        within_s = min(self._call_s, left_s)
        return all(self._is_resting(other.id, within_s) for other in self._models[place + 1 :])


def stand_ins(model: Model, others: Sequence[Model]) -> tuple[Model, ...]:
    """Return the model and then the others: the first of each other vendor, the next of its own, and so on.

    The models of a vendor often fail together.
    """
    by_vendor: defaultdict[Vendor | None, list[Model]] = defaultdict(list)
    for other in others:
        if other.id != model.id:
            by_vendor[other.vendor].append(other)
    own = by_vendor.pop(model.vendor, [])
    rounds = zip_longest(*by_vendor.values(), own)
    return (model, *(other for one_round in rounds for other in one_round if other is not None))
