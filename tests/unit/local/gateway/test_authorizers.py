from __future__ import annotations

from typing import Any

import pytest

from local.gateway.authorizers import allows

ARN = "arn:aws:execute-api:local:000000000000:local/dev/GET/v1/agents/7"
BASE = "arn:aws:execute-api:local:000000000000:local/dev"


def statement(effect: str, resource: Any, action: Any = "execute-api:Invoke") -> dict[str, Any]:
    return {"Effect": effect, "Action": action, "Resource": resource}


@pytest.mark.parametrize(
    "statements",
    [
        [statement("Allow", "*")],
        [statement("Allow", f"{BASE}/*")],
        [statement("Allow", f"{BASE}/GET/v1/agents/?")],
        [statement("Allow", [f"{BASE}/POST/*", f"{BASE}/GET/*"])],
        [statement("Allow", "*", "execute-api:*")],
        [statement("Allow", "*", ["s3:Get*", "Execute-Api:Invoke"])],
        [statement("Deny", f"{BASE}/POST/*"), statement("Allow", f"{BASE}/*")],
        statement("Allow", "*"),
    ],
)
def test_a_method_is_allowed(statements: Any) -> None:
    assert allows({"Version": "2012-10-17", "Statement": statements}, ARN)


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [statement("Deny", f"{BASE}/*"), statement("Allow", "*")],
        [statement("Allow", f"{BASE}/POST/*")],
        [statement("Allow", "arn:aws:execute-api:local:000000000000:local/other/*")],
        [statement("Allow", "*", "s3:GetObject")],
        [{"Effect": "Allow"}],
    ],
)
def test_a_method_is_not_allowed(statements: Any) -> None:
    assert not allows({"Version": "2012-10-17", "Statement": statements}, ARN)


@pytest.mark.parametrize("policy", [None, "Allow", {}])
def test_what_is_no_policy_allows_nothing(policy: Any) -> None:
    assert not allows(policy, ARN)
