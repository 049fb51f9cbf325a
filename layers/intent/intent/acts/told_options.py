"""Times between which somebody can't decide yet: ``a) every day at 9 or b) only Mondays at 9``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import Act, ActKind, Span
from intent.acts.message_items import Item, find_items
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind

OPTIONS = "options"
"""The slot of a new agent with the times to choose from, one a line."""
_ENDS = frozenset(".!?;")
_JOINTS = frozenset({",", "or", "and", ";"})
_UNDECIDED = frozenset(
    "sure decide decided which whichever maybe might either unsure undecided know prefer think better torn"
    " much".split()
)
_MOST_LEADING = 6


class Options(NamedTuple):
    """The message without the times to choose from, its length unchanged, and those."""

    message: str
    words: tuple[str, ...]


def find_options(message: str, scene: Scene) -> Options | None:
    """Return the times that a message leaves open between; None when it names no such alternatives."""
    tokens = tokenise(message)
    items = find_items(tokens, message)
    if len(items) < 2 or any(tokens[item.mark - 1].word != "or" for item in items[-1:] if item.mark):
        return None
    spans = [_span(tokens, item) for item in items]
    words = tuple(message[tokens[start].start : tokens[end - 1].end] for start, end in spans)
    if not all(_says_when(one, scene) for one in words):
        return None
    first, last = _begin(tokens, items[0].mark), _behind_doubts(tokens, spans[-1][1])
    start, end = tokens[first].start, tokens[last - 1].end
    return Options(f"{message[:start]}{' ' * (end - start)}{message[end:]}", words)


def with_options(acts: Sequence[Act], options: Options) -> tuple[Act, ...]:
    """Return the acts; the request for a new agent has the times that it leaves open."""
    told = Span("\n".join(options.words), 0, 0)
    return tuple(
        replace(act, slots={**act.slots, OPTIONS: told}) if act.kind is ActKind.CREATE_AGENT else act
        for act in acts
    )


def _span(tokens: Sequence[Token], item: Item) -> tuple[int, int]:
    """Return the places of an option's words, without the joint and the sentences behind it."""
    end = next((at for at in range(item.start, item.end) if tokens[at].text in _ENDS), item.end)
    comma = next((at for at in range(item.start, end) if tokens[at].text == ","), end)
    end = comma if {one.word for one in tokens[comma:end]} & _UNDECIDED else end
    while end - 1 > item.start and tokens[end - 1].word in _JOINTS:
        end -= 1
    return item.start, end


def _says_when(words: str, scene: Scene) -> bool:
    return any(
        one.kind in {Kind.SCHEDULE, Kind.MOMENT} for one in read_times(words, now=scene.now, zone=scene.zone)
    )


def _begin(tokens: Sequence[Token], mark: int) -> int:
    """Return where the words begin that only lead in to the options: ``not sure yet:``."""
    start = next((at + 1 for at in range(mark - 1, -1, -1) if tokens[at].text in _ENDS), 0)
    leads = [token for token in tokens[start:mark] if token.is_word]
    return start if start and len(leads) <= _MOST_LEADING else mark


def _behind_doubts(tokens: Sequence[Token], end: int) -> int:
    """Return the place behind the doubts that follow the last option: ``daily might be too much?``"""
    while end < len(tokens):
        stop = next((at + 1 for at in range(end, len(tokens)) if tokens[at].text in _ENDS), len(tokens))
        words = {token.word for token in tokens[end:stop] if token.is_word}
        if words and not words & _UNDECIDED:
            return end
        end = stop
    return end
