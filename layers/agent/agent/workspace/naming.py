"""Generates agent names that say what an agent does, such as ``jira-overdue-monitor``.

`agent.workspace.agents.free_name` makes a name unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent.workspace.agents import AgentCard, AgentFields, Kind, to_slug

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
    "monitors", "watch", "watches", "watching", "keep", "keeps", "keeping", "eye", "look", "looks", "looking",
    "check", "checks", "checking", "list", "lists", "listing", "me", "us", "i", "we", "you", "can", "could",
    "without", "whether", "what", "nobody", "hasn", "haven", "yet", "still",
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


_STEM = 5
_CONCEPTS = {
    "analysis": "analy exami inves study dig look numbe figur metri stati revie asses evalu churn trend",
    "report": "repor summa diges overv recap compi newsl updat",
    "watch": "monit watch alert track check notif remin overd late",
    "money": "finan reven invoi sales budge cost cash payme expen price profi",
    "slides": "prese slide deck pitch",
    "people": "custo clien accou suppo ticke lead",
}
"""Word stems by concept; a shared concept counts less than a shared word."""
_CONCEPT_OF = {stem: concept for concept, stems in _CONCEPTS.items() for stem in stems.split()}
_COMMON = frozenset({
    "please", "need", "want", "help", "can", "could", "would", "today", "tomorrow", "next", "last",
    "week", "month", "quarter", "year", "now", "run", "start", "do", "done", "some", "something", "our",
    "put", "together", "make", "sure", "use", "using", "have", "has", "will", "just", "also", "then",
    "them", "they", "you", "your", "we", "us", "me", "i",
})  # fmt: skip


class NearestAgent(NamedTuple):
    """An agent that shares words with a task; ``lacking`` are the words of the subject it doesn't mention."""

    card: AgentCard
    score: int
    missing_words: tuple[str, ...]


def find_nearest_agent(task: str, subject: str, cards: Sequence[AgentCard]) -> NearestAgent | None:
    """Returns the agent that shares most with the task; None when none shares anything."""
    found = [_compare(_distinctive_words(task), _distinctive_words(subject or task), card) for card in cards]
    return max((near for near in found if near.score), key=lambda near: near.score, default=None)


def _distinctive_words(text: str) -> list[str]:
    return [word for word in dict.fromkeys(subject_words(text)) if word not in _COMMON and len(word) > 2]


def _compare(task: Sequence[str], subject: Sequence[str], card: AgentCard) -> NearestAgent:
    of_card = {_stem(word) for word in re.findall(r"[^\W_]+", f"{card.name} {card.summary}".lower())}
    words = sum(_stem(word) in of_card for word in task)
    concepts = _concepts(map(_stem, task)) & _concepts(of_card)
    lacking = tuple(word for word in subject if _stem(word) not in of_card)
    return NearestAgent(card, 3 * words + len(concepts), lacking)


def _concepts(stems: Iterable[str]) -> set[str]:
    return {_CONCEPT_OF[stem] for stem in stems if stem in _CONCEPT_OF}


def _stem(word: str) -> str:
    """Returns a word's first letters: ``analyze`` matches ``analysis``, ``invoices`` matches ``invoice``."""
    return word[:_STEM].rstrip("s")
