"""The draft of an agent: the parts already known, and the questions still to ask.

A draft is stored in the notes of replies, from one reply to the next.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, JsonValue

from agent.checks.check import Check
from agent.requested_entities import Entities
from agent.workspace.agents import (
    MAX_SOURCES,
    Agent,
    AgentSpec,
    AgentStatus,
    Kind,
    Schedule,
    join_services,
    service_name,
    to_slug,
)
from agent.workspace.delivery_targets import URL_CHANNELS, Channel, Delivery, targets_of
from agent.workspace.naming import is_only_an_output, subject_words, suggest_name
from intent.regular_expressions import LazyPattern

Part = Literal["source", "what", "details", "scope", "condition", "schedule", "delivery"]
PARTS: tuple[Part, ...] = get_args(Part)
NO_SOURCE = "none"
EXCERPT_CHARACTERS = 200
"""The most of a longer text that a list of an agent's fields shows."""

VAGUE_WORDS = {
    "overdue": ("past the due date", "past a custom SLA"),
    "late": ("past the agreed date", "some days after it"),
    "stale": ("no change for 14 days", "another number of days"),
    "inactive": ("no activity for 30 days", "another number of days"),
    "low": ("below a fixed number", "below what is usual"),
    "high": ("above a fixed number", "above what is usual"),
    "big": ("above a fixed amount", "larger than usual"),
    "large": ("above a fixed amount", "larger than usual"),
    "unusual": ("clearly off the average", "outside fixed limits"),
    "urgent": ("the highest priority only", "high priority and above"),
    "slow": ("slower than a fixed time", "slower than usual"),
    "expiring": ("within 30 days", "within another time"),
}
"""Words that every team defines differently, with the two meanings to offer; the first is the default."""

SCOPE_NOUNS = {
    "jira": "project", "trello": "board", "asana": "project", "linear": "team", "monday": "board",
    "clickup": "list", "github": "repository", "gitlab": "project", "notion": "page",
    "confluence": "space", "airtable": "base", "google sheets": "spreadsheet", "excel": "workbook",
    "google drive": "folder", "sharepoint": "folder", "dropbox": "folder", "slack": "channel",
    "teams": "channel", "microsoft teams": "channel", "gmail": "label", "outlook": "folder",
    "jenkins": "job", "zendesk": "queue", "servicenow": "queue",
}  # fmt: skip
"""The unit into which each service divides its content."""

_MONITORING = LazyPattern(
    r"\b(monitor|watch|alert|notif|warn|ping|track|flag|detect|keeps? (an |a close )?eye|looks? out for"
    r"|checks? (for|if|whether)"
    r"|\ban? (e-?mail|mail|text|message|sms) (when|whenever|if|as soon as)"
    r"|(tells?|lets?) (me|us|you|him|her|them|everyone)( know)? (when|if|about|whenever|as soon)|shout"
    r"|remind)",
)
_REPORTING = LazyPattern(
    r"\b(report|presentation|slides|deck|analy[sz]|summar|digest|overview|recap|compil|newsletter"
    r"|dashboard|round-?up|updates?\b|status)",
)


_FORMATS = LazyPattern(r"\b(presentation|slide|deck|spreadsheet|chart|graph|table|memo|brief|one-pager)")


class Draft(BaseModel):
    """The parts of an agent that are known before it is created."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="ignore")

    kind: Kind = Kind.TASK
    name: str | None = None
    source: str | None = None
    what: str | None = None
    details: str | None = None
    scope: str | None = None
    condition: str | None = None
    format: str | None = None
    schedule: Schedule | None = None
    on_request: bool = False
    unfit: str | None = None
    """A requested schedule that is not supported, in words; None once another is known."""
    channels: tuple[Channel, ...] = ()
    recipients: tuple[str, ...] = ()
    check: Check | None = None
    """The web address to check, which replaces the source and the questions about it."""
    unsaid: bool = False
    """Whether a model put in something that the user's words don't say; it is shown in full before saving."""

    @classmethod
    def of(cls, stored: Entities) -> Draft:
        """Restores the draft that `to_note` wrote."""
        return cls.model_validate(dict(stored))

    def to_note(self) -> dict[str, JsonValue]:
        """Returns the draft in the form stored in a note; never empty."""
        stored = cast("dict[str, JsonValue]", self.model_dump(mode="json", exclude_defaults=True))
        return {"kind": self.kind.value, **stored}

    def knows(self, part: Part) -> bool:
        """Whether the part was answered, or assumed."""
        if part == "schedule":
            return self.on_request or self.schedule is not None
        if part == "delivery":
            return bool(self.channels)
        return getattr(self, part) is not None

    def next_parts(self) -> tuple[Part, ...]:
        """Returns the parts to ask for next, together in one message; empty when nothing is missing."""
        for group in self._groups():
            missing = tuple(part for part in group if not self.knows(part))
            if missing:
                return missing
        return ()

    def _groups(self) -> tuple[tuple[Part, ...], ...]:
        if self.check is not None:
            return (("schedule",),)
        first: tuple[Part, ...] = ("source", "what")
        if self.kind is Kind.REPORT and (self.what is None or is_only_an_output(self.what)):
            return first, ("details",), ("schedule", "delivery")
        special = tuple(part for part in self._special() if not self.knows(part))
        if special:
            return first, (*special, "delivery"), ("schedule",)
        return first, ("schedule", "delivery")

    def _special(self) -> tuple[Part, ...]:
        if self.kind is not Kind.MONITOR:
            return ()
        scope: tuple[Part, ...] = ("scope",) if self.scope_noun() else ()
        return (*scope, "condition") if self.vague_word() else scope

    def scope_noun(self) -> str | None:
        """Returns the unit into which the source divides its content; None when unknown."""
        return SCOPE_NOUNS.get(self.source or "")

    def vague_word(self) -> str | None:
        """Returns the first word of the job that needs a definition; None when there is none."""
        words = re.findall(r"[a-z]+", (self.what or "").lower())
        return next((word for word in words if word in VAGUE_WORDS), None)

    def subject(self) -> str:
        """Returns the subject in at most three words, such as ``financial``; empty when unknown."""
        return " ".join(subject_words(self.what or "")[:3])

    def without_recipients(self, recipients: Collection[str]) -> Draft:
        """Returns the draft without these recipients and without the channels that only they used."""
        kept = tuple(recipient for recipient in self.recipients if recipient not in recipients)
        delivery = Delivery(channels=self.channels or (Channel.CONVERSATION,), recipients=kept)
        idle = [place.channel for place in targets_of(delivery, "") if not place.address]
        channels = tuple(name for name in self.channels if name not in URL_CHANNELS or name not in idle)
        return self.model_copy(update={"recipients": kept, "channels": channels})

    def label(self) -> str:
        """Returns the unfinished agent's name within a sentence: ``Jira monitoring agent``."""
        if self.check is not None:
            return f"agent that watches {self.check.host}"
        if self.kind is Kind.MONITOR:
            return (
                f"{service_name(self.source)} monitoring agent"
                if self.source and self._has_source()
                else "monitoring agent"
            )
        if self.kind is Kind.REPORT:
            return f"{self.report_type()} agent"
        if self.what:
            return f"agent for {self.what}"
        return f"{service_name(self.source)} agent" if self.source and self._has_source() else "new agent"

    def report_type(self) -> str:
        """Returns the kind of report with its frequency: ``weekly financial report``."""
        what = self.what or "report"
        singular = re.sub(
            r"\b(report|digest|overview|dashboard|recap|newsletter)s$", r"\1", what, flags=re.IGNORECASE
        )
        report = singular if is_only_an_output(what) else what
        rhythm = self.schedule.frequency() if self.schedule else ""
        return report if not rhythm or rhythm in report.lower() else f"{rhythm} {report}"

    def to_spec(self) -> AgentSpec:
        """Converts the draft to the agent to create; without a requested name it is named after its job."""
        spec = AgentSpec(
            kind=self.kind,
            what=self.what or self.label(),
            sources=self._sources(),
            scope=self.scope,
            condition=self.condition,
            instructions=f"Include {self.details}" if self.details else "",
            format=self.format,
            schedule=self.schedule,
            check=self.check,
            delivery=Delivery(channels=self.channels or (Channel.CONVERSATION,), recipients=self.recipients),
        )
        return spec.model_copy(update={"name": to_slug(self.name or "") or suggest_name(spec)})

    def _sources(self) -> tuple[str, ...]:
        named = (
            re.split(r"(?:(?<!\s)\s++)?(?:,|&|\+|\band\b)\s*+", self.source or "")
            if self._has_source()
            else []
        )
        return tuple(filter(None, named))[:MAX_SOURCES]

    def _has_source(self) -> bool:
        return self.source not in (None, NO_SOURCE)


def is_a_format(output: str) -> bool:
    """Whether a requested output says what the result looks like, and not just that there is one."""
    return _FORMATS.search(output) is not None


def detect_kind(message: str) -> Kind:
    """Returns the kind of job a message describes."""
    if _MONITORING.search(message):
        return Kind.MONITOR
    return Kind.REPORT if _REPORTING.search(message) else Kind.TASK


_LABELS = {
    Kind.MONITOR: ("Watch for", "Check", "Alert"),
    Kind.REPORT: ("Type", "Runs", "Delivery"),
    Kind.TASK: ("Job", "Runs", "Delivery"),
}


def render_draft(draft: Draft) -> str:
    """Returns the known parts of a draft, one per line; empty when nothing is known."""
    what, when, where = _LABELS[draft.kind]
    if draft.check is not None:
        return _bullets(
            ("Name", draft.name and to_slug(draft.name)),
            ("Checks", draft.check.describe()),
            ("Runs", schedule_text(draft.schedule) if draft.knows("schedule") else None),
            ("Tells you", channels_text(draft.channels, draft.recipients) if draft.channels else None),
        )
    source = None if draft.source in (None, NO_SOURCE) else join_services((draft.source,))
    return _bullets(
        ("Name", draft.name and to_slug(draft.name)),
        ("Source", _with_scope(source, draft.scope, draft.scope_noun()) if source else draft.source),
        (what, _subject(draft.kind, draft.what, draft.condition, draft.report_type())),
        ("Include", draft.details),
        ("Format", draft.format),
        (when, schedule_text(draft.schedule) if draft.knows("schedule") else None),
        (where, channels_text(draft.channels, draft.recipients) if draft.channels else None),
    )


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
    return schedule.describe() if schedule else "only when you ask"


def channels_text(channels: Sequence[Channel], recipients: Sequence[str] = ()) -> str:
    """Returns the channels with their recipients as text."""
    targets = join_services(tuple(channel.value for channel in channels))
    return f"{targets} ({', '.join(recipients)})" if recipients else targets


def connections_text(needs: Sequence[str]) -> str:
    """Returns the services an agent still needs as text."""
    return join_services(tuple(needs))


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
