"""Counts how common words are in what people say to the assistant: ``python -m training.common_features``.

Lessons (`intent.lessons`) compare a tenant's own wording with these counts.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from intent.acts.act import Thing
from intent.lessons.common_features import COUNTS
from intent.lessons.wording import features_of, masked_wording

_HERE = Path(__file__).parent
_FEWEST = 8
_TEXT_KEYS = ("text", "say")


def main() -> None:
    """Write the counts of the features that at least eight exemplars have."""
    wordings = [found for path in _files() for found in _wordings(path)]
    counts = Counter(feature for wording in wordings for feature in features_of(wording))
    lines = [f"{feature}\t{count}" for feature, count in sorted(counts.items()) if count >= _FEWEST]
    COUNTS.write_text("\n".join([str(len(wordings)), *lines]) + "\n", encoding="utf-8")


def _files() -> list[Path]:
    return [*sorted((_HERE / "exemplars").glob("c*.jsonl")), *sorted((_HERE / "acts").glob("*.jsonl"))]


def _wordings(path: Path) -> list[str]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = []
    for row in rows:
        agents = [Thing(str(place), agent[0], agent[1]) for place, agent in enumerate(row.get("agents", ()))]
        text = next(row[key] for key in _TEXT_KEYS if key in row)
        found.append(masked_wording(text, agents))
    return [wording for wording in found if wording]


if __name__ == "__main__":
    main()
