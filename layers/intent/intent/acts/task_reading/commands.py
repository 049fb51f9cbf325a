"""What a clause asks of tasks by its own words, whatever it is likeliest to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import (
    AGENT_NOUNS,
    ASKING_YOU,
    CORRECTIONS,
    LEADS,
    LIST_NOUNS,
    NUDGES,
    POINTERS,
    QUESTION_WORDS,
    TASK_NOUNS,
    classes_of,
)
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.task_reading.asked_lists import asks_what_to_do
from intent.acts.task_reading.due_offsets import anchor_place
from intent.acts.task_reading.due_statements import states_due
from intent.acts.task_reading.feared import fears_forgetting
from intent.acts.task_reading.groups import FINISHED, due_group
from intent.acts.task_reading.removed_task import takes_off_list
from intent.acts.task_reading.shifted_tasks import shifts_task
from intent.acts.task_reading.timed_deeds import begins_with_time
from intent.acts.task_titles import names_deed
from intent.times.reader import read_times
from intent.times.words.lexicon import MONTHS

_REMOVING = frozenset("clear clean tidy".split())
_THROWING = ("get rid", "throw out", "throw away", "take off", "clear out", "chuck out", "do away")
_AMOUNTS = frozenset("amount figure number sum total result price".split())
_PUTTING = frozenset("put add write note include stick pop mention".split())


def task_command(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause asks of tasks; None when its words leave that open."""
    words = [word for word in clause.words if word not in LEADS]
    if not words or set(words) & AGENT_NOUNS - {"jobs", "job"}:
        return None
    if (asked := _asked_of_list(clause.words, words)) is not None:
        return asked
    if states_due(clause, scene):
        return ActKind.CHANGE_TASK
    if _asks_to_remember(clause, words, scene) or _goes_on_adding(clause, words, scene):
        return ActKind.ADD_TASK
    if removes_finished(clause) or takes_off_list(clause, scene):
        return ActKind.DELETE_TASK
    if (deed := _on_named_task(words)) is not None or (deed := _reports_all_done(clause)) is not None:
        return deed
    if puts_amount(clause, scene) or _moves_group(clause, scene) or _puts_off(clause, scene):
        return ActKind.CHANGE_TASK
    if shifts_task(clause, scene):
        return ActKind.CHANGE_TASK
    if (place := anchor_place(clause.tokens)) is not None:
        return _moved_to_another(clause, place, scene)
    return None


def _asks_to_remember(clause: Clause, words: list[str], scene: Scene) -> bool:
    """Return whether a clause asks for a task in other words than to add one."""
    if asks_for_told(clause, scene) or nudge_end(_behind_asking(words)) or begins_with_time(clause, scene):
        return True
    is_told = announces_task(clause.words) or _asks_not_to_forget(clause.words) or _does_so(clause, scene)
    return is_told or fears_forgetting(clause) or _is_owed_by_day(clause, scene)


def _is_owed_by_day(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says by which day something has to be done, where nothing is talked about:
    ``the van's inspection has to be done before the end of March``.
    """
    is_open = scene.has_draft or scene.question is not None or scene.focus is not None
    words = clause.words
    owed = next((at for at, three in enumerate(zip(words, words[1:], words[2:], strict=False))
                 if three[0] in _OWING and three[1:] == ("to", "be")), None)  # fmt: skip
    if is_open or clause.is_question or not owed or {"remember", "note", "agent"} & set(words):
        return False
    by = next((at for at in range(owed, len(words)) if words[at] in _BY), None)
    if by is None:
        return False
    rest = clause.message[clause.tokens[by].start : clause.end]
    times = read_times(rest, now=scene.now, zone=scene.zone)
    is_day = len(times) == 1 and not times[0].is_recurring and times[0].problem is None
    return is_day and not find_meant(clause, scene.tasks).things


_OWING = frozenset({"has", "have", "needs", "need"})
_BY = frozenset({"by", "before", "until", "till"})


def _goes_on_adding(clause: Clause, words: list[str], scene: Scene) -> bool:
    """Return whether a clause goes on with one more task behind the one just added."""
    goes_on = tuple(words[:2]) in _GOING_ON and len(words) > _FEWEST_OF_TASK
    return (scene.did == ActKind.ADD_TASK and goes_on) or _names_next_deed(clause, scene)


def _asked_of_list(words: Sequence[str], said: Sequence[str]) -> ActKind | None:
    """Return what words ask that only ask for a list of things to do, or for what is on it."""
    if asks_what_to_do(words):
        return ActKind.LIST_TASKS
    return ActKind.ADD_TASK if asks_for_list(said) else None


def asks_for_list(words: Sequence[str]) -> bool:
    """Return whether words only ask for a list of things to do: ``could you keep a list of stuff for me?``"""
    said = [word for word in words if word[0].isalnum() and word not in _ASKING_FOR_LIST]
    return (
        said[:1] != [] and said[0] in {"keep", "make", "start"} and "list" in said and set(said) <= _OF_LIST
    )


_ASKING_FOR_LIST = frozenset("can could would will you like maybe perhaps i i'd we need want to".split())
_OF_LIST = frozenset(
    "keep make start a my the list lists of stuff things bits everything for me us running to-do todo".split()
)


def _on_named_task(words: Sequence[str]) -> ActKind | None:
    """Return what words command of something that they call a task: ``cancel the reminder for the dentist``.

    They say so whether or not there is such a task; what is to be done to a task is no title of another.
    """
    said = [word for word in words if word[0].isalnum()]
    while said and said[0] in _WISHING:
        said = said[1:]
    if len(said) < _FEWEST_OF_COMMAND or said[1] not in _DETERMINERS:
        return None
    noun = next((at for at, word in enumerate(said[2:_MOST_OF_OBJECT], 2) if word in TASK_NOUNS), None)
    if noun is None or {"to", "and", "for", "in", "on"} & set(said[2:noun]):
        return None
    classes = classes_of(said[0])
    return next((kind for names, kind in _ON_TASK if classes & names), None)


_WISHING = frozenset("i i'd we we'd would should want wanna like love need to can could you".split())
_DETERMINERS = frozenset("the my that this our all both".split())
_FEWEST_OF_COMMAND, _MOST_OF_OBJECT = 3, 8
_ON_TASK = (
    (frozenset({"delete", "cancel"}), ActKind.DELETE_TASK),
    (frozenset({"complete"}), ActKind.COMPLETE_TASK),
    (frozenset({"reopen"}), ActKind.REOPEN_TASK),
    (frozenset({"change", "rename"}), ActKind.CHANGE_TASK),
)


def _reports_all_done(clause: Clause) -> ActKind | None:
    """Return COMPLETE_TASK where a clause reports that all of the list is done: ``done with today's tasks``,
    ``everything on my list is done``.
    """
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS - {"all"}]
    rest = words[1:] if words[:1] in (["i'm"], ["i've"], ["we're"], ["we've"]) else words
    on_list = bool(set(words) & (TASK_NOUNS | LIST_NOUNS | _OF_DAYS))
    if clause.is_question or not on_list or not rest or QUESTION_WORDS & set(words):
        return None
    if rest[0] in FINISHED and rest[1:2] != [] and (rest[1] in _ALL | {"with"}) and _ALL & set(rest):
        return ActKind.COMPLETE_TASK
    is_said = rest[0] in _ALL and rest[-1] in FINISHED and bool({"is", "are"} & set(rest))
    return ActKind.COMPLETE_TASK if is_said else None


_OF_DAYS = frozenset({"today's", "todays", "tomorrow's", "tomorrows", "yesterday's", "yesterdays"})
_ALL = frozenset({"all", "everything", "both"})
_ON_LIST = frozenset({ActKind.ADD_TASK, ActKind.CHANGE_TASK})


def _names_next_deed(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause goes on with one more thing to do: ``and book the bus, that's for the 20th``.

    What it says of a time is of that thing, and not of the task before.
    """
    begins = scene.did in _ON_LIST and clause.words[0] in {"and", "also", "plus", "then"}
    if not begins or clause.is_question or CORRECTIONS & set(clause.words):
        return False
    untimed = without_times(clause, scene)
    words = [word for word in untimed.words if word not in LEADS and word[0].isalnum()]
    if not words or find_meant(clause, scene.tasks).is_named:
        return False
    if names_deed(untimed):
        return not (_MOVING & set(words[:1]) or (POINTERS | _OF_TASK) & set(words[1:_NEAR_VERB]))
    is_timed = untimed.words[1:2] != clause.words[1:2]  # ``also friday the dentist``
    return is_timed and len(words) >= _FEWEST_OF_NOUN and not (POINTERS | _OF_TASK | _STATING) & set(words)


_NEAR_VERB, _FEWEST_OF_NOUN = 3, 2
_OF_TASK = frozenset("date day days time hour due title deadline reminder reminders remind me us".split())
"""What a task has: who changes one of these adds no task."""
_STATING = frozenset("is are was were be has have not no only every each again instead too".split())


def without_times(clause: Clause, scene: Scene) -> Clause:
    """Return a clause without the words that say when; as it is where nothing else is left."""
    times = read_times(clause.text, now=scene.now, zone=scene.zone)
    spans = [(clause.start + first, clause.start + last) for one in times for first, last in one.spans]
    kept = tuple(one for one in clause.tokens if not any(a <= one.start < b for a, b in spans))
    return replace(clause, tokens=kept) if kept else clause


def _asks_not_to_forget(words: Sequence[str]) -> bool:
    """Return whether words ask for help against forgetting: ``make sure I don't forget to sign it off``."""
    places = (at for at, pair in enumerate(pairwise(words)) if pair in {("sure", "i"), ("sure", "we")})
    return any(words[at + 2 : at + 4] in (("don't", "forget"), ("dont", "forget")) for at in places)


def _does_so(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause takes up what was spoken of with a deed for one moment: ``ok then do that:
    Friday at 11, send the deck to Aino``.
    """
    tokens = clause.tokens
    colon = next((at for at, token in enumerate(tokens[:_MOST_OF_TAKING_UP]) if token.text == ":"), 0)
    words = [token.word for token in tokens[:colon] if token.word not in LEADS | _LETTING]
    is_open = scene.has_draft or scene.question is not None
    if is_open or tuple(words) not in _TAKING_UP or not tokens[colon + 1 :]:
        return False
    rest = clause.message[tokens[colon + 1].start : clause.end]
    times = read_times(rest, now=scene.now, zone=scene.zone)
    is_once = len(times) == 1 and not times[0].is_recurring and times[0].problem is None
    return is_once and not find_meant(clause, scene.agents).is_named


_MOST_OF_TAKING_UP = 8
_LETTING = frozenset({"let's", "lets", "can", "could", "you", "i'll", "we"})
_TAKING_UP = frozenset(
    (verb, what)
    for verb in ("do", "make", "add", "set", "have", "try")
    for what in ("that", "so", "it", "one")
) | {
    ("do",),
    ("that",),
    ("do", "that", "one"),
    ("that", "one"),
    ("do", "a", "task"),
    ("make", "it", "a", "task"),
}


def puts_down_told(clause: Clause) -> bool:
    """Return whether a clause wants on the list what was said before it: ``aye, put that down for me``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    words = _behind_asking(words)
    is_verb = words[:1] != [] and (bool(classes_of(words[0]) & {"add", "remind"}) or words[0] in _PUTTING)
    is_told = words[1:2] != [] and words[1] in POINTERS | _COUNTING
    return is_verb and is_told and set(words[2:]) <= _AROUND_PUT | _COUNTING


_COUNTING = frozenset("both all two three four of them these those".split())
_AROUND_PUT = TASK_NOUNS | LIST_NOUNS | frozenset(
    "down on onto to in at by my the our a as for me us too well somewhere up it love dear if you"
    " would".split()
)  # fmt: skip


def asks_for_told(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause only wants what was told before on the list, or to be reminded of it, perhaps
    with a day: ``yes, remind me tomorrow at 6``, ``put that on my list for Saturday``.
    """
    untimed = without_times(clause, scene)
    return puts_down_told(untimed) or _only_reminds(untimed.words)


def _behind_asking(words: list[str]) -> list[str]:
    """Return words without the ``could you`` that begins them."""
    return words[2:] if tuple(words[:2]) in ASKING_YOU else words


def _only_reminds(words: Sequence[str]) -> bool:
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    said = _behind_asking(said)
    end = 2 if said[:1] == ["remind"] and said[1:2] in (["me"], ["us"]) else nudge_end(said)
    return bool(end) and set(said[end:]) <= _OF_TOLD


_OF_TOLD = (
    POINTERS | frozenset(MONTHS) | frozenset("of about to do so on at by for then in later again".split())
)


def nudge_end(words: Sequence[str]) -> int:
    """Return the place behind the words that ask for a reminder by another noun: ``give me a quick nudge``;
    0 where none do.
    """
    begin = 2 if words[1:2] in (["me"], ["us"]) else 0
    is_asked = words[:1] != [] and words[0] in _GIVING and begin
    if not is_asked or words[begin : begin + 1] not in (["a"], ["an"], ["another"]):
        return 0
    noun = next((at for at in (begin + 1, begin + 2) if words[at : at + 1] and words[at] in NUDGES), 0)
    return noun + 1 if noun and not _CONDITIONS & set(words[noun:]) else 0


_GIVING = frozenset({"give", "send", "drop"})
_CONDITIONS = frozenset("if when whenever once unless every each".split())


def asks_to_put_down(clause: Clause) -> bool:
    """Return whether a clause says nothing but that what was told is to be put down: ``Jot both down``,
    ``please note``.
    """
    words = {word for word in clause.words if word[0].isalnum() and word not in LEADS}
    return puts_down_told(clause) or (bool(words & _NOTING) and words <= _NOTING | _AROUND_PUT)


_NOTING = frozenset({"note", "add", "remember"})


def announces_task(words: Sequence[str]) -> bool:
    """Return whether words begin as the heading of a task: ``a task for me: count the crates``, ``what I want
    is a task: …``.
    """
    said = [word for word in words if word not in LEADS | _ARTICLES]
    if tuple(said[:3]) in _WANTED and said[3:4] == ["is"]:
        said = said[4:]
    is_heading = said[:1] != [] and (said[0] in _ONE_TASK or said[:2] == ["to", "do"])
    return is_heading and ":" in said[1:_MOST_OF_HEADING] and said[-1] != ":"


_ARTICLES = frozenset({"a", "an", "one", "new", "another", "my", "add"})
_WANTED = frozenset(
    {("what", "i", "want"), ("what", "i", "need"), ("what", "we", "want"), ("what", "we", "need")}
)
_ONE_TASK = frozenset({"task", "todo", "to-do", "reminder"})
_MOST_OF_HEADING = 5
_GOING_ON = (("that", "i"), ("that", "we"))
_FEWEST_OF_TASK = 3


def _moves_group(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to put off the tasks of a day: ``push today's tasks to friday``."""
    words = clause.words
    at = next((place for place, word in enumerate(words) if word in _MOVING), None)
    if at is None or not {"to", "until", "till", "by", "on", "onto"} & set(words[at:]):
        return False
    group = due_group(replace(clause, tokens=clause.tokens[at:]), scene)
    return group is not None and bool(scene.tasks)


def _puts_off(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to put a task off: ``put the insurance one off by a week``."""
    words = clause.words
    at = next((place for place, word in enumerate(words) if word in {"put", "push"}), None)
    is_later = at is not None and bool({"off", "back"} & set(words[at + 1 : at + _NEAR]))
    return is_later and len(find_meant(clause, scene.tasks).things) == 1


_NEAR = 7
_MOVING = frozenset("move push shift put postpone delay reschedule bump shove defer".split())


def removes_finished(clause: Clause) -> bool:
    """Return whether a clause asks to take what is done off the list: ``clear the finished ones``."""
    words = clause.words
    line = f" {' '.join(words)} "
    is_list = bool(set(words) & (TASK_NOUNS | LIST_NOUNS | {"ones", "everything", "all", "stuff", "things"}))
    if not set(words) & FINISHED or not is_list:
        return False
    removes = any(word in _REMOVING or "delete" in classes_of(word) for word in words)
    is_negated = any(f" {word} " in line for word in ("don't", "dont", "not", "never"))
    return not is_negated and (removes or any(f" {phrase} " in line for phrase in _THROWING))


def puts_amount(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to write the last sum into a task: ``put that amount in the reminder``."""
    words = clause.words
    if scene.earlier_sum is None or not set(words) & _PUTTING:
        return False
    pairs = pairwise(words)
    names_amount = any(first in {"that", "the", "this"} and second in _AMOUNTS for first, second in pairs)
    into = set(words) & {"in", "into", "to", "on", "with"}
    return names_amount and bool(into) and bool(set(words) & (TASK_NOUNS | POINTERS - {"that", "this"}))


def _moved_to_another(clause: Clause, place: int, scene: Scene) -> ActKind | None:
    """Return the change of a task to the day of another; None where the words name no two tasks."""
    moved = find_meant(Clause(clause.message, clause.tokens[: place - 3]), scene.tasks).things
    anchor = find_meant(Clause(clause.message, clause.tokens[place:]), scene.tasks).things
    is_focus = scene.focus_kind == "task" and bool(POINTERS & set(clause.words))
    return ActKind.CHANGE_TASK if len(anchor) == 1 and (moved or is_focus) else None


def is_reminder(clause: Clause) -> bool:
    """Return whether a request is to be reminded of something to do, once or again and again: a task."""
    words = [word for word in clause.words if word not in LEADS]
    words = _behind_asking(words)
    if any(tuple(words[: len(one)]) == one for one in _FORGETTING) or nudge_end(words):
        return True
    behind = next((word for word in words[2:] if word[0].isalnum()), "")
    return words[:2] in (["remind", "me"], ["remind", "us"]) and behind not in QUESTION_WORDS


_FORGETTING = (("don't", "let", "me", "forget"), ("dont", "let", "me", "forget"))
