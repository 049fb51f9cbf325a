"""``python -m tests.evals.entities [--cases FILE] [--json] [--wrong]``: how well entities are found.

A case names the right action, so that what is measured is the finding of entities and not the routing. Each
line: id, text, action, expected, and if need be agents (name to summary) and history. A turn of the history
may tell what its reply did: ``about`` or ``deleting`` an agent, agents ``listed``, ``choices`` (label,
action), or the fields it was ``asking`` for. Of an expected value, a list says that any of its items will do;
recipients are a list themselves, so that several lists are the alternatives there.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conversation.messages.models import Choice, Message, Note, Pending, Reference, Role
from intent.decision import ActionType
from intent.offline import follow_ups, wizard_answers
from intent.rules.action_entities import action_entities
from intent.rules.scoring import apply_rules
from intent.situation import KnownAgent, Situation
from tests.evals.measurement import NOW, Share

OWN_ENTITIES = Path(__file__).with_name("entities.jsonl")
ZONE = "Europe/Berlin"
ALWAYS = frozenset(
    {
        "agent_name", "source", "what", "scope", "condition", "cron", "delivery", "recipients", "format",
        "period", "ordinal", "new_name",
    }
)  # fmt: skip
"""Kinds that count as wrong when found where none is expected; the others count where they are expected."""
_PHRASES = frozenset({"what", "scope", "condition", "topic", "schedule_text"})
_SMALL_WORDS = frozenset(
    {
        "a", "an", "the", "our", "my", "your", "their", "all", "any", "of", "for", "to", "in", "on", "at",
        "from", "with", "and", "or", "it", "is", "are",
    }
)  # fmt: skip
_ENOUGH_OVERLAP = 0.65


@dataclass(frozen=True, slots=True)
class EntityCase:
    """One utterance, what it asks for, and the entities that should be found."""

    id: str
    action: ActionType
    situation: Situation
    expected: Mapping[str, Any]

    def found(self) -> Mapping[str, Any]:
        """What is found of it, a change's values among the rest."""
        said = dict(self._understood())
        change = said.pop("change", None)
        found = {**said, **(change if isinstance(change, dict) else {})}
        if found.get("time_zone") == ZONE:
            found.pop("time_zone")
        return {key: value for key, value in found.items() if value not in (None, [])}

    def _understood(self) -> Mapping[str, Any]:
        seen = apply_rules(self.situation)
        if (certain := follow_ups.explicit_verdict(self.situation)) is not None:
            return certain.entities
        if self.action is ActionType.CREATE_AGENT and self.situation.last_note().draft is not None:
            step = wizard_answers.wizard_verdict(seen.text, self.situation, seen.own_score)
            return step.entities if step else {}
        return action_entities(self.action, seen.text, self.situation, seen.agent)


@dataclass(slots=True)
class Found:
    """By kind: of those expected, how many were found; of those found, how many were right."""

    recall: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    precision: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    wrong: list[str] = field(default_factory=list)

    def quality(self, kind: str) -> float:
        """The harmonic mean of both; 1 where there was nothing to find and nothing was found."""
        expected, found = self.recall[kind], self.precision[kind]
        total = expected.total + found.total
        return 2 * expected.right / total if total else 1.0

    def kinds(self) -> list[str]:
        """Every kind seen."""
        return sorted(set(self.recall) | set(self.precision))

    def overall(self) -> float:
        """The quality over all kinds together."""
        shares = (*self.recall.values(), *self.precision.values())
        total = sum(share.total for share in shares)
        return 2 * sum(share.right for share in self.recall.values()) / total if total else 1.0

    def as_json(self) -> dict[str, object]:
        """The figures as plain values."""
        by_kind = {kind: round(self.quality(kind), 4) for kind in self.kinds()}
        return {"overall": round(self.overall(), 4), "by_kind": by_kind, "wrong": self.wrong}


def read_entity_cases(path: Path = OWN_ENTITIES) -> tuple[EntityCase, ...]:
    """The cases of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_case(json.loads(line)) for line in lines if line.strip())


def measure_entities(cases: Iterable[EntityCase]) -> Found:
    """What is found in the cases."""
    result = Found()
    for case in cases:
        found = case.found()
        for kind in sorted(set(case.expected) | (ALWAYS & set(found))):
            _count(result, case, kind, found.get(kind))
    return result


def _count(result: Found, case: EntityCase, kind: str, value: Any) -> None:
    wanted = _alternatives(kind, case.expected.get(kind))
    is_right = any(_same(kind, value, one) for one in wanted)
    if value is not None:
        result.precision[kind].count(is_right=is_right)
    if not any(one in (None, []) for one in wanted):
        result.recall[kind].count(is_right=is_right)
    if not is_right:
        result.wrong.append(
            f"{case.id} {kind}: {value!r}, not {case.expected.get(kind)!r}: {case.situation.message}"
        )


def _alternatives(kind: str, expected: Any) -> Sequence[Any]:
    if not isinstance(expected, list):
        return [expected]
    is_one_value = kind == "recipients" and not any(isinstance(item, list) for item in expected)
    return [expected] if is_one_value else expected


def _same(kind: str, value: Any, wanted: Any) -> bool:
    if value is None or wanted is None:
        return value is None and wanted in (None, [])
    if isinstance(wanted, list):
        return sorted(map(str.casefold, value)) == sorted(map(str.casefold, wanted))
    if kind in _PHRASES:
        return _overlap(str(value), str(wanted)) >= _ENOUGH_OVERLAP
    return str(value).casefold() == str(wanted).casefold()


def _overlap(one: str, other: str) -> float:
    first, second = _words(one), _words(other)
    return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold())) - _SMALL_WORDS


def _case(data: Mapping[str, Any]) -> EntityCase:
    turns = data.get("history", [])
    summaries = {**dict.fromkeys(_named_in(turns), ""), **data.get("agents", {})}
    agents = {name: KnownAgent(f"id-{name}", name, summary) for name, summary in summaries.items()}
    history = tuple(_message(place, turn) for place, turn in enumerate(turns, 1))
    situation = Situation(
        message=data["text"], now=NOW, history=history, agents=tuple(agents.values()), time_zone=ZONE
    )
    return EntityCase(data["id"], ActionType(data["action"]), situation, data["expected"])


def _named_in(turns: Iterable[Mapping[str, Any]]) -> list[str]:
    return [
        name
        for turn in turns
        for name in (*turn.get("listed", ()), turn.get("about"), turn.get("deleting"))
        if name
    ]


def _message(sequence: int, turn: Mapping[str, Any]) -> Message:
    return Message(
        id=str(sequence),
        conversation_id="eval",
        sequence=sequence,
        role=Role(turn["role"]),
        content=turn["content"],
        created_at=NOW,
        turn_id="eval",
        tokens=0,
        note=_note(turn),
    )


def _note(turn: Mapping[str, Any]) -> Note:
    about, deleting, asking = turn.get("about"), turn.get("deleting"), turn.get("asking")
    return Note(
        about=_reference(about) if about else None,
        listed=tuple(map(_reference, turn.get("listed", ()))),
        choices=tuple(Choice(label=label, action=action) for label, action in turn.get("choices", ())),
        pending=_deletion(deleting) if deleting else None,
        asking=asking,
        draft={"kind": "report"} if asking else None,
    )


def _reference(name: str) -> Reference:
    return Reference(kind="agent", id=f"id-{name}", name=name)


def _deletion(name: str) -> Pending:
    entities = {"operation": "delete", "agent_id": f"id-{name}", "agent_name": name}
    return Pending(action="update_agent", entities=entities)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals.entities", description="Entities found.")
    parser.add_argument("--cases", type=Path, default=OWN_ENTITIES, help="JSON lines, see the module")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--wrong", action="store_true", help="print what was missed or wrongly found")
    arguments = parser.parse_args()
    result = measure_entities(read_entity_cases(arguments.cases))
    print(json.dumps(result.as_json(), indent=2) if arguments.json else _table(result))
    if arguments.wrong:
        print("\n".join(result.wrong))


def _table(result: Found) -> str:
    lines = [f"{'':<14}{'F1':>7}  expected     found"]
    for kind in result.kinds():
        recall, precision = result.recall[kind], result.precision[kind]
        shares = f"{recall.right:>4}/{recall.total:<4} {precision.right:>4}/{precision.total:<4}"
        lines.append(f"{kind:<14}{result.quality(kind):7.1%}  {shares}")
    return "\n".join([*lines, f"{'overall':<14}{result.overall():7.1%}"])


if __name__ == "__main__":
    main()
