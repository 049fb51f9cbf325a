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

BY_USER = Index(
    "by_user", "by_user", "updated_at", ("title", "status", "count", "created_at", "pinned", "path", "hold")
)
BY_TENANT = Index("by_tenant", "by_tenant", "created_at")
DUE = Index("due", "due", "created_at")
INDEXES = (BY_USER, BY_TENANT, DUE)

HEAD = "HEAD"
POLICY = "POLICY"
METADATA = "DATA"
MESSAGE_PREFIX = "M#"
WINDOW_PREFIX = "M"
"""Of messages and of the summary, which sorts behind them all: newest first, it comes first."""
SUMMARY = "M~SUMMARY"
SUMMARY_PREFIX = "S#"
FEEDBACK_PREFIX = "F#"
IDEMPOTENCY_PREFIX = "K#"
FRAME_PREFIX = "P#"
"""Pieces of an answer under way."""
AGENT_CARD_PREFIX = "A#"
SKILL_CARD_PREFIX = "S#"
RUN_PREFIX = "R#"
TASK_PREFIX = "T#"
EXAMPLE_PREFIX = "E#"
DAY_PREFIX = "D#"
ERASURE_PREFIX = "X#"
AUDIT_PREFIX = "L#"
MEMBER_PREFIX = "U#"
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


def tenant_of(partition: str) -> TenantId:
    """The tenant a partition of the table belongs to.

    Raises:
        InvalidIdentity: none.
    """
    mark, _, rest = partition.partition("#")
    return parse_tenant(rest.partition("#")[0] if mark == "T" else None)


def conversation(tenant: TenantId, conversation_id: str) -> str:
    """The partition that holds a conversation's head, its messages, and all that is kept beside them."""
    return f"{tenant_prefix(tenant)}C#{conversation_id}"


def head(tenant: TenantId, conversation_id: str) -> Key:
    """The one item that says whose a conversation is and what waits in it."""
    return Key(conversation(tenant, conversation_id), HEAD)


def message(tenant: TenantId, conversation_id: str, sequence: int) -> Key:
    """The message at a place in the conversation, counted from 1."""
    return Key(conversation(tenant, conversation_id), f"{MESSAGE_PREFIX}{sequence:012d}")


def summary(tenant: TenantId, conversation_id: str) -> Key:
    """What a conversation's older messages come to."""
    return Key(conversation(tenant, conversation_id), SUMMARY)


def earlier_summary(tenant: TenantId, conversation_id: str, version: int) -> Key:
    """One version of the summary, kept so that what a turn was told can be told again."""
    return Key(conversation(tenant, conversation_id), f"{SUMMARY_PREFIX}{version:012d}")


def metadata(tenant: TenantId, conversation_id: str) -> Key:
    """What a client keeps with a conversation; not on its head, which every turn pays for."""
    return Key(conversation(tenant, conversation_id), METADATA)


def feedback(tenant: TenantId, conversation_id: str, sequence: int) -> Key:
    """What the user thinks of the message at a place in the conversation."""
    return Key(conversation(tenant, conversation_id), f"{FEEDBACK_PREFIX}{sequence:012d}")


def frames(tenant: TenantId, conversation_id: str, ulid: str, first: int) -> Key:
    """What a turn's stream told from its frame of that number on."""
    return Key(conversation(tenant, conversation_id), f"{frames_of(ulid)}{first:06d}")


def frames_of(ulid: str) -> str:
    """What the sort keys of a turn's `frames` start with."""
    return f"{FRAME_PREFIX}{ulid}#"


def message_sequence(sort: str) -> int:
    """The place a message's sort key names."""
    return int(sort.removeprefix(MESSAGE_PREFIX))


def idempotency(tenant: TenantId, conversation_id: str, key_hash: str) -> Key:
    """The record that refuses a second turn under the same Idempotency-Key."""
    return Key(conversation(tenant, conversation_id), f"{IDEMPOTENCY_PREFIX}{key_hash}")


def by_user(tenant: TenantId, user: str, shelf: str = "") -> str:
    """The partition of the `by_user` index that lists a user's conversations by last activity; those put away
    are on a shelf of their own.
    """
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}" + (f"#{shelf}" if shelf else "")


def user_of_list(partition: str) -> str:
    """The user whose conversations `by_user` lists in the partition."""
    return decode_user(partition.split("#")[3])


def by_tenant(tenant: TenantId) -> str:
    """The partition of the `by_tenant` index that lists a tenant's conversations by creation."""
    return f"{tenant_prefix(tenant)}ALL"


def due(day: date, conversation_id: str) -> str:
    """The partition of the `due` index a conversation is swept from; the one key without a tenant prefix."""
    shard = hashlib.sha256(conversation_id.encode()).digest()[0] % DUE_SHARDS
    return due_on(day, shard)


SWEEP = Key("RETENTION", "SWEEP")
"""How far the retention sweep of all tenants is; outside of every tenant."""


def due_on(day: date, shard: int) -> str:
    """One of the `DUE_SHARDS` partitions of the `due` index that `due` spreads a day's conversations over."""
    return f"DUE#{day.isoformat()}#{shard}"


def due_day_of(partition: str) -> date:
    """The day a partition of the `due` index is for."""
    return date.fromisoformat(partition.split("#")[1])


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


def user_of_card(sort: str) -> str:
    """The owner an `agent_card`'s sort key names."""
    return decode_user(sort.split("#")[1])


def agent(tenant: TenantId, agent_id: str) -> Key:
    """An agent in full."""
    return Key(f"{tenant_prefix(tenant)}A#{agent_id}", "AGENT")


def skill_card(tenant: TenantId, name: str) -> Key:
    """The short form of a skill; the key holds the name, so two skills of a tenant can't share it."""
    return Key(workspace(tenant), f"{SKILL_CARD_PREFIX}{name}")


def skill(tenant: TenantId, skill_id: str) -> Key:
    """A skill in full."""
    return Key(f"{tenant_prefix(tenant)}S#{skill_id}", "SKILL")


def runs(tenant: TenantId, user: str) -> str:
    """The partition of a user's runs, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#RUNS"


def user_of_runs(partition: str) -> str:
    """The user whose runs `runs` puts into the partition."""
    return decode_user(partition.split("#")[3])


def user_of_partition(tenant: TenantId, partition: str) -> str | None:
    """The user whose runs, tasks or search index the partition holds; None: it is no such partition."""
    owned = partition.removeprefix(f"{tenant_prefix(tenant)}U#")
    return None if owned == partition else decode_user(owned.partition("#")[0])


def run(tenant: TenantId, user: str, run_id: str) -> Key:
    """One run; its id begins with its time, so a user's runs sort by it."""
    return Key(runs(tenant, user), f"{RUN_PREFIX}{run_id}")


def run_record(tenant: TenantId, user: str, key_hash: str) -> Key:
    """The record that finds the run a user asked for under an Idempotency-Key."""
    return Key(runs(tenant, user), f"{IDEMPOTENCY_PREFIX}{key_hash}")


def seats(tenant: TenantId, user: str) -> Key:
    """The turns of a user that are under way, where there are many or they take long."""
    return Key(runs(tenant, user), "SEATS")


def search(tenant: TenantId, user: str) -> str:
    """The partition of all that finds a user's messages (`conversation.search.items`)."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#SEARCH"


def tasks(tenant: TenantId, user: str) -> str:
    """The partition of a user's tasks, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#TASKS"


def task(tenant: TenantId, user: str, task_id: str) -> Key:
    """One task; its id begins with its time."""
    return Key(tasks(tenant, user), f"{TASK_PREFIX}{task_id}")


def examples(tenant: TenantId) -> str:
    """The partition of the tenant's labelled examples, by time."""
    return f"{tenant_prefix(tenant)}EXAMPLES"


def example(tenant: TenantId, example_id: str) -> Key:
    """One labelled example; its id begins with its time."""
    return Key(examples(tenant), f"{EXAMPLE_PREFIX}{example_id}")


def budgets(tenant: TenantId) -> str:
    """The partition of what models cost the tenant, by day."""
    return f"{tenant_prefix(tenant)}BUDGET"


def budget(tenant: TenantId, day: date) -> Key:
    """What models cost the tenant on a day, and what is put aside for calls under way."""
    return Key(budgets(tenant), f"{DAY_PREFIX}{day.isoformat()}")


def bucket(tenant: TenantId) -> Key:
    """How fast the tenant's users sent messages lately, and how much was stored today."""
    return Key(budgets(tenant), "BUCKET")


def usage(tenant: TenantId) -> str:
    """The partition that counts what the tenant's users took of models."""
    return f"{tenant_prefix(tenant)}USAGE"


def usage_of_month(month: date, user: str | None = None) -> str:
    """What the sort keys of a month's counters start with, of all users or of one."""
    of_all = f"{DAY_PREFIX}{month.isoformat()[:7]}#"
    return of_all if user is None else f"{of_all}{encode_user(user)}#"


def usage_of_day(tenant: TenantId, user: str, day: date, shard: str) -> Key:
    """One of the counters of a user's day: month, user, day, so that one query reads a user's month as well
    as everybody's."""
    return Key(usage(tenant), f"{usage_of_month(day, user)}{day.isoformat()[8:]}#{shard}")


def user_of_usage(sort: str) -> str:
    """The user a sort key of `usage_of_day` names."""
    return decode_user(sort.split("#")[2])


def members(tenant: TenantId) -> str:
    """The partition that names every user of whom there is anything."""
    return f"{tenant_prefix(tenant)}USERS"


def member(tenant: TenantId, user: str) -> Key:
    """Says that there is something of the user."""
    return Key(members(tenant), f"{MEMBER_PREFIX}{encode_user(user)}")


def user_of_member(sort: str) -> str:
    """The user a sort key of `member` names."""
    return decode_user(sort.removeprefix(MEMBER_PREFIX))


def erasures(tenant: TenantId) -> str:
    """The partition of the tenant's erasures and their receipts, by time."""
    return f"{tenant_prefix(tenant)}ERASURES"


def erasure(tenant: TenantId, erasure_id: str) -> Key:
    """One erasure; its id begins with its time."""
    return Key(erasures(tenant), f"{ERASURE_PREFIX}{erasure_id}")


def audit(tenant: TenantId) -> str:
    """The partition of what was decided for the tenant, and who looked at what, by time."""
    return f"{tenant_prefix(tenant)}AUDIT"


def audit_record(tenant: TenantId, record_id: str) -> Key:
    """One act; its id begins with its time."""
    return Key(audit(tenant), f"{AUDIT_PREFIX}{record_id}")
