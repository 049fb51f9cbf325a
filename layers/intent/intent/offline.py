"""The offline tier: a decision without any model, in well under a millisecond or two, always.

Its rules are word-aware English; what they can't tell comes out with a low confidence, so that the user is
asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from intent import entities, follow_ups, operations, references
from intent.decision import ActionType, Decision, Source
from intent.keywords import Reading, read
from intent.patterns import straight
from intent.situation import Situation
from intent.verdict import Verdict

_AMBIGUOUS_CONFIDENCE = 0.65
_ABOUT_AN_AGENT = frozenset({ActionType.UPDATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO})


class OfflineClassifier:
    """Rules only; no state, so one instance serves every tenant and thread."""

    def classify(self, situation: Situation) -> Decision:
        """The likeliest reading of the message in its situation."""
        text = straight(situation.message)
        own = read(text, [agent.name for agent in situation.agents])
        verdict = follow_ups.likely(situation, own) or _by_its_words(own, situation)
        return _completed(verdict, text, situation).decided_by(Source.OFFLINE)


def _by_its_words(own: Reading, situation: Situation) -> Verdict:
    meant = references.agent_meant(situation.message, situation)
    if meant and own.action in (ActionType.UNKNOWN, ActionType.CREATE_AGENT) and "new_agent" not in own.signs:
        action = operations.on_an_agent(situation.message)
        if action is not None:
            return Verdict(
                action_type=action, confidence=0.8, reasoning="names an agent and what to do with it"
            )
    if (
        own.action is ActionType.EXECUTE_TASK
        and meant is None
        and operations.is_several_jobs(own.signs, situation.message)
    ):
        return Verdict(
            action_type=own.action,
            confidence=max(own.confidence, _AMBIGUOUS_CONFIDENCE),
            is_ambiguous=True,
            alternative_action=ActionType.CREATE_AGENT,
            reasoning="work of several parts that no agent was named for",
        )
    return Verdict(
        action_type=own.action,
        confidence=own.confidence,
        is_ambiguous=own.is_close() and own.action is not ActionType.UNKNOWN,
        alternative_action=own.runner_up,
        reasoning=f"its words look like {own.action.value}",
    )


def _completed(verdict: Verdict, text: str, situation: Situation) -> Verdict:
    found = entities.extract(text, now=situation.now, time_zone=situation.time_zone)
    said: dict[str, JsonValue] = {**_fitting(verdict.action_type, found, text), **verdict.entities}
    if verdict.action_type in _ABOUT_AN_AGENT:
        said |= _agent(text, situation)
    return Verdict(
        action_type=verdict.action_type,
        confidence=verdict.confidence,
        entities=said,
        reasoning=verdict.reasoning,
        is_ambiguous=verdict.is_ambiguous,
        alternative_action=verdict.alternative_action,
        clarifying_question=verdict.clarifying_question,
    )


def _fitting(action: ActionType, found: Mapping[str, JsonValue], text: str) -> dict[str, JsonValue]:
    """Of what the text mentions, the part that belongs to the action, and the operation it names."""
    operation = operations.operation_of(action, text)
    named = {entities.OPERATION: operation} if operation else {}
    kept: tuple[str, ...]
    match action:
        case ActionType.UPDATE_AGENT:
            return {**named, **operations.change_of(operation, found)}
        case ActionType.QUERY_INFO:
            kept = (entities.PERIOD, entities.TOPIC)
        case ActionType.MANAGE_PLATFORM:
            kept = (entities.DAYS,)
        case ActionType.UNKNOWN:
            kept = ()
        case _:
            kept = tuple(key for key in found if key not in (entities.DAYS, entities.NEW_NAME))
    return {**named, **{key: found[key] for key in kept if key in found}}


def _agent(text: str, situation: Situation) -> dict[str, JsonValue]:
    agent = references.agent_meant(text, situation)
    if agent is None:
        place = references.place_in(text)
        return {} if place is None else {entities.ORDINAL: place}
    named: dict[str, JsonValue] = {entities.AGENT_ID: agent.id, entities.AGENT_NAME: agent.name}
    return named if agent.place is None else {**named, entities.ORDINAL: agent.place}
