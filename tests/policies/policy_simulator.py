"""IAM's decisions, by `@cloud-copilot/iam-simulate`; AWS itself is never asked.

It knows every action's resources and condition keys and refuses to evaluate what AWS would refuse to take.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.fakes.run.node import node

ROOT = Path(__file__).parents[2]
ACCOUNT = "123456789012"
TABLE = f"arn:aws:dynamodb:eu-west-1:{ACCOUNT}:table/omniforge"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/omniforge"

Policy = Mapping[str, Any]


class Asked(NamedTuple):
    """A request to DynamoDB as IAM sees it; ``partitions`` None: it names none."""

    action: str
    resource: str = TABLE
    partitions: tuple[str, ...] | None = None


class Rights(NamedTuple):
    """What decides for whoever asks: the role's policies, and the session's."""

    role: Sequence[Policy]
    session: Policy | None = None


def allowed(asked: Sequence[tuple[Asked, Rights]]) -> list[bool]:
    """Whether IAM would allow each of the requests."""
    simulations = json.dumps([_simulation(each, rights) for each, rights in asked])
    ended = subprocess.run(
        [node(), "evaluate.mjs"],
        cwd=Path(__file__).parent,
        input=simulations,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, f"make test installs what this needs\n{ended.stderr}"
    verdicts = json.loads(ended.stdout)
    assert [verdict for verdict in verdicts if "errors" in verdict] == []
    return [verdict["verdict"] == "Allowed" for verdict in verdicts]


def _simulation(asked: Asked, rights: Rights) -> dict[str, Any]:
    leading = {} if asked.partitions is None else {"dynamodb:LeadingKeys": list(asked.partitions)}
    policies = [{"name": str(place), "policy": policy} for place, policy in enumerate(rights.role)]
    session = {} if rights.session is None else {"sessionPolicy": rights.session}
    return {
        "request": {
            "principal": ROLE
            if rights.session is None
            else ROLE.replace(":iam:", ":sts:").replace("role/", "assumed-role/") + "/t",
            "action": asked.action,
            "resource": {"resource": asked.resource, "accountId": ACCOUNT},
            "contextVariables": leading,
        },
        "identityPolicies": policies,
        **session,
    }
