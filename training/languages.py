"""Makes the table that tells languages apart: ``python -m training.languages FOLDER``.

FOLDER holds the n-gram counts of the languages, one JSON file each, as the package ``langdetect`` 1.0.9 ships
them in ``langdetect/profiles`` (Apache License 2.0; counted from Wikipedia).
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from intent.rules.language_model import LONGEST, SHIPPED, LanguageTable, write_table

LANGUAGES = {
    "en": "en", "de": "de", "fr": "fr", "es": "es", "it": "it", "pt": "pt", "nl": "nl", "pl": "pl",
    "tr": "tr",
    "sv": "sv", "da": "da", "nb": "no", "fi": "fi", "cs": "cs", "ro": "ro", "hu": "hu", "id": "id",
    "vi": "vi",
}  # fmt: skip
"""The languages by their code here, each with the name of its file."""
MOST = 1400
"""How many n-grams of each language are kept."""
FLOOR = 2e-5
"""The likelihood of an n-gram that a language doesn't have."""
UNIT = 0.05


def shares(profile: Mapping[str, Any]) -> dict[str, float]:
    """Return how often each n-gram is among those of its length."""
    counts, totals = Counter[str](), profile["n_words"]
    for gram, count in profile["freq"].items():
        if len(gram.lower()) == len(gram) <= LONGEST:
            counts[gram.lower()] += count
    return {gram: count / totals[len(gram) - 1] for gram, count in counts.items()}


def table_of(folder: Path) -> LanguageTable:
    """Return the table of the languages in a folder."""
    known = {code: shares(json.loads((folder / name).read_text())) for code, name in LANGUAGES.items()}
    kept = {gram for each in known.values() for gram in sorted(each, key=each.__getitem__)[-MOST:]}
    kept = {gram for gram in kept if gram.strip() and "\n" not in gram and "\0" not in gram}
    rows = {
        gram: bytes(min(255, round(-math.log(each.get(gram, 0.0) + FLOOR) / UNIT)) for each in known.values())
        for gram in kept
    }
    return LanguageTable(tuple(LANGUAGES), UNIT, rows)


if __name__ == "__main__":
    write_table(SHIPPED, table_of(Path(sys.argv[1])))
    print(f"{SHIPPED.name}: {SHIPPED.stat().st_size:,} bytes")
