"""Occasions told right before a command on agents, as its reason: ``migration tonight. mute cert-check``,
``forecast call at 10, run pipeline-gaps``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.commands import begins_command
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import AUXILIARIES, LEADS, POINTERS, QUESTION_WORDS, SUBJECTS, verb_forms
from intent.acts.scene import Scene
from intent.times.reader import read_times

_MARKS = frozenset({",", ".", ";", ":", "!", "\u2013", "\u2014", "-", "\n"})
_DETERMINERS = frozenset("the a an my our big another".split())
_LIST_WORDS = frozenset("todo to-do task reminder note remember remind agent".split())
_MOST = 7


def with_occasions_told(
    segments: Sequence[Segment], marked: MarkedMessage, scene: Scene
) -> tuple[Segment, ...]:
    """Return the segments; an occasion with its time at the start asks for nothing where a command on an
    agent stands behind it.
    """
    cut = None if scene.question is not None or scene.has_draft else _cut(marked, scene)
    if cut is None:
        return tuple(segments)
    told = Segment(0, cut, (RankedKind(ActKind.NONE, 1.0),))
    return (told, *(replace(one, start=max(one.start, cut)) for one in segments if one.end > cut))


def _cut(marked: MarkedMessage, scene: Scene) -> int | None:
    """Return where the command begins behind the occasion that a message opens with; None without both."""
    marks = (at for at, one in enumerate(marked.tokens[:_MOST]) if one.token.text in _MARKS)
    place = next(marks, None)
    if place is None or not _is_occasion(marked.tokens[:place], marked, scene):
        return None
    behind = marked.tokens[place + 1 :]
    names_agent = any(one.mask == "AGENT" for one in behind)
    return place + 1 if names_agent and begins_command(marked.tokens, place + 1) else None


def _is_occasion(tokens: Sequence[MarkedToken], marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether tokens are a noun with a time behind it, and name none of the user's things."""
    said = [one for one in tokens if one.token.is_word]
    while said and said[0].token.word in LEADS:
        said = said[1:]
    words = [one.token.word for one in said]
    noun = next((word for word in words if word not in _DETERMINERS), "")
    is_told = noun != "" and (noun not in verb_forms() or words[0] != noun) and noun[0].isalpha()
    if not is_told or any(one.mask in {"AGENT", "TASK"} for one in said):
        return False
    if set(words) & (SUBJECTS | AUXILIARIES | QUESTION_WORDS | POINTERS | _LIST_WORDS):
        return False
    begin, end = said[0].token.start, said[-1].token.end
    times = read_times(marked.text[begin:end], now=scene.now, zone=scene.zone)
    return bool(times) and times[0].span[0] > 0 and times[-1].span[1] == end - begin
