"""What a tenant that stores no secrets has taken out of its turns: of the message before it is admitted, of
what was said before, and of the reply as it is told.

What a secret is, and what stands for one, is `conversation.redaction.redact`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar, cast

from agent.events import Chunk, Outcome, Restarted, Teller
from agent.workspace.roster import Rosters
from conversation.messages.history import Window
from conversation.messages.items import Entry
from conversation.redaction.kinds import SecretKind
from conversation.redaction.redact import cleaned_fields, kinds_in, masked
from conversation.turns.admission import Incoming
from storage.errors import StorageUnavailable
from storage.keys import TenantId

SIGN_IN_KINDS = frozenset({SecretKind.API_KEY, SecretKind.PASSWORD, SecretKind.PRIVATE_KEY})
"""What somebody may have said so that an agent can sign in somewhere."""

_SETTLED = r"[\s\S]*(?:\n|[.!?]\s)"
"""What of a text that is still being said ends with a sentence."""

EventT = TypeVar("EventT")


def screened(incoming: Incoming, rosters: Rosters) -> Incoming:
    """The message as it may be stored. Asks for the policy only when there is something to take out, which
    then is at hand for the turn."""
    if not kinds_in(incoming.content) and not _is_secretive(incoming):
        return incoming
    return incoming.masked() if masks(incoming.caller.tenant, rosters) else incoming


def masks(tenant: TenantId, rosters: Rosters) -> bool:
    """Whether the tenant stores no secrets; where nobody can say, none are stored."""
    try:
        return rosters.for_tenant(tenant).record.policy.masks
    except StorageUnavailable:
        return True


def screened_window(window: Window) -> Window:
    """What was said before without secrets: some was stored under another policy."""
    messages = tuple(
        message.model_copy(update={"content": masked(message.content)}) for message in window.messages
    )
    return replace(window, messages=messages)


def holds_a_sign_in(entry: Entry) -> bool:
    """Whether the message holds, or held, something to sign in with."""
    return not SIGN_IN_KINDS.isdisjoint(entry.contains or kinds_in(entry.content))


def screened_events(events: Iterable[EventT]) -> Iterator[EventT]:
    """The events of a reply whose text and tool messages lose their secrets. Text is told by sentences,
    because a secret may come in pieces."""
    said, teller = "", Teller()
    for event in events:
        match event:
            case Chunk():
                said += event.text
                settled = re.match(_SETTLED, said)  # few tenants need it: not compiled by an import
                yield from cast("Iterator[EventT]", teller.tell(masked(settled[0])) if settled else ())
            case Restarted():
                said, teller = "", Teller()
                yield event
            case Outcome():
                yield from cast("Iterator[EventT]", teller.tell(masked(said)))
                messages = tuple(cleaned_fields(message) for message in event.tool_messages)
                yield cast("EventT", replace(event, tool_messages=messages))
            case _:
                yield event
    yield from cast("Iterator[EventT]", teller.tell(masked(said)))


def _is_secretive(incoming: Incoming) -> bool:
    return bool(incoming.metadata) and cleaned_fields(incoming.metadata or {}) != incoming.metadata
