"""What the events of one reply add up to: its text, its metadata and its outcome. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from agent.dialogue.held_acts import AskedQuestion
from agent.turn_events import Chunk, Outcome, ReplyEvent, Restarted, Routed, ToolUsed
from conversation.messages.models import MAIL_CODE, Message, Note, Role
from conversation.usage.counters import ModelUsage
from intent.acts.scene import Asked
from intent.decision import Decision


@dataclass(slots=True)
class ReplyAccumulator:
    """The reply so far."""

    pieces: list[str] = field(default_factory=list)
    tools: list[ToolUsed] = field(default_factory=list)
    routing: Mapping[str, JsonValue] | None = None
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def text(self) -> str:
        """The reply's text."""
        return "".join(self.pieces)

    def add(self, event: ReplyEvent) -> None:
        """Add the event."""
        if isinstance(event, Chunk):
            self.pieces.append(event.text)
        elif isinstance(event, Restarted):
            self.pieces.clear()
        elif isinstance(event, ToolUsed):
            self.tools.append(event)
        elif isinstance(event, Routed):
            self.routing = event.routing
        elif isinstance(event, Outcome):
            self.outcome = event

    def metadata(
        self, decision: Decision | None, usage: ModelUsage, *, elapsed_ms: int, trace_id: str
    ) -> Mapping[str, JsonValue]:
        """Return the metadata stored with the reply. Default values are left out, because every turn pays for
        the storage.
        """
        decided = decision.model_dump(mode="json", exclude_defaults=True) if decision else None
        note = self.outcome.note
        question = AskedQuestion.of(note.question)
        waits_for_yes = question is not None and question.asked is Asked.CONFIRM
        asks_pending = note.pending is not None and note.pending.action != MAIL_CODE
        known: dict[str, JsonValue] = {
            "decision": decided,
            "routing": dict(self.routing or {}),
            "options": [*offered_options(note)],
            "asks_yes_or_no": waits_for_yes or (asks_pending and not note.choices),
            "asks": _asks(note, question),
        }
        return {
            **{name: value for name, value in known.items() if value},
            "tool_calls": [_tool_metadata(tool) for tool in self.tools],
            "usage": usage.as_json() if usage.model_calls else {"cost_usd": None},
            "processing_time_ms": elapsed_ms,
            "trace_id": trace_id,
        }


def offered_options(note: Note) -> list[str]:
    """Return the numbered options that a reply offers, in their order."""
    question = AskedQuestion.of(note.question)
    offered = (
        question.options
        if question is not None and question.asked is Asked.WHICH and not question.is_suggestion
        else ()
    )
    return [choice.label for choice in note.choices] or [option.name for option in offered]


def words_or_pick(message: str, history: Sequence[Message]) -> str:
    """Return the number of the only option of the last reply that a message repeats, in full or up to its
    colon; the message, when there is none.

    A page shows options as buttons, which send their words; words may read as another request.
    """
    said = message.strip()
    replies = (each for each in reversed(history) if each.role is Role.ASSISTANT)
    options = next((offered_options(reply.note) for reply in replies), [])
    fitting = [
        place
        for place, option in enumerate(options, 1)
        if said and said in (option, option.partition(": ")[0])
    ]
    return str(fitting[0]) if len(fitting) == 1 else message


def _asks(note: Note, question: AskedQuestion | None) -> bool:
    """Whether the reply, or an earlier one that is still open, asks something."""
    if question is not None and not question.is_optional:
        return True
    draft = note.draft or {}
    return bool(note.choices or note.pending or note.asking or draft.get("asked"))


def _tool_metadata(tool: ToolUsed) -> JsonValue:
    metadata: dict[str, JsonValue] = {"name": tool.name, "ok": tool.ok}
    if tool.arguments:
        metadata["arguments"] = tool.arguments
    if tool.error_code is not None:
        metadata["error_code"] = tool.error_code
    if tool.elapsed_ms is not None:
        metadata["elapsed_ms"] = tool.elapsed_ms
    return metadata
