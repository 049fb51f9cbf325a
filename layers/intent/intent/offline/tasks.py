"""Talk about the user's own tasks: adding, listing, completing, reopening, changing and deleting them.

Only plain sentences are understood, and only where nothing else could be meant: a task *of an agent*, or one
in somebody else's system, is none of the user's list. What is not understood here is judged as ever.
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
from intent.dates.due_dates import Due, due_in
from intent.dates.schedules import find_schedule
from intent.dates.times import NUMBERS, number
from intent.decision import ActionType, Verdict
from intent.entities.extraction import NEW_NAME, OPERATION
from intent.entities.services import is_known
from intent.offline import task_phrases as forms
from intent.patterns import either, gist, notice
from intent.rules import references
from intent.situation import Situation

_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "last": -1, "latter": -1, "former": 1, "top": 1, "bottom": -1,
}  # fmt: skip
_COUNTED = "|".join(word for word, value in NUMBERS.items() if value)
_NOUN = either("ones?|tasks?|to-?dos?|items?|entry|entries|things?")
_NTH = "|".join(_ORDINALS)
_PLACE = (
    rf"(?:#|no\.? ?|nr\.? ?|number |{_NOUN} )?"
    rf"(?:(?P<nth>{_NTH})|(?P<count>\d{{1,3}}|{_COUNTED})(?:st|nd|rd|th)?)(?: {_NOUN})?"
)
_ONE_PLACE = notice(rf"(?:(?:the|my|that) )?(?:very )?{_PLACE}")
_AND = re.compile(r"\s*(?:,\s*and|,|\band\b|&|\+)\s*", re.IGNORECASE)
_POINTING = notice(r"(?:it|that|this|(?:this|that) (?:one|task|to-?do|item)|the (?:one|task|to-?do))")
_EVERY = notice(
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
    """The tasks the newest reply about anything listed, or the one it was about."""
    for note in references.notes(situation):
        if note.listed:
            return tuple(item for item in note.listed if item.kind == "task")
        if note.about is not None:
            return (note.about,) if note.about.kind == "task" else ()
    return ()


def meant_tasks(words: str, situation: Situation, known: Sequence[Reference]) -> tuple[Reference, ...]:
    """The tasks that the words mean among those known; empty when they mean none, or can't tell which."""
    if _POINTING.fullmatch(words):
        return _pointed_at(situation)
    if _EVERY.fullmatch(words):
        return tuple(known) if len(known) > 1 else ()
    listed = _last_list(situation)
    if (places := _places(words)) is not None:
        found = [_at(place, listed) for place in places]
        return tuple(task for task in found if task is not None) if all(found) else ()
    matching = by_words(words, known) or by_words(words, listed)
    return (matching[0],) if len(matching) == 1 else ()


def means_all(words: str) -> bool:
    """Whether the words mean every task there is."""
    return _EVERY.fullmatch(words) is not None


def by_words(words: str, tasks: Sequence[Reference]) -> tuple[Reference, ...]:
    """The tasks whose title has all telling words; those of exactly this title where there are any."""
    wanted = telling(words)
    exact = tuple(task for task in tasks if task.name.casefold() == words.casefold())
    holding = tuple(task for task in tasks if wanted and wanted <= telling(task.name))
    return exact or holding


def telling(words: str) -> frozenset[str]:
    """The words that tell one task from another, in lower case."""
    return frozenset(_WORD.findall(words.casefold())) - _EMPTY


def is_vague(words: str) -> bool:
    """Whether the words name no title: they point, count or say nothing."""
    return not telling(words) or _POINTING.fullmatch(words) is not None or _places(words) is not None


def names_an_agent(words: str, situation: Situation) -> bool:
    """Whether the words are an agent's name."""
    return references.known_agent(words, situation.agents) is not None


def _pointed_at(situation: Situation) -> tuple[Reference, ...]:
    for note in references.notes(situation):
        only = note.about or (note.listed[0] if len(note.listed) == 1 else None)
        if only is not None or note.listed:
            return (only,) if only is not None and only.kind == "task" else ()
    return ()


def _last_list(situation: Situation) -> tuple[Reference, ...]:
    listed = next((note.listed for note in references.notes(situation) if note.listed), ())
    return tuple(item for item in listed if item.kind == "task")


def _at(place: int, listed: Sequence[Reference]) -> Reference | None:
    position = len(listed) + place if place < 0 else place - 1
    return listed[position] if 0 <= position < len(listed) else None


def _places(words: str) -> list[int] | None:
    """The places that the words name and nothing else: ``the second one``, ``task 2``, ``1 and 3``."""
    found: list[int] = []
    for part in _AND.split(words):
        match = _ONE_PLACE.fullmatch(part.strip())
        if match is None:
            return None
        place = _ORDINALS[match["nth"]] if match["nth"] else number(match["count"])
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
OPERATIONS: Final = frozenset({ADD, LIST, COMPLETE, REOPEN, CHANGE, DELETE, SHOW})

TASK: Final = "task"
"""A new task's title; of others the words that name them."""
DUE_DATE: Final = "due_date"
"""ISO 8601; null where a task is no longer to have one."""
TASKS: Final = "tasks"
"""Several new tasks: a list of objects with the two keys above."""
TASK_IDS: Final = "task_ids"
"""Tasks by their ids, where the last list or reply told which are meant."""
STATUS: Final = "status"
"""Which tasks a list is of: ``open``, ``done`` or ``all``."""

_CONFIDENCE = 0.95
_MOST_WORDS = 60


def read(situation: Situation) -> Verdict | None:
    """What the message wants of the user's tasks; None when it wants nothing of them, or not for sure."""
    text = gist(situation.message)
    is_possible = forms.HINT.search(text) is not None or bool(shown_tasks(situation))
    if not is_possible or len(text.split()) > _MOST_WORDS or forms.OF_AN_AGENT.search(text):
        return None
    return _listing(text, situation) or _adding(text, situation) or next(_on_tasks(text, situation), None)


def asks_to_remind(message: str) -> bool:
    """Whether a task is wished for in words that hope for a reminder."""
    return forms.ASKS_TO_REMIND.match(gist(message)) is not None


def today(situation: Situation) -> date:
    """The speaker's day."""
    return situation.now.astimezone(ZoneInfo(situation.time_zone)).date()


def _verdict(operation: str, **entities: JsonValue) -> Verdict:
    return Verdict(
        action_type=ActionType.QUERY_INFO if operation in (LIST, SHOW) else ActionType.EXECUTE_TASK,
        confidence=_CONFIDENCE,
        entities={OPERATION: operation, **entities},
        reasoning=f"says plainly to {operation.replace('_', ' ')}",
    )


def _listing(text: str, situation: Situation) -> Verdict | None:
    shown = forms.LIST_SHOWN.fullmatch(text) is not None and bool(shown_tasks(situation))
    if not shown and forms.LIST.fullmatch(text) is None:
        return None
    status = "done" if forms.DONE.search(text) else "all" if forms.ALL.search(text) else "open"
    return _verdict(LIST, **{STATUS: status})


def _adding(text: str, situation: Situation) -> Verdict | None:
    """A new task, unless it answers what the wizard has just asked or is to be done again and again."""
    is_answer = _answers_in_words(situation) and forms.FOR_ONESELF.search(text) is None
    if is_answer or find_schedule(text) is not None:
        return None
    if forms.ADD_NOTHING.fullmatch(text):
        return _verdict(ADD)
    known = forms.ADD if not shown_tasks(situation) else (*forms.ADD, forms.ADD_MORE, forms.ADD_QUOTED)
    match = next((found for form in known if (found := form.fullmatch(text))), None)
    if match is None:
        return None
    title = _said(text, match, "title")
    if match["joint"].strip() == "to" and _is_a_place(title, situation):
        return None
    is_several = ":" in match["joint"] and forms.SEVERAL.fullmatch(_said(text, match, "noun")) is not None
    titles = forms.quoted(title) or (forms.split(title) if is_several else [title])
    wanted = [_titled(each, _said(text, match, "when"), situation) for each in titles]
    return _verdict(ADD, **(wanted[0] if len(wanted) == 1 else {TASKS: [*wanted]}))


def _answers_in_words(situation: Situation) -> bool:
    """Whether the wizard has asked for what ``add a task …`` may describe: not when, nor where to."""
    asked = (situation.last_note().asking or "").split(",")
    return any(part.strip() not in ("", "schedule", "delivery") for part in asked)


def _titled(said: str, when: str, situation: Situation) -> dict[str, JsonValue]:
    """The title without the words that say when it is due, where those stand at its end."""
    due = due_in(said, today(situation))
    behind = forms.AFTER_DUE.fullmatch(said[due.end :]) if due else None
    due = due if behind else None
    title = forms.bare(said[: due.start].rstrip() + (behind["time"] or "") if due and behind else said)
    day = due or (due_in(f"by {when}", today(situation)) if when else None)
    entities: dict[str, JsonValue] = {TASK: title} if title else {}
    return {**entities, DUE_DATE: day.day.isoformat()} if day else entities


def _is_a_place(title: str, situation: Situation) -> bool:
    """``add a task to the weekly report``: what follows is where to add it, not what to do."""
    said = title.casefold()
    names = [agent.name.casefold() for agent in situation.agents]
    is_named = any(said.startswith((name, name.replace("-", " "))) for name in names)
    return bool(forms.A_PLACE.match(title)) or is_known(said.strip(" .!")) or is_named


def _on_tasks(text: str, situation: Situation) -> Iterator[Verdict]:
    """What is to become of tasks there are: what names none needs the word, or a list just shown."""
    known = shown_tasks(situation)
    is_about_tasks = forms.TASK_WORD.search(text) is not None
    if situation.last_note().draft is not None and not is_about_tasks:
        return
    about = situation.last_note().about
    if about is not None and about.kind == "task" and forms.ONLY_DONE.fullmatch(text):
        yield _verdict(COMPLETE, **_naming("", (about,)))
    for operation, plain, form in _COMMANDS:
        match = form.fullmatch(text)
        if match is None:
            continue
        words = forms.bare(_said(text, match, "what"))
        meant = meant_tasks(words, situation, known)
        if meant or plain or is_about_tasks:
            verdict = _command(operation, text, match, situation)
            if verdict is not None and (meant or not names_an_agent(words, situation)):
                yield _verdict(operation, **_naming(words, meant), **verdict)


def _command(
    operation: str, text: str, match: Match[str], situation: Situation
) -> dict[str, JsonValue] | None:
    """What else the command says; None when it lacks what it can't do without."""
    if operation != CHANGE:
        return {}
    if match.re.groupindex.keys() == {"what"}:
        return {DUE_DATE: None}
    if "title" in match.re.groupindex and (title := forms.bare(_said(text, match, "title"))):
        due = _whole_due(title, situation)
        return {DUE_DATE: due.day.isoformat()} if due else {NEW_NAME: title}
    due = _whole_due(_said(text, match, "due"), situation)
    return {DUE_DATE: due.day.isoformat()} if due else None


def _whole_due(words: str, situation: Situation) -> Due | None:
    """The day that the words name and nothing else."""
    said = f"by {words.strip(' .!?,')}"
    due = due_in(said, today(situation))
    return due if due is not None and not (said[: due.start] + said[due.end :]).strip() else None


def _naming(words: str, meant: tuple[Reference, ...]) -> dict[str, JsonValue]:
    if not meant:
        return {TASK: words} if words else {}
    ids: list[JsonValue] = [task.id for task in meant]
    return {TASK_IDS: ids, TASK: ", ".join(task.name for task in meant)}


def _said(text: str, match: Match[str], group: str) -> str:
    """The group as it was written: forms are matched in lower case."""
    if group not in match.re.groupindex or match[group] is None:
        return ""
    return text[match.start(group) : match.end(group)].strip()


_COMMANDS = (
    (SHOW, False, forms.WHEN_DUE),
    *((REOPEN, True, form) for form in forms.REOPEN_PLAIN),
    *((REOPEN, False, form) for form in forms.REOPEN),
    *((COMPLETE, True, form) for form in forms.COMPLETE_PLAIN),
    *((COMPLETE, False, form) for form in forms.COMPLETE),
    *((CHANGE, False, form) for form in (*forms.NO_DUE, *forms.CHANGE)),
    *((DELETE, True, form) for form in forms.DELETE_PLAIN),
    *((DELETE, False, form) for form in forms.DELETE),
)
"""Operation, whether its words alone are enough, and form, the first that fits counts."""
