"""What a clause asks by its own words, whatever kind the learned model takes it for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import ActKind
from intent.acts.agent_filters import asks_in_general, asks_on_hold
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS
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
from intent.acts.references import find_meant, find_name_place
from intent.acts.requests import asks_for_something, is_question
from intent.acts.scene import Scene
from intent.times.reader import read_times

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


def otherwise_asked(kind: ActKind, scene: Scene, clause: Clause) -> ActKind | None:
    """Return what a clause asks by its own words; None where that is what the kind says."""
    if kind in {ActKind.RECALL, ActKind.CHANGE_TASK} and (fact := _fact_asked(kind, clause)) is not None:
        return fact
    if (kind is ActKind.RUN_AGENT and _asks_when(clause)) or _only_names(kind, clause, scene):
        return ActKind.SHOW_AGENT
    if kind is ActKind.ASK_PRODUCT and _asks_what_it_does(clause, scene):
        return ActKind.SHOW_AGENT
    is_halted = kind is ActKind.SHOW_POLICY and bool(scene.agents) and asks_on_hold(clause.words)
    if is_halted or (kind is ActKind.LIST_TASKS and _asks_which_are_left(clause, scene)):
        return ActKind.LIST_AGENTS
    if kind in _QUESTIONS and _asks_for_health(clause):
        return ActKind.LIST_SKILLS
    is_all = kind in _QUESTIONS_OF_LISTS and _asks_for_everything(clause)
    if is_all or (kind in _QUESTIONS and _asks_what_comes(clause, scene)):
        return ActKind.ASK_WORKSPACE
    if kind is ActKind.REMEMBER and not scene.has_draft and _asks_to_do(clause):
        return ActKind.NONE
    if kind in _MAY_ASK_FOR_NUMBER and (counted := _as_number(kind, clause, scene)) is not None:
        return counted
    if kind in _ON_ONE_AGENT and _asks_about_product(clause, scene):
        return ActKind.ASK_PRODUCT
    return None


def _fact_asked(kind: ActKind, clause: Clause) -> ActKind | None:
    """Return what a question is after that looks like one for earlier talk, or like a change of a task."""
    if kind is ActKind.RECALL:
        return ActKind.ASK_PRODUCT if asks_whether_kept(clause.words) else None
    return ActKind.LIST_TASKS if _asks_when(clause) else None


def asks_whether_kept(said: Sequence[str]) -> bool:
    """Return whether a question is what becomes of what is written: ``do you remember what I write?``"""
    words = [word for word in said if word[0].isalnum() and word not in LEADS]
    coming = next((at + 2 for at, pair in enumerate(pairwise(words)) if pair == ("will", "you")), len(words))
    if _KNOWING & set(words[coming : coming + 2]):
        return True  # ``will you still know what I told you today?``
    asks = tuple(words[:2]) in {("do", "you"), ("will", "you"), ("can", "you")}
    kept = asks and words[2:3] != [] and words[2] in _KEEPING
    return kept and bool(_WRITING & set(words[3:])) and not {"did", "about", "said", "told"} & set(words)


_KNOWING = frozenset({"know", "remember", "forget", "recall"})
_KEEPING = frozenset("remember keep store save forget record still".split())
_WRITING = frozenset("write say type tell everything conversations chats messages".split())


def _only_names(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether a clause that is taken for a deed has no words but the name of an agent, and goes on
    with none: ``and parcels`` behind a pause pauses that, too.
    """
    if kind not in _DEEDS or kind == scene.did or (scene.question and kind is not ActKind.RUN_AGENT):
        return False
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS | _AROUND_NAME]
    things = find_meant(clause, scene.agents).things
    return len(things) == 1 and find_name_place(words, things[0].name) == (0, len(words))


_DEEDS = frozenset(
    {
        ActKind.RUN_AGENT, ActKind.DELETE_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT,
        ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT,
    }
)  # fmt: skip
_AROUND_NAME = frozenset("the one agent".split())


def _asks_what_it_does(clause: Clause, scene: Scene) -> bool:
    """Return whether ``what does it do?`` asks about an agent: the one talked about, or told of before."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if set(words) - _WHAT_IT_DOES or not POINTERS & set(words):
        return False
    before = {word.strip(".,;:!?") for word in clause.message[: clause.start].lower().split()}
    return scene.focus_kind == "agent" or bool(AGENT_NOUNS & before and scene.agents)


_WHAT_IT_DOES = POINTERS | frozenset("what does do is for did exactly again what's about agent".split())


def _asks_which_are_left(clause: Clause, scene: Scene) -> bool:
    """Return whether ``what's left?`` asks which agents there still are, after a deed on some."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    is_on_agents = any(kind == scene.last_deed for kind in ON_AGENTS)
    return is_on_agents and "left" in words and not set(words) - _WHICH_ARE_LEFT


_WHICH_ARE_LEFT = POINTERS | frozenset(
    "what what's whats which who is are left have i do we got now still there remain".split()
)


_MAY_ASK_FOR_NUMBER = _QUESTIONS_OF_LISTS | {ActKind.ASK_USAGE}


def _as_number(kind: ActKind, clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a question for a number is about: how many there are, or may be."""
    if scene.agents and _asks_how_many_there_are(clause):
        return ActKind.LIST_TASKS if scene.focus_kind == "task" else ActKind.LIST_AGENTS
    is_limit = kind is ActKind.ASK_USAGE and _asks_how_many_may_be(clause.words)
    return ActKind.ASK_PRODUCT if is_limit else None


def _asks_how_many_there_are(clause: Clause) -> bool:
    """Return whether a clause asks for a number and names nothing: ``how many do I have all together?``"""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    return words[:2] == ["how", "many"] and len(words) > 2 and not set(words) - _HOW_MANY


_HOW_MANY = POINTERS | frozenset(
    "how many do i we have got are there all together altogether in total now here by still left of as"
    " currently mine ours is".split()
)


def _asks_how_many_may_be(words: Sequence[str]) -> bool:
    """Return whether words ask for a limit: ``how many runs a day can I have?``"""
    line = f" {' '.join(words)} "
    return " how many " in line and any(f" {one} " in line for one in ("can i", "can we", "may i", "may we"))


def _asks_to_do(clause: Clause) -> bool:
    """Return whether a clause asks for a deed, and not for something to be kept in mind."""
    first = next((word for word in clause.words if word[0].isalnum() and word not in LEADS), "")
    keeps = classes_of(first) & {"keep", "add", "remind"} or first in {"remember", "mind"}
    return not keeps and not is_question(clause.tokens) and asks_for_something(clause.tokens)


def _asks_for_everything(clause: Clause) -> bool:
    """Return whether a question is about all that is set up, agents and tasks: ``what have I got set up?``"""
    words = [word for word in clause.words if word[0].isalnum()]
    if set(words) & (AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS) or not QUESTION_WORDS.union(_SHOWING) & set(
        words
    ):
        return False
    line = f" {' '.join(words)} "
    is_mine = bool(_MINE & set(words))
    is_all = any(f" {phrase} " in line for phrase in ("set up", "everything", "going on", "in place"))
    return is_mine and is_all and "you" not in words


_MINE = frozenset("what've i i've my me we we've our us here now already currently".split())


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


def _asks_what_comes(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks what there will be on a day: ``what will I get on the 1st?``"""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    gets = any(one in {"i", "we"} and two in {"get", "receive"} for one, two in pairwise(words))
    if not scene.agents or not gets or words[0] not in {"what", "which", "what's"}:
        return False
    return any(one.day is not None for one in read_times(clause.text, now=scene.now, zone=scene.zone))


def _asks_for_health(clause: Clause) -> bool:
    """Return whether a clause asks if a connection works: ``is the notes skill working?``"""
    words = set(clause.words)
    return clause.is_question and bool(words & _SKILL_NOUNS) and bool(words & _HEALTHY)


_QUESTIONS = frozenset({ActKind.ASK_WORLD, ActKind.ASK_PRODUCT, ActKind.ASK_WORKSPACE, ActKind.SHOW_AGENT})


_SKILL_NOUNS = frozenset("skill skills connection connections connector connectors integration".split())


_HEALTHY = frozenset("work works working ok okay alive healthy up down broken connected fine".split())
