"""The errors of the storage package, one per distinct reaction of the caller."""

from __future__ import annotations

from collections.abc import Mapping

from storage.table import Item, Key


class StorageError(Exception):
    """Base class of all errors of this package."""


class ConditionRefused(StorageError):
    """The conditions of a single write did not hold. The caller decides by the item that exists.

    ``old`` is the whole existing item, None when there is none.
    """

    def __init__(self, old: Item | None) -> None:
        super().__init__("the item does not meet the conditions of this write")
        self.old = old


class TransactionRefused(StorageError):
    """At least one action of a transaction was refused, so none was applied.

    ``refused`` maps the index of each refused action to the existing item, None when there was none.
    """

    def __init__(self, refused: Mapping[int, Item | None]) -> None:
        super().__init__(f"the conditions of action {sorted(refused)} of this transaction do not hold")
        self.refused = dict(refused)


class StorageUnavailable(StorageError):
    """Throttled, conflicting or unreachable after all attempts: the outcome is unknown; try again later."""


class StorageUnreachable(StorageUnavailable):
    """The backend does not answer, or only with server errors: other requests will fail for a while, too."""


class StorageMisconfigured(StorageError):
    """The table or a permission is missing: no retry succeeds until the deployment is changed."""


class LimitExceeded(StorageError):
    """The request exceeds a limit of DynamoDB (key, item or transaction size): a smaller one may succeed."""


class InvalidRequest(StorageError):
    """No backend can carry this request out, whatever its size: an empty set, or adding a number to a list. A
    bug.
    """


class InvalidPosition(StorageError):
    """A query was to continue from a position that is not one of its own: an altered cursor."""


class UnknownVersion(StorageError):
    """The item's schema version is newer than this OmniForge or too old to read: deploy a matching one."""

    def __init__(self, version: object) -> None:
        super().__init__(f"items of schema version {version!r} can't be read by this version of OmniForge")
        self.version = version


class ForeignPartition(StorageError):
    """A tenant's table was asked for another tenant's partition. Always a bug, never the user's mistake."""

    def __init__(self, key: Key | str) -> None:
        super().__init__("this partition does not belong to the tenant of this table")
        self.key = key
