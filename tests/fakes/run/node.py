"""Where Node is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[3]


def node() -> str:
    """The machine's Node, or the one that make installed."""
    return shutil.which("node") or os.fspath(ROOT / ".venv-node" / "bin" / "node")
