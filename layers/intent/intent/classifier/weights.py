"""The file format of the learned model's weights. Training writes the file; each process reads it once.

The file is one line of JSON, then the compressed table. Every change of features or layout needs a new
`VERSION`.
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
_FIELD_BYTES = 4
ROW_BYTES = _FIELD_BYTES * len(ActionType)
OFFSET = 1 << 15
"""Added to every weight so that none is negative. Whole rows can then be added as single integers."""
SHIPPED_WEIGHTS = Path(__file__).with_name("learned.weights")
_MOST_HEADER_BYTES = 8_192
_LAYOUT = {"version": VERSION, "buckets": BUCKETS, "actions": [action.value for action in ActionType]}


class WeightsInvalid(Exception):
    """The file is missing, truncated, altered or of another version. Run ``make train-intent``."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name}: {why}")
        self.why = why


class StageParameters(NamedTuple):
    """The bias and temperature of one of the two models. Totals are divided by ``temperature``."""

    bias: Sequence[float]
    temperature: float


class AccuracyFigures(NamedTuple):
    """The accuracy of the weights on unseen cases. Training compares new weights against it.

    ``authors`` holds, for each author, how many of their cases a model trained without that author got
    right, the number of cases, and a hash of them. ``own`` is the accuracy on the eval cases.
    """

    authors: Mapping[str, Sequence[Any]]
    own: float


class Weights(NamedTuple):
    """The learned weights of both models.

    ``rows`` has ``ROW_BYTES`` for each bucket: one little-endian field per action, in multiples of ``unit``,
    with ``OFFSET`` added. A bucket's weights are adjacent, so that one memory access reads them.
    """

    rows: bytes
    unit: float
    message_stage: StageParameters
    context_stage: StageParameters
    exemplars_hash: str
    """A hash of the training examples."""
    probes_hash: str
    """A hash of the features of some fixed texts at training time."""
    figures: AccuracyFigures


def read_weights(path: Path = SHIPPED_WEIGHTS) -> Weights:
    """Return the weights in a file.

    Raises:
        WeightsInvalid: the file is missing, incomplete or of another version.
    """
    head, packed = _parts(path)
    header = _header(path, head)
    if hashlib.sha256(packed).hexdigest() != header.get("checksum"):
        raise WeightsInvalid(path, "truncated or altered")
    try:
        return _weights(header, zlib.decompress(packed, bufsize=ROW_BYTES * BUCKETS))
    except (KeyError, TypeError, ValueError, zlib.error) as error:
        raise WeightsInvalid(path, "not laid out as it should be") from error


def check_weights_file(path: Path = SHIPPED_WEIGHTS) -> None:
    """Check the file's size and first line only, which is cheap enough for a cold start.

    Raises:
        WeightsInvalid: as for `read_weights`.
    """
    try:
        with path.open("rb") as file:
            head = file.readline(_MOST_HEADER_BYTES)
        size = path.stat().st_size
    except OSError as error:
        raise WeightsInvalid(path, "cannot be read") from error
    if _header(path, head).get("bytes") != size - len(head):
        raise WeightsInvalid(path, "truncated or altered")


def write_weights(path: Path, weights: Weights) -> None:
    """Write the weights to a file. The same weights give the same bytes."""
    packed = zlib.compress(weights.rows, 9)
    header = {
        **_LAYOUT,
        "unit": weights.unit,
        "alone": weights.message_stage._asdict(),
        "answering": weights.context_stage._asdict(),
        "exemplars": weights.exemplars_hash,
        "probes": weights.probes_hash,
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
        message_stage=StageParameters(**header["alone"]),
        context_stage=StageParameters(**header["answering"]),
        exemplars_hash=header["exemplars"],
        probes_hash=header["probes"],
        figures=AccuracyFigures(**header["figures"]),
    )


def _parts(path: Path) -> tuple[bytes, bytes]:
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise WeightsInvalid(path, "cannot be read") from error
    return head, packed


def _header(path: Path, head: bytes) -> dict[str, Any]:
    try:
        header = json.loads(head)
    except ValueError as error:
        raise WeightsInvalid(path, "not a file of weights") from error
    if not isinstance(header, dict) or any(header.get(name) != value for name, value in _LAYOUT.items()):
        raise WeightsInvalid(path, f"not of version {VERSION}")
    return header
