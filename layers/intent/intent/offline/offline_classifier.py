"""The offline tier: always returns a decision within a few milliseconds, without a language model.

Rules resolve what a reply's note offers or asks. A learned classifier decides the rest; the rules' signals
are among its features. Without its weights, the rules decide alone. Unclear messages get a low confidence,
so that the user is asked.
"""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from intent.classifier import classifier_tier
from intent.classifier.classifier_tier import ClassifierTier
from intent.decision import ActionType, Decision, DecisionSource, Verdict
from intent.entities import answers
from intent.entities.own_words import with_own_words
from intent.offline import cost_questions, follow_ups, recall_questions, tasks, wizard_answers
from intent.rules import agent_references, requested_operation
from intent.rules.action_entities import action_entities
from intent.rules.agent_references import AgentReference
from intent.rules.language import is_foreign
from intent.rules.scoring import RuleFindings, RuleScore, apply_rules
from intent.situation import Situation

_SURE = 0.75
_NEARLY_CERTAIN = 0.85
_ON_AN_AGENT = frozenset({ActionType.EXECUTE_TASK, ActionType.UPDATE_AGENT, ActionType.QUERY_INFO})
_PLAIN = frozenset({"list_agents", "list_runs", "help", "show_policy", "set_retention"})
_FOREIGN = Verdict(
    action_type=ActionType.UNKNOWN, confidence=0.9, reasoning="is in a language other than English"
)
_SEVERAL_JOBS_CONFIDENCE = 0.72
"""Source: seed 001, journey 5."""


class OfflineClassifier:
    """The offline classifier. It is stateless: one instance serves all tenants and threads."""

    def __init__(self, learned: ClassifierTier | None = None) -> None:
        self._learned = learned or ClassifierTier()

    def classify(self, situation: Situation) -> Decision:
        """Return the likeliest decision for the message's own words in its situation."""
        situation = with_own_words(situation)
        findings = apply_rules(situation)
        today = situation.now.astimezone(ZoneInfo(situation.time_zone)).date()
        verdict = (
            recall_questions.recall_verdict(situation.message, today)
            or cost_questions.cost_verdict(situation.message, today)
            or tasks.task_verdict(situation)
            or _by_note(situation, findings)
            or self._classified(situation, findings)
        )
        return verdict.to_decision(DecisionSource.OFFLINE)

    def _classified(self, situation: Situation, findings: RuleFindings) -> Verdict:
        if is_foreign(findings.text):
            return _FOREIGN
        ruled = _by_rules(situation, findings)
        is_settled = _is_settled(ruled, situation, findings)
        # The model is not asked where no answer of it would count: it takes half of the time of a message.
        is_plain = _is_plain(ruled, findings) or (is_settled and not _is_agent_named(findings))
        likely = None if is_plain else self._learned.likelihoods(situation, findings)
        if likely is None:
            return _with_details(ruled, situation, findings)
        weighed = classifier_tier.verdict_from_likelihoods(likely)
        if is_settled and not _is_corrected(weighed, findings):
            return _with_details(ruled, situation, findings)
        several = _several_jobs(findings, weighed.action_type, weighed.confidence)
        verdict = _with_details(several or weighed, situation, findings)
        return replace(verdict, clarifying_question=classifier_tier.render_question(verdict))


def _by_note(situation: Situation, findings: RuleFindings) -> Verdict | None:
    """The verdict settled by the last reply's note or options, or by a request to resume; else None."""
    text = findings.text
    verdict = follow_ups.resume_verdict(text) if situation.history or len(text.split()) < 8 else None
    if verdict is None and situation.last_note().draft is not None:
        verdict = wizard_answers.wizard_verdict(text, situation, findings.own_score)
    if verdict is None and (noted := _noted(text, situation, findings)):
        verdict = _with_details(noted, situation, findings)
    return verdict


def _noted(text: str, situation: Situation, findings: RuleFindings) -> Verdict | None:
    return follow_ups.verdict_from_note(
        text, situation, findings.own_score
    ) or follow_ups.verdict_from_picked_option(text, situation)


def _with_details(verdict: Verdict, situation: Situation, findings: RuleFindings) -> Verdict:
    entities = action_entities(verdict.action_type, findings.text, situation, findings.agent)
    return replace(verdict, entities={**entities, **verdict.entities})


def _by_rules(situation: Situation, findings: RuleFindings) -> Verdict:
    return (
        follow_ups.verdict_after_reply(findings.text, situation, findings.own_score)
        or _on_an_agent(findings.text, findings.own_score, findings.agent)
        or _several_jobs(findings, findings.own_score.action, findings.own_score.confidence)
        or _by_its_words(findings.own_score)
    )


def _is_settled(ruled: Verdict, situation: Situation, findings: RuleFindings) -> bool:
    """Whether the rules are sure about a message on a known agent, or about a short answer to a reply on one.

    The classifier sees neither the user's agents nor notes.
    """
    about = findings.agent or (
        answers.parse_reply(findings.text) and agent_references.last_mentioned_agent(situation)
    )
    return _is_sure(ruled) and bool(about)


def _is_plain(ruled: Verdict, findings: RuleFindings) -> bool:
    """Whether the rules are sure about a message that names one of our plain operations literally."""
    return _is_sure(ruled) and requested_operation.find_operation(ruled.action_type, findings.text) in _PLAIN


def _is_sure(ruled: Verdict) -> bool:
    return not ruled.is_ambiguous and ruled.confidence >= _SURE


def _is_corrected(weighed: Verdict, findings: RuleFindings) -> bool:
    """Whether the classifier is nearly certain of an action for an agent that the message names."""
    is_certain = weighed.confidence >= _NEARLY_CERTAIN and weighed.action_type in _ON_AN_AGENT
    return _is_agent_named(findings) and is_certain


def _is_agent_named(findings: RuleFindings) -> bool:
    return findings.text_without_name != findings.text


def _on_an_agent(text: str, own: RuleScore, meant: AgentReference | None) -> Verdict | None:
    """A few words about an agent, when the signals alone are too weak."""
    is_weak = own.action in (ActionType.UNKNOWN, ActionType.CREATE_AGENT) and "new_agent" not in own.signals
    action = requested_operation.action_on_agent(text) if meant and is_weak else None
    if action is None:
        return None
    return Verdict(action_type=action, confidence=0.8, reasoning="names an agent and what to do with it")


def _several_jobs(findings: RuleFindings, action: ActionType, confidence: float) -> Verdict | None:
    """Work of several steps without a named agent: ambiguous between doing it once and creating an agent."""
    if action is not ActionType.EXECUTE_TASK or findings.agent:
        return None
    if not requested_operation.needs_several_steps(findings.own_score.signals, findings.text):
        return None
    return Verdict(
        action_type=action,
        confidence=min(confidence, _SEVERAL_JOBS_CONFIDENCE),
        is_ambiguous=True,
        alternative_action=ActionType.CREATE_AGENT,
        reasoning="work of several parts that no agent was named for",
    )


def _by_its_words(own: RuleScore) -> Verdict:
    return Verdict(
        action_type=own.action,
        confidence=own.confidence,
        is_ambiguous=own.is_close() and own.action is not ActionType.UNKNOWN,
        alternative_action=own.runner_up,
        reasoning=f"its words look like {own.action.value}",
    )
