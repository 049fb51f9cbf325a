"""Conversion of the learned model's likelihoods to a verdict, with a question when two actions are close."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from intent.classifier import weights
from intent.classifier.linear_model import LinearModel
from intent.classifier.weights import WeightsInvalid
from intent.decision import ActionType, Verdict
from intent.entities import extraction
from intent.rules.scoring import RuleFindings
from intent.situation import Situation

LOG = logging.getLogger("omniforge.intent")
_CLOSE_MARGIN = 0.2
"""When the top two probabilities differ by less than this, the user is asked which action they mean."""

_WISHES: Mapping[ActionType, str] = {
    ActionType.CREATE_AGENT: "a new agent{about}",
    ActionType.CREATE_SKILL: "a new skill for your agents",
    ActionType.EXECUTE_TASK: "something done now, once{about}",
    ActionType.UPDATE_AGENT: "a change to {agent}",
    ActionType.QUERY_INFO: "an answer, with nothing changed",
    ActionType.MANAGE_PLATFORM: "a setting of your workspace changed",
}


class ClassifierTier:
    """The learned model with the shipped weights, read at the first message. Logs when they are unusable."""

    def __init__(self, path: Path = weights.SHIPPED_WEIGHTS) -> None:
        self._path = path
        try:
            weights.check_weights_file(path)
        except WeightsInvalid as error:
            _report_unusable(error)
            self._is_usable = False
        else:
            self._is_usable = True

    @cached_property
    def _model(self) -> LinearModel | None:
        if not self._is_usable:
            return None
        try:
            return LinearModel(weights.read_weights(self._path))
        except WeightsInvalid as error:
            _report_unusable(error)
            return None

    def likelihoods(self, situation: Situation, findings: RuleFindings) -> Mapping[ActionType, float] | None:
        """Return the likelihood of each action; None without usable weights."""
        if self._model is None:
            return None
        is_named = findings.text_without_name != findings.text
        seen = replace(situation, message=findings.text_without_name) if is_named else situation
        return self._model.likelihoods(seen, findings.own_score)


def _report_unusable(error: WeightsInvalid) -> None:
    LOG.error("offline_weights_unusable: %s; the rules answer alone", error)


def verdict_from_likelihoods(likely: Mapping[ActionType, float]) -> Verdict:
    """Return the likeliest action, marked as ambiguous when the next one is about as likely."""
    (best, high), (second, low) = sorted(likely.items(), key=lambda item: -item[1])[:2]
    return Verdict(
        action_type=best,
        confidence=round(high, 3),
        is_ambiguous=high - low < _CLOSE_MARGIN and ActionType.UNKNOWN not in (best, second),
        alternative_action=second,
        reasoning=f"looks like {best.value} ({high:.0%}) rather than {second.value} ({low:.0%})",
    )


def render_question(verdict: Verdict) -> str | None:
    """Return the sentence that precedes the offered options: what was understood, in the user's terms."""
    wishes = [_wish(action, verdict.entities) for action in (verdict.action_type, verdict.alternative_action)]
    named = [wish for wish in wishes if wish]
    return f"I understood that you'd like {' or '.join(named)}." if named else None


def _wish(action: ActionType | None, entities: Mapping[str, JsonValue]) -> str | None:
    form = _WISHES.get(action) if action else None
    subject = (
        entities.get(extraction.WHAT) or entities.get(extraction.TOPIC) or entities.get(extraction.SOURCE)
    )
    about = f" for {subject}" if isinstance(subject, str) else ""
    agent = entities.get(extraction.AGENT_NAME)
    return form.format(about=about, agent=agent if isinstance(agent, str) else "an agent") if form else None
