"""What there is of a user and a tenant in the table besides conversations: the one list an erasure goes by.

Whoever adds a partition to `storage.keys` adds it here; a test fails for every key that is not reached from
these lists, from the workspace or from a conversation.
"""

from __future__ import annotations

from collections.abc import Mapping

from storage import keys
from storage.keys import TenantId


def of_user(tenant: TenantId, user: str) -> Mapping[str, str]:
    """The partitions that are the user's alone, by what they hold."""
    return {
        "runs": keys.runs(tenant, user),
        "tasks": keys.tasks(tenant, user),
        "search_records": keys.search(tenant, user),
    }


def of_tenant(tenant: TenantId) -> Mapping[str, str]:
    """The partitions of all of a tenant's users together, by what they hold."""
    return {
        "examples": keys.examples(tenant),
        "budget_records": keys.budgets(tenant),
        "usage_records": keys.usage(tenant),
        "audit_records": keys.audit(tenant),
    }


def kind_in_conversation(sort: str) -> str:
    """What an item of a conversation's partition is, by its sort key."""
    kinds = {
        keys.MESSAGE_PREFIX: "messages",
        keys.SUMMARY: "summaries",
        keys.SUMMARY_PREFIX: "summaries",
        keys.FEEDBACK_PREFIX: "feedback",
        keys.IDEMPOTENCY_PREFIX: "idempotency_records",
        keys.FRAME_PREFIX: "frames",
    }
    return next((kind for prefix, kind in kinds.items() if sort.startswith(prefix)), "other_records")
