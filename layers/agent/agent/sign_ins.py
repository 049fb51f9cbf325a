"""Signing in to services: what can be connected, beginning and finishing a sign-in, and disconnecting.

A sign-in is begun with a token of ours and finished by the user's browser without one. So only the browser
in which it was begun can finish it: it has to bring the secret that `begin` gave it, as well as the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.connections.access import ConnectionAccess
from agent.connections.connection import EVERYBODY, Connection, SignInScope, owner_of
from agent.connections.errors import (
    ClientNeeded,
    ConnectionNotFound,
    ServiceNotFound,
    SignInExpired,
    SignInFailed,
    SignInUnavailable,
)
from agent.connections.sealing import Sealer
from agent.connections.sign_in_request import CALLBACK_PATH, FinishedSignIn, SignInRequest
from agent.connections.store import StoredSignIn, digest, new_secret
from agent.workspace.errors import SkillNotFound
from agent.workspace.roster import Roster
from agent.workspace.skill_store import SkillStore
from agent.workspace.skills import Skill, SkillKind, SkillSpec
from conversation.clock import Clock, to_text
from conversation.errors import RoleRequired
from conversation.identity import ADMIN, Caller, new_id
from conversation.limits.quotas import QuotaKind
from conversation.tenants.audit import Act, AuditLog, Values
from storage import keys
from storage.errors import TransactionRefused
from storage.keys import TenantId
from tools.errors import ToolError
from tools.outbound.client import OutboundClient
from tools.sign_in import authorization, discovery
from tools.sign_in.grant import PendingSignIn, SignInServer
from tools.sign_in.services import KnownService, service_at

_MOST_NAMES = 20


class TenantSecrets(Protocol):
    """The secrets of tenants, by name."""

    def get(self, tenant: TenantId, name: str) -> str | None:
        """The tenant's secret; None when there is none with this name, or it can't be read now."""


@dataclass(frozen=True, slots=True)
class BegunSignIn:
    """Where to send the user's browser, and what it has to bring back: the state, and its own secret."""

    skill: Skill
    authorization_url: str
    state: str
    browser: str


class SignIns:
    """Carries out sign-ins; safe to use from several threads. The package needs the MCP SDK."""

    def __init__(
        self,
        *,
        skills: SkillStore,
        access: ConnectionAccess,
        sealer: Sealer,
        secrets: TenantSecrets,
        outbound: OutboundClient,
        audit: AuditLog,
        clock: Clock,
        public_url: str | None,
        services: Sequence[KnownService],
    ) -> None:
        self._skills = skills
        self._access = access
        self._store = access.store
        self._sealer = sealer
        self._secrets = secrets
        self._outbound = outbound
        self._audit = audit
        self._clock = clock
        self._public_url = public_url
        self._services = services

    def begin(self, caller: Caller, request: SignInRequest, roster: Roster) -> BegunSignIn:
        """Begins a sign-in. A service of the catalogue that is not set up becomes a skill of the caller's.

        Raises:
            SignInUnavailable, ServiceNotFound, ClientNeeded, SignInFailed: see these classes.
            SkillNotFound: as for `SkillStore.get`; also for a skill that needs no sign-in.
            RoleRequired: only an admin signs in for the workspace.
            QuotaExceeded, SkillNameTaken, SkillLimitReached: as for `SkillStore.create`.
        """
        if self._public_url is None:
            raise SignInUnavailable
        skill, service = self._meant(caller, request, roster)
        scope = (skill.sign_in if skill else request.scope) or SignInScope.USER
        if scope is SignInScope.WORKSPACE and not caller.has(ADMIN):
            raise RoleRequired(ADMIN)
        self._skills.quotas.take(caller, QuotaKind.SKILL_CHECKS, record=roster.record)
        state, browser = new_secret(), new_secret()
        begun = self._asked(caller.tenant, skill, service, state)
        if skill is None:
            skill = self._registered(caller, service, scope, roster)
        place = keys.sign_in(caller.tenant, caller.user, digest(state))
        try:
            sealed = self._sealer.seal(caller.tenant, place, begun.pending.model_dump_json())
        except ToolError as error:
            raise SignInFailed(error.message) from None
        held = StoredSignIn(skill.id, owner_of(scope, caller.user), skill.url, sealed)
        self._store.keep_sign_in(caller.tenant, caller.user, state, browser, held)
        return BegunSignIn(skill, begun.authorization_url, state, browser)

    def finish(self, returned: FinishedSignIn) -> Skill:
        """Finishes a sign-in with what the browser brought back, once, and returns the skill it is for.

        Here and below, what is done is recorded in the audit log.

        Raises:
            SignInExpired: there is no such sign-in of this browser.
            SignInFailed: the server or the user refused it, or the skill is gone.
        """
        caller = returned.caller
        held = self._store.take_sign_in(caller.tenant, caller.user, returned.state, returned.browser)
        place = keys.sign_in(caller.tenant, caller.user, digest(returned.state))
        try:
            text = None if held is None else self._sealer.open(caller.tenant, place, held.sealed)
            if held is None or text is None:
                raise SignInExpired
            if returned.code is None:
                raise SignInFailed("The sign-in was refused or cancelled.")
            pending = PendingSignIn.model_validate_json(text)
            return self._connected(caller, held, pending, returned.code, returned.issuer)
        except authorization.SignInRefused:
            raise SignInFailed("The service did not accept the sign-in.") from None
        except ToolError as error:
            raise SignInFailed(error.message) from None

    def end(self, caller: Caller, skill_id: str) -> None:
        """Revokes a sign-in at its server, as far as it can be reached, and removes it.

        Raises:
            SkillNotFound: as for `SkillStore.get`.
            ConnectionNotFound: nobody is signed in.
            RoleRequired: it is the workspace's, and the caller is not an admin.
        """
        skill = self._skills.get(caller, skill_id)
        if skill.sign_in is SignInScope.WORKSPACE and not caller.has(ADMIN):
            raise RoleRequired(ADMIN)
        owner = None if skill.sign_in is None else owner_of(skill.sign_in, caller.user)
        connection = None if owner is None else self._store.find(caller.tenant, owner, skill.id)
        if connection is None:
            raise ConnectionNotFound
        self._access.end(caller.tenant, connection)
        recorded = self._audit.build_record(
            caller, Act.CONNECTION_REMOVED, skill.id, before=_audited(connection)
        )
        self._store.remove(caller.tenant, connection, (recorded,))

    def _meant(
        self, caller: Caller, request: SignInRequest, roster: Roster
    ) -> tuple[Skill | None, KnownService | None]:
        """Returns the skill that is meant, or the service that is to become one."""
        if request.skill_id is not None:
            skill = self._skills.get(caller, request.skill_id)
            if skill.sign_in is None or not skill.usable_by(caller.user):
                raise SkillNotFound
            return skill, service_at(skill.url)
        wanted = (request.service or "").strip().lower()
        service = next((one for one in self._services if wanted in {one.name, *one.serves}), None)
        names = {wanted, *(service.serves if service else ())}
        card = roster.serving_skill(caller.user, names)
        if card is not None:
            return self._skills.get(caller, card.id), service
        if service is None:
            raise ServiceNotFound
        return None, service

    def _asked(
        self, tenant: TenantId, skill: Skill | None, service: KnownService | None, state: str
    ) -> authorization.Begun:
        """Asks the server how to sign in, and returns where."""
        url = skill.url if skill else service.url if service else ""
        known = service if service is not None and service.url == url else None
        redirect_uri = f"{self._public_url}{CALLBACK_PATH}"
        try:
            server = discovery.discover(url, self._outbound, scope=known.scope if known else None)
            client = self._own_client(tenant, skill, known, server)
            if client is None:
                client = authorization.register(server, redirect_uri, self._outbound)
        except authorization.ClientNeeded:
            name = _client_secret(skill, known)
            raise ClientNeeded(name, redirect_uri, known.client if known else None) from None
        except ToolError as error:
            raise SignInFailed(error.message) from None
        return authorization.begin(
            server,
            client,
            redirect_uri=redirect_uri,
            state=state,
            parameters=known.parameters if known else {},
        )

    def _own_client(
        self, tenant: TenantId, skill: Skill | None, known: KnownService | None, server: SignInServer
    ) -> authorization.Client | None:
        """Returns the client that an administrator stored for this server; None: there is none."""
        name = _client_secret(skill, known)
        stored = None if name is None else self._secrets.get(tenant, name)
        return None if stored is None else authorization.own_client(server, stored)

    def _registered(
        self, caller: Caller, service: KnownService | None, scope: SignInScope, roster: Roster
    ) -> Skill:
        """Registers a service of the catalogue as a skill of the caller's."""
        if service is None:
            raise ServiceNotFound
        taken = {card.name for card in roster.skills}
        names = (service.name, *(f"{service.name}-{number}" for number in range(2, _MOST_NAMES)))
        spec = SkillSpec(
            name=next((name for name in names if name not in taken), service.name),
            kind=SkillKind.MCP,
            url=service.url,
            description=service.title,
            serves=service.serves,
            sign_in=scope,
        )
        return self._skills.create(caller, spec)

    def _connected(
        self, caller: Caller, held: StoredSignIn, pending: PendingSignIn, code: str, issuer: str | None
    ) -> Skill:
        grant = authorization.finish(pending, code, issuer, self._outbound, now=self._clock.now())
        skill = self._skills.find(caller.tenant, held.skill_id)
        if skill is None or skill.url != held.url:
            authorization.revoke(grant, self._outbound)
            raise SignInFailed("What you signed in to is not set up any more, or at another address.")
        place = keys.connection(caller.tenant, held.connection_user, skill.id)
        connection = Connection(
            skill_id=skill.id,
            user=held.connection_user,
            url=skill.url,
            sealed=self._sealer.seal(caller.tenant, place, grant.model_dump_json()),
            version=1,
            connected_at=self._clock.now(),
        )
        earlier = self._store.find(caller.tenant, connection.user, skill.id)
        recorded = self._audit.build_record(
            caller,
            Act.CONNECTION_MADE,
            skill.id,
            before=None if earlier is None else _audited(earlier),
            after=_audited(connection),
        )
        checked = self._skills.check_actions(caller.tenant, skill, mark=new_id())
        try:
            self._store.save(caller.tenant, connection, by=caller.user, extra_actions=(recorded, *checked))
        except TransactionRefused:
            authorization.revoke(grant, self._outbound)
            raise SignInFailed("What you signed in to was removed meanwhile.") from None
        return skill


def _audited(connection: Connection) -> Values:
    """Returns what the audit log has of a connection, under whose it is; nothing of its tokens."""
    scope = SignInScope.WORKSPACE if connection.user == EVERYBODY else SignInScope.USER
    return {scope: {"works": connection.works, "connected_at": to_text(connection.connected_at)}}


def _client_secret(skill: Skill | None, known: KnownService | None) -> str | None:
    """Returns the name of the secret that holds a client registered by hand.

    A client of the tenant's goes to servers of the catalogue, and to those that an admin shares. A skill of a
    user's own could name a server that only collects it.
    """
    if known is not None:
        return known.client_secret
    return f"{skill.name}-client" if skill is not None and skill.shared else None
