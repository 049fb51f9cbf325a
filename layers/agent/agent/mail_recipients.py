"""Mail recipients outside a tenant's domains: each confirms, by a code, that it wants a user's results.

The code is mailed to the recipient, who gives it to the user if they want the results. The mail has no text
that a user can choose. `agent.workspace.delivery_targets` says who has to confirm, `agent.runs` mails.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from conversation.clock import Clock, from_text, to_text
from conversation.errors import Conflict
from conversation.identity import Caller, derived_id, short_hash
from conversation.mailer import Mail
from storage import keys
from storage.errors import ConditionRefused
from storage.table import Add, AtMost, Equals, Item, Key, Put, Query, Remove, Set, Update, query_pages
from storage.tenant_table import Tables

CODE_LASTS = timedelta(days=7)
ASKED_AGAIN_AFTER = timedelta(days=1)
MOST_ASKED_A_DAY = 10
"""Recipients that one user's agents ask within 24 hours."""
MOST_TRIES = 5
_PAGE = 100


class RecipientStatus(StrEnum):
    """Whether results are mailed to a recipient."""

    PENDING = "pending"
    VERIFIED = "verified"


class MailRecipient(BaseModel):
    """A recipient that was asked to confirm."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    address: str
    status: RecipientStatus
    asked_at: datetime = Field(description="when it was mailed a code last")
    verified_at: datetime | None = Field(default=None, description="null: results are not mailed to it yet")


class Confirmation(BaseModel):
    """The body of a request that confirms a recipient."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    address: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    code: Annotated[str, StringConstraints(min_length=1, max_length=20)] = Field(
        description="The code that was mailed to the address. It can be used once, for seven days."
    )


class CodeNotValid(Conflict):
    """The code is wrong, too old or was tried too often, or nobody asked the recipient."""

    code = "code_not_valid"

    def __init__(self) -> None:
        super().__init__("The code is wrong or has expired. The address gets a new one with a later result.")


class Question(NamedTuple):
    """A code that is to be mailed to a recipient."""

    address: str
    code: str
    expires_at: datetime


class MailRecipients:
    """The recipients of all users; safe to use from several threads and processes."""

    def __init__(self, *, tables: Tables, clock: Clock) -> None:
        self._tables = tables
        self._clock = clock

    def list(self, caller: Caller) -> tuple[MailRecipient, ...]:
        """The recipients that the caller's agents asked."""
        return tuple(map(_recipient, self._items(caller)))

    def is_verified(self, caller: Caller, address: str) -> bool:
        """Whether the recipient confirmed that it wants the caller's results; one request."""
        item = self._tables.for_tenant(caller.tenant).get(_key(caller, address))
        return item is not None and "verified_at" in item

    def question(self, caller: Caller, address: str) -> Question | None:
        """A new code for the recipient; None: it was asked within a day, or as many others were. After it is
        mailed, `record_asked` is called.
        """
        now = self._clock.now()
        asked = [item for item in self._items(caller) if _asked_at(item) > now - ASKED_AGAIN_AFTER]
        key = _key(caller, address)
        if len(asked) >= MOST_ASKED_A_DAY or any(item["sk"] == key.sort for item in asked):
            return None
        return Question(address, f"{secrets.randbelow(10**8):08d}", now + CODE_LASTS)

    def record_asked(self, caller: Caller, question: Question) -> None:
        """Store the code's digest; an earlier code is not valid any more."""
        key, expires_at = _key(caller, question.address), question.expires_at
        item: Item = {
            "pk": key.partition,
            "sk": key.sort,
            "address": question.address,
            "asked_at": to_text(self._clock.now()),
            "code": _digest(caller, question.address, question.code),
            "tries": 0,
            "valid_until": to_text(expires_at),
            "expires_at": int(expires_at.timestamp()),
        }
        self._tables.for_tenant(caller.tenant).put(Put(item))

    def verify(self, caller: Caller, confirmation: Confirmation) -> MailRecipient:
        """Confirm the recipient by the code that it was mailed.

        Raises:
            CodeNotValid: see this class.
        """
        table, key = self._tables.for_tenant(caller.tenant), _key(caller, confirmation.address)
        item, now = table.get(key), self._clock.now()
        if item is None:
            raise CodeNotValid
        if "verified_at" in item:
            return _recipient(item)
        digest = _digest(caller, confirmation.address, confirmation.code.replace(" ", "").replace("-", ""))
        try:
            # A try counts before the code is compared, so that requests at the same moment try no more codes.
            table.update(Update(key, (Add("tries", 1),), (AtMost("tries", MOST_TRIES - 1),)))
            if from_text(str(item["valid_until"])) <= now:
                raise CodeNotValid
            changes = (Set("verified_at", to_text(now)), Remove("code"), Remove("expires_at"))
            return _recipient(table.update(Update(key, changes, (Equals("code", digest),))))
        except ConditionRefused as refused:
            raise CodeNotValid from refused

    def _items(self, caller: Caller) -> Iterable[Item]:
        query = Query(
            keys.consents(caller.tenant, caller.user), limit=_PAGE, prefix=keys.MAIL_RECIPIENT_PREFIX
        )
        for page in query_pages(self._tables.for_tenant(caller.tenant), query):
            yield from page.items


def verification_mail(question: Question, *, user: str, workspace: str) -> Mail:
    """The mail that asks a recipient."""
    text = (
        f"{user} has set up an agent in the workspace {workspace} that is to mail you its results.\n\n"
        f"If you want them, give {user} this code: {question.code}\n"
        f"It can be used once, until {question.expires_at:%d %B %Y, %H:%M} UTC.\n\n"
        "If you don't, there is nothing to do: without the code no result is mailed to you."
    )
    key = derived_id("verification", question.address, question.code)
    return Mail(key, question.address, "Do you want these results by mail?", text)


def _key(caller: Caller, address: str) -> Key:
    return keys.mail_recipient(caller.tenant, caller.user, short_hash(address.casefold()))


def _digest(caller: Caller, address: str, code: str) -> str:
    return derived_id(caller.tenant, caller.user, address.casefold(), code)


def _asked_at(item: Item) -> datetime:
    return from_text(str(item["asked_at"]))


def _recipient(item: Item) -> MailRecipient:
    verified_at = item.get("verified_at")
    return MailRecipient(
        address=str(item["address"]),
        status=RecipientStatus.VERIFIED if verified_at else RecipientStatus.PENDING,
        asked_at=_asked_at(item),
        verified_at=from_text(str(verified_at)) if verified_at else None,
    )
