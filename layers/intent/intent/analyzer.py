"""Understanding a message: explicit, else a model, else the rules. An answer always comes.

The rules' decision is computed first, because it is cheap; a model that answers in time replaces it. What a
user may do is not decided here.
"""

from __future__ import annotations

from conversation.clock import Clock
from intent import follow_ups, parsing, prompt, references
from intent.decision import Decision, Source
from intent.entities import AGENT_ID, AGENT_NAME, CRON, ORDINAL, SCHEDULE_TEXT, TIME_ZONE
from intent.offline import OfflineClassifier
from intent.parsing import UnusableOutput
from intent.schedules import parse_schedule
from intent.situation import Situation
from intent.verdict import Verdict
from llm.choice import vendor_of
from llm.completion import Completed, Completion
from llm.errors import ModelLoading, ModelUnavailable

DEFAULT_DEADLINE_S = 0.8


class IntentAnalyzer:
    """Understands messages; shared by all turns of a process. ``model`` None asks no model."""

    def __init__(
        self,
        *,
        offline: OfflineClassifier,
        completion: Completion | None,
        model: str | None,
        clock: Clock,
        deadline_s: float = DEFAULT_DEADLINE_S,
    ) -> None:
        self._offline = offline
        self._completion = completion
        self._model = model
        self._clock = clock
        self._deadline_s = deadline_s

    def analyze(self, situation: Situation) -> Decision:
        """What the message asks for, within about the deadline.

        Never fails for want of a model: ``fallback_reason`` then says what was wrong. Any other exception
        is a bug of ours and passes through.
        """
        started = self._clock.monotonic()
        decision = self._decide(situation, started + self._deadline_s)
        latency_ms = round((self._clock.monotonic() - started) * 1000)
        return decision.model_copy(update={"latency_ms": latency_ms})

    def _decide(self, situation: Situation, until: float) -> Decision:
        explicit = follow_ups.certain(situation)
        if explicit is not None:
            return explicit.decided_by(Source.EXPLICIT)
        offline = self._offline.classify(situation)
        model = situation.model or self._model
        if model is None:
            return offline
        if self._completion is None or self._model is None:
            return _fallen_back(offline, model, "not_configured")
        if not _is_allowed(model, self._model, situation):
            return _fallen_back(offline, model, "model_not_allowed")
        return self._by_model(self._completion, model, situation, offline, until)

    def _by_model(
        self, completion: Completion, model: str, situation: Situation, offline: Decision, until: float
    ) -> Decision:
        cost: float | None = None
        try:
            completed = self._ask(completion, model, situation, until)
            cost = completed.cost_usd
            verdict = parsing.parse(completed.text, is_secret=prompt.is_leaked)
        except ModelLoading:
            reason = "model_loading"
        except ModelUnavailable as error:
            reason = error.reason
        except UnusableOutput:
            reason = "invalid_output"
        else:
            return _grounded(verdict, offline, situation).model_copy(
                update={"model": model, "cost_usd": cost}
            )
        return _fallen_back(offline, model, reason).model_copy(update={"cost_usd": cost})

    def _ask(self, completion: Completion, model: str, situation: Situation, until: float) -> Completed:
        question = prompt.question(situation)
        return completion.complete(question, model=model, deadline_s=until - self._clock.monotonic())


def _fallen_back(offline: Decision, model: str, reason: str) -> Decision:
    return offline.model_copy(update={"model": model, "fallback_reason": reason})


def _is_allowed(model: str, own: str, situation: Situation) -> bool:
    """Whether the tenant allows the model, and a request that names it may have it.

    A request chooses among the models of the deployment's own vendor: another name could lead anywhere.
    """
    allowed = situation.allowed_models
    if allowed is not None:
        return model in allowed or model.rpartition("/")[2] in allowed
    return model == own or vendor_of(model) == vendor_of(own)


def _grounded(verdict: Verdict, offline: Decision, situation: Situation) -> Decision:
    """The model's verdict with what only the rules know:

    ids of agents, cron fields, and entities it left out.
    """
    said = dict(verdict.entities)
    if offline.action_type is verdict.action_type:
        said = {**offline.entities, **said}
    name, place = said.get(AGENT_NAME), said.get(ORDINAL)
    agent = references.known_agent(name, situation.agents) if isinstance(name, str) else None
    if agent is None and isinstance(place, int):
        agent = references.at_place(place, situation)
    if agent is not None:
        said |= {AGENT_ID: agent.id, AGENT_NAME: agent.name}
    when = said.get(SCHEDULE_TEXT)
    schedule = parse_schedule(when) if isinstance(when, str) else None
    if schedule and schedule.cron:
        said |= {CRON: schedule.cron, TIME_ZONE: said.get(TIME_ZONE) or situation.time_zone}
    return verdict.decided_by(Source.MODEL).model_copy(update={"entities": said})
