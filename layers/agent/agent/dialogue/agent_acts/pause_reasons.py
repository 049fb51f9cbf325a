"""Answers to "why is it paused?": when it was, and with which words, as far as the conversation tells."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from agent.dialogue.agent_acts import field_texts as texts
from agent.dialogue.texts import due_time
from agent.dialogue.workbench import Workbench
from agent.workspace.agents import Agent, AgentStatus
from conversation.messages.models import Note, Role
from intent.acts.act import Act
from intent.acts.tokens import tokenise

_OFF = frozenset("paused off stopped inactive disabled suspended halted silent quiet".split())
_LONGEST_QUOTE = 120


def answer(agent: Agent, act: Act, bench: Workbench) -> str:
    """Return why an agent is paused; empty where the words don't ask that."""
    words = {token.word for token in tokenise(act.clause.text)}
    if not {"why", "why's"} & words or not _OFF & words:
        return ""
    if agent.status is not AgentStatus.PAUSED:
        return texts.not_paused(agent.name)
    note: Note | None = None
    turn = bench.turn
    for message in reversed(turn.situation.history):
        if message.role is Role.ASSISTANT:
            note = message.note
        elif message.role is Role.USER and note is not None:
            if f"paused {agent.name}" in note.did or ("paused" in note.did and agent.name in note.did):
                at = message.created_at.astimezone(ZoneInfo(turn.situation.time_zone))
                said = " ".join(message.content.split())
                quote = (
                    said if len(said) <= _LONGEST_QUOTE else f"{said[: _LONGEST_QUOTE - 1].rstrip()}\u2026"
                )
                return texts.paused_by_you(agent.name, quote, due_time(at, turn.today))
            note = None
    return texts.paused_for_unknown(agent.name)
