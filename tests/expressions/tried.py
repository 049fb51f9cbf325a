"""The expressions that were tried and found fast, by digests in `tried.txt`.

A digest is of all that a time depends on but the machine: the expression, how it is matched, the texts that
are generated, and Python's version. So what is not there is new, or is tried in another way than it was.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

from tests.expressions.collection import Expression

_FOLDER = Path(__file__).parent
TRIED = _FOLDER / "tried.txt"
_TEXTS_AND_LIMITS = ("pumps.py", "timing.py")


@cache
def _circumstances() -> bytes:
    generated = b"".join((_FOLDER / name).read_bytes() for name in _TEXTS_AND_LIMITS)
    return b"%d.%d " % sys.version_info[:2] + generated


def digest(expression: Expression) -> str:
    """What stands for the expression, wherever it is made."""
    tried = (expression.source, int(expression.flags), sorted(expression.methods), expression.longest)
    return hashlib.sha256(_circumstances() + repr(tried).encode()).hexdigest()[:20]


def digests() -> frozenset[str]:
    """The digests of what was found fast."""
    return frozenset(TRIED.read_text("ascii").split()) if TRIED.exists() else frozenset()


def record(product: Collection[Expression], *, refused: Collection[Expression]) -> None:
    """Keep the digests of the product's expressions but the refused ones, and no others."""
    fast = sorted({digest(each) for each in product if each not in refused})
    TRIED.write_text("".join(f"{each}\n" for each in fast), "ascii")
