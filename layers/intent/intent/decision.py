"""The result types of intent analysis. The analysis itself is in `intent.analysis.analyzer`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, JsonValue

from conversation.redaction.masking import MaskedFields, MaskedText
from intent.acts.act import ProposedAct, Reading


class ActionType(StrEnum):
    """The actions that a user may ask for. Source: seed 001, capability 1."""

    CREATE_AGENT = "create_agent"
    CREATE_SKILL = "create_skill"
    EXECUTE_TASK = "execute_task"
    UPDATE_AGENT = "update_agent"
    QUERY_INFO = "query_info"
    MANAGE_PLATFORM = "manage_platform"
    UNKNOWN = "unknown"


class DecisionSource(StrEnum):
    """The tier that made the decision."""

    EXPLICIT = "explicit"
    MODEL = "model"
    OFFLINE = "offline"


class QuestionSubject(StrEnum):
    """What a question is about."""

    WORKSPACE = "workspace"
    """The user's agents, tasks, conversations and settings, or the product itself."""
    GENERAL = "general"
    """Anything else: only a model can answer it."""
    EITHER = "either"
    """In doubt."""


class DecidedAct(BaseModel):
    """One act of a message, as it was understood. Creating it removes secrets from its texts."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    kind: str = Field(description="see intent.acts.act.ActKind")
    text: MaskedText = Field(description="the words that carry it, verbatim, cut")
    things: tuple[MaskedText, ...] = Field(default=(), description="names of the agents or tasks it means")
    slots: Mapping[str, MaskedText] = Field(default_factory=dict, description="when, where, source, …, cut")


class PassedOverModel(BaseModel):
    """A model that did not answer, and why."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    model: str
    reason: str


class Decision(BaseModel):
    """The intent of one message. Creating it removes secrets from its texts."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    action_type: ActionType
    confidence: float = Field(ge=0.0, le=1.0)
    entities: MaskedFields = Field(default_factory=dict, description="keys: see intent.entities")
    reasoning: MaskedText = ""
    is_ambiguous: bool = False
    alternative_action: ActionType | None = None
    clarifying_question: MaskedText | None = None
    source: DecisionSource
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
    passed_over: tuple[PassedOverModel, ...] = Field(
        default=(),
        description="the models asked before, or resting, that another one or the offline tier answered for",
    )
    offline_because_cold: bool = Field(
        default=False, description="whether the model was not asked because its library was still loading"
    )
    acts: tuple[DecidedAct, ...] = Field(default=(), description="all that the message does, in order")
    question_subject: QuestionSubject | None = Field(
        default=None, description="what a question is about; None: the message is no single question"
    )
    reading: InstanceOf[Reading] | None = Field(
        default=None, exclude=True, repr=False, description="the acts in full; not stored"
    )
    verdict: InstanceOf[Verdict] | None = Field(
        default=None, exclude=True, repr=False, description="what the model answered; not stored"
    )
    offline: Decision | None = Field(
        default=None,
        exclude=True,
        repr=False,
        description="the offline tier's decision beside a model's; not stored",
    )

    def needs_clarification(self, below: float) -> bool:
        """Return whether to ask before acting: low confidence, or two about equally likely actions."""
        return self.is_ambiguous or self.confidence < below

    def without_doubts(self, below: float) -> Decision:
        """Return the decision without an alternative and a question when there is nothing to ask."""
        if self.needs_clarification(below):
            return self
        return self.model_copy(update={"alternative_action": None, "clarifying_question": None})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """An action with its confidence and entities: the part of a `Decision` that rules or models provide."""

    action_type: ActionType
    confidence: float
    entities: Mapping[str, JsonValue] = field(default_factory=dict)
    reasoning: str = ""
    is_ambiguous: bool = False
    alternative_action: ActionType | None = None
    clarifying_question: str | None = None
    acts: tuple[ProposedAct, ...] | None = None
    """The acts that a model proposes; None: it says nothing of acts."""
    question_subject: QuestionSubject | None = None
    """What a model takes a question to be about; None: it says nothing of that."""

    def to_decision(self, source: DecisionSource) -> Decision:
        """Return the decision without model, latency and cost."""
        return Decision(
            action_type=self.action_type,
            confidence=self.confidence,
            entities=self.entities,
            reasoning=self.reasoning,
            is_ambiguous=self.is_ambiguous,
            alternative_action=self.alternative_action,
            clarifying_question=self.clarifying_question,
            question_subject=self.question_subject,
            source=source,
        )
