"""`read_additions`: more amounts for those that were told before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.amounts.corrections import CORRECTING
from intent.amounts.plain_lists import is_item, label_behind, without_container, without_count
from intent.amounts.question_words import OTHER_THINGS
from intent.amounts.series import Row, words_of
from intent.sums.amendments import numbered_sentence
from intent.sums.quantities import Quantities, Quantity, read_quantities

ADDING = frozenset(
    "add also plus and another forgot forgotten missed missing too include then further additional".split()
)
"""Words with which an amount joins those told before."""
_MORE = frozenset({"more", "n", "extra", "third", "fourth", "fifth"})
_NOT = frozenset({"not", "instead", "rather", "isn't", "wasn't"})
_TODAY = frozenset({"today", "tday", "yesterday", "tonight", "too", "again", "another", "on", "top"})


def read_additions(text: str, last: Row) -> tuple[Row, ...]:
    """Return the amounts that a text adds to those told, of which ``last`` is one; empty where it adds none.

    ``and 130 today``, ``plus 85 from Tomas``, ``I left out Thursday, that was 22``, ``it was 640 the day
    before. both days together?``
    """
    words = [word for word in words_of(text) if word[0].isalnum()]
    if len(words) > _MOST_WORDS or not _says_to_join(words) or (OTHER_THINGS | _NOT) & set(words) - _TODAY:
        return ()
    sentence = numbered_sentence(text)
    read = without_count(without_container(read_quantities(sentence)))
    places = range(len(read.numbers))
    if not places or not all(is_item(read, place) for place in places) or sentence.rstrip().endswith("?"):
        return ()
    old = last.numbers[0]
    if old is None or not all(_is_alike(number, old) for number in read.numbers):
        return ()
    labels = [label_behind(read, place, sentence) for place in places]
    labels = [label if set(words_of(label)) - _MORE - _TODAY else "" for label in labels]
    if len(labels) == 1 and not labels[0]:
        labels = [_label_before(read)]
    if len(_unknown(words, labels, read.numbers)) > _MOST_UNKNOWN:
        return ()
    return tuple(
        Row(label, (replace(number, unit=old.unit),))
        for label, number in zip(labels, read.numbers, strict=True)
    )


def _says_to_join(words: Sequence[str]) -> bool:
    return bool(set(words) & (ADDING | _MORE | {"both"})) or ("left", "out") in pairwise(words)


def _is_alike(number: Quantity, old: Quantity) -> bool:
    """Return whether an amount can join another: of the same currency and things, where it names any."""
    is_same_money = not number.currency or number.currency == old.currency or not (old.currency or old.unit)
    return is_same_money and (not number.unit or not old.unit or number.head == old.head)


def _label_before(read: Quantities) -> str:
    lead = [word for word in read.lead if word.isalpha() and word not in _AROUND]
    return " ".join(lead) if len(lead) <= _MOST_LABEL_WORDS else ""


def _unknown(words: Sequence[str], labels: Sequence[str], numbers: Sequence[Quantity]) -> list[str]:
    named = {word for text in (*labels, *(one.unit for one in numbers)) for word in words_of(text)}
    known = _AROUND | ADDING | _MORE | _TODAY | named
    return [word for word in words if word.isalpha() and word not in known]


_MOST_WORDS, _MOST_UNKNOWN, _MOST_LABEL_WORDS = 16, 2, 3
_AROUND = (
    ADDING | CORRECTING | _MORE | _TODAY | frozenset(
        "oh ah i we it its that that's thats was is were are there there's theres the a an of for from to one"
        " out left him her them this these those please pls can could you how much many now is total"
        " altogether together so ok okay thanks thank my bad on in all what what's whats make makes come"
        " comes does by with been had have has where us put puts leave leaves bring brings at up get gets"
        " now".split()
    )
)  # fmt: skip
