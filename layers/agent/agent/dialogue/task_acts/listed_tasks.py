"""The lists of the user's tasks that a question asks for: what is open or done, and by when it is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from agent.dialogue.result import Result
from agent.dialogue.talk.statements import is_of_dates, terms_of
from agent.dialogue.task_acts.asked_tasks import OF_FORM, by_due, fitting, told_due
from agent.dialogue.task_acts.due_times import read_due
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.templates import task_texts
from conversation.messages.models import Reference
from intent.acts.act import Act
from intent.acts.lexicon import NEGATIONS
from intent.acts.tokens import tokenise
from intent.dates.times import month_number
from intent.regular_expressions import lower_pattern
from tasks.task import Task

_DONE = word_set("done completed finished ticked complete")
_REMAINING = word_set(
    "left remain remains remaining still outstanding open need needs must yet undone unfinished pending"
)
"""Words for what is not done, whatever else a question says."""
_NOT = NEGATIONS | {"hasn't", "haven't", "wasn't", "weren't", "aren't", "hasnt", "havent", "isnt", "arent"}
_UNDONE_YET = frozenset({("to", "be"), ("to", "get"), ("to", "have"), ("should", "be")})
_STILL_TO_DO = _REMAINING | {"else"}


def list_tasks(act: Act, bench: Workbench) -> Result:
    """List the tasks that an act asks for, of a period those due in it."""
    wording = Wording.of(act)
    is_done = asks_for_done(wording)
    tasks = [task for task in bench.tasks() if task.completed is is_done]
    about = bench.turn.note.subject
    if about is not None and about.kind == "task" and wording.has({"else"}):
        tasks = [task for task in tasks if task.id != about.id]  # ``what else is due that week?``
    period = _period(act, bench)
    if period is None and not is_done and _asks_for_first(wording) and (first := _due_first(tasks)):
        return told_due(first, "when", bench)
    if period is None:
        return _listed(_on_subject(tasks, wording) or tasks, bench, is_done=is_done)
    undated = [task for task in tasks if task.due_date is None]
    within = [task for task in tasks if period.holds(task, bench.turn.situation.now, bench.turn.today)]
    if not wording.has(_STILL_TO_DO) or not undated:
        return _listed(within, bench, is_done=is_done, when=f" {period.words}")
    text = f"{_text(sorted(within, key=by_due), bench, is_done=is_done, when=f' {period.words}')}\n\n"
    return Result(
        text + task_texts.without_date(undated), listed=_references([*within, *undated]), tool="list_tasks"
    )


def _on_subject(tasks: Sequence[Task], wording: Wording) -> list[Task]:
    """Return the tasks that say what a question asks about: ``anything about the booth?``; empty for none."""
    behind = wording.after(*_ABOUT)
    terms = terms_of(" ".join(behind)) if behind else ()
    return fitting(tasks, [term for term in terms if term not in OF_FORM and not is_of_dates(term)])


_ABOUT = ("about", "with", "for", "regarding", "mention", "mentions", "mentioning", "involving", "concerning")


def asks_for_done(wording: Wording) -> bool:
    """Return whether a question is for the tasks that are done: not so ``what is to be done?``, ``what
    hasn't been done?``
    """
    if not wording.has(_DONE) or wording.has(_REMAINING) or _UNDONE_YET & set(pairwise(wording.words)):
        return False
    place = next(at for at, word in enumerate(wording.words) if word in _DONE)
    return not _NOT & set(wording.words[max(0, place - _NEAR) : place])


_NEAR = 4


def _asks_for_first(wording: Wording) -> bool:
    """Return whether a question is for what is due before all else: ``what comes first?``, ``the next one
    due?``
    """
    return wording.has(_FIRST) or wording.says(*_NEXT)


_FIRST = frozenset({"first", "soonest", "earliest", "urgent"})
_NEXT = (
    "due next",
    "next due",
    "comes next",
    "what's next",
    "whats next",
    "up next",
    *(f"next {one}" for one in ("thing", "task", "one")),
)


def _due_first(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks of the first day on which one is due; empty where none has a day."""
    first = min((task.due_date for task in tasks if task.due_date is not None), default=None)
    return [task for task in tasks if first is not None and task.due_date == first]


def _listed(tasks: Sequence[Task], bench: Workbench, *, is_done: bool, when: str = "") -> Result:
    tasks = sorted(tasks, key=by_due)
    text = _text(tasks, bench, is_done=is_done, when=when)
    shown = _references(tasks)
    about = shown[0] if len(shown) == 1 else None
    return Result(text, about=about, listed=shown, tool="list_tasks" if tasks else "")


def _text(tasks: Sequence[Task], bench: Workbench, *, is_done: bool, when: str) -> str:
    if not tasks:
        return "None of your tasks is completed yet." if is_done else f"Nothing{when} is on your list."
    return task_texts.listed(
        tasks[: task_texts.MAX_SHOWN],
        bench.turn.today,
        status="done" if is_done else "open",
        more=len(tasks) > task_texts.MAX_SHOWN,
    )


def _references(tasks: Sequence[Task]) -> tuple[Reference, ...]:
    shown = tasks[: task_texts.MAX_SHOWN]
    return tuple(Reference(kind="task", id=task.id, name=task.title) for task in shown)


class _Period(NamedTuple):
    """The days that a question about tasks means. ``words`` say of what is due then: ``due tomorrow``."""

    first: date
    last: date
    words: str
    has_overdue: bool = False
    """Whether it means the tasks that are overdue as well."""

    def holds(self, task: Task, now: datetime, today: date) -> bool:
        """Return whether a task is to be done in it: one that is overdue is to be done today."""
        if self.has_overdue and _is_overdue(task, now, today):
            return True
        if task.due_date is None or task.due_date > self.last:
            return False
        return task.due_date >= self.first or self.first <= today


def _is_overdue(task: Task, now: datetime, today: date) -> bool:
    """Return whether a task's day is over, or its time of today."""
    moment = task.due_moment
    return moment < now if moment is not None else task.due_date is not None and task.due_date < today


def _period(act: Act, bench: Workbench) -> _Period | None:
    """Return the days that a question is about; None: all."""
    text, today = act.clause.text.lower(), bench.turn.today
    period = _days_named(act, bench)
    if not names_overdue(text):
        return period
    if period is None or period.last < today:
        return _Period(date.min, date.min, "overdue", has_overdue=True)
    return _Period(date.min, period.last, f"overdue or {period.words}", has_overdue=True)


def names_overdue(text: str) -> bool:
    """Return whether words are of what should be done by now."""
    words = [token.word for token in tokenise(text)]
    return bool({"overdue", "late"} & set(words)) or bool(_PAST_DUE & set(pairwise(words)))


_PAST_DUE = frozenset(("past", word) for word in ("due", "its", "their"))


def _days_named(act: Act, bench: Workbench) -> _Period | None:
    text, today = act.clause.text.lower(), bench.turn.today
    monday = today - timedelta(days=today.weekday())
    if (day := _day_talked_of(bench)) is not None and (pointed := _SAME.search(text)) is not None:
        begin = day - timedelta(days=day.weekday())
        is_day = pointed[1] == "day"
        return _Period(day, day, "due that day") if is_day else _Period(
            begin, begin + timedelta(days=6), "due that week"
        )  # fmt: skip
    if "next week" in text:
        return _Period(monday + timedelta(days=7), monday + timedelta(days=13), "due next week")
    if "week" in text and today == monday + timedelta(days=6):
        return _Period(today, today + timedelta(days=7), "due today or in the week that begins tomorrow")
    if "week" in text:
        return _Period(today, monday + timedelta(days=6), "due this week")
    if (month := _month(act, today)) is not None:
        return month
    due = read_due(act, bench)
    if due is None:
        return None
    if _UNTIL.search(text) is not None:
        return _Period(min(today, due.day), due.day, f"due by {due.words(today)}")
    return _Period(due.day, due.day, f"due {due.words(today)}")


def _month(act: Act, today: date) -> _Period | None:
    """Return the month that a question is about: ``what's due in June?``, ``anything else this month?``"""
    words = [token.word for token in tokenise(act.clause.text)]
    this = today.replace(day=1)
    for before, word, behind in zip(["", *words], words, [*words[1:], ""], strict=False):
        if word == "month" and before in {"this", "next"}:
            first = this if before == "this" else (this + timedelta(days=32)).replace(day=1)
            return _of_month(first, today, f"due {before} month")
        if word in _MONTHS and before in _BEFORE_MONTH and not behind[:1].isdigit():
            number = month_number(word)
            first = date(today.year + (number < today.month), number, 1)
            return _of_month(first, today, f"due in {word.capitalize()}")
    return None


def _of_month(first: date, today: date, words: str) -> _Period:
    last = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    return _Period(max(first, today), last, words)


_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
_BEFORE_MONTH = frozenset({"in", "for", "during", "due", "of"})
_SAME = lower_pattern(r"\b(?:that|the same) (day|week)\b")
_UNTIL = lower_pattern(r"\b(?:by|until|till|before|b4|up to)\b")


def _day_talked_of(bench: Workbench) -> date | None:
    """Return the day that the task talked of last is due; None where it was another thing, or has no day."""
    about = bench.turn.note.subject
    task = bench.task(about.id) if about is not None and about.kind == "task" else None
    return None if task is None else task.due_date
