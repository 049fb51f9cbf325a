"""`date_end`: where a date among the words of a text ends. The numbers of a date are no amounts."""

from __future__ import annotations

from collections.abc import Sequence

_MONTHS = frozenset(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_BEFORE_MONTH = frozenset("on by from until till since starting before after".split())
_VERBS = frozenset("be have not come go need want still also well or".split())
"""Words behind "may" where it is a verb: ``of the 12 may be``."""
_LAST_DAY, _FIRST_YEAR, _LAST_YEAR = 31, 1900, 2100
_PARTS = 3


def date_end(words: Sequence[str], place: int) -> int:
    """Return the place behind the date whose first number stands at ``place``; 0 where it is no date.

    ``1 May``, ``the 1st of May 2026``, ``on May 1``, ``2026-05-01``, ``1/5/2026``, ``1.5.2026``.
    """
    return _in_figures(words, place) or _with_month(words, place)


def _in_figures(words: Sequence[str], place: int) -> int:
    parts = words[place].replace("-", ".").replace("/", ".").split(".")
    is_date = len(parts) == _PARTS and (_is_year(parts[0]) or _is_year(parts[-1]))
    return place + 1 if is_date else 0


def _with_month(words: Sequence[str], place: int) -> int:
    if not _is_day(words[place]):
        return 0
    end = place + 1
    is_ordinal = words[end : end + 1] != [] and words[end] in _ORDINALS
    end += is_ordinal
    month = end + (words[end : end + 1] == ["of"])
    if month < len(words) and words[month] in _MONTHS:
        is_verb = words[month] == "may" and set(words[month + 1 : month + 2]) & _VERBS
        return 0 if is_verb else _behind_year(words, month + 1)
    is_behind = place > 0 and words[place - 1] in _MONTHS
    is_dated = is_ordinal or (place > 1 and words[place - 2] in _BEFORE_MONTH)
    is_counting = (
        not is_ordinal and end < len(words) and words[end][0].isalpha() and words[end] not in _JOINING
    )
    return _behind_year(words, end) if is_behind and is_dated and not is_counting else 0


_JOINING = _BEFORE_MONTH | frozenset("and at is are was we i it they to for in the with".split())
"""Words that may stand behind a date, and count nothing."""


def _behind_year(words: Sequence[str], end: int) -> int:
    at = end + (words[end : end + 1] == [","])
    return at + 1 if at < len(words) and _is_year(words[at]) else end


def _is_day(word: str) -> bool:
    return word.isdigit() and len(word) < _PARTS and 0 < int(word) <= _LAST_DAY


def _is_year(word: str) -> bool:
    return word.isdigit() and len(word) == len(str(_FIRST_YEAR)) and _FIRST_YEAR <= int(word) < _LAST_YEAR
