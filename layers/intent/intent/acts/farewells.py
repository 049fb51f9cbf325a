"""Farewells that say that somebody is done: ``that's me done``, ``we're done here``, ``I'm done for today``.

What is done is the visit, and none of the user's tasks.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.lexicon import LEADS

_PERSONS = frozenset({"me", "us"})
_WHOLE = frozenset({"all", "everything", "it"})
_ENDED = frozenset("done finished sorted set through off out good".split())
_READY = (("all", "set"), ("all", "done"), ("all", "good"))
_AWAY = frozenset("for today tonight now here".split())
_AROUND = LEADS | frozenset(
    "for the a today tonight now here day night evening morning afternoon week weekend shift from me us all"
    " everyone everybody folks bye goodbye goodnight mate very much again i'm im off you see ya later then"
    " moment being time nice have until tomorrow".split()
)
_BEGINNINGS = (
    ("that's",), ("thats",), ("that", "is"), ("that'll", "be"), ("that", "will", "be"), ("that", "was"),
    ("that", "would", "be"),
)  # fmt: skip
_SELF = (("i'm",), ("im",), ("we're",), ("i", "am"), ("we", "are"))


def says_done_here(words: Sequence[str]) -> bool:
    """Return whether words say nothing but that their speaker is done for now; plain words in lower case."""
    begin = next((at for at, word in enumerate(words) if word not in LEADS - {"all"}), len(words))
    said = tuple(words[begin:])
    for beginning in _BEGINNINGS:
        if said[: len(beginning)] == beginning:
            return _ends(said[len(beginning) :])
    for beginning in _SELF:
        if said[: len(beginning)] == beginning:
            return _is_through(said[len(beginning) :])
    return said[:1] in (("done",), ("finished",)) and bool(said[1:]) and _is_through(said)


def _ends(words: Sequence[str]) -> bool:
    """Return whether words behind ``that's`` are of the speaker's end: ``me done``, ``all from us``."""
    if words[:1] and words[0] in _PERSONS:
        rest = words[1:]
        is_ended = bool(_ENDED & set(rest[:2]))
        return set(rest) <= _AROUND | _ENDED and (is_ended or not _ENDED & set(rest))
    is_whole = words[:1] != () and words[0] in _WHOLE
    return is_whole and bool({"from", "for"} & set(words[1:2])) and set(words[1:]) <= _AROUND


def _is_through(words: Sequence[str]) -> bool:
    """Return whether words behind ``I'm`` say that the speaker is ready, or done here or for now."""
    if tuple(words[:2]) in _READY:
        return set(words[2:]) <= _AROUND
    is_ended = words[:1] != () and words[0] in _ENDED - {"sorted", "off", "out", "good"}
    return is_ended and bool(_AWAY & set(words[1:2])) and set(words[1:]) <= _AROUND
