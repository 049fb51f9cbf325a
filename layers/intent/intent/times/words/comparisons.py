"""Times that are said to be better than others: ``better on Tuesdays than Mondays``."""

from __future__ import annotations

from intent.regular_expressions import pattern

_BETTER_THAN = pattern(
    r"\b(?:(?:would be|is|are|suits|suit|works|work)(?: (?:us|me|them))?(?: much)? )?better than\b"
    r"(?: (?:on|at)\b)?"
)
_THAN = pattern(r"\b(?:better|rather|prefer|sooner)\b(?P<between>[^.!?;\n]{1,60}?) (?P<than>than)\b")
_COMPARING = frozenset("more less fewer older newer later earlier longer shorter other larger".split())
_INSTEAD = "not"


def with_plain_comparisons(text: str) -> str:
    """Return a text of the same length that says ``Tuesdays not Mondays`` for Tuesdays that are better."""
    small = text.lower()
    for found in _BETTER_THAN.finditer(small):
        text = _replaced(text, found.start(), found.end())
    for found in _THAN.finditer(text.lower()):
        if found["between"].split()[-1] not in _COMPARING:
            text = _replaced(text, *found.span("than"))
    return text


def _replaced(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{_INSTEAD.ljust(end - start)}{text[end:]}"
