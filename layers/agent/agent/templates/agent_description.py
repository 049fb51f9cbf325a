"""Descriptions of agents, one line per field. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from agent.workspace.agents import (
    Agent,
    AgentStatus,
    Kind,
    Schedule,
    join_services,
)
from agent.workspace.delivery_targets import Channel
from agent.workspace.naming import is_only_an_output

EXCERPT_CHARACTERS = 200
"""The most of a longer text that a list of an agent's fields shows."""

SCOPE_NOUNS = {
    "jira": "project", "trello": "board", "asana": "project", "linear": "team", "monday": "board",
    "clickup": "list", "github": "repository", "gitlab": "project", "notion": "page",
    "confluence": "space", "airtable": "base", "google sheets": "spreadsheet", "excel": "workbook",
    "google drive": "folder", "sharepoint": "folder", "dropbox": "folder", "slack": "channel",
    "teams": "channel", "microsoft teams": "channel", "gmail": "label", "outlook": "folder",
    "jenkins": "job", "zendesk": "queue", "servicenow": "queue",
}  # fmt: skip
"""The unit into which each service divides its content."""

_LABELS = {
    Kind.MONITOR: ("Watch for", "Check", "Alert"),
    Kind.REPORT: ("Type", "Runs", "Delivery"),
    Kind.TASK: ("Job", "Runs", "Delivery"),
}


def render_agent(agent: Agent, *, title: str = "Name") -> str:
    """Returns a description of a stored agent, one line per field."""
    what, when, where = _LABELS[agent.kind]
    runs = schedule_text(agent.schedule) + (", paused" if agent.status is AgentStatus.PAUSED else "")
    results = channels_text(agent.delivery.channels, agent.delivery.recipients)
    shared = "with everybody in your workspace" if agent.shared else None
    if agent.check is not None:
        return _bullets(
            (title, agent.name),
            ("Checks", agent.check.describe()),
            ("Runs", runs),
            ("Tells you", results),
            ("Shared", shared),
        )
    source = join_services(agent.sources) if agent.sources else None
    return _bullets(
        (title, agent.name),
        (
            "Source",
            _with_scope(source, agent.scope, SCOPE_NOUNS.get(agent.sources[0]) if agent.sources else None),
        ),
        (what, _subject(agent.kind, agent.what, agent.condition, agent.what)),
        ("Your words", excerpt(agent.brief) if agent.brief else None),
        ("Instructions", agent.instructions or None),
        ("Format", agent.format),
        (when, runs),
        (where, results),
        ("Shared", shared),
    )


def excerpt(text: str) -> str:
    """Returns the beginning of a text in quotation marks, in one line and cut between words."""
    line = " ".join(text.split()).replace('"', "'")
    if len(line) > EXCERPT_CHARACTERS:
        cut = line[:EXCERPT_CHARACTERS]
        line = f"{cut.rpartition(' ')[0] or cut}…"
    return f'"{line}"'


def schedule_text(schedule: Schedule | None) -> str:
    """Returns when an agent runs, with the time zone."""
    return f"{schedule.words} ({schedule.time_zone})" if schedule else "only when you ask"


def channels_text(channels: Sequence[Channel], recipients: Sequence[str] = ()) -> str:
    """Returns the channels with their recipients as text."""
    targets = join_services(tuple(channel.value for channel in channels))
    return f"{targets} ({', '.join(recipients)})" if recipients else targets


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
