"""Tasks told in more than a plain clause: as a list, as a report, by another date or by another task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import Act, ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.commands import read_command
from intent.acts.evidence import says_owed
from intent.acts.kind_sets import ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, LIST_NOUNS, POINTERS, TASK_NOUNS, classes_of
from intent.acts.parts import Part
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.slots import find_slots
from intent.acts.tagged_titles import tells_of_others
from intent.acts.task_reading.behind_told import tells_and_owes
from intent.acts.task_reading.commands import puts_amount
from intent.acts.task_reading.dated_tasks import find_dated_tasks, on_day_before, with_noun_of_one
from intent.acts.task_reading.due_offsets import Offset, anchor_place, find_offset, last_day_in, offset_day
from intent.acts.task_reading.groups import begins_exception, due_group
from intent.acts.task_reading.kept_lists import list_before_request
from intent.acts.task_reading.lists import Listed, find_list, plain_items
from intent.acts.task_reading.own_reports import find_own_report
from intent.acts.task_reading.reminded_by_date import behind_told_offset, with_reminded_by_date
from intent.acts.task_reading.reports import find_report
from intent.acts.task_reading.shifted_tasks import shifts_task
from intent.acts.task_titles import find_titles, names_deed
from intent.acts.tokens import Token, tokenise
from intent.acts.told_facts import is_statement
from intent.acts.when_words import when_words
from intent.times.reader import read_times

K = ActKind


class Told(NamedTuple):
    """The part that tells of several tasks, and the place behind it."""

    part: Part
    end: int


def told_tasks(marked: MarkedMessage, segments: Sequence[Segment], scene: Scene) -> Told | None:
    """Return the list of new tasks or the report on known ones that a message is; None for any other."""
    if scene.has_draft or not segments:
        return None
    tokens = tuple(one.token for one in marked.tokens)
    sure = segments[0].ranked[0].probability
    if scene.question is not None:
        items = plain_items(tokens, marked.text) if scene.question.slots == ("title",) else ()
        part = Part(Clause(marked.text, tokens), K.ADD_TASK, max(sure, _SURE), {}, pieces=items)
        return Told(part, len(tokens)) if items else None
    if tells_and_owes(whole := Clause(marked.text, tokens)):
        return Told(Part(whole, K.ADD_TASK, max(sure, _SURE), {}), len(tokens))
    kept = list_before_request(tokens, marked.text)
    if kept is not None and not _has_agents(kept.items, scene):
        clause = Clause(marked.text, tokens[: kept.end])
        return Told(Part(clause, K.ADD_TASK, max(sure, _SURE), {}, pieces=kept.items), len(tokens))
    plain = find_list(tokens, marked.text)
    listed = plain or find_dated_tasks(tokens, marked.text, scene)
    if listed is not None and not (_has_agents(listed.items, scene) or _is_mixed(listed, marked)):
        end = _end_with_due(tokens, listed.end, scene)
        clause = Clause(marked.text, tokens[:end])
        if plain is not None and _only_states(plain):
            return Told(Part(clause, K.REMEMBER, max(sure, _SURE), {}), end)
        return Told(Part(clause, K.ADD_TASK, max(sure, _SURE), {}, pieces=listed.items), end)
    done = tuple(one.tokens for one in find_report(tokens) if one.is_done)
    if done and all(len(_meant(marked.text, one, scene)) == 1 for one in done):
        part = Part(Clause(marked.text, tokens), K.COMPLETE_TASK, max(sure, _SURE), {}, pieces=done)
        return Told(part, len(tokens))
    return _own_report(marked, tokens, scene)


def _own_report(marked: MarkedMessage, tokens: tuple[Token, ...], scene: Scene) -> Told | None:
    """Return the report of several deeds that are on the list, where a message is nothing else."""
    said = tokens[:-1] if tokens[-1].text in {".", "!"} else tokens
    is_one = bool(said) and not any(one.text in {".", "!", "?", ";"} for one in said)
    pieces = find_own_report(Clause(marked.text, said), scene) if is_one else ()
    if len(pieces) < 2:
        return None
    part = Part(Clause(marked.text, said), K.COMPLETE_TASK, _SURE, {}, pieces=pieces)
    return Told(part, len(tokens))


_SURE = 0.5


def lists_dated(marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether a message lists tasks with a day each, so that its numbers are no sum."""
    tokens = tuple(one.token for one in marked.tokens)
    return find_dated_tasks(tokens, marked.text, scene) is not None


def _end_with_due(tokens: Sequence[Token], end: int, scene: Scene) -> int:
    """Return where a list ends with the sentence that says when all are due: ``Both tomorrow.``"""
    behind = [token for token in tokens[end:] if token.is_word]
    if not behind or len(behind) > _MOST_OF_DUE or not {"both", "all"} & {one.word for one in behind[:2]}:
        return end
    text = " ".join(token.text for token in behind)
    return len(tokens) if read_times(text, now=scene.now, zone=scene.zone) else end


_MOST_OF_DUE = 7


def _has_agents(items: Sequence[Sequence[Token]], scene: Scene) -> bool:
    return any(_is_for_agent(one, scene) for one in items)


def _only_states(listed: Listed) -> bool:
    """Return whether each item says how something is, with a number, and nothing says that all are to do."""
    head = {token.word for token in listed.head}
    if head & (LIST_NOUNS | TASK_NOUNS | _PUTTING):
        return False
    return all(_states_number(item) for item in listed.items)


_PUTTING = frozenset({"add", "put", "do", "remind"})


def _states_number(item: Sequence[Token]) -> bool:
    words = [token.word for token in item if token.is_word]
    return is_statement(words) and any(word[0].isdigit() for word in words)


def _is_mixed(listed: Listed, marked: MarkedMessage) -> bool:
    """Return whether some items are commands of their own, and nothing says that all are for the list."""
    if LIST_NOUNS & {token.word for token in listed.head}:
        return False
    spans = [(item[0].start, item[-1].end) for item in listed.items]
    commands = (
        read_command([one for one in marked.tokens if first <= one.token.start < last])
        for first, last in spans
    )
    return any(kind not in {None, K.ADD_TASK} for kind in commands)


def _is_for_agent(item: Sequence[Token], scene: Scene) -> bool:
    """Return whether an item of a list tells of work that comes again and again, or of a place for it."""
    if any(_is_address(token.text) for token in item):
        return True
    text = " ".join(token.text for token in item)
    return any(one.is_recurring for one in read_times(text, now=scene.now, zone=scene.zone))


def _is_address(text: str) -> bool:
    """Return whether a word is a place for results; ``#8841`` is a number of something."""
    return text.startswith("http") or "@" in text or (text[0] == "#" and not text[1:].isdigit())


def _meant(message: str, tokens: tuple[Token, ...], scene: Scene) -> tuple[str, ...]:
    meant = find_meant(Clause(message, tokens), scene.tasks)
    return tuple(thing.id for thing in meant.things)


def listed_tasks(act: Act, part: Part, scene: Scene) -> Act:
    """Return the act that adds the tasks of a list, each with what is said of when it is due."""
    message = part.clause.message
    if (title := part.shared.get("title")) is not None:
        return replace(act, several=(title,), slots={"when": part.shared["when"]})
    titles: list[Span] = []
    dues: list[str] = []
    first = part.pieces[0][0].start
    head = [token for token in part.clause.tokens if token.start < first]
    while head and (not head[-1].is_word or head[-1].text.isdigit()):
        head.pop()  # the number of the first item
    tail = tuple(token for token in part.clause.tokens if token.start >= part.pieces[-1][-1].end)
    around = (when_words(Clause(message, one), K.ADD_TASK, {}, scene) for one in (tuple(head), tail) if one)
    common = next(filter(None, around), None)
    for tokens in part.pieces:
        clause = Clause(message, tokens)
        slots = find_slots(clause.text, tokens, now=scene.now, zone=scene.zone, offset=clause.start)
        found = find_titles(clause, slots.quoted, slots.times)
        when = when_words(clause, K.ADD_TASK, {"title": found}, scene)
        titles.extend(found)
        dues.extend([(when or common or _NO_WORDS).text] * len(found))
    titles, dues = with_noun_of_one(titles), on_day_before(dues, scene)
    return replace(act, several=tuple(titles), dues=tuple(dues), slots={})


_NO_WORDS = Span("", 0, 0)


def with_offsets(parts: Sequence[Part], scene: Scene) -> list[Part]:
    """Return the parts; a task due so long before a date that was told becomes one part with it."""
    result: list[Part] = []
    for part in parts:
        reminded = with_reminded_by_date(part, result, scene) if part.kind in _MAY_ADD else None
        if reminded is None and (whole := behind_told_offset(part, result)) is not None:
            reminded = with_reminded_by_date(whole, (), scene)
            result = result[:-1] if reminded is not None else result
        if reminded is not None:
            result.extend(reminded)
            continue
        offset = find_offset(part.clause.tokens) if part.kind in _MAY_ADD else None
        told = None if offset is None else _by_date(part, offset, result, scene)
        if told is not None and result and result[-1].clause.end > told.clause.start:
            result.pop()  # it told the date
        result.append(told or part)
    return result


_MAY_ADD = frozenset({K.ADD_TASK, K.CHANGE_TASK, K.NONE, K.REMEMBER, K.UNSURE, K.CREATE_AGENT})


def _by_date(part: Part, offset: Offset, before: Sequence[Part], scene: Scene) -> Part | None:
    """Return the part with the day an offset means, and with the statement that told the date."""
    message, tokens = part.clause.message, part.clause.tokens
    verb = next((at for at in range(offset.start) if _adds(tokens[at])), None)
    if verb is None:
        return None
    start = max((at + 1 for at in range(verb) if tokens[at].text in _MARKS), default=0)
    statement = _bare(message[tokens[0].start : tokens[start].start])
    begin = tokens[0].start
    if not statement and before:
        begin, statement = before[-1].clause.start, _bare(before[-1].clause.text)
    elif not statement:
        begin, statement = 0, _bare(message[: tokens[0].start])
    day = last_day_in(statement, now=scene.now, zone=scene.zone)
    places = (tokens[start : offset.start], tokens[offset.end :])
    titles = (find_titles(Clause(message, one), (), ()) for one in places if one)
    title = next((one for found in titles for one in found), None)
    if day is None or title is None:
        return None
    when = Span(offset_day(day, offset).isoformat(), tokens[offset.start].start, tokens[offset.end - 1].end)
    shared = {"when": when, "title": title._replace(text=f"{title.text} ({statement})")}
    told = [token for one in (*before[-1:], part) for token in one.clause.tokens if token.start >= begin]
    clause = Clause(message, tuple(told))
    return replace(part, kind=K.ADD_TASK, clause=clause, shared=shared, is_filler=False)


def _adds(token: Token) -> bool:
    return bool(classes_of(token.word) & {"add", "remind"}) or token.word in {"schedule", "set"}


_MARKS = frozenset(",.;!?\n-\u2013\u2014")
_LEADING = ("and ", "also ", "so ", "then ", "ok ", "btw ", "the ")


def _bare(text: str) -> str:
    """Return a statement without the joint before it and the marks around it."""
    plain = " ".join(text.split()).strip(" ,.;!?-")
    lead = next((one for one in _LEADING if plain.lower().startswith(one)), "")
    return plain[len(lead) :]


def with_said_due(act: Act, clause: Clause, scene: Scene) -> Act:
    """Return a change with its due day: the day of another task, or the one behind a group's own days."""
    if puts_amount(clause, scene) and scene.earlier_sum is not None:
        amount = scene.earlier_sum.result
        return replace(act, slots={"amount": Span(amount, clause.start, clause.end)})
    if (place := anchor_place(clause.tokens)) is not None:
        anchors = find_meant(Clause(clause.message, clause.tokens[place:]), scene.tasks).things
        due = anchors[0].due if len(anchors) == 1 else None
        slots = {} if due is None else {"when": Span(due.isoformat(), clause.start, clause.end)}
        return replace(act, slots=slots)
    group = due_group(clause, scene)
    if group is None and shifts_task(clause, scene):
        return replace(act, slots={**act.slots, "when": clause.span})
    if group is None:
        return act
    for tokens in (clause.tokens[group.end :], clause.tokens[: group.start]):
        when = when_words(Clause(clause.message, tokens), act.kind, {}, scene) if tokens else None
        if when is not None:
            return replace(act, slots={**act.slots, "due": when, "when": when})
    return act


def says_nothing_new(act: Act) -> bool:
    """Return whether an act beside others only tells of tasks: ``the stamps stay``, ``Maria K sailed``."""
    words = {word.strip(",.!?") for word in act.clause.text.lower().split()}
    if act.kind is K.CHANGE_TASK:
        is_empty = not act.slots.keys() & {"when", "due", "name", "title", "amount"}
        return is_empty and (bool(words & _STAYING) or _is_told(act))
    return act.kind is K.COMPLETE_TASK and not act.meant.things and act.confidence < _SURE


def _is_told(act: Act) -> bool:
    """Return whether an act's words begin as a statement does, and not as a command."""
    return not asks_for_something(tokenise(act.clause.text))


_STAYING = frozenset("stay stays remain remains keep kept".split())


def without_disclaimed(parts: Sequence[Part], marked: MarkedMessage) -> list[Part]:
    """Return the parts; what somebody tells and wants no task for is a fact."""
    words = [one.token.word for one in marked.tokens]
    if not _disclaims(words):
        return list(parts)
    kept = [one for one in parts if not _disclaims(one.clause.words) or len(one.clause.words) > _MOST_SAID]
    return [replace(one, kind=K.REMEMBER) if one.kind is K.ADD_TASK else one for one in kept or parts[:1]]


_MOST_SAID = 8


def without_musings(parts: Sequence[Part]) -> list[Part]:
    """Return the parts; words that only muse before a command for the list are a fact and no task of their
    own: ``prizes, choir, bus... my head's a sieve. put 'buy prizes' down``.
    """
    behind = (*parts[1:], None)
    return [
        replace(one, kind=K.REMEMBER) if other is not None and _only_muses(one, other) else one
        for one, other in zip(parts, behind, strict=True)
    ]


def _only_muses(part: Part, behind: Part) -> bool:
    """Return whether a part hardly is a task, and the one behind it commands one with words of its own."""
    if part.kind is not K.ADD_TASK or behind.kind is not K.ADD_TASK:
        return False
    words = [word for word in behind.clause.words if word not in LEADS]
    commands = bool(words) and bool(classes_of(words[0]) & {"add", "remind"})
    is_own = commands and not POINTERS & set(words[1:3])
    if not is_own or names_deed(part.clause):
        return False
    return tells_of_others(part.clause) or (part.sure < _SURE and not says_owed(part.clause))


def _disclaims(words: Sequence[str]) -> bool:
    """Return whether words say that nothing is to be done: ``no task needed``, ``nothing to do about it``."""
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in _DISCLAIMERS)


_DISCLAIMERS = (
    "no task", "no action", "no reminder", "not a task", "nothing to do", "nothing to be done", "just noting",
    "don't need to do anything", "needn't do anything", "need not do anything", "nothing needs doing",
    "don't do anything", "no need to do anything", "don't add", "dont add",
)  # fmt: skip


def with_exceptions(segments: Sequence[Segment], marked: MarkedMessage) -> tuple[Segment, ...]:
    """Return the segments; what leaves something out of a deed on tasks belongs to the segment before."""
    joined: list[Segment] = []
    for segment in segments:
        tokens = [one.token for one in marked.tokens[segment.start : segment.end]]
        if joined and joined[-1].kind in ON_TASKS and begins_exception(tokens):
            joined[-1] = replace(joined[-1], end=segment.end)
        else:
            joined.append(segment)
    return tuple(joined)
