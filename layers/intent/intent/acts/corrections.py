"""Corrections of what was just done: another time, or the same deed to another thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.after_deeds import another_meant
from intent.acts.clauses import Clause
from intent.acts.joined_acts import ON_NAMED
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import SERVICES, MarkedMessage
from intent.acts.lexicon import CORRECTIONS, LEADS, POINTERS, classes_of, verb_forms
from intent.acts.preferences import bare_hour, preferred_part, says_preference
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Scene
from intent.acts.slots import find_name, says_naming
from intent.acts.task_titles import DEEDS
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading


def done_to_another(segment: Segment, clause: Clause, scene: Scene) -> ActKind | None:
    """Return what was just done, where a correction only names another thing: ``no, the other one``."""
    did = next((one.kind for one in segment.ranked if one.kind is not None and one.kind == scene.did), None)
    if another_meant(clause, scene) is not None:
        return ActKind(scene.corrected)
    if (
        did is None
        or scene.question is not None
        or clause.words[0] not in CORRECTIONS
        or _times(clause, scene)
    ):
        return None
    things = scene.agents if did in ON_AGENTS else scene.tasks if did in ON_TASKS else ()
    is_command = any(_is_command_verb(token.word) for token in clause.tokens) or any(
        one in {"be", "been"} and _is_participle(two) for one, two in pairwise(clause.words)
    )
    meant = find_meant(clause, things).things if things and not is_command else ()
    return (
        did if meant and scene.focus is not None and scene.focus.id not in {one.id for one in meant} else None
    )


def only_takes_back(text: str) -> bool:
    """Return whether words only take back what was said before them: ``scratch that``."""
    words = [token.word for token in tokenise(text) if token.is_word]
    words = [word for word in words if word not in CORRECTIONS]
    return len(words) == _PAIR and words[0] in _TAKEN_BACK and words[1] in {"that", "it"}


_PAIR = 2
_TAKEN_BACK = frozenset({"scratch", "strike", "forget", "ignore", "scrap"})


def renames_focus(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause commands another name for the agent just spoken of: ``no, call it payroll``."""
    if scene.question is not None or scene.has_draft or scene.focus_kind != "agent":
        return False
    pairs = enumerate(pairwise(clause.words))
    names_it = next((at for at, (verb, it) in pairs if verb in _NAMING and it in POINTERS), None)
    if names_it is None or _asks_for_own_job(clause, names_it, scene):
        return False
    is_other = find_meant(clause, scene.agents).is_named
    return not is_other and says_naming(clause) and find_name(clause, ()) is not None


def _asks_for_own_job(clause: Clause, end: int, scene: Scene) -> bool:
    """Return whether the words up to a name tell what is to be done regularly: what is named is not there
    yet: ``every monday the open invoices from Xero, call it bills``.
    """
    before = clause.tokens[:end]
    if not before or POINTERS & {token.word for token in before}:
        return False
    text = clause.message[before[0].start : before[-1].end]
    is_regular = any(one.is_recurring for one in read_times(text, now=scene.now, zone=scene.zone))
    return is_regular and any(token.word in SERVICES for token in before)


_NAMING = frozenset({"call", "name", "rename", "title"})


def corrects_time(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says another time for what was just set: ``wait, thursday``, ``8 instead``."""
    if scene.question is not None or scene.has_draft:
        return False
    if scene.focus is None or scene.focus_kind not in {"agent", "task"}:
        return False
    if bare_hour(clause) and (not scene.did or scene.did in _TIMED):
        return True
    if scene.did not in _TIMED:
        return False
    clause = _without_halt(clause)
    is_correction = not clause.is_question and (
        _begins_correcting(clause.words) or _ends_correcting(clause, scene)
    )
    if any(_is_command_verb(token.word) for token in clause.tokens) or _tells_other_deed(clause, scene):
        return False
    is_wish = is_correction or says_preference(clause) or _ends_with_schedule(clause, scene)
    if preferred_part(clause, clause.text, now=scene.now, zone=scene.zone) is None and not (
        is_wish and _times(clause, scene)
    ):
        return False
    return not find_meant(clause, (*scene.agents, *scene.tasks)).is_named


def _tells_other_deed(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause begins with another deed than that of the task just set, perhaps behind what it
    is on: ``oh and flour: order 25 kg by friday``.
    """
    known = set(name_parts(scene.focus.name)) if scene.focus is not None else set()
    for before, word in pairwise(("", *clause.words)):
        begins = before in {"", ":", "and"} or before in LEADS
        if begins and word in DEEDS - _ALSO_CHANGING and word not in known:
            return scene.focus_kind == "task"
    return False


_ALSO_CHANGING = frozenset("make set put move do get take bring schedule arrange book".split())


def goes_back_to_time(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the change of the agent or task talked of that a clause asks for which wants it back to a time
    that it says: ``go back to Sundays for that one``; None for any other clause.
    """
    kind = {"agent": ActKind.CHANGE_AGENT, "task": ActKind.CHANGE_TASK}.get(scene.focus_kind)
    if kind is None or scene.question is not None or scene.has_draft or clause.is_question:
        return None
    at = next((at for at, pair in enumerate(pairwise(clause.words)) if pair in _BACK_TO), None)
    if at is None or find_meant(clause, (*scene.agents, *scene.tasks)).is_named:
        return None
    behind = clause.tokens[at + 2 :]
    text = clause.message[behind[0].start : clause.end] if behind else ""
    times = read_times(text, now=scene.now, zone=scene.zone) if behind else ()
    is_hour = any(token.word.isdigit() and int(token.word) <= _LAST_HOUR for token in behind[:1])
    return kind if is_hour or any(one.span[0] <= _NEAR_MARK for one in times) else None


_LAST_HOUR, _NEAR_MARK = 24, 4
_BACK_TO = {("back", "to"), ("back", "on"), ("back", "at")}


def _begins_correcting(words: Sequence[str]) -> bool:
    """Return whether a word of correction stands at the beginning, behind nothing but exclamations."""
    said = [word for word in words if word[0].isalpha()]
    begins = next((word for word in said if word not in _EXCLAIMED), "")
    return begins in CORRECTIONS | _EXCEPTING


def _ends_with_schedule(clause: Clause, scene: Scene) -> bool:
    """Return whether the last of several sentences is nothing but when something comes again: ``that's too
    much. once an hour, on the hour``.
    """
    ends = [at for at, token in enumerate(clause.tokens[:-1]) if token.text in {".", "!"}]
    if not ends or clause.is_question:
        return False
    last = replace(clause, tokens=clause.tokens[ends[-1] + 1 :])
    found = _times(last, scene)
    if len(found) != 1 or not found[0].is_recurring or found[0].problem is not None:
        return False
    start, end = (last.start + place for place in found[0].span)
    around = (one.word for one in last.tokens if one.is_word and not start <= one.start < end)
    return all(word in LEADS for word in around)


def _ends_correcting(clause: Clause, scene: Scene) -> bool:
    """Return whether the first part is a time and a word of correction: ``quarter past 8 actually, …``."""
    mark = next((at for at, one in enumerate(clause.tokens) if not one.is_word), len(clause.tokens))
    first = replace(clause, tokens=clause.tokens[:mark]) if mark else clause
    says = {"actually", "instead", "rather", "sorry"} & set(first.words)
    return bool(says) and len(first.words) <= _MOST_OF_TIME and bool(_times(first, scene))


_MOST_OF_TIME = 6
_EXCLAIMED = frozenset("ugh ach aw eh gah argh and but".split()) - CORRECTIONS
_EXCEPTING = frozenset({"not", "except", "never", "without", "minus"})
"""Words that take a day out of what was just set: ``not wednesdays``."""


def _without_halt(clause: Clause) -> Clause:
    """Return the clause without a ``stop,`` or ``hold on,`` that only takes back what was said before."""
    tokens = clause.tokens
    length = next((len(halt) for halt in _HALTS if clause.words[: len(halt)] == halt), 0)
    is_halt = 0 < length < len(tokens) - 1 and not tokens[length].is_word
    return replace(clause, tokens=tokens[length + 1 :]) if is_halt else clause


_HALTS = (("stop",), ("hold", "on"), ("hang", "on"), ("wait",))


def _is_command_verb(word: str) -> bool:
    """Return whether a word commands a deed, other than a change."""
    form = verb_forms().get(word)
    classes = classes_of(word) if form is not None and form.is_base else frozenset()
    return bool(classes) and not classes & {"change", "want"}


def _is_participle(word: str) -> bool:
    """Return whether a word is what a deed makes of a thing: ``should be shared``."""
    form = verb_forms().get(word)
    return form is not None and not form.is_base and bool(classes_of(form.base))


def _times(clause: Clause, scene: Scene) -> list[TimeReading]:
    readings = read_times(clause.text, now=scene.now, zone=scene.zone)
    return [one for one in readings if one.kind is not Kind.PERIOD]


_TIMED = frozenset({ActKind.ADD_TASK, ActKind.CHANGE_TASK, ActKind.CREATE_AGENT, ActKind.CHANGE_AGENT})


def with_corrections(marked: MarkedMessage, segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments, with one that says what was meant instead as a part of the one before it."""
    kept: list[Segment] = []
    for segment in segments:
        words = [one.token.word for one in marked.tokens[segment.start : segment.end]]
        names = any(one.mask in {"AGENT", "TASK"} for one in marked.tokens[segment.start : segment.end])
        if (
            kept
            and names
            and kept[-1].kind in ON_NAMED
            and ("meant" in words or ("i", "mean") in pairwise(words))
        ):
            kept[-1] = replace(kept[-1], end=segment.end)
        else:
            kept.append(segment)
    return kept
