"""The single amounts that a conversation has told, as corrected since, and the words that point at them:
``that``, ``the new rate``. Lists of amounts are the matter of `intent.amounts.told`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from conversation.sentences import sentence_spans
from intent.amounts.corrections import Correction, read_correction
from intent.sums.quantities import Quantity, read_quantities

_MOST_TEXTS = 8
_ASKING = frozenset(
    "what what's whats how which who when where why is are do does did can could would will calculate".split()
)
_NEW = frozenset("new current changed corrected raised".split())
_OLD = frozenset("old previous former earlier original".split())
_NAMING = frozenset("one figure number value amount".split())


class Figure(NamedTuple):
    """An amount that was told, as corrected. ``former`` is the one before it; None: it never changed."""

    number: Quantity
    former: Quantity | None
    words: frozenset[str]
    """The words with which it was told or corrected."""


def told_figures(texts: Iterable[str]) -> tuple[Figure, ...]:
    """Return the amounts that texts told last one by one, the newest first; ``texts`` has the oldest first.

    A text with several amounts of its own ends them: nothing says which of them is pointed at later.
    """
    found: list[Figure] = []
    told: list[Quantity] = []
    for text in [*texts][-_MOST_TEXTS:]:
        stated = _stated(text)
        numbers = read_quantities(stated).numbers
        if (correction := read_correction(stated)) is not None:
            figure = _corrected(correction, stated, found, told)
            found = [one for one in found if one.number.value != correction.old.value]
            found.insert(0, figure)
        elif len(numbers) == 1 and not numbers[0].is_part:
            found.insert(0, Figure(numbers[0], None, _words_of(stated)))
        elif numbers:
            found = []
        told += numbers
    return tuple(found)


def corrects_told(text: str, before: Iterable[str]) -> bool:
    """Return whether a text corrects an amount that one of several texts told."""
    correction = read_correction(_stated(text))
    values = (one.value for told in before for one in read_quantities(told).numbers)
    return correction is not None and correction.old.value in values


def _corrected(
    correction: Correction, text: str, found: Sequence[Figure], told: Sequence[Quantity]
) -> Figure:
    """Return a corrected amount, with the unit and the words of the one that it takes the place of."""
    old = next((one for one in reversed(told) if one.value == correction.old.value), correction.old)
    before = next((one for one in found if one.number.value == old.value), None)
    new = correction.new
    unit = new.unit if new.head == old.head else old.unit
    number = replace(new, unit=unit, currency=new.currency or old.currency)
    words = _words_of(text) | (before.words if before is not None else frozenset())
    return Figure(number, old, words)


def _stated(text: str) -> str:
    """Return the sentences of a text that ask nothing."""
    return " ".join(text[start:end] for start, end in sentence_spans(text) if not _asks(text[start:end]))


def _asks(sentence: str) -> bool:
    words = sentence.lower().replace(",", " ").split()
    first = next((word for word in words if word not in _LEADING), "")
    return sentence.rstrip().endswith("?") or first in _ASKING


_LEADING = frozenset({"and", "so", "then", "ok", "okay", "now"})


def _words_of(text: str) -> frozenset[str]:
    return frozenset(word for word in read_quantities(text).words if word.isalpha())


def with_named(text: str, figures: Sequence[Figure]) -> str:
    """Return a text with amounts in the place of the words that name them by a change: ``the new rate``."""
    words = text.split()
    plain = [word.lower().strip(".,;:?!") for word in words]
    found: list[str] = []
    place = 0
    while place < len(words):
        end, number = _named_at(plain, place, figures)
        if number is None:
            found.append(words[place])
        else:
            found.append(f"{shown(number)}{_marks_of(words[end - 1])}")
        place = end
    return " ".join(found)


def _named_at(words: Sequence[str], place: int, figures: Sequence[Figure]) -> tuple[int, Quantity | None]:
    kind = words[place + 1] if words[place] == "the" and place + 1 < len(words) else ""
    for figure in figures if kind in _NEW | _OLD else ():
        end = place + 2
        while end < len(words) and words[end] in figure.words | _NAMING and end - place <= _LONGEST_NAME:
            end += 1
        if figure.former is not None and end > place + 2:
            return end, figure.number if kind in _NEW else figure.former
    return place + 1, None


_LONGEST_NAME = 4


def with_exchanged(expression: str, text: str, figures: Sequence[Figure]) -> str:
    """Return an expression with an amount exchanged for the only one of a text, where a change put one in the
    place of the other: ``and at the old rate?``; empty without such.
    """
    numbers = read_quantities(text).numbers
    told = read_quantities(expression).numbers
    for figure in figures if len(numbers) == 1 else ():
        pair = [] if figure.former is None else [figure.number, figure.former]
        other = [one for one in pair if one.value != numbers[0].value]
        found = [one for one in told if other and one.value == other[0].value]
        if len(pair) - len(other) == 1 and len(found) == 1:
            return expression.replace(found[0].text, numbers[0].text, 1)
    return ""


def _marks_of(word: str) -> str:
    """Return the marks at the end of a word."""
    return word[len(word.rstrip(".,;:?!")) :]


def shown(number: Quantity) -> str:
    """Return an amount as `read_quantities` reads it again."""
    sign = "%" if number.is_percent else ""
    return f"{number.currency}{number.text}{sign} {number.unit}".strip()
