"""The caller of a request, and the ids that OmniForge makes.

Authenticating the caller is the authorizer's job.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from storage.keys import TenantId

ADMIN = "admin"
OPERATOR = "operator"
SERVICE = "service"
OWN_WIRE = "omniforge"
"""The wire of the API's own routes, among those whose clients give conversations ids of their own."""

_ID = re.compile(r"[0-9a-f]{32}")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Caller(NamedTuple):
    """The tenant, user and roles named by a valid token. No request body, path or model output ever changes
    them.
    """

    tenant: TenantId
    user: str
    roles: frozenset[str] = frozenset()

    def has(self, role: str) -> bool:
        """Whether the token has the role."""
        return role in self.roles


def new_id() -> str:
    """128 random bits as 32 lower-case hexadecimal digits."""
    return secrets.token_hex(16)


def derived_id(*parts: str) -> str:
    """128 bits that depend on all parts and their order, so that a repeated step makes the same id."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()[:32]


def short_hash(*parts: str) -> str:
    """96 bits that depend on all parts and their order, as 16 characters: short, because every turn pays for
    them.
    """
    return base64.urlsafe_b64encode(bytes.fromhex(derived_id(*parts))[:12]).decode()


def is_id(text: str) -> bool:
    """Whether the text has the form of an id made here; letter case matters."""
    return _ID.fullmatch(text) is not None


def is_ulid(text: str) -> bool:
    """Whether the text has the form of a ULID."""
    return _ULID.fullmatch(text) is not None


def new_ulid(now: datetime) -> str:
    """26 characters: 48 bits of milliseconds, 10 of microseconds, 70 random ones. Sorts by time."""
    return _ulid(now, now.microsecond % 1000 << 70 | secrets.randbits(70))


def lowest_ulid(moment: datetime) -> str:
    """A lower bound for all ULIDs of the moment's millisecond and later."""
    return _ulid(moment, 0)


def derived_ulid(moment: datetime, *parts: str) -> str:
    """A ULID of the moment whose other bits depend on all parts and their order, so that a repeated step
    makes the same ULID.
    """
    return _ulid(moment, int(derived_id(*parts)[:20], 16))


def ulid_at(moment: datetime) -> str:
    """The first ULID of the moment's millisecond."""
    return _ulid(moment, 0)


def _ulid(moment: datetime, rest: int) -> str:
    value = (int(moment.timestamp() * 1000) << 80) | rest
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def ulid_time(ulid: str) -> datetime:
    """The moment at which a ULID was made."""
    millis = 0
    for character in ulid[:10]:
        millis = millis * 32 + _CROCKFORD.index(character)
    return datetime.fromtimestamp(millis / 1000, UTC)


class TurnId(NamedTuple):
    """``<conversation>.<ULID>``: identifies one turn and the time it was made."""

    conversation_id: str
    ulid: str

    @classmethod
    def make(cls, conversation_id: str, now: datetime) -> TurnId:
        """The id of a new turn."""
        return cls(conversation_id, new_ulid(now))

    @classmethod
    def parse(cls, text: str) -> TurnId | None:
        """The id in a client's text, or None when it can't be one."""
        conversation_id, _, ulid = text.partition(".")
        return cls(conversation_id, ulid) if is_id(conversation_id) and _ULID.fullmatch(ulid) else None

    def made_at(self) -> datetime:
        """When the turn id was made."""
        return ulid_time(self.ulid)

    def __str__(self) -> str:
        return f"{self.conversation_id}.{self.ulid}"


NEW_ID_VALID_FOR = timedelta(days=15)
"""Longer than any queue keeps a turn."""

_BODY = 24
_TIME = 8


def new_conversation_id(caller: Caller, now: datetime) -> str:
    """The id of a new conversation: its start time, 64 random bits, and a digest of its user."""
    return _marked("begun", caller, f"{int(now.timestamp()):08x}" + new_id()[: _BODY - _TIME])


def conversation_id_for_key(caller: Caller, key: str) -> str:
    """The id of a conversation started with an Idempotency-Key. A retry gets the same id."""
    return _marked("keyed", caller, derived_id("conversation", caller.tenant, caller.user, key)[:_BODY])


def conversation_id_for_client(caller: Caller, wire: str, client_id: str) -> str:
    """The id of the conversation to which a client of the wire gave an id of its own.

    Nothing is stored of the client's id: the same one always leads to the same conversation of its user, and
    from another user, tenant or wire to another conversation.
    """
    body = derived_id("client", caller.tenant, caller.user, wire, client_id)[:_BODY]
    return _marked("keyed", caller, body)


def is_own_id(conversation_id: str, caller: Caller) -> bool:
    """Whether the id was made here for a conversation of the caller, which may be gone by now."""
    if not is_id(conversation_id):
        return False
    body = conversation_id[:_BODY]
    return any(conversation_id == _marked(kind, caller, body) for kind in ("begun", "keyed"))


def is_own_new_id(conversation_id: str, caller: Caller, now: datetime) -> bool:
    """Whether the id was made for the caller and its first message may still be waiting.

    An id with a start time qualifies while that is at most `NEW_ID_VALID_FOR` away; an id from an
    Idempotency-Key or a client's id always does.
    """
    if not is_id(conversation_id):
        return False
    body = conversation_id[:_BODY]
    if conversation_id == _marked("keyed", caller, body):
        return True
    began = datetime.fromtimestamp(int(body[:_TIME], 16), UTC)
    return conversation_id == _marked("begun", caller, body) and abs(now - began) <= NEW_ID_VALID_FOR


def _marked(kind: str, caller: Caller, body: str) -> str:
    return body + derived_id(kind, caller.tenant, caller.user, body)[: 32 - _BODY]
