"""What is kept of a sign-in while it is under way, and afterwards. All of it is sealed before it is stored.

Only the packages of `agent_runs` and `mcp` contain the SDK, so other modules import this one lazily.
"""

from __future__ import annotations

from datetime import datetime

import mcp  # noqa: F401 - whole first: two threads that import parts of it at once can meet one half done
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata
from pydantic import BaseModel, ConfigDict, Field


class SignInServer(BaseModel):
    """The authorization server of an MCP server, as discovered."""

    model_config = ConfigDict(frozen=True)

    metadata: OAuthMetadata
    resource: str = Field(description="the MCP server's identifier, which tokens are asked for (RFC 8707)")
    scope: str | None = Field(default=None, description="what to ask for; None: the server's default")


class PendingSignIn(BaseModel):
    """A sign-in that waits for the user's browser to come back."""

    model_config = ConfigDict(frozen=True)

    server: SignInServer
    client: OAuthClientInformationFull = Field(repr=False)
    verifier: str = Field(repr=False, description="of PKCE (RFC 7636)")
    redirect_uri: str


class Grant(BaseModel):
    """The tokens of a finished sign-in, and what it takes to renew and to revoke them."""

    model_config = ConfigDict(frozen=True)

    server: SignInServer
    client: OAuthClientInformationFull = Field(repr=False)
    access_token: str = Field(repr=False)
    refresh_token: str | None = Field(default=None, repr=False)
    expires_at: datetime | None = Field(default=None, description="of the access token; None: not told")
    scope: str | None = None
