"""All keys and indexes of the table; this is the only module that builds them.

A partition key starts with its tenant's prefix *including* the closing delimiter, so that ``acme`` never
matches ``acme-eu``. This module does no reading or writing.
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
STATE_KEY = "STATEKEY"
METADATA = "DATA"
MESSAGE_PREFIX = "M#"
SUMMARY = "M~SUMMARY"
"""Sorts after all messages, so a newest-first query returns it first."""
SUMMARY_PREFIX = "S#"
FEEDBACK_PREFIX = "F#"
IDEMPOTENCY_PREFIX = "K#"
FRAME_PREFIX = "P#"
"""The recorded stream frames of a turn."""
AGENT_CARD_PREFIX = "A#"
SKILL_CARD_PREFIX = "S#"
ANSWER_PREFIX = "H#"
"""A tenant's own answers about the product."""
CONNECTION_PREFIX = "C#"
POSTING_LINK_PREFIX = "L#"
SIGN_IN_PREFIX = "I#"
SECRET_PREFIX = "N#"  # noqa: S105
LESSON_PREFIX = "L#"
"""What users corrected."""
RUN_PREFIX = "R#"
TASK_PREFIX = "T#"
CONSENT_PREFIX = "G#"
MAIL_RECIPIENT_PREFIX = "M#"
DELETED_AGENT_PREFIX = "Z#"
FORMER_PREFIX = "V#"
AGENT_CHANGE_PREFIX = "B#"
"""Of an agent: the values that one of its versions replaced."""
EXAMPLE_PREFIX = "E#"
DAY_PREFIX = "D#"
BUDGET_PREFIX = "B#"
QUOTA_PREFIX = "Q#"
ATTACHMENT_PREFIX = "B#"
"""A user's file, and in a conversation that it belongs to it."""
FILE_TEXT_PREFIX = "W#"
ERASURE_PREFIX = "X#"
AUDIT_PREFIX = "L#"
MEMBER_PREFIX = "U#"
DUE_SHARDS = 16
MAX_SEQUENCE = 10**12 - 1

_MAX_USER_BYTES = 255
_SECRET_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")


class InvalidIdentity(ValueError):
    """A tenant or user name that can't be part of a key."""


def parse_tenant(claim: object) -> TenantId:
    """The validated tenant name of a token.

    Raises:
        InvalidIdentity: for anything but a string of 1 to 128 letters, digits, ``_`` and ``-`` that starts
            with a letter or digit.
    """
    if not isinstance(claim, str) or not _TENANT.fullmatch(claim):
        raise InvalidIdentity("the tenant is not a valid tenant name")
    return TenantId(claim)


def parse_user(claim: object) -> str:
    """The validated user name of a token, unchanged. Identity providers send ``auth0|123`` as well as mail
    addresses.

    Raises:
        InvalidIdentity: for anything but a non-blank string of at most 255 UTF-8 bytes without control
            characters.
    """
    if not isinstance(claim, str) or not claim.strip() or not claim.isprintable():
        raise InvalidIdentity("the user is not a valid user name")
    if len(claim.encode("utf-8", "surrogatepass")) > _MAX_USER_BYTES:
        raise InvalidIdentity("the user name is too long")
    return claim


def encode_user(user: str) -> str:
    """The user name in the key alphabet. Everything but letters, digits and ``_.-~`` is percent-encoded, so
    it never contains a delimiter.
    """
    return quote(user, safe="")


def decode_user(encoded: str) -> str:
    """The user name that `encode_user` encoded."""
    return unquote(encoded)


def tenant_prefix(tenant: TenantId) -> str:
    """The prefix of all the tenant's partitions, closing delimiter included."""
    return f"T#{tenant}#"


def tenant_of(partition: str) -> TenantId:
    """The tenant that a partition of the table belongs to.

    Raises:
        InvalidIdentity: the partition belongs to no tenant.
    """
    mark, _, rest = partition.partition("#")
    return parse_tenant(rest.partition("#")[0] if mark == "T" else None)


def conversation(tenant: TenantId, conversation_id: str) -> str:
    """The partition of a conversation: its head, its messages and everything stored with them."""
    return f"{tenant_prefix(tenant)}C#{conversation_id}"


def conversation_id_of(partition: str) -> str:
    """The id of the conversation whose partition this is."""
    return partition.rpartition("#")[2]


def head(tenant: TenantId, conversation_id: str) -> Key:
    """The head of a conversation: its owner, status and inbox."""
    return Key(conversation(tenant, conversation_id), HEAD)


def message(tenant: TenantId, conversation_id: str, sequence: int) -> Key:
    """The message at a sequence number, counted from 1."""
    return Key(conversation(tenant, conversation_id), f"{MESSAGE_PREFIX}{sequence:012d}")


def summary(tenant: TenantId, conversation_id: str) -> Key:
    """The summary of a conversation's older messages."""
    return Key(conversation(tenant, conversation_id), SUMMARY)


def summary_version(tenant: TenantId, conversation_id: str, version: int) -> Key:
    """One version of the summary, kept so that a past turn's context can be rebuilt."""
    return Key(conversation(tenant, conversation_id), f"{SUMMARY_PREFIX}{version:012d}")


def metadata(tenant: TenantId, conversation_id: str) -> Key:
    """A client's metadata of a conversation. Not part of the head, because every turn pays for the head's
    size.
    """
    return Key(conversation(tenant, conversation_id), METADATA)


def feedback(tenant: TenantId, conversation_id: str, sequence: int) -> Key:
    """The user's feedback on the message at a sequence number."""
    return Key(conversation(tenant, conversation_id), f"{FEEDBACK_PREFIX}{sequence:012d}")


def frames(tenant: TenantId, conversation_id: str, ulid: str, first: int) -> Key:
    """The recorded stream frames of a turn, from frame number ``first`` on."""
    return Key(conversation(tenant, conversation_id), f"{frames_prefix(ulid)}{first:06d}")


def frames_prefix(ulid: str) -> str:
    """The prefix of the sort keys of a turn's `frames`."""
    return f"{FRAME_PREFIX}{ulid}#"


def message_sequence(sort: str) -> int:
    """The sequence number in a message's sort key."""
    return int(sort.removeprefix(MESSAGE_PREFIX))


def idempotency(tenant: TenantId, conversation_id: str, key_hash: str) -> Key:
    """The record that refuses a second turn under the same Idempotency-Key."""
    return Key(conversation(tenant, conversation_id), f"{IDEMPOTENCY_PREFIX}{key_hash}")


def attached(tenant: TenantId, conversation_id: str, attachment_id: str) -> Key:
    """The record that a message of the conversation has an attachment of its user."""
    return Key(conversation(tenant, conversation_id), f"{ATTACHMENT_PREFIX}{attachment_id}")


def file_text(tenant: TenantId, conversation_id: str, attachment_id: str) -> Key:
    """The text of an attachment of the conversation, for search."""
    return Key(conversation(tenant, conversation_id), f"{FILE_TEXT_PREFIX}{attachment_id}")


def attachment_id_of(sort: str) -> str:
    """The id in an `attached` or `attachment` sort key."""
    return sort.removeprefix(ATTACHMENT_PREFIX)


def by_user(tenant: TenantId, user: str, shelf: str = "") -> str:
    """The partition of the `by_user` index that lists a user's conversations by last activity. ``shelf`` is a
    status whose conversations are listed separately; empty for active ones.
    """
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}" + (f"#{shelf}" if shelf else "")


def by_tenant(tenant: TenantId) -> str:
    """The partition of the `by_tenant` index that lists a tenant's conversations by creation."""
    return f"{tenant_prefix(tenant)}ALL"


def due(day: date, conversation_id: str) -> str:
    """The partition of the `due` index from which a conversation is swept; the only index key without a
    tenant prefix.
    """
    shard = hashlib.sha256(conversation_id.encode()).digest()[0] % DUE_SHARDS
    return due_on(day, shard)


SWEEP = Key("RETENTION", "SWEEP")
"""The progress of the retention sweep over all tenants; belongs to no tenant."""


def due_on(day: date, shard: int) -> str:
    """One of the `DUE_SHARDS` partitions of the `due` index over which a day's conversations are spread."""
    return f"DUE#{day.isoformat()}#{shard}"


def due_day_of(partition: str) -> date:
    """The day of a `due` partition."""
    return date.fromisoformat(partition.split("#")[1])


def workspace(tenant: TenantId) -> str:
    """The partition of what a turn needs to know about its tenant: the policy, its own answers, its lessons,
    and one card per agent, skill and connection.
    """
    return f"{tenant_prefix(tenant)}W"


def policy(tenant: TenantId) -> Key:
    """The tenant's policy. When it is absent, the tenant was never registered."""
    return Key(workspace(tenant), POLICY)


def state_key(tenant: TenantId) -> Key:
    """The key that signs what clients of the tenant carry where no history is kept."""
    return Key(workspace(tenant), STATE_KEY)


def agent_card(tenant: TenantId, owner: str, name: str) -> Key:
    """The short form of an agent. The key contains the name, so two agents of one owner can't share it."""
    return Key(workspace(tenant), f"{AGENT_CARD_PREFIX}{encode_user(owner)}#{name}")


def user_of_card(sort: str) -> str:
    """The user in an `agent_card`, `connection_card` or `lesson` sort key."""
    return decode_user(sort.split("#")[1])


def agent(tenant: TenantId, agent_id: str) -> Key:
    """The full record of an agent."""
    return Key(f"{tenant_prefix(tenant)}A#{agent_id}", "AGENT")


def agent_state(tenant: TenantId, agent_id: str) -> Key:
    """What an agent's runs remember: what its check found, and which reason for not working was told."""
    return Key(f"{tenant_prefix(tenant)}A#{agent_id}", "STATE")


def skill_card(tenant: TenantId, name: str) -> Key:
    """The short form of a skill. The key contains the name, so two skills of a tenant can't share it."""
    return Key(workspace(tenant), f"{SKILL_CARD_PREFIX}{name}")


def connection_card(tenant: TenantId, user: str, skill_id: str) -> Key:
    """The short form of a connection; ``user`` empty: the whole tenant's."""
    return Key(workspace(tenant), f"{connection_cards_prefix(user)}{skill_id}")


def connection_cards_prefix(user: str) -> str:
    """The prefix of the sort keys of a user's `connection_card`s; empty: the tenant's."""
    return f"{CONNECTION_PREFIX}{encode_user(user)}#"


def tenant_answer(tenant: TenantId, answer_id: str) -> Key:
    """An answer that a tenant wrote or replaced."""
    return Key(workspace(tenant), f"{ANSWER_PREFIX}{answer_id}")


def lesson(tenant: TenantId, user: str, lesson_id: str) -> Key:
    """What a user taught about some words."""
    return Key(workspace(tenant), f"{lessons_prefix(user)}{lesson_id}")


def lessons_prefix(user: str) -> str:
    """The prefix of the lessons that a user taught."""
    return f"{LESSON_PREFIX}{encode_user(user)}#"


def skill(tenant: TenantId, skill_id: str) -> Key:
    """The full record of a skill."""
    return Key(f"{tenant_prefix(tenant)}S#{skill_id}", "SKILL")


def runs(tenant: TenantId, user: str) -> str:
    """The partition of a user's runs, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#RUNS"


def user_of(partition: str) -> str:
    """The user of a `by_user` or `runs` partition."""
    return decode_user(partition.split("#")[3])


def user_of_partition(tenant: TenantId, partition: str) -> str | None:
    """The user whose runs, tasks, consents or other own items the partition holds; None for any other."""
    owned = partition.removeprefix(f"{tenant_prefix(tenant)}U#")
    return None if owned == partition else decode_user(owned.partition("#")[0])


def run(tenant: TenantId, user: str, run_id: str) -> Key:
    """One run. Its id begins with its time, so a user's runs sort by time."""
    return Key(runs(tenant, user), f"{RUN_PREFIX}{run_id}")


def user_idempotency(tenant: TenantId, user: str, key_hash: str) -> Key:
    """The record by which a repeated request with the same Idempotency-Key finds what the first one made."""
    return Key(runs(tenant, user), f"{IDEMPOTENCY_PREFIX}{key_hash}")


def concurrency_slots(tenant: TenantId, user: str) -> Key:
    """The concurrency slots of a user's turns, stored only when there are many turns or they take long."""
    return Key(runs(tenant, user), "SEATS")


def user_quotas(tenant: TenantId, user: str) -> str:
    """The partition of what a user made, started and spent on models, by day."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#QUOTAS"


def user_quota(tenant: TenantId, user: str, day: date) -> Key:
    """What a user made and started on a day, by kind, and the bytes stored for the user."""
    return Key(user_quotas(tenant, user), f"{DAY_PREFIX}{day.isoformat()}")


def search(tenant: TenantId, user: str) -> str:
    """The partition of a user's search index (`conversation.search.index_items`)."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#SEARCH"


def tasks(tenant: TenantId, user: str) -> str:
    """The partition of a user's tasks, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#TASKS"


def task(tenant: TenantId, user: str, task_id: str) -> Key:
    """One task; its id begins with its time."""
    return Key(tasks(tenant, user), f"{TASK_PREFIX}{task_id}")


def consents(tenant: TenantId, user: str) -> str:
    """The partition of what a user allowed to agents of colleagues."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#CONSENTS"


def consent(tenant: TenantId, user: str, agent_id: str) -> Key:
    """What a user allowed to one agent of a colleague."""
    return Key(consents(tenant, user), f"{CONSENT_PREFIX}{agent_id}")


def mail_recipient(tenant: TenantId, user: str, key_hash: str) -> Key:
    """Whether a recipient outside the tenant's domains confirmed that it wants the user's results."""
    return Key(consents(tenant, user), f"{MAIL_RECIPIENT_PREFIX}{key_hash}")


def connections(tenant: TenantId, user: str) -> str:
    """The partition of the services that a user signed in to, and of the sign-ins under way."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#CONNECTIONS"


def tenant_connections(tenant: TenantId) -> str:
    """The partition of the services that an administrator signed in to for everybody."""
    return f"{tenant_prefix(tenant)}CONNECTIONS"


def connection(tenant: TenantId, user: str, skill_id: str) -> Key:
    """The sealed tokens for one skill's server; ``user`` empty: the whole tenant's."""
    partition = connections(tenant, user) if user else tenant_connections(tenant)
    return Key(partition, f"{CONNECTION_PREFIX}{skill_id}")


def posting_link(tenant: TenantId, user: str, link_id: str) -> Key:
    """A sealed link to which results of the user's agents are posted."""
    return Key(connections(tenant, user), f"{POSTING_LINK_PREFIX}{link_id}")


def tenant_secrets(tenant: TenantId) -> str:
    """The partition of the secrets that administrators stored for calling skills."""
    return f"{tenant_prefix(tenant)}SECRETS"


def tenant_secret(tenant: TenantId, name: str) -> Key:
    """One sealed secret of the tenant's."""
    return Key(tenant_secrets(tenant), f"{SECRET_PREFIX}{name}")


def is_secret_name(name: str) -> bool:
    """Whether a secret may have this name; one with a slash could reach another tenant's secrets."""
    return _SECRET_NAME.fullmatch(name) is not None


def own_secret_name(skill_name: str) -> str:
    """The name of the secret that belongs to one skill and is removed with it."""
    return f"{skill_name}-key"


def sign_in(tenant: TenantId, user: str, state_hash: str) -> Key:
    """A sign-in that a user began, found by the digest of its state."""
    return Key(connections(tenant, user), f"{SIGN_IN_PREFIX}{state_hash}")


def attachments(tenant: TenantId, user: str) -> str:
    """The partition of a user's attachments, by time."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#ATTACHMENTS"


def attachment(tenant: TenantId, user: str, attachment_id: str) -> Key:
    """One attachment; its id begins with its time."""
    return Key(attachments(tenant, user), f"{ATTACHMENT_PREFIX}{attachment_id}")


def restorable(tenant: TenantId, user: str) -> str:
    """The partition of what a user can have back: deleted agents, and values that changes replaced."""
    return f"{tenant_prefix(tenant)}U#{encode_user(user)}#RESTORABLE"


def deleted_agent(tenant: TenantId, user: str, agent_id: str) -> Key:
    """The full record of an agent that its owner deleted."""
    return Key(restorable(tenant, user), f"{DELETED_AGENT_PREFIX}{agent_id}")


def agent_change(tenant: TenantId, user: str, agent_id: str, version: int) -> Key:
    """What one version of an agent replaced."""
    return Key(restorable(tenant, user), f"{agent_changes_prefix(agent_id)}{version:012d}")


def agent_changes_prefix(agent_id: str) -> str:
    """The prefix of the sort keys of an agent's `agent_change` items."""
    return f"{AGENT_CHANGE_PREFIX}{agent_id}#"


def former_values(tenant: TenantId, user: str, record_id: str, number: int) -> Key:
    """One part of the values that the changes of a turn replaced."""
    return Key(restorable(tenant, user), f"{former_values_prefix(record_id)}{number:03d}")


def former_values_prefix(record_id: str) -> str:
    """The prefix of the sort keys of one record's `former_values`."""
    return f"{FORMER_PREFIX}{record_id}#"


def examples(tenant: TenantId) -> str:
    """The partition of the tenant's labelled examples, by time."""
    return f"{tenant_prefix(tenant)}EXAMPLES"


def example(tenant: TenantId, example_id: str) -> Key:
    """One labelled example; its id begins with its time."""
    return Key(examples(tenant), f"{EXAMPLE_PREFIX}{example_id}")


def budgets(tenant: TenantId) -> str:
    """The partition of the tenant's model costs by month."""
    return f"{tenant_prefix(tenant)}BUDGET"


def budget(tenant: TenantId, day: date) -> Key:
    """The tenant's model costs of the month that a day is in, those of its days, and the amounts reserved for
    calls under way.
    """
    return Key(budgets(tenant), f"{DAY_PREFIX}{day.isoformat()[:7]}")


def user_budget(tenant: TenantId, user: str, day: date) -> Key:
    """The same of one user."""
    return Key(user_quotas(tenant, user), f"{BUDGET_PREFIX}{day.isoformat()[:7]}")


def bucket(tenant: TenantId) -> Key:
    """The tenant's token bucket, and the number of bytes stored today."""
    return Key(budgets(tenant), "BUCKET")


def quota(tenant: TenantId, day: date) -> Key:
    """What all users of a tenant together made and started on a day, by kind."""
    return Key(budgets(tenant), f"{QUOTA_PREFIX}{day.isoformat()}")


def run_slots(tenant: TenantId) -> Key:
    """The concurrency slots of the tenant's runs."""
    return Key(budgets(tenant), "RUNNING")


def usage(tenant: TenantId) -> str:
    """The partition of the model usage counters of the tenant's users."""
    return f"{tenant_prefix(tenant)}USAGE"


def usage_month_prefix(month: date, user: str | None = None) -> str:
    """The prefix of the sort keys of a month's counters, for all users or for one."""
    of_all = f"{DAY_PREFIX}{month.isoformat()[:7]}#"
    return of_all if user is None else f"{of_all}{encode_user(user)}#"


def usage_counter(tenant: TenantId, user: str, day: date, shard: str) -> Key:
    """One of the counters of a user's day. The sort key is ordered month, user, day, so one query reads a
    month of one user or of all users.
    """
    return Key(usage(tenant), f"{usage_month_prefix(day, user)}{day.isoformat()[8:]}#{shard}")


def user_of_usage(sort: str) -> str:
    """The user in a `usage_counter` sort key."""
    return decode_user(sort.split("#")[2])


def members(tenant: TenantId) -> str:
    """The partition that lists every user with stored data."""
    return f"{tenant_prefix(tenant)}USERS"


def member(tenant: TenantId, user: str) -> Key:
    """The record that there is stored data of the user."""
    return Key(members(tenant), f"{MEMBER_PREFIX}{encode_user(user)}")


def user_of_member(sort: str) -> str:
    """The user in a `member` sort key."""
    return decode_user(sort.removeprefix(MEMBER_PREFIX))


def erasures(tenant: TenantId) -> str:
    """The partition of the tenant's erasures and their receipts, by time."""
    return f"{tenant_prefix(tenant)}ERASURES"


def erasure(tenant: TenantId, erasure_id: str) -> Key:
    """One erasure; its id begins with its time."""
    return Key(erasures(tenant), f"{ERASURE_PREFIX}{erasure_id}")


def audit(tenant: TenantId) -> str:
    """The partition of the tenant's audit records, by time."""
    return f"{tenant_prefix(tenant)}AUDIT"


def audit_record(tenant: TenantId, record_id: str) -> Key:
    """One audit record; its id begins with its time."""
    return Key(audit(tenant), f"{AUDIT_PREFIX}{record_id}")
