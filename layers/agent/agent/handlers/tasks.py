"""Answers to requests about the user's own tasks.

Changes are written with the turn's commit; texts are rendered from what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from agent.handler_interface import HandlerReply, TurnRequest
from agent.requested_entities import CONFIRMED, Entities, RequestedEntities, as_line
from agent.templates import task_texts
from agent.templates.agent_texts import MAX_CHOICES, options_text
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from conversation.messages.models import Choice, Note, Pending, Reference
from intent.decision import ActionType, Decision, DecisionSource
from intent.offline import tasks as task_rules
from storage.table import Action
from tasks.store import TaskStore
from tasks.task import (
    MAX_DESCRIPTION_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    Task,
    TaskChange,
    TaskNotFound,
    TaskSpec,
    task_id_of_step,
)

MOST_SEARCHED = 100
MOST_ADDED = 20
_STATUSES = {"open": False, "done": True}
_VERBS = {
    task_rules.COMPLETE: "complete",
    task_rules.REOPEN: "reopen",
    task_rules.CHANGE: "change",
    task_rules.DELETE: "delete",
    task_rules.SHOW: "tell you about",
}


def task_request(turn: TurnRequest, decision: Decision) -> Entities | None:
    """What the message wants done with the user's tasks; None when it is about something else.

    A model knows nothing of tasks: when it decided, the task rules read the message again.
    """
    operation = decision.entities.get("operation")
    if isinstance(operation, str) and operation in task_rules.OPERATIONS:
        return {key: value for key, value in decision.entities.items() if key != CONFIRMED}
    verdict = task_rules.task_verdict(turn.situation) if decision.source is DecisionSource.MODEL else None
    return verdict.entities if verdict is not None else None


def reply(turn: TurnRequest, entities: Entities, store: TaskStore) -> HandlerReply:
    """The answer to a request about tasks."""
    operation = str(entities["operation"])
    if operation == task_rules.ADD:
        return _add(turn, entities, store)
    if operation == task_rules.LIST:
        return _list(turn, str(entities.get(task_rules.STATUS, "open")), store)
    tasks = _stored(turn, _meant(turn, entities), store)
    if not tasks:
        return _ask_which(turn, entities, store)
    if operation == task_rules.COMPLETE:
        return _set_completed(turn, tasks, True, store)
    if operation == task_rules.REOPEN:
        return _set_completed(turn, tasks, False, store)
    if operation == task_rules.SHOW:
        return HandlerReply(
            task_texts.shown(tasks[0], task_rules.local_today(turn.situation)), _about(tasks[:1])
        )
    if operation == task_rules.CHANGE:
        return _change(turn, tasks[0], entities, store)
    return _delete(turn, tasks, entities, store)


def _add(turn: TurnRequest, entities: Entities, store: TaskStore) -> HandlerReply:
    several = entities.get(task_rules.TASKS)
    wanted = several[:MOST_ADDED] if isinstance(several, list) else [entities]
    specs = [spec for each in wanted if isinstance(each, Mapping) and (spec := _spec(each))]
    if not specs:
        return HandlerReply(task_texts.nothing_to_add())
    try:
        store.quotas.take(turn.caller, QuotaKind.TASKS, len(specs), record=turn.roster.record)
    except QuotaExceeded as exceeded:
        return HandlerReply(str(exceeded))
    now = turn.situation.now
    tasks = [
        Task.create(spec, task_id=task_id_of_step(f"{turn.turn_id}.talk", now, place=place), now=now)
        for place, spec in enumerate(specs)
    ]
    effects = tuple(
        action
        for task in tasks
        for action in store.create_actions(turn.caller, task, conversation_id=turn.conversation_id)
    )
    note = _about(
        tasks, f"added {'the task' if len(tasks) == 1 else 'the tasks'} {task_texts.join_titles(tasks)}"
    )
    words = task_texts.added(
        tasks, task_rules.local_today(turn.situation), is_reminder=task_rules.asks_to_remind(turn.message)
    )
    return HandlerReply(words, note, effects, ("create_task",))


def _spec(entities: Entities) -> TaskSpec | None:
    """The new task; a title that is too long is cut, and its whole text is kept as the description."""
    text = as_line(entities.get(task_rules.TASK), limit=MAX_DESCRIPTION_CHARACTERS)
    if text is None:
        return None
    is_long = len(text) > MAX_TITLE_CHARACTERS
    title = f"{text[: MAX_TITLE_CHARACTERS - 1]}…" if is_long else text
    due = _day(entities.get(task_rules.DUE_DATE))
    return TaskSpec(title=title, description=text if is_long else "", due_date=due)


def _list(turn: TurnRequest, status: str, store: TaskStore) -> HandlerReply:
    found, after = store.list(turn.caller, completed=_STATUSES.get(status), limit=task_texts.MAX_SHOWN)
    words = task_texts.listed(
        found, task_rules.local_today(turn.situation), status=status, more=after is not None
    )
    return HandlerReply(words, Note(listed=_references(found)), used_tools=("list_tasks",))


def _set_completed(
    turn: TurnRequest, tasks: Sequence[Task], completed: bool, store: TaskStore
) -> HandlerReply:
    changing = [task for task in tasks if task.completed is not completed]
    before = [task for task in tasks if task.completed is completed]
    if not completed:
        words = task_texts.reopened(changing, before)
        effects = _changes(turn, changing, TaskChange(completed=False), store)
    else:
        now = turn.situation.now
        done = [task.after_completion(now) for task in changing]
        words = task_texts.completed(done, before, task_rules.local_today(turn.situation))
        effects = tuple(
            action for task in changing for action in store.complete_actions(turn.caller, task, now)
        )
    if not changing:
        return HandlerReply(words, _about(tasks))
    did = f"{'completed' if completed else 'reopened'} the task {task_texts.join_titles(changing)}"
    tool = "complete_task" if completed else "update_task"
    return HandlerReply(words, _about(tasks, did), effects, (tool,))


def _change(turn: TurnRequest, task: Task, entities: Entities, store: TaskStore) -> HandlerReply:
    title = as_line(entities.get("new_name"), MAX_TITLE_CHARACTERS)
    due = _day(entities.get(task_rules.DUE_DATE))
    if title is not None:
        change, words = TaskChange(title=title), task_texts.renamed(task, title)
    elif task_rules.DUE_DATE in entities:
        change = TaskChange(due_date=due)
        words = task_texts.moved(task, due, task_rules.local_today(turn.situation))
    else:
        return HandlerReply(task_texts.nothing_to_change(task), _about([task]))
    note = Note(
        did=f"changed the task {task_texts.quoted_title(task)}", about=_named(task, title or task.title)
    )
    return HandlerReply(words, note, _changes(turn, [task], change, store), ("update_task",))


def _delete(turn: TurnRequest, tasks: Sequence[Task], entities: Entities, store: TaskStore) -> HandlerReply:
    if len(tasks) > 1 and entities.get(CONFIRMED) is not True:
        kept: Entities = {
            "operation": task_rules.DELETE,
            task_rules.TASK_IDS: [task.id for task in tasks],
            CONFIRMED: True,
        }
        summary = f"delete {len(tasks)} tasks"
        pending = Pending(action=ActionType.EXECUTE_TASK, entities=kept, summary=summary)
        return HandlerReply(
            task_texts.confirm_deleting(tasks), Note(pending=pending, listed=_references(tasks))
        )
    effects = tuple(action for task in tasks for action in store.delete_actions(turn.caller, task.id))
    note = Note(did=f"deleted the task {task_texts.join_titles(tasks)}")
    return HandlerReply(task_texts.deleted(tasks), note, effects, ("delete_task",))


def _changes(
    turn: TurnRequest, tasks: Sequence[Task], change: TaskChange, store: TaskStore
) -> tuple[Action, ...]:
    now = turn.situation.now
    return tuple(
        action for task in tasks for action in store.update_actions(turn.caller, task.id, change, now)
    )


def _meant(turn: TurnRequest, entities: Entities) -> tuple[str, ...]:
    """The ids of the tasks meant, found here in the notes or before, when the message was understood."""
    ids = entities.get(task_rules.TASK_IDS)
    if isinstance(ids, list) and ids:
        return tuple(map(str, ids[:MOST_SEARCHED]))
    wish = RequestedEntities.of(entities)
    words = as_line(entities.get(task_rules.TASK)) or (f"number {wish.ordinal}" if wish.ordinal else "it")
    known = task_rules.shown_tasks(turn.situation)
    return tuple(task.id for task in task_rules.find_tasks(words, turn.situation, known))


def _stored(turn: TurnRequest, ids: Sequence[str], store: TaskStore) -> tuple[Task, ...]:
    """The tasks as they stand now, without those that are gone."""
    found: list[Task] = []
    for task_id in dict.fromkeys(ids):
        try:
            found.append(store.get(turn.caller, task_id))
        except TaskNotFound:
            continue
    return tuple(found)


def _ask_which(turn: TurnRequest, entities: Entities, store: TaskStore) -> HandlerReply:
    """Apply the operation to the one task of the whole list that the words name, or ask which one is meant.

    Words that mean all tasks apply it to each task for which it makes sense.
    """
    operation, words = str(entities["operation"]), as_line(entities.get(task_rules.TASK))
    tasks, _ = store.list(turn.caller, limit=MOST_SEARCHED)
    fitting = [task for task in tasks if _fits(operation, task)]
    if fitting and task_rules.means_all(words or ""):
        return reply(turn, {**entities, task_rules.TASK_IDS: [task.id for task in fitting]}, store)
    named = _named_in(words, fitting) or _named_in(words, tasks)
    if len(named) == 1:
        return reply(turn, {**entities, task_rules.TASK_IDS: [named[0].id]}, store)
    offered = (named or fitting)[:MAX_CHOICES]
    if not offered:
        return HandlerReply(task_texts.no_such_task(words) if tasks else task_texts.nothing_there())
    opening = task_texts.which(_VERBS[operation])
    unknown = "" if named or task_rules.is_vague(words or "") else f"{task_texts.no_such_task(words)} "
    choices = _choices(offered, entities)
    return HandlerReply(options_text(f"{unknown}{opening}", choices), Note(choices=choices))


def _fits(operation: str, task: Task) -> bool:
    """Whether the operation makes sense for the task as it stands."""
    return operation in (task_rules.CHANGE, task_rules.DELETE, task_rules.SHOW) or task.completed is (
        operation == task_rules.REOPEN
    )


def _named_in(words: str | None, tasks: Sequence[Task]) -> list[Task]:
    ids = {item.id for item in task_rules.tasks_by_title(words or "", _references(tasks))}
    return [task for task in tasks if task.id in ids]


def _choices(tasks: Sequence[Task], entities: Entities) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            label=task.title,
            action=ActionType.EXECUTE_TASK,
            entities={**entities, task_rules.TASK: task.title, task_rules.TASK_IDS: [task.id]},
        )
        for task in tasks
    )


def _about(tasks: Sequence[Task], did: str = "") -> Note:
    if len(tasks) == 1:
        return Note(did=did, about=_reference(tasks[0]))
    return Note(did=did, listed=_references(tasks))


def _reference(task: Task) -> Reference:
    return _named(task, task.title)


def _named(task: Task, title: str) -> Reference:
    return Reference(kind="task", id=task.id, name=title)


def _references(tasks: Sequence[Task]) -> tuple[Reference, ...]:
    return tuple(map(_reference, tasks))


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
