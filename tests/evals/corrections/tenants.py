"""The simulated tenants of this folder, and what is understood of their sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent.chat.lessons_in_turn import new_lesson
from agent.handler_interface import lessons_for
from conversation.clock import SystemClock
from conversation.identity import Caller
from intent.acts.act import ActKind, Reading, Thing
from intent.analysis.analyzer import IntentAnalyzer
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import KnownAgent, Lesson, Situation
from storage.keys import TenantId
from tasks.task import Task
from tests.evals.measurement import Share

FOLDER = Path(__file__).parent
NOW = datetime(2026, 3, 3, 9, tzinfo=UTC)
CALLER = Caller(TenantId("simulated"), "maya")
_NO_DEED = "none"
_DEEDS = ("agent.", "task.", "run.", "skill.", "policy.", "data.")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the kind of act that it means; ``none``: nothing is to be done."""

    id: str
    text: str
    act: str


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant with what its users correct, and what else they say in the same wording."""

    name: str
    is_unseen: bool
    """Whether its sentences were not looked at while the learning was worked on."""
    agents: tuple[KnownAgent, ...]
    tasks: tuple[Task, ...]
    corrected: tuple[Sentence, ...]
    held_out: tuple[Sentence, ...]

    def situation(self, text: str, lessons: Sequence[Lesson] = ()) -> Situation:
        """Return a sentence as a turn of the tenant's user sees it."""
        return Situation(
            message=text,
            now=NOW,
            agents=self.agents,
            read_tasks=lambda: self.tasks,
            lessons=tuple(lessons),
        )

    def lessons(self, sentences: Iterable[Sentence]) -> tuple[Lesson, ...]:
        """Return what corrections of the sentences teach, as it counts for a colleague of who taught it."""
        agents = [Thing(agent.id, agent.name, agent.summary) for agent in self.agents]
        taught = (
            new_lesson(
                one.text, ActKind(one.act), agents=agents, caller=CALLER,
                turn_id=one.id, now=NOW, retention_days=30,
            )
            for one in sentences
        )  # fmt: skip
        return lessons_for("derek", [lesson for lesson in taught if lesson is not None])


def read_tenants(files: Iterable[Path] | None = None) -> tuple[Tenant, ...]:
    """Return the tenants of the files, by name."""
    return tuple(map(_read, files or sorted(FOLDER.glob("*.jsonl"))))


def _read(file: Path) -> Tenant:
    head, *rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    agents = (KnownAgent(f"a{place}", name, what) for place, (name, what) in enumerate(head["agents"]))
    tasks = (_task(place, title) for place, title in enumerate(head["tasks"]))
    return Tenant(
        head["tenant"], head["unseen"], tuple(agents), tuple(tasks),
        _sentences(rows, "corrected"), _sentences(rows, "held_out"),
    )  # fmt: skip


def _task(place: int, title: str) -> Task:
    at = NOW - timedelta(days=1)
    return Task(id=f"t{place}", title=title, created_at=at, updated_at=at)


def _sentences(rows: Iterable[dict[str, str]], part: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(row["id"], row["text"], row["act"]) for row in rows if row["part"] == part)


def offline_analyzer() -> IntentAnalyzer:
    """Return the analyzer without any model."""
    return IntentAnalyzer(offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock())


def understood(
    analyzer: IntentAnalyzer, tenant: Tenant, sentences: Iterable[Sentence], lessons: Sequence[Lesson] = ()
) -> tuple[Share, list[Sentence]]:
    """Return how many of the sentences are understood, and those that are not."""
    share, wrong = Share(), []
    for sentence in sentences:
        reading = analyzer.analyze(tenant.situation(sentence.text, lessons)).reading
        is_right = _is_right(reading, sentence.act)
        share.count(is_right=is_right)
        if not is_right:
            wrong.append(sentence)
    return share, wrong


def _is_right(reading: Reading | None, act: str) -> bool:
    acts = reading.acts if reading is not None else ()
    kinds = [one.kind.value for one in acts if one.kind is not ActKind.NONE]
    if act == _NO_DEED:
        return not any(kind.startswith(_DEEDS) for kind in kinds)
    return kinds == [act]
