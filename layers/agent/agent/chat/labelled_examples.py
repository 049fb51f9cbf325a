"""Labelled examples: messages that were understood wrongly or not at all, with what their users meant.

Kept per tenant, without secrets, for as long as the tenant keeps conversations. A model can be trained on
their export. `agent.chat.turn_labels` decides which turn gives which label.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from agent.handler_interface import TurnRequest
from conversation.clock import from_text, to_text
from conversation.identity import TurnId, derived_id
from conversation.messages.models import Message
from conversation.redaction.redact import mask_strictly
from intent.decision import ActionType, Decision, DecisionSource
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Query
from storage.tenant import Tables

MAX_TEXT = 3_000
MAX_HISTORY_TEXT = 1_000
"""Characters of a history message; of a longer one, equal parts of its beginning and end are kept."""

HISTORY_MESSAGES = 4
PAGE = 100
DIFFICULTY = "confusable"
"""The difficulty of each example, in the terms of the evals: it did confuse the classifier."""

LabelSource = Literal["picked", "corrected", "feedback"]


class Example(BaseModel):
    """One message and the action its user meant by it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="follows from the turn that taught it; sorts by time")
    text: str = Field(description="without secrets")
    label: ActionType
    history: tuple[tuple[str, str], ...] = Field(
        default=(), description="role and content of the messages before it, oldest first, without secrets"
    )
    lesson: LabelSource = Field(description="how it was learned: an option picked, a correction, or feedback")
    decided: ActionType = Field(description="what the message was taken for")
    source: DecisionSource = Field(description="which tier took it for that")
    turn_id: str = Field(description="the turn that taught it")
    created_at: datetime
    expires_at: datetime

    def to_eval_case(self) -> dict[str, JsonValue]:
        """The example as a case of the evals; examples with the same wording belong to one family."""
        words = " ".join(self.text.casefold().split())
        return {
            "id": self.id,
            "text": self.text,
            "label": self.label.value,
            "history": [{"role": role, "content": content} for role, content in self.history],
            "difficulty": DIFFICULTY,
            "family": derived_id(words)[:12],
        }


def example_from_turn(
    turn: TurnRequest,
    message: Message,
    before: tuple[Message, ...],
    *,
    decision: Decision,
    label: ActionType,
    lesson: LabelSource,
) -> Example:
    """The example this turn gives of an earlier message; identical when the turn is answered again."""
    parsed = TurnId.parse(turn.turn_id)
    return make_example(
        message,
        before,
        decision=decision,
        label=label,
        lesson=lesson,
        example_id=parsed.ulid if parsed else turn.derive_id("example"),
        turn_id=turn.turn_id,
        now=turn.situation.now,
        retention_days=turn.roster.record.policy.retention_days,
    )


def make_example(
    message: Message,
    before: Sequence[Message],
    *,
    decision: Decision,
    label: ActionType,
    lesson: LabelSource,
    example_id: str,
    turn_id: str,
    now: datetime,
    retention_days: int,
) -> Example:
    """The message as an example of the action its user meant, kept for ``days`` days."""
    return Example(
        id=example_id,
        text=_kept(message.content, MAX_TEXT),
        label=label,
        history=tuple(
            (said.role.value, _kept(said.content, MAX_HISTORY_TEXT)) for said in before[-HISTORY_MESSAGES:]
        ),
        lesson=lesson,
        decided=decision.action_type,
        source=decision.source,
        turn_id=turn_id,
        created_at=now,
        expires_at=now + timedelta(days=retention_days),
    )


def read_examples(tables: Tables, tenant: TenantId, now: datetime) -> Iterator[Example]:
    """The tenant's examples that are not expired, oldest first."""
    table, after = tables.for_tenant(tenant), None
    while True:
        query = Query(keys.examples(tenant), limit=PAGE, prefix=keys.EXAMPLE_PREFIX, after=after)
        page = table.query(query)
        # The table deletes expired items days late or, on a laptop, never.
        yield from (one for one in map(example_from_item, page.items) if one.expires_at > now)
        after = page.after
        if after is None:
            return


def example_to_item(tenant: TenantId, example: Example) -> Item:
    """An example as it is stored; the table deletes it some time after ``expires_at``."""
    key = keys.example(tenant, example.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "text": example.text,
        "label": example.label.value,
        "history": [{"role": role, "content": content} for role, content in example.history],
        "lesson": example.lesson,
        "decided": example.decided.value,
        "source": example.source.value,
        "turn": example.turn_id,
        "at": to_text(example.created_at),
        "expires_at": int(example.expires_at.timestamp()),
    }


def example_from_item(item: Item) -> Example:
    """The example that `example_to_item` stored."""
    created_at, history = from_text(str(item["at"])), cast("list[dict[str, str]]", item["history"])
    return Example(
        id=str(item["sk"]).removeprefix(keys.EXAMPLE_PREFIX),
        text=str(item["text"]),
        label=ActionType(str(item["label"])),
        history=tuple((said["role"], said["content"]) for said in history),
        lesson=cast("LabelSource", item["lesson"]),
        decided=ActionType(str(item["decided"])),
        source=DecisionSource(str(item["source"])),
        turn_id=str(item["turn"]),
        created_at=created_at,
        expires_at=datetime.fromtimestamp(cast("int", item["expires_at"]), created_at.tzinfo),
    )


def _kept(text: str, most: int) -> str:
    # Cut after redacting: half a key is not recognised as a secret.
    clean = mask_strictly(text)
    return clean if len(clean) <= most else f"{clean[: most // 2]}\n{clean[-most // 2 :]}"
