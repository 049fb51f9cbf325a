"""What storage may answer instead of a result, told apart by what the caller does next."""

from __future__ import annotations

from collections.abc import Mapping

from storage.table import Item, Key


class StorageError(Exception):
    """Base of everything raised by this package."""


class ConditionRefused(StorageError):
    """The conditions of a single write did not hold: decide by what stands there.

    ``old`` is the whole item as it stands, None when there is none.
    """

    def __init__(self, old: Item | None) -> None:
        super().__init__("the item does not meet the conditions of this write")
        self.old = old


class TransactionRefused(StorageError):
    """At least one action of a transaction was refused, so none was applied.

    ``refused`` maps the index of each refused action to the item that stood there, None when there was none.
    """

    def __init__(self, refused: Mapping[int, Item | None]) -> None:
        super().__init__(f"the conditions of action {sorted(refused)} of this transaction do not hold")
        self.refused = dict(refused)


class StorageUnavailable(StorageError):
    """Throttled, conflicting or out of reach after all tries: nothing is known of the outcome, try again
    later."""


class StorageUnreachable(StorageUnavailable):
    """Nobody answers, or only with errors of their own: other requests will fare no better for a while."""


class StorageMisconfigured(StorageError):
    """No such table, or no permission for what was asked: no try succeeds before the deployment is
    changed."""


class LimitExceeded(StorageError):
    """The request breaks a limit of DynamoDB (key, item or transaction size): a smaller one may succeed."""


class InvalidRequest(StorageError):
    """No backend can carry this out, whatever the size: an empty set, a list where a number is added to. A
    fault of ours."""


class InvalidPosition(StorageError):
    """A query was to go on behind a position that no page of this query ends at: a cursor that was
    altered."""


class UnknownVersion(StorageError):
    """The item was written by a newer OmniForge than this one, or one too old to read: deploy a fitting
    one."""

    def __init__(self, version: object) -> None:
        super().__init__(f"items of schema version {version!r} can't be read by this version of OmniForge")
        self.version = version


class ForeignPartition(StorageError):
    """A tenant's table was asked for a partition of another tenant. Always a fault of ours, never the
    user's."""

    def __init__(self, key: Key | str) -> None:
        super().__init__("this partition does not belong to the tenant of this table")
        self.key = key
