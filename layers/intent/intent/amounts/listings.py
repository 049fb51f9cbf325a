"""Amounts in a sentence: ``hours this week: Ben 6.5, Aisha 11``, ``rent is 950 and internet 39.99``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from conversation.sentences import sentence_spans
from intent.amounts.dealings import read_dealing
from intent.amounts.series import Row, Series, whole_number
from intent.amounts.tables import is_label
from intent.regular_expressions import lower, pattern
from intent.sums.quantities import Quantity, read_quantities, shown

_HEAD = re.compile(r":(?=\s)|\s[-\u2013\u2014]+\s|\(|\)")
_ITEMS = re.compile(r",(?=\s|[^\W\d])|;|\s(?:and|plus|&|\+|/)\s|,\s*and\s")
_HAVING = frozenset(
    "owe owes owed pay pays paid spend spends spent had has have got gets get is are was were did does cost"
    " costs used uses sold sells made makes worked works earns earned took takes drove drives gave gives"
    " scored scores donated ran raised needs need brought came of = - \u2013 with".split()
)
"""Words between a label and its number, or before a label and its number."""
_BEFORE_NAMES = frozenset(
    "at by until till to of on before after between in port ports no number room page line version"
    " floor".split()
)
"""Words before numbers that are times, dates, names of something or the size of each."""
_NEGATIONS = frozenset({"not", "isn't", "wasn't", "aren't", "weren't"})
"""Words before a number that is no amount of a list, but the one that another takes the place of."""
_CODES = frozenset(
    "code codes pin number id ref reference password passcode lock extension postcode zip"
    " account combination room gate".split()
)
_CALLED, _LEAST_CALLED = frozenset({"phone", "mobile", "cell"}), 10_000
"""Nouns whose number is one to call, unless it is so small that it is a price: ``phone 45``."""
"""Nouns whose number is a name of something, and no amount: ``the locker code is 4410``."""
_LEADS = frozenset("the and then also plus for from by on".split())
_ADDING = ("add up", "sum up", "add together", "total up", "add")
_BEHIND = frozenset({"for", "on", "from", "by", "to", "in", "at"})
_PARTS_OF_DAY = frozenset({"morning", "afternoon", "evening", "night", "noon", "midnight"})
_MOST_LABEL_WORDS, _MOST_LEAD_WORDS = 5, 4
_FEWEST, _FEWEST_BARE = 2, 3


_BILLED = re.compile(r"(?<=\d) (?:per|an?|each|every) (?:week|month|quarter|year)\b")


def _without_billing(text: str) -> str:
    """Return a text with the period blanked out for which all its amounts are paid: ``gym 40 a month``; as it
    is where they are for several. Places stay right.
    """
    found = [*_BILLED.finditer(lower(text))]
    if len({one[0] for one in found}) != 1:
        return text
    for one in found:
        text = f"{text[: one.start()]}{' ' * len(one[0])}{text[one.end() :]}"
    return text


class _Item(NamedTuple):
    row: Row
    lead: str
    """The words before the label that aren't part of it: ``I owe``."""


def read_listing(text: str) -> Series | None:
    """Return the labelled numbers that one sentence of a text lists; None where none does."""
    text = _without_billing(text)
    for start, end in _sentences(text):
        is_paired = text.count(": ", start, end) >= _FEWEST
        found_marks = [found.span() for found in _HEAD.finditer(text, start, end)]
        marks = [one for one in found_marks if not (is_paired and text[one[0]] == ":")]
        starts = [start, *(stop for _, stop in marks)]
        for begin, stop in zip(starts, [*(mark for mark, _ in marks), end], strict=True):
            found = _listed(text, begin, stop)
            if found is None:
                continue
            before = text[start:begin].rstrip(" :-\u2013\u2014(")
            heading = " ".join(filter(None, (before, found.heading)))
            return Series(heading, found.rows, start=start, end=found.end)
    return None


def read_one(text: str) -> Series | None:
    """Return the one labelled number that a short text tells in one of its sentences; None for any other."""
    found: Series | None = None
    for start, end in sentence_spans(text):
        if not any(mark.isdigit() for mark in text[start:end]):
            continue
        row = read_dealing(text[start:end]) or _only_row(_told_part(text[start:end]))
        if row is None or found is not None:
            return None
        found = Series("", (row,), start=start, end=end)
    return found


def _told_part(sentence: str) -> str:
    """Return a sentence as far as its number, without remarks behind it and words of its day."""
    ends = [found.start() for found in _PARTS.finditer(sentence)]
    end = next((at for at in ends if any(map(str.isdigit, sentence[:at]))), len(sentence))
    if any(map(str.isdigit, sentence[end:])):
        end = len(sentence)
    told = _THIS_PERIOD.sub("", sentence[:end])
    words = told.replace(" on top for ", " for ").partition(" on top")[0].split()
    return " ".join(word for word in words if lower(word.rstrip(",")) not in _DAYS)


_PARTS = re.compile(r",\s")
_THIS_PERIOD = re.compile(r"\b(?:(?:for|in) )?this (?:week|month|quarter|year|time)\b")
_DAYS = frozenset({"today", "yesterday", "tonight"})


def _only_row(sentence: str) -> Row | None:
    """Return the row that the last parts of a sentence are: ``ah forgot, add Divya also, 1,270``."""
    words = _without_putting([word.rstrip(",") for word in sentence.rstrip(" .!?,;\n").split()])
    words = [word for word in words if word and lower(word) not in _AROUND_ONE]
    if not 1 < len(words) <= _MOST_ONE_WORDS:
        return None
    copula = next((at for at, word in enumerate(words[1:], 1) if lower(word) in _COPULAS), None)
    if copula is not None and any(map(str.isdigit, "".join(words[copula + 1 : -1]))):
        return None  # it tells several
    if copula is not None and lower(words[0]) not in _PRONOUNS:
        named = words[: copula - 1] if lower(words[copula - 1]) == "it" else words[:copula]
        words = [*named, *words[-1:]]
    if len(words) > _FEWEST and [lower(word) for word in words[-2:-1]] == ["for"] and words[-1] in _TOGETHER:
        words = words[:-2]
    item = _item(" ".join(words), is_first=True)
    return item.row if item is not None and _is_name(item.row.label) else None


def _is_name(label: str) -> bool:
    """Return whether a label names something: ``hotel``, ``train to Linz``; not ``we``, ``a task to buy``."""
    words = label.split()
    for at, word in enumerate(words):
        goes_to = word == "to" and 0 < at < len(words) - 1 and words[at + 1][0].isupper()
        if lower(word) in _PRONOUNS | {"to", "at", "on", "not"} and not goes_to:
            return False
    return not set(map(lower, words)) <= _LEADS | _BEHIND


def _without_putting(words: list[str]) -> list[str]:
    """Return the words without those for adding an amount: ``chuck another 120 on for the tea urn``."""
    at = next((place for place, word in enumerate(words) if any(map(str.isdigit, word))), len(words))
    verb = next((place for place, word in enumerate(words[:at]) if lower(word) in PUTTING), None)
    if verb is None:
        return words
    behind = words[at + 1 :]
    while behind and lower(behind[0]) in _ONTO:
        behind = behind[1:]
    before = [word for word in words[verb + 1 : at] if lower(word) not in _ONTO]
    return [*before, *words[at : at + 1], *behind]


_AROUND_ONE = frozenset(
    "add also again too then and plus another oh ah oops sorry forgot ok okay so please pls the a yes".split()
)
"""Words around a single amount that are no part of its label."""
PUTTING = frozenset("chuck throw stick put bung pop tack lob slap".split())
"""Verbs that add an amount as "add" does: ``stick 40 on for parking``."""
_ONTO = frozenset("on in onto it that there top to more extra".split())
_TOGETHER = frozenset({"pair", "lot", "both", "all", "set", "two", "three"})
"""What a price is for that was named before: ``two isolators, 45 for the pair``."""
_COPULAS = frozenset({"is", "was", "were", "are", "came", "cost", "costs"})
_PRONOUNS = frozenset({"i", "we", "it", "that", "this", "they", "he", "she", "you", "there"})
_MOST_ONE_WORDS = 9


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence begins and ends; semicolons part the items of one sentence."""
    begin: int | None = None
    for start, end in sentence_spans(text):
        begin = start if begin is None else begin
        if not text[:end].endswith(";"):
            yield begin, end
            begin = None
    if begin is not None:
        yield begin, len(text)


def _listed(text: str, start: int, end: int) -> Series | None:
    """Return the items with a number at the beginning of a part of a sentence; None for fewer than two."""
    items: list[_Item] = []
    head: list[str] = []
    last = start
    for begin, stop in _bounds(text, start, end):
        item = _item(text[begin:stop], is_first=not items)
        if item is None:
            if items:
                break
            if any(mark.isdigit() for mark in text[begin:stop]):
                return None
            head.append(text[begin:stop].strip())
            continue
        items.append(item)
        last = stop
    told, items = items, _without_shared_label(items)
    rest = text[last:end]
    is_bare = not any(item.row.label for item in items)
    fewest = _FEWEST if items is not told or not is_bare else _FEWEST_BARE
    if len(items) < fewest or _has_number(rest):
        return None
    if head and is_bare:
        return None
    if any(":" in item.row.label for item in items):
        return None  # it was a heading, not the mark behind each label
    lead = ", ".join(filter(None, (*head, items[0].lead)))
    return Series(lead, tuple(item.row for item in items), end=last)


def _without_shared_label(items: list[_Item]) -> list[_Item]:
    """Return the items of a list; where only the first has a label, that is what all of them are: ``the
    prices are 8,100, 7,950 and 8,400``.
    """
    if len(items) < _FEWEST or not items[0].row.label or any(item.row.label for item in items[1:]):
        return items
    first = items[0]
    lead = " ".join(filter(None, (first.lead, first.row.label)))
    return [_Item(first.row._replace(label=""), lead), *items[1:]]


def _has_number(text: str) -> bool:
    """Return whether a text has a number, in figures or in a word that is always one."""
    return any(mark.isdigit() for mark in text) or bool(_ROUND & set(lower(text).rstrip(" .!?").split()))


_ROUND = frozenset("ten twenty thirty forty fifty sixty seventy eighty ninety hundred thousand".split())


def _bounds(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for found in _ITEMS.finditer(text, start, end):
        if text[begin : found.start()].strip():
            yield begin, found.start()
        begin = found.end()
    if text[begin:end].strip():
        yield begin, end


_MOST_NUMBER_WORDS = 6
"""In how many words a number is told at most, with its unit."""


def _item(text: str, *, is_first: bool) -> _Item | None:
    """Return the label and number of an item; None for words that are none."""
    plain = text.strip().rstrip(".!?,;")
    if (bare := whole_number(plain)) is not None:
        return None if bare.unit else _Item(Row("", (bare,)), "")
    if (several := _at_each(plain)) is not None:
        return several
    if (behind := _number_first(plain, is_first=is_first)) is not None:
        return behind
    words = plain.split()
    if not is_first and lower(words[-1]) in _ROUND and len(words) > 1:
        return _labelled(words[:-1], read_quantities(words[-1]).numbers[0], is_first=False)
    for at in range(max(1, len(words) - _MOST_NUMBER_WORDS), len(words)):
        number = whole_number(" ".join(words[at:]))
        if number is not None:
            return _labelled(words[:at], number, is_first=is_first)
    return None


_EACH = pattern(r"(\d{1,4}) (?:x )?([^\d,;]{2,60}?)(?: at| @| for|,)? (\S{1,20}) (?:each|apiece|a piece)")


def _at_each(text: str) -> _Item | None:
    """Return the item of ``6 lamps at 22 each``: what they come to."""
    found = _EACH.fullmatch(text)
    price = whole_number(found[3]) if found is not None else None
    if found is None or price is None or not is_label(found[2]):
        return None
    value = int(found[1]) * price.value
    number = replace(price, value=value, text=shown(value, price.places))
    return _Item(Row(found[2], (number,)), "")


def _number_first(text: str, *, is_first: bool) -> _Item | None:
    """Return the item of ``420 for the hotel``; the first one may follow ``we spent``."""
    words, lead = text.split(), ""
    having = next((place for place, word in enumerate(words) if lower(word) in _HAVING), None)
    if is_first and having is not None and having < _MOST_LEAD_WORDS:
        words, lead = words[having + 1 :], " ".join(words[:having])
    at = next((place for place, word in enumerate(words) if lower(word) in _BEHIND), 0)
    number = whole_number(" ".join(words[:at])) if 0 < at <= _MOST_NUMBER_WORDS else None
    label = _without_leads(words[at + 1 :])
    if number is None or not is_label(" ".join(label)) or len(label) > _MOST_LABEL_WORDS:
        return None
    if label[0][0].isdigit():
        return None  # a rate: ``3 people at 20 an hour``
    if _PARTS_OF_DAY & set(map(lower, label)):
        return None  # a time of day: ``9 in the morning``
    return _Item(Row(" ".join(label), (number,)), lead)


def _labelled(words: Sequence[str], number: Quantity, *, is_first: bool) -> _Item | None:
    small = [lower(word).rstrip(":") for word in words]
    if small[-1] in _BEFORE_NAMES | _NEGATIONS:
        return None
    while small and small[-1] in _HAVING:
        small.pop()
    if small and (small[-1] in _CODES or (small[-1] in _CALLED and number.value >= _LEAST_CALLED)):
        return None
    label, lead = list(words[: len(small)]), ""
    inner = max((place for place, word in enumerate(small) if word in _HAVING), default=None)
    if inner is not None and is_first:
        lead, label = " ".join(label[:inner]), label[inner + 1 :]
    elif inner is not None:
        return None
    label = _without_leads(_without_adding(label) if is_first else label)
    text = " ".join(label).rstrip(": ")
    if is_first and label and lower(label[-1]) in _PRONOUNS:
        return _Item(Row("", (number,)), text)  # ``yesterday we took 412``
    if not is_label(text) or len(label) > _MOST_LABEL_WORDS:
        return None
    return _Item(Row(text, (number,)), lead)


def _without_adding(label: list[str]) -> list[str]:
    """Return a label without the request to add it up: ``can you add up paint``."""
    text = f" {lower(' '.join(label))} "
    for phrase in _ADDING:
        before, found, _ = text.partition(f" {phrase} ")
        if found:
            return label[len(f"{before} {phrase}".split()) :]
    return label


def _without_leads(label: list[str]) -> list[str]:
    while len(label) > 1 and lower(label[0]) in _LEADS:
        label = label[1:]
    return label
