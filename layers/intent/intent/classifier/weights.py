"""The file that the learned model's weights are shipped in: written by training, read once per process.

One line of JSON, then the compressed table. Every change of features or of this layout is a new version.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from intent.decision import ActionType

VERSION = 5
BUCKETS = 1 << 18
FIELD_BYTES = 4
ROW_BYTES = FIELD_BYTES * len(ActionType)
OFFSET = 1 << 15
"""Added to every weight, so that none is negative: rows can be added as whole numbers, fields and all."""
SHIPPED = Path(__file__).with_name("learned.weights")
_MOST_HEADER_BYTES = 8_192
_LAYOUT = {"version": VERSION, "buckets": BUCKETS, "actions": [action.value for action in ActionType]}


class WeightsUnusable(Exception):
    """The file is missing, truncated, altered or of another version. Make it again: ``make train-intent``."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name}: {why}")
        self.why = why


class Stage(NamedTuple):
    """What one of the two models adds to its features' weights; totals are divided by ``temperature``."""

    bias: Sequence[float]
    temperature: float


class Figures(NamedTuple):
    """How good the weights are on cases they were not learned from; training compares the next ones with it.

    ``authors`` holds, for each author, how many of their cases a model that never saw the author got right,
    how many there were, and a hash of them. ``own`` is the accuracy on the cases of the evals.
    """

    authors: Mapping[str, Sequence[Any]]
    own: float


class Weights(NamedTuple):
    """What was learned. ``rows`` has ``ROW_BYTES`` for each bucket: a field per action, little-endian, in
    ``unit``, with ``OFFSET`` added. A bucket's weights stand together: memory is asked for them once.
    """

    rows: bytes
    unit: float
    alone: Stage
    answering: Stage
    exemplars: str
    """A hash of what was learned from."""
    probes: str
    """A hash of the features that some fixed texts had then."""
    figures: Figures


def read(path: Path = SHIPPED) -> Weights:
    """The weights of a file.

    Raises:
        WeightsUnusable: it is not there, not whole, or not of this version.
    """
    head, packed = _parts(path)
    header = _header(path, head)
    if hashlib.sha256(packed).hexdigest() != header.get("checksum"):
        raise WeightsUnusable(path, "truncated or altered")
    try:
        return _weights(header, zlib.decompress(packed, bufsize=ROW_BYTES * BUCKETS))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise WeightsUnusable(path, "not laid out as it should be") from error


def check(path: Path = SHIPPED) -> None:
    """Whether the file can be used, as far as its size and first line tell: cheap enough for a cold start.

    Raises:
        WeightsUnusable: as `read`.
    """
    try:
        with path.open("rb") as file:
            head = file.readline(_MOST_HEADER_BYTES)
        size = path.stat().st_size
    except OSError as error:
        raise WeightsUnusable(path, "cannot be read") from error
    if _header(path, head).get("bytes") != size - len(head):
        raise WeightsUnusable(path, "truncated or altered")


def write(path: Path, weights: Weights) -> None:
    """Put the weights into a file; the same weights make the same bytes."""
    packed = zlib.compress(weights.rows, 9)
    header = {
        **_LAYOUT,
        "unit": weights.unit,
        "alone": weights.alone._asdict(),
        "answering": weights.answering._asdict(),
        "exemplars": weights.exemplars,
        "probes": weights.probes,
        "figures": weights.figures._asdict(),
        "checksum": hashlib.sha256(packed).hexdigest(),
        "bytes": len(packed),
    }
    path.write_bytes(json.dumps(header, sort_keys=True).encode() + b"\n" + packed)


def _weights(header: Mapping[str, Any], rows: bytes) -> Weights:
    if len(rows) != ROW_BYTES * BUCKETS:
        raise ValueError(len(rows))
    return Weights(
        rows=rows,
        unit=header["unit"],
        alone=Stage(**header["alone"]),
        answering=Stage(**header["answering"]),
        exemplars=header["exemplars"],
        probes=header["probes"],
        figures=Figures(**header["figures"]),
    )


def _parts(path: Path) -> tuple[bytes, bytes]:
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise WeightsUnusable(path, "cannot be read") from error
    return head, packed


def _header(path: Path, head: bytes) -> dict[str, Any]:
    try:
        header = json.loads(head)
    except ValueError as error:
        raise WeightsUnusable(path, "not a file of weights") from error
    if not isinstance(header, dict) or any(header.get(name) != value for name, value in _LAYOUT.items()):
        raise WeightsUnusable(path, f"not of version {VERSION}")
    return header
