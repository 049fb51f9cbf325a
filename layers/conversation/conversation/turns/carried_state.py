"""The state of a conversation that its client carries, where no history is kept.

It is the note of the last reply: an unfinished agent, an open question, what was listed. It is signed with a
key of the tenant's, so nobody can write one or change it, and nobody else than its user can use it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from datetime import timedelta
from typing import NamedTuple

from conversation.clock import Clock
from conversation.errors import Invalid
from conversation.identity import Caller
from conversation.messages.models import Note
from resilience.cache import Cache
from storage import keys
from storage.errors import ConditionRefused, StorageUnavailable
from storage.keys import TenantId
from storage.table import NotExists, Put
from storage.tenant_table import Tables

MAX_CHARACTERS = 16_000
MAX_SAID_CHARACTERS = 2_000
VALID_FOR = timedelta(days=7)
_KEY_AGE_S = 300.0
_MAX_TENANTS = 256


class StateInvalid(Invalid):
    """The state is none that this user was given, or it is too old."""

    code = "state_invalid"

    def __init__(self) -> None:
        super().__init__("The state is none that you were given in the last days.")


class CarriedState(NamedTuple):
    """The last reply as a later turn needs it. ``said``: the beginning of its text."""

    note: Note
    said: str


class CarriedStates:
    """Seals and opens states. Safe to use from several threads."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock
        self._keys = Cache[TenantId, bytes](_MAX_TENANTS, ttl_s=_KEY_AGE_S, now=clock.monotonic)

    def seal(self, caller: Caller, note: Note, said: str) -> str | None:
        """The state as text; None: nothing of it matters later, it is too long, or storage is unreachable."""
        kept = note.model_copy(update={"kinds": ()})
        if kept == Note():
            return None
        members = {
            "user": caller.user,
            "until": int((self._clock.now() + VALID_FOR).timestamp()),
            "said": said[:MAX_SAID_CHARACTERS],
            "note": kept.model_dump(mode="json", exclude_defaults=True),
        }
        packed = zlib.compress(json.dumps(members, separators=(",", ":")).encode())
        try:
            signature = self._signature(caller.tenant, packed)
        except StorageUnavailable:
            return None
        text = urlsafe_b64encode(signature + packed).decode()
        return text if len(text) <= MAX_CHARACTERS else None

    def open(self, caller: Caller, text: str) -> CarriedState:
        """The state that `seal` made for this user.

        Raises:
            StateInvalid: somebody else made the text, or for somebody else, or too long ago.
            StorageUnavailable: nobody knows.
        """
        try:
            sealed = urlsafe_b64decode(text.encode("ascii"))
        except (NotBase64, ValueError):
            raise StateInvalid from None
        signature, packed = sealed[: hashlib.sha256().digest_size], sealed[hashlib.sha256().digest_size :]
        # Nothing is unpacked that we did not write.
        if not hmac.compare_digest(signature, self._signature(caller.tenant, packed)):
            raise StateInvalid
        members = json.loads(zlib.decompress(packed))
        if members["user"] != caller.user or members["until"] < self._clock.now().timestamp():
            raise StateInvalid
        return CarriedState(Note.model_validate(members["note"]), str(members["said"]))

    def _signature(self, tenant: TenantId, packed: bytes) -> bytes:
        key = self._keys.get(tenant)
        if key is None:
            key = self._read_or_make_key(tenant)
            self._keys.put(tenant, key)
        return hmac.digest(key, packed, "sha256")

    def _read_or_make_key(self, tenant: TenantId) -> bytes:
        table, place = self._tables.for_tenant(tenant), keys.state_key(tenant)
        item = table.get(place)
        if item is None:
            item = {"pk": place.partition, "sk": place.sort, "key": secrets.token_hex(32)}
            try:
                table.put(Put(item, (NotExists(),)))
            except ConditionRefused as refused:
                item = refused.old or item  # another process was quicker
        return bytes.fromhex(str(item["key"]))
