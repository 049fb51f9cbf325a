"""The routes that read and change the tenant's policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BeforeValidator, ConfigDict, Field, JsonValue

from conversation.clock import Clock
from conversation.identity import ADMIN, Caller
from conversation.retention.shortening import Shortening, Shortenings
from conversation.tenants.audit import Act, AuditLog
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.retention_grace import is_shorter, with_grace
from conversation.tenants.store import PolicyChanged, TenantRecord, TenantStore
from edge.http.caller import AdminParam, CallerParam
from edge.http.parameters import parse_truth
from edge.http.problems import Problem
from edge.http.resolver import HttpApi
from edge.views.base import Moment, View

_TRIES = 3
MAX_UNKNOWN, MAX_NAMED = 10, 100
"""How many unknown names of models are told, and how many characters of each."""

ConfirmParam = Annotated[
    bool,
    BeforeValidator(parse_truth),
    Query(description="`true`: a retention shorter than before is meant."),
]
DryRunParam = Annotated[
    bool,
    BeforeValidator(parse_truth),
    Query(description="`true`: nothing is changed; the answer is what it would become."),
]
_GRACE = "The longer retention before this one, which still counts; null: none does. Ignored in requests."
_FILES = "How many files a message may have in this deployment. Ignored in requests."


def _read_only(description: str) -> Any:
    """A field of answers, which clients send back with the rest."""
    return Field(default=None, exclude=True, description=description, json_schema_extra={"readOnly": True})


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class PolicyReplacement(TenantPolicy):
    """A whole policy. A field that is left out gets its default."""

    retention_grace: JsonValue = _read_only(_GRACE)
    attachments_per_message: JsonValue = _read_only(_FILES)


class PolicyChange(TenantPolicy):
    """New values for some fields of the policy, in `limits`, `budget` and `brand` too. Only the fields that
    were given count.
    """

    # A client that is generated from the schema must not send what nobody gave.
    model_config = ConfigDict(json_schema_extra=_without_defaults)

    retention_grace: JsonValue = _read_only(_GRACE)
    attachments_per_message: JsonValue = _read_only(_FILES)


class RetentionGraceView(View):
    """The longer retention before the present one. It counts, and can be set again, until its end."""

    until: Moment
    retention_days: int
    archived_retention_days: int
    deleted_grace_days: int
    legal_hold: bool
    conversations: int | None = Field(
        description="How many conversations go at its end if nobody writes in them; null: you are no admin."
    )
    and_more: bool = Field(description="Whether there may be more than these.")

    @classmethod
    def of(cls, policy: TenantPolicy, found: Shortening | None, now: datetime) -> RetentionGraceView | None:
        """The policy's earlier retention while it counts. ``found`` None: nobody counted."""
        earlier = policy.earlier_retention
        if earlier is None or earlier.until <= now:
            return None
        return cls(
            until=earlier.until,
            retention_days=earlier.active_days,
            archived_retention_days=earlier.archived_days,
            deleted_grace_days=earlier.deleted_days,
            legal_hold=earlier.legal_hold,
            conversations=found.conversations if found else None,
            and_more=found is not None and not found.is_complete,
        )


class PolicyView(TenantPolicy):
    """The tenant's policy."""

    retention_grace: RetentionGraceView | None = Field(default=None, description=_GRACE)
    attachments_per_message: int = Field(description=_FILES)


@dataclass(frozen=True, slots=True)
class Policies:
    """Reads and changes policies for the routes."""

    tenants: TenantStore
    shortenings: Shortenings
    audit: AuditLog
    clock: Clock
    knows_model: Callable[[str], bool]
    """Whether the deployment or the catalogue has a model of this name."""
    attachments_per_message: int

    def view(self, caller: Caller, policy: TenantPolicy) -> PolicyView:
        """The policy, to admins with what a shorter retention takes."""
        found = self.shortenings.find(caller.tenant, policy) if caller.has(ADMIN) else None
        grace = RetentionGraceView.of(policy, found, self.clock.now())
        return PolicyView.model_construct(
            **dict(policy), retention_grace=grace, attachments_per_message=self.attachments_per_message
        )

    def replace(self, caller: Caller, policy: TenantPolicy, *, is_confirmed: bool) -> TenantPolicy:
        """Replace the policy.

        Raises:
            Problem: retention_shortened when the retention is shorter than before, and nobody confirmed that.
        """
        self._check_models(policy)
        record = self.tenants.record(caller.tenant)
        if is_shorter(policy, record.policy) and not is_confirmed:
            raise self._unconfirmed(caller, with_grace(policy, record.policy, self.clock.now()))
        return self._save(caller, record, policy, Act.POLICY_REPLACED)

    def change(self, caller: Caller, change: TenantPolicy, *, is_dry_run: bool) -> TenantPolicy:
        """Change the fields that were given; another change at the same moment is kept."""
        self._check_models(change)
        for is_last in (False,) * (_TRIES - 1) + (True,):
            record = self.tenants.record(caller.tenant)
            policy = record.policy.changed_by(change)
            if is_dry_run:
                return with_grace(policy, record.policy, self.clock.now())
            try:
                return self._save(caller, record, policy, Act.POLICY_CHANGED)
            except PolicyChanged:
                if is_last:
                    raise
        raise PolicyChanged

    def _check_models(self, policy: TenantPolicy) -> None:
        """Refuse names of no model: a misspelt one would switch models off unnoticed."""
        unknown = [name for name in policy.allowed_models or () if not self.knows_model(name)]
        if unknown:
            named = ", ".join(repr(name[:MAX_NAMED]) for name in unknown[:MAX_UNKNOWN])
            raise Problem(
                "model_unknown",
                f"allowed_models names no model with {named}; GET /v1/models lists those there are.",
            )

    def _save(self, caller: Caller, record: TenantRecord, policy: TenantPolicy, act: Act) -> TenantPolicy:
        before, after = map(_recorded, (record.policy, policy))
        recorded = self.audit.build_record(caller, act, before=before, after=after)
        return self.tenants.replace(record, policy, extra_actions=(recorded,)).policy

    def _unconfirmed(self, caller: Caller, policy: TenantPolicy) -> Problem:
        grace = self.view(caller, policy).retention_grace
        return Problem(
            "retention_shortened",
            "This replaces the whole policy, and would keep data for a shorter time than now. Change single"
            " fields with PATCH, or confirm it with ?confirm=true.",
            members={"retention_grace": grace.model_dump(mode="json") if grace else None},
        )


def _recorded(policy: TenantPolicy) -> dict[str, JsonValue]:
    """Return the policy's values for the audit log, a logo as its kind and size."""
    values = policy.model_dump(mode="json")
    if logo := policy.brand.logo:
        values["brand"]["logo"] = f"{logo.partition(';')[0]}, {len(logo):,} characters"
    return values


def register_routes(api: HttpApi, policies: Policies) -> None:
    """Registers the routes with the API."""

    @api.get("/v1/tenant/policy", summary="Read what your tenant decided", tags=["tenant"])
    def read_policy(caller: CallerParam) -> PolicyView:
        return policies.view(caller, policies.tenants.record(caller.tenant).policy)

    @api.patch(
        "/v1/tenant/policy",
        summary="Change some fields of your tenant's policy (role admin)",
        tags=["tenant"],
    )
    def change_policy(caller: AdminParam, body: PolicyChange, dry_run: DryRunParam = False) -> PolicyView:
        return policies.view(caller, policies.change(caller, body, is_dry_run=dry_run))

    @api.put(
        "/v1/tenant/policy",
        summary="Replace your tenant's whole policy: what is left out gets its default (role admin)",
        tags=["tenant"],
    )
    def replace_policy(
        caller: AdminParam, body: PolicyReplacement, confirm: ConfirmParam = False
    ) -> PolicyView:
        policy = TenantPolicy.model_validate(body.model_dump())
        return policies.view(caller, policies.replace(caller, policy, is_confirmed=confirm))
