"""Whether two cron expressions fire at the same moments, however they are written."""

from __future__ import annotations

from functools import lru_cache

_RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
_MONTH, _WEEKDAY = 3, 4
_NAMES = {
    _MONTH: {
        name: number
        for number, name in enumerate(
            ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
        )
    },
    _WEEKDAY: {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))},
}
_ANY = "~"
"""Stands for any value of a field."""

Field = frozenset[int] | str


@lru_cache(4096)
def cron_key(cron: str) -> tuple[Field, ...]:
    """A form in which crons that fire at the same moments are mostly equal (`1-5`, `MON,TUE,WED,THU,FRI`)."""
    parts = cron.split()
    if len(parts) != len(_RANGES):
        return (cron,)
    try:
        return tuple(_values(part.lower(), index) for index, part in enumerate(parts))
    except ValueError:
        return (cron,)


def same_cron(wanted: str, held: str) -> bool:
    """Whether both fire at the same moments; `~` in the wanted one stands for any value of a field."""
    fields, others = wanted.split(), held.split()
    if _ANY not in fields or len(fields) != len(others):
        return cron_key(wanted) == cron_key(held)
    try:
        return all(
            field == _ANY or _values(field.lower(), index) == _values(other.lower(), index)
            for index, (field, other) in enumerate(zip(fields, others, strict=True))
        )
    except ValueError:
        return False


def _values(text: str, index: int) -> Field:
    low, high = _RANGES[index]
    if text in ("*", "?"):
        return "*"
    found: set[int] = set()
    for item in text.split(","):
        part, _, step = item.partition("/")
        first, _, last = part.partition("-")
        begin = low if first == "*" else _number(first, index)
        end = _number(last, index) if last else high if first == "*" or step else begin
        found.update(range(begin, end + 1, int(step or 1)))
    if index == _WEEKDAY:
        found = {day % 7 for day in found}
    return "*" if found == set(range(low, high + 1)) else frozenset(found)


def _number(text: str, index: int) -> int:
    names = _NAMES.get(index, {})
    return names[text] if text in names else int(text)
