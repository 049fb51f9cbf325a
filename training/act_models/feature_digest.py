"""Detection of features that changed while the weights did not, by hashing the features of fixed messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from intent.acts.learned import kind_features, span_features, word_clusters
from intent.acts.learned.segmentation import find_cuts
from training.act_models.corpus import to_message

_AGENTS = (
    ["stock-daily", "counts the shelves", "Sage", "daily 7:00", "mail"],
    ["Lead Scorer", "rates leads"],
)
_PROBES: Sequence[Mapping[str, Any]] = (
    {
        "say": "hi, pls pause stock-daily until Monday 8:30, and remind me tomorrow to call Ann!",
        "agents": _AGENTS,
    },
    {"say": "every other Friday at noon post the open invoices from Xero in #sales or to jo@x.example"},
    {"say": "yes but at 6:30", "agents": _AGENTS, "asked": {"q": "confirm", "of": "delete"}},
    {"say": "the second one", "asked": {"q": "which", "of": "run agent", "options": ["stock-daily"]}},
    {"say": "it's in the Google sheet \u201cstock\u201d", "asked": {"q": "source+where"}, "agents": _AGENTS},
    {
        "say": "undo that \U0001f600 what did the lead scorer find?",
        "agents": _AGENTS,
        "focus": "did:paused stock-daily",
    },
    {"say": "cross buy milk off, 17% of 340?", "tasks": ["buy milk", "pay rent"], "focus": "list:tasks"},
)


def features_digest() -> str:
    """Return a hash of the features that the present code finds in the probes, and of the words' clusters."""
    digest = hashlib.sha256(json.dumps([_features(one) for one in _PROBES]).encode())
    digest.update(word_clusters.SHIPPED_CLUSTERS.read_bytes())
    return digest.hexdigest()


def _features(data: Mapping[str, Any]) -> list[Any]:
    message = to_message({"id": "probe", "acts": (), **data}, "probe")
    tokens, scene = message.marked.tokens, message.scene
    around, cuts, end = kind_features.scene_features(scene), find_cuts(tokens), len(tokens)
    groups = [
        kind_features.act_features(tokens, 0, end, scene, around),
        *(kind_features.boundary_features(tokens, 0, cut, end, around) for cut in cuts),
    ]
    seen = [[round(value, 6), sorted(names)] for found in groups for value, names in found]
    return [cuts, seen, span_features.token_features(tokens, 0, end, "agent.create")]
