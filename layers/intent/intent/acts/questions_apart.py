"""Questions for what there is that are the last sentence behind what is told: ``I forgot its name. Which
agents have I got?``
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.commands_apart import TELLING, last_sentence
from intent.acts.learned.act_model import ActModel, RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.present_work import asked_of_work
from intent.acts.scene import Scene

_SURE = 0.6
_ASKING = frozenset({ActKind.LIST_AGENTS, ActKind.SHOW_AGENT, ActKind.LIST_TASKS})
"""Kinds of a question that is answered from what there is."""
_MAY_TELL_FIRST = TELLING | _ASKING | {
    ActKind.UNSURE, ActKind.ASK_PRODUCT, ActKind.ASK_WORLD, ActKind.ASK_WORKSPACE, ActKind.RECALL, None,
}  # fmt: skip
"""What a message may look like whose last sentence asks, by what is told before it."""


def with_questions_apart(
    segments: Sequence[Segment], marked: MarkedMessage, scene: Scene, model: ActModel
) -> tuple[Segment, ...]:
    """Return the segments, a question for what there is that is the last sentence of one as its own."""
    if scene.has_draft or scene.question is not None:
        return tuple(segments)
    return tuple(part for segment in segments for part in _apart(segment, marked, scene, model))


def _apart(segment: Segment, marked: MarkedMessage, scene: Scene, model: ActModel) -> Iterator[Segment]:
    place = last_sentence(segment, marked)
    asked = _asked(segment, place, marked, scene, model)
    if asked is None:
        yield segment
        return
    told = tuple(one for one in segment.ranked if one.kind in TELLING)
    yield replace(segment, end=place, ranked=told or (RankedKind(ActKind.NONE, 1.0),))
    yield replace(segment, start=place, ranked=(asked,))


def _asked(
    segment: Segment, place: int, marked: MarkedMessage, scene: Scene, model: ActModel
) -> RankedKind | None:
    """Return what the last sentence of a segment asks by itself; None where it asks for nothing there is."""
    tokens = marked.tokens
    ends_asking = any(one.token.text == "?" for one in tokens[segment.end - 1 : segment.end + 1])
    asks_before = any(one.token.text == "?" for one in tokens[segment.start : place])
    if place == segment.start or not ends_asking or asks_before or segment.kind not in _MAY_TELL_FIRST:
        return None
    own = Clause(marked.text, tuple(one.token for one in tokens[place : segment.end]))
    if (shown := asked_of_work(own, scene)) is not None:
        return RankedKind(shown, 1.0)
    alone = model.split(replace(marked, tokens=tokens[place : segment.end]), scene)
    best = alone[0].ranked[0] if len(alone) == 1 else None
    return best if best is not None and best.kind in _ASKING and best.probability >= _SURE else None
