"""Whether words ask that something is taken away for good, or that it comes back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import NEGATIONS, classes_in, classes_of, verb_forms
from intent.acts.list_places import find_places
from intent.acts.references import find_meant
from intent.acts.requests import has_question
from intent.acts.scene import Scene

_DELETING = {
    ActKind.DELETE_AGENT: frozenset({"delete"}),
    ActKind.DELETE_TASK: frozenset({"delete", "cancel"}),
}

_HALTING = frozenset({"pause", "stop"})


def may_be_deletion(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether words may ask for a deletion; that of an agent is asked about before it is done."""
    words = set(clause.words)
    is_asked = clause.is_question or has_question(clause.tokens)
    is_pointed = kind is ActKind.DELETE_AGENT and not is_asked and _points_at_agent(clause, scene)
    is_pointed = is_pointed and not _HALTING & classes_in(words)  # what is to stop is kept
    return is_pointed or bool(_DELETING[kind] & classes_in(words) or words & _OVER)


def is_unneeded(words: Sequence[str]) -> bool:
    """Return whether words say that something isn't needed any more: ``we don't need rota any more``."""
    is_over = bool({"anymore", "longer"} & set(words)) or ("any", "more") in pairwise(words)
    is_denied = bool((NEGATIONS | {"no"}) & set(words))
    return is_over and is_denied and bool({"need", "needs", "needed", "want", "wanted", "use"} & set(words))


def drops_named(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says of agents by their names that they aren't needed any more."""
    if clause.is_question or scene.has_draft or not is_unneeded(clause.words):
        return False
    return find_meant(clause, scene.agents).is_named and not classes_in(set(clause.words)) & _HALTING


def drops_listed(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says of an agent by its place in the list just shown that it isn't needed."""
    words = set(clause.words)
    is_over = bool(words & {"needed", "need", "wanted", "obsolete"}) and bool(words & (_OVER | NEGATIONS))
    return is_over and not clause.is_question and bool(find_places(clause.tokens, scene.listed_agents))


def _points_at_agent(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names one agent, by its name or by its place in the list just shown."""
    meant = find_meant(clause, scene.agents, listed=scene.listed_agents)
    return meant.is_named or (bool(find_places(clause.tokens, scene.listed_agents)) and not meant.is_all)


_OVER = frozenset(
    "need needed longer anymore more mind off gone out over cancelled canceled deleted removed scratch strike"
    " forget away clear clean".split()
)
"""Words that say that something isn't wanted any more."""


def tells_of_return(clause: Clause) -> bool:
    """Return whether a clause has a word by which something deleted is wanted again."""
    words = set(clause.words)
    return bool(
        words & {"back", "again", "return", "still"} or classes_in(words) & {"restore", "undo", "reopen"}
    )


def tells_of_removal(clause: Clause) -> bool:
    """Return whether a clause has a word by which a task is taken off the list."""
    forms = (verb_forms().get(word) for word in clause.words)
    removes = any(form and classes_of(form.base) & {"delete", "cancel"} for form in forms)
    return removes or bool(_REMOVAL & set(clause.words))


def tells_of_disconnection(clause: Clause) -> bool:
    """Return whether a clause has a word by which a connection is ended."""
    return tells_of_removal(clause) or bool(_ENDING & set(clause.words))


_ENDING = frozenset(
    "disconnect disconnected unlink unlinked revoke detach unhook unplug logout log sign cut end stop drop"
    " lose withdraw unsubscribe".split()
)
_REMOVAL = frozenset(
    "off out away strike forget longer anymore cancelled canceled gone need needs without clear unnecessary"
    " obsolete more".split()
)
