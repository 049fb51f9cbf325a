"""Amounts in lines: pasted tables with any separator, lists with a label and a number in each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.amounts.series import Row, Series, whole_number, words_of
from intent.sums.quantities import Quantity

_SEPARATORS = ("\t", ";", "|", ",")
_BULLET = re.compile(r"(?<!\s)\s*+(?:[-*\u2022\u2013+]\s+|\(?\d{1,2}[.)]\s+)")
_RULE = re.compile(r"[\s|:+=-]*")
_SPLIT_ITEM = re.compile(r"\s*(?::|=|\s-\s|\s\u2013\s|\.{2,}|\t|\s)\s*")
_GROUPED = re.compile(r"(?<=\s\d),(?=\d{3}\b)|(?<=\s\d\d),(?=\d{3}\b)|(?<=\s\d{3}),(?=\d{3}\b)")
"""The comma that groups the digits of a number behind its label: ``Anil 4,200``."""
_MOST_COLUMNS, _MOST_ROWS, _MOST_LABEL_WORDS = 12, 400, 8
_FEWEST_ROWS, _FEWEST_BARE = 2, 3
_UNNAMED = frozenset(
    "id no nr # number date day year phone tel port code zip postcode pin ref reference version".split()
)
"""Headers of columns whose numbers name a row and are no amounts."""


class _Line(NamedTuple):
    text: str
    start: int
    end: int


def read_table(text: str) -> Series | None:
    """Return the labelled numbers that stand in lines of a text; None where there are no two such lines."""
    if "\n" not in text:
        return None
    lines = [line for line in _lines(text) if not _RULE.fullmatch(line.text) or not line.text.strip()]
    found = (_separated(lines, mark) for mark in _SEPARATORS if mark in text)
    return next(filter(None, found), None) or _listed(lines)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for part in text.split("\n"):
        yield _Line(part, start, start + len(part))
        start += len(part) + 1


def _cells(line: str, mark: str, *, has_decimals: bool = False) -> list[str]:
    parts = _GROUPED.sub("", line).split(mark) if mark == "," else line.split(mark)
    parts = _joined(parts) if has_decimals else parts
    cells = [cell.strip().strip("\"'") for cell in parts]
    return cells[bool(mark == "|" and not cells[0]) : len(cells) - bool(mark == "|" and not cells[-1])]


def _have_decimal_commas(lines: Sequence[_Line]) -> bool:
    """Return whether commas inside the numbers of lines are those of decimals; not so under a header that has
    as many cells, and behind labels that are numbered themselves: ``Room 1,12``, ``Room 2,15``.
    """
    if any(_HEADER.fullmatch(one.text.strip()) for one in lines):
        return False
    told = [one.text.split(",") for one in lines if "," in one.text and _has_digit(one.text)]
    if all(_CENTS.fullmatch(",".join(parts).strip()) for parts in told):
        return True
    labels = [label for parts in told if (label := parts[0].rstrip("0123456789 .")) != parts[0]]
    return len(set(labels)) == len(labels) or all(len(label) < _PAIR for label in labels)


_HEADER = re.compile(r"[^\d,]{1,40}(?:,[^\d,\s][^\d,]{0,40}){1,12}")
"""Names of columns with nothing but a comma between them."""
_CENTS = re.compile(r"[-*\u2022\u20ac$\u00a3 ]*\d[\d.]*,\d\d(?: ?[^\W\d]{1,4}| ?[\u20ac$\u00a3])?")
"""A line that is an amount with a decimal comma and nothing else."""
_PAIR = 2


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _joined(parts: Sequence[str]) -> list[str]:
    """Return the parts of a line at its commas, without those at the comma of a number: behind a label
    (``Train 1320,40``), where the other commas have a space behind them (``Train, 1320,40``), and in a line
    that is nothing but one amount.
    """
    found = [*parts[:1]]
    is_spaced = any(part[:1].isspace() for part in parts[1:])
    is_amount = _CENTS.fullmatch(",".join(parts).strip()) is not None
    for part in parts[1:]:
        before = found[-1].strip()
        is_inside = before[-1:].isdigit() and part[:1].isdigit()
        is_behind_label = before[:1] != "" and not before[0].isdigit()
        if is_inside and (is_behind_label or is_spaced or is_amount):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _separated(lines: Sequence[_Line], mark: str) -> Series | None:
    """Return the longest run of lines that a separator parts into as many cells."""
    has_decimals = mark == "," and _have_decimal_commas(lines)
    cells = [
        _cells(line.text, mark, has_decimals=has_decimals) if line.text.strip() else [] for line in lines
    ]
    first, last = _longest_run([_shape(one) for one in cells])
    if last - first < _FEWEST_ROWS or last - first > _MOST_ROWS:
        return None
    rows = cells[first:last]
    above = cells[first - 1] if first else []
    has_header = len(above) == len(rows[0]) and not any(map(_number, above))
    header = above if has_header else [""] * len(rows[0])
    columns = _number_columns(rows, header)
    if not columns:
        return None
    label_at = next((at for at in range(len(header)) if at not in columns), 0)
    columns = [at for at in columns if at != label_at] or columns
    begin = first - has_header
    return Series(
        heading=_heading(lines, begin),
        rows=tuple(Row(row[label_at], tuple(_number(row[at]) for at in columns)) for row in rows),
        columns=tuple(header[at] for at in columns),
        label_name=header[label_at],
        start=_start(lines, begin),
        end=lines[last - 1].end,
    )


def _shape(cells: Sequence[str]) -> int:
    """Return how many cells a line of a table has; 0 for a line that is none."""
    if not 2 <= len(cells) <= _MOST_COLUMNS or not any(map(_number, cells)):
        return 0
    return len(cells) if all(len(cell.split()) <= _MOST_LABEL_WORDS for cell in cells) else 0


def _number(cell: str) -> Quantity | None:
    return whole_number(cell) if cell else None


def _number_columns(rows: Sequence[Sequence[str]], header: Sequence[str]) -> list[int]:
    """Return the columns that have nothing but numbers, without those that only name their rows."""
    found = [
        at
        for at in range(len(header))
        if all(not row[at] or _number(row[at]) for row in rows) and any(row[at] for row in rows)
    ]
    amounts = [at for at in found if not _UNNAMED & set(words_of(header[at]))]
    return amounts or found


def _longest_run(shapes: Sequence[int]) -> tuple[int, int]:
    best, start = (0, 0), 0
    for place in range(len(shapes) + 1):
        is_same = place < len(shapes) and shapes[place] and shapes[place] == shapes[start]
        if not is_same:
            if place - start > best[1] - best[0] and shapes[start : start + 1] != [0]:
                best = (start, place)
            start = place
    return best


def _listed(lines: Sequence[_Line]) -> Series | None:
    """Return the longest run of lines that end in a number: ``- yoga 14``, ``Harbour Inn: 42``."""
    items = [_item(line.text) for line in lines]
    first, last = _longest_run([int(one is not None) for one in items])
    rows = [one for one in items[first:last] if one is not None]
    is_bare = not any(row.label for row in rows)
    if len(rows) < (_FEWEST_BARE if is_bare else _FEWEST_ROWS) or len(rows) > _MOST_ROWS:
        return None
    return Series(_heading(lines, first), tuple(rows), start=_start(lines, first), end=lines[last - 1].end)


def _item(line: str) -> Row | None:
    """Return the label and the number of a line; None for any other line."""
    text = _BULLET.sub("", line, count=1).strip().rstrip(",;")
    if not text:
        return None
    if (bare := whole_number(text)) is not None and not bare.unit:
        return Row("", (bare,))
    for found in _SPLIT_ITEM.finditer(text):
        label, rest = text[: found.start()], text[found.end() :]
        number = whole_number(rest) if label and rest else None
        if number is not None and is_label(label):
            return Row(label.strip(), (number,))
    return None


def is_label(text: str) -> bool:
    """Return whether a text may name an amount: a few words or a time, no question and no sentence."""
    words = text.split()
    has_name = any(mark.isalpha() for mark in text) or ":" in text or "/" in text
    return has_name and 0 < len(words) <= _MOST_LABEL_WORDS and "?" not in text


def _heading(lines: Sequence[_Line], first: int) -> str:
    """Return the line before a table, when it only says what the table is."""
    before = [line.text.strip() for line in lines[:first] if line.text.strip()]
    return before[-1].rstrip(":") if before else ""


def _start(lines: Sequence[_Line], first: int) -> int:
    before = [line for line in lines[:first] if line.text.strip()]
    return before[-1].start if before else lines[first].start
