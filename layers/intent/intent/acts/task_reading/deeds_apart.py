"""Several deeds on several tasks, each said of its own: ``the badge is done, the form can be deleted, and the
cake moves to Monday``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.learned.act_model import RankedKind, Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, QUESTION_WORDS, SUBJECTS, classes_of
from intent.acts.passive_requests import passive_request
from intent.acts.past_forms import base_of_past
from intent.acts.references import find_meant, is_content
from intent.acts.removal_evidence import is_unneeded
from intent.acts.scene import Scene
from intent.acts.task_reading.reports import DONE
from intent.acts.tokens import Token
from intent.times.reader import read_times

_MARKS = frozenset(",.;!\n")
_JOINTS = frozenset({"and", "but", "while", "whereas", "plus", "&"})
_BEING = frozenset("is are was were has have got been be".split())
_ADVERBS = LEADS | frozenset("already finally both now been all".split())
_MODALS = frozenset("can could may should must needs need has have ought will shall".split())
_SHIFTING = frozenset(
    "move moves moved shift shifts shifted slide slides slip slips slipped go goes wait waits push pushed"
    " pushing postpone postponed delay delayed reschedule rescheduled moving".split()
)
_ONWARDS = frozenset("to till until by for on back".split())
_OPENING = frozenset("if when once unless while because since maybe perhaps".split()) | QUESTION_WORDS
_FEWEST = 2
_DEEDS = ON_AGENTS | ON_TASKS | {ActKind.CREATE_AGENT}
_MAY_SAY = _DEEDS - {ActKind.ADD_TASK} | {ActKind.NONE, ActKind.REMEMBER, ActKind.SMALL_TALK, None}
"""What a segment may look like that says deeds of tasks; where none was talked about, of agents."""


class _Said(NamedTuple):
    """A stretch of a message that says one deed of one task."""

    start: int
    end: int
    kind: ActKind
    task: str
    """The id of the one it names; empty: it isn't only one."""


def with_task_deeds_apart(
    segments: Sequence[Segment], marked: MarkedMessage, scene: Scene
) -> tuple[Segment, ...]:
    """Return the segments, each deed that is said of another task as one of its own."""
    if scene.has_draft or scene.question is not None or not _may_say_several(segments, marked):
        return tuple(segments)
    told = {segment: _deeds(segment, marked, scene) for segment in segments if segment.kind in _MAY_SAY}
    said = [one for deeds in told.values() for one in deeds]
    named = [one.task for one in said if one.task]
    is_several = len({one.kind for one in said}) > 1 and len(set(named)) == len(named) > 0
    return tuple(part for one in segments for part in _parts(one, told.get(one, ()) if is_several else ()))


def _parts(segment: Segment, deeds: Sequence[_Said]) -> Iterator[Segment]:
    if not deeds:
        yield segment
    for one in deeds:
        yield replace(segment, start=one.start, end=one.end, ranked=(RankedKind(one.kind, 1.0),))


def _may_say_several(segments: Sequence[Segment], marked: MarkedMessage) -> bool:
    """Return whether words say deeds of several things, by the words alone."""
    tokens = [one.token for one in marked.tokens]
    if not any(segment.kind in _DEEDS for segment in segments) or tokens[-1].text == "?":
        return False
    verbs = sum(one.word in _BEING | _MODALS | _SHIFTING | DONE or one.word.endswith("'s") for one in tokens)
    return verbs >= _FEWEST and any(one.text in _MARKS or one.word in _JOINTS for one in tokens)


def _deeds(segment: Segment, marked: MarkedMessage, scene: Scene) -> tuple[_Said, ...]:
    """Return what a segment says of its tasks, where it says nothing else."""
    found: list[_Said] = []
    begin = segment.start
    for start, end in _pieces(segment, marked):
        own = tuple(one.token for one in marked.tokens[min(begin, start) : end])
        said = _said(Clause(marked.text, own), scene)
        if said is not None:
            found.append(_Said(begin, end, *said))
            begin = end
        elif any(one.word in _BEING | _MODALS | _SHIFTING for one in own):
            return ()
    rest = [one.token for one in marked.tokens[begin : segment.end]]
    if not found or any(one.is_word and one.word not in LEADS for one in rest):
        return ()
    return (*found[:-1], found[-1]._replace(end=segment.end))


def _pieces(segment: Segment, marked: MarkedMessage) -> Iterator[tuple[int, int]]:
    """Yield the places of the stretches between joints and marks."""
    begin = segment.start
    for place in range(segment.start, segment.end):
        token = marked.tokens[place].token
        if (token.text in _MARKS or token.word in _JOINTS) and place > begin:
            yield begin, place
            begin = place
    if begin < segment.end:
        yield begin, segment.end


def _said(clause: Clause, scene: Scene) -> tuple[ActKind, str] | None:
    """Return the deed that words say of a task, and the only one they name (empty: it isn't only one); None
    where they say no deed.
    """
    tokens = tuple(one for one in clause.tokens if one.is_word)
    begin = next((at for at, one in enumerate(tokens) if one.word not in LEADS | _JOINTS), len(tokens))
    tokens = tokens[begin:]
    words = [one.word for one in tokens]
    if not words or words[0] in _OPENING | POINTERS | SUBJECTS or classes_of(words[0]) & _COMMANDING:
        return None
    own = replace(clause, tokens=tokens)
    is_denied = bool(NEGATIONS & set(words)) and not is_unneeded(words)
    kind = None if is_denied else _shifted(own, scene) or passive_request(own, scene) or _reported(tokens)
    if kind not in ON_TASKS or find_meant(own, scene.agents).is_named:
        return None
    task = _task(tokens, scene, clause.message)
    return (kind, task) if task or kind is not ActKind.COMPLETE_TASK else None


_COMMANDING = frozenset({"delete", "complete", "change", "add", "remind"})


def _task(tokens: Sequence[Token], scene: Scene, message: str) -> str:
    """Return the id of the one open task that the words before the verb name; empty where it isn't one."""
    verbs = _BEING | _MODALS | _SHIFTING | DONE
    place = next((at for at, one in enumerate(tokens) if at and one.word in verbs), len(tokens))
    subject = tuple(
        one._replace(word=one.word.removesuffix("'s")) for one in tokens[:place] if one.word not in LEADS
    )
    if not any(is_content(one) for one in subject):
        return ""
    found = find_meant(Clause(message, subject), scene.tasks).things
    return found[0].id if len(found) == 1 and not found[0].is_done else ""


def _shifted(clause: Clause, scene: Scene) -> ActKind | None:
    """Return CHANGE_TASK where words say that something goes to another day: ``gravel slips to Friday``."""
    tokens = clause.tokens
    place = next((at for at, one in enumerate(tokens) if at and one.word in _SHIFTING), None)
    if place is None or place + 2 > len(tokens) - 1 or tokens[place + 1].word not in _ONWARDS:
        return None
    text = clause.message[tokens[place + 1].start : tokens[-1].end]
    times = read_times(text, now=scene.now, zone=scene.zone)
    return ActKind.CHANGE_TASK if len(times) == 1 and not times[0].is_recurring else None


def _reported(tokens: Sequence[Token]) -> ActKind | None:
    """Return COMPLETE_TASK where words end by saying that something is done: ``the hall is booked``."""
    words = [one.word for one in tokens]
    place = next(
        (at for at, word in enumerate(words) if word.endswith("'s") or (at and word in _BEING)), None
    )
    if words[-1] in DONE and len(words) > 1:
        return ActKind.COMPLETE_TASK
    if place is None:
        return None
    behind = [word for word in words[place + 1 :] if word not in _ADVERBS]
    base = base_of_past(behind[0]) if behind else ""
    is_undone = base in _SHIFTING or bool(classes_of(base) & {"delete", "cancel", "pause", "stop"})
    return ActKind.COMPLETE_TASK if base and not is_undone and len(behind) <= _MOST_BEHIND else None


_MOST_BEHIND = 4
