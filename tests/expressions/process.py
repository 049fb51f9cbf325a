"""Runs ``python -m tests.expressions`` for tests."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.expressions.collection import ROOT


def pump(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Pump the expressions in a process of its own: it must not have imported the product yet."""
    return subprocess.run(
        [sys.executable, "-m", "tests.expressions", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
