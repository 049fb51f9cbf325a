"""The offline tier: always returns a decision within a few milliseconds, without a language model.

Rules resolve what a reply's note offers or asks. A learned classifier decides the rest; the rules' signals
are among its features. Without its weights, the rules decide alone. Unclear messages get a low confidence,
so that the user is asked.
"""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

from intent.classifier import verdict as learned_verdict
from intent.classifier.verdict import LearnedModel
from intent.decision import ActionType, Decision, Source, Verdict
from intent.entities import answers
from intent.offline import costs, follow_ups
from intent.offline import draft_answers as drafting
from intent.offline import recall as recalls
from intent.offline import tasks as todo
from intent.rules import operations, references
from intent.rules.details import details
from intent.rules.language import is_foreign
from intent.rules.references import Meant
from intent.rules.scoring import Evidence, Reading, evidence
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

    def __init__(self, learned: LearnedModel | None = None) -> None:
        self._learned = learned or LearnedModel()

    def classify(self, situation: Situation) -> Decision:
        """Return the likeliest decision for the message in its situation."""
        found = evidence(situation)
        today = situation.now.astimezone(ZoneInfo(situation.time_zone)).date()
        verdict = (
            recalls.verdict(situation.message, today)
            or costs.verdict(situation.message, today)
            or todo.read(situation)
            or _by_note(situation, found)
            or self._judged(situation, found)
        )
        return verdict.decided_by(Source.OFFLINE)

    def _judged(self, situation: Situation, found: Evidence) -> Verdict:
        if is_foreign(found.text):
            return _FOREIGN
        ruled = _by_rules(situation, found)
        likely = None if _is_plain(ruled, found) else self._learned.likelihoods(situation, found)
        if likely is None:
            return _with_details(ruled, situation, found)
        weighed = learned_verdict.verdict(likely)
        if _is_settled(ruled, situation, found) and not _is_corrected(weighed, found):
            return _with_details(ruled, situation, found)
        several = _several_jobs(found, weighed.action_type, weighed.confidence)
        judged = _with_details(several or weighed, situation, found)
        return replace(judged, clarifying_question=learned_verdict.question(judged))


def _by_note(situation: Situation, found: Evidence) -> Verdict | None:
    """The verdict settled by the last reply's note or options, or by a request to resume; else None."""
    text = found.text
    verdict = follow_ups.resumes(text) if situation.history or len(text.split()) < 8 else None
    if verdict is None and situation.last_note().draft is not None:
        verdict = drafting.next_step(text, situation, found.own)
    if verdict is None and (noted := _noted(text, situation, found)):
        verdict = _with_details(noted, situation, found)
    return verdict


def _noted(text: str, situation: Situation, found: Evidence) -> Verdict | None:
    return follow_ups.by_note(text, situation, found.own) or follow_ups.picked_in_words(text, situation)


def _with_details(verdict: Verdict, situation: Situation, found: Evidence) -> Verdict:
    said = details(verdict.action_type, found.text, situation, found.meant)
    return replace(verdict, entities={**said, **verdict.entities})


def _by_rules(situation: Situation, found: Evidence) -> Verdict:
    return (
        follow_ups.after_words(found.text, situation, found.own)
        or _on_an_agent(found.text, found.own, found.meant)
        or _several_jobs(found, found.own.action, found.own.confidence)
        or _by_its_words(found.own)
    )


def _is_settled(ruled: Verdict, situation: Situation, found: Evidence) -> bool:
    """Whether the rules are sure about a message on a known agent, or about a short answer to a reply on one.

    The classifier sees neither the user's agents nor notes.
    """
    about = found.meant or (answers.reply_in(found.text) and references.last_agent(situation))
    return _is_sure(ruled) and bool(about)


def _is_plain(ruled: Verdict, found: Evidence) -> bool:
    """Whether the rules are sure about a message that names one of our plain operations literally."""
    return _is_sure(ruled) and operations.operation_of(ruled.action_type, found.text) in _PLAIN


def _is_sure(ruled: Verdict) -> bool:
    return not ruled.is_ambiguous and ruled.confidence >= _SURE


def _is_corrected(weighed: Verdict, found: Evidence) -> bool:
    """Whether the classifier is nearly certain of an action for an agent that the message names."""
    is_named = found.nameless != found.text
    return is_named and weighed.confidence >= _NEARLY_CERTAIN and weighed.action_type in _ON_AN_AGENT


def _on_an_agent(text: str, own: Reading, meant: Meant | None) -> Verdict | None:
    """A few words about an agent, when the signals alone are too weak."""
    is_weak = own.action in (ActionType.UNKNOWN, ActionType.CREATE_AGENT) and "new_agent" not in own.signs
    action = operations.on_an_agent(text) if meant and is_weak else None
    if action is None:
        return None
    return Verdict(action_type=action, confidence=0.8, reasoning="names an agent and what to do with it")


def _several_jobs(found: Evidence, action: ActionType, confidence: float) -> Verdict | None:
    """Work of several steps without a named agent: ambiguous between doing it once and creating an agent."""
    if action is not ActionType.EXECUTE_TASK or found.meant:
        return None
    if not operations.is_several_jobs(found.own.signs, found.text):
        return None
    return Verdict(
        action_type=action,
        confidence=min(confidence, _SEVERAL_JOBS_CONFIDENCE),
        is_ambiguous=True,
        alternative_action=ActionType.CREATE_AGENT,
        reasoning="work of several parts that no agent was named for",
    )


def _by_its_words(own: Reading) -> Verdict:
    return Verdict(
        action_type=own.action,
        confidence=own.confidence,
        is_ambiguous=own.is_close() and own.action is not ActionType.UNKNOWN,
        alternative_action=own.runner_up,
        reasoning=f"its words look like {own.action.value}",
    )
