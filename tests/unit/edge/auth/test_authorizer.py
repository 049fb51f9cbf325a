from __future__ import annotations

from typing import Any

import pytest

from conversation.erasure.requests import Erasures
from conversation.identity import Caller
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from edge.auth.authorizer import STALE_TENANT_MAX_AGE_S, Authorizer, Unauthorized
from edge.auth.jwks import KeySet, KeysUnavailable
from edge.auth.settings import ClaimNames
from edge.auth.tokens import TokenVerifier
from edge.http.closed_users import is_closed
from storage.errors import StorageUnreachable
from storage.keys import parse_tenant
from storage.sqlite.table import SqliteTable
from storage.tenant_table import Tables
from tests.fakes.aws.tables import ObservedTable
from tests.fakes.identity.issuers import AUDIENCE, Issuer
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.clocks import ManualClock

ARN = "arn:aws:execute-api:eu-west-1:000000000000:abc123/dev/GET/v1/conversations/x"
NAMES = ClaimNames(tenant="tenant", user="sub", roles="roles")


@pytest.fixture
def tenants(clock: ManualClock) -> TenantStore:
    return TenantStore(tables=Tables(SqliteTable(":memory:")), clock=clock)


def decide(
    issuer: Issuer,
    clock: ManualClock,
    tenants: TenantStore,
    *,
    names: ClaimNames = NAMES,
    registered_only: bool = False,
    **claims: object,
) -> dict[str, Any]:
    verifier = TokenVerifier(
        issuers={issuer.url: KeySet(issuer.url, clock=clock)},
        audience=AUDIENCE,
        algorithms=("RS256",),
        clock=clock,
    )
    authorizer = Authorizer(
        verifier=verifier, claims=names, tenants=tenants, registered_only=registered_only, clock=clock
    )
    token = issuer.token(clock.now(), changes=claims)
    return authorizer.decide({"type": "TOKEN", "methodArn": ARN, "authorizationToken": f"Bearer {token}"})


def statement(policy: dict[str, Any]) -> tuple[str, str]:
    (only,) = policy["policyDocument"]["Statement"]
    return only["Effect"], only["Resource"]


def test_a_good_token_is_let_into_the_whole_stage_as_whom_it_names(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    policy = decide(issuer, clock, tenants, roles=["admin", "service"], zoneinfo="Europe/Paris")

    assert statement(policy) == ("Allow", "arn:aws:execute-api:eu-west-1:000000000000:abc123/dev/*")
    assert policy["context"] == {
        "tenant": "acme",
        "user": "maya",
        "roles": "admin service",
        "exp": str(int(clock.now().timestamp()) + 3_600),
        "zoneinfo": "Europe/Paris",
    }


def test_functions_are_told_where_no_history_is_kept(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    tenants.save(parse_tenant("acme"), TenantPolicy(history="off"))
    assert decide(issuer, clock, tenants)["context"]["history"] == "off"


@row("E19")
@pytest.mark.parametrize(
    "tenant",
    [
        ["acme"],
        1,
        None,
        "",
        "*",
        "t1#USER",
        "t1 ",
        " t1",
        "acme\n",
        "a" * 129,
        "-acme",
        "_a",
        "ä",
        {"a": 1},
        ...,
        True,
    ],
)
def test_a_tenant_that_can_be_no_tenant_is_forbidden(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore, tenant: object
) -> None:
    policy = decide(issuer, clock, tenants, tenant=tenant)

    assert statement(policy)[0] == "Deny"
    assert policy["context"] == {"code": "tenant_invalid"}


@row("E19")
@pytest.mark.parametrize("tenant", ["a", "T1", "acme-eu_2", "a" * 64, "a" * 128])
def test_a_tenant_keeps_its_spelling(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore, tenant: str
) -> None:
    assert decide(issuer, clock, tenants, tenant=tenant)["context"]["tenant"] == tenant


@pytest.mark.parametrize("user", ["", "  ", "x" * 256, "a\nb"])
def test_a_user_that_can_be_no_user_is_forbidden(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore, user: str
) -> None:
    assert decide(issuer, clock, tenants, sub=user)["context"] == {"code": "user_invalid"}


@row("E20")
def test_a_suspended_tenant_is_kept_out_until_it_is_resumed(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    acme = parse_tenant("acme")
    tenants.register(acme, name="Acme")

    tenants.suspend(acme)
    assert decide(issuer, clock, tenants)["context"] == {"code": "tenant_inactive"}
    tenants.resume(acme)
    assert statement(decide(issuer, clock, tenants))[0] == "Allow"


@row("E20")
def test_where_tenants_register_an_unknown_one_is_kept_out(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    assert decide(issuer, clock, tenants, registered_only=True)["context"] == {"code": "tenant_inactive"}
    tenants.register(parse_tenant("acme"), name="Acme")
    assert statement(decide(issuer, clock, tenants, registered_only=True))[0] == "Allow"


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("admin operator", "admin operator"),
        (["admin", 5, None, "two words", "service"], "admin service"),
        ({"admin": True}, ""),
        (5, ""),
        (..., ""),
    ],
)
def test_roles_are_a_list_or_words(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore, roles: object, expected: str
) -> None:
    assert decide(issuer, clock, tenants, roles=roles)["context"]["roles"] == expected


def test_claims_may_have_other_names_dots_leading_into_objects(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    names = ClaimNames(tenant="https://acme.example/tenant", user="email", roles="realm_access.roles")
    claims: dict[str, Any] = {
        "https://acme.example/tenant": "acme-eu",
        "email": "maya@acme.example",
        "realm_access": {"roles": ["admin"]},
    }

    context = decide(issuer, clock, tenants, names=names, **claims)["context"]

    assert (context["tenant"], context["user"], context["roles"]) == ("acme-eu", "maya@acme.example", "admin")


@pytest.mark.parametrize("zone", ["Europe/Paris\nx", "x" * 65, 5, ["UTC"], "<script>"])
def test_an_odd_time_zone_is_none(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore, zone: object
) -> None:
    assert decide(issuer, clock, tenants, zoneinfo=zone)["context"]["zoneinfo"] == ""


def test_a_token_that_proves_nothing_is_unauthorized_in_the_gateways_own_word(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    with pytest.raises(Unauthorized) as refused:
        decide(issuer, clock, tenants, aud="other")
    assert str(refused.value) == "Unauthorized"


def test_keys_that_can_not_be_had_are_no_reason_to_send_a_user_away(
    issuer: Issuer, clock: ManualClock, tenants: TenantStore
) -> None:
    issuer.status = 500

    with pytest.raises(KeysUnavailable):
        decide(issuer, clock, tenants)


def test_a_user_whose_things_are_being_erased_is_kept_out_alone(issuer: Issuer, clock: ManualClock) -> None:
    tables, maya = Tables(SqliteTable(":memory:")), Caller(parse_tenant("acme"), "maya")
    tenants = TenantStore(tables=tables, clock=clock)
    Erasures(tables=tables, clock=clock).request_for_user(maya, maya.user)
    kept_out = decide(issuer, clock, tenants, sub=maya.user)
    assert statement(kept_out)[0] == "Deny"
    assert kept_out["context"] == {"code": "user_being_erased"}
    assert statement(decide(issuer, clock, tenants, sub="noah"))[0] == "Allow"


def test_a_service_is_told_for_whom_it_must_not_act(issuer: Issuer, clock: ManualClock) -> None:
    tables, maya = Tables(SqliteTable(":memory:")), Caller(parse_tenant("acme"), "maya")
    tenants = TenantStore(tables=tables, clock=clock)
    before = decide(issuer, clock, tenants, sub="backend", roles=["service"])["context"]
    Erasures(tables=tables, clock=clock).request_for_user(maya, maya.user)
    backend = decide(issuer, clock, tenants, sub="backend", roles=["service"])["context"]
    admin = decide(issuer, clock, tenants, sub="ana", roles=["admin"])["context"]

    assert is_closed(backend, "maya")
    assert not is_closed(backend, "noah")
    assert "maya" not in str(backend)
    assert "closed_users" not in before
    assert "closed_users" not in admin


class Unreachable:
    """A table out of reach from now on."""

    def __init__(self) -> None:
        self.is_down = False

    def __call__(self, name: str, when: str) -> None:
        if self.is_down:
            raise StorageUnreachable


def test_while_storage_is_down_a_tenant_is_what_it_was_for_ten_minutes(
    issuer: Issuer, clock: ManualClock
) -> None:
    outage = Unreachable()
    store = TenantStore(tables=Tables(ObservedTable(SqliteTable(":memory:"), outage)), clock=clock)
    store.register(parse_tenant("acme"))
    verifier = TokenVerifier(
        issuers={issuer.url: KeySet(issuer.url, clock=clock)},
        audience=AUDIENCE,
        algorithms=("RS256",),
        clock=clock,
    )
    authorizer = Authorizer(verifier=verifier, claims=NAMES, tenants=store, registered_only=True, clock=clock)

    def asked(tenant: str = "acme") -> str:
        token = issuer.token(clock.now(), changes={"tenant": tenant})
        event = {"type": "TOKEN", "methodArn": ARN, "authorizationToken": f"Bearer {token}"}
        return statement(authorizer.decide(event))[0]

    assert asked() == "Allow"
    outage.is_down = True
    assert asked() == "Allow"
    with pytest.raises(StorageUnreachable):
        asked("globex")
    clock.advance(STALE_TENANT_MAX_AGE_S + 1)
    with pytest.raises(StorageUnreachable):
        asked()
