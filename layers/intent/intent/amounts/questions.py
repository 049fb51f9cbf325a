"""What a question asks of amounts that were told: their total, one of them, the highest, all but some.

A question counts as one about them only if all its words are explained: by what is asked, by their labels,
by the words around them, or as words of any question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from intent.amounts.question_words import (
    AVERAGE,
    BESIDE_COMPARED,
    COUNTED,
    DIFFERENCE,
    FILLERS,
    LEAST,
    LEAVING,
    LESS,
    MORE,
    MOST,
    OPERATIONS,
    OTHER_THINGS,
    OUT,
    SHARE,
    SURE_TOTAL,
    TOTAL,
    WITHOUT,
)
from intent.amounts.series import DAYS, MONTHS, Series, is_total, words_of
from intent.regular_expressions import pattern
from intent.sums.quantities import noun_stem, read_quantities
from intent.sums.units import unit_named


class Asked(StrEnum):
    """What is asked of amounts."""

    TOTAL = "total"
    AVERAGE = "average"
    MOST = "most"
    LEAST = "least"
    COUNT = "count"
    DIFFERENCE = "difference"
    RANGE = "range"
    """How far apart the highest and the lowest are."""
    EACH = "each"
    """The amounts of some labels."""
    RATE = "rate"
    """Their total at a rate."""
    SHARE = "share"
    """What some of them are of the result before, or of their total, in percent."""
    FURTHER = "further"
    """What is worked out of their total: ``the total of all three split across 5``."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. ``rows`` are the places of the rows that it names, ``without``: of those left out."""

    asked: Asked
    rows: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    column: int | None = None
    """None: it names none."""
    is_bare: bool = False
    """Whether it names neither a label nor a column nor a word of the heading."""


_KINDS = {"month": MONTHS, "day": DAYS, "weekday": DAYS, "night": DAYS}
_PERSONS = frozenset({"i", "me", "my", "mine", "myself"})
_POINTING = frozenset("that it this them those these".split())
_ASKING = frozenset("what what's whats which who who's whos how how's did is are was ?".split())
_MAY_ASK = _ASKING | OPERATIONS | WITHOUT | LEAVING | {"and", "how", "all"}
_MOST_WORDS, _FEWEST_OF_PREFIX = 30, 4
_MOST_UNKNOWN = 2


def may_ask(text: str) -> bool:
    """Return whether a text has a word with which amounts are asked about."""
    return bool(_MAY_ASK & set(words_of(text)))


def read_question(text: str, series: Series, *, is_close: bool = False) -> Question | None:
    """Return what a text asks of a series; None when it asks nothing, or may be about something else.

    ``is_close``: the series stands in the same message or in the one before, so that a total may be asked for
    in words that it doesn't have: ``what did the trip cost altogether``.
    """
    words = words_of(_without_story(text))
    if not words or len(words) > _MOST_WORDS or _only_tells(words):
        return None
    labels = _named_rows(words, series)
    column = _named_column(words, series)
    known = {place for one in labels for place in one.places}
    rest = [word for place, word in enumerate(words) if place not in known]
    about = _stems(series)
    heading = {word for word in rest if noun_stem(word) in about and word not in FILLERS | OPERATIONS}
    if not OTHER_THINGS & set(rest) <= heading:
        return None
    asking = [word for word in rest if word not in heading]
    question = _of_place(words, series) or _asked(series, words, asking, labels, column, text)
    if question is None:
        return None
    counted = _counted_in(text)
    unknown = [word for word in rest if word not in counted and not _is_known(word, about, series)]
    is_sure = is_close and (
        _is_operation(rest) or _says_all(rest) or question.asked in {Asked.RATE, Asked.SHARE}
    )
    if len(unknown) > (_MOST_UNKNOWN if is_sure else 0):
        return None
    is_bare = not labels and column is None and not heading
    return Question(question.asked, question.rows, question.without, column, is_bare)


def _of_place(words: Sequence[str], series: Series) -> Question | None:
    """Return the question for one amount by its place, or for all as they were told: ``the second figure``,
    ``which numbers did I give you?``
    """
    if not _ASKING & set(words) or len(series.columns) > 1:
        return None
    for word, noun in pairwise(words):
        place = _PLACES.get(word)
        if place is not None and noun in _PLACED and place < len(series.rows):
            return Question(Asked.EACH, (place % len(series.rows),))
    names = bool(_LISTED & set(words)) and bool(_GIVEN & set(words))
    return Question(Asked.EACH) if names and not OPERATIONS & set(words) else None


_PLACES = {
    "first": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "last": -1,
}  # fmt: skip
_PLACED = frozenset({"one", "amount", "number", "figure", "price", "value", "sum"})
_LISTED = frozenset({"numbers", "figures", "amounts", "values", "prices"})
_GIVEN = frozenset({"give", "gave", "given", "say", "said", "tell", "told"})


def _only_tells(words: Sequence[str]) -> bool:
    """Return whether words tell a number and ask nothing: ``and 2 more come, so we are 8``."""
    asks = (_ASKING - _BEING) | OPERATIONS | WITHOUT | LEAVING | {"how", "all", "just", "only"}
    return any(word[0].isdigit() for word in words) and not asks & set(words)


_BEING = frozenset({"is", "are", "was", "did"})


def _without_story(text: str) -> str:
    """Return a question without what is told of the thing it names: ``without Ben, who was ill``."""
    found = _STORY.search(text)
    if found is None or any(map(str.isdigit, found[0])):
        return text
    asks = (OPERATIONS | DIFFERENCE) & set(words_of(found[0]))
    if asks and not (WITHOUT | LEAVING) & set(words_of(text[: found.start()])):
        return text  # ``and of these, which was the highest?``
    return f"{text[: found.start()]}{'?' if text.rstrip().endswith('?') else ''}"


_STORY = pattern(
    r",\s(?:which|who|whom|whose|because|since|as|when|where|seeing) (?:\S{1,40} ){0,30}"
    r"[^\s?,]{1,40}[?.!]?\s*$"
)
"""A clause behind a comma that only tells more; "which" and "who" ask nothing there."""


def _counted_in(text: str) -> frozenset[str]:
    """Return the currencies and units of the numbers in a question: ``at 38 euro an hour``."""
    read = read_quantities(text)
    words = {word for one in read.numbers for word in read.words[one.start : one.end]}
    rates = (
        two for one, two in zip(read.words, read.words[1:], strict=False) if one in {"a", "an", "per", "/"}
    )
    asked = (word for at, word in enumerate(read.words) if at > 1 and _is_unit_asked(read.words, at))
    words.update(asked)
    return frozenset(words).union(word for word in rates if read.numbers and unit_named(word) is not None)


def _is_known(word: str, about: frozenset[str], series: Series) -> bool:
    if word in FILLERS | MOST | LEAST | TOTAL | AVERAGE | WITHOUT | LEAVING | OUT | DIFFERENCE | SHARE:
        return True
    if not word[0].isalpha():
        return not word.isalnum() or bool(read_quantities(word).numbers)
    if word in COUNTED or word in _PLACES:
        return True
    stem = noun_stem(word)
    return stem in about | FILLERS or _is_kind(stem, series) or any(_is_related(stem, one) for one in about)


def _is_related(stem: str, other: str) -> bool:
    """Return whether two stems are of one family: ``donate`` and ``donation``."""
    shortest = min(len(stem), len(other))
    return shortest >= _FEWEST_OF_PREFIX and stem[:shortest] == other[:shortest]


def _is_kind(stem: str, series: Series) -> bool:
    """Return whether a word is the noun for the labels: ``month`` for January and February."""
    names = _KINDS.get(stem)
    return names is not None and all(set(words_of(label)) & {*names, stem} for label in series.labels)


def _stems(series: Series) -> frozenset[str]:
    """Return the stems of the words around the numbers: heading, names of columns, units."""
    texts = [series.heading, series.label_name, *series.columns]
    texts += [number.unit for row in series.rows for number in row.numbers if number is not None]
    return frozenset(noun_stem(word) for text in texts for word in words_of(text) if word[0].isalpha())


def _is_operation(words: Sequence[str]) -> bool:
    return bool(set(words) & OPERATIONS)


@dataclass(frozen=True, slots=True)
class _Named:
    row: int
    places: tuple[int, ...]


def _named_rows(words: Sequence[str], series: Series) -> list[_Named]:
    """Return the rows whose labels a question names, in its order; the longest label wins."""
    found: list[_Named] = []
    for row, label in enumerate(series.labels):
        own = [word for word in words_of(label) if word[0].isalnum() and word not in {"the", "and", "of"}]
        distinct = (_places_of([word], words) for word in _distinct(own, row, series, words))
        places = _places_of(own, words) or next(filter(None, distinct), ())
        if places:
            found.append(_Named(row, places))
    kept = [one for one in found if not any(set(one.places) < set(other.places) for other in found)]
    return sorted(kept, key=lambda one: one.places)


def _distinct(own: Sequence[str], row: int, series: Series, asked: Sequence[str]) -> Sequence[str]:
    """Return the words of a label that no other label has: ``Harbour`` and ``Inn`` of ``Harbour Inn``.

    ``Which day`` and ``which of the three days`` ask of all rows, and don't mean the ``open day``.
    """
    others = {word for at, label in enumerate(series.labels) if at != row for word in words_of(label)}
    kinds = {word for word in own if word not in asked and f"{word}s" in asked}
    kinds |= {word for before, word in pairwise(asked) if before in {"which", "what"}}
    return [word for word in own if word not in others | kinds | FILLERS | TOTAL and len(word) > 2]


def _places_of(label: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    if not label:
        return ()
    if set(label) <= _PERSONS:
        at = next((place for place, word in enumerate(words) if word in {"mine", "me", "my", "i"}), None)
        return () if at is None or not _is_own_asked(words, at) else (at,)
    for start in range(len(words) - len(label) + 1):
        if all(_is_same(one, words[start + at]) for at, one in enumerate(label)):
            return tuple(range(start, start + len(label)))
    return ()


def _is_own_asked(words: Sequence[str], at: int) -> bool:
    """Return whether "me" or "my" is the label: ``without me``, ``how much was mine``, ``what did I pay``."""
    before = words[at - 1] if at else ""
    return words[at] == "mine" or before in WITHOUT | {"did", "and", "out", "was"}


def _is_same(label: str, word: str) -> bool:
    if label == word or noun_stem(label) == noun_stem(word):
        return True
    if word.endswith(("'s", "s'")) and label == word[:-2]:
        return True
    for names in (MONTHS, DAYS):
        if label in names and word in names:
            return label[:3] == word[:3]
    return False


def _named_column(words: Sequence[str], series: Series) -> int | None:
    """Return the column that a question names; None without one, and where there is only one."""
    for at, name in enumerate(series.columns):
        own = {noun_stem(word) for word in words_of(name) if word[0].isalnum()}
        if own and own <= {noun_stem(word) for word in words}:
            return at
    return None


def _asked(
    series: Series,
    words: Sequence[str],
    rest: Sequence[str],
    labels: Sequence[_Named],
    column: int | None,
    text: str,
) -> Question | None:
    said = set(rest)
    rows = tuple(dict.fromkeys(one.row for one in labels))
    if labels and (at := _without_at(words)) is not None and labels[0].places[0] > at:
        left_out = tuple(one.row for one in labels if one.places[0] > at)
        asked = Asked.AVERAGE if said & AVERAGE else Asked.TOTAL
        return Question(asked, without=left_out)
    if rows and _asks_share(words, rest, text):
        return Question(Asked.SHARE, rows)
    if _counts_on(rest, text):
        return Question(Asked.RATE, rows)
    if said & AVERAGE:
        return Question(Asked.AVERAGE, rows)
    if len(rows) == 1 and said & DIFFERENCE and said & _COMPARING:
        other = _compared(series, rest, words[: labels[0].places[0]], rows[0], column or 0)
        if other is not None:
            return Question(Asked.DIFFERENCE, (rows[0], other))
    return _asked_of_rows(words, rest, rows) if rows else _asked_of_all(rest, names_column=column is not None)


def _asks_share(words: Sequence[str], rest: Sequence[str], text: str) -> bool:
    """Return whether a question is what some amounts are of all in percent: ``how many percent of that is the
    hotel?``
    """
    asks = bool(_ASKING & set(rest)) and bool(SHARE & set(rest))
    is_share = "of" in words[:-1] or bool((SHARE - {"share", "proportion"}) & set(rest))
    return asks and is_share and not read_quantities(text).numbers


def _compared(
    series: Series, rest: Sequence[str], before: Sequence[str], row: int, column: int
) -> int | None:
    """Return the row that a named one is compared with: the lowest where less than the named one is asked
    about, as in ``what would we save compared with Lund``, else the highest; the only other one of two.
    """
    said = set(rest)
    numbers = {at: one.numbers[column] for at, one in enumerate(series.rows) if not is_total(one.label)}
    values = {at: one.value for at, one in numbers.items() if one is not None and at != row}
    own = series.rows[row].numbers[column]
    if own is None or not values or (len(values) > 1 and not said & (LESS | MORE)):
        return None
    is_behind = bool(BESIDE_COMPARED & set(before[-3:]))
    is_least = bool(LESS & said) is is_behind
    least, most = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    return least if (is_least and values[least] <= own.value) or values[most] < own.value else most


def _asked_of_all(rest: Sequence[str], *, names_column: bool) -> Question | None:
    """Return what is asked of all rows."""
    said = set(rest)
    if _compares_extremes(rest):
        return Question(Asked.RANGE)
    if (kind := _superlative(rest)) is not None:
        return Question(kind)
    if _asks_count(rest):
        return Question(Asked.COUNT)
    is_column = names_column and bool(said & (_ASKING | {"and", "of"}))
    is_so_far = {"how", "much"} <= said and (
        ("so", "far") in pairwise(rest) or bool(said & {"whole", "entire"})
    )
    asks_all = bool(said & SURE_TOTAL) or _says_all(rest) or _asks_amount(rest) or is_so_far
    return Question(Asked.TOTAL) if asks_all or is_column else None


def _compares_extremes(rest: Sequence[str]) -> bool:
    """Return whether a question is how far the highest and the lowest are apart; "that" is one of them."""
    said = set(rest)
    compares = bool(said & DIFFERENCE) or ("by", "how") in pairwise(rest)
    ends = [bool(said & MOST), bool(said & LEAST)]
    return compares and (all(ends) or (any(ends) and bool(said & (_POINTING | {"compared"}))))


def _asked_of_rows(words: Sequence[str], rest: Sequence[str], rows: tuple[int, ...]) -> Question | None:
    """Return what is asked of the rows that a question names."""
    said = set(rest)
    if len(rows) > 1 and said & DIFFERENCE:
        return Question(Asked.DIFFERENCE, rows[:2])
    if len(rows) > 1 and (said & SURE_TOTAL or _says_all(rest)):
        return Question(Asked.TOTAL, rows)
    asks = said & _ASKING and not said & _OTHER_ASKING
    return Question(Asked.EACH, rows) if asks or words[0] in {"and", "just", "only"} else None


_COMPARING = frozenset("what what's whats how which by difference gap ?".split())
_OTHER_ASKING = frozenset("who who's whos whose which where when why".split())
"""Words that ask for something else than an amount, unless one is the highest or the lowest."""


def _without_at(words: Sequence[str]) -> int | None:
    """Return the place of the words that leave something out: ``without``, ``take out``, ``not counting``."""
    for place, word in enumerate(words):
        if word in WITHOUT or (word == "apart" and words[place + 1 : place + 2] == ["from"]):
            return place
        if word in LEAVING and OUT & set(words[place + 1 :]):
            return place
    return None


def _counts_on(rest: Sequence[str], text: str) -> bool:
    """Return whether a question counts on from the total with a rate: ``what is that at 38 an hour``."""
    if len(read_quantities(text).numbers) != 1:
        return False
    is_each = "at" in rest and bool({"a", "an", "per", "each", "/", "every"} & set(rest))
    return is_each or (bool(_POINTING & set(rest)) and bool({"at", "times", "x", "*"} & set(rest)))


def _superlative(rest: Sequence[str]) -> Asked | None:
    asks = bool({"which", "who", "what", "what's", "whats", "who's", "whos", "and", "?"} & set(rest))
    short = len([word for word in rest if word[0].isalpha()]) <= _FEWEST_OF_PREFIX
    if not (asks or short):
        return None
    said = set(rest) - ({"top"} if ("on", "top") in pairwise(rest) else set())
    if said & MOST and not {"at", "most"} <= said:
        return Asked.MOST
    return Asked.LEAST if set(rest) & (LEAST - {"last"}) else None


def _asks_count(rest: Sequence[str]) -> bool:
    pairs = zip(rest, rest[1:], rest[2:], strict=False)
    return any(one == "how" and two == "many" and three in COUNTED for one, two, three in pairs)


def _says_all(rest: Sequence[str]) -> bool:
    line = f" {' '.join(rest)} "
    return rest[:2] == ["and", "all"] or rest[:1] == ["all"] or any(f" {one} " in line for one in _ALL)


_ALL = (
    "in all", "all in", "come to", "comes to", "coming to", "add up", "sum up", "all of", "all that",
    "everyone", "everybody", "for all", "all nights", "all days", "amount to", "all three", "add that",
    "these up", "all up", "those up", "that up", "them up", "the lot",
)  # fmt: skip


def _asks_amount(rest: Sequence[str]) -> bool:
    """Return whether a question asks how much, with nothing named: ``what did I spend?``."""
    said = set(rest)
    if _points_how_many(rest) or ("what" in said and said & _POINTING and said & {"make", "makes"}):
        return True
    spends = said & _SPENDS
    return bool(said & {"what", "how", "what's"}) and bool(spends) and not _SHARED & said


_SHARED = frozenset({"per", "each", "apiece"})
_SPENDS = frozenset("spend spent pay paid paying owe cost owed earn earned taken".split())


def _points_how_many(rest: Sequence[str]) -> bool:
    """Return whether a question asks how many or how much "that" is, with its unit or without."""
    said = [word for at, word in enumerate(rest) if not (at > 1 and _is_unit_asked(rest, at))]
    fours = zip(said, said[1:], said[2:], said[3:], strict=False)
    return any(
        one == "how"
        and two in {"many", "much"}
        and three in {"is", "are", "was", "does"}
        and four in _POINTING
        for one, two, three, four in fours
    )


def _is_unit_asked(words: Sequence[str], at: int) -> bool:
    return list(words[at - 2 : at]) == ["how", "many"] and unit_named(words[at]) is not None
