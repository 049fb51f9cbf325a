"""A yes that names a thing: what was asked about, another thing instead, or one more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue.act_kinds import ON_AGENTS
from agent.dialogue.held_acts import AskedQuestion
from agent.handler_interface import TurnRequest
from intent.acts.act import Act, ActKind, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise

K = ActKind
_AGREEING = frozenset("yes yeah yep yup ya sure ok okay okey correct exactly right please".split())
_REFUSING = frozenset("no nope but again".split())
_MORE = frozenset("and also too plus well".split())
_NAMING = frozenset("only just the that this one it them agent agents as".split())


def as_named(acts: Sequence[Act], asked: AskedQuestion | None, turn: TurnRequest) -> Sequence[Act]:
    """Return the acts of an answer that says a yes and a name, as what the name makes of the yes."""
    if asked is None or asked.asked is not Asked.CONFIRM or len(asked.waiting) != 1:
        return acts
    held = asked.waiting[0]
    if held.kind not in ON_AGENTS or len(held.things) != 1:
        return acts
    tokens = tokenise(turn.message)
    words = [token.word for token in tokens if token.is_word]
    known = [Thing(one.id, one.name) for one in turn.situation.agents]
    if "?" in turn.message or not _only_names(words, known):
        return acts
    named = find_meant(Clause(turn.message, tokens), known)
    answer = Act(K.YES, Span(turn.message, 0, len(turn.message)))
    if not named.things:
        return [answer] if "one" in words else acts
    if {thing.id for thing in named.things} == {held.things[0][0]}:
        return [answer]
    if held.things[0][0] in {thing.id for thing in named.things}:
        return acts
    if _MORE & set(words):
        return [answer, replace(held.to_act(), meant=named)]
    return [replace(answer, kind=K.PICK, meant=named)]


def _only_names(words: Sequence[str], known: Sequence[Thing]) -> bool:
    """Return whether words agree, and say nothing else but names."""
    names = {part for thing in known for part in (*name_parts(thing.name), thing.name.lower())}
    said = set(words)
    agrees = bool(_AGREEING & set(words[:2])) and not said & _REFUSING
    return agrees and bool(said - LEADS) and said <= LEADS | _NAMING | _MORE | names
