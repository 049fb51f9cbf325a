"""Texts that make a regular expression backtrack, generated from its own parse tree.

Such a text repeats what the expression itself can repeat, behind the words that lead there, or repeats one of
its words with a separator, and ends in something that makes the match fail late.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from random import Random
from re import _constants as op
from re import _parser as parser
from typing import Any, NamedTuple, TypeAlias

SEPARATORS = (",", " ", "-", ", ", "\n", "")
ENDINGS = ("x", "\x00", "")
"""A letter, a character that no expression names, and nothing."""
_CHARACTERS = "a 1,-.\n'\"Ab_@/:#?x!z\u00e9\u00df\u4e2d\t([<$%&*+=;|~^`\\]>{}"
_SINGLE = (" ", "a", "a ", ",", "-", "1", "\n", "A", '"', ", ", "a-", "a.", "\u00e9")
_MOST_SAMPLES = 6
_MOST_BODIES = 400
_PAIRS = 49

_Node: TypeAlias = tuple[Any, Any]
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


class Pump(NamedTuple):
    """What a text begins with, and what it repeats."""

    lead: str
    body: str

    def text(self, length: int, ending: str) -> str:
        """Return a text of about this many characters."""
        times = max(1, (length - len(self.lead) - len(ending)) // len(self.body))
        return f"{self.lead}{self.body * times}{ending}"

    def repeated(self, times: int, ending: str) -> str:
        """Return a text with so many repetitions."""
        return f"{self.lead}{self.body * times}{ending}"


def structural_pumps(source: str, flags: int) -> tuple[Pump, ...]:
    """Return pumps of each repetition of the expression, of its whole, and of single characters."""
    tree = parser.parse(source, flags)
    found: dict[Pump, None] = {Pump("", one): None for one in _SINGLE}
    for lead, bodies in _repetitions(tree):
        found |= {Pump("", lead): None, Pump("", f"{lead} "): None}
        for body in bodies[:2]:
            found[Pump(lead, body)] = None
            found[Pump("", body)] = None
            found[Pump(lead, f"{body} ")] = None
    for one in _samples(tree, 2):
        found |= {Pump("", one): None, Pump("", f"{one} "): None}
    return tuple(pump for pump in found if pump.body)


def word_pumps(source: str, flags: int) -> tuple[Pump, ...]:
    """Return pumps of each alternative and each text the expression can repeat, with every separator.

    Some pairs of alternatives too: what is ambiguous may be two of them together.
    """
    tree = parser.parse(source, flags)
    words = list(dict.fromkeys(_words(tree)))
    bodies = (body for _, bodies in _repetitions(tree) for body in bodies)
    found = {Pump("", word + separator): None for word in (*words, *bodies) for separator in SEPARATORS}
    found |= {Pump(lead, body): None for lead, bodies in _repetitions(tree) for body in bodies[:8]}
    pairs = list(product(words, repeat=2))
    chosen = pairs if len(pairs) <= _PAIRS else Random(len(source)).sample(pairs, _PAIRS)
    found |= {Pump("", f"{one} {two},"): None for one, two in chosen}
    return tuple(pump for pump in found if pump.body)


def _samples(tree: Iterable[_Node], most: int = _MOST_SAMPLES) -> list[str]:
    """Return texts that the tree matches apart from lookarounds, the plainest first."""
    parts = [_samples_of(node, most) for node in tree]
    if not all(parts):
        return []
    plain = "".join(each[0] for each in parts)
    varied = (
        "".join(other if at == place else each[0] for at, each in enumerate(parts))
        for place, choices in enumerate(parts)
        for other in choices[1:]
    )
    return list(dict.fromkeys([plain, *varied]))[:most]


def _samples_of(node: _Node, most: int) -> list[str]:
    kind, value = node
    if kind is op.LITERAL:
        return [chr(value)]
    if kind is op.NOT_LITERAL:
        return [one for one in _CHARACTERS if ord(one) != value][:most]
    if kind is op.ANY:
        return list("a ,1")
    if kind is op.IN:
        return ([one for one in _CHARACTERS if _is_in(one, value)] or _first(value))[:most]
    if kind is op.BRANCH:
        each = [_samples(tree, most) for tree in value[1]]
        mixed = (one for place in range(most) for choices in each for one in choices[place : place + 1])
        return list(dict.fromkeys(mixed))[:most]
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return _samples(value[-1] if kind is op.SUBPATTERN else value, most)
    if kind in _REPEATS:
        least, largest, body = value
        times = dict.fromkeys((least, min(least or 1, largest), min(least + 2, largest)))
        return list(dict.fromkeys(text * n for n in times for text in _samples(body, most) or [""]))[:most]
    if kind is op.GROUPREF_EXISTS:
        return _samples(value[1], most)
    return [""]


def _is_in(one: str, items: Sequence[_Node]) -> bool:
    found = any(_is(one, kind, value) for kind, value in items)
    return found is not bool(items[0][0] is op.NEGATE)


def _is(one: str, kind: Any, value: Any) -> bool:
    if kind is op.LITERAL:
        return bool(ord(one) == value)
    if kind is op.RANGE:
        return bool(value[0] <= ord(one) <= value[1])
    return bool(kind is op.CATEGORY and re.match(_CATEGORIES[value], one))


def _first(items: Sequence[_Node]) -> list[str]:
    return [chr(value if kind is op.LITERAL else value[0]) for kind, value in items if kind is not op.NEGATE][
        :1
    ]


def _parts(node: _Node) -> list[Any]:
    """The trees inside a node."""
    kind, value = node
    if kind in _REPEATS:
        return [value[2]]
    if kind is op.BRANCH:
        return list(value[1])
    if kind is op.SUBPATTERN:
        return [value[-1]]
    if kind is op.ATOMIC_GROUP:
        return [value]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    return []


def _repetitions(tree: Iterable[_Node], lead: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield what leads to each repetition in the tree, and the texts that it can repeat."""
    for node in tree:
        kind, value = node
        if kind in _REPEATS and value[1] > 2:
            yield lead, _samples(value[2], _MOST_BODIES)
        for part in _parts(node):
            yield from _repetitions(part, lead)
        lead += (_samples_of(node, 1) or [""])[0]


def _words(tree: Iterable[_Node]) -> Iterator[str]:
    """Yield the plainest text of each alternative in the tree."""
    for node in tree:
        for part in _parts(node):
            if node[0] is op.BRANCH:
                yield from _samples(part, 1)
            yield from _words(part)
