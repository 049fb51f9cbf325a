"""Several new agents in one sentence, each with times of its own: ``the leads on Mondays at 9, also the
tickets on Fridays at 10``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import Act, ActKind, Span
from intent.acts.days_off import with_days_left_out
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import SERVICES, MarkedMessage, MarkedToken
from intent.acts.lexicon import AUXILIARIES, LEADS, LIST_NOUNS, POINTERS, SUBJECTS, TASK_NOUNS, verb_forms
from intent.acts.references import is_content
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind

_ADDING = frozenset({"also", "plus", "additionally"})
_JOINTS = _ADDING | {"and", ",", ";", "&", "."}
_PLACED = frozenset("from in of to for by at on via with into".split())
_BEFORE_TIME = frozenset("on at every each".split())
_TOLD = frozenset(
    {None, ActKind.NONE, ActKind.ADD_TASK, ActKind.REMEMBER, ActKind.UNSURE, ActKind.SMALL_TALK, ActKind.SUM}
)
"""What the second request may be taken for by itself."""


def with_whole_requests(
    marked: MarkedMessage, segments: Sequence[Segment], scene: Scene
) -> tuple[Segment, ...]:
    """Return the segments, with what goes on behind a request for a new agent as a request, too, and the days
    that are left out as a part of it.
    """
    kept: list[Segment] = []
    for segment in with_days_left_out(marked, segments, scene):
        own = marked.tokens[segment.start : segment.end]
        follows = bool(kept) and kept[-1].kind is ActKind.CREATE_AGENT and segment.kind in _TOLD
        if follows and _goes_on(marked, segment) and _says_when(own, marked.text, scene):
            ranked = (RankedKind(ActKind.CREATE_AGENT, _SURE), *segment.ranked)
            kept.append(replace(segment, ranked=ranked))
        else:
            kept.append(segment)
    return tuple(kept)


_SURE = 0.6


def with_shared_slots(acts: Sequence[Act]) -> list[Act]:
    """Return the acts, with the place and the system of one request for a new agent for the next that names
    none, and the place for the one before it.
    """
    new = [place for place, act in enumerate(acts) if act.kind is ActKind.CREATE_AGENT]
    kept = list(acts)
    for one, other in pairwise(new):
        first, second = kept[one], kept[other]
        if not (second.is_other or _begins_with_joint(second)):
            continue
        names = ("where", "source") if second.is_other and not _names_service(second) else ("where",)
        kept[other] = _with_slots_of(second, first, names)
        kept[one] = _with_slots_of(first, second, ("where",))
    return kept


def with_told_job(
    tagged: Mapping[str, tuple[Span, ...]], tokens: Sequence[MarkedToken], text: str
) -> Mapping[str, tuple[Span, ...]]:
    """Return the spans of a request's slots, where none is the job with the words at its beginning that say
    what to collect.
    """
    end = next(
        (at for at, one in enumerate(tokens) if _is_time(one) or one.token.word in _PLACED), len(tokens)
    )
    if "job" in tagged or not any(_is_thing(tokens, at) for at in range(end)):
        return tagged
    first, last = tokens[0].token.start, tokens[end - 1].token.end
    return {**tagged, "job": (Span(text[first:last], first, last),)}


def _with_slots_of(act: Act, other: Act, names: Sequence[str]) -> Act:
    lacking = {name: other.slots[name] for name in names if name in other.slots and name not in act.slots}
    return replace(act, slots={**act.slots, **lacking}) if lacking and _TELLING & act.slots.keys() else act


def _names_service(act: Act) -> bool:
    return any(token.word in SERVICES - {"slack", "teams"} for token in tokenise(act.clause.text))


def _begins_with_joint(act: Act) -> bool:
    first = next((token.word for token in tokenise(act.clause.text) if token.is_word), "")
    return first in _ADDING | {"and"}


_TELLING = frozenset({"when", "job", "source"})


def _goes_on(marked: MarkedMessage, segment: Segment) -> bool:
    """Return whether a segment begins with a joint and the thing that one more agent is to collect."""
    own = marked.tokens[segment.start : segment.end]
    begin = next((at for at, one in enumerate(own) if one.token.word not in _JOINTS), 0)
    joints = {one.token.word for one in own[:begin]} & (_ADDING | {"and"})
    return bool(joints) and _tells_thing(own[begin:])


def _tells_thing(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words begin with a thing, and neither with a deed nor with a time alone."""
    end = next((at for at, one in enumerate(tokens) if at and one.token.word in _JOINTS), len(tokens))
    own = tokens[:end]
    words = {one.token.word for one in own}
    if (POINTERS | AUXILIARIES | SUBJECTS | TASK_NOUNS | LIST_NOUNS) & words or not own:
        return False
    first = own[0]
    if "base verb" in first.classes or first.token.word in LEADS:
        return False
    if first.token.word in _PLACED - _BEFORE_TIME:
        return False
    return any(_is_thing(own, at) for at in range(len(own)))


def _is_thing(tokens: Sequence[MarkedToken], at: int) -> bool:
    one = tokens[at]
    before = tokens[at - 1].token.word if at else ""
    if _is_time(one) or one.mask in {"ADDR", "LINK"} or one.token.word in SERVICES or before in _PLACED:
        return False
    form = verb_forms().get(one.token.word)
    return is_content(one.token) or (form is not None and not form.is_base)


def _is_time(token: MarkedToken) -> bool:
    return token.mask in {"TIME", "NUM"}


def _says_when(tokens: Sequence[MarkedToken], text: str, scene: Scene) -> bool:
    """Return whether words name days that come again and again, and a time of day."""
    if not tokens or not any(map(_is_time, tokens)):
        return False
    words = text[tokens[0].token.start : tokens[-1].token.end]
    readings = read_times(words, now=scene.now, zone=scene.zone)
    schedules = [one for one in readings if one.kind is Kind.SCHEDULE]
    return any(
        (one.timing is not None and not any(said.startswith("no time") for said in one.assumed))
        or one.missing == ("am_pm",)
        for one in schedules
    )
