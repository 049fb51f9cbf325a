"""Files of stored messages, as wires give them back: with addresses that can be opened for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from conversation.messages.attached_files import AttachedFile

FileLinks: TypeAlias = Callable[[AttachedFile], str | None]
"""The address of a file, which is valid for a quarter of an hour; None: there is none now."""


class ShownFile(NamedTuple):
    """A file with its address."""

    file: AttachedFile
    url: str

    @property
    def is_image(self) -> bool:
        """Whether a client shows it rather than its name."""
        return self.file.media_type.startswith("image/")


def no_links(_file: AttachedFile) -> str | None:
    """No file has an address."""
    return None


def shown_files(files: Iterable[AttachedFile], links: FileLinks) -> Iterator[ShownFile]:
    """The files that have an address."""
    for file in files:
        if (url := links(file)) is not None:
            yield ShownFile(file, url)
