"""The user's runs within a window."""

from __future__ import annotations

from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions.windows import Window
from agent.workspace.runs import Run

_RUNS_PER_PAGE = 100
_MOST_PAGES = 5


def runs_within(bench: Workbench, window: Window) -> list[Run]:
    """Return the user's runs that began within a window, newest first; of very many, only the newest."""
    found: list[Run] = []
    after = None
    for _ in range(_MOST_PAGES):
        page, after = bench.agent_store.runs.list(bench.turn.caller, limit=_RUNS_PER_PAGE, after=after)
        found.extend(run for run in page if window.holds(run.created_at))
        if after is None or (page and page[-1].created_at < window.first):
            break
    return found
