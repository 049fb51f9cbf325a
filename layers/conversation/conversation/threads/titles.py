"""Derives a conversation's title from its first request. Pure.

``Hi! Could you please check my overdue tickets? Thanks`` gives ``Check my overdue tickets``.
"""

from __future__ import annotations

import re
import unicodedata

from conversation.redaction.masking import mask_strictly

MAX_CHARACTERS = 60
_READ_CHARACTERS = 500
"""Characters read of the request."""

_END = r"(?![\w'-])(?:[\s,.!:;]|-\s)*"
_GREETING = (
    r"(?:hi|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day))"
    rf"(?: there| all| team)?{_END}"
)
_COURTESY = (
    r"(?:please|pls|kindly|thanks|thank you(?: so much| very much)?|sorry(?: to bother you)?|excuse me"
    rf"|ok(?:ay)?|so|well|and){_END}"
)
_ASKING = (
    rf"(?:(?:can|could|would|will) (?:you|u)(?: please| kindly| maybe)?"
    rf"|(?:i'd|i would|we'd|we would) (?:like|love)(?: you)? to|(?:i|we) (?:want|need)(?: you)? to"
    rf"|i was wondering (?:if|whether) you (?:can|could)|(?:please )?(?:help me(?: to)?|let me)"
    rf"|do you mind|would you mind){_END}"
)
_LEAD = re.compile(rf"(?:{_GREETING}|{_COURTESY}|{_ASKING})", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,.!?;:-]+(?:please|pls|thanks(?: a lot| in advance)?|thank you(?: so much| very much)?|thx|cheers)"
    r"[\s.!?]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[\n\u3002\uff01\uff1f]")


def title_of(request: str) -> str:
    """The title for a request: its first sentence with content, without courtesies and secrets.

    At most 60 characters, cut between words. Empty if the request has no words.
    """
    clean = mask_strictly(request[:_READ_CHARACTERS])
    sentences = [" ".join(sentence.split()) for sentence in _SENTENCE.split(clean)]
    wanted = next((core for core in map(_core, sentences) if _says_something(core)), "")
    title = shorten_title(wanted or next(filter(_says_something, sentences), ""))
    return title[:1].upper() + title[1:]


def shorten_title(text: str) -> str:
    """The text as one line of at most 60 characters, cut between words where possible."""
    line = " ".join("".join(c if _is_plain(c) else " " for c in text).split()).rstrip(" ,;:.!-")
    if len(line) <= MAX_CHARACTERS:
        return line
    cut = line[: MAX_CHARACTERS - 1]
    whole = cut.rpartition(" ")[0] if line[MAX_CHARACTERS - 1] != " " else cut
    return (whole if len(whole) > MAX_CHARACTERS // 2 else cut).rstrip(" ,;:.!-") + "…"


def _core(sentence: str) -> str:
    core = sentence
    while lead := _LEAD.match(core):
        core = core[lead.end() :]
    while tail := _TAIL.search(core):
        core = core[: tail.start()]
    # Without its polite frame the request is no question any more.
    return core.strip() if core == sentence else core.strip(" ?")


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _is_plain(character: str) -> bool:
    return unicodedata.category(character) not in {"Cc", "Cf", "Zl", "Zp"}
