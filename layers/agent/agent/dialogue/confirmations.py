"""Answers to what the last reply asked: what is said besides a yes changes what waits, narrows it or more."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent.dialogue import texts
from agent.dialogue.act_kinds import ON_AGENTS, ON_THINGS
from agent.dialogue.administration import policy
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise
from intent.acts.told_deeds import mentions
from intent.regular_expressions import pattern

K = ActKind
AMENDED = frozenset({K.CREATE_AGENT, K.COPY_AGENT, K.CHANGE_AGENT, K.CHANGE_TASK, K.ADD_TASK})
"""The kinds whose details a yes may change; the others are carried out just as they were asked about."""
_REPLIES = frozenset({K.YES, K.NO, K.LATER})
_LIMITS = pattern(
    r"\b(?:but|just|only) (?:not|keep|leave|only|without)\b", r"\bexcept(?: for)?\b", r"\bonly\b"
)
_PUT_OFF = pattern(
    r"\b(?:not|don'?t)(?: [a-z]+)? (?:now|yet|today|tonight|this week|right away|immediately)\b",
    r"\b(?:later|some other time|another time|hold on|hang on|hold off|wait|in a (?:bit|while|moment))\b",
)
_AT_A_TIME = pattern(
    r"\b(?:tomorrow|tonight|next (?:week|month|year)|after the|once the|when the|at the end of)\b",
    r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
)


class Reading(NamedTuple):
    """The question as the answer changes it, and the acts to carry out."""

    question: AskedQuestion | None
    acts: list[Act]


def read_answer(
    asked: AskedQuestion | None, acts: Sequence[Act], message: str, *, has_draft: bool = False
) -> Reading:
    """Return the acts to carry out: a yes takes along what else is said about what it answers."""
    if asked is None or not asked.waiting:
        return Reading(asked, _without(acts, {K.YES}) if has_draft else list(acts))
    if asked.waiting[0].kind is K.SET_POLICY:
        return Reading(*policy.amended(asked, acts))
    if asked.asked is not Asked.CONFIRM:
        acts = _as_answers(acts, asked)
        is_answered = any(act.kind in {K.PICK, K.ANSWER} for act in acts)
        return Reading(asked, _without(acts, {K.YES, K.NO} if is_answered else {K.YES}))
    if (redirected := _redirected(acts, asked)) is not None:
        return Reading(None, redirected)
    held = asked.waiting[0]
    answer = next((act for act in acts if act.kind in {K.YES, K.NO}), None)
    if answer is None:
        return Reading(asked, [replace(act, kind=K.YES) if _repeats(act, held) else act for act in acts])
    asked = _with_told_time(asked, answer)
    held = asked.waiting[0]
    acts = [act for act in acts if act is answer or not _says_again(act, asked.waiting)]
    if asked.is_doubt and (others := _meant_instead(acts, answer, held)):
        return Reading(None, others)
    if (narrowed := _narrowed(asked.waiting, message)) is not None:
        said = replace(answer, kind=K.YES if narrowed else K.NO)
        left = asked.model_copy(update={"waiting": narrowed}) if narrowed else asked
        beside = (act for act in _beside(acts, asked.waiting) if act.kind not in _REPLIES)
        return Reading(left, [said, *beside])
    if held.kind is not K.ERASE and _is_put_off(held, acts, message):  # an erasure asks again by itself
        beside = (act for act in acts if act.kind not in _REPLIES and not _PUT_OFF.search(act.clause.text))
        return Reading(asked, [replace(answer, kind=K.LATER), *beside])
    amendments = [act for act in acts if _amends(act)]
    if not amendments or held.kind not in AMENDED:
        return Reading(asked, list(acts))
    slots = {name: span.text for act in amendments for name, span in act.slots.items()}
    amended = held.model_copy(update={"slots": {**held.slots, **slots}})
    rest = [act for act in acts if act not in amendments and act is not answer]
    return Reading(_with_first(asked, amended), [replace(answer, kind=K.YES), *rest])


def with_asked_before(asked: AskedQuestion | None, result: Result, message: str) -> Result:
    """Return the question whether to delete something; with what was asked about before and still waits,
    where words add to that: ``and the leads agent as well``.
    """
    question = result.question
    first = next((token.word for token in tokenise(message) if token.is_word), "")
    adds = first in {"and", "also", "plus"} or _ALSO.search(message) is not None
    if asked is None or question is None or not (adds and _is_deletion(asked) and _is_deletion(question)):
        return result
    waiting = (*asked.waiting, *question.waiting)
    names = [
        f"“{name}”" if held.kind is K.DELETE_TASK else name for held in waiting for _, name in held.things
    ]
    return replace(
        result, text=texts.ask_to_delete(names, ()), question=question.model_copy(update={"waiting": waiting})
    )


def _is_deletion(asked: AskedQuestion) -> bool:
    kinds = {held.kind for held in asked.waiting}
    return asked.asked is Asked.CONFIRM and bool(kinds) and kinds <= {K.DELETE_AGENT, K.DELETE_TASK}


_ALSO = pattern(r"\b(?:as well|too|also)\b")


def _says_again(act: Act, waiting: Sequence[HeldAct]) -> bool:
    """Return whether an act beside the answer only says again what that is about: ``yes, delete it``."""
    return _only_names(act, waiting) or any(_repeats(act, held) for held in waiting)


def _only_names(act: Act, waiting: Sequence[HeldAct]) -> bool:
    """Return whether an act beside the answer says no more than what that is about: ``yes, only parcels``."""
    held = {thing_id for one in waiting for thing_id, _ in one.things}
    words = [token.word for token in tokenise(act.clause.text) if token.is_word]
    names = {part for thing in act.meant.things for part in (*name_parts(thing.name), thing.name.lower())}
    said = [word for word in words if word not in LEADS and word not in _NAMING]
    is_held = bool(act.meant.things) and {thing.id for thing in act.meant.things} <= held
    return is_held and all(word in names for word in said)


_NAMING = frozenset("only just the that this one it them agent agents".split())


def _meant_instead(acts: Sequence[Act], answer: Act, held: HeldAct) -> list[Act]:
    """Return what a message asks for instead of the guess that it seems to answer; empty for nothing."""
    if others := _commanded_otherwise(acts, answer, held):
        return others
    return [act for act in acts if act is not answer] if len(acts) > 1 and _leads_in(answer) else []


def _commanded_otherwise(acts: Sequence[Act], answer: Act, held: HeldAct) -> list[Act]:
    """Return what a yes to a guess commands instead: ``yes, delete it``; empty for nothing.

    A command without a name of its own is for what the guess was about.
    """
    is_task = held.kind is K.ADD_TASK
    if is_task and any(act.kind in ON_THINGS - {K.ADD_TASK} for act in acts):
        return [act for act in acts if act is not answer]
    mentioned = mentions(Clause(answer.clause.text, tokenise(answer.clause.text)))
    deed = next((one.kind for one in mentioned), None)
    deed = None if deed is held.kind and not is_task else deed
    if deed is None or not (is_task or answer.kind is K.YES):
        return []
    meant = answer.meant
    if deed in ON_AGENTS and held.kind in ON_AGENTS and not meant.things:
        meant = Meant(things=tuple(Thing(*one) for one in held.things))
    return [replace(answer, kind=deed, meant=meant)]


def _leads_in(answer: Act) -> bool:
    """Return whether a yes may as well lead in to what follows it: ``ok one thing. remind me …``."""
    first = next((token.word for token in tokenise(answer.clause.text) if token.is_word), "")
    return answer.kind is K.YES and first in _LEADING_IN


_LEADING_IN = frozenset("ok okay right well so alright anyway fine".split())


def _without(acts: Sequence[Act], replies: Collection[ActKind]) -> list[Act]:
    """Return the acts without a yes or no that only leads in to another one."""
    kept = [act for act in acts if act.kind not in replies or act.slots]
    return kept or list(acts)


def _as_answers(acts: Sequence[Act], asked: AskedQuestion) -> list[Act]:
    """Return the acts as answers to what was asked; of several tasks to add, the first has the title."""
    read = [_as_answer(act, asked) for act in acts]
    added = [at for at, act in enumerate(acts) if act.kind is K.ADD_TASK]
    return [acts[at] if at in added[1:] else act for at, act in enumerate(read)]


def _as_answer(act: Act, asked: AskedQuestion) -> Act:
    """Return a task to add as the title that was asked for, a bare address as the link, and whatever says a
    time as when an agent is to run.
    """
    is_title = asked.slots == ("title",) and act.kind is K.ADD_TASK and bool(act.several)
    is_link = asked.slots == ("link",) and act.kind in {K.NONE, K.UNSURE} and "://" in act.clause.text
    is_answer = is_title or is_link or _says_when(act, asked)
    return replace(act, kind=K.ANSWER) if is_answer else act


def _says_when(act: Act, asked: AskedQuestion) -> bool:
    """Return whether an act only says a time where the last reply asked when an agent shall run: ``hmm,
    maybe just mondays then``.
    """
    held = asked.waiting[0]
    is_asked = "when" in asked.slots and held.kind is K.CHANGE_AGENT and bool(act.slot("when"))
    if not is_asked or act.kind in _TALK:
        return is_asked
    is_held = act.meant.is_focus and [(one.id, one.name) for one in act.meant.things] == list(held.things)
    return act.kind is K.CHANGE_AGENT and is_held and act.slots.keys() <= {"when", "agent"}


_TALK = frozenset({K.NONE, K.UNSURE, K.SMALL_TALK, K.REMEMBER})


def _redirected(acts: Sequence[Act], asked: AskedQuestion) -> list[Act] | None:
    """Return what was asked about for another thing: ``no, I meant parcels``."""
    pick = next((act for act in acts if act.kind is K.PICK and act.meant.things), None)
    if pick is None:
        return None
    other = replace(asked.waiting[0].to_act(), meant=pick.meant)
    return [other if act is pick else act for act in acts if act.kind not in _REPLIES]


def _with_first(asked: AskedQuestion, held: HeldAct) -> AskedQuestion:
    return asked.model_copy(update={"waiting": (held, *asked.waiting[1:])})


def _with_told_time(asked: AskedQuestion, answer: Act) -> AskedQuestion:
    """Return a question whether to add a task, with the time that a yes tells: ``yes, every monday``."""
    held, when = asked.waiting[0], answer.slot("when")
    if held.kind is not K.ADD_TASK or answer.kind is not K.YES or not when:
        return asked
    return _with_first(asked, held.model_copy(update={"slots": {**held.slots, "when": when}}))


def _narrowed(waiting: Sequence[HeldAct], message: str) -> tuple[HeldAct, ...] | None:
    """Return what waits, for a part of its things: ``yes, but not X``, ``only X``; None: for all of them."""
    found = _LIMITS.search(message)
    things = [Thing(*thing) for held in waiting for thing in held.things]
    if len(things) < 2 or found is None:
        return None
    tokens = tuple(token for token in tokenise(message) if token.start >= found.end())
    named = find_meant(Clause(message, tokens), things).things if tokens else ()
    if not named:
        return None
    is_only = found[0].lower().endswith("only")
    kept = {one.id for one in things if (one in named) is is_only}
    parts = [[thing for thing in held.things if thing[0] in kept] for held in waiting]
    return tuple(
        held.model_copy(update={"things": tuple(part)})
        for held, part in zip(waiting, parts, strict=True)
        if part
    )


def _beside(acts: Sequence[Act], waiting: Sequence[HeldAct]) -> list[Act]:
    """Return the acts that are about something else than what waits."""
    things = {thing_id for held in waiting for thing_id, _ in held.things}
    kinds = {held.kind for held in waiting}
    return [
        act
        for act in acts
        if act.kind not in _REPLIES | {K.NONE, K.ANSWER, K.PICK}
        and act.kind not in kinds
        and not (things & {thing.id for thing in act.meant.things})
    ]


def _is_put_off(held: HeldAct, acts: Sequence[Act], message: str) -> bool:
    """Return whether a yes is taken back by what follows it, or is to count at another time."""
    kinds = [act.kind for act in acts if act.kind in _REPLIES]
    if K.YES not in kinds:
        return False
    if _PUT_OFF.search(message) is not None:
        return True
    if held.kind in AMENDED:
        return False
    return K.LATER in kinds or _AT_A_TIME.search(message) is not None


def _amends(act: Act) -> bool:
    is_vague = not act.meant.things or act.meant.is_focus
    return act.kind in {K.CHANGE_AGENT, K.ANSWER, K.SET_POLICY} and is_vague


def _repeats(act: Act, held: HeldAct) -> bool:
    """Return whether an act asks again for just what waits for a yes: ``ok, delete it``."""
    ids = {thing.id for thing in act.meant.things}
    return act.kind is held.kind and bool(ids) and ids == {thing_id for thing_id, _ in held.things}
