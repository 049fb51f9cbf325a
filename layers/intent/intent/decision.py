"""What was understood of a message, and how that came about. Nothing here decides anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from conversation.redaction.redact import Clean, CleanFields


class ActionType(StrEnum):
    """What a user may want. Source: seed 001, capability 1."""

    CREATE_AGENT = "create_agent"
    CREATE_SKILL = "create_skill"
    EXECUTE_TASK = "execute_task"
    UPDATE_AGENT = "update_agent"
    QUERY_INFO = "query_info"
    MANAGE_PLATFORM = "manage_platform"
    UNKNOWN = "unknown"


class Source(StrEnum):
    """Which tier decided."""

    EXPLICIT = "explicit"
    MODEL = "model"
    OFFLINE = "offline"


class Decision(BaseModel):
    """The understood intent of one message. What is secret in it is gone when it is made."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    action_type: ActionType
    confidence: float = Field(ge=0.0, le=1.0)
    entities: CleanFields = Field(default_factory=dict, description="keys: see intent.entities")
    reasoning: Clean = ""
    is_ambiguous: bool = False
    alternative_action: ActionType | None = None
    clarifying_question: Clean | None = None
    source: Source
    model: str | None = Field(
        default=None, description="the model that decided or failed to; None when none was asked"
    )
    latency_ms: int = 0
    cost_usd: float | None = Field(
        default=None, description="None when no model was asked or its price is unknown"
    )
    fallback_reason: str | None = Field(
        default=None, description="why the offline tier answered although a model is configured"
    )

    def needs_clarification(self, below: float) -> bool:
        """Whether to ask instead of acting: too unsure, or two actions are about as likely."""
        return self.is_ambiguous or self.confidence < below


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
