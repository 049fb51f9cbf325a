"""The `Table` port: the few operations that the product needs of a key-value table.

Items are plain dictionaries with string attributes ``pk`` and ``sk``. Conditions and updates are a small
closed set of typed values instead of expression strings, so that both backends (`storage.dynamodb.table`,
`storage.sqlite.table`) can be tested against one contract. They are named tuples, which cost a cold start a
seventh of what dataclasses do. Named tuples of different kinds can compare equal: tell the kinds apart with
`match`, not with `==`. `storage.keys` defines the keys; `storage.tenant_table` restricts who may use them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

Value: TypeAlias = "str | int | bool | None | list[Value] | dict[str, Value] | frozenset[str]"
"""What an attribute may hold. There are no floats: a number that is not whole is stored as a string by the
module that knows its meaning.
"""

Item: TypeAlias = dict[str, Value]
Position: TypeAlias = Mapping[str, str]
"""Where a page ended: the key attributes of its last item (of the table, and of the index when one was
queried).
"""

MAX_PARTITION_KEY_BYTES = 2048
MAX_SORT_KEY_BYTES = 1024
MAX_ITEM_BYTES = 400 * 1024
MAX_TRANSACTION_ACTIONS = 100
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
MAX_BATCH = 25
SCHEMA_VERSION = 1


class Key(NamedTuple):
    """The primary key of one item."""

    partition: str
    sort: str


class Exists(NamedTuple):
    """The item exists and has the attribute (by default: the item exists)."""

    path: str = "pk"


class NotExists(NamedTuple):
    """The item does not exist, or lacks the attribute (by default: there is no such item)."""

    path: str = "pk"


class Equals(NamedTuple):
    """The attribute exists and equals the value."""

    path: str
    value: str | int | bool


class AtMost(NamedTuple):
    """The attribute exists and is at most the value (numbers with numbers, strings by UTF-8 bytes)."""

    path: str
    value: int | str


class AtLeast(NamedTuple):
    """The attribute exists and is not smaller than the value, compared as by `AtMost`."""

    path: str
    value: int | str


class Contains(NamedTuple):
    """The string set exists and holds the value."""

    path: str
    value: str


class NotContains(NamedTuple):
    """The string set does not hold the value; an absent set holds nothing."""

    path: str
    value: str


class SizeBelow(NamedTuple):
    """The list exists and has fewer elements than the limit."""

    path: str
    limit: int


SimpleCondition: TypeAlias = (
    Exists | NotExists | Equals | AtMost | AtLeast | Contains | NotContains | SizeBelow
)


class AnyOf(NamedTuple):
    """At least one of the groups holds; within a group all conditions hold."""

    groups: tuple[tuple[SimpleCondition, ...], ...]


Condition: TypeAlias = SimpleCondition | AnyOf
Conditions: TypeAlias = tuple[Condition, ...]
"""All must hold. A path names an attribute, or an entry of a map attribute with a dot: ``lease.owner``."""


class Set(NamedTuple):
    """Put the value at the path, replacing what is there."""

    path: str
    value: Value


class SetIfAbsent(NamedTuple):
    """Put the value at the attribute unless it already exists."""

    path: str
    value: Value


class Add(NamedTuple):
    """Add to a number; an absent attribute counts as 0."""

    path: str
    amount: int


class Append(NamedTuple):
    """Append to the end of a list; an absent attribute counts as an empty list."""

    path: str
    values: tuple[Value, ...]


class Include(NamedTuple):
    """Add members to a string set; an absent attribute counts as empty."""

    path: str
    members: frozenset[str]


class Exclude(NamedTuple):
    """Remove members from a string set; when the set becomes empty, the attribute is removed."""

    path: str
    members: frozenset[str]


class Remove(NamedTuple):
    """Remove an attribute; removing an absent one changes nothing."""

    path: str


@dataclass(frozen=True, slots=True)
class RemoveAt:
    """Remove the element of a list at an index counted from 0; beyond the end changes nothing."""

    path: str
    index: int


Change: TypeAlias = Set | SetIfAbsent | Add | Append | Include | Exclude | Remove | RemoveAt
Changes: TypeAlias = tuple[Change, ...]
"""At most one change per path in one update."""


class Put(NamedTuple):
    """Write a whole item, replacing any item of the same key."""

    item: Item
    conditions: Conditions = ()


class Update(NamedTuple):
    """Change attributes of an item, creating it when there is none and the conditions allow."""

    key: Key
    changes: Changes
    conditions: Conditions = ()


class Delete(NamedTuple):
    """Remove an item; removing an absent one succeeds when the conditions allow."""

    key: Key
    conditions: Conditions = ()


class Check(NamedTuple):
    """Change nothing, but refuse the transaction unless the conditions hold for the item."""

    key: Key
    conditions: Conditions


Action: TypeAlias = Put | Update | Delete | Check


@dataclass(frozen=True, slots=True)
class Query:
    """What to read from one partition, of the table or of one of its indexes.

    ``prefix`` restricts the sort key to those that start with it; ``low`` and ``high`` (both inclusive, both
    needed) restrict it to a range. Give one or neither. ``after`` continues after an earlier page of the same
    query. An index is always eventually consistent.
    """

    partition: str
    limit: int
    index: str | None = None
    prefix: str = ""
    low: str | None = None
    high: str | None = None
    newest_first: bool = False
    after: Position | None = None
    consistent: bool = True


class Page(NamedTuple):
    """Items in sort-key order (reversed for newest first), and the position to continue from.

    ``after`` is None at the end. It may be set although nothing follows; the next page is then empty.
    """

    items: tuple[Item, ...]
    after: Position | None = None


class Index(NamedTuple):
    """A secondary index. It lists the items that have both key attributes, with the projected attributes and
    the keys only.
    """

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...] = ()


class Table(Protocol):
    """The contract of both backends. Safe to call from several threads."""

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        """The item, or None."""

    def query(self, query: Query) -> Page:
        """Up to ``limit`` items, across as many of DynamoDB's 1 MB pages as that takes.

        Not isolated from transactions: the result may show part of a transaction that is being applied.

        Raises:
            InvalidPosition: when ``after`` is not a position of this query.
        """

    def put(self, put: Put) -> None:
        """Write an item.

        Raises:
            ConditionRefused: with the existing item.
        """

    def update(self, update: Update) -> Item:
        """Apply the changes and return the whole new item.

        When DynamoDB's response is lost, the same update is sent again. Where it must not count twice, add a
        condition that refuses the second one, and look for the effect of the first in the item of the error.

        Raises:
            ConditionRefused: with the existing item, None when there is none.
        """

    def delete(self, delete: Delete) -> None:
        """Remove an item.

        Raises:
            ConditionRefused: with the existing item.
        """

    def transact(self, actions: Sequence[Action]) -> None:
        """Apply all actions or none, and only once even when a response is lost; at most one action per item.

        Raises:
            TransactionRefused: with each refused action and the item that existed.
        """

    def batch_delete(self, keys: Sequence[Key]) -> None:
        """Remove any number of items, not atomically. Absent items are ignored."""


def query_pages(table: Table, query: Query) -> Iterator[Page]:
    """All pages of a query, in order, each read when it is needed. Items of earlier pages may be deleted
    meanwhile.
    """
    while True:
        page = table.query(query)
        yield page
        if page.after is None:
            return
        query = replace(query, after=page.after)


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """An item before and after one write; ``old`` None: it was created, ``new`` None: it was deleted."""

    key: Key
    old: Item | None
    new: Item | None
