"""Whether a clause asks to take the task just talked of off the list, whatever it tells as the reason."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import ASKING_YOU, CORRECTIONS, LEADS, LIST_NOUNS, POINTERS, classes_of, verb_forms
from intent.acts.scene import Scene

_TAKING = frozenset("take strike knock scratch wipe get put".split())
_BEHIND = (
    LEADS | LIST_NOUNS | frozenset("off again of from the my our there now for me will would you".split())
)
_BEFORE = LEADS | CORRECTIONS | frozenset("do can could would will you then may just i must ask".split())


def takes_off_list(clause: Clause, scene: Scene) -> bool:
    """Return whether a sentence of a clause asks to take "it" off, where a task was talked of last:
    ``he rang him already. Do take it off again``.
    """
    if scene.focus_kind != "task" or scene.question is not None or scene.has_draft:
        return False
    return any(_takes_it_off(_command(one.words)) for one in clause.sentences())


def _command(words: Sequence[str]) -> list[str]:
    """Return the words of a sentence from its command on."""
    said = [word for word in words if word[0].isalnum()]
    if tuple(said[:2]) in ASKING_YOU:
        said = said[2:]
    begin = next((at for at, word in enumerate(said) if word not in _BEFORE), len(said))
    return said[begin:]


def _takes_it_off(said: Sequence[str]) -> bool:
    if len(said) < 2 or said[1] not in POINTERS or not set(said[2:]) <= _BEHIND:
        return False
    form = verb_forms().get(said[0])
    deletes = form is not None and form.is_base and "delete" in classes_of(said[0])
    return deletes or (said[0] in _TAKING and "off" in said[2:4])
