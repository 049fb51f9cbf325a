"""The items of a message that is laid out as a list: behind numbers, behind bullets, or one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from intent.acts.tokens import Token

_BULLETS = frozenset("-*+\u2022\u2013\u2014\u00b7\u25e6\u25aa")
_BEHIND_NUMBER = frozenset(").:")
_OPENING = frozenset(",;:.!?(")
_LETTERS = "abcdefgh"


class Item(NamedTuple):
    """One item, as places of tokens: of its number or bullet, of its words, and behind them."""

    mark: int
    start: int
    end: int


def find_items(tokens: Sequence[Token], message: str) -> tuple[Item, ...]:
    """Return the items that numbers, letters or bullets mark, in order; empty for fewer than two."""
    found = _bulleted(tokens, message) or _numbered(tokens, message)
    if len(found) < _FEWEST:
        return ()
    behind = [*(mark for mark, _ in found[1:]), None]
    return tuple(
        Item(mark, start, _line_end(tokens, start, message) if end is None else end)
        for (mark, start), end in zip(found, behind, strict=True)
    )


def find_lines(tokens: Sequence[Token], message: str) -> tuple[Item, ...]:
    """Return each further line of a message as an item; empty where it has fewer than three lines."""
    starts = [place for place in range(len(tokens)) if begins_line(tokens, place, message)][1:]
    if len(starts) < _FEWEST:
        return ()
    return tuple(Item(at, at, end) for at, end in zip(starts, [*starts[1:], len(tokens)], strict=True))


_FEWEST = 2


def with_sentences(message: str, tokens: Sequence[Token], items: Sequence[Item]) -> str:
    """Return a message of the same length in which each marked item is a sentence of its own.

    The number before an item then belongs to no name, and isn't taken for an amount.
    """
    text = list(message)
    for item in items:
        first, last = tokens[item.mark].start, tokens[item.start - 1].end
        text[first:last] = " " * (last - first)
        if _is_open(message[:first]):
            text[last - 1] = ";"
    if items and (end := items[-1].end) < len(tokens):
        line = message.find("\n", tokens[end - 1].end, tokens[end].start)
        if line >= 0 and _is_open(message[:line]):
            text[line] = ";"
    return "".join(text)


def _is_open(before: str) -> bool:
    """Return whether the text before an item ends with no mark that parts it from the item."""
    return bool(before.strip()) and before.rstrip()[-1] not in ".!?;:"


def _bulleted(tokens: Sequence[Token], message: str) -> list[tuple[int, int]]:
    places = range(len(tokens) - 1)
    return [
        (at, at + 1)
        for at in places
        if tokens[at].text in _BULLETS and tokens[at + 1].is_word and begins_line(tokens, at, message)
    ]


def _numbered(tokens: Sequence[Token], message: str) -> list[tuple[int, int]]:
    """Return the marks ``1)``, ``(1)``, ``1.`` or ``a)`` in their order, each with the place behind it."""
    for names in ([str(number) for number in range(1, 21)], list(_LETTERS)):
        found = list(_in_order(tokens, message, names))
        if len(found) >= _FEWEST:
            return found
    return []


def _in_order(tokens: Sequence[Token], message: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    count, style = 0, ""
    for at in range(len(tokens) - 2):
        if count == len(names):
            return
        behind = tokens[at + 1]
        is_mark = behind.text in _BEHIND_NUMBER and behind.start == tokens[at].end
        if tokens[at].word != names[count] or not is_mark or (style and behind.text != style):
            continue
        is_apart = behind.text != ":" and message[behind.end : behind.end + 1].isspace()
        if begins_line(tokens, at, message) or (is_apart and (count or _opens(tokens, at, behind))):
            count, style = count + 1, behind.text
            yield at - (bool(at) and tokens[at - 1].text == "("), at + 2


def _opens(tokens: Sequence[Token], place: int, behind: Token) -> bool:
    """Return whether a first number within a line may be an item's: not the one that ends a sentence."""
    return behind.text == ")" or (place > 0 and tokens[place - 1].text in _OPENING)


def begins_line(tokens: Sequence[Token], place: int, message: str) -> bool:
    """Return whether a token is the first of its line, or behind a bracket that is."""
    if not place:
        return True
    first = place - 1 if place > 1 and tokens[place - 1].text == "(" else place
    return "\n" in message[tokens[first - 1].end : tokens[first].start]


def _line_end(tokens: Sequence[Token], start: int, message: str) -> int:
    """Return the place behind the line that begins at a token."""
    rest = range(start + 1, len(tokens))
    return start + 1 + len(list(takewhile(lambda at: not begins_line(tokens, at, message), rest)))
