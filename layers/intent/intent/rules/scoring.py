"""Rule-based scores of a message's own words: its signals add up to a score for each action.

Uses no history, model or state; `intent.offline.follow_ups` handles follow-ups.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from intent.decision import ActionType
from intent.regular_expressions import normalise
from intent.rules import agent_references
from intent.rules.agent_references import AgentReference
from intent.rules.message_signals import signals_in
from intent.situation import Situation

_CREATE, _SKILL, _RUN = ActionType.CREATE_AGENT, ActionType.CREATE_SKILL, ActionType.EXECUTE_TASK
_CHANGE, _ASK, _MANAGE = ActionType.UPDATE_AGENT, ActionType.QUERY_INFO, ActionType.MANAGE_PLATFORM


class _Rule(NamedTuple):
    """Adds ``weight`` to an action when all signals of ``needs`` and none of ``unless`` are present."""

    action: ActionType
    weight: float
    needs: frozenset[str]
    unless: frozenset[str]


def _rule(action: ActionType, weight: float, needs: str, unless: str = "") -> _Rule:
    return _Rule(action, weight, frozenset(needs.split()), frozenset(unless.split()))


_RULES = (
    _rule(_CREATE, 4.0, "new_agent", "new_skill"),
    _rule(_CREATE, 2.0, "something_that", "product"),
    _rule(_CREATE, 2.2, "automatic", "names_agent"),
    _rule(_CREATE, 1.2, "recurring", "names_agent question_word"),
    _rule(_CREATE, 1.2, "recurring pain", "names_agent"),
    _rule(_CREATE, 1.2, "recurring watch", "names_agent"),
    _rule(_CREATE, 1.3, "recurring command_work", "names_agent command_run"),
    _rule(_CREATE, 1.6, "pain", "names_agent"),
    _rule(_CREATE, 1.0, "pain relief", "names_agent"),
    _rule(_CREATE, 1.2, "relief", "names_agent"),
    _rule(_CREATE, 1.2, "watch", "names_agent once"),
    _rule(_SKILL, 4.5, "new_skill"),
    _rule(_SKILL, 2.5, "teach"),
    _rule(_SKILL, 2.5, "these_agents agents_cannot", "question_word question_start"),
    _rule(_SKILL, 2.5, "these_agents new_part"),
    _rule(_SKILL, 2.5, "reusable"),
    _rule(_SKILL, 1.0, "reusable these_agents"),
    _rule(_RUN, 3.0, "command_run", "question_word how_to"),
    _rule(_RUN, 1.2, "command_run names_agent", "new_ways"),
    _rule(_RUN, 2.0, "command_work", "new_agent new_skill recurring"),
    _rule(_RUN, 1.2, "command_work product", "new_agent new_skill"),
    _rule(_RUN, 1.0, "command_work once", "new_agent"),
    _rule(_RUN, 1.2, "once", "new_agent question_word"),
    _rule(_RUN, 1.0, "once product", "new_agent question_word recurring"),
    _rule(_RUN, 2.0, "again", "pain"),
    _rule(_RUN, 1.5, "duty", "new_agent automatic recurring"),
    _rule(_CHANGE, 3.5, "command_change names_agent", "new_agent question_word"),
    _rule(_CHANGE, 3.5, "command_run names_agent new_ways", "question_word again"),
    _rule(_CHANGE, 2.5, "command_run names_agent recurring", "question_word again"),
    _rule(_CHANGE, 2.0, "command_work names_agent new_ways", "question_word new_agent again"),
    _rule(_CHANGE, 3.0, "command_end names_agent", "question_word"),
    _rule(_CHANGE, 2.5, "command_end pointing", "question_word"),
    _rule(_CHANGE, 2.0, "command_end agent", "question_word"),
    _rule(_CHANGE, 2.0, "complaint names_agent", "question_word"),
    _rule(_CHANGE, 2.0, "new_ways names_agent", "question_word"),
    _rule(_CHANGE, 1.2, "new_ways", "new_agent question_word pain automatic"),
    _rule(_CHANGE, 1.0, "recurring names_agent", "question_word new_agent command_run"),
    _rule(_CHANGE, 3.0, "rhythm", "question_word new_agent"),
    _rule(_ASK, 3.0, "question_word", "polite"),
    _rule(_ASK, 1.5, "question_word"),
    _rule(_ASK, 4.0, "command_ask", "product"),
    _rule(_ASK, 3.0, "command_ask names_agent"),
    _rule(_ASK, 3.0, "command_ask agent"),
    _rule(_ASK, 1.5, "command_ask"),
    _rule(_ASK, 4.5, "how_to"),
    _rule(_ASK, 2.6, "question_start", "polite"),
    _rule(_ASK, 2.2, "curious"),
    _rule(_ASK, 1.2, "about_facts"),
    _rule(_ASK, 0.8, "question_mark", "polite relief pain"),
    _rule(_MANAGE, 6.0, "retention", "question_word"),
    _rule(_MANAGE, 2.5, "managed", "new_agent new_skill"),
    _rule(_MANAGE, 1.8, "managed command_configure", "new_agent new_skill names_agent"),
    _rule(_MANAGE, 0.8, "managed recurring", "names_agent question_word"),
)
_BUSINESS = frozenset({"agent", "names_agent", "skill", "managed", "product", "retention", "recurring"})
_NOTHING = 1.1
"""The minimum score for an action; below it the message is probably no request."""


class RuleScore(NamedTuple):
    """The likeliest action with its confidence, and the second likeliest."""

    action: ActionType
    confidence: float
    runner_up: ActionType | None
    signals: frozenset[str]

    def is_close(self) -> bool:
        """Return whether the runner-up is about as likely."""
        return self.runner_up is not None and self.confidence < 0.62


@lru_cache(maxsize=64)
def score(text: str, *, names_agent: bool = False) -> RuleScore:
    """Return the score of a text on its own. ``names_agent`` means it is known to mean an existing agent."""
    plain = normalise(text)
    signs = signals_in(plain)
    if names_agent or signs & {"this_agent", "slug"}:
        signs |= {"names_agent"}
    scores = _scores(signs)
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    if not ranked or ranked[0][1] < _NOTHING or _is_chat(signs):
        return RuleScore(ActionType.UNKNOWN, 0.3, ranked[0][0] if ranked else None, signs)
    (best, high), (second, low) = ranked[0], ranked[1] if len(ranked) > 1 else (None, 0.0)
    return RuleScore(best, _confidence(high, low), second, signs)


def _is_chat(signs: frozenset[str]) -> bool:
    return bool(signs & {"small_talk", "greeting"}) and not signs & _BUSINESS


def _scores(signs: frozenset[str]) -> dict[ActionType, float]:
    scores: dict[ActionType, float] = defaultdict(float)
    for rule in _RULES:
        if rule.needs <= signs and not rule.unless & signs:
            scores[rule.action] += rule.weight
    return scores


def _confidence(high: float, low: float) -> float:
    """Near 0.95 for strong signals without a rival action, near 0.5 for a draw."""
    strength = min(1.0, high / 3.5)
    lead = (high - low) / high
    return round(0.45 + 0.5 * strength * min(1.0, lead * 1.6), 2)


class RuleFindings(NamedTuple):
    """What the rules found in a message.

    ``agent`` is the known agent that the words mean, if any. ``own_score`` is the score without history.
    ``text_without_name`` is the text without that agent's name, because a name such as ``quota-nudge`` says
    nothing about the request.
    """

    text: str
    text_without_name: str
    agent: AgentReference | None
    own_score: RuleScore


def apply_rules(situation: Situation) -> RuleFindings:
    """Return what the rules find in the situation's message."""
    text = normalise(situation.message)
    agent = agent_references.find_meant_agent(text, situation)
    nameless = agent_references.replace_agent_name(text, agent.name) if agent else text
    return RuleFindings(text, nameless, agent, score(nameless, names_agent=agent is not None))
