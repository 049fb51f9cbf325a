"""What a tier thinks of a message, before it is known how the decision came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from intent.decision import ActionType, Decision, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An action, how sure, and what it is about: the part of a `Decision` that a rule or a model says."""

    action_type: ActionType
    confidence: float
    entities: Mapping[str, JsonValue] = field(default_factory=dict)
    reasoning: str = ""
    is_ambiguous: bool = False
    alternative_action: ActionType | None = None
    clarifying_question: str | None = None

    def decided_by(self, source: Source) -> Decision:
        """The decision, with nothing said yet about models, time and money."""
        return Decision(
            action_type=self.action_type,
            confidence=self.confidence,
            entities=self.entities,
            reasoning=self.reasoning,
            is_ambiguous=self.is_ambiguous,
            alternative_action=self.alternative_action,
            clarifying_question=self.clarifying_question,
            source=source,
        )
