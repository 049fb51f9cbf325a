"""The sentences that tell an agent how to do its work: as they are kept, and put right by a later message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.handler_interface import TurnRequest
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.lexicon import CORRECTIONS, LEADS, POINTERS, classes_of
from intent.acts.tokens import Token, tokenise
from intent.regular_expressions import LazyPattern

INSTEAD = "instead"
"""The slot of the instruction that another one replaces; empty: it is one more."""
_JOINING = frozenset(
    "and but so oh ok okay then well please yes super great perfect nice cool lovely brilliant thanks".split()
)
_OPENING = (
    CORRECTIONS | LEADS | frozenset("i mean meant make that it should be say sorry wait rather".split())
)
_CLOSING = frozenset("rather instead please thanks then better".split())
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LIMITS = (
    ("less", "than"), ("more", "than"), ("fewer", "than"), ("at", "least"), ("at", "most"), ("under",),
    ("below",), ("over",), ("above",),
)  # fmt: skip
_WISHING = frozenset("need needs want wants should like".split())
_LIMITING = frozenset({"only", "just"})
_FARTHEST_WISH = 8


_OPENING_REMARK = LazyPattern(
    r"(?i)\W*(?:(?:good|great|fine|ok|okay|thanks|thank you|perfect|nice|lovely|cool|super|right|well)\W+)"
    r"{0,3}(?:(?:and |oh |also )?(?:one|another|a) (?:more |last |final |other |further )?"
    r"(?:thing|point|remark|wish)(?: (?:please|though|about it))?\s*[,:;.\u2013\u2014-]\s*)?"
)


def as_kept(words: str) -> str:
    """Return an instruction without the words that only join it to what was said before."""
    opening = _OPENING_REMARK.match(words)
    words = words[opening.end() :] if opening is not None else words
    tokens = list(tokenise(words))
    while tokens and (tokens[0].word in _JOINING or not tokens[0].is_word):
        tokens = tokens[1:]
    return " ".join(words[tokens[0].start :].split()) if tokens else " ".join(words.split())


def named_as_one(act: Act) -> Act:
    """Return an act whose words say that they are an instruction with that alone; any other as it is:
    ``add an instruction: keep it short``.
    """
    found = _NAMED.search(act.clause.text) if INSTEAD not in act.slots else None
    if found is None:
        return act
    start = act.clause.start + found.start("told")
    words = Span(found["told"].strip(), start, start + len(found["told"]))
    return replace(act, clause=words, slots={"job": words, INSTEAD: Span("", 0, 0)})


_NAMED = LazyPattern(r"(?i)\binstructions?\s*[:\u2013\u2014]\s*(?P<told>\S.*)")


def corrected(last: str, message: str) -> str | None:
    """Return the last instruction with the other number that a short message gives: ``no, under 15``."""
    tokens = [token for token in tokenise(message) if token.is_word]
    said = next((at for at, token in enumerate(tokens) if token.word not in _OPENING), len(tokens))
    rest = tokens[said:]
    while rest and rest[-1].word in _CLOSING:
        rest = rest[:-1]
    at, old = _number_in(rest), tokenise(last)
    place = _number_in(old)
    if at is None or place is None:
        return None
    limit, former = _limit_before(rest, at), _limit_before(old, place)
    known = {token.word for token in old}
    is_whole = len(limit) == at and all(token.word in known for token in rest[at + 1 :])
    if not is_whole or not (said or limit) or (limit and not former):
        return None
    start = old[place - len(former)].start if limit else old[place].start
    new = message[rest[0].start : rest[at].end] if limit else rest[at].text
    return f"{last[:start]}{new}{last[old[place].end :]}"


def _number_in(tokens: Sequence[Token]) -> int | None:
    """Return the place of the only number; None where there is none, or another one."""
    found = [at for at, token in enumerate(tokens) if any(mark.isdigit() for mark in token.text)]
    return found[0] if len(found) == 1 and _NUMBER.fullmatch(tokens[found[0]].text) else None


def _limit_before(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    """Return the words that make a limit of the number at a place; empty when there are none."""
    words = tuple(token.word for token in tokens[:at])
    return next((limit for limit in _LIMITS if words[-len(limit) :] == limit), ())


def as_needed(acts: Sequence[Act], turn: TurnRequest) -> list[Act] | None:
    """Return the change of an agent that does something, of which a message says what is needed instead, and
    asks for that change: ``parcels lists all, but we only need the late ones. Could you change that?``
    """
    named = [card for card in turn.own_agents() if card.name.lower() in turn.message.lower()]
    tokens = tokenise(turn.message)
    if len(named) != 1 or not acts or not _asks_for_change(tokens):
        return None
    need = _need(tokens)
    if not need:
        return None
    words = Span(turn.message[need[0].start : need[-1].end], need[0].start, need[-1].end)
    meant = Meant(things=(Thing(named[0].id, named[0].name),))
    return [Act(ActKind.CHANGE_AGENT, words, meant=meant, slots={"job": words, INSTEAD: Span("", 0, 0)})]


def _asks_for_change(tokens: Sequence[Token]) -> bool:
    """Return whether the last sentence asks to change "that", and says nothing more of it."""
    ends = [at for at, token in enumerate(tokens[:-1]) if token.text in ".;!?"]
    last = [token.word for token in tokens[ends[-1] + 1 :] if token.is_word] if ends else []
    change = next((at for at, word in enumerate(last) if "change" in classes_of(word)), None)
    if change is None or last[change + 1 : change + 2] == []:
        return False
    return last[change + 1] in POINTERS and set(last) - {last[change]} <= _AROUND_CHANGE


_AROUND_CHANGE = POINTERS | LEADS | frozenset("can could would will you for me us please".split())


def _need(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words behind ``but`` up to the end of the sentence, where they say what alone is needed."""
    begin = next((at + 1 for at, token in enumerate(tokens) if token.word == "but"), len(tokens))
    end = next((at for at in range(begin, len(tokens)) if tokens[at].text in ".;!?"), len(tokens))
    words = [token.word for token in tokens[begin:end]]
    is_wish = bool(_WISHING & set(words[:_FARTHEST_WISH])) and bool(_LIMITING & set(words))
    return tokens[begin:end] if is_wish else ()
