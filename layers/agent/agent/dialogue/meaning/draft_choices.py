"""Answers that name one of the times a new agent was left open between: ``b it is``, ``the second one``."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.handler_interface import TurnRequest
from conversation.messages.models import Role
from intent.acts.act import Act, ActKind, Span
from intent.acts.lexicon import LEADS
from intent.acts.tokens import tokenise
from intent.acts.told_systems import systems_in

_LABELS = tuple(
    frozenset(names.split())
    for names in ("a 1 1st first former", "b 2 2nd second latter", "c 3 3rd third", "d 4 4th fourth")
)
_AROUND = LEADS | frozenset(
    "it is it's that's the option one let's take go with i'd i we prefer choose pick like do make that for me"
    " would will want better".split()
)


def as_chosen(acts: Sequence[Act], turn: TurnRequest) -> Sequence[Act]:
    """Return the acts; the time that is meant instead, where the message only says which one it is."""
    draft = turn.note.draft
    new = NewAgent.of(draft) if draft and "brief" in draft else None
    options = new.options if new is not None else ()
    if not options:
        is_asked = new is not None and "source" in new.asked
        return _source_chosen(acts, turn) if is_asked else acts
    said = [token.word for token in tokenise(turn.message) if token.is_word and token.word not in _AROUND]
    places = [place for place, names in enumerate(_LABELS[: len(options)]) if set(said) <= names]
    if len(said) != 1 or len(places) != 1:
        return acts
    chosen = options[places[0]]
    span = Span(chosen, 0, len(chosen))
    return [Act(ActKind.ANSWER, span, slots={"when": span})]


def _source_chosen(acts: Sequence[Act], turn: TurnRequest) -> Sequence[Act]:
    """Return the acts; the system that is meant instead, where the message says which it is of the two that
    the message before named: ``the latter. Shopify is a day behind``.
    """
    systems = systems_in(turn.situation.last_text(Role.USER))
    tokens = tokenise(turn.message)
    end = next((at for at, token in enumerate(tokens) if token.text in _ENDS), len(tokens))
    said = {token.word for token in tokens[:end] if token.is_word and token.word not in _AROUND - {"first"}}
    places = [place for place, names in enumerate(_LABELS[: len(systems)]) if said and said <= names]
    if len(systems) < 2 or len(places) != 1:
        return acts
    name = systems[places[0]]
    span = Span(name, 0, len(name))
    return [Act(ActKind.ANSWER, span, slots={"source": span})]


_ENDS = frozenset(".!;,")
