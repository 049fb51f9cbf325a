"""The Table port: the few operations everything above needs of a key-value table, and nothing else.

Items are plain dictionaries with string attributes ``pk`` and ``sk``. Conditions and updates are a small
closed set of typed values instead of expression strings, so that both backends (`storage.dynamodb`,
`storage.sqlite`) can be held to one contract. Which keys exist and who may touch them is not decided here:
see `storage.keys` and `storage.tenant`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Exists:
    """The item exists and has the attribute (by default: the item exists)."""

    path: str = "pk"


@dataclass(frozen=True, slots=True)
class NotExists:
    """The item does not exist, or lacks the attribute (by default: there is no such item)."""

    path: str = "pk"


@dataclass(frozen=True, slots=True)
class Equals:
    """The attribute exists and equals the value."""

    path: str
    value: str | int | bool


@dataclass(frozen=True, slots=True)
class AtMost:
    """The attribute exists and is not greater than the value (numbers with numbers, strings by UTF-8
    bytes)."""

    path: str
    value: int | str


@dataclass(frozen=True, slots=True)
class NotContains:
    """The string set does not hold the value; an absent set holds nothing."""

    path: str
    value: str


@dataclass(frozen=True, slots=True)
class SizeBelow:
    """The list exists and has fewer elements than the limit."""

    path: str
    limit: int


Test: TypeAlias = Exists | NotExists | Equals | AtMost | NotContains | SizeBelow


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the groups holds; within a group all conditions hold."""

    groups: tuple[tuple[Test, ...], ...]


Condition: TypeAlias = Test | AnyOf
Conditions: TypeAlias = tuple[Condition, ...]
"""All must hold. Paths name an attribute, or an entry of a map attribute with a dot: ``lease.owner``."""


@dataclass(frozen=True, slots=True)
class Set:
    """Put the value at the path, replacing what is there."""

    path: str
    value: Value


@dataclass(frozen=True, slots=True)
class SetIfAbsent:
    """Put the value at the attribute unless it already exists."""

    path: str
    value: Value


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a number; an absent attribute counts as 0."""

    path: str
    amount: int


@dataclass(frozen=True, slots=True)
class Append:
    """Append to the end of a list; an absent attribute counts as an empty list."""

    path: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Include:
    """Add members to a string set; an absent attribute counts as empty."""

    path: str
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Exclude:
    """Take members out of a string set; a set left empty ceases to exist."""

    path: str
    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Remove:
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


@dataclass(frozen=True, slots=True)
class Put:
    """Write a whole item, replacing any item of the same key."""

    item: Item
    conditions: Conditions = ()


@dataclass(frozen=True, slots=True)
class Update:
    """Change attributes of an item, creating it when there is none and the conditions allow."""

    key: Key
    changes: Changes
    conditions: Conditions = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove an item; removing an absent one succeeds when the conditions allow."""

    key: Key
    conditions: Conditions = ()


@dataclass(frozen=True, slots=True)
class Check:
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


@dataclass(frozen=True, slots=True)
class Page:
    """Items in sort-key order (reversed for newest first), and where to go on; ``after`` is None at the end.

    ``after`` may be given although nothing follows; the next page is then empty.
    """

    items: tuple[Item, ...]
    after: Position | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """A secondary index: items that have both attributes, by them, with only the projected attributes and the
    keys."""

    name: str
    partition: str
    sort: str
    projected: tuple[str, ...] = field(default=())


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
