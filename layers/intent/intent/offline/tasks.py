"""Requests about the user's own tasks: to add, list, complete, reopen, change and delete them.

Matches only plain, unambiguous sentences: a task *of an agent*, or one in another system, is not on the
user's list. Other messages go on to the rest of `intent.offline.offline_classifier`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from re import Match
from typing import Final
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from conversation.messages.models import Reference
from intent.dates.due_dates import DueDate, find_due_date
from intent.dates.schedules import find_schedule
from intent.dates.times import COUNTED, ORDINALS, parse_number
from intent.decision import ActionType, Verdict
from intent.entities.answers import index_of
from intent.entities.extraction import NEW_NAME, OPERATION
from intent.entities.own_words import with_own_words
from intent.entities.services import is_known_service
from intent.offline import task_phrases
from intent.regular_expressions import either, lower_pattern, normalise
from intent.rules import agent_references
from intent.situation import Situation

_ORDINALS = {**ORDINALS, "last": -1, "latter": -1, "former": 1, "top": 1, "bottom": -1}
_NOUN = either("ones?|tasks?|to-?dos?|items?|entry|entries|things?")
_NTH = "|".join(_ORDINALS)
_PLACE = (
    rf"(?:#|no\.? ?|nr\.? ?|number |{_NOUN} )?"
    rf"(?:(?P<nth>{_NTH})|(?P<count>\d{{1,3}}|{COUNTED})(?:st|nd|rd|th)?)(?: {_NOUN})?"
)
_ONE_PLACE = lower_pattern(rf"(?:(?:the|my|that) )?(?:very )?{_PLACE}")
_AND = re.compile(r"\s*+(?:,(?:\s*+and)?|\band\b|&|\+)\s*+", re.IGNORECASE)
_POINTING = lower_pattern(r"(?:it|that|this|(?:this|that) (?:one|task|to-?do|item)|the (?:one|task|to-?do))")
_EVERY = lower_pattern(
    rf"(?:all|everything|all (?:of )?(?:it|them|these|those|the|my)(?: {_NOUN})?|both(?: of them)?"
    rf"|them(?: all)?|(?:these|those)(?: {_NOUN})?|the (?:whole|entire) list)"
)
_EMPTY = frozenset(
    {
        "the", "my", "a", "an", "to", "of", "for", "that", "this", "one", "ones", "task", "tasks", "todo",
        "item", "about", "with", "and", "on", "in", "at", "called", "named", "entry", "thing", "do",
    }
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+")


def shown_tasks(situation: Situation) -> tuple[Reference, ...]:
    """Return the tasks that the newest reply with a subject listed, or the one it was about."""
    for note in situation.reply_notes():
        if note.listed:
            return tuple(item for item in note.listed if item.kind == "task")
        if note.subject is not None:
            return (note.subject,) if note.subject.kind == "task" else ()
    return ()


def find_tasks(words: str, situation: Situation, known: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return those of the known tasks that the words mean; empty when they mean none or are ambiguous."""
    if _POINTING.fullmatch(words):
        return _pointed_at(situation)
    if _EVERY.fullmatch(words):
        return tuple(known) if len(known) > 1 else ()
    listed = _last_list(situation)
    if (places := _places(words)) is not None:
        found = [index_of(place, listed) for place in places]
        return () if None in found else tuple(listed[index] for index in found if index is not None)
    matching = tasks_by_title(words, known) or tasks_by_title(words, listed)
    return (matching[0],) if len(matching) == 1 else ()


def tasks_by_title(words: str, tasks: Sequence[Reference]) -> tuple[Reference, ...]:
    """Return the tasks with exactly this title, else those whose title has all distinctive words."""
    wanted = _distinctive_words(words)
    exact = tuple(task for task in tasks if task.name.casefold() == words.casefold())
    holding = tuple(task for task in tasks if wanted and wanted <= _distinctive_words(task.name))
    return exact or holding


def _distinctive_words(words: str) -> frozenset[str]:
    """Return the distinctive words, in lower case."""
    return frozenset(_WORD.findall(words.casefold())) - _EMPTY


def _names_an_agent(words: str, situation: Situation) -> bool:
    """Return whether the words are an agent's name."""
    return agent_references.find_agent_by_name(words, situation.agents) is not None


def _pointed_at(situation: Situation) -> tuple[Reference, ...]:
    for note in situation.reply_notes():
        only = agent_references.only_subject(note)
        if only is not None or note.listed:
            return (only,) if only is not None and only.kind == "task" else ()
    return ()


def _last_list(situation: Situation) -> tuple[Reference, ...]:
    return tuple(item for item in situation.last_list() if item.kind == "task")


def _places(words: str) -> list[int] | None:
    """The positions, if the words name nothing else: ``the second one``, ``task 2``, ``1 and 3``."""
    found: list[int] = []
    for part in _AND.split(words):
        match = _ONE_PLACE.fullmatch(part.strip())
        if match is None:
            return None
        place = _ORDINALS[match["nth"]] if match["nth"] else parse_number(match["count"])
        if place is None:
            return None
        found.append(place)
    return found


ADD: Final = "add_task"
LIST: Final = "list_tasks"
COMPLETE: Final = "complete_task"
REOPEN: Final = "reopen_task"
CHANGE: Final = "change_task"
DELETE: Final = "delete_task"
SHOW: Final = "show_task"
TASK: Final = "task"
"""The title of a new task, or the words that name existing tasks."""
DUE_DATE: Final = "due_date"
"""An ISO 8601 date; null removes the due date."""
TASKS: Final = "tasks"
"""Several new tasks, as a list of objects with the two keys above."""
TASK_IDS: Final = "task_ids"
"""The ids of the tasks, when the last list or reply identifies them."""
STATUS: Final = "status"
"""Which tasks to list: ``open``, ``done`` or ``all``."""

_CONFIDENCE = 0.95
_MOST_WORDS = 60


def task_verdict(situation: Situation) -> Verdict | None:
    """Return the verdict on a request about the user's tasks; None when it is not clearly one."""
    situation = with_own_words(situation)
    text = normalise(situation.message)
    is_possible = task_phrases.TASK_HINT.search(text) is not None or bool(shown_tasks(situation))
    if not is_possible or len(text.split()) > _MOST_WORDS or task_phrases.ABOUT_AGENTS.search(text):
        return None
    return _listing(text, situation) or _adding(text, situation) or next(_on_tasks(text, situation), None)


def local_today(situation: Situation) -> date:
    """Return today's date in the user's time zone."""
    return situation.now.astimezone(ZoneInfo(situation.time_zone)).date()


def _verdict(operation: str, **entities: JsonValue) -> Verdict:
    return Verdict(
        action_type=ActionType.QUERY_INFO if operation in (LIST, SHOW) else ActionType.EXECUTE_TASK,
        confidence=_CONFIDENCE,
        entities={OPERATION: operation, **entities},
        reasoning=f"says plainly to {operation.replace('_', ' ')}",
    )


def _listing(text: str, situation: Situation) -> Verdict | None:
    shown = task_phrases.LIST_SHOWN.fullmatch(text) is not None and bool(shown_tasks(situation))
    if not shown and task_phrases.LIST.fullmatch(text) is None:
        return None
    status = "done" if task_phrases.DONE.search(text) else "all" if task_phrases.ALL.search(text) else "open"
    return _verdict(LIST, **{STATUS: status})


def _adding(text: str, situation: Situation) -> Verdict | None:
    """A new task, unless the message answers the wizard or has a recurring schedule."""
    is_answer = _answers_in_words(situation) and task_phrases.FOR_USER.search(text) is None
    if is_answer or find_schedule(text) is not None:
        return None
    if task_phrases.ADD_NOTHING.fullmatch(text):
        return _verdict(ADD)
    known = (
        task_phrases.ADD
        if not shown_tasks(situation)
        else (*task_phrases.ADD, task_phrases.ADD_MORE, task_phrases.ADD_QUOTED)
    )
    match = next((found for form in known if (found := form.fullmatch(text))), None)
    if match is None:
        return None
    title = _group(text, match, "title")
    if match["joint"].strip() == "to" and _is_a_place(title, situation):
        return None
    is_several = (
        ":" in match["joint"] and task_phrases.SEVERAL.fullmatch(_group(text, match, "noun")) is not None
    )
    titles = task_phrases.quoted_titles(title) or (
        task_phrases.split_titles(title) if is_several else [title]
    )
    new_tasks = [_titled(each, _group(text, match, "when"), situation) for each in titles]
    return _verdict(ADD, **(new_tasks[0] if len(new_tasks) == 1 else {TASKS: [*new_tasks]}))


def _answers_in_words(situation: Situation) -> bool:
    """Whether the wizard asked for something that ``add a task …`` may answer: not a schedule or delivery."""
    asked = (situation.last_note().asking or "").split(",")
    return any(part.strip() not in ("", "schedule", "delivery") for part in asked)


def _titled(text: str, when: str, situation: Situation) -> dict[str, JsonValue]:
    """The entities of a new task. A due date at the end of the title is removed from it."""
    due = find_due_date(text, local_today(situation))
    behind = task_phrases.AFTER_DUE.fullmatch(text[due.end :]) if due else None
    due = due if behind else None
    title = task_phrases.clean_title(
        text[: due.start].rstrip() + (behind["time"] or "") if due and behind else text
    )
    day = due or (find_due_date(f"by {when}", local_today(situation)) if when else None)
    entities: dict[str, JsonValue] = {TASK: title} if title else {}
    return {**entities, DUE_DATE: day.day.isoformat()} if day else entities


def _is_a_place(title: str, situation: Situation) -> bool:
    """Whether the title is where to add a task, not what to do: ``add a task to the weekly report``."""
    text = title.casefold()
    names = [agent.name.casefold() for agent in situation.agents]
    is_named = any(text.startswith((name, name.replace("-", " "))) for name in names)
    return bool(task_phrases.ADD_TARGET.match(title)) or is_known_service(text.strip(" .!")) or is_named


def _on_tasks(text: str, situation: Situation) -> Iterator[Verdict]:
    """Commands about existing tasks. Words that identify none need a task word or an unambiguous command."""
    known = shown_tasks(situation)
    is_about_tasks = task_phrases.TASK_WORD.search(text) is not None
    if situation.last_note().draft is not None and not is_about_tasks:
        return
    about = situation.last_note().about
    if about is not None and about.kind == "task" and task_phrases.ONLY_DONE.fullmatch(text):
        yield _verdict(COMPLETE, **_naming("", (about,)))
    for operation, plain, form in _COMMANDS:
        match = form.fullmatch(text)
        if match is None:
            continue
        words = task_phrases.clean_title(_group(text, match, "what"))
        tasks = find_tasks(words, situation, known)
        if tasks or plain or is_about_tasks:
            verdict = _command(operation, text, match, situation)
            if verdict is not None and (tasks or not _names_an_agent(words, situation)):
                yield _verdict(operation, **_naming(words, tasks), **verdict)


def _command(
    operation: str, text: str, match: Match[str], situation: Situation
) -> dict[str, JsonValue] | None:
    """The other entities of the command; None when a required one is missing."""
    if operation != CHANGE:
        return {}
    if match.re.groupindex.keys() == {"what"}:
        return {DUE_DATE: None}
    if "title" in match.re.groupindex and (title := task_phrases.clean_title(_group(text, match, "title"))):
        due = _whole_due(title, situation)
        return {DUE_DATE: due.day.isoformat()} if due else {NEW_NAME: title}
    due = _whole_due(_group(text, match, "due"), situation)
    return {DUE_DATE: due.day.isoformat()} if due else None


def _whole_due(words: str, situation: Situation) -> DueDate | None:
    """The date, if the words name nothing else."""
    text = f"by {words.strip(' .!?,')}"
    due = find_due_date(text, local_today(situation))
    return due if due is not None and not (text[: due.start] + text[due.end :]).strip() else None


def _naming(words: str, tasks: tuple[Reference, ...]) -> dict[str, JsonValue]:
    if not tasks:
        return {TASK: words} if words else {}
    ids: list[JsonValue] = [task.id for task in tasks]
    return {TASK_IDS: ids, TASK: ", ".join(task.name for task in tasks)}


def _group(text: str, match: Match[str], group: str) -> str:
    """The group in its original letter case, because patterns match in lower case."""
    if group not in match.re.groupindex or match[group] is None:
        return ""
    return text[match.start(group) : match.end(group)].strip()


_COMMANDS = (
    (SHOW, False, task_phrases.WHEN_DUE),
    *((REOPEN, True, form) for form in task_phrases.REOPEN_PLAIN),
    *((REOPEN, False, form) for form in task_phrases.REOPEN),
    *((COMPLETE, True, form) for form in task_phrases.COMPLETE_PLAIN),
    *((COMPLETE, False, form) for form in task_phrases.COMPLETE),
    *((CHANGE, False, form) for form in (*task_phrases.REMOVE_DUE_DATE, *task_phrases.CHANGE)),
    *((DELETE, True, form) for form in task_phrases.DELETE_PLAIN),
    *((DELETE, False, form) for form in task_phrases.DELETE),
)
"""Operation, whether its words alone are enough, and pattern. The first valid match counts."""
