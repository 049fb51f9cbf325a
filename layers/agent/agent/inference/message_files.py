"""The files of a message as parts of a model's prompt: images and PDFs as they are, texts as text.

What a file says is data: it is labelled like everything that its user did not write.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from pydantic import JsonValue

from conversation.identity import Caller
from conversation.messages.attached_files import AttachedFile
from conversation.messages.provenance import Author, label
from llm.catalogue import Model
from llm.content_parts import PDF, can_read, file_part, text_part

FileReader: TypeAlias = Callable[[Caller, AttachedFile], bytes | None]
"""Returns a file's content; None when it is gone or out of reach."""

MAX_BYTES = 3_750_000
"""Of one image or PDF: what every vendor takes. Source: Amazon Bedrock, Converse, ImageBlock."""
MAX_TOGETHER = 10_000_000
MAX_TEXT_CHARACTERS = 20_000
_PREFIX = "image/"


def is_for_eyes(file: AttachedFile) -> bool:
    """Whether a model has to take the file itself, and not its text."""
    return file.media_type == PDF or file.media_type.startswith(_PREFIX)


def readers_among(models: Sequence[Model], files: Sequence[AttachedFile]) -> frozenset[str]:
    """The ids of the models that take all of the files."""
    wanted = [file.media_type for file in files if is_for_eyes(file)]
    return frozenset(model.id for model in models if all(can_read(model, each) for each in wanted))


def file_parts(
    caller: Caller, files: Sequence[AttachedFile], read: FileReader
) -> Iterator[dict[str, JsonValue]]:
    """A part for each file, after a text that names it."""
    left = MAX_TOGETHER
    for file in files:
        named = f"The user's file {file.name!r} ({file.media_type}, {file.size:,} bytes)"
        if is_for_eyes(file) and file.size > min(MAX_BYTES, left):
            yield text_part(label(Author.FILE, f"{named} is too large for you to read."))
            continue
        content = read(caller, file)
        if content is None:
            yield text_part(label(Author.FILE, f"{named} can't be reached now."))
        elif is_for_eyes(file):
            left -= file.size
            yield text_part(label(Author.FILE, f"{named}:"))
            yield file_part(file.name, file.media_type, base64.b64encode(content).decode())
        else:
            text = content.decode("utf-8", "replace")
            cut = " It is cut here." if len(text) > MAX_TEXT_CHARACTERS else ""
            yield text_part(label(Author.FILE, f"{named}:{cut}\n{text[:MAX_TEXT_CHARACTERS]}"))
