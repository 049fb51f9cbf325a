"""The state that words want an agent in, without a command: ``rota back on, bills stay off till June``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from intent.acts.act import ActKind, Meant
from intent.acts.clauses import Clause
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import AUXILIARIES, LEADS, NEGATIONS, POINTERS, QUESTION_WORDS, verb_forms
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.tokens import Token

_ON = (
    ("back", "on"), ("on", "again"), ("back", "online"), ("online", "again"), ("active", "again"),
    ("running", "again"), ("live", "again"), ("on",), ("active",), ("running",), ("live",), ("unmuted",),
)  # fmt: skip
_OFF = (
    ("off", "again"), ("on", "hold"), ("on", "pause"), ("off",), ("paused",), ("muted",), ("silent",),
    ("quiet",), ("silenced",), ("stopped",), ("suspended",),
)  # fmt: skip
_STAYING = frozenset("stay stays staying keep keeps remain remains still".split())
_AROUND = frozenset("for now please too again then though though meanwhile as well".split())
_LIMITS = frozenset({"until", "till", "til"})
_OTHERS = frozenset({"other", "others", "rest"})
_ENDS = frozenset(".!?;\n\u2026")
_JOINTS = frozenset({",", "and", "but", "while", "whereas", "&", "\u2013", "\u2014"})
_MOST_OF_SUBJECT = 5


class _State(NamedTuple):
    subject: tuple[Token, ...]
    is_on: bool
    stays: bool


def named_state(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what brings an agent into the state that a clause says of it; NO where it says that another one
    stays as it is; None for any other clause.
    """
    state = None if clause.is_question else _state(clause.tokens)
    if state is None:
        return None
    meant = _meant(clause, state, scene)
    if state.stays and not meant.things:
        return ActKind.NO
    if meant.is_all or not (meant.things or _OTHERS & {one.word for one in state.subject}):
        return None
    return ActKind.RESUME_AGENT if state.is_on else ActKind.PAUSE_AGENT


def with_states_apart(
    segments: Sequence[Segment], marked: MarkedMessage, scene: Scene
) -> tuple[Segment, ...]:
    """Return the segments, with each state that a sentence names for an agent as one of its own."""
    for begin, end in _sentences(marked):
        cuts = _stretches(marked, begin, end)
        if not any(one.mask == "AGENT" for one in marked.tokens[begin:end]):
            continue
        kinds = [named_state(_clause(marked, *cut), scene) for cut in cuts]
        if cuts and None not in kinds and set(kinds) != {ActKind.NO}:
            segments = _with(segments, cuts, kinds)
    return tuple(segments)


def _with(
    segments: Sequence[Segment], cuts: Sequence[tuple[int, int]], kinds: Sequence[ActKind | None]
) -> list[Segment]:
    """Return the segments with stretches of known kinds in the place of what was read there."""
    begin, end = cuts[0][0], cuts[-1][1]
    before = [replace(one, end=min(one.end, begin)) for one in segments if one.start < begin]
    behind = [replace(one, start=max(one.start, end)) for one in segments if one.end > end]
    own = [
        Segment(start, stop, (RankedKind(kind, 1.0),))
        for (start, stop), kind in zip(cuts, kinds, strict=True)
    ]
    return [*before, *own, *behind]


def _state(tokens: Sequence[Token]) -> _State | None:
    said = [one for one in tokens if one.is_word]
    while said and said[0].word in LEADS:
        said = said[1:]
    words = [one.word for one in said]
    for at in range(1, min(len(words), _MOST_OF_SUBJECT + 1)):
        if _ends_noun(words[at - 1]):
            return None
        stays = words[at] in _STAYING
        place = at + stays
        phrase = next((one for one in (*_ON, *_OFF) if tuple(words[place : place + len(one)]) == one), None)
        if phrase is not None and _is_rest(words[place + len(phrase) :]):
            return _State(tuple(said[:at]), phrase in _ON, stays)
    return None


def _ends_noun(word: str) -> bool:
    """Return whether a word belongs to no plain name or description of one agent."""
    return word in _NO_NOUNS or word.endswith("n't") or word[0].isdigit() or word in _VERBS


_VERBS = verb_forms().keys() - frozenset(
    "report check list digest watch alert log count track review".split()
)
_NO_NOUNS = (
    AUXILIARIES
    | NEGATIONS
    | QUESTION_WORDS
    | (POINTERS - {"one", "ones"})
    | frozenset("be been being need needs only at from to in on by every each with all both nothing".split())
)


def _is_rest(words: Sequence[str]) -> bool:
    """Return whether words behind a state only say until when it lasts."""
    limit = next((at for at, word in enumerate(words) if word in _LIMITS), len(words))
    return set(words[:limit]) <= _AROUND


def _meant(clause: Clause, state: _State, scene: Scene) -> Meant:
    return find_meant(replace(clause, tokens=state.subject), scene.agents)


def _clause(marked: MarkedMessage, start: int, end: int) -> Clause:
    is_question = any(one.token.text == "?" for one in marked.tokens[end - 1 : end + 1])
    return Clause(marked.text, tuple(one.token for one in marked.tokens[start:end]), "", is_question)


def _sentences(marked: MarkedMessage) -> Iterator[tuple[int, int]]:
    begin = 0
    for at, one in enumerate(marked.tokens):
        if one.token.text[0] in _ENDS:
            yield begin, at + 1
            begin = at + 1
    yield begin, len(marked.tokens)


def _stretches(marked: MarkedMessage, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the stretches of a sentence between what joins them, without those of no words."""
    cuts = [begin, *(at for at in range(begin, end) if marked.tokens[at].token.word in _JOINTS), end]
    return [
        (start, stop) for start, stop in pairwise(cuts)
        if any(one.token.is_word and one.token.word not in _JOINTS for one in marked.tokens[start:stop])
    ]  # fmt: skip
