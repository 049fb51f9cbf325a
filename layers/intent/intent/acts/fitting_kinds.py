"""Which kind of act a part of a message is in its scene: the likeliest that makes sense there."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.asked_otherwise import otherwise_asked
from intent.acts.certain_kinds import certain_kind
from intent.acts.clauses import Clause
from intent.acts.days_off import refused_for_agent
from intent.acts.evidence import (
    agent_commands,
    bears_out,
    commanded_kind,
    is_sum,
    says_owed,
    tells_parts,
)
from intent.acts.faint_kinds import is_too_faint
from intent.acts.introductions import tells_of_oneself
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.kind_words import (
    CHAT_WORDS,
    CLOCK_WORDS,
    CONNECTION_WORDS,
    ERASURE_WORDS,
    LIST_WORDS,
    NUMBER_WORDS,
    POLICY_WORDS,
    USAGE_WORDS,
)
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import SERVICES, MarkedToken
from intent.acts.lexicon import (
    AGENT_NOUNS,
    ASKING_YOU,
    LEADS,
    LIST_NOUNS,
    POINTERS,
    QUESTION_WORDS,
    TASK_NOUNS,
    VERBS,
    classes_of,
)
from intent.acts.mood_openings import tells_after_mood
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.statements import says_nobody, tells_time_of_others, tells_what_day_is
from intent.acts.taken_back_deeds import is_taken_back
from intent.acts.task_reading.commands import is_reminder
from intent.acts.task_reading.timed_deeds import adds_own_deed
from intent.acts.time_changes import changes_time_behind, runs_at_clock
from intent.acts.told_changes import tells_changed_number, tells_what_was_missing
from intent.acts.told_facts import states_fact
from intent.acts.told_jobs import asks_to_see_to_told
from intent.acts.wished_deeds import says_shift
from intent.acts.wishes_for_agents import asks_about_others, disclaims, wishes_for_agent
from intent.times.reader import read_times

_TASK_KINDS = {
    ActKind.CHANGE_AGENT: ActKind.CHANGE_TASK, ActKind.DELETE_AGENT: ActKind.DELETE_TASK,
    ActKind.RESTORE_AGENT: ActKind.RESTORE_TASK,
}  # fmt: skip
"""What a change of "it" is where a task was talked about."""
_RETURNS = frozenset({"where", "left", "continue", "carry", "pick", "back", "unfinished", "resume"})
_NEEDS_AGENTS = ON_AGENTS - {ActKind.COPY_AGENT, ActKind.RESTORE_AGENT, ActKind.CHANGE_AGENT}


def is_filler(segment: Segment) -> bool:
    """Return whether a segment carries no act of its own: a greeting, a reason, a remark."""
    return segment.ranked[0].kind in {None, ActKind.SMALL_TALK, ActKind.NONE}


def fitting_kind(
    segment: Segment,
    scene: Scene,
    clause: Clause,
    tokens: Sequence[MarkedToken] = (),
    before: Sequence[ActKind] = (),
) -> tuple[ActKind, float]:
    """Return the kind that the words command, else the likeliest that fits the scene, and how sure it is.

    ``tokens`` are the clause's, marked: the names in them make commands certain. ``before`` are the kinds
    of the message's parts before this one.
    """
    probability = probability_of(segment)
    said = certain_kind(segment, scene, clause, tokens, before)
    said = ActKind.CHANGE_AGENT if changes_time_behind(clause, scene, before) else said
    sure = probability if said is None else max(probability, COMMANDED)
    kind = _likeliest(segment, scene, clause, before) if said is None else said
    if kind is ActKind.RUN_AGENT and runs_at_clock(clause, scene):
        kind = ActKind.CHANGE_AGENT
    if _tells_only(kind, clause, scene, before):
        kind = ActKind.NONE
    if kind in _CHANGES and adds_own_deed(clause, scene):
        kind, sure = ActKind.ADD_TASK, max(sure, COMMANDED)
    if kind is ActKind.SUM and tells_changed_number(clause):
        kind = ActKind.REMEMBER
    is_open = scene.has_draft or scene.question is not None
    if not is_open and is_taken_back(kind, clause):
        return ActKind.NO, max(sure, COMMANDED)
    if kind is ActKind.CREATE_AGENT and not is_open and tells_of_oneself(clause.message):
        kind = ActKind.NONE
    if kind in _MAY_FOLLOW_MOOD and not is_open and tells_after_mood(clause):
        kind = ActKind.REMEMBER
    is_told = kind is ActKind.NONE and (states_fact(clause, scene) or tells_what_was_missing(clause, scene))
    return (ActKind.REMEMBER if is_told else kind), sure


_CHANGES = frozenset({ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK})
_MAY_FOLLOW_MOOD = frozenset(
    {ActKind.ADD_TASK, ActKind.CREATE_AGENT, ActKind.NONE, ActKind.UNSURE, ActKind.ASK_WORLD}
)
"""What a remark may look like that begins with how the day is."""


def _tells_only(kind: ActKind, clause: Clause, scene: Scene, before: Sequence[ActKind]) -> bool:
    """Return whether what is taken for a change only tells of a time: of others, that nobody reads an agent
    then, or what a day is for behind a change of a task.
    """
    if kind is not ActKind.CHANGE_AGENT:
        return kind is ActKind.CHANGE_TASK and kind in before and tells_what_day_is(clause)
    if says_shift(clause.words):
        return False
    is_open = scene.has_draft or scene.question is not None
    is_unread = not is_open and says_nobody(clause, scene) and not refused_for_agent(clause, scene)
    return is_unread or tells_time_of_others(clause, scene)


COMMANDED = 0.5
"""How sure an act is at least whose own words ask for it."""


def _likeliest(segment: Segment, scene: Scene, clause: Clause, before: Sequence[ActKind]) -> ActKind:
    """Return the likeliest kind that makes sense in the scene and that the words bear out."""
    possible = _possible(segment, scene, clause, before)
    # What a kind is in the scene may take the user's tasks, which are read only when they are needed.
    fitting = (commanded_kind(_in_scene(one, scene, clause), clause) for one in possible)
    kind = next(fitting, ActKind.NONE)
    if kind is ActKind.ADD_TASK and (commanded := _commands_on_listed_agents(clause, scene)):
        kind = next((other for other in possible if other in commanded), commanded[0])
    if (asked := _asked_for(kind, possible, clause, scene)) is not None:
        return asked
    if kind is ActKind.UNSURE and ActKind.CREATE_AGENT in possible and wishes_for_agent(clause, scene):
        kind = ActKind.CREATE_AGENT
    is_new = kind in _MAY_BE_WISHES and not scene.has_draft and scene.question is None
    if is_new and (asks_to_see_to_told(clause.text) or tells_parts(clause, scene)):
        return ActKind.CREATE_AGENT
    if probability_of(segment) < _UNSURE_OF_LIST and (wanted := _wanted_report(kind, clause, scene)):
        return wanted
    follows = bool(before) and before[-1] is kind
    probability = probability_of(segment)
    if kind is ActKind.CREATE_AGENT and probability < _UNSURE_OF_LIST and _sets_policy(clause, scene):
        return ActKind.SET_POLICY
    goes_on = kind is ActKind.CREATE_AGENT and before[-1:] == [ActKind.REMEMBER]
    if goes_on and probability < _SURE_OF_JOB and not tells_parts(clause, scene):
        return ActKind.REMEMBER  # it goes on telling
    if kind in _LISTS and probability < _UNSURE_OF_LIST and ActKind.ASK_PRODUCT in possible:
        return ActKind.ASK_PRODUCT
    if not is_too_faint(kind, probability, clause, scene) and bears_out(
        kind, probability, clause, scene, follows=follows
    ):
        return kind
    own = {one.kind: one.probability for one in segment.ranked}
    others = (
        other
        for other in fitting
        if (
            _names_thing(other, clause, scene)
            and not is_too_faint(other, own.get(other, 0.0), clause, scene)
            and bears_out(other, own.get(other, 0.0), clause, scene, follows=False)
        )
        or (other is ActKind.ADD_TASK and says_owed(clause) and len(clause.words) <= _MOST_OWED)
    )
    return next(others, None) or _talk_of(kind, segment, clause)


def _asked_for(kind: ActKind, possible: Sequence[ActKind], clause: Clause, scene: Scene) -> ActKind | None:
    """Return the sum, or the deed on an agent, that words ask for which are likelier taken for talk."""
    if kind in _NO_SUMS and is_sum(clause):
        return ActKind.SUM
    deed = _asked_of_you(clause, scene) if kind in _ASKING else None
    return deed if deed in possible else None


_ASKING = frozenset({ActKind.ASK_PRODUCT, ActKind.SHOW_AGENT})


def _asked_of_you(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed on "it", or on an agent by its name, that ``can you run it once?`` asks for."""
    words = clause.words
    place = next((at + 2 for at, pair in enumerate(pairwise(words)) if pair in ASKING_YOU), len(words))
    kinds = agent_commands(replace(clause, tokens=clause.tokens[place : place + 1])) if words[place:] else ()
    is_it = words[place + 1 : place + 2] and words[place + 1] in POINTERS and scene.focus_kind in _ON_AGENT
    return kinds[0] if kinds and (is_it or find_meant(clause, scene.agents).is_named) else None


_ON_AGENT = frozenset({"agent", "run"})


def probability_of(segment: Segment) -> float:
    """Return how probable the likeliest kind of a segment is."""
    return segment.ranked[0].probability


def _wanted_report(kind: ActKind, clause: Clause, scene: Scene) -> ActKind | None:
    """Return CREATE_AGENT where a clause asks for a list of what no list here has, or only names a system to
    somebody who didn't know where to begin; None for any other.
    """
    if scene.has_draft or scene.question is not None:
        return None
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if kind in _LISTS and words and "list" in classes_of(words[0]):
        known = AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS | POINTERS | _OWN
        return ActKind.CREATE_AGENT if len(words) > 2 and not known & set(words[1:]) else None
    was_unsure = ActKind.UNSURE in scene.last
    is_system = 0 < len(words) <= _MOST_OF_NAME and bool(SERVICES & set(words)) and not clause.is_question
    return ActKind.CREATE_AGENT if was_unsure and is_system else None


_OWN = frozenset("my mine me i have got everything all due today tomorrow left open".split())
_MOST_OF_NAME = 3
_MAY_BE_WISHES = frozenset(
    {ActKind.UNSURE, ActKind.ASK_PRODUCT, ActKind.REMEMBER, ActKind.NONE, ActKind.DO_IN_WORLD}
)


def _commands_on_listed_agents(clause: Clause, scene: Scene) -> tuple[ActKind, ...]:
    """Return what a clause may command of an agent by its place in a list: ``start the second``."""
    if scene.listed_kind != "agent":
        return ()
    meant = find_meant(clause, scene.agents, listed=scene.listed)
    return agent_commands(clause) if meant.things and not meant.is_named else ()


_SURE_OF_JOB, _UNSURE_OF_LIST = 0.5, 0.1
_LISTS = frozenset({ActKind.LIST_AGENTS, ActKind.LIST_TASKS})
_MOST_OWED = 14
"""How many words a task is told in at most where nothing says that it is one."""


_ON_ONE_TASK = ON_TASKS - {ActKind.ADD_TASK, ActKind.LIST_TASKS}


def _names_thing(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names what an act of the kind is done to."""
    if kind in _ON_ONE_TASK:
        return bool(find_meant(clause, scene.tasks).things)
    return kind in ON_AGENTS and bool(find_meant(clause, scene.agents).things)


_NO_SUMS = frozenset({ActKind.ANSWER, ActKind.NONE, ActKind.SMALL_TALK, ActKind.UNSURE, ActKind.ASK_WORLD})
_TALK = frozenset({ActKind.SMALL_TALK, ActKind.REMEMBER, ActKind.ASK_PRODUCT, ActKind.UNSURE})


def _talk_of(kind: ActKind, segment: Segment, clause: Clause) -> ActKind:
    """Return what words are that ask for no deed after all."""
    if kind is ActKind.CREATE_AGENT and not (asks_about_others(clause) or _asks_what(clause)):
        is_told = any(one.kind is ActKind.REMEMBER for one in segment.ranked) and not clause.is_question
        return ActKind.REMEMBER if is_told else ActKind.UNSURE
    if clause.is_question or disclaims(clause):
        return ActKind.ASK_PRODUCT
    kinds = (one.kind for one in segment.ranked)
    return next((kind for kind in kinds if kind is not None and kind in _TALK), ActKind.NONE)


def _asks_what(clause: Clause) -> bool:
    """Return whether a clause asks with a question word: ``what is it you actually do?``"""
    before = (",", *clause.words)
    begins = (word for mark, word in zip(before, clause.words, strict=False) if mark in _BEFORE_QUESTION)
    return clause.is_question and any(word in QUESTION_WORDS for word in begins)


_BEFORE_QUESTION = LEADS | frozenset(",.;:!?-")


def _possible(
    segment: Segment, scene: Scene, clause: Clause, before: Sequence[ActKind] = ()
) -> list[ActKind]:
    """Return the kinds that make sense in the scene, the likeliest first."""
    if segment.ranked[0].kind is None and not clause.is_question:
        return []
    of_new = {ActKind.CHANGE_AGENT} if ActKind.CREATE_AGENT in before else set()
    return [
        one.kind
        for one in segment.ranked
        if one.kind and (one.kind in of_new or _is_possible(one.kind, scene, clause))
    ]


def _in_scene(kind: ActKind, scene: Scene, clause: Clause) -> ActKind:
    """Return what a kind is in the scene: a change of "it" where a task was talked about is a task's."""
    if kind is ActKind.UNSURE and find_meant(clause, scene.agents).is_named:
        return ActKind.CHANGE_AGENT
    if kind in ON_AGENTS | {ActKind.CREATE_AGENT} and is_reminder(clause):
        return ActKind.ADD_TASK
    if kind is ActKind.ADD_TASK and _says_each_time(clause):
        return ActKind.CREATE_AGENT
    if kind is ActKind.SHOW_AGENT and scene.focus_kind == "run" and _OF_RUNS & set(clause.words):
        return ActKind.SHOW_RESULT
    if _changes_times(kind, scene, clause):
        return ActKind.CHANGE_AGENT
    if (asked := otherwise_asked(kind, scene, clause)) is not None:
        return asked
    if kind in _TASK_KINDS and _names_only_tasks(clause, scene):
        return _TASK_KINDS[kind]
    if kind is ActKind.RESTORE_TASK and _names_present_task(clause, scene):
        return ActKind.REOPEN_TASK
    if kind in _TASK_KINDS and scene.focus_kind == "task" and not scene.has_draft:
        names_agent = find_meant(clause, scene.agents).things or set(clause.words) & AGENT_NOUNS
        return kind if names_agent else _TASK_KINDS[kind]
    return kind


def _changes_times(kind: ActKind, scene: Scene, clause: Clause) -> bool:
    """Return whether a run that comes again and again changes when an agent runs."""
    is_run = kind is ActKind.RUN_AGENT or (kind in _RUNS_OR_CHANGES and _runs_it(clause))
    return is_run and _says_regularly(clause, scene)


def _says_each_time(clause: Clause) -> bool:
    """Return whether a clause begins with what happens again and again: ``whenever a lead comes in, …``."""
    words = [word for word in clause.words if word not in LEADS]
    return words[:1] == ["whenever"] or (words[:1] in (["every"], ["each"]) and words[1:2] == ["time"])


_RUNS_OR_CHANGES = frozenset({ActKind.RUN_AGENT, ActKind.CHANGE_TASK})


def _runs_it(clause: Clause) -> bool:
    """Return whether a clause begins ``run it``: a task doesn't run."""
    words = [word for word in clause.words if word not in LEADS and word[0].isalnum()]
    return len(words) > 1 and "run" in classes_of(words[0]) and words[1] in POINTERS


_LASTING = ("from now on", "from today on", "going forward", "in future", "instead")
_ON_POLICY = frozenset({ActKind.SHOW_POLICY, ActKind.SET_POLICY})
_OF_RUNS = frozenset({"was", "were", "did", "done", "finished", "completed", "through", "over", "ready"})
"""Words that ask what became of a run, where one was talked about."""


def _is_possible(kind: ActKind, scene: Scene, clause: Clause) -> bool:
    """Return whether a kind makes sense here: no pick without options, no answer without a question."""
    is_open = scene.question is not None or scene.has_draft
    words = set(clause.words)
    if kind in _NAMED_BY:
        return _has_words_of(kind, words, clause)
    match kind:
        case ActKind.PICK:
            return scene.question is not None and bool(scene.question.options)
        case ActKind.ANSWER:
            return is_open
        case ActKind.SUM:
            return _may_be_sum(words, clause, scene)
        case ActKind.CHANGE_AGENT:
            return bool(scene.agents) or is_open
        case ActKind.LIST_TASKS:
            return bool(words & LIST_WORDS) or _was_on_tasks(scene)
        case ActKind.SHOW_POLICY | ActKind.SET_POLICY:
            return _names_policy(clause) or bool(_ON_POLICY & {*scene.last, scene.did})
        case ActKind.RESUME_DRAFT:
            return scene.has_draft or bool(words & _RETURNS)
        case ActKind.COMPLETE_TASK | ActKind.REOPEN_TASK | ActKind.CHANGE_TASK | ActKind.DELETE_TASK:
            return bool(scene.tasks) or bool(words & (TASK_NOUNS | LIST_NOUNS))
        case _:
            return kind not in _NEEDS_AGENTS or bool(scene.agents)


def _has_words_of(kind: ActKind, words: Set[str], clause: Clause) -> bool:
    if kind is ActKind.ASK_USAGE and not clause.is_question and any(mark.isdigit() for mark in clause.text):
        return bool(QUESTION_WORDS & words)  # ``lunch cost me 12.50`` tells an amount
    return bool(words & _NAMED_BY[kind]) and bool(words & _DONE_BY.get(kind, words))


def _may_be_sum(words: Set[str], clause: Clause, scene: Scene) -> bool:
    if any(mark.isdigit() for mark in clause.text):
        return True
    counts_own = bool(words & (TASK_NOUNS | AGENT_NOUNS))  # ``how many tasks do I have in total?``
    if words & _ASKING_NO_AMOUNT or {("what", "hour"), ("what", "time")} & set(pairwise(clause.words)):
        return False
    goes_on = scene.did == "sum"
    return not counts_own and (bool(words & NUMBER_WORDS) or goes_on)


_ASKING_NO_AMOUNT = frozenset("when who where why".split())


_CLEARING = frozenset("clear forget gone rid close end archive restart".split()) | frozenset(
    " ".join(VERBS[name] for name in ("delete", "cancel")).split()
)
_NAMED_BY = {
    ActKind.CLOCK: CLOCK_WORDS,
    ActKind.ASK_USAGE: USAGE_WORDS,
    ActKind.ERASE: ERASURE_WORDS,
    ActKind.DELETE_CONVERSATION: CHAT_WORDS,
    ActKind.LIST_SKILLS: CONNECTION_WORDS | SERVICES,
}
"""The words without one of which a clause is no act of the kind."""
_DONE_BY = {ActKind.DELETE_CONVERSATION: _CLEARING}
"""Further words of the same sort: ``here in this chat`` deletes nothing."""


def _was_on_tasks(scene: Scene) -> bool:
    """Return whether tasks were talked about just before."""
    return "task" in {scene.focus_kind, scene.listed_kind} or bool(ON_TASKS & {*scene.last, scene.did})


def _names_policy(clause: Clause) -> bool:
    """Return whether a clause has a word of a setting, as typed: a short word may be corrected into one."""
    said = (token.text.lower() if len(token.word) < _LONG else token.word for token in clause.tokens)
    return not POLICY_WORDS.isdisjoint(said)


_LONG = 6


def _sets_policy(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause commands to set a setting of the workspace to a number."""
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    sets = first in _SETTING or "change" in classes_of(first)
    has_number = any(word[0].isdigit() for word in clause.words)
    is_on_agent = bool(AGENT_NOUNS & set(clause.words)) or find_meant(clause, scene.agents).is_named
    return sets and has_number and _names_policy(clause) and not is_on_agent


_SETTING = frozenset("increase raise lower reduce bump double halve cut cap limit decrease up".split())


def _says_regularly(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names times that come again and again, or one that counts from now on."""
    found = read_times(clause.text, now=scene.now, zone=scene.zone)
    return any(one.is_recurring for one in found) or (bool(found) and _says_from_now_on(clause.words))


def _says_from_now_on(words: Sequence[str]) -> bool:
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in _LASTING)


def _names_only_tasks(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has the whole title of a task, and nothing that tells of an agent."""
    meant = find_meant(clause, scene.agents)
    if meant.things or meant.candidates or not meant.words or set(clause.words) & AGENT_NOUNS:
        return False
    return find_meant(clause, scene.tasks).is_named


def _names_present_task(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has the title of a task that isn't deleted."""
    return find_meant(clause, scene.tasks).is_named
