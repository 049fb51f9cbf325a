"""How likely a text is in each of several languages, by its letters: one, two and three in a row.

`training.languages` makes the table. It knows languages in Latin script; `intent.rules.language` decides.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

SHIPPED = Path(__file__).with_name("language.ngrams")
LONGEST = 3
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_MOST_WORDS = 40


class LanguageTable(NamedTuple):
    """What each n-gram says of each language, in multiples of ``unit`` below nothing."""

    languages: tuple[str, ...]
    unit: float
    rows: Mapping[str, bytes]
    """For each n-gram one byte per language: how improbable it is."""

    def likelihoods(self, text: str) -> dict[str, float]:
        """Return the mean logarithm of the likelihood of a text's n-grams, by language; empty without any."""
        totals, count = [0] * len(self.languages), 0
        for gram in ngrams(text):
            row = self.rows.get(gram)
            if row is not None:
                totals = [total + one for total, one in zip(totals, row, strict=True)]
                count += 1
        if not count:
            return {}
        return {
            language: -self.unit * total / count
            for language, total in zip(self.languages, totals, strict=True)
        }


def ngrams(text: str) -> Iterator[str]:
    """Yield the n-grams of the first words of a text; a blank stands before and behind each word."""
    for word in _WORD.findall(text.lower())[:_MOST_WORDS]:
        padded = f" {word} "
        for length in range(1, LONGEST + 1):
            for start in range(len(padded) - length + 1):
                if (gram := padded[start : start + length]).strip():
                    yield gram


def write_table(path: Path, table: LanguageTable) -> None:
    """Write the table to a file. The same table gives the same bytes."""
    grams: Sequence[str] = sorted(table.rows)
    header = {"languages": table.languages, "unit": table.unit}
    packed = "\n".join(grams).encode() + b"\0" + b"".join(table.rows[gram] for gram in grams)
    path.write_bytes(json.dumps(header).encode() + b"\n" + zlib.compress(packed, 9))


def read_table(path: Path = SHIPPED) -> LanguageTable:
    """Return the table in a file."""
    head, _, packed = path.read_bytes().partition(b"\n")
    header = json.loads(head)
    grams, _, rows = zlib.decompress(packed).partition(b"\0")
    languages = tuple(header["languages"])
    width = len(languages)
    return LanguageTable(
        languages, header["unit"],
        {gram: rows[at * width : (at + 1) * width] for at, gram in enumerate(grams.decode().split("\n"))},
    )  # fmt: skip


@cache
def shared_table() -> LanguageTable:
    """Return the shipped table, loaded once."""
    return read_table()
