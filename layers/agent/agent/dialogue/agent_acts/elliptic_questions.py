"""Questions that only name another agent or day: ``and ad-spend?`` asks of it what was asked of the one
before, ``what about Fridays?`` which agents run then.
"""

from __future__ import annotations

from dataclasses import replace

from agent.dialogue.workbench import Workbench
from conversation.messages.models import Role
from intent.acts.act import Act, ActKind, Meant, Span
from intent.acts.agent_filters import WEEKDAYS, asks_which, read_filter
from intent.acts.agent_questions import Field, read_question
from intent.acts.lexicon import LEADS
from intent.acts.references import find_name_place, name_parts
from intent.acts.tokens import tokenise

_AROUND = LEADS | frozenset("and or what about how the other one ones also for of then its same".split())
_KINDS = frozenset({ActKind.SHOW_AGENT, ActKind.SHOW_RESULT})
_MOST_WORDS, _FARTHEST = 8, 3


def as_continued(act: Act, bench: Workbench) -> Act:
    """Return the act; where it only names an agent, with the words of the question asked of another; where it
    only names days behind a question which agents run on others, as the same question.
    """
    if _asks_of_other_days(act, bench):
        return replace(act, kind=ActKind.LIST_AGENTS, meant=Meant())
    things = act.meant.things
    if act.kind not in _KINDS or len(things) != 1 or not _only_names(act):
        return act
    situation = bench.turn.situation
    names = [agent.name for agent in situation.agents]
    for earlier in range(_FARTHEST):
        before = _of_it(situation.last_text(Role.USER, before=earlier), names)
        question = read_question(before, is_marked=True) if before else None
        if question is not None and question.fields:
            kind = ActKind.SHOW_RESULT if Field.RUNS in question.fields else ActKind.SHOW_AGENT
            return replace(act, kind=kind, clause=Span(before, 0, len(before)), slots={})
        if not _is_short(before):
            break
    return act


def _asks_of_other_days(act: Act, bench: Workbench) -> bool:
    tokens = tokenise(act.clause.text)
    words = {token.word.removesuffix("s") for token in tokens if token.is_word}
    days = {*WEEKDAYS, "weekend"}
    if not words & days or not words <= days | _BEFORE_DAY or not act.clause.text.rstrip().endswith("?"):
        return False
    before = tokenise(bench.turn.situation.last_text(Role.USER))
    return asks_which(before) and bool(read_filter(before).weekdays)


_BEFORE_DAY = frozenset(word.removesuffix("s") for word in {*_AROUND, "on", "at", "the", "a"})


def _only_names(act: Act) -> bool:
    words = [token.word for token in tokenise(act.clause.text) if token.is_word]
    parts = {part for thing in act.meant.things for part in (*name_parts(thing.name), thing.name.lower())}
    is_asked = act.clause.text.rstrip().endswith("?") or words[:1] in (["and"], ["or"])
    return is_asked and len(words) <= _MOST_WORDS and all(word in _AROUND | parts for word in words)


def _is_short(text: str) -> bool:
    """Return whether a question may itself go on from the one before it."""
    return 0 < len(text.split()) <= _MOST_WORDS


def _of_it(text: str, names: list[str]) -> str:
    """Return a question with ``it`` for the agent it names; empty where it names none and has no pronoun."""
    tokens = tokenise(text)
    words = [token.word for token in tokens]
    for name in names:
        if (place := find_name_place(words, name)) is not None:
            start, end = tokens[place[0]].start, tokens[place[1] - 1].end
            return f"{text[:start]}it{text[end:]}"
    return text if {"it", "they", "them"} & set(words) else ""
