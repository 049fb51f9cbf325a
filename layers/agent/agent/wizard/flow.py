"""The wizard's steps: from a draft and an answer to the next draft and the next questions. Pure functions.

The wizard asks only for missing parts. It accepts several answers in one message and corrections of earlier
ones. Where the user leaves a question to it, it fills in a default and reports which.
`agent.templates.wizard_texts` holds its texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from agent.checks.check import Check, Expectation
from agent.requested_entities import RequestedEntities, as_line
from agent.wizard import answer_parsing
from agent.wizard.drafts import NO_SOURCE, PARTS, VAGUE_WORDS, Draft, Part, detect_kind, is_a_format
from agent.wizard.interpretation import (
    ALERT_CHANNELS,
    InterpretedMessage,
    answers_to_questions,
    apply_corrections,
    explicit_parts,
)
from agent.wizard.schedule_parsing import Values, known_schedule
from agent.workspace.agents import Kind, Schedule
from agent.workspace.delivery_targets import Channel
from intent.dates.schedules import REAL_TIME

CHECK_PARTS: tuple[Part, ...] = ("schedule", "delivery")
"""What a message may say about a check of a web address, besides the check."""


@dataclass(frozen=True, slots=True)
class WizardStep:
    """The state of the wizard after a message."""

    draft: Draft
    asking: tuple[Part, ...] = ()
    learned: tuple[Part, ...] = ()
    assumed: tuple[Part, ...] = ()
    has_unsupported_schedule: bool = False
    """Whether the message names a schedule that is not supported."""
    sets_name_or_format: bool = False
    """Whether the message sets something the wizard doesn't ask for: a name, or a format."""

    @property
    def is_complete(self) -> bool:
        """Whether the agent can be created."""
        return not self.asking


def asked_parts(asking: str | None) -> tuple[Part, ...]:
    """Returns the parts that were asked for, according to a note."""
    names = frozenset((asking or "").split(", "))
    return tuple(part for part in PARTS if part in names)


def first_step(interpreted: InterpretedMessage) -> WizardStep:
    """Returns the first step for a message that asks for an agent."""
    wish = interpreted.requested
    draft = Draft(
        kind=detect_kind(interpreted.message), name=wish.new_name or wish.agent_name, format=_format(wish)
    )
    found = explicit_parts(interpreted)
    if wish.topic and ("what" not in found or (wish.output and wish.output in str(wish.what))):
        found["what"] = {"what": wish.topic}
    return _step(draft, found)


def check_step(check: Check, interpreted: InterpretedMessage) -> WizardStep:
    """Returns the first step for a message that asks to have a web address checked.

    Without a schedule in the message it gets a usual one, and results go into the conversation.
    """
    stated = explicit_parts(interpreted)
    found: dict[Part, Values] = {part: stated[part] for part in CHECK_PARTS if part in stated}
    is_at_once = found.get("schedule", {}).get("unfit") == REAL_TIME
    usual = {"schedule": usual_check_schedule(check, interpreted.time_zone), "unfit": None}
    assumed: tuple[Part, ...] = () if "schedule" in found and not is_at_once else ("schedule",)
    draft = Draft(
        kind=Kind.MONITOR,
        name=interpreted.requested.new_name or check.suggest_name(),
        source=NO_SOURCE,
        what=as_line(check.describe()),
        check=check,
        channels=(Channel.CONVERSATION,),
    )
    return _step(draft, {**found, **({"schedule": usual} if assumed else {})}, assumed)


def usual_check_schedule(check: Check, time_zone: str) -> Schedule:
    """Returns how often an address is checked when nobody said."""
    match check.expect:
        case Expectation.REACHABLE | Expectation.STATUS:
            cron, text = "*/5 * * * *", "Every 5 minutes"
        case Expectation.CONTAINS | Expectation.LACKS | Expectation.UNCHANGED:
            cron, text = "0 * * * *", "Every hour"
        case Expectation.CERTIFICATE:
            cron, text = "0 9 * * *", "Daily at 9:00 AM"
        case _:
            assert_never(check.expect)
    return Schedule(cron=cron, time_zone=time_zone, text=text)


def next_step(draft: Draft, asked: Sequence[Part], interpreted: InterpretedMessage) -> WizardStep:
    """Returns the step after a message, which may answer what was ``asked`` and correct what is known."""
    stated = explicit_parts(
        interpreted,
        known=known_schedule(draft, interpreted.time_zone, interpreted.now),
        asked=asked,
        offered=ALERT_CHANNELS,
    )
    found = apply_corrections(draft, asked, interpreted, stated)
    found |= answers_to_questions(interpreted, asked, draft, found)
    assumed = _assumed(draft, asked, interpreted, found)
    new = _with_extras(draft, interpreted, found)
    step = _step(new, {**found, **assumed}, tuple(assumed))
    return replace(step, sets_name_or_format=(new.name, new.format) != (draft.name, draft.format))


def answers_directly(draft: Draft, asked: Sequence[Part], interpreted: InterpretedMessage) -> bool:
    """Whether the message recognisably answers a question, other than as free text taken as it stands."""
    found = explicit_parts(
        interpreted,
        known=known_schedule(draft, interpreted.time_zone, interpreted.now),
        asked=asked,
        offered=ALERT_CHANNELS,
    )
    times_and_places = [part for part in asked if part in ("schedule", "delivery")]
    return any(part in found for part in asked) or bool(
        answers_to_questions(interpreted, times_and_places, draft, found)
    )


def _step(draft: Draft, found: Mapping[Part, Values], assumed: tuple[Part, ...] = ()) -> WizardStep:
    updates = {field: value for values in found.values() for field, value in values.items()}
    new = draft.model_copy(update=updates)
    learned = tuple(part for part in PARTS if part in found and part not in assumed and new.knows(part))
    is_unfit = bool(found.get("schedule", {}).get("unfit"))
    return WizardStep(new, new.next_parts(), learned, assumed, is_unfit)


def _with_extras(draft: Draft, interpreted: InterpretedMessage, found: Mapping[Part, Values]) -> Draft:
    """Returns the draft with dependent fields updated.

    A new job sets the kind, another source clears the scope, and a requested name or format is applied.
    """
    wish, kind = interpreted.requested, detect_kind(interpreted.message)
    updates: dict[str, object] = {"name": wish.new_name or draft.name, "format": wish.format or draft.format}
    if "what" in found and kind is not Kind.TASK:
        updates["kind"] = kind
    if "source" in found:
        updates["scope"] = None if draft.source else draft.scope
    return draft.model_copy(update=updates)


def _format(wish: RequestedEntities) -> str | None:
    return wish.format or (wish.output if wish.output and is_a_format(wish.output) else None)


def _assumed(
    draft: Draft, asked: Sequence[Part], interpreted: InterpretedMessage, found: Mapping[Part, Values]
) -> dict[Part, Values]:
    """Returns the defaults for the parts that were asked for and that the user leaves to the assistant."""
    numbered = answer_parsing.numbered_answers(interpreted.message, asked).values()
    if not any(
        map(
            answer_parsing.is_skip,
            [interpreted.message, *numbered, *answer_parsing.split_answer(interpreted.message)],
        )
    ):
        return {}
    defaults = (
        (part, _default_for(part, draft, interpreted.time_zone)) for part in asked if part not in found
    )
    return {part: values for part, values in defaults if values}


def _default_for(part: Part, draft: Draft, time_zone: str) -> Values:
    """Returns the default for a part that the user leaves open; empty for a part only they can know."""
    match part:
        case "source" | "what":
            return {}
        case "details":
            return {"details": "the key figures and what changed since the last time"}
        case "scope":
            return {"scope": f"all {draft.scope_noun() or 'area'}s"}
        case "condition":
            return {"condition": VAGUE_WORDS.get(draft.vague_word() or "", ("as the source marks it",))[0]}
        case "schedule":
            return {"schedule": _default_schedule(draft, time_zone), "on_request": False, "unfit": None}
        case "delivery":
            return {"channels": (Channel.CONVERSATION,)}
        case _:
            assert_never(part)


def _default_schedule(draft: Draft, time_zone: str) -> Schedule:
    """Returns the default schedule: daily at 9 AM for a monitor, Mondays at 9 AM for anything else."""
    if draft.kind is Kind.MONITOR:
        return Schedule(cron="0 9 * * *", time_zone=time_zone, text="Daily at 9:00 AM")
    return Schedule(cron="0 9 * * 1", time_zone=time_zone, text="Every Monday at 9:00 AM")
