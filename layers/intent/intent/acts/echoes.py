"""Acts that only repeat another act of their message, or only tell something beside it."""

from __future__ import annotations

from collections.abc import Sequence, Set

from intent.acts.act import Act, ActKind
from intent.acts.clauses import Clause
from intent.acts.corrections import only_takes_back
from intent.acts.evidence import agent_commands
from intent.acts.joined_acts import is_vague
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.lexicon import LEADS
from intent.acts.requests import asks_for_something
from intent.acts.task_reading.told_tasks import says_nothing_new
from intent.acts.tokens import tokenise
from intent.acts.wishes_for_agents import asks_whether_possible


def without_echoes(acts: Sequence[Act]) -> list[Act]:
    """Return the acts without those that only repeat another: ``nothing came. why?``, an empty change."""
    kinds = {act.kind for act in acts}
    kept = [act for act in acts if len(acts) == 1 or not _is_echo(act, kinds)]
    others = [unread(act) for act in acts if act not in kept and _asks(act)]
    return sorted([*kept, *others], key=lambda act: act.clause.start)


def _is_echo(act: Act, kinds: Set[ActKind]) -> bool:
    if act.kind is ActKind.WHY and ActKind.SHOW_RESULT in kinds:
        return True
    if act.kind in _TAKING_BACK and kinds & _EMPTY_CHANGES and only_takes_back(act.clause.text):
        return True  # ``scratch that, it's due Thursday`` only begins a correction
    if act.kind is ActKind.ASK_PRODUCT and ActKind.CREATE_AGENT in kinds:
        return asks_whether_possible([token.word for token in tokenise(act.clause.text)])
    if act.kind in ON_TASKS and says_nothing_new(act):
        return True
    if act.kind is ActKind.CREATE_AGENT and all(one.word in LEADS for one in tokenise(act.clause.text)):
        return True
    if act.kind in _STATES and act.meant.is_focus and ActKind.SHOW_AGENT in kinds:
        return not agent_commands(clause_of(act))  # ``back at last! is it still off?``
    says_nothing = not act.slots or (ActKind.DELETE_AGENT in kinds and act.slots.keys() <= {"job", "agent"})
    return (act.kind in _EMPTY_CHANGES and says_nothing and is_vague(act.meant)) or _is_remark(act)


def clause_of(act: Act) -> Clause:
    """Return the words of an act as a clause of their own."""
    return Clause(act.clause.text, tokenise(act.clause.text))


def _asks(act: Act) -> bool:
    return act.kind not in {ActKind.WHY, ActKind.ASK_PRODUCT} and asks_for_something(
        tokenise(act.clause.text)
    )


def unread(act: Act) -> Act:
    """Return an act for words that ask for what no kind stands for: the reply names them."""
    return Act(ActKind.NONE, act.clause, confidence=act.confidence)


def _is_remark(act: Act) -> bool:
    """Return whether an improbable act on things names none of them: it was told beside another act."""
    is_on_things = act.kind in (ON_TASKS | ON_AGENTS) - {ActKind.ADD_TASK, ActKind.LIST_TASKS}
    names = act.meant.things or act.meant.candidates or act.slots
    return is_on_things and act.confidence < _IMPROBABLE and not names


_TAKING_BACK = frozenset({ActKind.DELETE_TASK, ActKind.DELETE_AGENT, ActKind.UNDO, ActKind.NO, ActKind.NONE})
_STATES = frozenset({ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.RUN_AGENT})
_IMPROBABLE = 0.2
_EMPTY_CHANGES = frozenset({ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK})
