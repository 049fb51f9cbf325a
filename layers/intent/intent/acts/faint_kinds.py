"""Kinds of acts that the learned reading finds likeliest, though no word of the clause speaks for them."""

from __future__ import annotations

from intent.acts.act import ActKind
from intent.acts.answers import agrees_in_words
from intent.acts.clauses import Clause
from intent.acts.evidence import agent_commands
from intent.acts.scene import Scene
from intent.acts.wished_deeds import wished_state


def is_too_faint(kind: ActKind, probability: float, clause: Clause, scene: Scene) -> bool:
    """Return whether a kind that isn't likely has no word in the clause that speaks for it."""
    if kind is ActKind.YES and scene.question is not None:
        return probability < _SURE_OF_YES and not agrees_in_words(clause)
    if kind is ActKind.CHANGE_AGENT:
        return clause.is_question and len(clause.words) <= _FEWEST_OF_CHANGE  # ``slack?``
    is_asked = kind in agent_commands(clause) or wished_state(clause.words) is kind
    return kind in _STATES and probability < _UNSURE_OF_STATE and not is_asked


_STATES = frozenset(
    {
        ActKind.RUN_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.SHARE_AGENT,
        ActKind.DELETE_AGENT,
    }
)  # fmt: skip
_UNSURE_OF_STATE, _FEWEST_OF_CHANGE = 0.2, 2
_SURE_OF_YES = 0.9
"""From which probability words that are no known yes count as one: ``ugh, phone`` never does."""
