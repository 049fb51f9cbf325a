"""How near existing agents come to a task, by the words they share with it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.agents import AgentCard
from agent.naming import telling_words

_STEM = 5
_COMMON = frozenset({
    "please", "need", "want", "help", "can", "could", "would", "today", "tomorrow", "next", "last",
    "week", "month", "quarter", "year", "now", "run", "start", "do", "done", "some", "something", "our",
    "put", "together", "make", "sure", "use", "using", "have", "has", "will", "just", "also", "then",
    "them", "they", "you", "your", "we", "us", "me", "i",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Near:
    """An agent that shares words with a task, and the words of its subject it has nothing to do with."""

    card: AgentCard
    shared: tuple[str, ...]
    lacking: tuple[str, ...]


def nearest(task: str, subject: str, cards: Sequence[AgentCard]) -> Near | None:
    """The agent that shares most with the task; None when none shares anything."""
    found = [_compare(_telling(task), _telling(subject or task), card) for card in cards]
    return max((near for near in found if near.shared), key=lambda near: len(near.shared), default=None)


def _telling(text: str) -> list[str]:
    return [word for word in dict.fromkeys(telling_words(text)) if word not in _COMMON and len(word) > 2]


def _compare(task: Sequence[str], subject: Sequence[str], card: AgentCard) -> Near:
    of_card = {_stem(word) for word in re.findall(r"[^\W_]+", f"{card.name} {card.summary}".lower())}
    shared = tuple(word for word in task if _stem(word) in of_card)
    return Near(card, shared, tuple(word for word in subject if _stem(word) not in of_card))


def _stem(word: str) -> str:
    """The front of a word, so that ``analyze`` meets ``analyzer`` and ``analysis``, and ``invoices``
    ``invoice``.
    """
    return word[:_STEM].rstrip("s")
