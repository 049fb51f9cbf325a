"""The labelled utterances to train on: our own and the shared development set. Read-only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intent.decision import ActionType
from tests.evals.measurement import Case, case

EXEMPLARS = Path(__file__).with_name("exemplars")
SHARED_PREFIX = "dev"


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A labelled utterance with its author and its family; near-duplicates share a family."""

    case: Case
    author: str
    family: str

    @property
    def label(self) -> ActionType:
        """The action that the utterance asks for."""
        return ActionType(self.case.label)

    @property
    def is_shared(self) -> bool:
        """Whether it is from the shared development set, on which the rules were tuned."""
        return self.author.startswith(SHARED_PREFIX)


def load_exemplars(folder: Path = EXEMPLARS) -> tuple[Exemplar, ...]:
    """Return the exemplars of all files in a folder, in a fixed order."""
    return read_exemplars(sorted(folder.glob("*.jsonl")))


def read_exemplars(files: Iterable[Path]) -> tuple[Exemplar, ...]:
    """Return the exemplars of the given files, such as an export of users' corrections."""
    return tuple(one for path in files for one in _read(path))


def fingerprint(among: Sequence[Exemplar]) -> str:
    """Return a hash of the exemplars' texts, labels and histories."""
    content = [[one.case.text, one.case.label, one.case.history] for one in among]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _read(path: Path) -> list[Exemplar]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_exemplar(path.stem, json.loads(line)) for line in lines if line.strip()]


def _exemplar(file: str, data: dict[str, Any]) -> Exemplar:
    author = f"{SHARED_PREFIX}-{str(data['id'])[0]}" if file == SHARED_PREFIX else file
    return Exemplar(case=case(data), author=author, family=f"{author}/{data.get('family') or data['id']}")
