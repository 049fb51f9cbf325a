"""Accepting the tools of a connection that are new or have changed: shown first, accepted after a yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.templates import skill_texts
from agent.workspace.errors import SkillNotFound
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import AcceptedTool, Skill, SkillCard, ToolAcceptance, WaitingTool
from conversation.identity import ADMIN
from intent.acts.act import Act, ActKind
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise

MAX_SHOWN = 5
"""The most tools to show and accept at once: whoever says yes should have read them."""
_LOOKED_AT = 5
_ACCEPTS = frozenset({"accept", "approve", "allow"})
_TOOLS = frozenset({"tool", "tools", "change", "changes", "changed"})
_CONNECTIONS = frozenset({"skill", "skills", "mcp", "connection"})
_ON_CONNECTIONS = frozenset({ActKind.CONNECT, ActKind.LIST_SKILLS, ActKind.REMOVE_SKILL})
_SKILL, _SHOWN = "skill", "shown"


def asks_to_accept(act: Act) -> bool:
    """Return whether an act asks to accept the tools of a connection."""
    words = [token.word for token in tokenise(act.clause.text)]
    at = next((place for place, word in enumerate(words[:_LOOKED_AT]) if word in _ACCEPTS), None)
    if at is None or _TOOLS.isdisjoint(words[at:]):
        return False
    return act.kind in _ON_CONNECTIONS or not _CONNECTIONS.isdisjoint(words[at:])


def is_held(act: Act) -> bool:
    """Return whether an act is one that waited for a yes to the tools that were shown."""
    return bool(act.slot(_SKILL) and act.slot(_SHOWN))


@dataclass(frozen=True, slots=True)
class ToolAcceptances:
    """Shows the tools that wait, and accepts those that were shown."""

    skills: SkillStore

    def show(self, meant: Sequence[SkillCard], cards: Sequence[SkillCard], bench: Workbench) -> Result:
        """Show the tools of the connection that is meant, and ask whether to accept them."""
        if len(meant) != 1:
            return Result(skill_texts.which(meant or cards))
        skill = self._owned(meant[0].id, meant[0].name, bench)
        if isinstance(skill, Result):
            return skill
        shown = skill.health.waiting_tools[:MAX_SHOWN]
        if not shown:
            return Result(skill_texts.no_tools_wait(skill.name))
        slots = {_SKILL: skill.id, "name": skill.name, _SHOWN: _to_slot(shown)}
        held = HeldAct(kind=ActKind.CONNECT, text=f"accept the tools of {skill.name}", slots=slots)
        question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,))
        return Result(skill_texts.confirm_tools(skill, shown), question=question)

    def accept(self, act: Act, bench: Workbench) -> Result:
        """Accept the tools as they were shown, or none of them."""
        skill = self._owned(act.slot(_SKILL), act.slot("name"), bench)
        if isinstance(skill, Result):
            return skill
        tools = _from_slot(act.slot(_SHOWN))
        new = skill.with_accepted(ToolAcceptance(tools=tools), bench.turn.situation.now)
        if new is None:
            return Result(skill_texts.tools_changed_again(skill.name))
        bench.write(*self.skills.accept_actions(bench.turn.caller, skill, new))
        text = skill_texts.tools_accepted(skill.name, [tool.name for tool in tools])
        return Result(text, f"accepted tools of {skill.name}", tool="accept_tools", kind=act.kind)

    def _owned(self, skill_id: str, name: str, bench: Workbench) -> Skill | Result:
        """Return the connection, if its tools are the caller's to accept; else the reply that says so."""
        caller = bench.turn.caller
        try:
            skill = self.skills.get(caller, skill_id)
        except SkillNotFound:
            return Result(skill_texts.no_tools_wait(name))
        if skill.owner != caller.user and not caller.has(ADMIN):
            return Result(skill_texts.tools_not_owned(skill.name))
        return skill


def _to_slot(tools: Sequence[WaitingTool]) -> str:
    return "\n".join(f"{tool.hash} {tool.name}" for tool in tools)


def _from_slot(text: str) -> tuple[AcceptedTool, ...]:
    pairs = (line.partition(" ") for line in text.splitlines())
    return tuple(AcceptedTool(name=name, hash=digest) for digest, _, name in pairs)
