"""Links that whoever knows them may post to, such as Slack's incoming webhooks, kept sealed for their users.

Messages, agents and runs hold a reference in a link's place: a web address of the same server that nobody can
post to (``https://hooks.slack.com/sealed/5f0c…``). Only a delivery opens it. The key is none that opens
sign-ins or other secrets, so that what answers messages can read neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.connections.sealing import Sealer
from conversation.identity import Caller, derived_id
from conversation.redaction.kinds import SecretKind
from conversation.redaction.masking import find_secrets
from storage import keys
from storage.keys import TenantId
from storage.table import Item, Put
from storage.tenant_table import Tables
from tools.errors import ToolError

KEY_NAME = "links-key"
_URL = r"https?://[^\s<>\"'`|]+"
_REFERENCE = r"https://[A-Za-z0-9.-]{1,253}/sealed/([0-9a-f]{32})"


class _Link(NamedTuple):
    start: int
    end: int
    url: str


class PostingLinks:
    """Seals and opens links; safe to use from several threads."""

    def __init__(self, *, tables: Tables, sealer: Sealer) -> None:
        """``sealer`` is one of `KEY_NAME`."""
        self._tables = tables
        self._sealer = sealer

    def sealed_in(self, caller: Caller, text: str) -> str:
        """Returns the text with a reference in the place of each link, which is stored for the caller.

        The same link of the same user always gets the same reference.

        Raises:
            ToolError: unavailable; the tenant's key can't be read.
        """
        parts, at = [], 0
        for link in _links(text):
            parts += [text[at : link.start], self._sealed(caller, link.url)]
            at = link.end
        return "".join([*parts, text[at:]])

    def _sealed(self, caller: Caller, url: str) -> str:
        link_id = derived_id("link", caller.tenant, caller.user, url)
        place = keys.posting_link(caller.tenant, caller.user, link_id)
        item: Item = {
            "pk": place.partition,
            "sk": place.sort,
            "sealed": self._sealer.seal(caller.tenant, place, url),
        }
        self._tables.for_tenant(caller.tenant).put(Put(item))
        return f"https://{_host(url)}/sealed/{link_id}"

    def opened(self, tenant: TenantId, user: str, address: str) -> str | None:
        """Returns the link that an address of the user's refers to; an address that is no reference as it
        is; None where nothing is kept under the reference, or it can't be opened now.
        """
        found = re.fullmatch(_REFERENCE, address)
        if found is None:
            return address
        place = keys.posting_link(tenant, user, found[1])
        item = self._tables.for_tenant(tenant).get(place)
        try:
            return None if item is None else self._sealer.open(tenant, place, str(item["sealed"]))
        except ToolError:
            return None


def is_reference(address: str) -> bool:
    """Whether the address stands for a sealed link."""
    return re.fullmatch(_REFERENCE, address) is not None


def _links(text: str) -> Iterator[_Link]:
    hooks = [span for span in find_secrets(text) if span.kind is SecretKind.WEBHOOK]
    if not hooks:
        return
    for match in re.finditer(_URL, text):
        url = match[0].rstrip(".,;:!?)]}*_")
        end = match.start() + len(url)
        if any(match.start() <= span.start < end for span in hooks):
            yield _Link(match.start(), end, url)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
