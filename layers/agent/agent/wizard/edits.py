"""Derives edits of a stored agent from a message: field values, and each change in words. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.requested_entities import as_line
from agent.wizard.answer_parsing import channels_in
from agent.wizard.drafts import channels_text, schedule_text
from agent.wizard.interpretation import (
    ALERT_CHANNELS,
    MAX_CHANNEL_ANSWER_WORDS,
    InterpretedMessage,
    explicit_parts,
)
from agent.wizard.nearest_schedule import nearest_supported
from agent.wizard.schedule_parsing import Values, expand_lone_number, schedule_values
from agent.workspace import agents
from agent.workspace.agents import Agent, Schedule, service_name
from agent.workspace.delivery_targets import Channel, Delivery
from conversation.messages.models import Choice
from intent.dates.times import find_times
from intent.decision import ActionType
from intent.regular_expressions import LazyPattern

_READ = LazyPattern(
    r"\b(from|source|read|reads|watch|watches|look|looks|check|checks|data|point|inbox|messages)\b"
)
"""Words that make a channel a source instead of a delivery channel."""
_ADDING = LazyPattern(r"\b(also|as well|too|add|additionally|in addition|besides|plus)\b")
_REMOVING = LazyPattern(
    r"^\W*((please|ok|okay|and|now|also|actually)\W+)*(remove|drop|delete|no more|take (away|out|off)"
    r"|leave out|stop (using|sending (it )?(by|via|to|on)))\s+((the|by|via)\s+)?"
    r"(?=(slack|e-?mails?|mail|teams|sms|texts?)(\s+(again|please|too|now|then|for now))*\W*$)"
)


@dataclass(frozen=True, slots=True)
class AgentEdits:
    """Fields of an `AgentChange` with their new values, and each change in words.

    ``unfit`` is a requested schedule that is not supported.
    """

    values: Values = field(default_factory=dict)
    descriptions: tuple[str, ...] = ()
    unsupported_schedule: str | None = None
    unchanged: tuple[str, ...] = ()
    """Requested changes that are already in effect, in words."""

    def changes_only_job(self) -> bool:
        """Whether only the job itself changes: the field that stray words are easily mistaken for."""
        return set(self.values) == {"what", "summary"}


def parse_edits(
    agent: Agent, interpreted: InterpretedMessage, *, instructions: str | None = None, shared: object = None
) -> AgentEdits:
    """Returns the edits the message asks for, with the ``instructions`` and ``shared`` of the decision."""
    found = explicit_parts(interpreted, known=agent.schedule, offered=ALERT_CHANNELS)
    place = {} if "delivery" in found else _new_place(interpreted)
    schedule = found.get("schedule") or _new_time(agent, interpreted, is_alone=not (found or place))
    if schedule.get("unfit"):
        return AgentEdits(unsupported_schedule=str(schedule["unfit"]))
    delivery = found.get("delivery", place)
    changes = [
        *_texts(interpreted, is_a_place=bool(place) or _is_a_way(interpreted, delivery)),
        *_schedule(agent, interpreted, schedule),
        *_delivery(agent, interpreted, delivery),
        *_rest(agent, interpreted, instructions, shared),
    ]
    if not changes and "what" in found:
        changes = [("what", interpreted.requested.what, f"it's about {interpreted.requested.what}")]
    same = tuple(words for name, value, words in changes if getattr(agent, name) == value)
    changes = [change for change in changes if change[2] not in same]
    values: dict[str, object] = {name: value for name, value, _ in changes}
    if values.keys() & {"what", "sources", "scope", "schedule"}:
        values["summary"] = None
    return AgentEdits(values, tuple(words for _, _, words in changes), unchanged=same)


def schedule_choices(agent: Agent, unfit: str = "") -> tuple[Choice, ...]:
    """Returns supported schedules to offer in place of an unsupported one; the nearest first."""
    usual = ("every hour", "every day at 9:00 AM", "every Monday at 9:00 AM", "every 15 minutes")
    offers = dict.fromkeys(filter(None, (nearest_supported(unfit), *usual)))
    return tuple(
        Choice(
            label=f"{words[0].upper()}{words[1:]}: I'd give {agent.name} this schedule",
            action=ActionType.UPDATE_AGENT,
            entities={"agent_id": agent.id, "agent_name": agent.name, "change": {"schedule_text": words}},
        )
        for words in offers
    )


Change = tuple[str, object, str]


def _new_place(interpreted: InterpretedMessage) -> Values:
    """Returns the channels of a short message that only names them: ``just Slack then``."""
    is_short = len(interpreted.message.split()) <= MAX_CHANNEL_ANSWER_WORDS
    if not is_short or interpreted.requested.new_name or _READ.search(interpreted.message):
        return {}
    channels = channels_in(interpreted.message, offered=ALERT_CHANNELS)
    return {"channels": channels} if channels else {}


def _is_a_way(interpreted: InterpretedMessage, delivery: Values) -> bool:
    """Whether the apparent source is the delivery channel: ``also slack it to #finance``."""
    channels = delivery.get("channels")
    return isinstance(channels, tuple) and (interpreted.requested.source or "").lower() in channels


def _texts(interpreted: InterpretedMessage, *, is_a_place: bool) -> list[Change]:
    wish = interpreted.requested
    changes: list[Change] = []
    if wish.new_name:
        # The words of a new name are neither source nor scope.
        return changes
    if wish.source and not is_a_place:
        changes.append(("sources", (wish.source.lower(),), f"source {service_name(wish.source.lower())}"))
    if wish.scope:
        changes.append(("scope", wish.scope, f"scope {wish.scope}"))
    if wish.condition:
        changes.append(("condition", wish.condition, f"condition {wish.condition}"))
    if wish.format:
        changes.append(("format", wish.format, f"format {wish.format}"))
    return changes


def _schedule(agent: Agent, interpreted: InterpretedMessage, values: Values) -> list[Change]:
    if values:
        schedule = values.get("schedule")
        new = schedule if isinstance(schedule, Schedule) else None
    elif interpreted.requested.time_zone and agent.schedule:
        new = agent.schedule.model_copy(update={"time_zone": interpreted.requested.time_zone})
    else:
        return []
    return [("schedule", new, f"schedule {schedule_text(new)}")]


def _new_time(agent: Agent, interpreted: InterpretedMessage, *, is_alone: bool) -> Values:
    """Returns the schedule of a message that only names a time: ``make it 10am``, ``make it 10``."""
    if not is_alone or interpreted.requested.new_name:
        return {}
    words = (
        interpreted.message
        if find_times(interpreted.message)
        else expand_lone_number(interpreted.message, agent.schedule)
    )
    return (
        schedule_values(words, interpreted.time_zone, now=interpreted.now, known=agent.schedule)
        if words
        else {}
    )


def _delivery(agent: Agent, interpreted: InterpretedMessage, values: Values) -> list[Change]:
    recipients = interpreted.requested.recipients
    channels = values.get("channels")
    if isinstance(channels, tuple) and removes_channel(interpreted.message):
        new = _without(agent.delivery, channels)
    elif isinstance(channels, tuple) and _ADDING.search(interpreted.message):
        old = agent.delivery
        new = Delivery(
            channels=tuple(dict.fromkeys((*old.channels, *channels))),
            recipients=tuple(dict.fromkeys((*old.recipients, *recipients))),
        )
    elif isinstance(channels, tuple):
        new = Delivery(channels=channels, recipients=recipients)
    elif recipients and agent.delivery.channels != (Channel.CONVERSATION,):
        new = agent.delivery.model_copy(update={"recipients": recipients})
    else:
        return []
    return [("delivery", new, f"results go to {channels_text(new.channels, new.recipients)}")]


def removes_channel(message: str) -> bool:
    """Whether the message removes a delivery channel: ``remove e-mail``."""
    return _REMOVING.match(message) is not None and bool(
        channels_in(_REMOVING.replace_matches(message, max_count=1))
    )


def _without(delivery: Delivery, channels: tuple[Channel, ...]) -> Delivery:
    """Returns the delivery without the channels; if none is left, results go to the conversation."""
    kept = tuple(channel for channel in delivery.channels if channel not in channels)
    return delivery.model_copy(update={"channels": kept or (Channel.CONVERSATION,)})


def _rest(
    agent: Agent, interpreted: InterpretedMessage, instructions: str | None, shared: object
) -> list[Change]:
    changes: list[Change] = []
    name = agents.to_slug(as_line(interpreted.requested.new_name) or "")
    if name and name != agent.name:
        changes.append(("name", name, f"new name {name}"))
    if instructions:
        changes.append(
            (
                "instructions",
                f"{agent.instructions}\n{instructions}".strip(),
                f'new instruction "{instructions}"',
            )
        )
    if isinstance(shared, bool):
        changes.append(("shared", shared, "shared with your workspace" if shared else "not shared"))
    return changes
