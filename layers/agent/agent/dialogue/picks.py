"""Answers to "which one?": the option that an answer picks, and the question again where it picks none."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import texts
from agent.dialogue.held_acts import OFFERED, AskedQuestion
from agent.dialogue.result import Result
from agent.templates import agent_texts
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.meant_things import chosen_first
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise
from intent.entities.answers import parse_pick
from intent.regular_expressions import straighten_quotes


def picked(act: Act, options: Sequence[Thing]) -> Meant:
    """Return the option that an answer names in any way."""
    tokens = tokenise(act.clause.text)
    if act.kind is ActKind.YES and len(options) == 1:
        return Meant(things=tuple(options))  # ``Do you mean that one?``
    if not tokens:
        return Meant()
    clause = Clause(act.clause.text, tokens)
    found = find_meant(clause, options, listed=options)
    return (chosen_first(clause, options) if len(found.things) > 1 else None) or found


def is_beyond(act: Act, asked: AskedQuestion | None) -> bool:
    """Return whether an act is only a number or a name, and the question has no option with it."""
    if asked is None or asked.asked is not Asked.WHICH or act.kind is ActKind.PICK:
        return False
    if only_names(act):
        return True
    place = parse_pick(straighten_quotes(act.clause.text))
    return place is not None and not 0 < abs(place) <= len(asked.options)


def only_names(act: Act) -> bool:
    """Return whether the words of an act are the name of an agent, and no more."""
    if act.kind not in {ActKind.RUN_AGENT, ActKind.SHOW_AGENT} or len(act.meant.things) != 1:
        return False
    name = act.meant.things[0].name
    said = {token.word for token in tokenise(act.clause.text) if token.is_word}
    return said <= {name.lower(), *name_parts(name)}


def completes(act: Act, asked: AskedQuestion | None) -> bool:
    """Return whether an act gives what was asked for about a deed of its kind, and names nothing else."""
    if asked is None or asked.asked is not Asked.SLOTS or len(asked.waiting) != 1:
        return False
    held = asked.waiting[0]
    return held.kind is act.kind and bool(held.things) and bool(act.slots) and not act.meant.things


def is_no_value(asked: AskedQuestion) -> bool:
    """Return whether a yes only agrees to what was asked for, and is no title itself."""
    return asked.waiting[0].kind is ActKind.CHANGE_AGENT or asked.slots == ("title",)


def with_offered(asked: AskedQuestion) -> AskedQuestion:
    """Return the question as a yes leaves it: what waits has the time that was offered, if one was."""
    held, *rest = asked.waiting
    if offered := held.slots.get(OFFERED):
        held = held.model_copy(update={"slots": {**held.slots, "when": offered}, "text": offered})
    return asked.model_copy(update={"waiting": (held, *rest)})


def ask_again(asked: AskedQuestion) -> Result:
    """Return the question again, after an answer that picks none of its options."""
    names = [f"“{one.name}”" if one.kind == "task" else one.name for one in asked.options]
    again = asked.model_copy(update={"misses": asked.misses + 1})
    if len(asked.waiting) > 1:
        return Result(agent_texts.numbered_options(texts.not_among_options(), names), question=again)
    return Result(texts.which_agent(texts.verb_of(asked.waiting[0].kind), names), question=again)
