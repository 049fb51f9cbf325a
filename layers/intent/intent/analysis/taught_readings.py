"""The reading of a message as its user, or a colleague, once said that such words are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Reading
from intent.acts.reader import ActReader
from intent.acts.scene import Scene
from intent.analysis.scenes import scene_of
from intent.lessons.learned_wording import learned_wording
from intent.lessons.said_corrections import correction_in
from intent.lessons.wording import masked_wording
from intent.situation import Situation

_LIKELY, _CERTAIN = 0.9, 1.0


def corrected_reading(situation: Situation, reader: ActReader) -> Reading | None:
    """Return the reading of the message before as what the present one says that it was meant as:
    ``No, I wanted to run an agent``. None where the present message is to be read itself.
    """
    said = correction_in(situation)
    if said is None:
        return None
    act = _read_as(said.message, said.kind, _afresh(scene_of(situation)), reader, _CERTAIN)
    if act is None:
        return None
    return Reading((act,), (act,), False, _agents(situation), corrected=said.message, is_settled=True)


def taught_reading(
    message: str, own: Sequence[Act], situation: Situation, scene: Scene, reader: ActReader
) -> Reading | None:
    """Return the reading that the tenant's lessons make of the situation's own words, ``message``; None to
    leave it as ``own`` says.
    """
    if not situation.lessons:
        return None
    lessons = learned_wording(situation.lessons)
    wording = masked_wording(message, scene.agents)
    telling = [act for act in own if act.kind is not ActKind.NONE]
    read: dict[ActKind, float] = {act.kind: act.confidence for act in telling}
    settled = lessons.settled(wording, read)
    is_open = scene.question is not None or scene.has_draft
    kind = settled or (None if is_open else lessons.meant_instead(wording, read))
    if kind is None:
        return None
    acts = tuple(telling)
    if set(read) != {kind}:
        sure = _CERTAIN if settled else _LIKELY
        act = _read_as(message, kind, _afresh(scene), reader, sure)
        acts = () if act is None else (act,)
    return Reading(acts, acts, False, _agents(situation), is_settled=settled is not None) if acts else None


def _read_as(message: str, kind: ActKind, scene: Scene, reader: ActReader, sure: float) -> Act | None:
    act = reader.read_as(message, (0, len(message)), kind, scene)
    return None if act is None else replace(act, confidence=sure)


def _afresh(scene: Scene) -> Scene:
    """Return the scene as if nothing were open: the words ask for something of their own."""
    return replace(scene, question=None, has_draft=False)


def _agents(situation: Situation) -> tuple[str, ...]:
    return tuple(agent.id for agent in situation.agents)
