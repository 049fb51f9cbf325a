"""Marks in prompts, and their removal from answers: text that holds a mark was copied from a prompt.

A mark is recognised by its form alone, so marks from another tenant's prompt are removed like our own. Marks
stop copies, not what a model says of its prompt in other words: nothing in a prompt may be a secret. Pure
except for a log line.
"""

from __future__ import annotations

import logging
import re

from conversation.identity import derived_id
from storage.keys import TenantId

# Few words end as a mark begins, so letters of an answer are rarely held back.
_MARK = re.compile(r"qz-[0-9a-f]{16}")
_BEGINNING = re.compile(r"q(?:z(?:-[0-9a-f]{0,15})?)?\Z")
_log = logging.getLogger(__name__)


def add_mark(prompt: str, tenant: TenantId) -> str:
    """The prompt with the mark of the tenant it is made for."""
    return f"{prompt}\n(qz-{derived_id('prompt', tenant)[:16]})"


def strip_marks(text: str) -> str:
    """The text without marks; a mark that was there is logged and measured."""
    clean, marks = _MARK.subn("", text)
    if marks:
        _log.error("model output refused", extra={"reason": "repeats_prompt", "times": marks})
    return clean


class PromptLeakFilter:
    """Removes the marks from a text that comes in pieces; the returned pieces add up to the text without
    marks.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        """The text that can be emitted by now; a possible beginning of a mark is held back until the next
        piece.
        """
        *before, last = _MARK.split(self._held + piece)
        beginning = _BEGINNING.search(last)
        end = beginning.start() if beginning else len(last)
        self._held = last[end:]
        return "".join([*before, last[:end]])

    def flush(self) -> str:
        """The text that was held back and turned out to be no mark."""
        held, self._held = self._held, ""
        return held
