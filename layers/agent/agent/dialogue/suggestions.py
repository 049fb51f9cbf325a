"""Examples that were suggested to somebody who didn't know what to ask for: which of them they take.

A suggestion asks for nothing, so it limits no answer: what chooses none of the examples is read as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue.agent_acts.sources import named_source
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.handler_interface import TurnRequest
from conversation.messages.models import Reference, Role
from intent.acts.act import Act, ActKind, Span, Thing
from intent.acts.answers import AGREEING
from intent.acts.clauses import Clause
from intent.acts.list_places import by_place
from intent.acts.references import find_meant
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise

K = ActKind
_MAY_TAKE = frozenset(
    {
        K.NONE, K.PICK, K.UNSURE, K.SMALL_TALK, K.YES, K.ANSWER, K.CREATE_AGENT, K.REMEMBER, K.CONNECT,
        K.RECALL, K.NO, K.CHANGE_AGENT,
    }
)  # fmt: skip
"""The kinds that words which take an example may be read as."""
_MOST_WORDS = 24
_LIKING = AGREEING | frozenset({"nearer", "nearest", "closer", "closest", "like", "love", "first", "rather"})
_TAKEN = ("when", "where", "source", "name")
"""The slots of a message that complete what was chosen."""


def suggested(source: str, examples: Sequence[str]) -> AskedQuestion:
    """Return examples of what an agent could do as a question to be remembered; ``source``: empty, or where
    all of them read.
    """
    waiting = tuple(_request(example, source) for example in examples)
    options = tuple(Reference(kind="option", id=str(place), name=one) for place, one in enumerate(examples))
    return AskedQuestion(asked=Asked.WHICH, waiting=waiting, options=options, is_suggestion=True)


def _asks_for_own(act: Act) -> bool:
    """Return whether an act asks for an agent of its own, with what it reads and when or where to."""
    is_timed = bool({"when", "where"} & act.slots.keys())
    return act.kind is K.CREATE_AGENT and is_timed and bool(named_source(act.clause.text))


def _request(example: str, source: str) -> HeldAct:
    """Return the request for an agent that does what an example says: ``every Monday, list the leaks``."""
    when, mark, job = example.partition(", ")
    job = (job if mark else example).replace("tell you", "tell me").replace("warn you", "warn me")
    slots = {"job": job, **({"when": when} if mark else {}), **({"source": source} if source else {})}
    return HeldAct(kind=K.CREATE_AGENT, text=f"{when}, {job}" if mark else job, slots=slots)


def as_chosen(acts: Sequence[Act], asked: AskedQuestion, turn: TurnRequest) -> Sequence[Act]:
    """Return the acts; the request for what an example says, where the message takes that one."""
    message = turn.message
    tokens = tokenise(message)
    if "?" in message or len(tokens) > _MOST_WORDS or any(act.kind not in _MAY_TAKE for act in acts):
        return acts
    options = tuple(Thing(one.id, one.name) for one in asked.options)
    chosen = by_place(tokens, options, is_list=False)
    if not chosen and _LIKING & {token.word for token in tokens}:
        chosen = find_meant(Clause(message, tokens), options).things
    if not chosen and "other" in {token.word for token in tokens}:
        left = tuple(one for one in options if one.name not in turn.situation.last_text(Role.ASSISTANT))
        chosen = left if len(left) < len(options) else ()
    if len(chosen) != 1 or any(_asks_for_own(one) for one in acts):
        return acts
    act = asked.waiting[int(chosen[0].id)].to_act()
    said = {name: one.slots[name].text for one in acts for name in _TAKEN if name in one.slots}
    slots = {
        **act.slots,
        **{name: Span(text, 0, len(text)) for name, text in said.items() if text != message},
    }
    return [replace(act, slots=slots)]
