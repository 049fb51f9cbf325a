"""What users and their browsers send of a sign-in. `agent.sign_ins` carries it out, with the MCP SDK."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from agent.connections.connection import SignInScope
from conversation.identity import Caller

CALLBACK_PATH = "/v1/connections/callback"


class SignInRequest(BaseModel):
    """What to sign in to: a skill, or a service by its name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    skill_id: str | None = Field(default=None, max_length=64)
    service: str | None = Field(
        default=None, min_length=1, max_length=100, description="as the list names it; without a skill_id"
    )
    scope: SignInScope | None = Field(
        default=None,
        description="for a service that is not set up yet: each user's own sign-in (the default), or one for "
        "the whole workspace (admins)",
    )


@dataclass(frozen=True, slots=True)
class FinishedSignIn:
    """What a browser brought back, and whose browser it is."""

    caller: Caller
    state: str
    browser: str
    code: str | None
    """None: the server refused, or the user did."""
    issuer: str | None
