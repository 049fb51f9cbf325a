"""Marks in prompts, and answers without them: text that holds a mark was copied from a prompt. Pure but for a
line in the log.

A mark is told by its form alone, so that one of another tenant's prompt is stopped like one of our own. It
stops copies, not what a model says of its prompt in other words: nothing in a prompt may be a secret.
"""

from __future__ import annotations

import logging
import re

from conversation.identity import derived_id
from storage.keys import TenantId

# Hardly a word ends like a mark begins, so hardly a letter of an answer ever waits.
_MARK = re.compile(r"qz-[0-9a-f]{16}")
_BEGINNING = re.compile(r"q(?:z(?:-[0-9a-f]{0,15})?)?\Z")
_log = logging.getLogger(__name__)


def marked(prompt: str, tenant: TenantId) -> str:
    """The prompt with the mark of the tenant it is made for."""
    return f"{prompt}\n(qz-{derived_id('prompt', tenant)[:16]})"


def unmarked(text: str) -> str:
    """The text without marks; that there was one is logged and measured."""
    clean, marks = _MARK.subn("", text)
    if marks:
        _log.error("model output refused", extra={"reason": "repeats_prompt", "times": marks})
    return clean


class Unmarking:
    """Takes the marks out of a text that comes in pieces: its own pieces add up to the text without them."""

    def __init__(self) -> None:
        self._held = ""

    def passed(self, piece: str) -> str:
        """What can be said by now; what may be the beginning of a mark waits for the next piece."""
        *before, last = _MARK.split(self._held + piece)
        beginning = _BEGINNING.search(last)
        end = beginning.start() if beginning else len(last)
        self._held = last[end:]
        return "".join([*before, last[:end]])

    def rest(self) -> str:
        """What waited and turned out to be no mark."""
        held, self._held = self._held, ""
        return held
