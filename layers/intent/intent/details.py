"""The entities that belong to an action:

what the text mentions of them, which operation it names, which agent it means.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from intent import entities, operations, references
from intent.decision import ActionType
from intent.references import Meant
from intent.situation import Situation

_ABOUT_AN_AGENT = frozenset({ActionType.UPDATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO})
_ONLY = {
    ActionType.QUERY_INFO: frozenset({entities.PERIOD, entities.TOPIC}),
    ActionType.MANAGE_PLATFORM: frozenset({entities.DAYS}),
    ActionType.UNKNOWN: frozenset[str](),
}
_NEVER = frozenset({entities.DAYS, entities.NEW_NAME})


def details(action: ActionType, text: str, situation: Situation, meant: Meant | None) -> dict[str, JsonValue]:
    """The entities of a message understood as this action; ``meant`` is the agent its words mean, if any."""
    found = entities.extract(text, now=situation.now, time_zone=situation.time_zone)
    operation = operations.operation_of(action, text)
    said: dict[str, JsonValue] = {entities.OPERATION: operation} if operation else {}
    if action is ActionType.UPDATE_AGENT:
        said |= operations.change_of(operation, _without_name_of(meant, found))
    else:
        only = _ONLY.get(action, frozenset(found) - _NEVER)
        said |= {key: value for key, value in found.items() if key in only}
    return said | _agent(text, meant) if action in _ABOUT_AN_AGENT else said


def naming(agent: Meant) -> dict[str, JsonValue]:
    """The agent as entities."""
    named: dict[str, JsonValue] = {entities.AGENT_ID: agent.id, entities.AGENT_NAME: agent.name}
    return named if agent.place is None else {**named, entities.ORDINAL: agent.place}


def _agent(text: str, meant: Meant | None) -> dict[str, JsonValue]:
    if meant is not None:
        return naming(meant)
    place = references.place_in(text)
    return {} if place is None else {entities.ORDINAL: place}


def _without_name_of(meant: Meant | None, found: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """A service in the agent's own name (``the notion reporter``) is no new source of it."""
    name = meant.name.casefold() if meant else ""
    return {key: value for key, value in found.items() if key != entities.SOURCE or str(value) not in name}
