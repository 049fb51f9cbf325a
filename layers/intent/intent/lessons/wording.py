"""The words of a message as lessons compare them: names, numbers, times and addresses masked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from conversation.redaction.masking import mask_strictly
from intent.acts.act import Thing
from intent.acts.learned.marked_tokens import MarkedToken, mark_message
from intent.acts.references import stem

MAX_WORDS = 25
MAX_CHARACTERS = 160
_LONGEST = 400
_MASKS = frozenset({"AGENT", "TIME", "NUM", "ADDR", "LINK"})
_START = "^"


def masked_wording(message: str, agents: Sequence[Thing]) -> str:
    """Return a message's words without secrets, and with ``AGENT`` for names of the ``agents``.

    Empty for a message too long to tell a wording.
    """
    if len(message) > _LONGEST:
        return ""
    words = list(_masked(mask_strictly(message), agents))
    wording = " ".join(words)
    return wording if len(words) <= MAX_WORDS and len(wording) <= MAX_CHARACTERS else ""


def _masked(message: str, agents: Sequence[Thing]) -> Iterator[str]:
    last = ""
    for marked in mark_message(message, agents, ()).tokens:
        word = _word(marked)
        if word and not (word == last and word in _MASKS):
            yield word
            last = word


def _word(marked: MarkedToken) -> str:
    """Return the word as typed or its mask; empty for a mark other than a colon."""
    if marked.mask in _MASKS:
        return marked.mask
    token = marked.token
    # As typed: a word of the tenant's own must not be taken for a slip of the pen.
    return token.text.lower() if token.is_word or token.text == ":" else ""


def features_of(wording: str) -> frozenset[str]:
    """Return the stems of a masked wording, and its pairs of neighbouring stems."""
    stems = [word if word in _MASKS else stem(word) for word in wording.split()]
    pairs = (f"{first} {second}" for first, second in pairwise([_START, *stems]))
    return frozenset([*stems, *pairs])
