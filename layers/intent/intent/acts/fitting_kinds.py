"""Which kind of act a part of a message is in its scene: the likeliest that makes sense there."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.agent_filters import asks_in_general
from intent.acts.certain_kinds import certain_kind
from intent.acts.clauses import Clause
from intent.acts.evidence import (
    agent_commands,
    bears_out,
    commanded_kind,
    is_sum,
    says_owed,
)
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.kind_words import (
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
    AUXILIARIES,
    LEADS,
    LIST_NOUNS,
    POINTERS,
    QUESTION_WORDS,
    TASK_NOUNS,
    classes_of,
)
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something, is_question
from intent.acts.scene import Scene
from intent.acts.task_reading.commands import is_reminder
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
) -> ActKind:
    """Return the kind that the words command, else the likeliest that fits the scene.

    ``tokens`` are the clause's, marked: the names in them make commands certain. ``before`` are the kinds
    of the message's parts before this one.
    """
    said = certain_kind(segment, scene, clause, tokens, before)
    return _likeliest(segment, scene, clause, before) if said is None else said


def _likeliest(segment: Segment, scene: Scene, clause: Clause, before: Sequence[ActKind]) -> ActKind:
    """Return the likeliest kind that makes sense in the scene and that the words bear out."""
    possible = _possible(segment, scene, clause)
    # What a kind is in the scene may take the user's tasks, which are read only when they are needed.
    fitting = (commanded_kind(_in_scene(one, scene, clause), clause) for one in possible)
    kind = next(fitting, ActKind.NONE)
    if kind is ActKind.ADD_TASK and (commanded := _commands_on_listed_agents(clause, scene)):
        kind = next((other for other in possible if other in commanded), commanded[0])
    if kind in _NO_SUMS and is_sum(clause):
        return ActKind.SUM
    if kind is ActKind.UNSURE and ActKind.CREATE_AGENT in possible and wishes_for_agent(clause, scene):
        kind = ActKind.CREATE_AGENT
    follows = bool(before) and before[-1] is kind
    probability = segment.ranked[0].probability
    if kind is ActKind.CREATE_AGENT and before[-1:] == [ActKind.REMEMBER] and probability < _SURE_OF_JOB:
        return ActKind.REMEMBER  # it goes on telling
    if kind in _LISTS and probability < _UNSURE_OF_LIST and ActKind.ASK_PRODUCT in possible:
        return ActKind.ASK_PRODUCT
    if bears_out(kind, probability, clause, scene, follows=follows):
        return kind
    own = {one.kind: one.probability for one in segment.ranked}
    others = (
        other
        for other in fitting
        if (
            _names_thing(other, clause, scene)
            and bears_out(other, own.get(other, 0.0), clause, scene, follows=False)
        )
        or (other is ActKind.ADD_TASK and says_owed(clause) and len(clause.words) <= _MOST_OWED)
    )
    return next(others, None) or _talk_of(kind, segment, clause)


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


def _possible(segment: Segment, scene: Scene, clause: Clause) -> list[ActKind]:
    """Return the kinds that make sense in the scene, the likeliest first."""
    if segment.ranked[0].kind is None and not clause.is_question:
        return []
    return [one.kind for one in segment.ranked if one.kind and _is_possible(one.kind, scene, clause)]


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
    if (
        kind in _RUNS_OR_CHANGES
        and _says_regularly(clause, scene)
        and (kind is ActKind.RUN_AGENT or _runs_it(clause))
    ):
        return ActKind.CHANGE_AGENT
    if (asked := _otherwise_asked(kind, scene, clause)) is not None:
        return asked
    if kind in _TASK_KINDS and _names_only_tasks(clause, scene):
        return _TASK_KINDS[kind]
    if kind is ActKind.RESTORE_TASK and _names_present_task(clause, scene):
        return ActKind.REOPEN_TASK
    if kind in _TASK_KINDS and scene.focus_kind == "task" and not scene.has_draft:
        names_agent = find_meant(clause, scene.agents).things or set(clause.words) & AGENT_NOUNS
        return kind if names_agent else _TASK_KINDS[kind]
    return kind


def _says_each_time(clause: Clause) -> bool:
    """Return whether a clause begins with what happens again and again: ``whenever a lead comes in, …``."""
    words = [word for word in clause.words if word not in LEADS]
    return words[:1] == ["whenever"] or (words[:1] in (["every"], ["each"]) and words[1:2] == ["time"])


_RUNS_OR_CHANGES = frozenset({ActKind.RUN_AGENT, ActKind.CHANGE_TASK})
_WHEN = frozenset({"when", "what", "how", "who", "why"})


def _asks_when(clause: Clause) -> bool:
    """Return whether a clause asks for a fact, and not whether somebody would do something."""
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    return clause.is_question and bool(_WHEN & set(clause.words)) and first not in AUXILIARIES


_QUESTIONS_OF_LISTS = frozenset(
    {ActKind.LIST_AGENTS, ActKind.LIST_TASKS, ActKind.SHOW_AGENT, ActKind.NONE, ActKind.UNSURE}
)
_ON_ONE_AGENT = frozenset(
    {ActKind.SHOW_AGENT, ActKind.SHARE_AGENT, ActKind.LIST_AGENTS, ActKind.SHOW_RESULT, ActKind.CHANGE_AGENT}
)
_PRODUCT_TOPICS = frozenset(
    "read reads see sees access privacy private confidential secure security safe data store stored stores"
    " keep kept trained train training cost costs price pay paid free charge charged money limit limits"
    " shown seen boss manager colleagues admin administrator"
    " language languages gdpr encrypted deleted delete share shared visible".split()
)


def _otherwise_asked(kind: ActKind, scene: Scene, clause: Clause) -> ActKind | None:
    """Return what a clause asks by its own words; None where that is what the kind says."""
    if kind is ActKind.CHANGE_TASK and _asks_when(clause):
        return ActKind.LIST_TASKS
    if kind is ActKind.RUN_AGENT and _asks_when(clause):
        return ActKind.SHOW_AGENT
    if kind in _QUESTIONS and _asks_for_health(clause):
        return ActKind.LIST_SKILLS
    if kind in _QUESTIONS_OF_LISTS and _asks_for_everything(clause):
        return ActKind.ASK_WORKSPACE
    if kind is ActKind.REMEMBER and not scene.has_draft and _asks_to_do(clause):
        return ActKind.NONE
    if kind is ActKind.ASK_USAGE and _asks_how_many_may_be(clause.words):
        return ActKind.ASK_PRODUCT
    if kind in _ON_ONE_AGENT and _asks_about_product(clause, scene):
        return ActKind.ASK_PRODUCT
    return None


def _asks_how_many_may_be(words: Sequence[str]) -> bool:
    """Return whether words ask for a limit: ``how many runs a day can I have?``"""
    line = f" {' '.join(words)} "
    return " how many " in line and any(f" {one} " in line for one in ("can i", "can we", "may i", "may we"))


def _asks_to_do(clause: Clause) -> bool:
    """Return whether a clause asks for a deed, and not for something to be kept in mind."""
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    keeps = classes_of(first) & {"keep", "add", "remind"} or first in {"remember", "mind"}
    return not keeps and not is_question(clause.tokens) and asks_for_something(clause.tokens)


def _runs_it(clause: Clause) -> bool:
    """Return whether a clause begins ``run it``: a task doesn't run."""
    words = [word for word in clause.words if word not in LEADS and word[0].isalnum()]
    return len(words) > 1 and "run" in classes_of(words[0]) and words[1] in POINTERS


def _asks_for_everything(clause: Clause) -> bool:
    """Return whether a question is about all that is set up, agents and tasks: ``what have I got set up?``"""
    words = [word for word in clause.words if word[0].isalnum()]
    if set(words) & (AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS) or not QUESTION_WORDS.union(_SHOWING) & set(
        words
    ):
        return False
    line = f" {' '.join(words)} "
    is_mine = bool(_MINE & set(words))
    is_all = any(f" {phrase} " in line for phrase in ("set up", "everything", "going on here", "in place"))
    return is_mine and is_all and "you" not in words


_MINE = frozenset("i i've my me we we've our us here now already currently".split())
_SHOWING = frozenset({"show", "list", "overview"})


def _asks_about_product(clause: Clause, scene: Scene) -> bool:
    """Return whether a question of who can or what it costs names none of the user's agents."""
    if asks_in_general(clause.tokens):
        return True
    words = [word for word in clause.words if word not in LEADS and word[0].isalnum()]
    is_question = bool(words) and words[0] in QUESTION_WORDS | AUXILIARIES
    if not is_question or not _PRODUCT_TOPICS & set(words):
        return False
    if AGENT_NOUNS & set(words) and words[0] != "who":
        return False
    points = POINTERS - {"this", "that", "these", "they"}
    meant = find_meant(clause, scene.agents)
    return not points & set(words) and (meant.is_all or not meant.things)


_ON_POLICY = frozenset({ActKind.SHOW_POLICY, ActKind.SET_POLICY})
_OF_RUNS = frozenset({"was", "were", "did", "done", "finished", "completed", "through", "over", "ready"})
"""Words that ask what became of a run, where one was talked about."""


def _is_possible(kind: ActKind, scene: Scene, clause: Clause) -> bool:
    """Return whether a kind makes sense here: no pick without options, no answer without a question."""
    is_open = scene.question is not None or scene.has_draft
    words = set(clause.words)
    if kind in _NAMED_BY:
        return bool(words & _NAMED_BY[kind])
    match kind:
        case ActKind.PICK:
            return scene.question is not None and bool(scene.question.options)
        case ActKind.ANSWER:
            return is_open
        case ActKind.SUM:
            return (
                bool(words & NUMBER_WORDS)
                or any(mark.isdigit() for mark in clause.text)
                or scene.did == "sum"
            )
        case ActKind.CHANGE_AGENT:
            return bool(scene.agents) or is_open
        case ActKind.LIST_TASKS:
            return bool(words & LIST_WORDS) or _was_on_tasks(scene)
        case ActKind.SHOW_POLICY | ActKind.SET_POLICY:
            return _names_policy(clause) or bool(_ON_POLICY & {*scene.last, scene.did})
        case ActKind.RESUME_DRAFT:
            return scene.has_draft or bool(words & _RETURNS)
        case ActKind.COMPLETE_TASK | ActKind.REOPEN_TASK | ActKind.CHANGE_TASK | ActKind.DELETE_TASK:
            return bool(scene.tasks)
        case _:
            return kind not in _NEEDS_AGENTS or bool(scene.agents)


_NAMED_BY = {
    ActKind.CLOCK: CLOCK_WORDS,
    ActKind.ASK_USAGE: USAGE_WORDS,
    ActKind.ERASE: ERASURE_WORDS,
    ActKind.LIST_SKILLS: CONNECTION_WORDS | SERVICES,
}
"""The words without one of which a clause is no act of the kind."""


def _was_on_tasks(scene: Scene) -> bool:
    """Return whether tasks were talked about just before."""
    return "task" in {scene.focus_kind, scene.listed_kind} or bool(ON_TASKS & {*scene.last, scene.did})


def _names_policy(clause: Clause) -> bool:
    """Return whether a clause has a word of a setting, as typed: a short word may be corrected into one."""
    said = (token.text.lower() if len(token.word) < _LONG else token.word for token in clause.tokens)
    return not POLICY_WORDS.isdisjoint(said)


_LONG = 6


def _says_regularly(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names times that come again and again."""
    return any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone))


def _asks_for_health(clause: Clause) -> bool:
    """Return whether a clause asks if a connection works: ``is the notes skill working?``"""
    words = set(clause.words)
    return clause.is_question and bool(words & _SKILL_NOUNS) and bool(words & _HEALTHY)


_QUESTIONS = frozenset({ActKind.ASK_WORLD, ActKind.ASK_PRODUCT, ActKind.ASK_WORKSPACE, ActKind.SHOW_AGENT})
_SKILL_NOUNS = frozenset("skill skills connection connections connector connectors integration".split())
_HEALTHY = frozenset("work works working ok okay alive healthy up down broken connected fine".split())


def _names_only_tasks(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has the whole title of a task, and nothing that tells of an agent."""
    meant = find_meant(clause, scene.agents)
    if meant.things or meant.candidates or not meant.words or set(clause.words) & AGENT_NOUNS:
        return False
    return find_meant(clause, scene.tasks).is_named


def _names_present_task(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has the title of a task that isn't deleted."""
    return find_meant(clause, scene.tasks).is_named
