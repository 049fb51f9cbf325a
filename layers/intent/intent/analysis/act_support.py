"""Whether a message's own words bear out an act that a model proposes. Pure.

Text of others may talk a model into anything. An act that changes something must be named by the words, and
so must its thing; what they refuse or only ask about is not taken from a model at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto

from intent.acts.act import Act, ActKind, Thing
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_TASKS
from intent.acts.references import points_back
from intent.acts.removal_evidence import is_unneeded
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.analysis.proposed_slots import contradicts_words
from intent.rules import named_acts
from intent.rules.named_acts import Act as NamedAct
from intent.rules.named_things import covers, distinctive_words

K = ActKind
_NAMED: Mapping[ActKind, tuple[NamedAct, ...]] = {
    K.CREATE_AGENT: (NamedAct.CREATE,), K.COPY_AGENT: (NamedAct.CREATE,),
    K.CHANGE_AGENT: (NamedAct.CHANGE, NamedAct.RENAME), K.PAUSE_AGENT: (NamedAct.PAUSE,),
    K.RESUME_AGENT: (NamedAct.RESUME,), K.DELETE_AGENT: (NamedAct.DELETE,),
    K.RESTORE_AGENT: (NamedAct.RESUME,), K.SHARE_AGENT: (NamedAct.SHARE,),
    K.UNSHARE_AGENT: (NamedAct.SHARE,), K.RUN_AGENT: (NamedAct.RUN,), K.CANCEL_RUN: (NamedAct.STOP_RUN,),
    K.ADD_TASK: (NamedAct.ADD_TASK,), K.COMPLETE_TASK: (NamedAct.COMPLETE_TASK,),
    K.REOPEN_TASK: (NamedAct.REOPEN_TASK,), K.CHANGE_TASK: (NamedAct.CHANGE_TASK, NamedAct.RENAME),
    K.DELETE_TASK: (NamedAct.DELETE_TASK,), K.RESTORE_TASK: (NamedAct.REOPEN_TASK,), K.UNDO: (),
}  # fmt: skip
"""The acts that change something, by what the words have to name; empty: only our own reading tells."""
UNLIKE = (
    {K.PAUSE_AGENT, K.RESUME_AGENT}, {K.PAUSE_AGENT, K.RUN_AGENT}, {K.SHARE_AGENT, K.UNSHARE_AGENT},
    {K.COMPLETE_TASK, K.REOPEN_TASK}, {K.DELETE_AGENT, K.RUN_AGENT}, {K.DELETE_AGENT, K.CHANGE_AGENT},
    {K.DELETE_AGENT, K.RESUME_AGENT}, {K.DELETE_AGENT, K.RESTORE_AGENT}, {K.DELETE_AGENT, K.SHARE_AGENT},
    {K.DELETE_TASK, K.COMPLETE_TASK}, {K.DELETE_TASK, K.CHANGE_TASK}, {K.DELETE_TASK, K.REOPEN_TASK},
    {K.DELETE_AGENT, K.PAUSE_AGENT}, {K.CANCEL_RUN, K.RUN_AGENT}, {K.DELETE_TASK, K.ADD_TASK},
)  # fmt: skip
"""Acts that can't both be meant of one thing."""
_REFUSABLE = frozenset(
    {
        K.PAUSE_AGENT, K.RESUME_AGENT, K.DELETE_AGENT, K.RESTORE_AGENT, K.SHARE_AGENT, K.RUN_AGENT,
        K.COMPLETE_TASK, K.REOPEN_TASK, K.DELETE_TASK,
    }
)  # fmt: skip
"""A clause that refuses one of the others may well be a change: ``don't mail it``."""
_ONLY_OURS = frozenset({K.SET_POLICY, K.CONNECT, K.REMOVE_SKILL, K.EXPORT, K.ERASE, K.DELETE_CONVERSATION})
"""Acts on the workspace as a whole and on personal data: never by a model's reading alone."""
_GRAVE = frozenset({K.DELETE_AGENT, K.DELETE_TASK, K.RUN_AGENT, K.SHARE_AGENT})
"""Not even offered where we surely read something that is unlike them."""
_SURE, _LIKELY, _FAINT = 0.8, 0.5, 0.2
"""From which confidence on our own reading of another act rules one out, from which it casts doubt, and up to
which our own reading of a deed bears nothing out.
"""
_MOST_WORDS = 150
"""A longer message may be somebody else's text that doesn't look like one."""


class Support(Enum):
    """What the words say of an act."""

    FULL = auto()
    """They bear it out."""
    DOUBTFUL = auto()
    """They don't, so that it is asked first."""
    REFUSED = auto()
    """They refuse it."""
    NONE = auto()
    """They say nothing of it."""


def support_of(act: Act, ours: Act, message: str, own: Sequence[Act], scene: Scene) -> Support:
    """Return what a message's own words say of an act.

    ``ours`` is how we read its clause, given its kind; ``own`` are the message's acts by our own reading.
    """
    beside = [other for other in own if _overlap(act, other)]
    if act.kind in _ONLY_OURS:
        return Support.FULL if any(other.kind is act.kind for other in beside) else Support.NONE
    if act.kind not in _NAMED:
        return Support.FULL
    is_ours = any(other.kind is act.kind and other.confidence >= _FAINT for other in beside)
    if not is_ours and is_refused(act):
        return Support.REFUSED
    part = _own_words_of(act, beside, message)
    is_question = named_acts.is_only_question(message) and named_acts.is_only_question(part)
    is_named = is_ours or scene.has_draft or _is_named(act, message) or _is_named(act, part)
    # Where the words don't name the act, what was talked about last bears out nothing.
    has_things = _has_things(act, (ours, *beside), scene, with_focus=is_named) or (
        is_named and _points_to_things(act, message, scene)
    )
    opposed = [other for other in beside if other.confidence >= _LIKELY and {act.kind, other.kind} in UNLIKE]
    if not is_ours and (is_question or not (is_named or has_things)):
        return Support.NONE
    sure = [other for other in beside if other.confidence >= _SURE]
    is_other = any(other in opposed for other in sure) if act.kind in _GRAVE else False
    if is_other or (
        not has_things
        and any(other in sure or other.meant.is_named for other in beside if other.kind in _NAMED)
    ):
        return Support.NONE
    is_long = not is_ours and len(message.split()) > _MOST_WORDS
    is_clear = is_named and has_things and not opposed and not is_long
    return Support.FULL if is_clear and not contradicts_words(act, scene) else Support.DOUBTFUL


def _own_words_of(act: Act, beside: Sequence[Act], message: str) -> str:
    """Return the words that carry an act by our own cut, too, of a message that asks for information.

    It is the whole of any other message, as a model's cut could leave out a ``should I`` or a ``don't``.
    """
    if not beside or not named_acts.is_only_question(message):
        return message
    places = [one.clause for one in (act, *beside)]
    return message[min(one.start for one in places) : max(one.end for one in places)]


def _is_named(act: Act, message: str) -> bool:
    return any(named_acts.names_act(message, named) for named in _NAMED[act.kind])


def is_faint(act: Act, message: str) -> bool:
    """Return whether an act that we read is hardly likely and not named by the words: ``it was useful``."""
    return act.kind in _REFUSABLE and act.confidence < _FAINT and not _is_named(act, message)


def is_refused(act: Act) -> bool:
    """Return whether an act's clause mentions the act only to refuse it: ``don't pause it``."""
    named = _NAMED.get(act.kind, ()) if act.kind in _REFUSABLE else ()
    if act.kind is ActKind.DELETE_AGENT and is_unneeded([one.word for one in tokenise(act.clause.text)]):
        return False  # ``we don't need rota any more``
    return any(named_acts.refuses_act(act.clause.text, one) for one in named)


def _overlap(one: Act, other: Act) -> bool:
    return one.clause.start < other.clause.end and other.clause.start < one.clause.end


def _has_things(act: Act, ours: Sequence[Act], scene: Scene, *, with_focus: bool) -> bool:
    """Return whether the clause names all things of an act, by our own reading or by words of their names."""
    read = [each.meant for each in ours if with_focus or not each.meant.is_focus]
    known = {thing.id for meant in read for thing in (*meant.things, *meant.candidates)}
    meant = {thing.id for thing in act.meant.things}
    things = scene.tasks if act.kind in ON_TASKS else scene.agents
    others = [thing for thing in things if thing.id not in meant]
    return all(thing.id in known or _names(act.clause.text, thing, others) for thing in act.meant.things)


def _points_to_things(act: Act, message: str, scene: Scene) -> bool:
    """Return whether a clause says ``it`` of the only thing of its kind that the words before it name."""
    clause = Clause(act.clause.text, tokenise(act.clause.text))
    if len(act.meant.things) != 1 or not points_back(clause):
        return False
    before = message[: act.clause.start]
    things = scene.tasks if act.kind in ON_TASKS else scene.agents
    named = [thing.id for thing in things if covers(before, thing.name.replace("-", " "))]
    return named == [act.meant.things[0].id]


def _names(words: str, thing: Thing, others: Sequence[Thing]) -> bool:
    """Return whether words have all of a name, or a part of it that no other thing's name has."""
    name = thing.name.replace("-", " ")
    if covers(words, name):
        return True
    shared = distinctive_words(name) & distinctive_words(words)
    return bool(
        shared - {word for other in others for word in distinctive_words(other.name.replace("-", " "))}
    )
