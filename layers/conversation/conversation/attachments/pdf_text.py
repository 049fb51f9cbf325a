"""Writes the text of the PDF on standard input to standard output, in a process of its own.

A document can take any time and memory to read. So this process limits its own, and what it wrote until it
ends counts: `conversation.attachments.file_texts` starts it.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from io import BytesIO

from pypdf import PdfReader

MEMORY_BYTES = 400 * 1024 * 1024
"""Beside the function that starts it; pypdf unpacks up to 75 MB at a time."""
CPU_S = 15


def pages(content: bytes) -> Iterator[str]:
    """The text of one page after the other; none of a document that can't be read without a password."""
    for page in PdfReader(BytesIO(content)).pages:
        yield page.extract_text()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    most = int(sys.argv[1])
    _limit()
    for text in pages(sys.stdin.buffer.read()):
        sys.stdout.buffer.write(text.encode("utf-8", "replace")[:most] + b"\n")
        sys.stdout.flush()
        most -= len(text)
        if most <= 0:
            break
