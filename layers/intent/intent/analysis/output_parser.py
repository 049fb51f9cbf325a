"""Parsing and validation of a model's intent output, field by field.

The output is untrusted: its form, its size and whether its texts may be shown are all checked. Unusable
output is rejected as a whole and never repaired.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Mapping
from typing import NoReturn

from pydantic import JsonValue

from intent.acts.act import ActKind, ProposedAct
from intent.analysis.proposed_slots import SLOTS
from intent.decision import ActionType, QuestionSubject, Verdict
from intent.entities import extraction

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 200
MAX_BRACKETS = 20_000
_MAX_ESCAPES = 50_000
_MAX_WHOLE_DIGITS = 15
MAX_TEXT = 500
_MOST_LIST = 20
_MOST_ACTS = 50
_MOST_ACT_CHARACTERS = 8_000
"""A new agent's job may be as long as a message."""

_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]', re.DOTALL)
_SYNONYMS: dict[str, str] = {
    "task": extraction.WHAT, "frequency": extraction.SCHEDULE_TEXT, "schedule": extraction.SCHEDULE_TEXT,
    "data_source": extraction.SOURCE, "data": extraction.TOPIC, "project": extraction.SCOPE,
    "channel": extraction.DELIVERY, "agent": extraction.AGENT_NAME, "name": extraction.AGENT_NAME,
    "changes": extraction.CHANGE,
}  # fmt: skip
_REPLIES = frozenset({"yes", "no", "cancel", "later"})

_log = logging.getLogger(__name__)


class UnusableOutput(Exception):
    """The model's text is not a valid decision. The error contains none of its text."""


def parse_verdict(text: str, *, is_secret: Callable[[str], bool] = lambda _: False) -> Verdict:
    """Return the verdict in a model's answer: one JSON object, in a code fence or bare.

    An unknown action becomes ``unknown``. A field of the wrong type counts as absent. Texts are truncated,
    stripped of control characters and surrogates, and dropped when ``is_secret`` says that they repeat the
    prompt. Entities are limited to known keys.

    Raises:
        UnusableOutput: there is no such object, or it has no finite confidence.
    """
    fields = _object(text)
    action = _action(fields.get("action_type")) or ActionType.UNKNOWN
    alternative = _action(fields.get("alternative_action"))
    texts = _Texts(is_secret)
    return Verdict(
        action_type=action,
        confidence=_confidence(fields.get("confidence")),
        entities=_entities(fields.get("entities"), texts),
        reasoning=texts.text(fields.get("reasoning")) or "",
        is_ambiguous=fields.get("is_ambiguous") is True,
        alternative_action=None if alternative in (action, ActionType.UNKNOWN) else alternative,
        clarifying_question=texts.text(fields.get("clarifying_question")),
        acts=_acts(fields.get("acts"), texts),
        question_subject=_subject(fields.get("question_subject")),
    )


def _object(text: str) -> dict[str, object]:
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.removeprefix("```").removeprefix("json").removesuffix("```")
    if len(bare) > MAX_CHARACTERS or not _is_shallow(bare):
        raise UnusableOutput("too large or too deep")
    try:
        parsed = json.loads(
            bare,
            parse_int=_whole,
            parse_constant=_refuse,
            object_pairs_hook=lambda pairs: dict(reversed(pairs)),
        )
    except ValueError:
        raise UnusableOutput("not one JSON value") from None
    if not isinstance(parsed, dict):
        raise UnusableOutput("not an object")
    return parsed


def _is_shallow(text: str) -> bool:
    # Checked before parsing: the parser recurses, and a million brackets take longer than the deadline.
    if text.count("\\") > _MAX_ESCAPES:
        return False
    depth = brackets = 0
    for match in _BRACKET.finditer(text):
        mark = match[0][0]
        if mark == '"':
            continue
        depth += 1 if mark in "[{" else -1
        brackets += 1
        if depth > MAX_DEPTH or brackets > MAX_BRACKETS:
            return False
    return True


def _whole(digits: str) -> int:
    if len(digits) > _MAX_WHOLE_DIGITS:
        raise UnusableOutput("a number of too many digits")
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise UnusableOutput(f"{constant} is no JSON")


def _action(value: object) -> ActionType | None:
    return ActionType(value) if isinstance(value, str) and value in ActionType.__members__.values() else None


def _subject(value: object) -> QuestionSubject | None:
    if isinstance(value, str) and value in QuestionSubject.__members__.values():
        return QuestionSubject(value)
    return None


def _confidence(value: object) -> float:
    # Check for finite numbers first: min(max(nan, 0.0), 1.0) is 1.0, which means complete certainty.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UnusableOutput("no confidence")
    return min(max(float(value), 0.0), 1.0)


def _entities(value: object, texts: _Texts) -> dict[str, JsonValue]:
    if not isinstance(value, Mapping):
        return {}
    entities: dict[str, JsonValue] = {}
    for given, content in value.items():
        key = _SYNONYMS.get(str(given), str(given))
        clean = _CHECKS[key](content, texts) if key in _CHECKS else None
        if clean is not None and key not in entities:
            entities[key] = clean
    return entities


def _acts(value: object, texts: _Texts) -> tuple[ProposedAct, ...] | None:
    """Return the acts, those of an unusable form without a kind; None when no act has a kind."""
    given = value[:_MOST_ACTS] if isinstance(value, list) else []
    found = tuple(_act(each, texts) for each in given)
    return found if any(act.kind for act in found) else None


def _act(value: object, texts: _Texts) -> ProposedAct:
    given = value if isinstance(value, Mapping) else {}
    kind, words = given.get("kind"), texts.text(given.get("text"), _MOST_ACT_CHARACTERS)
    if not isinstance(kind, str) or kind not in ActKind.__members__.values() or not words:
        return ProposedAct(None)
    slots = {
        name: clean
        for name in SLOTS
        if (clean := texts.text(given.get(name), _MOST_ACT_CHARACTERS)) is not None
    }
    return ProposedAct(
        ActKind(kind), words, agents=_names(given.get("agent"), texts),
        excepted=_names(given.get("except"), texts), tasks=_names(given.get("task"), texts), slots=slots,
    )  # fmt: skip


def _names(value: object, texts: _Texts) -> tuple[str, ...]:
    several = value[:_MOST_LIST] if isinstance(value, list) else [value]
    return tuple(name for each in several if (name := texts.text(each)) is not None)


class _Texts:
    """Reduces texts to what may be shown: short, printable and not copied from the prompt."""

    def __init__(self, is_secret: Callable[[str], bool]) -> None:
        self._is_secret = is_secret

    def text(self, value: object, most: int = MAX_TEXT) -> str | None:
        if not isinstance(value, str):
            return None
        if self._is_secret(value):
            _log.error("model output refused", extra={"reason": "repeats_prompt", "times": 1})
            return None
        cut = value[: most * 2]
        line = " ".join("".join(mark if mark.isprintable() else " " for mark in cut).split())
        return line[:most].strip() or None


def _text(value: object, texts: _Texts) -> JsonValue | None:
    return texts.text(value)


def _number(value: object, _: _Texts) -> JsonValue | None:
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,6}\s*", value):
        return int(value)
    return (
        value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 1_000_000 else None
    )


def _one_or_more(value: object, texts: _Texts) -> JsonValue | None:
    several = value[:_MOST_LIST] if isinstance(value, list) else [value]
    clean: list[JsonValue] = [text for item in several if (text := texts.text(item)) is not None]
    return clean or None


def _first(value: object, texts: _Texts) -> JsonValue | None:
    return texts.text(value[0]) if isinstance(value, list) and value else texts.text(value)


def _reply(value: object, _: _Texts) -> JsonValue | None:
    return value if isinstance(value, str) and value in _REPLIES else None


def _change(value: object, texts: _Texts) -> JsonValue | None:
    change = {
        key: clean
        for key, clean in _entities(value, texts).items()
        if key in (*extraction.CHANGEABLE, extraction.NEW_NAME, extraction.AGENT_NAME)
    }
    return change or None


_CHECKS: dict[str, Callable[[object, _Texts], JsonValue | None]] = {
    **dict.fromkeys(extraction.KEYS - {extraction.AGENT_ID}, _text),  # ids are looked up, never trusted
    extraction.ORDINAL: _number,
    extraction.CHOICE: _number,
    extraction.DAYS: _number,
    extraction.RECIPIENTS: _one_or_more,
    extraction.SOURCE: _first,
    extraction.DELIVERY: _first,
    extraction.REPLY: _reply,
    extraction.CHANGE: _change,
}
