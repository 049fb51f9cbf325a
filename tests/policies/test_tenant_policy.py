"""A tenant's session reaches what is that tenant's, by every action the code has, and nothing else.

The policy the code sends and the role of the template are decided on together, and each by itself: neither
may lean on the other.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import Any

import pytest

from local.template.sam_translation import read_template
from storage import keys
from storage.dynamodb.tenant_sessions import session_policy
from storage.keys import TenantId
from tests.built.deployed_stack import deployed
from tests.policies.policy_simulator import ROOT, TABLE, Asked, Policy, Rights, allowed

ACME = TenantId("acme")
OTHERS = [
    TenantId(name) for name in ("acme-eu", "acme2", "acme_", "acm", "a", "Acme", "globex", "T", "t" * 128)
]
OF_ITEMS = ("BatchWriteItem", "ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem")
NEEDED_BY_NOBODY = (
    "Scan",
    "BatchGetItem",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLSelect",
    "PartiQLUpdate",
    "DeleteTable",
    "DescribeTable",
    "ExportTableToPointInTime",
    "UpdateTable",
)
TELLING = ("GetItem", "BatchWriteItem", "Query", "Scan", "PartiQLSelect")
"""Of these each mistake shows."""
OF_NOBODY = ("RETENTION", "DUE#2026-01-01#0", "T#acme", "T#", "t#acme#W", " T#acme#W", "*", "T#*#W", "acme#W")
PARAMETERS = {"Issuers": "https://id.example", "Audience": "chat", "TenantCredentials": "on"}


def partitions(tenant: TenantId) -> list[str]:
    """One of each kind there is."""
    return [
        keys.conversation(tenant, "0f" * 16),
        keys.workspace(tenant),
        keys.agent(tenant, "1a").partition,
        keys.runs(tenant, "maya"),
        keys.tasks(tenant, "auth0|123"),
        keys.consents(tenant, "auth0|123"),
        keys.restorable(tenant, "auth0|123"),
        keys.search(tenant, "maya"),
        keys.user_quotas(tenant, "maya"),
        keys.budgets(tenant),
        keys.usage(tenant),
        keys.members(tenant),
        keys.erasures(tenant),
        keys.audit(tenant),
        keys.examples(tenant),
    ]


def own() -> Iterator[Asked]:
    """What acme's turns, lists, tasks, sweeps and erasures ask for."""
    for action in OF_ITEMS:
        yield from (Asked(f"dynamodb:{action}", TABLE, (partition,)) for partition in partitions(ACME))
        yield Asked(f"dynamodb:{action}", TABLE, tuple(partitions(ACME)))
    for index, partition in (("by_user", keys.by_user(ACME, "maya")), ("by_tenant", keys.by_tenant(ACME))):
        yield Asked("dynamodb:Query", f"{TABLE}/index/{index}", (partition,))


def foreign() -> Iterator[Asked]:
    """What acme's sessions must not be able to ask for."""
    mine = keys.workspace(ACME)
    for action in OF_ITEMS:
        for partition in (*(keys.workspace(tenant) for tenant in OTHERS), *OF_NOBODY):
            yield Asked(f"dynamodb:{action}", TABLE, (partition,))
        for partition in (keys.workspace(OTHERS[0]), keys.conversation(OTHERS[-1], "c"), *OF_NOBODY[:2]):
            yield Asked(f"dynamodb:{action}", TABLE, (mine, partition))
            yield Asked(f"dynamodb:{action}", TABLE, (partition, mine))
        yield Asked(f"dynamodb:{action}", TABLE, None)
        yield Asked(f"dynamodb:{action}", f"{TABLE}-copy", (mine,))
    for tenant in OTHERS:
        yield Asked("dynamodb:Query", f"{TABLE}/index/by_user", (keys.by_user(tenant, "maya"),))
        yield Asked("dynamodb:Query", f"{TABLE}/index/by_tenant", (keys.by_tenant(tenant),))
    for index in ("by_user", "by_tenant", "due"):
        yield Asked("dynamodb:Query", f"{TABLE}/index/{index}", None)
        yield Asked("dynamodb:Scan", f"{TABLE}/index/{index}", (mine,))
        yield Asked("dynamodb:Query", f"{TABLE}/index/{index}", (keys.due_on(date(2026, 1, 1), 0),))
    yield Asked("dynamodb:Query", f"{TABLE}/index/due", (mine,))
    for action in NEEDED_BY_NOBODY:
        yield Asked(f"dynamodb:{action}", TABLE, None)
        yield Asked(f"dynamodb:{action}", TABLE, (mine,))


def of_session(tenant: TenantId = ACME) -> dict[str, Any]:
    policy: dict[str, Any] = json.loads(session_policy(tenant, table_arn=TABLE))
    return policy


@cache
def of_role() -> list[Policy]:
    """The policies of the template's role, with the table where this one's is."""
    role = deployed(read_template(ROOT / "template.yaml"), PARAMETERS).resources["TenantRole"]["Properties"]
    documents = json.dumps([policy["PolicyDocument"] for policy in role["Policies"]])
    policies: list[Policy] = json.loads(documents.replace("Table.Arn", TABLE))
    return policies


def judged() -> Iterator[tuple[Asked, bool]]:
    """All of it, and whether it has to be allowed."""
    yield from ((asked, True) for asked in own())
    yield from ((asked, False) for asked in foreign())


def wrong(rights: Rights) -> list[str]:
    """Every request that is decided otherwise than it should be."""
    expected = list(judged())
    decided = allowed([(asked, rights) for asked, _ in expected])
    return [
        f"{asked.action} {asked.partitions} {'allowed' if is_allowed else 'refused'}"
        for (asked, should_be), is_allowed in zip(expected, decided, strict=True)
        if is_allowed is not should_be
    ]


def test_a_session_as_the_code_asks_for_it_reaches_all_that_is_its_tenants_and_nothing_else() -> None:
    assert len([*own(), *foreign()]) >= 200
    assert wrong(Rights(of_role(), of_session())) == []


def test_the_policy_of_a_session_needs_no_role_that_is_narrow() -> None:
    assert wrong(Rights([of_session()])) == []


def test_the_role_by_itself_reaches_nothing_that_is_no_tenants() -> None:
    asked = [
        each for each in foreign() if not (each.partitions and all(map(is_some_tenants, each.partitions)))
    ]
    decided = allowed([(each, Rights(of_role())) for each in asked])
    assert [each for each, is_allowed in zip(asked, decided, strict=True) if is_allowed] == []


def is_some_tenants(partition: str) -> bool:
    return partition.startswith("T#") and partition.count("#") > 1


def bound_to(partition: str) -> Callable[[Policy], None]:
    def plant(policy: Any) -> None:
        for statement in policy["Statement"][:2]:
            statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] = partition

    return plant


def scanning(policy: Any) -> None:
    policy["Statement"].append({"Effect": "Allow", "Action": "dynamodb:Scan", "Resource": TABLE})


def of_any_name(policy: Any) -> None:
    policy["Statement"][0]["Action"] = "dynamodb:*"


def without_null(policy: Any) -> None:
    for statement in policy["Statement"][:2]:
        del statement["Condition"]["Null"]


def of_some_values(policy: Any) -> None:
    for statement in policy["Statement"][:2]:
        condition = statement["Condition"]
        condition["ForAnyValue:StringLike"] = condition.pop("ForAllValues:StringLike")


def without_condition(policy: Any) -> None:
    del policy["Statement"][0]["Condition"]


def without_index(policy: Any) -> None:
    policy["Statement"][1]["Resource"] = policy["Statement"][1]["Resource"][:1]


def with_every_index(policy: Any) -> None:
    policy["Statement"][1]["Resource"] = f"{TABLE}/index/*"
    del policy["Statement"][1]["Condition"]


def of_every_table(policy: Any) -> None:
    policy["Statement"][0]["Resource"] = "*"


PLANTED: dict[str, tuple[Callable[[Any], None], str]] = {
    "any partition": (bound_to("*"), "dynamodb:GetItem ('T#globex#W',) allowed"),
    "no closing delimiter": (bound_to("T#acme*"), "dynamodb:GetItem ('T#acme-eu#W',) allowed"),
    "no kind": (bound_to("*acme#*"), "dynamodb:GetItem ('acme#W',) allowed"),
    "scanning": (scanning, "dynamodb:Scan None allowed"),
    "any action": (of_any_name, "dynamodb:PartiQLSelect ('T#acme#W',) allowed"),
    "no partition named": (without_null, "dynamodb:Query None allowed"),
    "one of several": (of_some_values, "dynamodb:BatchWriteItem ('T#acme#W', 'T#acme-eu#W') allowed"),
    "no condition": (without_condition, "dynamodb:GetItem ('T#acme-eu#W',) allowed"),
    "an index missing": (without_index, "dynamodb:Query ('T#acme#ALL',) refused"),
    "every index": (with_every_index, "dynamodb:Query ('DUE#2026-01-01#0',) allowed"),
    "every table": (of_every_table, "dynamodb:GetItem ('T#acme#W',) allowed"),
}


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """What each planted mistake makes wrong; decided in one go."""
    expected = [each for each in judged() if each[0].action.removeprefix("dynamodb:") in TELLING]
    questions: list[tuple[Asked, Rights]] = []
    for plant, _ in PLANTED.values():
        policy = copy.deepcopy(of_session())
        plant(policy)
        questions += [(asked, Rights([policy])) for asked, _ in expected]
    decided = iter(allowed(questions))
    return {
        name: [
            f"{asked.action} {asked.partitions} {'refused' if should_be else 'allowed'}"
            for asked, should_be in expected
            if next(decided) is not should_be
        ]
        for name in PLANTED
    }


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found(name: str, found: dict[str, Sequence[str]]) -> None:
    assert PLANTED[name][1] in found[name]
