"""The services that a user's agents can be connected to by a sign-in, and where the user is with each."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from agent.connections.connection import SignInScope
from agent.workspace.roster import Roster
from agent.workspace.skills import SkillCard
from conversation.identity import ADMIN, Caller
from tools.sign_in.services import KnownService, known_services


class ConnectionView(BaseModel):
    """A service that the caller's agents can be connected to by a sign-in."""

    model_config = ConfigDict(frozen=True)

    service: str = Field(description="What to sign in to: the name of a known service or of a skill.")
    title: str
    serves: tuple[str, ...] = Field(description="The services that count as connected by it.")
    skill_id: str | None = Field(default=None, description="The skill; null: the service is not set up yet.")
    scope: SignInScope = Field(default=SignInScope.USER, description="Whose sign-in it takes.")
    status: str = Field(
        description="connected; sign_in_needed: nobody signed in yet; expired: the service refuses the"
        " sign-in; not_set_up: it is only in the catalogue"
    )
    scopes: tuple[SignInScope, ...] = Field(
        default=(), description="What the caller may choose for a service that is not set up yet."
    )
    client_needed: bool = Field(
        default=False, description="Whether an administrator has to register a client at the service first."
    )

    @classmethod
    def of_skill(
        cls, card: SkillCard, roster: Roster, user: str, known: KnownService | None
    ) -> ConnectionView:
        """A skill with a sign-in."""
        connection = roster.connection_of(card, user)
        status = "sign_in_needed" if connection is None else "connected" if connection.works else "expired"
        return cls(
            service=card.name,
            title=known.title if known else card.description or card.name,
            serves=card.serves,
            skill_id=card.id,
            scope=card.sign_in or SignInScope.USER,
            status=status,
            client_needed=known is not None and known.client is not None,
        )

    @classmethod
    def of_service(cls, known: KnownService, scopes: tuple[SignInScope, ...]) -> ConnectionView:
        """A service of the catalogue."""
        is_closed = known.client is not None
        return cls(
            service=known.name,
            title=known.title,
            serves=known.serves,
            status="not_set_up",
            scopes=scopes,
            client_needed=is_closed,
        )


def connection_views(roster: Roster, caller: Caller) -> tuple[ConnectionView, ...]:
    """The skills with a sign-in by name, then the known services that none of them serves."""
    user, scopes = caller.user, tuple(SignInScope) if caller.has(ADMIN) else (SignInScope.USER,)
    named = {known.name: known for known in known_services()}
    cards = [card for card in roster.skills_of(user) if card.sign_in is not None]
    mine = (ConnectionView.of_skill(card, roster, user, named.get(card.name)) for card in cards)
    others = (
        ConnectionView.of_service(known, scopes)
        for known in known_services()
        if roster.serving_skill(user, {known.name, *known.serves}) is None
    )
    return (*mine, *others)
