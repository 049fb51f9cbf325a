"""Examples that were suggested to somebody who didn't know what to ask for: which of them they take.

A suggestion asks for nothing, so it limits no answer: what chooses none of the examples is read as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from agent.dialogue.agent_acts.sources import named_source
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.handler_interface import TurnRequest
from conversation.messages.models import Reference, Role
from intent.acts.act import Act, ActKind, Span, Thing
from intent.acts.answers import AGREEING
from intent.acts.clauses import Clause
from intent.acts.lexicon import ASKING_YOU, LEADS, QUESTION_WORDS
from intent.acts.list_places import by_place
from intent.acts.references import find_meant
from intent.acts.requests import has_question
from intent.acts.scene import Asked
from intent.acts.tokens import Token, tokenise

K = ActKind
_MAY_TAKE = frozenset(
    {
        K.NONE, K.PICK, K.UNSURE, K.SMALL_TALK, K.YES, K.ANSWER, K.CREATE_AGENT, K.REMEMBER, K.CONNECT,
        K.RECALL, K.NO, K.CHANGE_AGENT, K.ASK_PRODUCT,
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


def _asks_for_it(tokens: Sequence[Token]) -> bool:
    """Return whether words ask to do something: ``do the first one``, ``could you do the check-ups``."""
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    is_done = words[:1] == ["do"] and bool(_CHOSEN & set(words))
    return (is_done or tuple(words[:2]) in ASKING_YOU) and not QUESTION_WORDS & set(words)


_CHOSEN = frozenset("one first second it that former latter".split())


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
    is_aside = not _asks_for_it(tokens) and any(act.kind is K.ASK_PRODUCT for act in acts)
    if (
        "?" in message
        or is_aside
        or len(tokens) > _MOST_WORDS
        or any(act.kind not in _MAY_TAKE for act in acts)
    ):
        return acts
    options = tuple(Thing(one.id, one.name) for one in asked.options)
    is_wanted = _asks_for_it(tokens)
    if has_question(tokens) and not is_wanted:
        return acts
    chosen = by_place(tokens, options, is_list=False)
    if not chosen and (is_wanted or _LIKING & {token.word for token in tokens}):
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


def still_open(acts: Sequence[Act], stored: Mapping[str, JsonValue] | None) -> list[Result]:
    """Return the examples of the last reply, as its note has them, as what still may be taken after acts that
    only ask something in between; none after any other.
    """
    asked = AskedQuestion.of(stored)
    is_open = asked is not None and asked.is_suggestion and all(act.kind in _ASIDES for act in acts)
    return [Result("", question=asked)] if is_open else []


_ASIDES = frozenset({K.ASK_PRODUCT, K.ASK_WORLD, K.SHOW_POLICY, K.CLOCK, K.SUM})
