"""The acts that a model proposes, made exact by our own reading, as far as the message bears them out.

A model says of which kind an act is and which words carry it; its values win where they hold. Ids, times and
whatever else it leaves open are read from the words. What it proposes and the message doesn't have is
dropped, and our own reading stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Meant, ProposedAct, Thing
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.reader import ActReader, with_focus
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.analysis.act_support import UNLIKE, Support, support_of
from intent.analysis.proposed_slots import find_words, with_proposed

K = ActKind
MAX_ACTS = 20
"""A model that proposes more is not believed at all."""
READ_BY_US = frozenset({K.YES, K.PICK})
"""Answers that set off what waits for them: only our own reading may find them."""
_SURE = 0.8
_ON_THINGS = (ON_AGENTS | ON_TASKS) - {K.ADD_TASK, K.LIST_TASKS, K.CHANGE_AGENT}
_REMARKS = frozenset({K.NONE, K.SMALL_TALK})
"""What needs no answer beside other acts."""
_NO_DEEDS = frozenset(
    {K.NONE, K.SMALL_TALK, K.UNSURE, K.REMEMBER, K.WHY, K.ASK_WORLD, K.ASK_PRODUCT, K.DO_IN_WORLD}
)


def merged_acts(
    proposed: Sequence[ProposedAct], message: str, own: Sequence[Act], scene: Scene, reader: ActReader
) -> tuple[Act, ...] | None:
    """Return the acts of a message by a model's proposal, in the order said; None when nothing of it holds.

    ``own`` are the message's acts by our own reading; ``message`` are the user's own words.
    """
    if not 0 < len(proposed) <= MAX_ACTS:
        return None
    taken: list[Act] = []
    is_complete = True
    for each in proposed:
        act = _read(each, message, own, scene, reader)
        if act is None:
            is_complete = False
            continue
        taken.append(act)
        scene = with_focus(scene, act)
    kept = _without_contradictions(list(_united(taken)), own)
    if not kept:
        return None
    left = (act for act in own if not _is_covered(act, kept) and (not is_complete or _is_sure_deed(act)))
    told = [act for act in kept if act.kind not in _REMARKS] or kept
    return tuple(sorted((*told, *left), key=lambda act: act.clause.start))


def refused(act: Act) -> Act:
    """Return the refusal of an act, with the things that stay as they are."""
    return replace(act, kind=K.NO, slots={}, several=())


def _is_sure_deed(act: Act) -> bool:
    return act.kind not in _NO_DEEDS and act.confidence >= _SURE


def _is_covered(act: Act, others: Sequence[Act]) -> bool:
    return any(
        act.clause.start < other.clause.end and other.clause.start < act.clause.end for other in others
    )


def _read(
    proposed: ProposedAct, message: str, own: Sequence[Act], scene: Scene, reader: ActReader
) -> Act | None:
    """Return one proposed act with its things and values; None when the message doesn't have it."""
    kind, span = proposed.kind, find_words(message, proposed.text)
    if kind is None or span is None or (kind in READ_BY_US and not any(act.kind is kind for act in own)):
        return None
    ours = reader.read_as(message, (span.start, span.end), kind, scene)
    if ours is None:
        return None
    act = with_proposed(ours, proposed.slots, message, scene)
    if (title := act.slots.get("title")) is not None and kind is K.ADD_TASK:
        act = replace(act, several=(title,))
    meant = _meant(proposed, act, message, scene)
    if meant is None:
        return None
    act = replace(act, meant=meant)
    match support_of(act, ours, message, own, scene):
        case Support.NONE:
            return None
        case Support.REFUSED:
            return refused(act)
        case support:
            return _doubted(act) if support is Support.DOUBTFUL else act


def _doubted(act: Act) -> Act:
    """Return an act that is asked first: whether to do it, or on which thing, which names the act, too."""
    if act.kind in _ON_THINGS and not act.meant.things:
        return replace(act, meant=replace(act.meant, words=""))
    return replace(act, is_doubted=True)


def _meant(proposed: ProposedAct, act: Act, message: str, scene: Scene) -> Meant | None:
    """Return the things that an act is done to; None when something is excepted that can't be found."""
    if proposed.kind in ON_TASKS:
        names, things, listed = proposed.tasks or proposed.agents, scene.tasks, scene.listed_tasks
    elif proposed.kind in ON_AGENTS:
        names, things, listed = proposed.agents, scene.agents, scene.listed_agents
    else:
        return act.meant
    found = [each for name in names if (each := _named(name, things, listed, message)) is not None]
    spared = [_named(name, things, listed, message) for name in proposed.excepted]
    if any(each is None or not each.things for each in spared):
        return None
    kept = {thing.id for each in spared if each for thing in each.things}
    kept |= {thing.id for thing in act.meant.excepted}
    meant = _joined(found) or act.meant
    if not kept:
        return meant
    left = tuple(thing for thing in meant.things if thing.id not in kept)
    excepted = tuple(thing for thing in things if thing.id in kept)
    return replace(meant, things=left, excepted=excepted) if left else None


def _named(name: str, things: Sequence[Thing], listed: Sequence[Thing], message: str) -> Meant | None:
    """Return what one of a model's names means: an exact name, or words of the message that describe it."""
    exact = tuple(thing for thing in things if name_parts(thing.name) == name_parts(name))
    if exact:
        return Meant(things=exact[:1], is_named=True)
    tokens = tokenise(name)
    if not tokens or find_words(message, name) is None:
        return None
    found = find_meant(Clause(name, tokens), things, listed=listed)
    return found if found.things or found.candidates else None


def _joined(found: Sequence[Meant]) -> Meant | None:
    if len(found) < _SEVERAL:
        return found[0] if found else None
    things = tuple(dict.fromkeys(thing for each in found for thing in each.things))
    return Meant(things=things, is_named=all(each.is_named for each in found)) if things else found[0]


_SEVERAL = 2


def _united(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts without repetitions; tasks that the same words add become one act."""
    seen: list[Act] = []
    for act in acts:
        same = next((one for one in seen if one.kind is act.kind and one.clause == act.clause), None)
        if same is None:
            seen.append(act)
        elif act.kind is K.ADD_TASK:
            titles = tuple(dict.fromkeys((*same.several, *act.several)))
            seen[seen.index(same)] = replace(same, several=titles)
        elif act.meant.things and act.meant.things != same.meant.things:
            things = tuple(dict.fromkeys((*same.meant.things, *act.meant.things)))
            seen[seen.index(same)] = replace(same, meant=replace(same.meant, things=things))
    yield from seen


def _without_contradictions(acts: Sequence[Act], own: Sequence[Act]) -> list[Act]:
    """Return the acts without those that can't both be meant of one thing, unless we read them so, too."""
    said = {(act.kind, thing.id) for act in own for thing in act.meant.things}

    def is_contradicted(act: Act) -> bool:
        ids = {thing.id for thing in act.meant.things}
        others = [
            other for other in acts if other is not act and ids & {thing.id for thing in other.meant.things}
        ]
        is_said = all((act.kind, thing_id) in said for thing_id in ids)
        return not is_said and any({act.kind, other.kind} in UNLIKE for other in others)

    return [act for act in acts if not is_contradicted(act)]
