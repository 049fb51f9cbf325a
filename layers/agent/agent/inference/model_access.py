"""The models of a deployment: the completion client, the model registry and the intent analyzer."""

from __future__ import annotations

import logging

from conversation.clock import Clock
from intent.analysis.analyzer import IntentAnalyzer
from intent.offline.offline_classifier import OfflineClassifier
from llm.adapters.registry import DirectAdapters
from llm.available_models import ModelSettings, build_registry, default_model
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient

RETIREMENT_NOTICE_DAYS = 60
"""So long before a model retires, operators are warned."""
LOG = logging.getLogger("agent.models")
MAX_MODEL_CALLS = 100
"""Concurrent calls, and connections to a server. On AWS a process answers one turn at a time."""


class ModelAccess:
    """The models of a deployment: those that understand messages, answer questions and work on runs.

    One instance per process: all calls share its connections and circuit breakers.
    """

    def __init__(
        self, settings: ModelSettings, *, clock: Clock, direct: DirectAdapters | None = None
    ) -> None:
        """``direct`` None: the adapters of ``settings.servers``."""
        self._clock = clock
        self._direct = direct or DirectAdapters(
            settings.servers, max_connections=MAX_MODEL_CALLS, catalogue=settings.catalogue
        )
        self.intent_model = default_model(settings.intent_model, settings.credentials, settings.catalogue)
        self.completion = CompletionClient(
            timer=clock,
            breaker=ModelCircuitBreakers(clock.monotonic),
            api_key=settings.api_key,
            direct=self._direct,
            catalogue=settings.catalogue,
            max_calls=MAX_MODEL_CALLS,
        )
        self.registry = build_registry(
            settings.credentials,
            intent_model=self.intent_model,
            strong_models=settings.strong_models,
            catalogue=settings.catalogue,
        )
        if self.intent_model is not None:
            self.completion.prepare(self.intent_model)

    def analyzer(self, clock: Clock, deadline_s: float, clarify_below: float) -> IntentAnalyzer:
        """The analyzer that understands messages: by the intent model within the deadline, or else
        offline. Decisions that are at least as sure as ``clarify_below`` have no alternative.
        """
        return IntentAnalyzer(
            offline=OfflineClassifier(),
            completion=self.completion,
            model=self.intent_model,
            clock=clock,
            registry=self.registry,
            deadline_s=deadline_s,
            clarify_below=clarify_below,
        )

    def is_ready(self, timeout_s: float) -> bool:
        """Whether every model can be called, waiting at most ``timeout_s`` seconds for litellm.

        A deployment whose models all have adapters of their own never waits, and never imports litellm.
        """
        return self.completion.is_ready(timeout_s, models=[each.id for each in self.registry.find_models()])

    def prepare(self, timeout_s: float) -> None:
        """Import what the models need, so that no turn has to; litellm for at most ``timeout_s`` seconds."""
        today = self._clock.now().date()
        for model in self.registry.find_models():
            self.completion.prepare(model.id)
            if model.retires_within(RETIREMENT_NOTICE_DAYS, today):
                LOG.warning(
                    "model retires soon", extra={"model": model.id, "retires_on": str(model.retires_on)}
                )
        self.is_ready(timeout_s)

    def close_connections(self) -> None:
        """Close the idle connections of the adapters; the next call of each opens one anew."""
        self._direct.close_connections()

    def may_need_litellm(self) -> bool:
        """Whether a turn could choose a model, or ask one something, that only litellm can ask."""
        return not all(map(self._direct.always_finds, self.registry.find_models()))

    def has_models(self) -> bool:
        """Whether this deployment uses any model."""
        return self.intent_model is not None or bool(self.registry.find_strong_models())
