"""The time that a correction means where it says why with another one: ``no, I meant Wednesday, on Tuesday
she's away``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.act import Act, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import AUXILIARIES, CORRECTIONS, LEADS, NEGATIONS, SUBJECTS
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.times.reader import read_times

_MOST_OF_TIME = 3
_MEANING = frozenset({"meant", "mean"})
_MARKS = frozenset(",.;:!?\n()\u2013\u2014-")
_TELLING = (
    NEGATIONS
    | AUXILIARIES
    | SUBJECTS
    | frozenset(
        "she's he's they're it's off away closed busy shut out full back booked because since".split()
    )
)


def with_meant_time(act: Act, clause: Clause, scene: Scene) -> dict[str, Span]:
    """Return the slots of a change; when it corrects a time, without those of its reason."""
    span = _meant_time(clause, scene)
    if span is None or not act.slots.keys() & {"when", "due"}:
        return dict(act.slots)
    return {**act.slots, **{name: span for name in ("when", "due") if name in act.slots}}


def _meant_time(clause: Clause, scene: Scene) -> Span | None:
    """Return the only part that says the time meant, where another one tells of other times."""
    if scene.question is not None or scene.has_draft:
        return None
    parts = [part for part in _parts(clause.tokens) if not _is_opening(part)]
    meant = [part for part in parts if _MEANING & {token.word for token in part}]
    if not meant and clause.words[0] in CORRECTIONS:
        meant = [part for part in parts[:1] if len(part) <= _MOST_OF_TIME]  # a longer one may be the reason
    others = [part for part in parts if part not in meant]
    if len(meant) != 1 or not _says_time(meant[0], clause, scene):
        return None
    reasons = [one for one in others if _tells(one) and _says_time(one, clause, scene)]
    if not reasons or any(_says_time(one, clause, scene) for one in others if one not in reasons):
        return None
    start, end = meant[0][0].start, meant[0][-1].end
    return Span(clause.message[start:end], start, end)


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    part: list[Token] = []
    for token in tokens:
        if token.text in _MARKS or token.word == "but":
            if part:
                yield tuple(part)
            part = []
        else:
            part.append(token)
    if part:
        yield tuple(part)


def _is_opening(part: Sequence[Token]) -> bool:
    return all(token.word in CORRECTIONS | LEADS for token in part)


def _tells(part: Sequence[Token]) -> bool:
    return any(token.word in _TELLING or token.word.endswith("'s") for token in part)


def _says_time(part: Sequence[Token], clause: Clause, scene: Scene) -> bool:
    return bool(read_times(clause.message[part[0].start : part[-1].end], now=scene.now, zone=scene.zone))
