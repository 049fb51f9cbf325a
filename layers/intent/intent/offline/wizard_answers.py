"""Messages during an agent's setup: each is an answer to the wizard or clearly something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from intent.decision import ActionType, Verdict
from intent.entities import extraction
from intent.rules import agent_references
from intent.rules.scoring import RuleScore
from intent.situation import Situation

_SURE = 0.7
_QUESTION = frozenset({"question_word", "question_start", "how_to"})
_COMMANDS = frozenset(
    {"command_run", "command_work", "command_change", "command_end", "command_ask", "command_configure"}
)
_CHAT = frozenset({"small_talk", "thanks", "greeting"})
_FEW_WORDS = 3
_OTHER_BUSINESS = _QUESTION | {"command_ask", "retention", "managed", "this_agent", "new_skill"}


def wizard_verdict(text: str, situation: Situation, own: RuleScore) -> Verdict | None:
    """Return the message as an answer to the wizard; None when it is about something else.

    ``own`` is the score of its words alone. In doubt it counts as an answer: the wizard asks again for what
    it can't use.
    """
    asked = [field.strip() for field in (situation.last_note().asking or "").split(",") if field.strip()]
    entities = extraction.extract_answer(text, asked, now=situation.now, time_zone=situation.time_zone)
    if (
        agent_references.find_described_agent(text, situation) is not None
        and own.action is not ActionType.CREATE_AGENT
    ):
        return None
    is_answer = (_is_telling(entities, asked) and not own.signals & _QUESTION) or _is_bare(text, own)
    return _answer(entities) if is_answer or not _is_something_else(own) else None


def _is_telling(entities: Mapping[str, JsonValue], asked: Sequence[str]) -> bool:
    """Whether the message fills a requested field other than ``what``, which nearly any words fill."""
    keys = {extraction.SCHEDULE_TEXT if field == "schedule" else field for field in asked}
    return bool(keys & set(entities) - {extraction.WHAT})


def _is_bare(text: str, own: RuleScore) -> bool:
    """Whether the message is a name or a few words without a command: ``PLATFORM``."""
    return len(text.split()) <= _FEW_WORDS and not own.signals & (_QUESTION | _COMMANDS | _CHAT)


def _is_something_else(own: RuleScore) -> bool:
    if own.action is ActionType.UNKNOWN:
        return bool(own.signals & _CHAT)
    is_command = own.confidence >= _SURE and own.action is not ActionType.CREATE_AGENT
    return is_command and bool(own.signals & _OTHER_BUSINESS)


def _answer(entities: Mapping[str, JsonValue]) -> Verdict:
    return Verdict(
        action_type=ActionType.CREATE_AGENT,
        confidence=0.85,
        entities=entities,
        reasoning="goes on with the agent being set up",
    )
