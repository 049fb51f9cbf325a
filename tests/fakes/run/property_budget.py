"""The number of examples for property tests: few and always the same in CI, more on request.

``TRIES=50 .venv/bin/python -m pytest …`` runs fifty times as many, different ones each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

EXAMPLES_FACTOR = int(os.environ.get("TRIES", "1"))
"""The factor on CI's number of examples."""


def example_settings(examples: int) -> settings:
    """Return settings with so many examples in CI and without a deadline."""
    return settings(
        max_examples=examples * EXAMPLES_FACTOR,
        derandomize=EXAMPLES_FACTOR == 1,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
