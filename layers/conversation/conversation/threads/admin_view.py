"""The admin's view of a tenant's conversations: whose they are, when, and how each request was understood.

Admins see no message contents unless the tenant's policy allows it. The caller writes the audit record of the
access (`conversation.tenants.audit`).
"""

from __future__ import annotations

from dataclasses import dataclass

from conversation.clock import Clock
from conversation.errors import ConversationNotFound
from conversation.identity import is_id
from conversation.messages.items import conversation_from_item, head_from_item, message_from_item
from conversation.messages.models import Conversation, Message, Status
from conversation.retention.expiry import is_head_expired
from conversation.tenants.store import PolicyCache
from storage import keys
from storage.items import item_key
from storage.keys import TenantId
from storage.table import Item, Key, Position, Query, query_pages
from storage.tenant_table import Tables


@dataclass(frozen=True, slots=True)
class AdminMessagePage:
    """A page of a conversation's messages. ``with_content``: whether admins may read their contents."""

    messages: tuple[Message, ...]
    after: Position | None
    with_content: bool


class AdminView:
    """Reads the conversations of whole tenants; the caller checks who may."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._policies = PolicyCache(tables=tables, clock=clock)

    def conversations(
        self, tenant: TenantId, *, limit: int, after: Position | None = None
    ) -> tuple[tuple[Conversation, ...], Position | None]:
        """A page of the tenant's conversations, newest first, and where to continue (None: no more pages).

        Takes one query and one request per conversation: the index holds only keys, so that no turn pays for
        it.
        """
        query = Query(
            keys.by_tenant(tenant),
            limit,
            index=keys.BY_TENANT.name,
            newest_first=True,
            after=after,
            consistent=False,
        )
        for page in query_pages(self._tables.for_tenant(tenant), query):
            heads = (self._head(tenant, item_key(item)) for item in page.items)
            found = tuple(conversation_from_item(head) for head in heads if head is not None)
            if found:
                return found, page.after
        return (), None

    def require_conversation(self, tenant: TenantId, conversation_id: str) -> Conversation:
        """Return the tenant's conversation, expired or not.

        Raises:
            ConversationNotFound: the tenant has none, or it is being removed.
        """
        key = keys.head(tenant, conversation_id)
        item = self._tables.for_tenant(tenant).get(key) if is_id(conversation_id) else None
        if item is None or item["status"] == Status.GONE:
            raise ConversationNotFound
        return conversation_from_item(item)

    def messages(
        self, tenant: TenantId, conversation_id: str, *, limit: int, after: Position | None = None
    ) -> AdminMessagePage:
        """A page of a conversation's messages, oldest first.

        Raises:
            ConversationNotFound: the tenant has no such conversation, or it has expired.
        """
        head = self._head(tenant, keys.head(tenant, conversation_id)) if is_id(conversation_id) else None
        if head is None:
            raise ConversationNotFound
        partition = keys.conversation(tenant, conversation_id)
        query = Query(partition, limit, prefix=keys.MESSAGE_PREFIX, after=after)
        page = self._tables.for_tenant(tenant).query(query)
        allowed = self._policies.policy(tenant).admin_content_access
        return AdminMessagePage(tuple(map(message_from_item, page.items)), page.after, allowed)

    def _head(self, tenant: TenantId, key: Key) -> Item | None:
        """The head; None if the conversation is missing, being removed or expired."""
        item = self._tables.for_tenant(tenant).get(key, consistent=False)
        if item is None or item["status"] == Status.GONE:
            return None
        expired = is_head_expired(head_from_item(item), self._policies.policy(tenant), self._clock.now())
        return None if expired else item
