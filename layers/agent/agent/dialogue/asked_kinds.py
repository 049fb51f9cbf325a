"""What an act turns out to be by its own words: a question about earlier talk, an agent, or the draft."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from agent.dialogue import act_kinds
from agent.dialogue.administration import settings_asked
from agent.dialogue.administration.tool_acceptance import asks_to_accept
from agent.dialogue.product_questions import asks_how_to
from agent.dialogue.talk import first_told, recalled_deeds, world
from agent.dialogue.talk.conversation_facts import asks_from_memory
from agent.dialogue.talk.statements import asked_part, covers, strong_terms_of, wanted_by
from intent.acts import asked_agents
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.agent_questions import Field, read_question
from intent.acts.asked_otherwise import asks_whether_kept
from intent.acts.kept_requests import kept_fact
from intent.acts.lexicon import AGENT_NOUNS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS
from intent.acts.requests import question_in
from intent.acts.tokens import tokenise
from intent.entities.answers import asks_to_resume
from intent.offline.recall_questions import parse_recall_question
from intent.situation import KnownAgent

K = ActKind
_MAY_ASK_OF_AGENTS = frozenset({K.UNSURE, K.ASK_WORLD, K.RECALL, K.CLOCK, K.NONE, K.LIST_TASKS})
_MAY_ASK_OF_DAYS = _MAY_ASK_OF_AGENTS | {K.ASK_PRODUCT, K.ASK_WORKSPACE, K.SMALL_TALK, K.SHOW_AGENT}
_OF_AGENTS = frozenset({"#", "@", "day"})
_FEWEST_TERMS = 2


def as_asked(act: Act, today: date, agents: Sequence[KnownAgent], *, has_draft: bool) -> Act:
    """Return the act; as a question about earlier talk, an agent or the draft, when its words ask one."""
    text = act.clause.text
    if (shown := _shown(act, agents, has_draft=has_draft)) is not None:
        return shown
    if has_draft and act.kind in act_kinds.MAY_BE_RETURNS and asks_to_resume(text):
        return replace(act, kind=K.RESUME_DRAFT)
    if asked_agents.is_answered(act) or settings_asked.is_settled(act):
        return act
    if act.kind in act_kinds.MAY_BE_RECALL and _asks_of_earlier_talk(text, today):
        return replace(act, kind=K.RECALL)
    asks_of_day = act.kind in _MAY_ASK_OF_DAYS and _asks_how_day_looks(act)
    if asks_of_day or _asks_how_many_to_do(act) or _asks_what_is_due(act):
        return replace(act, kind=K.LIST_TASKS)
    if asks_to_accept(act):
        return replace(act, kind=K.CONNECT)
    if act.kind is K.ADD_TASK and _asks_for_fact(text):
        return replace(act, kind=K.ASK_WORLD)
    is_how = act.kind is K.LIST_TASKS and asks_how_to(text)
    if is_how or (act.kind is K.DO_IN_WORLD and world.asks_to_be_told(text)):
        return replace(act, kind=K.ASK_PRODUCT)
    if act.kind in act_kinds.MAY_BE_DEEDS and recalled_deeds.asks_for_deeds(text):
        is_past = act.kind in {K.SHOW_AGENT, K.SHOW_RESULT} or "did" in text.lower().split()
        return replace(act, kind=K.RECALL) if is_past else act
    return act


def _asks_of_earlier_talk(text: str, today: date) -> bool:
    if asks_whether_kept([token.word for token in tokenise(text)]) or kept_fact(text):
        return False
    if asks_from_memory(text):
        return True
    return parse_recall_question(text, today) is not None or first_told.asks_for_first(text)


_MAY_ASK_OF_IT = frozenset({K.ASK_PRODUCT, K.ASK_WORLD, K.NONE, K.UNSURE, K.CLOCK})


def _shown(act: Act, agents: Sequence[KnownAgent], *, has_draft: bool) -> Act | None:
    """Return the act as a question about an agent; None where it asks nothing of one."""
    if (agent := _asked_of(act, agents)) is not None:
        return replace(act, kind=K.SHOW_AGENT, meant=Meant(things=(agent,)))
    if not has_draft and act.kind in _MAY_ASK_OF_IT and _asks_of_it(act):
        return replace(act, kind=K.SHOW_AGENT)
    return None


def _asks_of_it(act: Act) -> bool:
    """Return whether a question is when "it" runs, and of nothing else: ``and when does it run next?``"""
    question = read_question(act.clause.text, is_marked=True)
    if question is None or not set(question.fields) <= {Field.NEXT, Field.WHEN} or not question.fields:
        return False
    words = {word for word in question.asked if word[0].isalnum()}
    return bool(words & {"it", "they", "them"}) and bool(words & _RUNNING) and words <= _OF_RUNS


_RUNNING = frozenset("run runs running start starts fire go".split())
_OF_RUNS = _RUNNING | frozenset(
    "when when's does do will is it they them next again then the first time at what which day and".split()
)


def _asked_of(act: Act, agents: Sequence[KnownAgent]) -> Thing | None:
    """Return the agent whose day or address a question asks for, described in its own words."""
    question = asked_part(act.clause.text)
    terms = strong_terms_of(question)
    if act.kind not in _MAY_ASK_OF_AGENTS or wanted_by(question) not in _OF_AGENTS:
        return None
    if len(terms) < _FEWEST_TERMS:
        return None
    found = [one for one in agents if covers(f"{one.name.replace('-', ' ')} {one.summary}", terms)]
    return Thing(found[0].id, found[0].name, found[0].summary) if len(found) == 1 else None


def _asks_how_day_looks(act: Act) -> bool:
    """Return whether a question is about what a day has: ``what does Monday look like?``"""
    words = [token.word for token in tokenise(act.clause.text)]
    looks = bool({"look", "looks", "looking"} & set(words)) and bool({"what", "what's", "how"} & set(words))
    return looks and bool(act.slot("when"))


def _asks_how_many_to_do(act: Act) -> bool:
    """Return whether a question for a list is about what there is to do: ``how many have I to do?``"""
    words = [token.word for token in tokenise(act.clause.text)]
    return act.kind is K.LIST_AGENTS and ("to", "do") in set(pairwise(words)) and not AGENT_NOUNS & set(words)


def _asks_what_is_due(act: Act) -> bool:
    """Return whether a question about everything here is what there is to do: ``everything due today``."""
    words = {token.word for token in tokenise(act.clause.text)}
    return act.kind is K.ASK_WORKSPACE and bool(_DUE & words) and not words & (AGENT_NOUNS | _OF_AGENTS_DUE)


_DUE = frozenset({"due", "overdue"})
_OF_AGENTS_DUE = frozenset("run runs running send sends".split())


def _asks_for_fact(text: str) -> bool:
    """Return whether words ask for something by their last clause: ``need the vet's number, what is it``."""
    words = {token.word for token in tokenise(text)}
    asked = question_in(text)
    is_added = words & (LIST_NOUNS | TASK_NOUNS | {"remind", "add", "note", "put"})
    return bool(asked) and not is_added and tokenise(asked)[0].word in QUESTION_WORDS
