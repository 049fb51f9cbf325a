"""Words that tell whose they are: what is found where it should not be says who was betrayed, and with what.

``cnry07m11e`` is of tenant 7, in a message, of its second user. Logins lack the end, so that that of one user
begins with that of another.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_WORD = re.compile(r"cnry(\d\d)(?:(n)(1+)|([a-z])(1+)e)", re.IGNORECASE)
_PARTITION = re.compile(r"T#([A-Za-z0-9_-]+)#(?:U#([^#\"]+))?")

NAMES = (
    "acme", "acme-eu", "acme-eu-1", "acme1", "acme11", "acme_", "a", "ac", "Acme", "acme-eu1",
    "globex", "globex-acme", "T", "t", "U", "C", "0", "1", "t-acme", "acme-T",
)  # fmt: skip
"""Tenants whose names begin, end and look alike."""
MESSAGE, TITLE, METADATA, TASK, RUN, FILE = "m", "t", "d", "k", "r", "f"
AGENT, SHARED_AGENT, SKILL, SHARED_SKILL = "a", "g", "x", "s"
POLICY, USER, TENANT = "p", "n", "z"
SECRET = "y"
"""The value of a tenant's secret, which nobody ever comes across, in no answer and nowhere in storage."""
OF_ALL = frozenset({SHARED_AGENT, SHARED_SKILL, POLICY, TENANT})
"""What everybody of a tenant may come across."""


class Owner(NamedTuple):
    """Whose a word is; ``user`` counts from 0."""

    tenant: int
    user: int

    @property
    def name(self) -> str:
        """The tenant, as its token names it."""
        return NAMES[self.tenant]

    @property
    def login(self) -> str:
        """The user, as the token names them: a canary as well."""
        return self.word(USER)

    def word(self, kind: str) -> str:
        """Their word for something of a kind."""
        return f"cnry{self.tenant:02}{kind}{'1' * (self.user + 1)}{'' if kind == USER else 'e'}"


class Found(NamedTuple):
    """A word somewhere."""

    owner: Owner
    kind: str


def found_in(text: str) -> set[Found]:
    """Every word in a text."""
    return {
        Found(Owner(int(tenant), len(of_login or of_word) - 1), (login or kind).lower())
        for tenant, login, of_login, kind, of_word in _WORD.findall(text)
    }


def places_in(cursor: str) -> Iterator[tuple[str, str | None]]:
    """The tenants and users (None: none) whose partitions a cursor's position names."""
    try:
        content = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        return
    for tenant, user in _PARTITION.findall(json.dumps(content)):
        yield tenant, user or None
