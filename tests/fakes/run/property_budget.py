"""How often a property is tried: as often as CI can afford, always the same; more of them when asked.

``TRIES=50 .venv/bin/python -m pytest …`` tries fifty times as many, other ones each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

TRIES = int(os.environ.get("TRIES", "1"))
"""How many times CI's share."""


def tries(examples: int) -> settings:
    """So many examples in CI, without a clock deciding over any of them."""
    return settings(
        max_examples=examples * TRIES,
        derandomize=TRIES == 1,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
