"""Every key and index of the table, built in this one module from a validated tenant.

A partition key starts with its tenant's prefix *including* the closing delimiter, so that ``acme`` never
matches ``acme-eu``. Reading and writing are not done here.
"""

from __future__ import annotations

import hashlib
import re
from datetime import date
from typing import NewType
from urllib.parse import quote, unquote

from storage.table import Index, Key

TenantId = NewType("TenantId", str)

BY_USER = Index("by_user", "by_user", "updated_at", ("title", "status", "count", "created_at"))
BY_TENANT = Index("by_tenant", "by_tenant", "created_at")
DUE = Index("due", "due", "created_at")
INDEXES = (BY_USER, BY_TENANT, DUE)

HEAD = "HEAD"
POLICY = "POLICY"
MESSAGE_PREFIX = "M#"
IDEMPOTENCY_PREFIX = "K#"
AGENT_CARD_PREFIX = "A#"
RUN_PREFIX = "R#"
EXAMPLE_PREFIX = "E#"
DUE_SHARDS = 16
MAX_SEQUENCE = 10**12 - 1

MAX_USER_BYTES = 255
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")


class InvalidIdentity(ValueError):
    """A tenant or user name that can't be part of a key."""


def parse_tenant(claim: object) -> TenantId:
    """The tenant a token names.

    Raises:
        InvalidIdentity: for anything but a string of 1 to 128 letters, digits, ``_`` and ``-`` that starts
            with a letter or digit.
    """
    if not isinstance(claim, str) or not _TENANT.fullmatch(claim):
        raise InvalidIdentity("the tenant is not a valid tenant name")
    return TenantId(claim)


def parse_user(claim: object) -> str:
    """The user a token names, unchanged: identity providers send ``auth0|123`` as well as mail addresses.

    Raises:
        InvalidIdentity: for anything but a non-blank string of at most 255 UTF-8 bytes without control
            characters.
    """
    if not isinstance(claim, str) or not claim.strip() or not claim.isprintable():
        raise InvalidIdentity("the user is not a valid user name")
    if len(claim.encode("utf-8", "surrogatepass")) > MAX_USER_BYTES:
        raise InvalidIdentity("the user name is too long")
    return claim


def encode_user(user: str) -> str:
    """The user in the key alphabet: everything but letters, digits and ``_.-~`` percent-encoded, so never a
    delimiter."""
    return quote(user, safe="")


def decode_user(encoded: str) -> str:
    """The user that `encode_user` encoded."""
    return unquote(encoded)


def tenant_prefix(tenant: TenantId) -> str:
    """What every partition of the tenant starts with, closing delimiter included."""
    return f"T#{tenant}#"


def conversation(tenant: TenantId, conversation_id: str) -> str:
    """The partition that holds a conversation's head, messages and idempotency records."""
    return f"{tenant_prefix(tenant)}C#{conversation_id}"


def head(tenant: TenantId, conversation_id: str) -> Key:
    """The one item that says whose a conversation is and what waits in it."""
    return Key(conversation(tenant, conversation_id), HEAD)


def message(tenant: TenantId, conversation_id: str, sequence: int) -> Key:
    """The message at a place in the conversation, counted from 1."""
    return Key(conversation(tenant, conversation_id), f"{MESSAGE_PREFIX}{sequence:012d}")


def message_sequence(sort: str) -> int:
    """The place a message's sort key names."""
    return int(sort.removeprefix(MESSAGE_PREFIX))


def idempotency(tenant: TenantId, conversation_id: str, key_hash: str) -> Key:
    """The record that refuses a second turn under the same Idempotency-Key."""
    return Key(conversation(tenant, conversation_id), f"{IDEMPOTENCY_PREFIX}{key_hash}")


def by_user(tenant: TenantId, user: str) -> str:
    """The partition of the `by_user` index that lists a user's conversations by last activity."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}"


def by_tenant(tenant: TenantId) -> str:
    """The partition of the `by_tenant` index that lists a tenant's conversations by creation."""
    return f"{tenant_prefix(tenant)}ALL"


def due(day: date, conversation_id: str) -> str:
    """The partition of the `due` index a conversation is swept from; the one key without a tenant prefix."""
    shard = hashlib.sha256(conversation_id.encode()).digest()[0] % DUE_SHARDS
    return f"DUE#{day.isoformat()}#{shard}"


def workspace(tenant: TenantId) -> str:
    """The partition of what a turn needs to know of its tenant: the policy, and a card per agent and
    skill."""
    return f"{tenant_prefix(tenant)}W"


def policy(tenant: TenantId) -> Key:
    """The tenant's policy; its absence means the tenant was never registered."""
    return Key(workspace(tenant), POLICY)


def agent_card(tenant: TenantId, owner: str, name: str) -> Key:
    """The short form of an agent; the key holds the name, so two agents of one owner can't share it."""
    return Key(workspace(tenant), f"{AGENT_CARD_PREFIX}{encode_user(owner)}#{name}")


def agent(tenant: TenantId, agent_id: str) -> Key:
    """An agent in full."""
    return Key(f"{tenant_prefix(tenant)}A#{agent_id}", "AGENT")


def runs(tenant: TenantId, user: str) -> str:
    """The partition of a user's runs, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#RUNS"


def run(tenant: TenantId, user: str, run_id: str) -> Key:
    """One run; its id begins with its time, so a user's runs sort by it."""
    return Key(runs(tenant, user), f"{RUN_PREFIX}{run_id}")


def examples(tenant: TenantId) -> str:
    """The partition of the tenant's labelled examples, by time."""
    return f"{tenant_prefix(tenant)}EXAMPLES"


def example(tenant: TenantId, example_id: str) -> Key:
    """One labelled example; its id begins with its time."""
    return Key(examples(tenant), f"{EXAMPLE_PREFIX}{example_id}")
