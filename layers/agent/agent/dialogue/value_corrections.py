"""Corrections that only the values of the last change make plain: a former name, one of the recipients, the
title that was replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.dialogue.workbench import Workbench
from agent.handler_interface import TurnRequest
from agent.undo import Change, ChangeKind, ChangeRecord
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.after_deeds import OPENING
from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.references import find_name_place
from intent.acts.tokens import tokenise

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
    found = _to_former_name(acts, turn) or _to_one_recipient(acts, turn, bench) or _to_both_titles(acts, turn)
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
    named = [one for one in agent.delivery.recipients if set(_short_names(one)) & set(words)]
    known = {name for one in agent.delivery.recipients for name in _short_names(one)}
    rest = [word for word in words if word not in known | _ALONE | _AROUND_PLACE | LEADS | CORRECTIONS]
    if not named or len(named) == len(agent.delivery.recipients) or rest:
        return None
    place = Span(", ".join(named), 0, len(turn.message))
    meant = Meant(things=(Thing(agent.id, agent.name),), is_focus=True)
    return Act(K.CHANGE_AGENT, Span(place.text, 0, len(turn.message)), meant=meant, slots={"where": place})


_MAY_NAME = _UNCLEAR | {K.CHANGE_AGENT, K.SHOW_AGENT, K.UNSHARE_AGENT}


def _short_names(recipient: str) -> Iterator[str]:
    """Yield what people call an address: all of it, what is before its ``@``, a room without its mark."""
    name = recipient.lower()
    yield name
    if "@" in name:
        local = name.partition("@")[0]
        yield local
        yield from local.split(".")
    elif name.startswith("#"):
        yield name[1:]


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
