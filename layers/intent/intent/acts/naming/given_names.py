"""Which act of a message gets the name that it tells: a new agent, a copy, or a present agent's renaming.

The acts are those of the message without the phrases that give names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.naming.name_edits import Edit, edited
from intent.acts.naming.phrases import find_told_names
from intent.acts.naming.told_name import Form, ToldName
from intent.acts.scene import Scene

_MAKING = frozenset({ActKind.CREATE_AGENT, ActKind.COPY_AGENT})


def read_told_names(
    message: str, scene: Scene, read: Callable[[str, Scene], tuple[Act, ...]]
) -> tuple[Act, ...] | None:
    """Return the acts of a message that gives names, whose rest ``read`` reads; None where it gives none,
    or one that belongs to nothing.
    """
    told = find_told_names(message, scene.agents)
    if not told:
        return None
    bare = _without_phrases(message, told)
    has_words = any(mark.isalnum() for mark in bare)
    rest = read(bare, _with_owner_in_focus(scene, told)) if has_words else ()
    return _with_told_names(rest, told, message, scene)


def _without_phrases(message: str, told: Sequence[ToldName]) -> str:
    """Return the message with the phrases that give names as blanks; the head of an item begins a line."""
    for one in told:
        blank = (" " * (one.end - one.start - one.is_label)).rjust(one.end - one.start, "\n")
        message = f"{message[: one.start]}{blank}{message[one.end :]}"
    return message


def _with_owner_in_focus(scene: Scene, told: Sequence[ToldName]) -> Scene:
    """Return the scene for the rest of the message, in which "it" is the first agent that gets a name."""
    owner = next((one.owner or one.mentioned for one in told if one.form is not Form.NEW), None)
    if owner is None or scene.has_draft or scene.question is not None:
        return scene
    return replace(scene, focus_kind="agent", focus=owner)


def _with_told_names(
    acts: Sequence[Act], told: Sequence[ToldName], message: str, scene: Scene
) -> tuple[Act, ...] | None:
    """Return the acts with the names, and with an act for each renaming, in order; None where the name of
    one of them belongs to nothing here.
    """
    named: list[Act] | None = [act for act in acts if act.kind is not ActKind.NONE]
    new = [one for one in told if one.form is Form.NEW]
    for one in told:
        if named is None:
            return None
        makers = [at for at, act in enumerate(named) if act.kind in _MAKING]
        at = makers[new.index(one)] if one in new and len(makers) == len(new) else _maker(named, one)
        if at is not None:
            named[at] = replace(named[at], slots={**named[at].slots, "name": one.name})
        else:
            named = _with_owner(named, one, message, scene)
    return None if named is None else tuple(named)


def _with_owner(acts: Sequence[Act], one: ToldName, message: str, scene: Scene) -> list[Act] | None:
    """Return the acts with the name for a present agent, or the unfinished one; None where none is meant."""
    owner = _owner(acts, one, scene)
    if owner is None:
        is_of_draft = scene.has_draft and one.form is not Form.NEW
        return _with_renaming(acts, one, None, message) if is_of_draft else None
    if one.edit is Edit.WHOLE:
        return _with_renaming(acts, one, owner, message)
    name = edited(owner.name, one.name.text, one.edit)
    if not name:
        return None
    return _with_renaming(acts, one._replace(name=one.name._replace(text=name)), owner, message)


def _maker(acts: Sequence[Act], one: ToldName) -> int | None:
    """Return the place of the act that makes what is named; None where a present agent is."""
    if one.owner is not None and one.form is not Form.NEW:
        return None
    makers = [at for at, act in enumerate(acts) if act.kind in _MAKING]
    before = [at for at in makers if acts[at].clause.start <= one.start]
    if before:
        return before[-1]
    if one.mentioned is not None or one.form is Form.CHANGED:
        return None
    return makers[0] if makers and not _deeds_before(acts, one) else None


def _deeds_before(acts: Sequence[Act], one: ToldName) -> bool:
    return any(act.meant.things for act in acts if act.clause.start < one.start)


def _owner(acts: Sequence[Act], one: ToldName, scene: Scene) -> Thing | None:
    """Return the present agent that gets the name; None where none is meant."""
    if one.owner is not None or one.form is Form.NEW:
        return one.owner if one.form is not Form.NEW else None
    if one.mentioned is not None and one.form is not Form.GIVEN:
        return one.mentioned
    if scene.has_draft or (scene.question is not None and "name" not in scene.question.slots):
        return None
    before = [act for act in acts if act.clause.start < one.start and act.meant.things]
    if before:
        things = before[-1].meant.things
        return things[0] if len(things) == 1 and things[0] in scene.agents else None
    if one.form is Form.GIVEN and one.is_judgement:
        return None
    if scene.focus_kind in {"agent", "run"}:
        return scene.focus
    is_only = not scene.focus_kind and len(scene.agents) == 1 and one.form is not Form.GIVEN
    return scene.agents[0] if is_only else None


def _with_renaming(acts: Sequence[Act], one: ToldName, owner: Thing | None, message: str) -> list[Act]:
    """Return the acts with the new name of an agent in the change of it beside, or in a change of its own."""
    for at, act in enumerate(acts):
        is_same = owner is not None and act.kind is ActKind.CHANGE_AGENT and act.meant.things == (owner,)
        if is_same and ("name" not in act.slots or act.slots["name"].start < one.name.start):
            changed = replace(act, slots={**act.slots, "name": one.name})
            return [*acts[:at], changed, *acts[at + 1 :]]
    clause = Span(message[one.start : one.end].strip(), one.start, one.end)
    meant = Meant() if owner is None else Meant(things=(owner,), is_named=one.owner is not None)
    renaming = Act(ActKind.CHANGE_AGENT, clause, meant, {"name": one.name})
    at = next((at for at, act in enumerate(acts) if act.clause.end > one.end), len(acts))
    return [*acts[:at], renaming, *acts[at:]]
