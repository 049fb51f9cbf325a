"""The entities that belong to an action: its operation, the agent meant and the details mentioned."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from intent.decision import ActionType
from intent.entities import extraction
from intent.entities.services import is_known_service
from intent.regular_expressions import lower_pattern
from intent.rules import agent_references, requested_operation
from intent.rules.agent_references import AgentReference
from intent.situation import Situation

_ABOUT_AN_AGENT = frozenset({ActionType.UPDATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO})
_ONLY = {
    ActionType.QUERY_INFO: frozenset({extraction.PERIOD, extraction.TOPIC}),
    ActionType.MANAGE_PLATFORM: frozenset({extraction.DAYS}),
    ActionType.UNKNOWN: frozenset[str](),
}
_NEVER = frozenset({extraction.DAYS, extraction.NEW_NAME})
_MOST_WORDS = 12
_CALLED_A_SOURCE = lower_pattern(r"\b(?:sources?|data|reads?|reading|from|look(?:s|ing)? (?:at|in)|point)\b")


def action_entities(
    action: ActionType, text: str, situation: Situation, agent: AgentReference | None
) -> dict[str, JsonValue]:
    """Return the entities of a message with this action; ``agent`` is the one its words mean, if any."""
    mentioned: Mapping[str, JsonValue] = extraction.extract_entities(
        text, now=situation.now, time_zone=situation.time_zone
    )
    operation = requested_operation.find_operation(action, text)
    agent = agent or _left_unsaid(action, operation, text, situation)
    entities: dict[str, JsonValue] = {extraction.OPERATION: operation} if operation else {}
    if action is ActionType.UPDATE_AGENT:
        if operation == "change":
            mentioned = _with_bare_time(mentioned, text, situation)
        entities |= requested_operation.requested_change(operation, _of_the_agent(agent, mentioned, text))
    else:
        entities |= {
            key: value for key, value in mentioned.items() if key in _wanted(action, mentioned, agent)
        }
    return entities | _agent(text, agent) if action in _ABOUT_AN_AGENT else entities


def agent_entities(agent: AgentReference) -> dict[str, JsonValue]:
    """Return the agent as entities."""
    named: dict[str, JsonValue] = {extraction.AGENT_ID: agent.id, extraction.AGENT_NAME: agent.name}
    return named if agent.position is None else {**named, extraction.ORDINAL: agent.position}


def _agent(text: str, agent: AgentReference | None) -> dict[str, JsonValue]:
    if agent is not None:
        return agent_entities(agent)
    place = agent_references.parse_position(text)
    return {} if place is None else {extraction.ORDINAL: place}


def _wanted(
    action: ActionType, mentioned: Mapping[str, JsonValue], agent: AgentReference | None
) -> frozenset[str]:
    """The mentioned entities that belong to the action. Running an agent has no ``what``: it has its job."""
    only = _ONLY.get(action, frozenset(mentioned) - _NEVER)
    return only - {extraction.WHAT} if agent and action is ActionType.EXECUTE_TASK else only


def _left_unsaid(
    action: ActionType, operation: str | None, text: str, situation: Situation
) -> AgentReference | None:
    """The agent just discussed, if a short message changes or reruns it and names no other agent."""
    changes = action is ActionType.UPDATE_AGENT and operation == "change"
    repeats = action is ActionType.EXECUTE_TASK and agent_references.is_continuation(text)
    is_short = len(text.split()) <= _MOST_WORDS and not agent_references.describes_an_agent(text)
    return agent_references.agent_of_last_reply(situation) if is_short and (changes or repeats) else None


def _with_bare_time(
    mentioned: Mapping[str, JsonValue], text: str, situation: Situation
) -> Mapping[str, JsonValue]:
    """Adds a time without any further words (``actually 9am``): for an agent it can only be the schedule."""
    if {extraction.SCHEDULE_TEXT, extraction.DEADLINE} & set(mentioned):
        return mentioned
    return {**mentioned, **extraction.extract_schedule(text, time_zone=situation.time_zone)}


def _of_the_agent(
    agent: AgentReference | None, mentioned: Mapping[str, JsonValue], text: str
) -> dict[str, JsonValue]:
    """Drops a source that is not part of a change.

    That is a service in the agent's own name (``the notion reporter``), or an unknown name that the text
    does not call a source.
    """
    name, source = agent.name.casefold() if agent else "", str(mentioned.get(extraction.SOURCE, ""))
    is_a_source = source not in name and (is_known_service(source) or _CALLED_A_SOURCE.search(text))
    return {key: value for key, value in mentioned.items() if key != extraction.SOURCE or is_a_source}
