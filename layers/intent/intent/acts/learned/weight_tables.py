"""The file format of the learned reading's weights: tables with a row per feature and a column per label.

Training writes the file; each process reads it once. The file is one line of JSON, then the compressed
tables. Every change of features or layout needs a new `VERSION`.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple

VERSION = 1
OFFSET = 128
"""Added to every weight so that none is negative. Whole rows can then be added as single integers."""
LARGEST = 127
SHIPPED_WEIGHTS = Path(__file__).with_name("acts.weights")
_MOST_ROWS = 256
"""As many rows can be added before a field of 16 bits overflows."""
_BETWEEN = "\0"
"""A separator that occurs in no feature name."""


class ActWeightsInvalid(Exception):
    """The file is missing, truncated, altered or of another version. Run ``make train-acts``."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path.name}: {why}")
        self.why = why


class WeightTable:
    """Weights of features for some labels. Feature names are hashed, so that none need shipping."""

    def __init__(
        self, labels: Sequence[str], bias: Sequence[float], unit: float, codes: array[int], rows: bytes
    ) -> None:
        self.labels = tuple(labels)
        self.bias = tuple(bias)
        self.unit = unit
        self.codes = codes
        self.rows = rows
        self._fields = Struct(f"<{len(labels)}H")
        self._met: dict[int, int] = {}
        # Rows that were needed before, widened: people use the same words again. At most one per row.

    @cached_property
    def _places(self) -> Mapping[int, int]:
        width = len(self.labels)
        return dict(zip(self.codes, range(0, width * len(self.codes), width), strict=True))

    def totals(self, groups: Iterable[tuple[float, Sequence[str]]]) -> list[float]:
        """Return the score of each label; a group is a value and the names of the features that have it."""
        totals = list(self.bias)
        for value, names in groups:
            rows = self._known_rows(names)
            for at in range(0, len(rows), _MOST_ROWS):
                totals = self._sum(totals, value * self.unit, rows[at : at + _MOST_ROWS])
        return totals

    def _known_rows(self, names: Sequence[str]) -> list[int]:
        encoded = _BETWEEN.join(names).encode("utf-8", "surrogatepass").split(b"\0") if names else []
        met, places, rows = self._met, self._places, []
        for code in map(zlib.crc32, encoded):
            row = met.get(code)
            if row is None:
                if (place := places.get(code)) is None:
                    continue
                row = met[code] = self._widened(place)
            rows.append(row)
        return rows

    def _widened(self, place: int) -> int:
        """Return a row as one long integer, each of its bytes as a field of 16 bits."""
        wide = bytearray(2 * len(self.labels))
        wide[::2] = self.rows[place : place + len(self.labels)]
        return int.from_bytes(wide, "little")

    def _sum(self, totals: list[float], value: float, rows: Sequence[int]) -> list[float]:
        # Adds whole rows, with all labels at once. That takes a quarter of the time of adding each one.
        less = OFFSET * len(rows)
        whole = sum(rows).to_bytes(2 * len(self.labels), "little")
        fields = self._fields.unpack(whole)
        return [total + value * (field - less) for total, field in zip(totals, fields, strict=True)]


class ActWeights(NamedTuple):
    """The weights of the three models, and what they were learned from."""

    boundaries: WeightTable
    kinds: WeightTable
    spans: WeightTable
    settings: Mapping[str, Any]
    """``transitions`` of span labels, ``slots`` of each kind, and the temperatures of the probabilities."""
    exemplars_hash: str
    features_hash: str
    figures: Mapping[str, Any]


def read_weights(path: Path = SHIPPED_WEIGHTS) -> ActWeights:
    """Return the weights in a file.

    Raises:
        ActWeightsInvalid: the file is missing, incomplete or of another version.
    """
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise ActWeightsInvalid(path, "cannot be read") from error
    try:
        header = json.loads(head)
        if header["version"] != VERSION:
            raise ActWeightsInvalid(path, f"not of version {VERSION}")
    except (ValueError, TypeError, KeyError) as error:
        raise ActWeightsInvalid(path, "not a file of weights") from error
    if hashlib.sha256(packed).hexdigest() != header.get("checksum"):
        raise ActWeightsInvalid(path, "truncated or altered")
    whole, at, tables = memoryview(zlib.decompress(packed, bufsize=header["size"])), 0, []
    for about in header["tables"]:
        width, count = len(about["labels"]), about["rows"]
        codes = array("I", whole[at : at + 4 * count].tobytes())
        rows = whole[at + 4 * count : at + (4 + width) * count].tobytes()
        tables.append(WeightTable(about["labels"], about["bias"], about["unit"], codes, rows))
        at += (4 + width) * count
    return ActWeights(
        tables[0],
        tables[1],
        tables[2],
        header["settings"],
        header["exemplars"],
        header["features"],
        header["figures"],
    )


def write_weights(path: Path, weights: ActWeights) -> None:
    """Write the weights to a file. The same weights give the same bytes."""
    tables = (weights.boundaries, weights.kinds, weights.spans)
    whole = b"".join(part for table in tables for part in (table.codes.tobytes(), table.rows))
    packed = zlib.compress(whole, 9)
    header = {
        "version": VERSION,
        "tables": [
            {"labels": table.labels, "bias": table.bias, "unit": table.unit, "rows": len(table.codes)}
            for table in tables
        ],
        "size": len(whole),
        "settings": weights.settings,
        "exemplars": weights.exemplars_hash,
        "features": weights.features_hash,
        "figures": weights.figures,
        "checksum": hashlib.sha256(packed).hexdigest(),
    }
    path.write_bytes(json.dumps(header, sort_keys=True).encode() + b"\n" + packed)
