"""The skill store: reads and writes skills and the results of their health checks, and enforces permissions.

Every write is conditional: on the name being free, or on the version that was read. Secrets belong to the
tenant, so only an admin decides which server gets one. Sharing a skill offers its tools to the models of all
users, so only an admin may share.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from agent.connections.connection import SignInScope
from agent.workspace.errors import (
    SkillChanged,
    SkillInvalid,
    SkillNameTaken,
    SkillNotFound,
    SkillNotOwned,
)
from agent.workspace.items import (
    CHECK_REQUESTED,
    HEALTH,
    PINNED,
    URL,
    pins_to_text,
    skill_card_to_item,
    skill_from_item,
    skill_to_item,
    skill_update,
)
from agent.workspace.roster import Roster, read_roster
from agent.workspace.skills import (
    Health,
    Skill,
    SkillCard,
    SkillChange,
    SkillFields,
    SkillKind,
    SkillSpec,
    ToolAcceptance,
    ToolPin,
)
from conversation.clock import Clock
from conversation.errors import RoleRequired
from conversation.identity import ADMIN, Caller, is_id, new_id
from conversation.keyed_creation import Created, CreationRequest, KeyedCreations
from conversation.limits.quotas import QuotaKind, Quotas
from conversation.tenants.audit import Act, AuditLog, Values
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import rewrite
from storage.keys import TenantId
from storage.table import (
    Action,
    Changes,
    Condition,
    Delete,
    Equals,
    Exists,
    NotExists,
    Position,
    Put,
    Set,
    Update,
)
from storage.tenant_table import Tables
from tools.outbound.client import OutboundClient
from tools.outbound.urls import OutboundError


class SkillStore:
    """Reads and writes the skills a caller can see; any other skill is `SkillNotFound`.

    Reads are strongly consistent.
    """

    def __init__(
        self, *, tables: Tables, clock: Clock, outbound: OutboundClient, quotas: Quotas | None = None
    ) -> None:
        """``quotas`` None: with a memory of its own."""
        self._audit = AuditLog(tables=tables, clock=clock)
        self._tables = tables
        self._clock = clock
        self._outbound = outbound
        self._creations = KeyedCreations(tables=tables, clock=clock)
        self.quotas = quotas or Quotas(tables=tables, clock=clock)
        """Where whoever builds skills and checks by the builders takes them first (`take_creation`)."""

    def get(self, caller: Caller, skill_id: str) -> Skill:
        """Returns the skill when it is the caller's or shared; an admin sees all skills of the tenant.

        Raises:
            SkillNotFound: otherwise.
        """
        skill = self.find(caller.tenant, skill_id)
        if skill is None or not _is_visible(skill.card(), caller):
            raise SkillNotFound
        return skill

    def find(self, tenant: TenantId, skill_id: str) -> Skill | None:
        """Returns the tenant's skill without any permission check; None when there is none."""
        item = self._tables.for_tenant(tenant).get(keys.skill(tenant, skill_id)) if is_id(skill_id) else None
        return None if item is None else skill_from_item(item)

    def visible_cards(self, caller: Caller) -> tuple[SkillCard, ...]:
        """Returns all cards the caller may see, by name."""
        return visible_skills(self.present_roster(caller), caller)

    def list(
        self, caller: Caller, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[SkillCard, ...], Position | None]:
        """Returns a page of `visible_cards` and the position of the next page (None: no more)."""
        last = (after or {}).get("name", "")
        cards = tuple(card for card in self.visible_cards(caller) if card.name > last)
        page = cards[:limit]
        return page, {"name": page[-1].name} if len(cards) > limit else None

    def usable_skills(
        self, caller: Caller, roster: Roster, *, names: Collection[str], services: Collection[str]
    ) -> tuple[Skill, ...]:
        """Returns those skills the caller may use that have one of the names or serve one of the services."""
        wanted = (
            self.find(caller.tenant, card.id)
            for card in roster.skills_of(caller.user)
            if card.name in names or not frozenset(card.serves).isdisjoint(services)
        )
        return tuple(skill for skill in wanted if skill is not None and skill.usable_by(caller.user))

    def create(self, caller: Caller, spec: SkillSpec) -> Skill:
        """Creates a skill of the caller. This and all below is recorded in the audit log.

        Raises:
            SkillInvalid, RoleRequired, SkillNameTaken, SkillLimitReached: as for `build`.
            QuotaExceeded: as for `take_creation`.
        """
        return self.create_once(caller, spec, key=None).made

    def create_once(self, caller: Caller, spec: SkillSpec, *, key: str | None) -> Created[Skill]:
        """Creates a skill as `create` does; a request repeated under its Idempotency-Key gets the first
        one's.

        Raises:
            IdempotencyKeyReused, SkillNotFound: as for `KeyedCreations.create`; more as for `create`.
        """
        skill_id = new_id()

        def make(record: Sequence[Action]) -> Skill:
            roster = self.present_roster(caller)
            skill = self.build(caller, spec, roster, skill_id=skill_id)
            self.take_creation(caller, roster)
            self._apply(caller, (*self.create_actions(caller, skill), *record), SkillNameTaken)
            return skill

        request = CreationRequest("skill", key, spec)
        return self._creations.create(
            caller, request, made_id=skill_id, make=make, read=partial(self.get, caller)
        )

    def build(self, caller: Caller, spec: SkillSpec, roster: Roster, *, skill_id: str) -> Skill:
        """Builds a skill that the caller may register, without storing it.

        Raises:
            SkillInvalid: the address is not allowed, or the fields contradict each other.
            RoleRequired: the skill names a secret or is to be shared, and the caller is not an admin.
            SkillNameTaken, SkillLimitReached: see these classes.
        """
        shared = caller.has(ADMIN) if spec.shared is None else spec.shared
        is_workspaces = spec.sign_in is SignInScope.WORKSPACE
        if (shared or spec.secret or is_workspaces) and not caller.has(ADMIN):
            raise RoleRequired(ADMIN)
        self._check(spec)
        roster.require_skill_quota(caller.user)
        if any(card.name == spec.name for card in roster.skills):
            raise SkillNameTaken
        now = self._clock.now()
        return Skill.create(spec, skill_id=skill_id, owner=caller.user, shared=shared, now=now)

    def take_creation(self, caller: Caller, roster: Roster) -> None:
        """Counts a skill of the caller that is about to be created, and the check that follows.

        Raises:
            QuotaExceeded: as many skills were created, or checked, today as may be.
        """
        self.quotas.take(caller, QuotaKind.SKILL_CHECKS, record=roster.record)
        self.quotas.take(caller, QuotaKind.SKILLS, record=roster.record)

    def update(self, caller: Caller, skill_id: str, change: SkillChange) -> Skill:
        """Replaces the fields given in the change and returns the new version of the skill.

        Raises:
            SkillNotFound, SkillNotOwned: see these classes.
            SkillInvalid, RoleRequired: as for `build`; a new address for a skill that is shared or has a
                secret needs an admin too.
            SkillChanged: the skill was changed concurrently.
            QuotaExceeded: the address changed, and as many checks were requested today as may be.
        """
        old = self._owned(caller, skill_id)
        new = change.applied_to(old, self._clock.now())
        if _needs_an_admin(old, new) and not caller.has(ADMIN):
            raise RoleRequired(ADMIN)
        self._check(new)
        if new.url != old.url:
            self.quotas.take(caller, QuotaKind.SKILL_CHECKS)
        card = rewrite(skill_card_to_item(caller.tenant, new.card()), (Equals("id", old.id),))
        recorded = self._recorded(caller, Act.SKILL_CHANGED, old, new)
        self._apply(caller, (skill_update(caller.tenant, old, new), card, recorded), SkillChanged)
        return new

    def accept_tools(self, caller: Caller, skill_id: str, acceptance: ToolAcceptance) -> Skill:
        """Pins waiting tools as the last check or run saw them, and returns the new version of the skill.

        Nothing is written when the acceptance names no tool.

        Raises:
            SkillNotFound, SkillNotOwned: see these classes.
            SkillChanged: a tool does not wait with the hash the caller saw.
        """
        old = self._owned(caller, skill_id)
        new = old.with_accepted(acceptance, self._clock.now())
        if new is None:
            raise SkillChanged
        if not acceptance.tools:
            return old
        self._apply(caller, self.accept_actions(caller, old, new), SkillChanged)
        return new

    def accept_actions(self, caller: Caller, old: Skill, new: Skill) -> tuple[Action, ...]:
        """Returns the writes of a skill whose waiting tools were accepted (`Skill.with_accepted`)."""
        before, after = (_pinned_tools(each) for each in (old, new))
        recorded = self._audit.build_record(
            caller, Act.SKILL_TOOLS_ACCEPTED, old.id, before=before, after=after
        )
        return skill_update(caller.tenant, old, new), recorded

    def delete(self, caller: Caller, skill_id: str) -> None:
        """Deletes the skill; agents that name it work without it from then on.

        Raises:
            SkillNotFound, SkillNotOwned, SkillChanged: as for `update`.
        """
        skill = self._owned(caller, skill_id)
        self._apply(caller, self.delete_actions(caller, skill), SkillChanged)

    def create_actions(self, caller: Caller, skill: Skill) -> tuple[Action, ...]:
        """Returns the writes that create a skill; refused when its name is taken or it exists already."""
        return (
            Put(skill_card_to_item(caller.tenant, skill.card()), (NotExists(),)),
            Put(skill_to_item(caller.tenant, skill), (NotExists(),)),
            self._recorded(caller, Act.SKILL_REGISTERED, None, skill),
        )

    def delete_actions(self, caller: Caller, skill: Skill) -> tuple[Action, ...]:
        """Returns the writes that delete a skill and its own secret; refused when the skill changed since it
        was read.
        """
        tenant = caller.tenant
        full = Delete(keys.skill(tenant, skill.id), (Equals("version", skill.version),))
        card = Delete(keys.skill_card(tenant, skill.name), (Equals("id", skill.id),))
        own_secret = keys.own_secret_name(skill.name)
        # Only administrators give a skill a secret. One of this name may wait for another purpose.
        secret = (Delete(keys.tenant_secret(tenant, own_secret)),) if skill.secret == own_secret else ()
        return full, card, *secret, self._recorded(caller, Act.SKILL_REMOVED, skill, None)

    def _recorded(self, caller: Caller, act: Act, old: Skill | None, new: Skill | None) -> Put:
        known = new or old
        assert known is not None  # noqa: S101 - an act is on a skill that is or was there
        before, after = (None if each is None else _audited(each) for each in (old, new))
        return self._audit.build_record(caller, act, known.id, before=before, after=after)

    def request_check(self, caller: Caller, skill_id: str) -> Skill:
        """Requests a health check of the skill and returns the skill; a stream follower does the check.

        Raises:
            SkillNotFound: as for `get`.
            QuotaExceeded: as many checks were requested today as may be.
        """
        skill = self.get(caller, skill_id)
        self.quotas.take(caller, QuotaKind.SKILL_CHECKS)
        try:
            self._tables.for_tenant(caller.tenant).transact(
                self.check_actions(caller.tenant, skill, mark=new_id())
            )
        except TransactionRefused:
            raise SkillNotFound from None
        return skill

    def check_actions(self, tenant: TenantId, skill: Skill, *, mark: str) -> tuple[Action, ...]:
        """Returns the write that requests a health check; a new ``mark`` requests another one."""
        return (Update(keys.skill(tenant, skill.id), (Set(CHECK_REQUESTED, mark),), (Exists(),)),)

    def record_health(self, tenant: TenantId, skill: Skill, health: Health) -> None:
        """Stores the result of a check, unless the skill is gone or has another URL by now."""
        self._record(tenant, skill, (Set(HEALTH, _health_text(health)),))

    def pin_first(
        self, tenant: TenantId, skill: Skill, pins: Sequence[ToolPin], health: Health
    ) -> Skill | None:
        """Pins the tools of a skill that has no pins yet, and returns the skill with the pins it has now.

        Somebody else may have pinned its tools meanwhile; those pins count. None: the skill is gone or has
        another URL by now.
        """
        changes = (Set(PINNED, pins_to_text(pins)), Set(HEALTH, _health_text(health)))
        if self._record(tenant, skill, changes, NotExists(PINNED)):
            return skill.model_copy(update={"pinned": tuple(pins), "health": health})
        now = self.find(tenant, skill.id)
        return now if now is not None and now.url == skill.url and now.pinned is not None else None

    def _record(self, tenant: TenantId, skill: Skill, changes: Changes, *conditions: Condition) -> bool:
        update = Update(keys.skill(tenant, skill.id), changes, (Equals(URL, skill.url), *conditions))
        try:
            self._tables.for_tenant(tenant).update(update)
        except ConditionRefused:
            return False
        return True

    def _check(self, fields: SkillFields) -> None:
        if fields.kind is SkillKind.WEBHOOK and fields.secret is None:
            raise SkillInvalid("A webhook needs the name of the secret its requests are signed with.")
        if fields.sign_in is not None and (fields.kind is SkillKind.WEBHOOK or fields.secret is not None):
            raise SkillInvalid("A sign-in is for MCP servers, and takes the place of a secret.")
        try:
            self._outbound.check_url(fields.url)
        except OutboundError as refused:
            raise SkillInvalid(refused.message) from None

    def _owned(self, caller: Caller, skill_id: str) -> Skill:
        skill = self.get(caller, skill_id)
        if skill.owner != caller.user and not caller.has(ADMIN):
            raise SkillNotOwned
        return skill

    def present_roster(self, caller: Caller) -> Roster:
        """Returns the tenant's roster as it is now, for one query."""
        return read_roster(self._tables, caller.tenant, self._clock.now())

    def _apply(
        self, caller: Caller, actions: Sequence[Action], refusal: type[SkillNameTaken | SkillChanged]
    ) -> None:
        try:
            self._tables.for_tenant(caller.tenant).transact(actions)
        except TransactionRefused as refused:
            raise refusal from refused


_NOT_AUDITED = {"id", "version", "created_at", "updated_at", "health", "pinned"}


def _audited(skill: Skill) -> Values:
    return skill.model_dump(mode="json", exclude=_NOT_AUDITED)


def _pinned_tools(skill: Skill) -> Values:
    return {pin.name: pin.hash for pin in skill.pinned or ()}


def visible_skills(roster: Roster, caller: Caller) -> tuple[SkillCard, ...]:
    """Returns the cards the caller may see, by name: their own and shared ones; for an admin, all."""
    return tuple(card for card in roster.skills if _is_visible(card, caller))


def _health_text(health: Health) -> str:
    return health.model_dump_json(exclude_defaults=True)


def _is_visible(card: SkillCard, caller: Caller) -> bool:
    return card.shared or card.owner == caller.user or caller.has(ADMIN)


def _needs_an_admin(old: Skill, new: Skill) -> bool:
    is_secret_moved = new.secret is not None and (new.secret, new.url) != (old.secret, old.url)
    # A new address brings new tools, pinned as they come: for a shared skill that is sharing them.
    is_shared_anew = new.shared and (not old.shared or new.url != old.url)
    # Everybody's agents would use one person's account.
    is_signed_in_anew = new.sign_in is SignInScope.WORKSPACE and old.sign_in is not new.sign_in
    return is_secret_moved or is_shared_anew or is_signed_in_anew
