"""An agent as lines of text: as far as a draft knows it, or as it is stored. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from agent.agents import Agent, AgentStatus, Channel, Kind, Schedule, service_names
from agent.drafts import NO_SOURCE, SCOPES, Draft
from agent.names import slug
from agent.naming import is_only_an_output

_LABELS = {
    Kind.MONITOR: ("Watch for", "Check", "Alert"),
    Kind.REPORT: ("Type", "Runs", "Delivery"),
    Kind.TASK: ("Job", "Runs", "Delivery"),
}


def plan(draft: Draft) -> str:
    """What is known of a draft, a line each; empty when nothing is."""
    what, when, where = _LABELS[draft.kind]
    source = None if draft.source in (None, NO_SOURCE) else service_names((draft.source,))
    return _bullets(
        ("Name", draft.name and slug(draft.name)),
        ("Source", _with_scope(source, draft.scope, draft.scope_noun()) if source else draft.source),
        (what, _subject(draft.kind, draft.what, draft.condition, draft.type_of_report())),
        ("Include", draft.details),
        ("Format", draft.format),
        (when, schedule_text(draft.schedule) if draft.knows("schedule") else None),
        (where, channels_text(draft.channels, draft.recipients) if draft.channels else None),
    )


def described(agent: Agent, *, title: str = "Name") -> str:
    """A stored agent, a line for each thing that matters."""
    what, when, where = _LABELS[agent.kind]
    source = service_names(agent.sources) if agent.sources else None
    return _bullets(
        (title, agent.name),
        ("Source", _with_scope(source, agent.scope, SCOPES.get(agent.sources[0]) if agent.sources else None)),
        (what, _subject(agent.kind, agent.what, agent.condition, agent.what)),
        ("Instructions", agent.instructions or None),
        ("Format", agent.format),
        (when, schedule_text(agent.schedule) + (", paused" if agent.status is AgentStatus.PAUSED else "")),
        (where, channels_text(agent.delivery.channels, agent.delivery.recipients)),
        ("Shared", "with everybody in your workspace" if agent.shared else None),
    )


def schedule_text(schedule: Schedule | None) -> str:
    """When an agent works, with the time zone."""
    return schedule.for_people() if schedule else "only when you ask"


def channels_text(channels: Sequence[Channel], recipients: Sequence[str] = ()) -> str:
    """Where results go."""
    places = service_names(tuple(channel.value for channel in channels))
    return f"{places} ({', '.join(recipients)})" if recipients else places


def connections_text(needs: Sequence[str]) -> str:
    """The services an agent waits for."""
    return service_names(tuple(needs))


def _with_scope(source: str | None, scope: str | None, noun: str | None) -> str | None:
    if source is None or scope is None:
        return source or scope
    is_bare = noun is not None and noun not in scope.lower()
    return f"{source} ({scope} {noun})" if is_bare else f"{source} ({scope})"


def _subject(kind: Kind, what: str | None, condition: str | None, report: str) -> str | None:
    if what is None:
        return None
    named = report if kind is Kind.REPORT and is_only_an_output(what) else what
    whole = f"{named} ({condition})" if condition else named
    return whole[:1].upper() + whole[1:]


def _bullets(*facts: tuple[str, str | None]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts if value)
