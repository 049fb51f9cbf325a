"""Joins neighbouring acts of a message that tell of one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from conversation.sentences import split_sentences
from intent.acts.act import Act, ActKind, Meant, Span
from intent.acts.days_off import is_regular_day
from intent.acts.kept_places import with_kept_places
from intent.acts.lexicon import CORRECTIONS, EXCEPTIONS, NEGATIONS, classes_of
from intent.acts.places import MESSAGES
from intent.acts.tokens import tokenise

_TOLD_AT_LENGTH = frozenset({ActKind.CREATE_AGENT, ActKind.ANSWER, ActKind.REMEMBER, ActKind.COPY_AGENT})
"""Kinds whose neighbours of the same kind are one act unless each has a time of its own."""


def merged(message: str, acts: Sequence[Act], apart: Collection[int]) -> Iterator[Act]:
    """Yield the acts, with neighbours that tell of one thing joined; ``apart``: where others begin."""
    waiting: Act | None = None
    for act in acts:
        is_apart = act.clause.start in apart
        if waiting is not None and not is_apart and _are_one(waiting, act):
            waiting = _joined(message, waiting, act)
            continue
        if waiting is not None:
            yield waiting
        waiting = act
    if waiting is not None:
        yield waiting


def without_corrected(message: str, acts: Sequence[Act]) -> list[Act]:
    """Return the acts without those that the message takes back: ``delete parcels. no wait, rota-check``.

    What is done to another thing behind a word of correction takes the place of the same deed before it.
    """
    acts = list(_with_days_off(message, list(_with_picks(list(_with_names_of_new(acts))))))
    acts = with_kept_places(list(_with_exceptions(acts)))
    taken_back = {
        place
        for place, act in enumerate(acts)
        for other in acts[place + 1 :]
        if _is_done_instead(message, act, other)
    }
    return [
        act
        for place, act in enumerate(acts)
        if place not in taken_back
        and not (place and _repeats_wish(acts[place - 1], act))
        and not any(_says_shared_again(before, act) for before in acts[:place])
    ]


def _says_shared_again(act: Act, behind: Act) -> bool:
    """Return whether words only say once more that what is shared is for others: ``share rota, so all can use
    it. Is it possible to share it?``
    """
    if act.kind is not ActKind.SHARE_AGENT or behind.kind not in _ASKED_AGAIN | {ActKind.SHARE_AGENT}:
        return False
    words = {token.word for token in tokenise(behind.clause.text) if token.is_word}
    is_on_same = not behind.meant.is_named or behind.meant.things == act.meant.things
    return is_on_same and bool(words & _SHARING) and words <= _SHARING | _POINTING | _AROUND_SHARING


_SHARING = frozenset("share shared sharing use see read run view".split())
_AROUND_SHARING = frozenset(
    "is possible to can could you would be not only just me and so that they them all please a team the whole"
    " everyone everybody others with for us too as well i we do".split()
)


def _repeats_wish(act: Act, behind: Act) -> bool:
    """Return whether a question only asks for what the change before it does: ``the jobs come over Drive now.
    Can jobs-agent read from there?``
    """
    says_more = bool(behind.slots.keys() - {"agent"})
    if act.kind is not ActKind.CHANGE_AGENT or behind.kind not in _ASKED_AGAIN or says_more:
        return False
    names = {word for thing in act.meant.things for word in (thing.name, *thing.name.split("-"))}
    words = {token.word for token in tokenise(behind.clause.text) if token.is_word}
    return (
        bool(words & _ASKING) and bool(words & _POINTING) and words <= names | _ASKING | _POINTING | _WISHED
    )


_ASKED_AGAIN = frozenset({ActKind.ASK_PRODUCT, ActKind.ASK_WORLD, ActKind.CHANGE_AGENT, ActKind.SHOW_AGENT})
_ASKING = frozenset("can could would will".split())
_POINTING = frozenset("it that this there them those".split())
_WISHED = frozenset(
    "you the please from to in at read use take look get go send do make happen now so".split()
)


def _with_picks(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts, with a choice told behind a deed on nothing named as what it is done to."""
    for place, act in enumerate(acts):
        behind = acts[place + 1] if place + 1 < len(acts) else None
        before = acts[place - 1] if place else None
        if act.kind is ActKind.PICK and before is not None and _is_open(before) and act.meant.things:
            continue
        is_picked = behind is not None and behind.kind is ActKind.PICK and bool(behind.meant.things)
        yield replace(act, meant=behind.meant) if behind is not None and is_picked and _is_open(act) else act


def _with_names_of_new(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts, with a name told behind a new agent as its own: ``copy parcels. call it mail``."""
    for place, act in enumerate(acts):
        behind = acts[place + 1] if place + 1 < len(acts) else None
        if place and _names_new(acts[place - 1], act):
            continue
        is_named = behind is not None and _names_new(act, behind)
        named = {"name": behind.slots["name"]} if behind is not None and is_named else {}
        yield replace(act, slots={**act.slots, **named}) if named else act


def _names_new(act: Act, behind: Act) -> bool:
    """Return whether an act only gives a name to the new agent that the one before it makes."""
    says_name = "name" in behind.slots and not behind.slots.keys() - {"name", "agent"}
    is_it = behind.meant.is_focus or behind.meant.things == act.meant.things or not behind.meant.things
    is_new = act.kind in {ActKind.COPY_AGENT, ActKind.CREATE_AGENT} and "name" not in act.slots
    return is_new and behind.kind is ActKind.CHANGE_AGENT and says_name and is_it


def _is_open(act: Act) -> bool:
    return act.kind in ON_NAMED and not act.meant.things


def _with_exceptions(acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts, with ``but not parcels`` taken for an exception of the act before it."""
    for place, act in enumerate(acts):
        behind = acts[place + 1] if place + 1 < len(acts) else None
        if place and _is_exception(acts[place - 1], act):
            continue
        if behind is None or not _is_exception(act, behind):
            yield act
            continue
        excepted = behind.meant.things
        kept = tuple(thing for thing in act.meant.things if thing not in excepted)
        meant = replace(act.meant, things=kept, excepted=(*act.meant.excepted, *excepted))
        span = Span(act.clause.text, act.clause.start, behind.clause.end)
        yield replace(act, meant=meant, clause=span)


def _with_days_off(message: str, acts: Sequence[Act]) -> Iterator[Act]:
    """Yield the acts, with days behind a pause as those on which the agent doesn't run: ``pause it, but only
    on Fridays``. One that shall ``only run on Fridays`` isn't paused.
    """
    for place, act in enumerate(acts):
        if place and _limits_pause(acts[place - 1], act):
            continue
        behind = acts[place + 1] if place + 1 < len(acts) else None
        if behind is not None and _limits_pause(act, behind):
            span = Span(message[act.clause.start : behind.clause.end], act.clause.start, behind.clause.end)
            when = Span(f"not {' and '.join(_days_in(behind))}", behind.clause.start, behind.clause.end)
            yield replace(act, kind=ActKind.CHANGE_AGENT, clause=span, slots={"when": when})
        elif behind is None or not _runs_instead(act, behind):
            yield act


def _limits_pause(act: Act, behind: Act) -> bool:
    """Return whether an act behind a pause only names days that come again and again."""
    words = _words_of(behind)
    days = set(_days_in(behind))
    return _is_paused(act, behind) and bool(days) and words <= days | _AROUND_DAYS - NEGATIONS


def _runs_instead(act: Act, behind: Act) -> bool:
    """Return whether an act behind a pause says on which days alone the agent runs."""
    words = _words_of(behind)
    is_only = bool({"only", "just"} & words) and bool({"run", "runs"} & words)
    return _is_paused(act, behind) and is_only and bool(_days_in(behind))


def _is_paused(act: Act, behind: Act) -> bool:
    is_pair = act.kind is ActKind.PAUSE_AGENT and behind.kind is ActKind.CHANGE_AGENT
    return is_pair and (is_vague(behind.meant) or set(behind.meant.things) <= set(act.meant.things))


def _words_of(act: Act) -> set[str]:
    return {token.word for token in tokenise(act.clause.text) if token.is_word}


def _days_in(act: Act) -> list[str]:
    return [token.word for token in tokenise(act.clause.text) if is_regular_day(token.word)]


def _is_exception(act: Act, behind: Act) -> bool:
    """Return whether an act only names things that the one before it, on several, leaves out."""
    words = [token.word for token in tokenise(behind.clause.text) if token.is_word]
    begins = [word for word in words[:3] if word not in {"but", "only", "just", "and"}][:1]
    named, all_meant = set(behind.meant.things), set(act.meant.things)
    is_left_out = begins in (["not"], ["except"], ["without"])
    is_apart = named < all_meant or (named.isdisjoint(all_meant) and not _commands_change(behind))
    return act.kind in ON_NAMED and is_left_out and bool(named) and is_apart


def _is_done_instead(message: str, act: Act, other: Act) -> bool:
    """Return whether an act is done to another thing in place of one before it, or says nothing else."""
    begins = _begins_with_correction(message[act.clause.end :]) or _begins_with_correction(other.clause.text)
    if act.kind in ON_NAMED and other.kind in ON_NAMED and act.kind is not other.kind:
        return begins and bool(act.meant.things) and set(act.meant.things) == set(other.meant.things)
    if act.kind is other.kind and act.kind in ON_NAMED:
        named, others = ({thing.id for thing in one.meant.things} for one in (act, other))
        return begins and bool(named and others) and not named & others
    is_empty = act.kind in _CHANGES and not act.slots.keys() - _OF_NAMES - {"old"}
    if not is_empty or _commands_change(act):
        return False
    denies = _begins_with_correction(act.clause.text) and "not" in act.clause.text.lower().split()
    return set(act.meant.things) == set(other.meant.things) or (denies and other.kind in ON_NAMED)


_CHANGES = frozenset({ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK})


def _commands_change(act: Act) -> bool:
    return any("change" in classes_of(token.word) for token in tokenise(act.clause.text))


def _begins_with_correction(text: str) -> bool:
    words = [token.word for token in tokenise(text[:_FARTHEST]) if token.is_word]
    return bool(CORRECTIONS & set(words[:2]))


_FARTHEST = 80
_OF_NAMES = frozenset({"agent", "task", "except"})
"""The slots that only say which things are meant."""
ON_NAMED = frozenset(
    {
        ActKind.DELETE_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.RUN_AGENT,
        ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT, ActKind.DELETE_TASK, ActKind.COMPLETE_TASK,
        ActKind.REOPEN_TASK,
    }
)  # fmt: skip
"""The deeds whose words only have to name what they are done to."""


def _is_due_of(one: Act, other: Act) -> bool:
    """Return whether a change only says when the task is due that the act before it adds."""
    is_change = one.kind is ActKind.ADD_TASK and other.kind is ActKind.CHANGE_TASK and is_vague(other.meant)
    return is_change and "when" not in one.slots and other.slots.keys() <= {"when", "due"}


def _joined(message: str, one: Act, other: Act) -> Act:
    span = Span(message[one.clause.start : other.clause.end], one.clause.start, other.clause.end)
    return replace(
        one,
        clause=span,
        meant=other.meant if is_vague(one.meant) else one.meant,
        slots={**other.slots, **one.slots, **_places_of(one, other)},
        several=(*one.several, *other.several),
        adds=one.adds or other.adds,
        confidence=max(one.confidence, other.confidence),
        removes=one.removes or other.removes,
    )


def _places_of(one: Act, other: Act) -> dict[str, Span]:
    """Return where the results of two acts go, of which the second says it more closely; empty where it
    doesn't.
    """
    if not _says_place(other):
        return {}
    mine, theirs = one.slots.get("where"), other.slots["where"]
    if mine is None or mine.text.lower() in MESSAGES:
        return {"where": theirs}
    return {"where": Span(f"{mine.text}, {theirs.text}", mine.start, theirs.end)}


def _are_one(one: Act, other: Act) -> bool:
    if one.kind is not other.kind:
        is_of_job = one.kind is ActKind.CREATE_AGENT and (_leaves_out_days(other) or _says_place(other))
        return _is_due_of(one, other) or is_of_job or _asks_of_list(one, other)
    if one.kind in _TOLD_AT_LENGTH:
        return not ("when" in one.slots and "when" in other.slots)
    if one.kind is ActKind.CHANGE_AGENT:
        same = {thing.id for thing in one.meant.things} == {thing.id for thing in other.meant.things}
        is_open = not (one.slots.keys() & other.slots.keys())
        return is_open and (same or is_vague(one.meant) or is_vague(other.meant))
    if one.kind is ActKind.ADD_TASK and "when" not in one.slots and _says_due_of_all(other):
        return bool(one.several and other.several)
    if one.kind is ActKind.ADD_TASK:
        return (
            not (one.slots or other.slots) and bool(one.several and other.several) and not _is_command(other)
        )
    if one.kind in ON_NAMED and one.meant.things == other.meant.things:
        return not (one.slots.keys() | other.slots.keys()) - _OF_NAMES
    return not (one.slots or other.slots or one.several) and (
        one.meant == other.meant or is_vague(other.meant)
    )


def _asks_of_list(one: Act, other: Act) -> bool:
    """Return whether a question is about all agents that are to be listed: ``and when do they run?``"""
    is_list = one.kind is ActKind.LIST_AGENTS and other.kind in _MAY_BE_OF_LIST and not other.meant.is_named
    words = {token.word for token in tokenise(other.clause.text)}
    return is_list and bool(words & {"they", "them", "each"}) and len(split_sentences(other.clause.text)) == 1


_MAY_BE_OF_LIST = frozenset(
    {ActKind.SHOW_AGENT, ActKind.SHOW_RESULT, ActKind.ASK_WORKSPACE, ActKind.ASK_PRODUCT, ActKind.CLOCK}
)


def _says_due_of_all(act: Act) -> bool:
    """Return whether words behind an act's titles say when all tasks are due: ``…, both due Friday``."""
    if not act.several or "when" not in act.slots:
        return False
    behind = act.clause.text[act.several[-1].end - act.clause.start :]
    return bool({"both", "all"} & {token.word for token in tokenise(behind)})


def _says_place(act: Act) -> bool:
    """Return whether an act goes on with where the results of a job go: ``…, then post to Slack #ops``."""
    begins = next((token.word for token in tokenise(act.clause.text) if token.is_word), "")
    is_only = act.kind is ActKind.CHANGE_AGENT and act.slots.keys() == {"where"}
    return is_only and begins in {"then", "and"} and not act.meant.is_named


def _leaves_out_days(act: Act) -> bool:
    """Return whether an act only says on which days something is not to be: ``and not on Saturdays``."""
    told, _, _ = act.clause.text.partition(",")  # what follows a comma is the reason
    words = [token.word for token in tokenise(told) if token.is_word]
    denies = bool((NEGATIONS | EXCEPTIONS | {"no"}) & set(words))
    days = [word for word in words if word.removesuffix("s").endswith(("day", "weekend"))]
    rest = set(words) - set(days) - NEGATIONS - EXCEPTIONS - _AROUND_DAYS
    return denies and bool(days) and not rest and is_vague(act.meant)


_AROUND_DAYS = frozenset("and but only just not no on at the or please pls also nor too though tho".split())


def _is_command(act: Act) -> bool:
    """Return whether an act has words before its first title: they may say another list or time."""
    return act.several[0].start > act.clause.start


def is_vague(meant: Meant) -> bool:
    """Return whether nothing was named: it is what was talked about before, if anything."""
    return meant.is_focus or not meant.things
