"""The user's tasks: adding, completing, changing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from agent.dialogue import texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result, joined
from agent.dialogue.task_acts import parts
from agent.dialogue.task_acts.due_times import UNCLEAR, Due, read_due, read_dues, removes_due, unclear_words
from agent.dialogue.task_acts.listed_tasks import list_tasks
from agent.dialogue.workbench import Workbench
from agent.templates import task_texts
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Thing
from intent.acts.scene import Asked
from tasks.task import (
    MAX_DESCRIPTION_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    Task,
    TaskChange,
    TaskSpec,
    task_id_of_step,
)

_MOST_ADDED = 20


def on_tasks(act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    """Carry out an act on the user's tasks."""
    match act.kind:
        case ActKind.ADD_TASK:
            return _add(act, bench)
        case ActKind.LIST_TASKS:
            return list_tasks(act, bench)
        case _:
            return _on_known(act, bench, is_confirmed=is_confirmed)


def _on_known(act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    """Carry out an act on tasks that exist."""
    found = tuple(task for thing in act.meant.things if (task := bench.task(thing.id)) is not None)
    if not found:
        return _ask_which(act, bench)
    match act.kind:
        case ActKind.COMPLETE_TASK if not is_confirmed and (asked := parts.ask_first(found, act)):
            return asked
        case ActKind.REOPEN_TASK if read_due(act, bench) is not None:
            return _reopen_until(found, act, bench)
        case ActKind.COMPLETE_TASK | ActKind.REOPEN_TASK:
            return _set_completed(found, act, bench)
        case ActKind.DELETE_TASK if not removes_due(act):
            return _delete(found, act, bench, is_confirmed=is_confirmed)
        case _:
            return _change_all(found, act, bench)


def _ask_which(act: Act, bench: Workbench) -> Result:
    tasks = bench.tasks()
    if act.meant.is_all and act.meant.words:
        return Result(task_texts.none_of_them(act.meant.words))
    things = act.meant.candidates or tuple(Thing(task.id, task.title) for task in tasks if not task.completed)
    if not things:
        return Result(task_texts.nothing_there())
    options = tuple(Reference(kind="task", id=thing.id, name=thing.name) for thing in things[:10])
    question = AskedQuestion(asked=Asked.WHICH, waiting=(HeldAct.of(act, ()),), options=options)
    names = [f"“{thing.name}”" for thing in things[:10]]
    return Result(texts.which_agent(texts.verb_of(act.kind), names), question=question)


def _add(act: Act, bench: Workbench) -> Result:
    titles = [title for span in act.several if (title := " ".join(span.text.split()))][:_MOST_ADDED]
    if not titles and (known := _listed_already(act, bench)) is not None:
        return known
    if not titles:
        return Result(
            task_texts.nothing_to_add(),
            question=AskedQuestion(asked=Asked.SLOTS, slots=("title",), waiting=(HeldAct.of(act),)),
        )
    turn = bench.turn
    try:
        bench.task_store.quotas.take(turn.caller, QuotaKind.TASKS, len(titles), record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return Result(str(exceeded))
    dues = read_dues(act, bench)
    zone = turn.situation.time_zone
    now = turn.situation.now
    tasks = []
    for place, title in enumerate(titles):
        step = f"{turn.turn_id}.talk{act.clause.start or ''}"
        task = Task.create(
            _spec(title, dues[place], zone),
            task_id=task_id_of_step(step, now, place=place + act.clause.start),
            now=now,
        )
        bench.add_task(task)
        tasks.append(task)
    names = texts.join([_with_due(task, turn.today) for task in tasks])
    if len(set(dues)) == 1:
        names = f"{texts.join([texts.quoted(task) for task in tasks])}{_when(dues[0], turn.today)}"
    about, listed = _about(tasks)
    asks, question = _time_question(tasks, act, bench) if not any(dues) else ("", None)
    note = next((due.note for due in dues if due and due.note), "")
    return Result(
        " ".join(filter(None, (f"Added to your list: {names}.", note, asks))),
        f"added the task {texts.join([task.title for task in tasks])}",
        about,
        listed,
        question=question,
        tool="create_task",
        kind=act.kind,
    )


def _listed_already(act: Act, bench: Workbench) -> Result | None:
    """Return the reply to a request for what was added just before; None where nothing was."""
    task = bench.task(act.meant.things[0].id) if act.meant.is_focus and act.meant.things else None
    if task is None:
        return None
    about, _ = _about([task])
    return Result(texts.already(texts.quoted(task), "on your list", 1), about=about, is_idle=True)


def _time_question(tasks: Sequence[Task], act: Act, bench: Workbench) -> tuple[str, AskedQuestion | None]:
    """Return the question for the time that an act's words leave open, and what waits for the answer."""
    unclear = unclear_words(act, bench)
    if unclear is None:
        return "", None
    words = unclear.words
    things = tuple((task.id, task.title) for task in tasks)
    held = HeldAct(kind=ActKind.CHANGE_TASK, text=words, things=things, slots={UNCLEAR: words})
    asks = texts.no_repetition(words) if unclear.is_repetition else texts.which_time(words)
    return asks, AskedQuestion(asked=Asked.SLOTS, slots=("due",), waiting=(held,))


def _when(due: Due | None, today: date) -> str:
    """Return when tasks are due, and that a reminder comes where there is a time of day."""
    if due is None:
        return ""
    reminds = ". I will remind you each time" if due.repeat else ". I will remind you then"
    return f", due {due.words(today)}{reminds if due.at else ''}"


def _with_due(task: Task, today: date) -> str:
    due = Due.of(task)
    return f"{texts.quoted(task)} ({due.words(today)})" if due else texts.quoted(task)


def _spec(title: str, due: Due | None, zone: str) -> TaskSpec:
    is_long = len(title) > MAX_TITLE_CHARACTERS
    short = f"{title[: MAX_TITLE_CHARACTERS - 1]}…" if is_long else title
    return TaskSpec.model_validate(
        {
            "title": short,
            "description": title[:MAX_DESCRIPTION_CHARACTERS] if is_long else "",
            **(due.fields(zone) if due else {}),
        }
    )


def _about(tasks: Sequence[Task]) -> tuple[Reference | None, tuple[Reference, ...]]:
    references = tuple(Reference(kind="task", id=task.id, name=task.title) for task in tasks)
    return (references[0], ()) if len(references) == 1 else (None, references)


def _set_completed(tasks: Sequence[Task], act: Act, bench: Workbench) -> Result:
    completed = act.kind is ActKind.COMPLETE_TASK
    changing = [task for task in tasks if task.completed is not completed]
    about, listed = _about(tasks)
    names = texts.join([texts.quoted(task) for task in changing or tasks])
    if not changing:
        state = "done" if completed else "open"
        return Result(texts.already(names, state, len(tasks)), about=about)
    new = [bench.change_task(task, TaskChange(completed=completed)) for task in changing]
    text = f"Done: {names} is ticked off." if completed else f"{names} is back on your list."
    text = text.replace(" is ", " are ") if len(changing) > 1 else text
    again = [(task, due) for task in new if completed and task.repeat and (due := Due.of(task)) is not None]
    for task, due in again:
        text += f" {texts.quoted(task)} is due again {due.words(bench.turn.today)}."
    did = f"{'completed' if completed else 'reopened'} the task {names}"
    return Result(text, did, about, listed, tool="complete_task", kind=act.kind)


def _reopen_until(tasks: Sequence[Task], act: Act, bench: Workbench) -> Result:
    """Put tasks back on the list with another due date: ``open it up again, for the 20th``."""
    reopened = _set_completed(tasks, act, bench)
    known = [found for task in tasks if (found := bench.task(task.id)) is not None]
    moved = _change_all(known, replace(act, kind=ActKind.CHANGE_TASK), bench)
    return joined([reopened, moved]) or reopened


def _change_all(tasks: Sequence[Task], act: Act, bench: Workbench) -> Result:
    results = [_change(task, act, bench) for task in tasks]
    if len(results) == 1:
        return results[0]
    did = "; ".join(result.did for result in results if result.did)
    _, listed = _about(tasks)
    question = next((result.question for result in results if result.question), None)
    text = "\n".join(dict.fromkeys(result.text for result in results))
    return Result(
        text, did, listed=listed, question=question, tool="update_task", kind=act.kind if did else None
    )


def _new_title(task: Task, act: Act) -> str:
    """Return the title that a change gives a task; empty: it keeps its own."""
    if amount := act.slot("amount"):
        return f"{task.title} ({amount})"
    return " ".join((act.slot("name") or act.slot("title")).split()).strip("\"'“”")


def _change(task: Task, act: Act, bench: Workbench) -> Result:
    is_removal = removes_due(act)
    title = "" if is_removal else _new_title(task, act)
    due = None if is_removal else read_due(act, bench, task)
    values: dict[str, object] = {}
    said = []
    if title:
        values["title"] = title[:MAX_TITLE_CHARACTERS]
        said.append(f"is now called “{title}”")
    if due is not None:
        values |= due.fields(bench.turn.situation.time_zone)
        said.append(f"is now due {due.words(bench.turn.today)}")
    elif is_removal:
        if task.due_date is None and task.repeat is None:
            return Result(texts.already(texts.quoted(task), "without a due date", 1))
        values |= {"due_date": None, "due_at": None, "repeat": None}
        said.append("has no due date any more")
    about, _ = _about([task])
    if not values:
        asks, open_question = _time_question([task], act, bench)
        if open_question is not None:
            return Result(asks, about=about, question=open_question)
    if not values and task.completed:
        return _set_completed([task], replace(act, kind=ActKind.REOPEN_TASK), bench)
    if not values:
        question = AskedQuestion(
            asked=Asked.SLOTS, slots=("name", "due"), waiting=(HeldAct.of(act, [Thing(task.id, task.title)]),)
        )
        return Result(task_texts.nothing_to_change(task), about=about, question=question)
    if due is not None and not title and _is_due_then(task, due):
        return Result(texts.already(texts.quoted(task), f"due {due.words(bench.turn.today)}", 1), about=about)
    new = bench.change_task(task, TaskChange.model_validate(values))
    return Result(
        " ".join(filter(None, (f"{texts.quoted(task)} {texts.join(said)}.", due.note if due else ""))),
        f"changed the task {texts.quoted(task)}: {texts.join([one.removeprefix('is ') for one in said])}",
        Reference(kind="task", id=new.id, name=new.title), tool="update_task", kind=ActKind.CHANGE_TASK,
    )  # fmt: skip


def _is_due_then(task: Task, due: Due) -> bool:
    """Return whether a task is due then already, with nothing to be said about it."""
    at = None if task.due_at is None else task.due_at.time()
    return task.due_date == due.day and at == due.at and not due.note and task.repeat is None


def _delete(tasks: Sequence[Task], act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    names = texts.join([texts.quoted(task) for task in tasks])
    if len(tasks) > 1 and not is_confirmed:
        things = [Thing(task.id, task.title) for task in tasks]
        question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, things),))
        kept = [thing.name for thing in act.meant.excepted]
        return Result(texts.ask_to_delete([texts.quoted(task) for task in tasks], kept), question=question)
    for task in tasks:
        bench.delete_task(task)
    about, _ = _about(tasks)
    return Result(
        f"Deleted from your list: {names}.",
        f"deleted the task {names}",
        about,
        tool="delete_task",
        kind=act.kind,
    )
