"""Labelled examples: messages that were understood wrongly or not at all, with what their users meant.

Kept per tenant, without secrets, for as long as the tenant keeps conversations. A model can be trained on
their export. `agent.chat.labelled_examples` decides which turn gives which label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from agent.dialogue.held_acts import AskedQuestion
from agent.handler_interface import TurnRequest
from conversation.clock import from_text, to_text
from conversation.identity import TurnId, derived_id
from conversation.messages.models import Message, Role
from conversation.redaction.masking import mask_strictly
from intent.acts.act import ActKind
from intent.analysis.verdict_acts import action_of
from intent.decision import ActionType, Decision, DecisionSource
from intent.entities.answers import parse_pick
from intent.lessons.said_corrections import corrected_kind, wish_in
from intent.regular_expressions import LazyPattern, straighten_quotes
from intent.rules.scoring import score
from storage import keys
from storage.keys import TenantId
from storage.table import Action, Item, Put, Query
from storage.tenant_table import Tables

MAX_TEXT = 3_000
MAX_HISTORY_TEXT = 1_000
"""Characters of a history message; of a longer one, equal parts of its beginning and end are kept."""

HISTORY_MESSAGES = 4
PAGE = 100
DIFFICULTY = "confusable"
"""The difficulty of each example, in the terms of the evals: it did confuse the classifier."""

_LABELS = {ActKind.RUN_AGENT: ActionType.EXECUTE_TASK, ActKind.CREATE_AGENT: ActionType.CREATE_AGENT}
"""What picking an option of some kind says of the message that was unclear."""

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


def _example_from_turn(
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
    """The message as an example of the action its user meant, kept for ``retention_days`` days."""
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
        yield from (one for one in map(_example_from_item, page.items) if one.expires_at > now)
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


def _example_from_item(item: Item) -> Example:
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


MIN_CONFIDENCE = 0.7
"""The confidence from which a reading by rule alone gives a label."""

_CHANGES = LazyPattern(
    r"\b(change|edit|update|modify|adjust|amend|pause|resume|stop|disable|enable|rename|delete|remove"
    r"|(switch|turn) (it |that )?(off|on)|existing|old one)\b"
)
"""A change of an agent, named as such. "I meant weekly" only changes a detail that was understood well."""
_NO_NEW_AGENT = LazyPattern(r"\b(existing|old one|already have|not (a|another) new)\b")


class _Exchange(NamedTuple):
    """A user's message, its reply, and the messages before it."""

    message: Message
    reply: Message
    before: tuple[Message, ...]

    def decision(self) -> Decision | None:
        """The stored decision about the message; None for a reply that apologised for an error of ours."""
        stored = self.reply.metadata.get("decision")
        return Decision.model_validate(stored) if isinstance(stored, dict) else None

    def answers_question(self) -> bool:
        """Whether the message answered a question of ours; it says too little alone."""
        asked = next((said.note for said in reversed(self.before) if said.role is Role.ASSISTANT), None)
        return asked is not None and bool(
            asked.choices or asked.pending or asked.question is not None or asked.draft is not None
        )


def labels_from_turn(turn: TurnRequest, decision: Decision, *, clarify_below: float) -> tuple[Action, ...]:
    """Return the writes that store a label for an earlier message; usually none.

    Safe to repeat: their key derives from the turn.
    """
    return _from_pick(turn, clarify_below) or _from_correction(turn, decision, clarify_below)


def _from_pick(turn: TurnRequest, below: float) -> tuple[Action, ...]:
    question = AskedQuestion.of(turn.note.question)
    place = parse_pick(straighten_quotes(turn.message)) if question is not None else None
    if question is None or place is None:
        return ()
    options = question.waiting
    place = len(options) + 1 + place if place < 0 else place
    label = _LABELS.get(options[place - 1].kind) if 1 <= place <= len(options) else None
    asked = _offered(turn.situation.history, turn.note.question)
    was = asked.decision() if asked else None
    if label is None or asked is None or was is None or not _is_unclear(was, below):
        return ()
    return _labelled(turn, asked, was, label, "picked")


def _from_correction(turn: TurnRequest, decision: Decision, below: float) -> tuple[Action, ...]:
    named, wish = corrected_kind(turn.message), wish_in(turn.message)
    is_correction = wish is not None or named is not None
    latest = next(_exchanges(turn.situation.history), None) if is_correction else None
    was = latest.decision() if latest else None
    if latest is None or was is None or latest.answers_question():
        return ()
    label = action_of(named) if named is not None else None
    label = label or (None if wish is None else _meant(wish, turn, decision, below))
    if label is None or (label is was.action_type and not _is_unclear(was, below)):
        return ()
    return _labelled(turn, latest, was, label, "corrected")


def _meant(wish: str, turn: TurnRequest, decision: Decision, below: float) -> ActionType | None:
    """Return the action that a correction names; None when it is unclear or the decision contradicts it."""
    own, is_sure = score(wish, names_agent=True), not _is_unclear(decision, below)
    if own.action is not ActionType.UNKNOWN and own.confidence >= MIN_CONFIDENCE:
        agree = own.action is decision.action_type or not is_sure or _leaves_setup(turn, decision)
        is_named = own.action is not ActionType.UPDATE_AGENT or _CHANGES.search(wish)
        return own.action if agree and is_named else None
    by_model = is_sure and decision.source is DecisionSource.MODEL
    return decision.action_type if by_model and decision.action_type is not ActionType.UPDATE_AGENT else None


def _leaves_setup(turn: TurnRequest, decision: Decision) -> bool:
    """Whether the message wants no new agent, although the rules take it for an answer about the unfinished
    one, as they take nearly every message.
    """
    is_taken_for_answer = (
        decision.source is DecisionSource.OFFLINE and decision.action_type is ActionType.CREATE_AGENT
    )
    return is_taken_for_answer and turn.note.draft is not None and bool(_NO_NEW_AGENT.search(turn.message))


def _is_unclear(decision: Decision, below: float) -> bool:
    return decision.needs_clarification(below) or decision.action_type is ActionType.UNKNOWN


def _offered(history: Sequence[Message], question: Mapping[str, JsonValue] | None) -> _Exchange | None:
    """Return the exchange that first offered the options; the reply to an invalid pick offers them again."""
    first, waiting = None, (question or {}).get("waiting")
    for exchange in _exchanges(history):
        if (exchange.reply.note.question or {}).get("waiting") != waiting:
            break
        first = exchange
    return first


def _exchanges(history: Sequence[Message]) -> Iterator[_Exchange]:
    """Yield the exchanges within the context, newest first."""
    for place in range(len(history) - 2, -1, -2):
        message, reply = history[place], history[place + 1]
        if (message.role, reply.role) != (Role.USER, Role.ASSISTANT):
            return
        yield _Exchange(message, reply, tuple(history[:place]))


def _labelled(
    turn: TurnRequest, exchange: _Exchange, was: Decision, label: ActionType, lesson: LabelSource
) -> tuple[Action, ...]:
    example = _example_from_turn(
        turn, exchange.message, exchange.before, decision=was, label=label, lesson=lesson
    )
    return (Put(example_to_item(turn.caller.tenant, example)),)
