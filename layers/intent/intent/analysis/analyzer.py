"""Intent analysis of a message by three tiers: explicit, else a model, else offline. Always returns a result.

The offline decision is computed first, because it is cheap; a model that answers in time replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from conversation.clock import Clock
from intent.analysis import output_parser, prompt
from intent.analysis.act_analysis import shared_analysis
from intent.analysis.output_parser import UnusableOutput
from intent.analysis.plain_sums import is_plain_sum
from intent.dates.schedules import parse_schedule
from intent.decision import Decision, DecisionSource, PassedOverModel, Verdict
from intent.entities.extraction import AGENT_ID, AGENT_NAME, CRON, ORDINAL, SCHEDULE_TEXT, TIME_ZONE
from intent.offline import follow_ups
from intent.offline.offline_classifier import OfflineClassifier
from intent.rules import agent_references
from intent.situation import Situation
from llm.available_models import ModelRegistry
from llm.catalogue import Model, Tier
from llm.completion import CompletionClient
from llm.errors import ModelLoading, ModelOutputInvalid, ModelUnavailable
from llm.failover import ModelWalk, stand_ins
from llm.spend_guard import SpendGuard

_DEFAULT_DEADLINE_S = 0.8
_CLARIFY_BELOW = 0.7


MODEL_LOADING = "model_loading"
"""Why the offline tier answers while litellm is being imported."""
COLD_TURNS = 2
"""So many turns of a process are understood without litellm. The next one waits for it: on Lambda nothing is
imported between invocations, so quick answers would keep it from ever being there."""
LOADING_S = 20.0
"""The longest wait for litellm."""


class IntentAnalyzer:
    """Analyses messages. Shared by all turns of a process.

    With ``model`` None, no model is called by default. ``registry`` holds the models that a request may name
    instead; None allows only ``model``.
    """

    def __init__(
        self,
        *,
        offline: OfflineClassifier,
        completion: CompletionClient | None,
        model: str | None,
        clock: Clock,
        registry: ModelRegistry | None = None,
        deadline_s: float = _DEFAULT_DEADLINE_S,
        clarify_below: float = _CLARIFY_BELOW,
    ) -> None:
        self._offline = offline
        self._acts = shared_analysis()
        self._clarify_below = clarify_below
        self._completion = completion
        self._model = model
        self._registry = registry or ModelRegistry(vendors=frozenset(), intent_model=model, strong_models=())
        self._clock = clock
        self._deadline_s = deadline_s
        self._cold_turns = 0

    def analyze(self, situation: Situation, budget: SpendGuard | None = None) -> Decision:
        """Return what the message asks for, within about the deadline, or two where a model is passed over.

        ``budget`` pays for the model; None means no accounting. A failing model raises nothing:
        ``fallback_reason`` gives the reason instead. Any other exception is a bug of ours and propagates.
        """
        started = self._clock.monotonic()
        decision = self._decide(situation, budget, started + self._deadline_s)
        latency_ms = round((self._clock.monotonic() - started) * 1000)
        return decision.model_copy(update={"latency_ms": latency_ms}).without_doubts(self._clarify_below)

    def _decide(self, situation: Situation, budget: SpendGuard | None, until: float) -> Decision:
        explicit = follow_ups.explicit_verdict(situation)
        if explicit is not None:
            return self._acts.with_acts(explicit.to_decision(DecisionSource.EXPLICIT), situation)
        offline = self._acts.with_acts(self._offline.classify(situation), situation)
        if is_plain_sum(situation) or (offline.reading is not None and offline.reading.is_settled):
            return offline.model_copy(update={"source": DecisionSource.EXPLICIT})
        name = situation.model or self._model
        if name is None:
            return offline
        if self._completion is None or self._registry.find(name) is None:
            return _with_fallback(offline, name, "not_configured")
        model = self._registry.find(name, situation.allowed_models)
        if model is None:
            return _with_fallback(offline, name, "model_not_allowed")
        fast = self._fast_model(model, situation.allowed_models)
        models = stand_ins(fast, self._registry.find_fast_models(situation.allowed_models))
        if self._cold_turns >= COLD_TURNS:
            until += self._wait_for_library(self._completion, models)
        question = _ModelQuestion(self._completion, situation, budget)
        walk = ModelWalk(
            models,
            is_resting=self._completion.is_resting,
            # A model that takes all of its time leaves as much to another one.
            left_s=lambda: until + self._deadline_s - self._clock.monotonic(),
            call_s=self._deadline_s,
        )
        return self._ask_models(question, walk, fast, offline)

    def _wait_for_library(self, completion: CompletionClient, models: Sequence[Model]) -> float:
        """Wait for litellm where one of the models needs it; return the seconds that took."""
        started = self._clock.monotonic()
        completion.is_ready(LOADING_S, models=[model.id for model in models])
        return self._clock.monotonic() - started

    def _fast_model(self, model: Model, allowed: frozenset[str] | None) -> Model:
        """The model to use: for a requested strong model, a fast model of the same vendor if there is one."""
        if model.tier is Tier.FAST or (self._model and model is self._registry.find(self._model)):
            return model
        return self._registry.find_fast_model(model.vendor, allowed) or model

    def _ask_models(
        self, question: _ModelQuestion, walk: ModelWalk, first: Model, offline: Decision
    ) -> Decision:
        """The decision of the first model that has one, else the offline one with the first reason."""
        try:
            answer = walk.first_answer(question.ask)
        except ModelUnavailable as error:
            reason = MODEL_LOADING if isinstance(error, ModelLoading) else error.reason
            decision = _with_fallback(offline, first.id, reason)
            self._cold_turns += decision.offline_because_cold
        else:
            decision = self._read(answer, question.situation, offline)
        passed_over = tuple(PassedOverModel(model=model, reason=reason) for model, reason in walk.passed_over)
        return decision.model_copy(update={"cost_usd": question.cost_usd, "passed_over": passed_over})

    def _read(self, answer: _Understood, situation: Situation, offline: Decision) -> Decision:
        """The model's decision, unless the message does not bear it out."""
        verdict = answer.verdict
        decision = _completed(verdict, offline, situation).model_copy(
            update={"model": answer.model, "offline": offline, "verdict": verdict}
        )
        own = offline.reading.own if offline.reading else None
        read = self._acts.with_acts(decision, situation, verdict, own)
        if verdict.acts is None or read.reading is None or read.reading.is_by_model:
            return read
        return _with_fallback(offline, answer.model, "acts_not_in_message")


class _Understood(NamedTuple):
    """A model's verdict."""

    verdict: Verdict
    model: str


class _ModelQuestion:
    """The question to the models, and what they cost so far."""

    def __init__(self, completion: CompletionClient, situation: Situation, budget: SpendGuard | None) -> None:
        self._completion = completion
        self._budget = budget
        self._request = prompt.build_request(situation)
        self.situation = situation
        self.cost_usd: float | None = None
        """None: no model answered, or no price is known."""

    def ask(self, model: Model, within_s: float) -> _Understood:
        request = replace(self._request, thinking=model.thinking_effort(None))
        completed = self._completion.complete(
            request, model=model.id, deadline_s=within_s, budget=self._budget
        )
        if completed.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + completed.cost_usd
        try:
            verdict = output_parser.parse_verdict(completed.text, is_secret=prompt.repeats_prompt)
        except UnusableOutput:
            raise ModelOutputInvalid from None
        return _Understood(verdict, model.id)


def _with_fallback(offline: Decision, model: str, reason: str) -> Decision:
    is_cold = reason == MODEL_LOADING
    update = {"model": model, "fallback_reason": reason, "offline_because_cold": is_cold}
    return offline.model_copy(update=update)


def _completed(verdict: Verdict, offline: Decision, situation: Situation) -> Decision:
    """The model's verdict plus what only the rules know: agent ids, cron fields and missing entities."""
    entities = dict(verdict.entities)
    if offline.action_type is verdict.action_type:
        entities = {**offline.entities, **entities}
    name, position = entities.get(AGENT_NAME), entities.get(ORDINAL)
    agent = agent_references.find_agent_by_name(name, situation.agents) if isinstance(name, str) else None
    if agent is None and isinstance(position, int):
        agent = agent_references.agent_at_position(position, situation)
    if agent is not None:
        entities |= {AGENT_ID: agent.id, AGENT_NAME: agent.name}
    when = entities.get(SCHEDULE_TEXT)
    schedule = parse_schedule(when) if isinstance(when, str) else None
    if schedule and schedule.cron:
        entities |= {CRON: schedule.cron, TIME_ZONE: entities.get(TIME_ZONE) or situation.time_zone}
    return replace(verdict, entities=entities).to_decision(DecisionSource.MODEL)
