"""Changes of a part of a name: ``take the word test out of its name``, ``add EU to the name``."""

from __future__ import annotations

from enum import StrEnum

from intent.acts.references import name_parts
from intent.regular_expressions import lower_pattern


class Edit(StrEnum):
    """What becomes of the words that a phrase names."""

    WHOLE = "whole"
    """They are the new name."""
    WITHOUT = "without"
    """They are left out of the present name."""
    BEFORE = "before"
    """They are put before the present name."""
    BEHIND = "behind"
    """They are put behind the present name."""


_WHICH = r"(?:(?:the|that|this) )?(?:(?:words?|bit|part|suffix|prefix|ending|number) )?['\"-]?"
_WORDS = r"(?P<words>[\w-]+(?: [\w-]+)??)['\"]?"
_LEFT_OUT = lower_pattern(
    rf"\b(?:take|drop|remove|strip|cut|leave|delete|lose|get rid of) {_WHICH}{_WORDS}"
    r" (?:out of|from|off|in|of) (?P<whose>[\w\u2135'-]+(?: \w+)?) ?name\b"
)
_PUT_BEFORE = lower_pattern(
    rf"\b(?:put|add|stick) {_WHICH}{_WORDS} (?:before|in front of|at the (?:front|start|beginning) of)"
    r" (?P<whose>[\w\u2135'-]+(?: \w+)?) ?name\b"
)
_PUT_BEHIND = lower_pattern(
    rf"\b(?:put|add|append|stick) {_WHICH}{_WORDS} (?:to|behind|after|onto|at the end of)"
    r" (?P<whose>[\w\u2135'-]+(?: \w+)?) ?name\b"
)
EDITS = ((Edit.WITHOUT, _LEFT_OUT), (Edit.BEFORE, _PUT_BEFORE), (Edit.BEHIND, _PUT_BEHIND))


def edited(name: str, words: str, edit: Edit) -> str:
    """Return a present name as changed; empty where nothing of it would stay, or nothing changes."""
    parts, said = list(name_parts(name)), list(name_parts(words))
    if edit is Edit.BEFORE:
        return "-".join([*said, *parts])
    if edit is Edit.BEHIND:
        return "-".join([*parts, *said])
    at = next((at for at in range(len(parts)) if parts[at : at + len(said)] == said), None)
    return "" if at is None else "-".join([*parts[:at], *parts[at + len(said) :]])
