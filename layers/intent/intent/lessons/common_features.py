"""How common words and pairs of words are in what people in general say to the assistant.

`training.common_features` counts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

COUNTS = Path(__file__).with_name("common_features.txt")
_UNSEEN, _FEWEST_OF_PAIR, _PER_WORD = 3.0, 0.5, 0.1
_AGENT = 0.3
"""How often a message names an agent; the exemplars know no agents."""


def share_of(feature: str) -> float:
    """Return the share of messages that have a feature of `intent.lessons.wording`; never 0."""
    if feature == "AGENT":
        return _AGENT
    total, counts = _counts()
    if (count := counts.get(feature)) is not None:
        return count / total
    if " " not in feature:
        return _UNSEEN / total
    # A rare pair is the rarer, the rarer its words are.
    rarest = min(counts.get(word, _UNSEEN) for word in feature.split())
    return min(_UNSEEN, rarest * _PER_WORD + _FEWEST_OF_PAIR) / total


@cache
def _counts() -> tuple[int, Mapping[str, int]]:
    """Return the number of messages that were counted, and in how many of them each common feature is."""
    first, *lines = COUNTS.read_text(encoding="utf-8").splitlines()
    pairs = (line.rsplit("\t", 1) for line in lines)
    return int(first), {feature: int(count) for feature, count in pairs}
