"""Generates agent names that say what an agent does, such as ``jira-overdue-monitor``.

`agent.workspace.agents.free_name` makes a name unique.
"""

from __future__ import annotations

import re

from agent.workspace.agents import AgentFields, Kind, to_slug

_SUFFIX = {Kind.MONITOR: "monitor", Kind.REPORT: "reporter", Kind.TASK: "agent"}
_MAX_WORDS = 2
_OUTPUTS = frozenset({
    "report", "reports", "reporting", "reporter", "summary", "summaries", "digest", "digests",
    "overview", "overviews", "dashboard", "dashboards", "recap", "recaps", "newsletter", "presentation",
    "presentations", "analysis", "update", "updates", "monitor", "monitoring", "agent", "bot",
    "automation",
})  # fmt: skip
_GENERIC = frozenset({
    "a", "an", "the", "our", "my", "your", "their", "its", "this", "that", "these", "those", "of",
    "for", "from", "in", "on", "to", "and", "or", "with", "by", "at", "into", "about", "all", "any",
    "every", "each", "new", "are", "is", "be", "was", "have", "has", "it", "them", "ticket", "tickets",
    "issue", "issues", "item", "items", "entry", "entries", "record", "records", "data", "numbers",
    "figures", "thing",
    "things", "stuff", "board", "project", "projects", "team", "company", "which", "who", "when", "if",
    "than", "more", "less", "not", "no", "do", "does", "make", "send", "sending", "get", "getting", "making",
})  # fmt: skip
_FREQUENCIES = frozenset({
    "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "morning", "evening",
    "day", "week", "month",
})  # fmt: skip


def suggest_name(agent: AgentFields) -> str:
    """Returns a slug of the source (when it is one word), two key words of the job, and the kind of job."""
    source = to_slug(agent.sources[0]) if agent.sources else ""
    words = subject_words(agent.what)
    front = [source] if source and "-" not in source and source not in words else []
    return to_slug("-".join([*front, *words[:_MAX_WORDS], _SUFFIX[agent.kind]]))


def subject_words(what: str) -> list[str]:
    """Returns the words specific to the subject, in order, without generic words, outputs and frequencies."""
    words = re.findall(r"[^\W_]+", what.lower())
    return [word for word in words if word not in _GENERIC | _OUTPUTS | _FREQUENCIES and len(word) > 1]


def is_only_an_output(what: str) -> bool:
    """Whether the words name an output and its field but not its content: ``weekly financial reports``."""
    words = re.findall(r"[^\W_]+", what.lower())
    return bool(words) and words[-1] in _OUTPUTS - {"update", "updates"}
