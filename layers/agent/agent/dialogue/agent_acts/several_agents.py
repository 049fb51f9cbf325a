"""What a message that asks for several new agents says of all of them: ``both to #sales``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Span
from intent.acts.tokens import tokenise

_ALL = frozenset({"both", "all", "each", "either"})
_NEAR = 4


def with_shared_places(acts: Sequence[Act]) -> list[Act]:
    """Return the acts, where new agents without a place for their results have the one said of all."""
    new = [act for act in acts if act.kind is ActKind.CREATE_AGENT]
    shared = next((act.slots["where"] for act in new if _is_of_all(act)), None)
    if len(new) < 2 or shared is None:
        return list(acts)
    return [_with_place(act, shared) if act in new and "where" not in act.slots else act for act in acts]


def _with_place(act: Act, place: Span) -> Act:
    return replace(act, slots={**act.slots, "where": place})


def _is_of_all(act: Act) -> bool:
    """Return whether a word such as ``both`` stands before the place for results."""
    if "where" not in act.slots:
        return False
    before = [token.word for token in tokenise(act.clause.text) if token.start < _start(act)]
    return bool(_ALL & set(before[-_NEAR:]))


def _start(act: Act) -> int:
    return act.slots["where"].start - act.clause.start
