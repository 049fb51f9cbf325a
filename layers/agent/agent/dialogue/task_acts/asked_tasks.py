"""Answers to questions about tasks by what they say: when one is due, whether it is on the list.

What stands on the list is known, so such a question is answered from it before anybody says that there is no
answer. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from itertools import pairwise

from agent.dialogue.result import Result
from agent.dialogue.talk.statements import asked_part, is_of_dates, score_of, terms_of
from agent.dialogue.talk.word_kinship import root
from agent.dialogue.task_acts.due_times import Due
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.templates import task_texts
from conversation.messages.models import Reference, Role
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import AUXILIARIES, LEADS, POINTERS, QUESTION_WORDS
from intent.acts.tokens import mended
from tasks.task import Task

K = ActKind
_MAY_ASK = frozenset(
    {
        K.RECALL, K.ASK_WORLD, K.ASK_PRODUCT, K.ASK_WORKSPACE, K.CLOCK, K.NONE, K.UNSURE, K.LIST_TASKS, K.WHY,
        K.SMALL_TALK,
    }
)  # fmt: skip
"""The kinds that a question about a task may be taken for."""
_SURELY = 0.6
"""The share of a question's words that a title has to have."""
_WHEN = word_set("when when's what's time day date due deadline long by until till which")
_DUE = word_set("due date dates deadline deadlines dated time day when")
_HAVE = word_set("have has is are was did do put had got")
_LISTED = word_set("list lists task tasks todo todos to-do to-dos reminder reminders")
_YET = word_set("already yet still")
OF_FORM = frozenset(
    root(word)
    for word in "due date deadline list task todo reminder add added put set supposed meant must have got do"
    " done to-do call plan planned until till left open still long among amongst anything"
    " something dos".split()
)
"""Words of a question that say what is wanted of a task, and not which one."""


def answer(act: Act, bench: Workbench) -> Result | None:
    """Answer a question about tasks from the list; None for anything else, and where no task fits."""
    if act.kind not in _MAY_ASK:
        return None
    question = mended(asked_part(act.clause.text))
    wording = Wording.of_text(question)
    if not _is_question(wording, question):
        return None
    terms = _terms(question)
    if not terms:
        return _on_talked_of(wording, bench)
    if not (wants := _wants(wording)):
        return None
    found = _named(terms, bench)
    if act.kind is K.RECALL and wants == "when" and not any(task.due_date for task in found):
        return None  # what was told may have the day that the list has not
    if found:
        return told_due(found, wants, bench)
    return Result(texts.not_on_list(_quoted(question, terms))) if wants == "whether" else None


def instead_of_quote(act: Act, bench: Workbench) -> Result | None:
    """Return the tasks that a question about earlier talk means, where nothing that was said answers it."""
    found = _named(_terms(asked_part(act.clause.text)), bench) if act.kind is K.RECALL else []
    return told_due(found, "which", bench) if found else None


def _named(terms: Sequence[str], bench: Workbench) -> list[Task]:
    return fitting([task for task in bench.tasks() if not task.completed], terms)


def fitting(tasks: Sequence[Task], terms: Sequence[str]) -> list[Task]:
    """Return the tasks whose titles have most of several stems, those that fit best; empty for none."""
    scores = [(score_of(task.title, terms, ""), task) for task in tasks]
    best = max((score for score, _ in scores), default=0.0)
    return [task for score, task in scores if score == best] if best >= _SURELY else []


def _terms(question: str) -> tuple[str, ...]:
    """Return the stems that say which task a question means."""
    return tuple(term for term in terms_of(question) if term not in OF_FORM and not is_of_dates(term))


def _is_question(wording: Wording, text: str) -> bool:
    first = next((word for word in wording.words if word not in LEADS and word[0].isalpha()), "")
    return text.rstrip().endswith("?") or first in QUESTION_WORDS | AUXILIARIES | {"by"}


def _wants(wording: Wording) -> str:
    """Return what a question wants of a task: ``when`` it is due, ``whether`` it is there; empty: neither."""
    words = [word for word in wording.words if word not in LEADS]
    if wording.says("what time", "what day", "what date", "which day", "by when", "how long") or (
        words[:1] and words[0] in {"when", "when's", "whens"}
    ):
        return "when"
    is_yes_or_no = bool(words) and words[0] in _HAVE
    if is_yes_or_no and wording.has(_LISTED) and (wording.has(_YET) or words[0] in {"is", "are", "did"}):
        return "whether"
    is_due = wording.has({"due", "deadline"}) and words[:1] and words[0] in QUESTION_WORDS
    return "when" if is_due else ""


def told_due(found: Sequence[Task], wants: str, bench: Workbench) -> Result:
    """Say when tasks are due, as far as that is known; a single one is talked of from then on."""
    today = bench.turn.today
    found = sorted(found, key=by_due)[: task_texts.MAX_SHOWN]
    lines = [dated(task, today) for task in found]
    text = texts.found_tasks(lines, is_yes=wants == "whether")
    references = [Reference(kind="task", id=task.id, name=task.title) for task in found]
    about = references[0] if len(references) == 1 else None
    return Result(text, about=about, listed=() if about else tuple(references), tool="list_tasks")


def by_due(task: Task) -> tuple[date, time]:
    """Return the key by which tasks are sorted: when they are due; those without a day come last."""
    at = time.min if task.due_at is None else task.due_at.time()
    return task.due_date or date.max, at


def dated(task: Task, today: date) -> tuple[str, str]:
    """Return a task's title, and when it is due; empty: never."""
    due = Due.of(task)
    return task.title, due.words(today) if due else ""


def _on_talked_of(wording: Wording, bench: Workbench) -> Result | None:
    """Answer a question that only points at the task or the tasks talked of last: ``and when was that?``,
    ``which of them has a date?``
    """
    note = bench.turn.note
    if not (_asks_when(wording) and _points(wording)) or _asks_clock(wording):
        return None
    listed = [one for one in note.listed if one.kind == "task"]
    if listed and wording.has({"them", "those", "these", "ones", "they"}):
        tasks = [task for one in listed if (task := bench.task(one.id)) is not None]
        is_negated = wording.has({"no", "without", "not", "don't", "doesn't", "hasn't", "haven't"})
        shown = [task for task in tasks if (task.due_date is None) is is_negated]
        return told_due(shown, "when", bench) if shown else Result(texts.none_dated(is_dated=not is_negated))
    about = note.subject
    task = bench.task(about.id) if about is not None and about.kind == "task" else None
    if task is None or wording.says("of them") or _is_on_other_fact(task, bench):
        return None
    return told_due([task], "when", bench)


def _is_on_other_fact(task: Task, bench: Workbench) -> bool:
    """Return whether the last reply quoted something that was told, and not the task."""
    quoted = bench.turn.situation.last_text(Role.ASSISTANT)
    return K.RECALL in bench.turn.note.kinds and task.title not in quoted


def _asks_when(wording: Wording) -> bool:
    """Return whether a question has a word for when: in ``when I've done it`` there is none."""
    spoken = [word for word, behind in pairwise([*wording.words, ""]) if (word, behind[:1]) != ("when", "i")]
    return not (_WHEN | _DUE).isdisjoint(spoken)


def _points(wording: Wording) -> bool:
    """Return whether a question has a word for what was talked of: in ``this week`` there is none."""
    return any(word in POINTERS and behind not in _PERIODS for word, behind in pairwise([*wording.words, ""]))


_PERIODS = word_set("week weekend month year quarter morning afternoon evening")


def _asks_clock(wording: Wording) -> bool:
    """Return whether a question is what time or day it is: not so ``when is it due now?``"""
    if wording.has({"due", "deadline"}) or wording.says("it have", "it has", "must it"):
        return False
    points = wording.has(POINTERS - {"it", "this"})
    return wording.says("is it", "it is", "it's") or (wording.has({"today", "now"}) and not points)


def _quoted(question: str, terms: Sequence[str]) -> str:
    """Return the words of a question that say which task it means, as they stand."""
    words = [word.strip("?!.,;:“”\"'") for word in question.split()]
    return " ".join(word for word in words if root(word.lower()) in terms)
