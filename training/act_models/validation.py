"""The figures of the act models for authors they haven't seen: messages, clauses and spans that are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intent.acts.act import ActKind
from intent.acts.learned.act_model import ActModel, Segment
from training.act_models import examples
from training.act_models.corpus import LabelledAct, LabelledMessage

_REMARKS = frozenset({"social", "none"})


@dataclass
class Figures:
    """Counts of what was right. Spans are counted by slot: said, found, exactly right, and overlapping."""

    messages: Counter[str] = field(default_factory=Counter)
    clauses: Counter[str] = field(default_factory=Counter)
    spans: dict[str, Counter[str]] = field(default_factory=dict)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[tuple[str, str, list[str], list[str]]] = field(default_factory=list)

    def add(self, model: ActModel, message: LabelledMessage) -> None:
        """Count one message."""
        found = model.split(message.marked, message.scene)
        said = telling([act.kind for act in sorted(message.acts, key=lambda act: act.start)])
        read = telling([segment.kind for segment in found if segment.kind is not None])
        group = "several" if len(said) > 1 else "one"
        self.messages.update({"all": 1, group: 1})
        if said == read:
            self.messages.update({"right": 1, f"{group} right": 1})
        else:
            self.wrong.append((message.id, message.marked.text, said, read))
        for act in message.acts:
            self._add_clause(act, found)
            self._add_spans(model, message, act)

    def _add_clause(self, act: LabelledAct, found: Sequence[Segment]) -> None:
        at = max(found, key=lambda one: min(one.end, act.end) - max(one.start, act.start))
        self.clauses.update({"all": 1})
        if at.kind == act.kind:
            self.clauses.update({"right": 1})
        else:
            self.confused[act.kind, str(at.kind)] += 1

    def _add_spans(self, model: ActModel, message: LabelledMessage, act: LabelledAct) -> None:
        labels = examples.span_labels(act)
        said = set(label_spans(labels, act.start))
        tagged = model.tag_tokens(message.marked, act.start, act.end, ActKind(act.kind))
        found = set(tagged)
        for slot in {one[0] for one in said | found}:
            counts = self.spans.setdefault(slot, Counter())
            mine = [one for one in said if one[0] == slot]
            theirs = [one for one in found if one[0] == slot]
            counts["said"] += len(mine)
            counts["found"] += len(theirs)
            counts["right"] += len(set(mine) & set(theirs))
            counts["said near"] += sum(any(_overlap(one, other) for other in theirs) for one in mine)
            counts["found near"] += sum(any(_overlap(one, other) for other in mine) for one in theirs)


def telling(kinds: Sequence[str]) -> list[str]:
    """Return the kinds without remarks, or the first remark when there is nothing else."""
    kept = [str(kind) for kind in kinds if kind not in _REMARKS]
    return kept or [str(kind) for kind in kinds[:1]]


def label_spans(labels: Sequence[int], start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each slot with the bounds of its tokens, from the numbers of its labels."""
    slot, first = "", 0
    for place, number in enumerate([*labels, 0]):
        label = examples.SPAN_LABELS[number]
        if slot and not label.startswith("I"):
            yield slot, start + first, start + place
            slot = ""
        if label.startswith("B"):
            slot, first = label[2:], place


def _overlap(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[1] < other[2] and other[1] < one[2]


def f1(right_said: int, said: int, right_found: int, found: int) -> float:
    """Return the harmonic mean of recall and precision."""
    recall, precision = right_said / max(1, said), right_found / max(1, found)
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0
