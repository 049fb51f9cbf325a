"""Reads labelled utterances, lets an analyzer understand them, counts what it got right. Prints nothing."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from conversation.messages.models import Message, Role
from intent.analysis.analyzer import IntentAnalyzer
from intent.situation import Situation
from tests.evals import quality
from tests.evals.quality import Answer

OWN_CASES = Path(__file__).with_name("cases.jsonl")
NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    """One utterance, what it should be understood as, and what was said before it, oldest first."""

    id: str
    text: str
    label: str
    difficulty: str
    history: tuple[tuple[str, str], ...] = ()

    def situation(self) -> Situation:
        """The utterance as a turn sees it."""
        return Situation(message=self.text, now=NOW, history=tuple(map(_message, range(1, 99), self.history)))


@dataclass(slots=True)
class Share:
    """So many right of so many."""

    right: int = 0
    total: int = 0

    @property
    def accuracy(self) -> float:
        """The share that was right; 0 of nothing is 0."""
        return self.right / self.total if self.total else 0.0

    def count(self, *, is_right: bool) -> None:
        """One more case."""
        self.right += is_right
        self.total += 1


@dataclass(slots=True)
class Result:
    """What came out, overall and in parts; ``wrong`` maps ids to what was understood instead.

    ``confusion`` counts, for each label, what was understood.
    """

    overall: Share = field(default_factory=Share)
    by_label: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    by_difficulty: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    by_source: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    wrong: dict[str, str] = field(default_factory=dict)
    confusion: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    answers: list[Answer] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """The result as plain values."""
        return {
            "accuracy": round(self.overall.accuracy, 4),
            "cases": self.overall.total,
            "by_label": _plain(self.by_label),
            "by_difficulty": _plain(self.by_difficulty),
            "by_source": _plain(self.by_source),
            "confusion": {label: dict(understood) for label, understood in sorted(self.confusion.items())},
            **quality.figures(self.answers),
            "wrong": self.wrong,
        }


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a file with one JSON object per line:

    id, text, label, difficulty, history of role and content.
    """
    return tuple(case(json.loads(line)) for line in path.read_text().splitlines() if line.strip())


def measure(cases: Iterable[Case], analyzer: IntentAnalyzer) -> Result:
    """What the analyzer makes of the cases."""
    result = Result()
    for case in cases:
        situation, started = case.situation(), perf_counter()
        decision = analyzer.analyze(situation)
        took_ms = (perf_counter() - started) * 1000
        is_right = decision.action_type.value == case.label
        shares = (
            result.overall,
            result.by_label[case.label],
            result.by_difficulty[case.difficulty],
            result.by_source[decision.source.value],
        )
        for share in shares:
            share.count(is_right=is_right)
        result.confusion[case.label][decision.action_type.value] += 1
        result.answers.append(Answer.of(decision, is_right=is_right, took_ms=took_ms))
        if not is_right:
            result.wrong[case.id] = decision.action_type.value
    return result


def case(data: Mapping[str, object]) -> Case:
    """The case of one line of a file."""
    history = data.get("history") or []
    assert isinstance(history, list)
    said = tuple((str(turn["role"]), str(turn["content"])) for turn in history)
    return Case(
        id=str(data["id"]),
        text=str(data["text"]),
        label=str(data["label"]),
        difficulty=str(data.get("difficulty", "plain")),
        history=said,
    )


def _message(sequence: int, said: tuple[str, str]) -> Message:
    role, content = said
    return Message(
        id=str(sequence),
        conversation_id="eval",
        sequence=sequence,
        role=Role(role),
        content=content,
        created_at=NOW,
        turn_id="eval",
        tokens=0,
    )


def _plain(shares: Mapping[str, Share]) -> dict[str, object]:
    return {
        name: {"accuracy": round(share.accuracy, 4), "right": share.right, "total": share.total}
        for name, share in sorted(shares.items())
    }
