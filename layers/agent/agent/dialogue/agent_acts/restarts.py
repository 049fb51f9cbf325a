"""Whether words for a start or a return mean that something goes on: ``start it again``, ``put that back on
the list``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.dialogue.workbench import Workbench
from agent.workspace.agents import AgentStatus
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.lexicon import PARTICLES, classes_of, verb_forms
from intent.acts.tokens import tokenise
from intent.acts.wished_deeds import says_now

_GOING_ON = frozenset({"resume", "restore_or_resume"})


def as_resumed(act: Act, bench: Workbench) -> Act:
    """Return a run that words start again as a resumption, where all that they mean is paused; and what is to
    come back as reopened, where it is ticked off.

    Where they name nothing, that is the only agent of the caller's that is paused.
    """
    if act.kind is ActKind.RESTORE_TASK and _are_completed(act, bench):
        return replace(act, kind=ActKind.REOPEN_TASK)
    if act.kind not in {ActKind.RUN_AGENT, ActKind.RESUME_AGENT} or not _starts(act):
        return act
    cards = bench.turn.own_agents()
    if act.kind is ActKind.RESUME_AGENT and not cards and bench.agent_store.deleted(bench.turn.caller):
        return replace(act, kind=ActKind.RESTORE_AGENT)  # ``bring it back``: there is only what is deleted
    paused = {card.id: card for card in cards if card.status is AgentStatus.PAUSED}
    named = [thing.id for thing in act.meant.things]
    if len(paused) == 1 and _names_no_other(act, named, paused):
        (card,) = paused.values()
        return replace(act, kind=ActKind.RESUME_AGENT, meant=Meant(things=(Thing(card.id, card.name),)))
    return replace(act, kind=ActKind.RESUME_AGENT) if named and set(named) <= paused.keys() else act


def _names_no_other(act: Act, named: Sequence[str], paused: Collection[str]) -> bool:
    """Return whether an act names nothing, or "it" is only the agent asked about in between: the one that is
    paused is meant.
    """
    if not named:
        return not act.meant.words
    is_passing = act.meant.is_focus and not set(named) & set(paused)
    return is_passing and (act.kind is ActKind.RESUME_AGENT or _goes_on(_words(act)))


def _are_completed(act: Act, bench: Workbench) -> bool:
    tasks = [bench.task(thing.id) for thing in act.meant.things]
    return bool(tasks) and all(task is not None and task.completed for task in tasks)


def _starts(act: Act) -> bool:
    """Return whether an act's verb may as well start one run as let an agent go on."""
    if act.kind is ActKind.RESUME_AGENT:
        return True
    words = _words(act)
    if says_now(words):
        return False
    return _goes_on(words) or any("start" in classes_of(base) for base in _bases(words))


def _goes_on(words: Sequence[str]) -> bool:
    """Return whether words say that something is to go on that went before."""
    said = set(words)
    return any(
        name in _GOING_ON and base in verbs.split() and marks & said
        for base in _bases(words)
        for verbs, marks, name in PARTICLES
    )


def _bases(words: Sequence[str]) -> list[str]:
    forms = (verb_forms().get(word) for word in words)
    return [form.base for form in forms if form is not None and form.is_base]


def _words(act: Act) -> list[str]:
    return [token.word for token in tokenise(act.clause.text) if token.is_word]
