"""Which tools a caller gets: one registry for models, for runs and for MCP clients.

Skills are not among them: only a run speaks to other servers (`agent.skill_tools`), since only its package
holds what that takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.roster import Roster
from conversation.identity import Caller
from tools.tool import Tool, Toolbox


class Toolboxes:
    """The tools of every caller. Built once; whose data a tool touches is decided by each call's context."""

    def __init__(self, *tools: Sequence[Tool]) -> None:
        self._box = Toolbox(tuple(tool for group in tools for tool in group))

    def for_caller(self, caller: Caller, roster: Roster) -> Toolbox:  # noqa: ARG002
        """The tools this caller's models and clients may use."""
        return self._box.masking() if roster.record.policy.masks else self._box
