"""Removes a conversation's words from its user's search index, for an erasure.

`conversation.search.index` only detaches a conversation and leaves its words to the next merge.
"""

from __future__ import annotations

from conversation.search.index import MAX_BODY_CHARACTERS
from conversation.search.index_items import (
    BODY,
    HIGHEST_LEVEL,
    NUMBER_PREFIX,
    WAITING,
    is_reference_up_to,
    number_key,
    number_of,
    progress_from_item,
    progress_key,
    tail_from_item,
    tail_key,
)
from conversation.search.postings import PostingLines, merge_lines, parse_body, to_bodies
from storage import keys
from storage.errors import ConditionRefused
from storage.items import item_key
from storage.keys import TenantId
from storage.table import Delete, Equals, Exclude, Exists, Item, Query, Set, Table, Update, query_pages

PAGE = 50
_MAX_NUMBERS = 1_000


def remove_from_search(table: Table, tenant: TenantId, user: str, conversation_id: str) -> None:
    """Remove everything about the conversation from the index; idempotent."""
    _stop_waiting(table, tenant, user, conversation_id)
    key = progress_key(tenant, user, conversation_id)
    number = progress_from_item(table.get(key)).number
    if number is not None:
        # A merge that runs from now on leaves the words out by itself.
        table.delete(Delete(number_key(tenant, user, number)))
    partition = keys.search(tenant, user)
    for level in range(HIGHEST_LEVEL + 1):
        for page in query_pages(table, Query(partition, PAGE, prefix=f"{level}#")):
            # Read after the bodies: a number exists before the first words under it.
            alive = _numbers(table, partition)
            for item in page.items:
                _rewrite(table, item, alive)
    table.delete(Delete(key))


def _numbers(table: Table, partition: str) -> frozenset[int]:
    """The numbers of all conversations in the index; that of the erased one is deleted already."""
    pages = query_pages(table, Query(partition, _MAX_NUMBERS, prefix=NUMBER_PREFIX))
    return frozenset(number_of(str(item["sk"])) for page in pages for item in page.items)


def _stop_waiting(table: Table, tenant: TenantId, user: str, conversation_id: str) -> None:
    tail = tail_from_item(table.get(tail_key(tenant, user)))
    upto = {conversation_id: keys.MAX_SEQUENCE}
    own = frozenset(each for each in tail.references if is_reference_up_to(each, upto))
    if own:
        table.update(Update(tail_key(tenant, user), (Exclude(WAITING, own),), (Exists(),)))


def _rewrite(table: Table, item: Item, alive: frozenset[int]) -> None:
    """Remove gone conversations from a body; delete the body if nothing is left."""
    before = parse_body(str(item[BODY]))
    after: PostingLines = merge_lines([before], is_alive=alive.__contains__)
    if after == before:
        return
    key, unchanged = item_key(item), (Equals(BODY, str(item[BODY])),)
    bodies = list(to_bodies(after, max_characters=2 * MAX_BODY_CHARACTERS))
    try:
        if bodies:
            table.update(Update(key, (Set(BODY, bodies[0]),), unchanged))
        else:
            table.delete(Delete(key, unchanged))
    except ConditionRefused:
        return  # a merge removed the body meanwhile, and the words with it
