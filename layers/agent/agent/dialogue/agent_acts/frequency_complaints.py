"""Complaints that an agent comes too often: a rarer schedule is offered, and nothing is changed yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue import texts
from agent.dialogue.agent_acts import field_texts
from agent.dialogue.held_acts import OFFERED, AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent, Schedule
from conversation.cron import Cron
from conversation.timing import Timing
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import LEADS, POINTERS, QUESTION_WORDS, classes_of
from intent.acts.requests import asks_for_something
from intent.acts.scene import Asked
from intent.acts.tokens import Token, tokenise
from intent.times.wording import describe

K = ActKind
_MAY_COMPLAIN = frozenset({K.SHOW_AGENT, K.CHANGE_AGENT, K.UNSURE, K.NONE, K.ASK_PRODUCT, K.REMEMBER})
_MAY_ASK_HELP = frozenset({K.ASK_PRODUCT, K.ASK_WORLD, K.UNSURE, K.NONE, K.SMALL_TALK})
_OF_HELP = (
    LEADS
    | POINTERS
    | QUESTION_WORDS
    | frozenset(
        "can could should do i we you about any idea ideas options option my are is the there suggest"
        " suggestion suggestions advice best help me".split()
    )
)
_MARKS = frozenset(".,;:!?\n\u2013\u2014-")


def as_complaints(acts: Sequence[Act], bench: Workbench) -> list[Act]:
    """Return the acts; one that complains of an agent's frequency as no deed, without the question what to do
    about it that stands behind it.
    """
    kept: list[Act] = []
    is_complaint = False
    for act in acts:
        if is_complaint and act.kind in _MAY_ASK_HELP and _only_asks_for_help(tokenise(act.clause.text)):
            continue
        is_complaint = act.kind in _MAY_COMPLAIN and _agent_of(act, bench) is not None
        kept.append(replace(act, kind=K.UNSURE, slots={}, is_doubted=False) if is_complaint else act)
    return kept


def offer(act: Act, bench: Workbench) -> Result | None:
    """Return the question on which days an agent shall run that comes too often; None for any other act."""
    agent = _agent_of(act, bench) if act.kind is K.UNSURE else None
    if agent is None or agent.schedule is None:
        return None
    about = agent_reference(agent)
    rarer = _rarer(agent.schedule)
    held = HeldAct(
        kind=K.CHANGE_AGENT, text=act.clause.text, things=((agent.id, agent.name),), slots={OFFERED: rarer}
    )
    question = AskedQuestion(asked=Asked.SLOTS, slots=("when",), waiting=(held,))
    runs = texts.schedule(agent.schedule, bench.turn.situation.time_zone)
    said = f"{rarer[:1].lower()}{rarer[1:]}" if rarer.startswith(("The ", "Daily ")) else rarer
    return Result(field_texts.less_often(agent.name, runs, said), about=about, question=question)


def _agent_of(act: Act, bench: Workbench) -> Agent | None:
    """Return the user's own agent of which an act only says that it comes too often."""
    if len(act.meant.things) != 1 or not _is_too_often(tokenise(act.clause.text)):
        return None
    agent = bench.agent(act.meant.things[0].id)
    is_own = agent is not None and agent.owner == bench.turn.caller.user
    return agent if is_own and agent is not None and agent.schedule is not None else None


def _is_too_often(tokens: Sequence[Token]) -> bool:
    """Return whether words say that something comes too often, and don't command what is wanted instead."""
    words = [token.word for token in tokens if token.is_word]
    triples = zip(words, words[1:], (*words[2:], ""), strict=False)
    is_much = not _OTHERWISE & set(words) and any(
        (one, two) in _MUCH or (one == "too" and _is_of_frequency(two, three, words))
        for one, two, three in triples
    )
    rest = [part for part in _parts(tokens) if not _only_asks_for_help(part)]
    return is_much and not any(_commands(part) for part in rest)


def _is_of_frequency(word: str, behind: str, words: Sequence[str]) -> bool:
    """Return whether what is too much is how often something comes, and not what it says."""
    if word in _OFTEN:
        return True
    if word == "many":
        return bool(_COMING & set(words))
    return word == "much" and (behind in _AROUND_MUCH or not behind)


_OFTEN = frozenset({"often", "frequent", "frequently"})
_COMING = frozenset("mails emails messages mail email times posts reports notifications".split())
_AROUND_MUCH = frozenset("for every each daily to now so and what if hmm on as".split())
_OTHERWISE = frozenset("cost costs costing expensive pricey says tells writes long".split())
_MUCH = frozenset({("bit", "much"), ("rather", "much"), ("little", "much"), ("way", "often")})


def _parts(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in _MARKS or token.word in {"so", "and", "but"}:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _commands(part: Sequence[Token]) -> bool:
    """Return whether a part asks for something, or says what is enough."""
    words = {token.word for token in part}
    is_change = any("change" in classes_of(word) or "pause" in classes_of(word) for word in words)
    return asks_for_something(part) or is_change or bool(words & _ENOUGH)


_ENOUGH = frozenset("enough plenty suffice suffices rather instead better only just".split())


def _only_asks_for_help(tokens: Sequence[Token]) -> bool:
    """Return whether words only ask what could be done: ``any ideas?``, ``what are my options``."""
    words = [token.word for token in tokens if token.is_word]
    return bool(words) and all(word in _OF_HELP for word in words)


def _rarer(schedule: Schedule) -> str:
    """Return a rarer schedule in words: once a week; of one that runs once a week, once a month."""
    timing = schedule.timing()
    first = Cron.parse(timing.crons[0])
    hour = min(first.hours) if len(first.hours) == 1 else _USUAL_HOUR
    minute = min(first.minutes) if len(first.minutes) == 1 else 0
    days = {day for cron in timing.crons for day in Cron.parse(cron).weekdays}
    is_daily = len(first.hours) == 1 and len(first.minutes) == 1
    if not is_daily and len(days) > 1:
        return describe(Timing((f"{minute} {hour} * * *",), timing.zone))
    rest = "* * 1" if len(days) > 1 else "1 * *"
    return describe(Timing((f"{minute} {hour} {rest}",), timing.zone))


_USUAL_HOUR = 9
