"""Finds the existing agent most similar to a task, by the words they share. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agent.workspace.agents import AgentCard
from agent.workspace.naming import subject_words

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
