"""Whether a clause asks about agents, whatever it was taken for. A question changes nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from intent.acts.absent_agents import absent_agent
from intent.acts.act import Act, ActKind, Meant
from intent.acts.agent_filters import asks_which, read_filter
from intent.acts.agent_questions import AgentQuestion, Field, is_field_word, read_question
from intent.acts.agents_by_subject import agents_on_subject, asks_who_does
from intent.acts.clauses import Clause
from intent.acts.evidence import agent_commands
from intent.acts.kind_sets import ON_AGENTS
from intent.acts.lexicon import AGENT_NOUNS, ASKING_YOU, EXCEPTIONS, LEADS, POINTERS, TASK_NOUNS
from intent.acts.meant_things import says_other
from intent.acts.places import asks_to_send, moves_source, redirects
from intent.acts.present_times import changes_present
from intent.acts.references import find_meant, is_content, is_in_frame, name_parts, stem
from intent.acts.scene import Scene
from intent.acts.time_changes import asks_to_have
from intent.acts.tokens import Token
from intent.acts.told_instructions import instructs_agent
from intent.acts.wished_deeds import asks_for_access, is_set_going, says_shift, wished_state

K = ActKind
ASKING = frozenset({K.SHOW_AGENT, K.SHOW_RESULT})
"""The kinds that ask about agents."""
_CHANGES = ON_AGENTS - ASKING
_MAY_ASK = (ON_AGENTS - {K.RESTORE_AGENT}) | {
    K.LIST_AGENTS, K.RECALL, K.CLOCK, K.ASK_WORLD, K.ASK_PRODUCT, K.ASK_WORKSPACE, K.LIST_TASKS, K.NONE,
    K.UNSURE, K.SMALL_TALK, K.CREATE_AGENT, K.CHANGE_TASK, K.ADD_TASK, K.YES, K.NO, K.LIST_SKILLS, K.REMEMBER,
    K.ANSWER, K.CONNECT, K.REMOVE_SKILL, K.DO_IN_WORLD, K.PICK,
}  # fmt: skip
"""The kinds that a question about an agent may be taken for."""
_MAY_ASK_WHICH = frozenset(
    {
        K.LIST_AGENTS, K.SHOW_AGENT, K.SHOW_RESULT, K.ASK_WORKSPACE, K.RECALL, K.ASK_WORLD, K.ASK_PRODUCT,
        K.NONE, K.UNSURE, K.SMALL_TALK, K.WHY, *_CHANGES,
    }
)  # fmt: skip
_MAY_BE_ASKED = _MAY_ASK | _MAY_ASK_WHICH | {K.RESTORE_AGENT}
_OWN_KINDS = ASKING | _CHANGES
_DUMMIES = frozenset({"today", "today's", "now", "current", "currently"})
_GENERIC = frozenset({"a", "an", "any"})


def _asks_of_any(clause: Clause, scene: Scene) -> bool:
    """Return whether a question is about agents as such: ``is it possible to stop an agent for a while?``"""
    is_of_any = any(one in _GENERIC and two in AGENT_NOUNS for one, two in pairwise(clause.words))
    return clause.is_question and is_of_any and not find_meant(clause, scene.agents).is_named


def _asked_of_some(kind: ActKind, clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a question is that asks which agent does something, what one did, or of agents as such."""
    if _asks_who_does(kind, clause, scene):
        return K.LIST_AGENTS
    if kind is K.LIST_AGENTS and _asks_of_day(clause):
        return K.ASK_WORKSPACE
    if kind is K.RESTORE_AGENT:
        return K.SHOW_RESULT if _asks_of_runs(clause, scene) else kind
    return K.ASK_PRODUCT if kind in _CHANGES and _asks_of_any(clause, scene) else None


def asked_kind(kind: ActKind, clause: Clause, scene: Scene) -> ActKind:
    """Return what a clause is when it asks about agents; else its kind."""
    if kind not in _MAY_BE_ASKED or not scene.agents:
        return kind
    if (asked := _asked_of_some(kind, clause, scene)) is not None:
        return asked
    if _is_wish(kind, clause, scene):
        return kind
    if kind in _ON_SETTINGS and (wished := _wished_of_settings(kind, clause)) is not None:
        return wished
    question = read_question(clause.text, is_marked=clause.is_question)
    if question is None:
        return K.SHOW_AGENT if kind is K.CHANGE_AGENT and _tells_what_was_done(clause) else kind
    meant = find_meant(without_field_words(clause, scene), scene.agents, listed=scene.listed_agents)
    if _asks_for_some(kind, clause, meant):
        return K.LIST_AGENTS
    if kind not in _MAY_ASK or not _is_on_agent(kind, question, clause, meant, scene):
        return kind
    is_of_run = kind is K.SHOW_RESULT and scene.focus_kind == "run" and "was" in clause.words
    if Field.RUNS in question.fields or is_of_run:
        return K.SHOW_RESULT  # ``and when was that?`` asks about the run that was told about
    if question.fields:
        return K.SHOW_AGENT
    return K.SHOW_AGENT if kind in _CHANGES else kind


def _asks_of_day(clause: Clause) -> bool:
    """Return whether a clause asks which agents run on a day soon: ``which of them are due tomorrow?``"""
    words = set(clause.words)
    return asks_which(clause.tokens) and bool(_SOON & words) and bool(_DUE & words)


_SOON = frozenset({"today", "tomorrow", "tonight"})
_DUE = frozenset("run runs running due come comes coming scheduled planned start starts go".split())


def _asks_of_runs(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks what a present agent did: ``I'm back. did rota do anything?``"""
    question = read_question(clause.text, is_marked=clause.is_question)
    is_asked = question is not None and Field.RUNS in question.fields
    return is_asked and find_meant(clause, scene.agents).is_named


def _is_wish(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for a deed in the form of a question: ``could you get rid of it?``"""
    if kind in agent_commands(clause) and ASKING_YOU & set(pairwise(clause.words)):
        return True
    is_wished = kind is K.RESUME_AGENT and is_set_going(clause.words)
    is_wished = is_wished or (kind is K.SHARE_AGENT and asks_for_access(clause.words))
    is_changed = kind is K.CHANGE_AGENT and not asks_opinion(clause) and _changes(clause, scene)
    return is_wished or is_changed or wished_state(clause.words) is kind


_ON_SETTINGS = frozenset({K.CHANGE_AGENT, K.SHOW_AGENT})


def _wished_of_settings(kind: ActKind, clause: Clause) -> ActKind | None:
    """Return the change that a question asks for, or the view of what it weighs; None for any other."""
    if _asks_to_make(clause):
        return K.CHANGE_AGENT
    return K.SHOW_AGENT if kind is K.CHANGE_AGENT and asks_opinion(clause) else None


def _asks_to_make(clause: Clause) -> bool:
    """Return whether a clause asks us to let an agent do something: ``could you make it run at 10?``"""
    words = clause.words
    places = (at + 2 for at, pair in enumerate(pairwise(words)) if pair in ASKING_YOU)
    return any(words[at : at + 1] in (("make",), ("let",), ("have",), ("get",)) for at in places)


def _changes(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause gives an agent another place, source or time, whatever it asks besides."""
    moves = redirects(clause, scene) or moves_source(clause, scene) or _shifts(clause)
    is_wished = asks_to_send(clause, scene) or asks_to_have(clause, scene) or instructs_agent(clause, scene)
    return moves or is_wished or _is_enough(clause) or changes_present(clause, scene)


def _is_enough(clause: Clause) -> bool:
    """Return whether a clause says what is enough, and asks nothing: ``once a day at 8 is plenty``."""
    said = [word for word in clause.words if word[0].isalnum() and word not in LEADS - {"fine"}]
    places = (at for at, pair in enumerate(pairwise(said), 1) if pair[1] == "for" and pair[0] in _SAYS_ENOUGH)
    said = said[: next(places, len(said))]  # "would be plenty for the sales digest"
    return not clause.is_question and said[-1:] != [] and said[-1] in _ENOUGH and bool(_BE & set(said[-3:-1]))


_SAYS_ENOUGH = frozenset({"plenty", "enough", "sufficient"})
_ENOUGH = _SAYS_ENOUGH | {"fine"}
_BE = frozenset({"is", "be", "are", "was", "that's", "it's"})


def _shifts(clause: Clause) -> bool:
    """Return whether a clause asks for another time by a length: ``could it run an hour later?``"""
    begins = {"could", "can", "would", "may", "might", "please"} & set(clause.words)
    return bool(begins) and says_shift(clause.words)


def asks_opinion(clause: Clause) -> bool:
    """Return whether a clause asks what would be better, and wishes for nothing yet: ``or would Slack be
    better?``
    """
    said = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if clause.is_question and said[:1] == ["should"]:
        return True
    weighs = said[:1] == ["should"] and "or" in clause.words  # ``should it be daily or weekly``
    begins = len(said) > 2 and said[0] in _WOULD and said[1] not in {"you", "be"}
    return begins and (weighs or bool(_BETTER & set(said)))


_WOULD = frozenset("would wouldn't should shouldn't is isn't might".split())
_BETTER = frozenset("better best rather nicer smarter wiser safer easier cleverer".split())


def _tells_what_was_done(clause: Clause) -> bool:
    """Return whether a clause tells what somebody did a while ago: ``some days ago I arranged something``."""
    words = clause.words
    is_past = any(
        one in {"i", "we", "you"} and two.endswith("ed") and two not in _WISHED
        for one, two in pairwise(words)
    )
    return is_past and bool({"ago", "yesterday", "once", "recently"} & set(words))


_WISHED = frozenset({"wanted", "needed", "wished", "hoped", "preferred", "decided"})


def is_answered(act: Act) -> bool:
    """Return whether an act asks for a field of agents that are known, so that they have the answer."""
    question = read_question(act.clause.text, is_marked=True) if act.kind in ASKING else None
    return question is not None and bool(question.fields) and bool(act.meant.things)


def without_field_words(clause: Clause, scene: Scene) -> Clause:
    """Return what a question says besides what it wants to know; all of it where it has a whole name."""
    if find_meant(replace(clause, tokens=_unexcepted(clause)), scene.agents).is_named:
        return replace(clause, tokens=_unexcepted(clause))
    if says_other(clause.words):
        return clause
    tokens = clause.tokens
    kept = tuple(
        token
        for place, token in enumerate(tokens)
        if token.word in POINTERS or not is_field_word(token.word) or is_in_frame(tokens, place)
    )
    return replace(clause, tokens=kept or clause.tokens[:1])


def _unexcepted(clause: Clause) -> tuple[Token, ...]:
    """Return the words without those that leave something out: a question excepts nothing."""
    return tuple(token for token in clause.tokens if token.word not in EXCEPTIONS)


def _asks_for_some(kind: ActKind, clause: Clause, meant: Meant) -> bool:
    """Return whether a clause asks which agents are of a certain state, or run on certain days."""
    if kind not in _MAY_ASK_WHICH or meant.things or not asks_which(clause.tokens):
        return False
    return read_filter(clause.tokens).says_something


def _asks_who_does(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks which agent does something that one of them does."""
    if kind not in _MAY_ASK_WHICH or not asks_who_does(clause.tokens):
        return False
    is_named = find_meant(clause, scene.agents).is_named
    return not is_named and bool(agents_on_subject(clause.tokens, scene.agents))


def _is_on_agent(kind: ActKind, question: AgentQuestion, clause: Clause, meant: Meant, scene: Scene) -> bool:
    """Return whether a question is about an agent: by its name, its description, or as the one in focus."""
    if meant.is_named or (question.fields and absent_agent(clause, scene.agents)):
        return True
    if meant.things and not meant.is_all:
        return kind in _OWN_KINDS or _describes(clause, meant, scene)
    if scene.has_draft or not question.fields:
        return False
    if question.fields == (Field.NEXT,) and kind is K.RUN_AGENT:
        return True  # ``next run?`` starts nothing
    if question.fields == (Field.READY,) and len(scene.agents) == 1 and AGENT_NOUNS & set(clause.words):
        return True  # there is one that ``the agent`` can mean
    return scene.focus_kind in {"agent", "run"} and _is_on_focus(kind, question)


def _describes(clause: Clause, meant: Meant, scene: Scene) -> bool:
    """Return whether what a question names is all in the description of one agent."""
    if len(meant.things) != 1 or scene.has_draft:
        return False
    thing = meant.things[0]
    known = {stem(part) for part in (*name_parts(thing.name), *name_parts(thing.words))}
    said = [token for token in clause.tokens if is_content(token) and not is_field_word(token.word)]
    fitting = [token for token in said if stem(token.word) in known]
    return len(fitting) > len(said) - len(fitting)


def _is_on_focus(kind: ActKind, question: AgentQuestion) -> bool:
    """Return whether a question says nothing but what it wants to know: ``and at what time?``"""
    if Field.SHARED in question.fields and POINTERS & set(question.asked):
        return True  # whoever it names: ``so my colleague Hakan can use it now?``
    words = [word for word in question.asked if word[0].isalnum() and word not in LEADS]
    said = set(words)
    if question.fields == (Field.READY,):
        return bool(POINTERS & said or {"everything", "agent"} & said)
    if said & TASK_NOUNS or (said & AGENT_NOUNS and said & _GENERIC):
        return False
    is_on_it = bool({("it", "at"), ("it", "on")} & set(pairwise(words)))  # ``what time is it at now?``
    is_on_it = is_on_it or question.text.lower().split()[:2] in (["at", "what"], ["on", "what"])
    if kind is K.CLOCK and not is_on_it and (said & _DUMMIES or {"is", "it"} <= said or "what's" in said):
        return False
    rest = [word for word in words if not is_field_word(word) and word not in POINTERS | AGENT_NOUNS]
    return not rest or kind in _OWN_KINDS
