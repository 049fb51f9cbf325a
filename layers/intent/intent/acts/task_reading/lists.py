"""Tasks told as a list: ``three for my list: …; …; and …``, ``one, …, two, …``, each with its own day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from intent.acts.lexicon import LEADS, LIST_NOUNS, TASK_NOUNS, classes_of
from intent.acts.tokens import Token

_HEAD_NOUNS = LIST_NOUNS | TASK_NOUNS
_NUMBERS = tuple(
    frozenset(names.split())
    for names in (
        "one first firstly 1 a", "two second secondly 2 b", "three third thirdly 3 c", "four fourth 4 d",
        "five fifth 5 e", "six sixth 6", "seven seventh 7", "eight eighth 8",
    )
)  # fmt: skip
_BEHIND_NUMBER = frozenset(":),.-\u2013\u2014")
_BEFORE_NUMBER = frozenset(".,;:!?-(\n")
_NO_DATE = frozenset({"date", "dates", "deadline", "rush", "hurry"})


class Listed(NamedTuple):
    """A list of tasks: the tokens before its first item, and the tokens of each item."""

    head: tuple[Token, ...]
    items: tuple[tuple[Token, ...], ...]
    end: int
    """The place behind its last item."""


def find_list(tokens: Sequence[Token]) -> Listed | None:
    """Return the tasks that a message lists; None when it lists none, or something else than tasks."""
    numbered = _numbered(tokens)
    starts = numbered or _behind_colon(tokens)
    if len(starts) < 2:
        return None
    head = tuple(tokens[: max(0, starts[0] - 2) if numbered else starts[0]])
    words = {token.word for token in head}
    asks = words & _HEAD_NOUNS or any(classes_of(word) & {"add", "remind"} for word in words)
    if not asks:
        return None
    end = _end(tokens, starts[-1])
    bounds = zip(starts, [*starts[1:], end], strict=True)
    items = [_item(tokens[first:last]) for first, last in bounds]
    return Listed(head, tuple(items), end) if all(items) else None


def _numbered(tokens: Sequence[Token]) -> list[int]:
    """Return where the items behind ``one, … two, …`` begin; empty for fewer than two."""
    found: list[int] = []
    for place in range(len(tokens) - 2):
        if len(found) == len(_NUMBERS):
            break
        behind = tokens[place + 1].text
        is_next = bool(found) and tokens[place].text.isdigit() and behind in {".", ")"}
        begins = not place or is_next or tokens[place - 1].text in _BEFORE_NUMBER | {"and"} or behind == ")"
        if begins and behind in _BEHIND_NUMBER and tokens[place].word in _NUMBERS[len(found)]:
            found.append(place + 2)
    return found if len(found) > 1 else []


def _behind_colon(tokens: Sequence[Token]) -> list[int]:
    """Return where the items behind a colon begin that semicolons part; empty for fewer than two."""
    colon = next((place for place, token in enumerate(tokens) if token.text == ":"), None)
    if colon is None:
        return []
    marks = [place for place, token in enumerate(tokens) if token.text == ";" and place > colon]
    return [colon + 1, *(place + 1 for place in marks)] if marks else []


def _end(tokens: Sequence[Token], start: int) -> int:
    ends = (place for place in range(start, len(tokens)) if tokens[place].text in {".", "!", "?"})
    return next(ends, len(tokens))


def _item(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens of one item without its number, its joint and what says that it has no date."""
    first, last = 0, len(tokens)
    while first < last and (tokens[first].word in LEADS or not tokens[first].is_word):
        first += 1
    while last > first and _ends_item(tokens[last - 1]):
        last -= 1
    comma = max((place for place in range(first, last) if tokens[place].text == ","), default=None)
    if comma is not None and _says_no_date(tokens[comma + 1 : last]):
        last = comma
    return tuple(tokens[first:last])


def _ends_item(token: Token) -> bool:
    """Return whether a token behind an item leads in to the next one: ``, two``."""
    is_number = any(token.word in names for names in _NUMBERS[1:])
    return is_number or token.text in _BEFORE_NUMBER | {")", "("} or token.word in {"and", "then"}


def _says_no_date(tokens: Sequence[Token]) -> bool:
    words = {token.word for token in tokens}
    return bool(words & _NO_DATE) and bool(words & {"no", "without", "any", "isn't", "hasn't"})
