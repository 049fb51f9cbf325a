"""Several requests in one message: ``one that lists …, and another one that watches …``, ``1) … 2) …``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.commands import read_command
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.message_items import Item, find_items, with_sentences

_JOINTS = frozenset({"and", "plus", "then", "also", ",", ";", ".", "&", "\n"})
_ONE_MORE = frozenset({"another", "second", "third", "one", "other"})
_SKIPPED = frozenset({"a", "the", "one", "agent", "bot", "more"})
_RELATIVES = frozenset({"that", "which", "who", "to", "for"})


def request_starts(tokens: Sequence[MarkedToken]) -> list[int]:
    """Return where the requests of a clause begin, the first at 0; one place for a single request."""
    words = [token.token.word for token in tokens]
    places = range(1, len(words))
    return [0, *(at for at in places if words[at - 1] in _JOINTS and _begins_one_more(words, at))]


def enumerated(tokens: Sequence[MarkedToken]) -> list[int]:
    """Return where the items of ``One: …. Two: …`` begin, behind their numbers; empty for fewer than two."""
    found: list[int] = []
    for place in range(len(tokens) - 2):
        behind = tokens[place + 1].token.text
        begins = not place or behind == ")" or tokens[place - 1].token.text in _MARKS
        is_next = tokens[place].token.word in _NUMBERS[len(found) : len(found) + 1][0]
        if begins and is_next and behind in _BEHIND_NUMBER:
            found.append(place + 2)
            if len(found) == len(_NUMBERS):
                break
    return found if len(found) > 1 else []


_MARKS = frozenset(".,;:!?-(\n")
_BEHIND_NUMBER = frozenset(":)-.\u2013\u2014")
_NUMBERS = tuple(
    frozenset(names.split()) for names in ("one first 1", "two second 2", "three third 3", "four fourth 4")
)


def _begins_one_more(words: Sequence[str], place: int) -> bool:
    """Return whether ``another one that``, ``a second agent to``, ``one that`` stands at ``place``."""
    at, is_more = place, False
    while at < len(words) and at - place < _MOST_BEFORE and words[at] in _ONE_MORE | _SKIPPED:
        is_more = is_more or words[at] in _ONE_MORE
        at += 1
    return is_more and at < len(words) and words[at] in _RELATIVES


_MOST_BEFORE = 4


def with_requests_apart(marked: MarkedMessage, segments: Sequence[Segment]) -> str:
    """Return the message with its marked items as sentences, where one of them is a request of its own.

    Items that only tell of one new agent, or answer what was asked, stay together.
    """
    tokens = [one.token for one in marked.tokens]
    items = find_items(tokens, marked.text)
    adds = any(
        one.kind is ActKind.ADD_TASK and any(item.start <= one.start < item.end for item in items)
        for one in segments
    )
    if not adds and not any(_is_command(marked, item) for item in items):
        return marked.text
    return with_sentences(marked.text, tokens, items)


def _is_command(marked: MarkedMessage, item: Item) -> bool:
    """Return whether an item is a command: in plain form, or a verb with the name of something there is."""
    own = marked.tokens[item.start : item.end]
    is_named = any(one.mask in {"AGENT", "TASK"} for one in own)
    return read_command(own) is not None or (is_named and "base verb" in own[0].classes)
