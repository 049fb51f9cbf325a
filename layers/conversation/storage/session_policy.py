"""What a tenant's session may do: the policy that goes along when the tenants' role is assumed.

A session may do what both its role and this policy allow, so no statement here is wider than the role's.
Asking for a session is `storage.sessions`' business.
"""

from __future__ import annotations

import json
from typing import Any

from storage import keys
from storage.keys import TenantId

ITEM_ACTIONS = (
    "dynamodb:BatchWriteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
)
"""No Scan: it names no key, and reads everybody's."""
KEY_USES = ("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncrypt*")


def session_policy(tenant: TenantId, *, table_arn: str) -> str:
    """The policy of the tenant's sessions, as JSON: its own partitions, of the table and of the indexes that
    list by user and tenant.
    """
    own = _partitions(tenant)
    statements = [
        {"Effect": "Allow", "Action": list(ITEM_ACTIONS), "Resource": table_arn, "Condition": own},
        {
            "Effect": "Allow",
            "Action": "dynamodb:Query",
            "Resource": [f"{table_arn}/index/{index.name}" for index in (keys.BY_USER, keys.BY_TENANT)],
            "Condition": own,
        },
        {
            "Effect": "Allow",
            "Action": list(KEY_USES),
            "Resource": "*",
            "Condition": {"StringLike": {"kms:ViaService": "dynamodb.*"}},
        },
    ]
    return json.dumps({"Version": "2012-10-17", "Statement": statements}, separators=(",", ":"))


def _partitions(tenant: TenantId) -> dict[str, Any]:
    """Holds where a request names partitions, and all of them are the tenant's."""
    # "For all values" holds for none as well: a request that names no partition has to be refused by itself.
    return {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": f"{keys.tenant_prefix(tenant)}*"},
        "Null": {"dynamodb:LeadingKeys": "false"},
    }
