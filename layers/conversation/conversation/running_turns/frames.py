"""Stored frames of running streamed turns, from which a client resumes a broken stream; kept for 15 minutes.

Frames are of no use once the turn is stored, because the reply says it all. What they contain is decided by
`edge.streaming.frame_writer`.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import Generic, NamedTuple, Protocol, TypeVar, cast

from conversation.clock import Clock
from conversation.identity import TurnId
from conversation.messages.items import ACTIVE_CONDITION, STOPPED_TURNS
from conversation.threads.repository import TurnState
from conversation.turns.lease import TurnAttempt
from resilience import timers
from storage import keys
from storage.errors import StorageError, TransactionRefused
from storage.keys import TenantId
from storage.table import Check, Equals, Item, NotContains, Put, Query
from storage.tenant_table import Tables

FRAME_LIFETIME = timedelta(minutes=15)
MAX_BYTES = 200_000
"""Of the frames in one item, as JSON text; an item may have 400 KB."""
_MAX_ITEMS = 1_000


class StreamedFrame(Protocol):
    """One event of a turn's stream, as it is streamed."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def data(self) -> str: ...


class Frame(NamedTuple):
    """One event of a turn's stream, as it is read again."""

    id: int
    """Its number within the stream, from 1 on."""
    name: str
    data: str
    """A JSON document."""


class FrameStore:
    """Stores and reads frames; safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def store_frames(
        self, tenant: TenantId, turn_id: TurnId, frames: Sequence[StreamedFrame], *, owner: str
    ) -> bool:
        """Store the next frames of the turn answered by ``owner``; True if its user cancelled it.

        Nothing is stored after a cancellation, nor if ``owner`` does not hold the lease: a conversation that
        is gone must keep nothing. Takes one request. Without frames that is a read, so that a silent model
        costs no writes.
        """
        head = keys.head(tenant, turn_id.conversation_id)
        if not frames:
            return _is_cancelled(self._tables.for_tenant(tenant).get(head, consistent=False), turn_id)
        ours = (Equals("lease.owner", owner), ACTIVE_CONDITION, NotContains(STOPPED_TURNS, turn_id.ulid))
        puts = [Put(self._item(tenant, turn_id, part, owner)) for part in _parts(frames)]
        try:
            self._tables.for_tenant(tenant).transact([Check(head, ours), *puts])
        except TransactionRefused as refused:
            return _is_cancelled(refused.refused.get(0), turn_id)
        return False

    def frame_recorder(
        self, tenant: TenantId, turn_id: str, attempt: TurnAttempt
    ) -> Callable[[Sequence[StreamedFrame]], None]:
        """Return a function that stores frames of the attempt's turn, and stops the attempt when the turn was
        cancelled."""
        parsed = TurnId(*turn_id.split("."))

        def keep(frames: Sequence[StreamedFrame]) -> None:
            if self.store_frames(tenant, parsed, frames, owner=attempt.owner):
                attempt.stop.set()

        return keep

    def read_frames(self, tenant: TenantId, turn: TurnState, *, after: int) -> tuple[Frame, ...]:
        """The frames of a running turn after the frame ``after``, in order; empty for any other turn.

        Takes one request, or none if the turn is not running. Only the frames of the current lease holder
        count; those of an earlier one are void.
        """
        turn_id = TurnId.parse(turn.turn_id)
        if turn_id is None or turn.leader is None:
            return ()
        partition = keys.conversation(tenant, turn_id.conversation_id)
        query = Query(partition, _MAX_ITEMS, prefix=keys.frames_prefix(turn_id.ulid))
        now = int(self._clock.now().timestamp())
        items = self._tables.for_tenant(tenant).query(query).items
        # Time to live deletes late or, locally, only now and then.
        valid = (
            item for item in items if item["by"] == turn.leader and cast("int", item["expires_at"]) > now
        )
        return tuple(frame for item in valid for frame in _frames(item) if frame.id > after)

    def _item(self, tenant: TenantId, turn_id: TurnId, frames: Sequence[StreamedFrame], owner: str) -> Item:
        key = keys.frames(tenant, turn_id.conversation_id, turn_id.ulid, frames[0].id)
        return {
            "pk": key.partition,
            "sk": key.sort,
            "by": owner,
            "events": _text(frames),
            "expires_at": int((self._clock.now() + FRAME_LIFETIME).timestamp()),
        }


def _is_cancelled(head: Item | None, turn_id: TurnId) -> bool:
    return head is not None and turn_id.ulid in cast("frozenset[str]", head.get(STOPPED_TURNS, frozenset()))


def _parts(frames: Sequence[StreamedFrame]) -> Iterator[Sequence[StreamedFrame]]:
    """The frames split into parts that fit one item each."""
    part: list[StreamedFrame] = []
    size = 0
    for frame in frames:
        more = len(_text([frame]).encode())
        if part and size + more > MAX_BYTES:
            yield part
            part, size = [], 0
        part.append(frame)
        size += more
    if part:
        yield part


def _text(frames: Sequence[StreamedFrame]) -> str:
    told = [[frame.id, frame.name, frame.data] for frame in frames]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _frames(item: Item) -> Iterator[Frame]:
    return (Frame(*frame) for frame in json.loads(str(item["events"])))


LOG = logging.getLogger("omniforge.turns")

_KEEP_EVERY_S = 2.0
"""Also the age of a stream before its first frames are stored: most answers are shorter."""

FrameT = TypeVar("FrameT")


def record_frames(
    frames: Iterator[FrameT],
    keep: Callable[[Sequence[FrameT]], None],
    *,
    every_s: float = _KEEP_EVERY_S,
) -> Iterator[FrameT]:
    """Yield the frames as they come, and every ``every_s`` seconds pass the new ones to ``keep``.

    ``keep`` runs in another thread. It gets an empty sequence while the stream is silent, so that it can
    notice a cancellation. The last frames are not passed on: when the stream ends, the turn is stored, or
    there is none.
    """
    with _FrameRecorder(keep, every_s) as record:
        for frame in frames:
            record.add(frame)
            yield frame


class _FrameRecorder(Generic[FrameT]):
    def __init__(self, keep: Callable[[Sequence[FrameT]], None], every_s: float) -> None:
        self._keep = keep
        self._every_s = every_s
        self._new: deque[FrameT] = deque()
        self._ended = threading.Event()
        self._context = copy_context()

    def add(self, frame: FrameT) -> None:
        self._new.append(frame)

    def __enter__(self) -> _FrameRecorder[FrameT]:
        # Most streams end before it is due.
        run = partial(self._context.run, self._run)
        self._timer = timers.SHARED.start_in(self._every_s, run, name="frames")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._timer.cancel()

    def _run(self) -> None:
        while not self._ended.is_set():
            new = [self._new.popleft() for _ in range(len(self._new))]
            if not self._is_stored(new):
                self._new.extendleft(reversed(new))
            self._ended.wait(self._every_s)

    def _is_stored(self, frames: Sequence[FrameT]) -> bool:
        try:
            self._keep(frames)
        except StorageError as error:
            LOG.warning("frames_not_kept", extra={"error_type": type(error).__name__})
            return False
        return True
