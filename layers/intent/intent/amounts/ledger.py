"""`Ledger`: the amounts that a conversation has told so far, over several messages, as corrected since.

Pure. `intent.amounts.told` says which messages count and what is asked of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from conversation.sentences import sentence_spans
from intent.amounts.additions import ADDING, read_additions
from intent.amounts.corrections import CORRECTING, read_correction
from intent.amounts.listings import PUTTING, read_one
from intent.amounts.reader import read_series
from intent.amounts.series import DAYS, Row, Series, is_total, whole_number, words_of
from intent.sums.amendments import numbered_sentence, only_removes, place_in, says_to_remove
from intent.sums.quantities import Quantity, read_quantities

_CHANGED = frozenset(
    "now instead up down rose risen fell dropped increased became changed raised lowered really".split()
)
"""Words of a sentence that says what an amount has become."""
_NEGATING = frozenset({"not", "instead", "rather", "isn't", "wasn't", "isnt", "wasnt"})
_LONGEST_CHANGE = 300
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Change:
    """The amounts after a message. ``start`` and ``end`` are the place of what it tells in its text."""

    series: Series
    start: int
    end: int
    asks_to_add: bool = False
    """Whether it says "add", so that the new total is wanted."""


def changed_by(text: str, told: Series, *, is_next: bool, was_asked: bool = False) -> Change | None:
    """Return what a message makes of the amounts told before; None where it is about something else.

    ``is_next``: no other message came between, so that a list without a heading goes on. ``was_asked``:
    something was worked out of them, so that a list with a question of its own doesn't.
    """
    if len(text) > _LONGEST_CHANGE or len(told.columns) > 1 or not any(mark.isdigit() for mark in text):
        return None
    if says_to_remove(words_of(text)):
        return _without(text, told) if is_next else None
    corrected = _corrected(text, told) or (_corrected_unnamed(text, told) if is_next else None)
    if corrected is not None:
        return corrected
    said = set(words_of(text))
    more = read_series(text)
    if more is not None:
        says_so = _says_to_add(text, more)
        is_own = says_so is None and (was_asked or bool(told.heading))
        goes_on = not is_own and len(more.columns) == 1
        goes_on = goes_on and _goes_on(more, told, is_next=is_next, says_so=bool(says_so))
        return _added(told, more, said) if goes_on else None
    if is_next and (rows := read_additions(text, told.rows[-1])):
        return Change(replace(told, rows=(*told.rows, *rows)), 0, len(text), asks_to_add=True)
    one = read_one(text) or (_of_today(text, told) if is_next else None)
    return None if one is None else _added(told, one, said)


def _says_to_add(text: str, more: Series) -> bool | None:
    """Return whether a list says that it joins what was told before; None where it asks for a total of its
    own and says nothing of others.
    """
    said = words_of(text)
    if "?" not in said and not more.asked_end:
        return bool(ADDING & set(said))
    first = next((word for word in said if word[0].isalnum() and word not in _LEADS), "")
    return first in ADDING or bool((ADDING - _JOINING) & set(said)) or None


_LEADS = frozenset("oh ah ok okay so sorry wait yes yeah hm hmm right now".split())
_JOINING = frozenset({"and", "plus", "then", "include"})
"""Words that also join the items of one list."""


def _goes_on(more: Series, told: Series, *, is_next: bool, says_so: bool) -> bool:
    has_labels = any(more.labels) and any(told.labels)
    return has_labels and is_next and (says_so or not more.heading) and not any(map(is_total, more.labels))


def _added(told: Series, more: Series, said: set[str]) -> Change:
    joined = replace(told, rows=(*told.rows, *more.rows))
    return Change(joined, more.start, more.end, asks_to_add=bool(said & {"add", *PUTTING}))


def _corrected(text: str, told: Series) -> Change | None:
    """Return the amounts with one of them replaced: ``sorry, IT is 13, not 31``."""
    for start, end in sentence_spans(text):
        words = words_of(text[start:end])
        numbers = [one for one in read_quantities(text[start:end]).numbers if not one.is_part]
        if not numbers or len(numbers) > _PAIR:
            continue
        named = [at for at, row in enumerate(told.rows) if _names(words, row.label)]
        found = _of_pair(text[start:end], numbers, named, told) if len(numbers) == _PAIR else None
        changes = bool(CORRECTING & set(words_of(text))) or _says_changed(words)
        if found is None and len(numbers) == 1 and len(named) == 1 and changes:
            found = (named[0], numbers[0])
        if found is not None:
            return Change(_replaced(told, *found), start, end)
    return None


def _says_changed(words: Sequence[str]) -> bool:
    """Return whether words say what an amount has become; ``write down`` tells nothing of one."""
    pairs = [*pairwise(words)]
    noted = {second for first, second in pairs if first in _NOTING}
    return bool(_CHANGED & set(words) - noted) or any(pair in _MAKING for pair in pairs[:1])


_NOTING = frozenset({"write", "put", "note", "jot", "mark", "take"})
_MAKING = frozenset({("make", "it"), ("make", "that"), ("make", "the")})


def _without(text: str, told: Series) -> Change | None:
    """Return the amounts without the one whose number a text takes out: ``without the 96.75``."""
    numbers = read_quantities(text).numbers
    rows = [at for at, row in enumerate(told.rows) if numbers and _value(row) == numbers[0].value]
    if len(numbers) != 1 or not rows or len(told.rows) < _PAIR:
        return None
    if not only_removes(numbered_sentence(text), (word for label in told.labels for word in words_of(label))):
        return None
    left = (*told.rows[: rows[-1]], *told.rows[rows[-1] + 1 :])
    return Change(replace(told, rows=left), 0, len(text), asks_to_add=True)


def _of_today(text: str, told: Series) -> Series | None:
    """Return the amount of today that joins those of other days: ``today was 280``."""
    if not any(DAYS & set(words_of(label)) for label in told.labels):
        return None
    start, end = next(iter(sentence_spans(text)), (0, 0))
    words = text[start:end].partition(", ")[0].rstrip(" .!").split()
    words = [word for word in words if word.lower() not in ADDING | {"oh", "ah"}]
    number = whole_number(words[-1]) if words else None
    if number is None or [word.lower().rstrip(":") for word in words[:-1]] not in _TODAY_WAS:
        return None
    return Series("", (Row("today", (number,)),), start=start, end=end)


_TODAY_WAS = (["today"], ["today", "was"], ["today", "is"], ["yesterday"], ["yesterday", "was"])


def _corrected_unnamed(text: str, told: Series) -> Change | None:
    """Return the amounts with one replaced that the words don't name: the one told last, or one by its place:
    ``no, it's 20``, ``the first one was 421.50``.
    """
    place = place_in(words_of(text), len(told.rows))
    numbers = [one for one in read_quantities(text).numbers if not one.is_part]
    if place is not None and numbers:
        return Change(_replaced(told, place, numbers[-1]), 0, len(text))
    return _corrected_last(text, told)


def _corrected_last(text: str, told: Series) -> Change | None:
    """Return the amounts with the one told last replaced, by words that name none."""
    start, end = next(sentence_spans(text), (0, len(text)))
    text = text[start:end]
    words = [word for word in words_of(text) if word[0].isalnum()]
    read = read_quantities(text)
    numbers = [one for one in read.numbers if not one.is_part]
    if len(numbers) != 1 or not CORRECTING & set(words):
        return None
    counted = set(read.words[numbers[0].start : numbers[0].end])
    if any(word[0].isalpha() for word in set(words) - CORRECTING - _ABOUT_LAST - counted):
        return None
    return Change(_replaced(told, len(told.rows) - 1, numbers[0]), 0, len(text))


_ABOUT_LAST = frozenset(
    "he she they were it it's its is was be that that's to the a i mean for of one last make".split()
)


def _of_pair(
    text: str, numbers: Sequence[Quantity], named: Sequence[int], told: Series
) -> tuple[int, Quantity] | None:
    """Return the row and its new number where a sentence gives the old number too."""
    correction = read_correction(text)
    if correction is None and not _NEGATING & set(words_of(text)):
        return None
    ways = (numbers[::-1], numbers) if correction is None else ((correction.old, correction.new),)
    for old, new in ways:
        rows = [at for at, row in enumerate(told.rows) if _value(row) == old.value]
        chosen = [at for at in rows if at in named] or ([] if named else rows)
        if len(chosen) == 1:
            return chosen[0], new
    return None


def _value(row: Row) -> object:
    return None if row.numbers[0] is None else row.numbers[0].value


def _replaced(told: Series, place: int, number: Quantity) -> Series:
    old = told.rows[place].numbers[0]
    if old is not None:
        number = replace(number, currency=number.currency or old.currency, unit=old.unit)
    rows = list(told.rows)
    rows[place] = Row(rows[place].label, (number,))
    return replace(told, rows=tuple(rows))


_FEWEST_LETTERS = 3


def _names(words: Sequence[str], label: str) -> bool:
    """Return whether all words of a label stand in a sentence; a weekday may be cut short on either side."""
    own = [word for word in words_of(label) if word[0].isalnum()]
    return bool(own) and all(any(_is_same(one, word) for word in words) for one in own)


def _is_same(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= _FEWEST_LETTERS and long.endswith("day") and long.startswith(short)
