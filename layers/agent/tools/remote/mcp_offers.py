"""What our MCP server offers beside tools: texts to read (resources) and prepared requests (prompts).

`tools.remote.mcp_server` speaks the protocol; who offers something implements `Offers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class OfferedResource:
    """A text that a client may read; its address may have ``{name}`` in it where it stands for many."""

    uri: str
    name: str
    description: str


class ResourcePage(NamedTuple):
    """Some of the resources, and the cursor of those after them; None: there are no more."""

    resources: Sequence[OfferedResource]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class OfferedPrompt:
    """A prepared request. ``text`` has ``{name}`` for each of its arguments, all of which are needed."""

    name: str
    description: str
    text: str
    arguments: Mapping[str, str]
    """What each argument is, by its name."""

    def filled(self, given: Mapping[str, str]) -> str | None:
        """Returns the request with these arguments; None when one is missing or unknown."""
        return self.text.format(**given) if given.keys() == self.arguments.keys() else None


class Offers(Protocol):
    """The resources and prompts of one caller."""

    @property
    def templates(self) -> Sequence[OfferedResource]:
        """The forms of the resources' addresses."""

    @property
    def prompts(self) -> Sequence[OfferedPrompt]:
        """The prepared requests."""

    def resources(self, cursor: str | None) -> ResourcePage:
        """A page of the caller's resources.

        Raises:
            ToolError: the cursor is none of this list.
        """

    def values_of(self, argument: str) -> Sequence[str]:
        """What the caller may give for an argument of a prompt or of a resource's address; empty: unknown."""

    def read(self, uri: str) -> str | None:
        """The text of a resource, as Markdown; None: there is none at this address for the caller."""
