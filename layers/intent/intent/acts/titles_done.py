"""Reports that name a task by its whole title: ``"call the landlord" is done``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS
from intent.acts.references import stem
from intent.acts.scene import Scene
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.task_reading.reports import DONE, done_by_verb
from intent.acts.tokens import Token, tokenise

_AROUND_DONE = LEADS | frozenset("is are 's has have been now all already off it's that's".split())
_MOST_BEHIND = 6


def kind_of_titled(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what words are that name one of the user's tasks by its whole title and speak of "done": a
    report, the question whether it is, or a remark on when it is to be done; None for any other.
    """
    if scene.question is not None:
        return None
    if not DONE & set(clause.words[-_MOST_BEHIND:]):
        return ActKind.COMPLETE_TASK if _says_verb_done(clause, scene) else None
    said = _plain(clause.tokens)
    asks = clause.is_question and said[:1] != [] and said[0] in _ASKING
    titles = [title for task in scene.tasks if len(title := _plain(tokenise(task.name))) > 1]
    for title in titles:
        begin = 1 if asks else 0
        if said[begin : begin + len(title)] != title:
            continue
        behind = said[begin + len(title) :]
        if set(behind) <= DONE | _AROUND_DONE:
            return ActKind.LIST_TASKS if asks else None if clause.is_question else ActKind.COMPLETE_TASK
        if behind[0] in _CONDITIONS:
            return ActKind.NONE
    return ActKind.COMPLETE_TASK if not clause.is_question and _describes_several(said, titles) else None


def _says_verb_done(clause: Clause, scene: Scene) -> bool:
    """Return whether words say of a task talked of that its own verb was done: ``gloves are ordered``."""
    words = [word for word in clause.words if word[0].isalnum()]
    was_talked_of = "task" in {scene.focus_kind, scene.listed_kind}
    is_past = any(word.endswith("d") for word in words)
    if not was_talked_of or clause.is_question or not is_past or len(words) > _MOST_BEHIND:
        return False
    if NEGATIONS & set(words):
        return False
    done = done_by_verb(words, scene.tasks)
    objects = set() if done is None else {stem(word) for word in done.name.lower().split()[1:]}
    return bool(objects & {stem(word) for word in words})


def _describes_several(said: Sequence[str], titles: Sequence[Sequence[str]]) -> bool:
    """Return whether words report of something that fits several titles that it is done, and say nothing
    else: ``the call about the lease is done`` of two calls about it.
    """
    place = next((at for at, word in enumerate(said) if word in _IS), 0)
    told = {stem(word) for word in said[:place] if word not in CLOSED_CLASS | LEADS}
    behind = set(said[place + 1 :])
    if len(told) < _FEWEST_DESCRIBING or not behind & DONE or not behind <= DONE | _AROUND_DONE:
        return False
    return sum(told <= {stem(word) for word in title} for title in titles) > 1


_IS = frozenset({"is", "are", "got", "has", "have"})
_FEWEST_DESCRIBING = 2


def _plain(tokens: Sequence[Token]) -> list[str]:
    return [token.word for token in tokens if token.is_word]


_ASKING = frozenset("is are was were has have".split())
_CONDITIONS = frozenset("when once if until before after unless".split())
