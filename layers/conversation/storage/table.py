"""The Table port: the few operations everything above needs of a key-value table, and nothing else.

Items are plain dictionaries with string attributes ``pk`` and ``sk``. Conditions and updates are a small
closed set of typed values instead of expression strings, so that both backends (`storage.dynamodb.table`,
`storage.sqlite.table`) can be held to one contract. They are named tuples, which cost a cold start a
seventh of what dataclasses do: tell the kinds apart by `match`, not by `==`. Which keys exist and who may
touch them is not decided here: see `storage.keys` and `storage.tenant`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

Value: TypeAlias = "str | int | bool | None | list[Value] | dict[str, Value] | frozenset[str]"
"""What an attribute may hold. No floats: a number that is not whole is stored as a string by whoever knows
its meaning."""

Item: TypeAlias = dict[str, Value]
Position: TypeAlias = Mapping[str, str]
"""Where a page ended: the key attributes of its last item (of the table, and of the index when one was
queried)."""

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
    """The attribute exists and is not greater than the value (numbers with numbers, strings by UTF-8
    bytes)."""

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


Test: TypeAlias = Exists | NotExists | Equals | AtMost | AtLeast | Contains | NotContains | SizeBelow


class AnyOf(NamedTuple):
    """At least one of the groups holds; within a group all conditions hold."""

    groups: tuple[tuple[Test, ...], ...]


Condition: TypeAlias = Test | AnyOf
Conditions: TypeAlias = tuple[Condition, ...]
"""All must hold. Paths name an attribute, or an entry of a map attribute with a dot: ``lease.owner``."""


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
    """Take members out of a string set; a set left empty ceases to exist."""

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
    """What to read of one partition, of the table or of one of its indexes.

    ``prefix`` restricts the sort key to those that start with it; ``low`` and ``high`` (both inclusive, both
    needed) to a range. Give one or neither. ``after`` continues behind an earlier page of the same query. An
    index is always eventually consistent.
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
    """Items in sort-key order (reversed for newest first), and where to go on; ``after`` is None at the end.

    ``after`` may be given although nothing follows; the next page is then empty.
    """

    items: tuple[Item, ...]
    after: Position | None = None


class Index(NamedTuple):
    """A secondary index: items that have both attributes, by them, with only the projected attributes and the
    keys."""

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...] = ()


class Table(Protocol):
    """The contract of both backends. Safe to call from several threads."""

    def get(self, key: Key, *, consistent: bool = True) -> Item | None:
        """The item, or None."""

    def query(self, query: Query) -> Page:
        """Up to ``limit`` items, however many of DynamoDB's 1 MB pages that takes.

        Not isolated from transactions: of one that is being applied it may see a part.

        Raises:
            InvalidPosition: when ``after`` is not a position of this query.
        """

    def put(self, put: Put) -> None:
        """Write an item.

        Raises:
            ConditionRefused: with the item that stands there.
        """

    def update(self, update: Update) -> Item:
        """Apply the changes and get the whole new item.

        When DynamoDB's answer is lost, the same update is sent again: where that must not count twice, let a
        condition refuse the second and look for the first in the item it hands back.

        Raises:
            ConditionRefused: with the item that stands there, None when there is none.
        """

    def delete(self, delete: Delete) -> None:
        """Remove an item.

        Raises:
            ConditionRefused: with the item that stands there.
        """

    def transact(self, actions: Sequence[Action]) -> None:
        """Apply all actions or none, and only once even when an answer is lost; at most one action per item.

        Raises:
            TransactionRefused: names each refused action and the item that stood there.
        """

    def batch_delete(self, keys: Sequence[Key]) -> None:
        """Remove any number of items, not atomically; absent ones are no error."""
