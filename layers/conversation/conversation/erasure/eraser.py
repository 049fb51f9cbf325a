"""Carries out erasures: removes all data of a conversation, a user or a tenant, despite concurrent writes.

First the user or tenant is locked out (`conversation.erasure.requests`), then everything is removed. When all
requests that were running must have ended, a second pass removes what they wrote. A run may die anywhere:
removed items are gone from the lists it works through, so the next run simply starts over.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

from conversation.attachments.bucket import FileBucket
from conversation.clock import Clock, Deadline
from conversation.erasure import held_conversations, partitions
from conversation.erasure.attachment_erasure import AttachmentEraser
from conversation.erasure.partitions import ErasureInterrupted, PartitionEraser
from conversation.erasure.requests import CLAIMED, Erasure, Erasures, Progress, Scope, receipt_update
from conversation.messages.items import LEGAL_HOLD, index_partition, owner_of
from conversation.messages.models import Status
from conversation.retention.removal_writes import force_mark_for_removal, is_tombstone, tombstone
from conversation.search.removal import remove_from_search
from conversation.tenants.store import TenantStore
from conversation.threads.example_removal import source_conversation_id
from storage import keys
from storage.errors import ConditionRefused, TransactionRefused
from storage.items import item_key
from storage.keys import TenantId
from storage.table import (
    Changes,
    Delete,
    Equals,
    Exclude,
    Include,
    Item,
    Key,
    Put,
    Query,
    Remove,
    Table,
    Update,
)
from storage.tenant_table import Tables

SETTLING_TIME = timedelta(seconds=190)
"""How long a request admitted before the lock-out may still run: one minute of the gateway, two of a streamed
turn, and a margin."""

HOLD_RETRY_S = 900
"""After how long an erasure looks again whether a legal hold that it waits for was lifted."""

PAGE = 100
PAGE_OF_HOLDS = 1_000
MAX_NOTED_AT_ONCE = 25
"""Held conversations that a request for an erasure waits for."""
TRIES = 5
_MONTHS_COUNTED = 15


class Eraser:
    """Carries out the erasures of all tenants."""

    def __init__(self, *, tables: Tables, clock: Clock, bucket: FileBucket | None = None) -> None:
        """``bucket`` holds the bytes of attachments; None: there are none."""
        self._bucket = bucket
        self._tables = tables
        self._clock = clock
        self._tenants = TenantStore(tables=tables, clock=clock)
        self._erasures = Erasures(tables=tables, clock=clock)

    def note_holds(self, erasure: Erasure) -> Erasure:
        """Hide and name what is on legal hold of a user who is to be erased, before anything is removed, and
        return the erasure with it.

        What this does not reach, `run` notes: the indexes lag behind, and of many holds it takes the first.
        """
        table, left = self._tables.for_tenant(erasure.tenant), MAX_NOTED_AT_ONCE
        for status in (Status.ACTIVE, Status.ARCHIVED, Status.DELETED):
            partition = index_partition(erasure.tenant, erasure.subject, status)
            page = table.query(Query(partition, PAGE_OF_HOLDS, index=keys.BY_USER.name, consistent=False))
            for item in [item for item in page.items if LEGAL_HOLD in item][:left]:
                head = table.get(item_key(item))
                if head is not None and LEGAL_HOLD in head:
                    held_conversations.leave_alone(table, erasure, head)
                    left -= 1
        return self._erasures.find(erasure.tenant, erasure.id) or erasure

    def run(self, tenant: TenantId, erasure_id: str, deadline: Deadline) -> int | None:
        """Continue an erasure until the deadline. Return the seconds until the next run; None: it is done."""
        erasure = self._erasures.find(tenant, erasure_id)
        if erasure is None or erasure.progress is Progress.DONE:
            return None
        if self._tenants.record(tenant).policy.legal_hold:
            return HOLD_RETRY_S
        if erasure.progress is Progress.HELD and erasure.held and not erasure.lifted:
            return HOLD_RETRY_S
        wait_s = self._settling_left_s(erasure)
        if wait_s > 0:
            return wait_s
        erasure_pass = _ErasurePass(
            self._tables.for_tenant(tenant), erasure, deadline, self._clock, self._bucket
        )
        try:
            erasure_pass.run_once()
        except ErasureInterrupted:
            return 0
        return self._finish_pass(tenant, erasure_id)

    def _settling_left_s(self, erasure: Erasure) -> int:
        if erasure.settles_at is None:
            return 0
        return math.ceil((erasure.settles_at - self._clock.now()).total_seconds())

    def _finish_pass(self, tenant: TenantId, erasure_id: str) -> int | None:
        erasure = self._erasures.find(tenant, erasure_id)
        if erasure is None or erasure.progress is Progress.DONE:
            return None
        if erasure.progress is Progress.RUNNING:
            self._erasures.mark_settling(erasure, self._clock.now() + SETTLING_TIME)
            return int(SETTLING_TIME.total_seconds())
        if erasure.held == 0:
            self._erasures.mark_done(erasure)
            return None
        if erasure.progress is Progress.SETTLING:
            self._erasures.mark_held(erasure)
        return 0 if erasure.lifted else HOLD_RETRY_S


class _ErasurePass:
    """One pass of one erasure. After it waited for holds, only what was released is looked at."""

    def __init__(
        self,
        table: Table,
        erasure: Erasure,
        deadline: Deadline,
        clock: Clock,
        bucket: FileBucket | None,
    ) -> None:
        self._table = table
        self._erasure = erasure
        self._tenant = erasure.tenant
        self._clock = clock
        self._eraser = PartitionEraser(table, erasure, deadline)
        self._attachments = AttachmentEraser(table, self._tenant, self._eraser, bucket)
        self._named = len(erasure.held_conversations)

    def run_once(self) -> None:
        """Remove everything in the scope of the erasure.

        Raises:
            ErasureInterrupted: there is more to remove.
        """
        match self._erasure.scope:
            case Scope.CONVERSATION:
                self._whole_conversation(self._erasure.subject)
            case _ if self._erasure.progress is Progress.HELD:
                for conversation_id in sorted(self._erasure.lifted):
                    self._conversation(conversation_id)
            case Scope.USER:
                self._user(self._erasure.subject)
            case Scope.TENANT:
                self._whole_tenant()

    def _whole_conversation(self, conversation_id: str) -> None:
        """Remove a conversation, and its search postings, runs and examples outside its partition."""
        if not self._conversation(conversation_id):
            return
        user = self._erasure.user or ""
        remove_from_search(self._table, self._tenant, user, conversation_id)
        self._eraser.erase_partition(
            keys.runs(self._tenant, user),
            lambda run: "runs" if run.get("conversation_id") == conversation_id else None,
            prefix=keys.RUN_PREFIX,
        )
        self._eraser.erase_partition(
            keys.examples(self._tenant),
            lambda example: "examples" if source_conversation_id(example) == conversation_id else None,
        )
        self._eraser.erase_partition(
            keys.workspace(self._tenant),
            lambda lesson: "lessons" if source_conversation_id(lesson) == conversation_id else None,
            prefix=keys.LESSON_PREFIX,
        )

    def _user(self, user: str) -> None:
        # Examples first: only the conversations tell which user an example belongs to.
        self._eraser.erase_partition(
            keys.examples(self._tenant), lambda example: "examples" if self._is_of(user, example) else None
        )
        for conversation_id in self._erasure.claimed:
            self._conversation(conversation_id)
        for status in (Status.ACTIVE, Status.ARCHIVED, Status.DELETED):
            self._conversations_in(keys.BY_USER.name, index_partition(self._tenant, user, status))
        self._agents(f"{keys.AGENT_CARD_PREFIX}{keys.encode_user(user)}#")
        self._skills(owner=user)
        self._forget_who_stored_secrets(user)
        self._partitions_of(user)
        self._eraser.erase_partition(
            keys.workspace(self._tenant), _always("cards"), prefix=keys.connection_cards_prefix(user)
        )
        self._eraser.erase_partition(
            keys.workspace(self._tenant), _always("lessons"), prefix=keys.lessons_prefix(user)
        )
        self._usage_of(user)
        self._table.delete(Delete(keys.member(self._tenant, user)))

    def _whole_tenant(self) -> None:
        self._remember_users()
        self._conversations_in(keys.BY_TENANT.name, keys.by_tenant(self._tenant))
        self._agents(keys.AGENT_CARD_PREFIX)
        self._skills()
        for page in self._eraser.pages(Query(keys.members(self._tenant), PAGE)):
            for item in page:
                self._partitions_of(keys.user_of_member(str(item["sk"])))
                self._table.delete(Delete(item_key(item)))
        if not self._named:  # what is on legal hold keeps its files
            self._attachments.of_nobody()
        for kind, partition in partitions.tenant_partitions(self._tenant).items():
            self._eraser.erase_partition(partition, _always(kind))
        self._eraser.erase_partition(
            keys.workspace(self._tenant), lambda item: partitions.workspace_item_kind(str(item["sk"]))
        )
        own = self._erasure.key.sort
        self._eraser.erase_partition(
            keys.erasures(self._tenant), lambda item: None if item["sk"] == own else "erasures"
        )

    def _remember_users(self) -> None:
        """Add users of whom only an agent or a usage counter is left to the member list, before those are
        removed."""
        cards = Query(keys.workspace(self._tenant), PAGE, prefix=keys.AGENT_CARD_PREFIX)
        counters = Query(keys.usage(self._tenant), PAGE)
        named = {keys.user_of_card(str(item["sk"])) for page in self._eraser.pages(cards) for item in page}
        for page in self._eraser.pages(counters):
            named |= {keys.user_of_usage(str(item["sk"])) for item in page}
        for user in sorted(named):
            self._remember(user)

    def _remember(self, user: str) -> None:
        key = keys.member(self._tenant, user)
        self._table.put(Put({"pk": key.partition, "sk": key.sort}))

    def _conversations_in(self, index: str, partition: str) -> None:
        query = Query(partition, PAGE, index=index, consistent=False)
        for page in self._eraser.pages(query):
            for item in page:
                self._conversation(keys.conversation_id_of(str(item["pk"])))

    def _conversation(self, conversation_id: str) -> bool:
        """Claim the conversation, remove its items, and leave a tombstone that refuses late writes. Return
        False if it is on legal hold."""
        head = self._claim(keys.head(self._tenant, conversation_id), conversation_id)
        if head is None:
            if conversation_id in self._erasure.lifted:
                held_conversations.forget(self._table, self._erasure, conversation_id)
            return True
        if LEGAL_HOLD in head:
            return False
        self._attachments.of_conversation(conversation_id)
        self._eraser.erase_partition(
            keys.conversation(self._tenant, conversation_id),
            lambda item: (
                None if item["sk"] == keys.HEAD else partitions.conversation_item_kind(str(item["sk"]))
            ),
        )
        done: Changes = (Exclude(CLAIMED, frozenset({conversation_id})),)
        if held_conversations.is_awaited_by(self._erasure, head):
            done = (*done, *held_conversations.no_longer_held(conversation_id))
        counted = receipt_update(self._erasure, {"conversations": 1}, *done)
        with suppress(TransactionRefused):  # another run finished it and counted it
            self._table.transact([tombstone(head, self._clock.now()), counted])
        return True

    def _claim(self, key: Key, conversation_id: str) -> Item | None:
        """Claim the conversation and return its head, without a claim if it is on legal hold; None if it is
        gone."""
        for _ in range(TRIES):
            head = self._table.get(key)
            if head is None or is_tombstone(head):
                return None
            if head["status"] == Status.GONE:
                return head
            if LEGAL_HOLD in head:
                if self._leave_alone(head):
                    return head
                continue
            if self._erasure.scope is Scope.TENANT and (owner := owner_of(head)):
                self._remember(owner)
            claimed = receipt_update(self._erasure, {}, Include(CLAIMED, frozenset({conversation_id})))
            try:
                self._table.transact([force_mark_for_removal(key), claimed])
            except TransactionRefused:
                continue
            return head
        raise ErasureInterrupted

    def _leave_alone(self, head: Item) -> bool:
        is_named = self._named < held_conversations.MAX_NAMED
        self._named += 1
        return held_conversations.leave_alone(self._table, self._erasure, head, is_named=is_named)

    def _agents(self, prefix: str) -> None:
        for page in self._eraser.pages(Query(keys.workspace(self._tenant), PAGE, prefix=prefix)):
            for card in page:
                agent_id = str(card["id"])
                self._eraser.remove([(keys.agent_state(self._tenant, agent_id), "agent_states")])
                self._card(card, keys.agent(self._tenant, agent_id), "agents")

    def _skills(self, owner: str | None = None) -> None:
        """Remove the skills of one user, or all."""
        query = Query(keys.workspace(self._tenant), PAGE, prefix=keys.SKILL_CARD_PREFIX)
        for page in self._eraser.pages(query):
            for card in page:
                if owner in {None, card["owner"]}:
                    name = str(card["sk"]).removeprefix(keys.SKILL_CARD_PREFIX)
                    own_secret = keys.tenant_secret(self._tenant, keys.own_secret_name(name))
                    self._eraser.remove([(own_secret, "secrets")])
                    self._card(card, keys.skill(self._tenant, str(card["id"])), "skills")

    def _forget_who_stored_secrets(self, user: str) -> None:
        """Take the user's name off the tenant's secrets, which stay."""
        for page in self._eraser.pages(Query(keys.tenant_secrets(self._tenant), PAGE)):
            for secret in page:
                if secret.get("set_by") == user:
                    with suppress(ConditionRefused):  # somebody else stored it anew
                        change = Update(item_key(secret), (Remove("set_by"),), (Equals("set_by", user),))
                        self._table.update(change)

    def _card(self, card: Item, full: Key, kind: str) -> None:
        # The full item first: the card is what leads to it.
        self._eraser.remove([(full, kind)])
        self._eraser.remove([(item_key(card), "cards")])

    def _partitions_of(self, user: str) -> None:
        for kind, partition in partitions.user_partitions(self._tenant, user).items():
            self._eraser.erase_partition(partition, _always(kind))
        self._attachments.of_user(user)

    def _usage_of(self, user: str) -> None:
        month = self._clock.now().date().replace(day=1)
        for _ in range(_MONTHS_COUNTED):
            prefix = keys.usage_month_prefix(month, user)
            self._eraser.erase_partition(keys.usage(self._tenant), _always("usage_records"), prefix=prefix)
            month = (month - timedelta(days=1)).replace(day=1)

    def _is_of(self, user: str, example: Item) -> bool:
        """Whether an example was learned from the user, or its user is no longer known."""
        head = self._table.get(keys.head(self._tenant, source_conversation_id(example)))
        return owner_of(head) in {user, None}


def _always(kind: str) -> Callable[[Item], str]:
    return lambda _: kind
