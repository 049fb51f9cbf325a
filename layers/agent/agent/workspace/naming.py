"""Generates agent names that say what an agent does, such as ``jira-overdue-monitor``.

`agent.workspace.agents.free_name` makes a name unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent.workspace.agents import AgentCard, AgentFields, Kind, to_slug
from intent.acts.lexicon import classes_of
from intent.acts.tokens import spell

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
    "without", "whether", "what", "nobody", "hasn", "haven", "yet", "still", "something", "anything",
    "everything", "nothing", "somebody", "someone", "say", "says", "tell", "tells", "go", "goes", "going",
    "through", "here", "there", "already", "name", "named", "called", "put", "together", "happened",
    "happening", "up",
})  # fmt: skip
_NOUNS = frozenset({"ticket", "tickets", "issue", "issues", "items", "entries", "records", "projects"})
_ASKING = frozenset(
    {"who", "what", "which", "wich", "how", "where", "when", "whose", "whether", "whos", "whats"}
)
_OPENING = _ASKING | frozenset({
    "a", "an", "the", "our", "my", "all", "any", "of", "reads", "takes", "goes", "looks", "lists", "finds",
    "counts", "tells", "sends", "time", "read", "take", "put", "count", "find", "is", "are", "many", "much",
    "list",
})  # fmt: skip
_BEHIND_HEAD = frozenset({
    "that", "which", "who", "whose", "with", "without", "where", "to", "no", "not", "have", "has",
    "had", "are", "is", "were", "was", "been", "still", "over", "under", "above", "below", "within",
    "outside", "for", "in", "on", "at", "per", "from", "by", "due", "older", "newer", "of", "and", "or",
    "out", "nobody", "we", "i", "you", "they", "he", "she", "whom", "until", "before", "after",
    "between", "longer", "than", "as", "if", "when", "didn", "don", "doesn", "hasn", "haven", "isn",
    "aren", "ve", "do", "does", "did", "can", "will", "but", "about", "who've", "whats", "only",
})  # fmt: skip
"""Words behind which it is told what is so of what a job is about."""
_FREQUENCIES = frozenset({
    "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual", "morning", "evening",
    "day", "week", "month", "days", "weeks", "months", "todays", "today", "tonight", "yesterday",
    "yesterdays", "tomorrow", "tomorrows", "last", "next",
})  # fmt: skip


_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*(?:['\u2019][^\W_]+)?")
_ADDRESS = re.compile(r"[#@]\S+|\b[\w.+-]{1,64}@\S+")
_DOING = frozenset({"produce", "deliver"})


def suggest_name(agent: AgentFields) -> str:
    """Returns a slug of the source (when it is one word, or the job has no key words), two key words of the
    job, and the kind of job.
    """
    source = to_slug(agent.sources[0]) if agent.sources else ""
    words = _head_words(agent.what, source)
    front = [source] if source and ("-" not in source or not words) else []
    return to_slug("-".join([*front, *words, _SUFFIX[agent.kind]]))


def _head_words(what: str, source: str) -> list[str]:
    """Returns up to two words that name what a job is about: ``job applications``, not what they lack, nor
    whose place they come from or go to.
    """
    words = _WORD.findall(_ADDRESS.sub(" ", what.lower()))
    words = [word for word in words if word != source]
    if len(words) > 1 and classes_of(words[0]) & _DOING:
        words = words[1:]
    is_question = bool(words) and words[0].partition("'")[0].partition("\u2019")[0] in _ASKING
    while words and (words[0] in _OPENING or words[0].rstrip("s") in _OUTPUTS):
        words = words[1:]
    words = [word for word in words if not word.isdigit()]
    end = next((at for at, word in enumerate(words) if (at or is_question) and _ends_head(word)), len(words))
    head = subject_words(" ".join(words[:end]))
    if len(head) == 1 and head[0].endswith("ed"):  # what is so of things is no name without them
        return [*head, *(word for word in words[:end] if word in _NOUNS)][:_MAX_WORDS]
    if not head and set(words[:end]) & _NOUNS:
        return [word for word in words[:end] if word in _NOUNS][:1]
    if not head:
        rest = subject_words(" ".join(words[end:]))
        head = [word for word in rest if not word.endswith(("ed", "ing"))] or rest
        return head[:_MAX_WORDS]
    if is_question or len(head) <= _MAX_WORDS:
        return _without_participle(head[:_MAX_WORDS])
    return _without_participle(head)[-_MAX_WORDS:]


def _ends_head(word: str) -> bool:
    return word.partition("'")[0].partition("\u2019")[0] in _BEHIND_HEAD or word.endswith(("n't", "n\u2019t"))


def _without_participle(words: list[str]) -> list[str]:
    """Returns ``kids`` of ``kids walking``: what they do is no part of the name."""
    is_said_of_it = len(words) > 1 and words[-1].endswith(("ing", "ed")) and words[-2].endswith("s")
    return words[:-1] if is_said_of_it else words


def subject_words(what: str) -> list[str]:
    """Returns the words specific to the subject, in order, without generic words, outputs and frequencies."""
    words = re.findall(r"[^\W_]+(?:-[^\W_]+)*+", what.lower())
    left_out = _GENERIC | _OUTPUTS | _FREQUENCIES
    return [word for word in words if len(word) > 1 and not left_out & {word, spell(word)}]


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
