"""``python -m tests.evals.secrets [--cases FILE] [--wrong]``: how well secrets in messages are found.

Each line of a file holds a text and, if there is one in it, the ``secrets`` and what it ``contains``; the
sign § is taken out of both, so that nobody's scanner takes the files for leaks. A line is recalled if nothing
of its secrets is left once it is masked; a line without any is a false alarm if anything is marked.

The rules were tuned on ``secrets_dev.jsonl`` alone; nobody looked at ``secrets_heldout.jsonl`` meanwhile.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from conversation.redaction.masking import mask, secret_kinds_in

DEV = Path(__file__).with_name("secrets_dev.jsonl")
HELD_OUT = Path(__file__).with_name("secrets_heldout.jsonl")
LEAST_RECALL, MOST_FALSE_ALARMS = 0.95, 0.005


@dataclass(frozen=True, slots=True)
class SecretCase:
    """One message, and what of it is secret."""

    text: str
    secrets: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()

    def is_right(self) -> bool:
        """Whether all of its secrets are found, or nothing in a message without any."""
        if not self.secrets:
            return not secret_kinds_in(self.text)
        left = mask(self.text)
        return not any(piece in left for secret in self.secrets for piece in _pieces(secret))


@dataclass(slots=True)
class Measured:
    """How many lines were judged rightly."""

    with_secret: int = 0
    recalled: int = 0
    without: int = 0
    false_alarms: int = 0
    same_kind: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    @property
    def recall(self) -> float:
        """Of the lines with a secret, how many lose all of it."""
        return self.recalled / self.with_secret if self.with_secret else 1.0

    @property
    def false_alarm_rate(self) -> float:
        """Of the lines without, how many are marked."""
        return self.false_alarms / self.without if self.without else 0.0

    def count(self, case: SecretCase) -> None:
        """Add a line."""
        is_right = case.is_right()
        if case.secrets:
            self.with_secret += 1
            self.recalled += is_right
            self.same_kind += set(secret_kinds_in(case.text)) >= set(case.contains)
        else:
            self.without += 1
            self.false_alarms += not is_right
        if not is_right:
            self.wrong.append(f"{'missed' if case.secrets else 'false alarm'}: {mask(case.text)!r}")
            for kind in case.contains:
                self.missed[kind] += 1

    def as_json(self) -> dict[str, object]:
        """The figures as plain values."""
        return {
            "with_secret": self.with_secret,
            "recall": round(self.recall, 4),
            "kind_right": round(self.same_kind / max(1, self.with_secret), 4),
            "without": self.without,
            "false_alarm_rate": round(self.false_alarm_rate, 4),
            "missed_by_kind": dict(sorted(self.missed.items())),
        }


def read_secret_cases(path: Path) -> tuple[SecretCase, ...]:
    """The cases of a file."""
    lines = path.read_text(encoding="utf-8").replace("§", "").splitlines()
    return tuple(_case(json.loads(line)) for line in lines if line.strip())


def measure_secrets(cases: Iterable[SecretCase]) -> Measured:
    """How the cases are judged."""
    measured = Measured()
    for case in cases:
        measured.count(case)
    return measured


def main() -> None:
    """Print the figures of both files, or of the one that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals.secrets", description=__doc__)
    parser.add_argument("--cases", type=Path, action="append")
    parser.add_argument("--wrong", action="store_true", help="list what was judged wrongly, masked")
    asked = parser.parse_args()
    for path in asked.cases or (DEV, HELD_OUT):
        measured = measure_secrets(read_secret_cases(path))
        print(json.dumps({"cases": path.name, **measured.as_json()}))
        if asked.wrong:
            print("\n".join(measured.wrong))


def _pieces(secret: str) -> Iterable[str]:
    """What of a secret must not be left: its lines, as it may be taken out in parts."""
    return (piece for piece in secret.splitlines() if len(piece) > 1)


def _case(fields: dict[str, object]) -> SecretCase:
    secrets, contains = fields.get("secrets", []), fields.get("contains", [])
    assert isinstance(secrets, list)
    assert isinstance(contains, list)
    return SecretCase(str(fields["text"]), tuple(map(str, secrets)), tuple(map(str, contains)))


if __name__ == "__main__":
    main()
