"""Creations under an Idempotency-Key: a repeated request gets what the first one made, for 24 hours.

The record of a key is written in the transaction that makes the thing, so one of two processes makes it. It
is read only after that transaction, or a check before it, was refused: a first request to the API takes no
further request to the table. Turns and runs have records of their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from conversation.clock import Clock
from conversation.errors import DomainError, IdempotencyKeyReused
from conversation.identity import Caller, derived_id, short_hash
from storage import keys
from storage.errors import TransactionRefused
from storage.table import Action, AnyOf, AtMost, Item, Key, NotExists, Put
from storage.tenant_table import Tables

KEPT = timedelta(hours=24)
"""How long a key is remembered."""

Made = TypeVar("Made")


class Created(NamedTuple, Generic[Made]):
    """What a request made, or what an earlier one with the same key made, as it is now."""

    made: Made
    replayed: bool = False


class CreationRequest(NamedTuple):
    """What is asked for, and under which key; without a key each request makes another thing."""

    kind: str
    """What is made; the same key may be used for each kind."""
    key: str | None
    body: BaseModel


class KeyedCreations:
    """Makes things once per key of a user."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def create(
        self,
        caller: Caller,
        request: CreationRequest,
        *,
        made_id: str,
        make: Callable[[Sequence[Action]], Made],
        read: Callable[[str], Made],
    ) -> Created[Made]:
        """Call ``make`` with the writes that it adds to its transaction, or ``read`` what was made before.

        ``made_id`` is the id of what ``make`` makes.

        Raises:
            IdempotencyKeyReused: the key was used for another request.
            DomainError: whatever ``make`` raises, unless the key was used, or ``read``: what was made may be
                gone by now.
        """
        if request.key is None:
            return Created(make(()))
        record = keys.user_idempotency(caller.tenant, caller.user, short_hash(request.kind, request.key))
        wish = _wish(request.body)
        try:
            return Created(make((self._record_action(record, made_id, wish),)))
        except (DomainError, TransactionRefused):
            earlier = self._find(caller, record)
            if earlier is None:
                raise
        if earlier["wish"] != wish:
            raise IdempotencyKeyReused
        return Created(read(str(earlier["made"])), replayed=True)

    def _record_action(self, record: Key, made_id: str, wish: str) -> Put:
        now = self._clock.now()
        item: Item = {
            "pk": record.partition,
            "sk": record.sort,
            "made": made_id,
            "wish": wish,
            "expires_at": int((now + KEPT).timestamp()),
        }
        # Expired items are removed some time later.
        is_free = AnyOf(((NotExists(),), (AtMost("expires_at", int(now.timestamp())),)))
        return Put(item, (is_free,))

    def _find(self, caller: Caller, record: Key) -> Item | None:
        item = self._tables.for_tenant(caller.tenant).get(record)
        is_kept = item is not None and int(str(item["expires_at"])) > self._clock.now().timestamp()
        return item if is_kept else None


def _wish(body: BaseModel) -> str:
    return derived_id(json.dumps(body.model_dump(mode="json"), sort_keys=True))
