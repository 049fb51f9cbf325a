"""Redaction in the turns of a tenant that stores no secrets: of the message, the history and the reply.

The message is redacted before it is admitted, the reply while it is streamed. What counts as a secret, and
what replaces it, is defined in `conversation.redaction.masking`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar, cast

from agent.connections.posting_links import PostingLinks
from agent.turn_events import Chunk, Outcome, ReplyStream, Restarted
from agent.workspace.roster import RosterCache
from conversation.messages.history import Window
from conversation.messages.items import InboxEntry
from conversation.redaction.kinds import SecretKind
from conversation.redaction.masking import mask, mask_fields, secret_kinds_in
from conversation.turns.admission import IncomingMessage
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from tools.errors import ToolError

CREDENTIAL_KINDS = frozenset({SecretKind.API_KEY, SecretKind.PASSWORD, SecretKind.PRIVATE_KEY})
"""Kinds of secrets that a user may have given so that an agent can sign in to a service."""

_SETTLED = r"[\s\S]*(?:\n|[.!?]\s)"
"""Matches the complete sentences at the start of a text that is still growing."""

EventT = TypeVar("EventT")


def redact_incoming(
    incoming: IncomingMessage, rosters: RosterCache, links: PostingLinks | None = None
) -> IncomingMessage:
    """Return the message as it may be stored: under every policy with its links sealed, if ``links`` can.
    Reads the policy only when there is something to redact; the turn then finds the policy cached.
    """
    kinds = secret_kinds_in(incoming.content)
    if links is not None and SecretKind.WEBHOOK in kinds:
        try:
            incoming = incoming.with_links_sealed(links.sealed_in(incoming.caller, incoming.content))
        except (ToolError, StorageUnavailable):
            return incoming.with_secrets_masked()
        kinds = secret_kinds_in(incoming.content)
    if not kinds and not _is_secretive(incoming):
        return incoming
    return incoming.with_secrets_masked() if _redaction_enabled(incoming.caller.tenant, rosters) else incoming


def _redaction_enabled(tenant: TenantId, rosters: RosterCache) -> bool:
    """Whether the tenant stores no secrets; True when its policy can't be read."""
    try:
        return rosters.for_tenant(tenant).record.policy.masks_secrets
    except StorageUnavailable:
        return True


def redact_window(window: Window) -> Window:
    """Return the history without secrets; some may have been stored under another policy."""
    messages = tuple(
        message.model_copy(update={"content": mask(message.content)}) for message in window.messages
    )
    return replace(window, messages=messages)


def contains_credentials(entry: InboxEntry) -> bool:
    """Whether the message contains sign-in credentials, or did before it was redacted."""
    return not CREDENTIAL_KINDS.isdisjoint(entry.contains or secret_kinds_in(entry.content))


def redact_events(events: Iterable[EventT]) -> Iterator[EventT]:
    """Yield the events of a reply with the secrets removed from its text and tool messages. Text is emitted
    sentence by sentence, because a secret may arrive in pieces.
    """
    text, stream = "", ReplyStream()
    for event in events:
        match event:
            case Chunk():
                text += event.text
                settled = re.match(_SETTLED, text)  # not compiled on import: few tenants need it
                yield from cast("Iterator[EventT]", stream.write(mask(settled[0])) if settled else ())
            case Restarted():
                text, stream = "", ReplyStream()
                yield event
            case Outcome():
                yield from cast("Iterator[EventT]", stream.write(mask(text)))
                messages = tuple(mask_fields(message) for message in event.tool_messages)
                yield cast("EventT", replace(event, tool_messages=messages))
            case _:
                yield event
    yield from cast("Iterator[EventT]", stream.write(mask(text)))


def _is_secretive(incoming: IncomingMessage) -> bool:
    return bool(incoming.metadata) and mask_fields(incoming.metadata or {}) != incoming.metadata
