"""The offline tier: a decision without any model, in a few milliseconds, always.

Its rules are word-aware English; what they can't tell comes out with a low confidence, so that the user is
asked.
"""

from __future__ import annotations

from dataclasses import replace

from intent import drafting, follow_ups, operations, references
from intent.decision import ActionType, Decision, Source
from intent.details import details
from intent.keywords import Reading, read
from intent.patterns import gist
from intent.references import Meant
from intent.situation import Situation
from intent.verdict import Verdict

_SEVERAL_JOBS_CONFIDENCE = 0.72
"""Source: seed 001, journey 5."""


class OfflineClassifier:
    """Rules only; no state, so one instance serves every tenant and thread."""

    def classify(self, situation: Situation) -> Decision:
        """The likeliest reading of the message in its situation."""
        text = gist(situation.message)
        meant = references.agent_meant(text, situation)
        own = read(text, names_agent=meant is not None)
        verdict = follow_ups.resumes(text) if situation.history or len(text.split()) < 8 else None
        if verdict is None and situation.last_note().draft is not None:
            verdict = drafting.next_step(text, situation, own)
        verdict = verdict or _with_details(_judged(text, situation, own, meant), text, situation, meant)
        return verdict.decided_by(Source.OFFLINE)


def _with_details(verdict: Verdict, text: str, situation: Situation, meant: Meant | None) -> Verdict:
    said = details(verdict.action_type, text, situation, meant)
    return replace(verdict, entities={**said, **verdict.entities})


def _judged(text: str, situation: Situation, own: Reading, meant: Meant | None) -> Verdict:
    return (
        follow_ups.likely(text, situation, own)
        or _on_an_agent(text, own, meant)
        or _several_jobs(text, own, meant)
        or _by_its_words(own)
    )


def _on_an_agent(text: str, own: Reading, meant: Meant | None) -> Verdict | None:
    """A few words about an agent that the signs alone say too little of."""
    is_weak = own.action in (ActionType.UNKNOWN, ActionType.CREATE_AGENT) and "new_agent" not in own.signs
    action = operations.on_an_agent(text) if meant and is_weak else None
    if action is None:
        return None
    return Verdict(action_type=action, confidence=0.8, reasoning="names an agent and what to do with it")


def _several_jobs(text: str, own: Reading, meant: Meant | None) -> Verdict | None:
    """Work of several parts that no agent was named for: do it once, or build an agent for it?"""
    if own.action is not ActionType.EXECUTE_TASK or meant or not operations.is_several_jobs(own.signs, text):
        return None
    return Verdict(
        action_type=own.action,
        confidence=min(own.confidence, _SEVERAL_JOBS_CONFIDENCE),
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
