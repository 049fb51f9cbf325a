"""What the acts of a turn are carried out with: the stores, the search, the answers about the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from agent.dialogue.result import Result
from agent.dialogue.talk.occasion import Searcher
from agent.dialogue.undo_acts import RestorePolicy
from agent.dialogue.workbench import Workbench
from agent.product_answers import ProductAnswers
from agent.undo import ChangeStore
from agent.workspace.agent_store import AgentStore
from intent.acts.act import Act, ActKind
from tasks.store import TaskStore


class CarryOut(Protocol):
    """Carries out the acts of some kinds, such as `Administration.carry_out`."""

    def __call__(self, act: Act, bench: Workbench, *, is_confirmed: bool) -> Result: ...


@dataclass(frozen=True, slots=True)
class Workplace:
    """What acts are carried out with.

    ``by_kind`` carries out the kinds of acts that have no place here.
    """

    agents: AgentStore
    tasks: TaskStore
    changes: ChangeStore
    search: Callable[[], Searcher]
    product: ProductAnswers
    by_kind: Mapping[ActKind, CarryOut]
    restore_policy: RestorePolicy
