"""Runs as values: one execution of an agent, or the record that it was asked for."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from agent.agents import AgentCard
from conversation.identity import TurnId, new_ulid

_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


class RunStatus(StrEnum):
    """How far a run got."""

    NOT_EXECUTED = "not_executed"


class Run(BaseModel):
    """One run of an agent by one user."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str = Field(description="a ULID: a user's runs sort by time")
    user: str = Field(description="who asked for it; not always the agent's owner")
    agent_id: str
    agent_name: str
    status: RunStatus = RunStatus.NOT_EXECUTED
    created_at: datetime

    @classmethod
    def asked(cls, card: AgentCard, *, run_id: str, user: str, now: datetime) -> Run:
        """A run that somebody asked for. Nothing executes it."""
        return cls(id=run_id, user=user, agent_id=card.id, agent_name=card.name, created_at=now)


def is_run_id(text: str) -> bool:
    """Whether the text has the form of a run's id."""
    return _ULID.fullmatch(text) is not None


def run_id_of_turn(turn_id: str, now: datetime) -> str:
    """The id of the one run a turn may ask for: the turn's own ULID, so that a repeated turn asks for the
    same run.
    """
    turn = TurnId.parse(turn_id)
    return turn.ulid if turn else new_ulid(now)
