"""Corrections that only the values of the last change make plain: a former name, one of the recipients, the
title that was replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.dialogue.agent_acts import instructions
from agent.dialogue.agent_acts.dropped_recipients import short_names
from agent.dialogue.workbench import Workbench
from agent.handler_interface import TurnRequest
from agent.undo import Change, ChangeKind, ChangeRecord
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.after_deeds import OPENING
from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.references import find_name_place
from intent.acts.tokens import tokenise
from intent.times.reader import read_times
from intent.times.reading import Kind

K = ActKind
_AGAIN = frozenset("again back anyway".split())
_ALONE = frozenset({"only", "just", "alone"})
_AROUND_PLACE = frozenset("to the for it i we me don't dont need want it's please then there".split())
_MOST_WORDS = 10
_UNCLEAR = frozenset({K.NONE, K.UNSURE, K.SMALL_TALK, K.NO, K.YES, K.ANSWER, K.ADD_TASK, K.REMEMBER, K.PICK})


def as_corrected(acts: Sequence[Act], turn: TurnRequest, bench: Workbench) -> list[Act]:
    """Return the acts; in place of them what a short message corrects of the last change."""
    if turn.note.question is not None or turn.note.draft is not None or not acts:
        return list(acts)
    if (needed := instructions.as_needed(acts, turn)) is not None:
        return needed
    found = (
        _to_former_name(acts, turn)
        or _to_one_recipient(acts, turn, bench)
        or _to_both_titles(acts, turn)
        or _to_other_time(acts, turn)
        or _to_other_instruction(turn, bench)
    )
    return list(acts) if found is None else [found]


def _changes(turn: TurnRequest) -> Sequence[Change]:
    """Return what the newest reply changed; empty where that is stored beside its note."""
    stored = turn.note.changes
    return () if stored is None else ChangeRecord.model_validate(dict(stored)).changes


def _words(turn: TurnRequest) -> list[str]:
    return [token.word for token in tokenise(turn.message) if token.is_word]


def _to_former_name(acts: Sequence[Act], turn: TurnRequest) -> Act | None:
    """Return an undo for words that want the name again that the last change took: ``then parcels again``."""
    words = _words(turn)
    is_again = bool(_AGAIN & set(words)) or ("after", "all") in set(pairwise(words))
    present = {agent.name for agent in turn.situation.agents}
    for change in _changes(turn):
        former = change.former.get("name")
        is_free = isinstance(former, str) and former not in present
        if change.subject == "agent" and is_free and is_again and find_name_place(words, str(former)):
            return replace(acts[0], kind=K.UNDO, meant=Meant(), slots={}, confidence=1.0, is_doubted=False)
    return None


def _to_one_recipient(acts: Sequence[Act], turn: TurnRequest, bench: Workbench) -> Act | None:
    """Return the change to one of an agent's recipients, of which words say a part: ``ops only``."""
    about, words = turn.note.about, _words(turn)
    if about is None or about.kind != "agent" or len(words) > _MOST_WORDS or not _ALONE & set(words):
        return None
    agent = bench.agent(about.id)
    if agent is None or len(agent.delivery.recipients) < 2 or not {act.kind for act in acts} <= _MAY_NAME:
        return None
    named = [one for one in agent.delivery.recipients if set(short_names(one)) & set(words)]
    known = {name for one in agent.delivery.recipients for name in short_names(one)}
    rest = [word for word in words if word not in known | _ALONE | _AROUND_PLACE | LEADS | CORRECTIONS]
    if not named or len(named) == len(agent.delivery.recipients) or rest:
        return None
    place = Span(", ".join(named), 0, len(turn.message))
    meant = Meant(things=(Thing(agent.id, agent.name),), is_focus=True)
    return Act(K.CHANGE_AGENT, Span(place.text, 0, len(turn.message)), meant=meant, slots={"where": place})


_MAY_NAME = _UNCLEAR | {K.CHANGE_AGENT, K.SHOW_AGENT, K.UNSHARE_AGENT}


def _to_both_titles(acts: Sequence[Act], turn: TurnRequest) -> Act | None:
    """Return the task to add again whose title was just replaced by another one: ``actually both``."""
    words = [word for word in _words(turn) if word not in OPENING | _AROUND_PLACE]
    if words[:1] != ["both"] or len(words) > 3 or not {act.kind for act in acts} <= _UNCLEAR:
        return None
    for change in _changes(turn):
        former = change.former.get("title")
        if change.subject == "task" and change.kind is ChangeKind.CHANGED and isinstance(former, str):
            title = Span(former, 0, len(turn.message))
            return Act(K.ADD_TASK, Span(turn.message, 0, len(turn.message)), several=(title,))
    return None


def _to_other_instruction(turn: TurnRequest, bench: Workbench) -> Act | None:
    """Return the change of the instruction just given, of which words only give another number."""
    change = next((one for one in _changes(turn) if "instructions" in one.former), None)
    agent = None if change is None or len(_changes(turn)) > 1 else bench.agent(change.id)
    if agent is None or not agent.instructions:
        return None
    last = agent.instructions.splitlines()[-1]
    new = instructions.corrected(last, turn.message)
    if new is None:
        return None
    said = Span(new, 0, len(turn.message))
    meant = Meant(things=(Thing(agent.id, agent.name),), is_focus=True)
    slots = {"job": said, instructions.INSTEAD: Span(last, 0, len(turn.message))}
    return Act(K.CHANGE_AGENT, said, meant=meant, slots=slots)


def _to_other_time(acts: Sequence[Act], turn: TurnRequest) -> Act | None:
    """Return the change of the time just set, of which words only say that it was wrong, and another one:
    ``I misspoke; Tuesday``, ``ay sorry, 9:30pm``.
    """
    change = next((one for one in _changes(turn) if one.kind in _SETTING), None)
    if change is None or len(_changes(turn)) > 1 or not {act.kind for act in acts} <= _UNCLEAR - {K.ADD_TASK}:
        return None
    if change.kind is ChangeKind.CHANGED and not _TIMES & change.former.keys():
        return None
    when = _time_after_regret(turn)
    if when is None:
        return None
    slot, kind = ("due", K.CHANGE_TASK) if change.subject == "task" else ("when", K.CHANGE_AGENT)
    about = turn.note.about
    thing = Thing(change.id, about.name if about is not None and about.id == change.id else change.name)
    meant = Meant(things=(thing,), is_focus=True)
    return Act(kind, when, meant=meant, slots={slot: when})


def _time_after_regret(turn: TurnRequest) -> Span | None:
    """Return the words of a time that follow a regret, with hardly a word beside them; None without."""
    tokens = tokenise(turn.message)
    begin = 0
    while begin < len(tokens) and (not tokens[begin].is_word or tokens[begin].word in _REGRETTING):
        begin += 1
    said = {token.word for token in tokens[:begin]}
    end = next((place for place in range(begin, len(tokens)) if tokens[place].text in _MARKS), len(tokens))
    if not said & _REGRETS or begin == end:
        return None
    words = turn.message[tokens[begin].start : tokens[end - 1].end]
    situation = turn.situation
    readings = read_times(words, now=situation.now, zone=situation.time_zone, was=situation.now)
    spans = [span for one in readings for span in one.spans if one.kind is not Kind.PERIOD]
    rest = [
        token
        for token in tokenise(words)
        if token.is_word and not any(first <= token.start < last for first, last in spans)
    ]
    if not spans or len(rest) > 1:
        return None
    return Span(words, tokens[begin].start, tokens[end - 1].end)


_SETTING = frozenset({ChangeKind.CREATED, ChangeKind.CHANGED})
_TIMES = frozenset({"schedule", "due_date", "due_at", "repeat"})
_REGRETS = frozenset(
    "sorry misspoke mistake oops apologies meant correction mistyped typo wrong pardon".split()
)
_REGRETTING = (
    _REGRETS
    | CORRECTIONS
    | LEADS
    | frozenset("i my mean ay ah oh was that's it's its should be is make it that at on for beg your".split())
)
_MARKS = frozenset(",.;!?")
