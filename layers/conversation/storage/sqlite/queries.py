"""Translates queries into SQL: which rows of the ``items`` table, in which order, from which position.

An index is a SQLite index over two attributes inside the stored JSON, so SQLite maintains it and fills a new
one.
"""

from __future__ import annotations

from typing import NamedTuple

from storage.table import Index, Position, Query

_LAST_CHARACTER = 0x10FFFF
_BEFORE_SURROGATES, _AFTER_SURROGATES = 0xD7FF, 0xE000


class Statement(NamedTuple):
    """SQL and the arguments of its placeholders."""

    sql: str
    arguments: tuple[str | int, ...]


def index_name(index: Index) -> str:
    """The name of the SQL index, which says what it is over."""
    return f"{index.name}_{index.partition}_{index.sort}"


def index_statement(index: Index) -> str:
    """SQL that creates the index unless one of this name over these attributes exists."""
    columns = f"{_attribute(index.partition)}, {_attribute(index.sort)}, pk, sk"
    return f'CREATE INDEX IF NOT EXISTS "{index_name(index)}" ON items ({columns}) WHERE {_is_in(index)}'


def select_statement(query: Query, index: Index | None) -> Statement:
    """SQL that reads the bodies of a page's items in order."""
    partition, order = _columns(index)
    terms = [(f"{partition} = ?", query.partition), *_bounds(query, order[0])]
    tests, arguments = [test for test, _ in terms], [argument for _, argument in terms]
    if index is not None:
        tests.append(_is_in(index))
    if query.after is not None:
        # The first test repeats a part of the second in a form that lets SQLite seek to that row.
        tests.append(f"{order[0]} {'<=' if query.newest_first else '>='} ?")
        tests.append(
            f"({', '.join(order)}) {'<' if query.newest_first else '>'} ({', '.join('?' * len(order))})"
        )
        arguments += (_behind(query.after, index)[0], *_behind(query.after, index))
    by = ", ".join(f"{column} DESC" if query.newest_first else column for column in order)
    # Only attribute names of our own indexes are interpolated.
    sql = f"SELECT body FROM items WHERE {' AND '.join(tests)} ORDER BY {by} LIMIT ?"  # noqa: S608
    return Statement(sql, (*arguments, query.limit))


def _columns(index: Index | None) -> tuple[str, tuple[str, ...]]:
    """The column of the partition, and the columns that order its rows."""
    if index is None:
        return "pk", ("sk",)
    return _attribute(index.partition), (_attribute(index.sort), "pk", "sk")


def _behind(after: Position, index: Index | None) -> tuple[str, ...]:
    return (after["sk"],) if index is None else (after[index.sort], after["pk"], after["sk"])


def _bounds(query: Query, sort: str) -> list[tuple[str, str]]:
    if query.low is not None and query.high is not None:
        return [(f"{sort} >= ?", query.low), (f"{sort} <= ?", query.high)]
    if not query.prefix:
        return []
    beyond = _after_all(query.prefix)
    return [(f"{sort} >= ?", query.prefix), *([(f"{sort} < ?", beyond)] if beyond else [])]


def _after_all(prefix: str) -> str:
    """The lowest text above all texts with the prefix; empty when there is none."""
    kept = prefix.rstrip(chr(_LAST_CHARACTER))
    if not kept:
        return ""
    last = ord(kept[-1])
    return kept[:-1] + chr(_AFTER_SURROGATES if last == _BEFORE_SURROGATES else last + 1)


def _attribute(name: str) -> str:
    return f"json_extract(body, '$.\"{name}\"')"


def _is_in(index: Index) -> str:
    return f"{_attribute(index.partition)} IS NOT NULL AND {_attribute(index.sort)} IS NOT NULL"
