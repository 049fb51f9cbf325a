"""Preparation of exemplars: the features that don't depend on a fit, computed once for all folds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intent.classifier.context_features import texts_before, unjudged
from intent.classifier.features import alone
from intent.rules.scoring import evidence, read
from training.corpus import Exemplar
from training.matrix import Row, row

_MOVED = 4
"""One in this many messages without a history is also trained on as if it were in a conversation."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An exemplar with its features.

    ``seen`` has the features of its text. When it follows other messages, ``around`` has those of the other
    texts by part, and ``unjudged`` the context features that need no judgement. ``moved`` is the exemplar
    moved into the conversation of another exemplar of the same author, whose case id is its ``host``.
    """

    exemplar: Exemplar
    seen: Row
    around: Mapping[str, Row]
    unjudged: Row
    moved: Prepared | None = None
    host: str = ""

    @property
    def is_later(self) -> bool:
        """Whether it follows other messages."""
        return bool(self.exemplar.case.history)


def prepared(among: Sequence[Exemplar]) -> list[Prepared]:
    """Return all exemplars with their features, in the same order."""
    hosts, met = defaultdict[str, list[Exemplar]](list), defaultdict[str, int](int)
    for one in among:
        if one.case.history:
            hosts[one.author].append(one)
    ready = []
    for one in among:
        mine, count = hosts[one.author], met[one.author]
        if one.case.history:
            ready.append(_prepared(one))
            continue
        met[one.author] += 1
        is_moved = mine and count % _MOVED == 1
        moved = _moved(one, mine[count // _MOVED % len(mine)]) if is_moved else None
        ready.append(replace(_prepared(one), moved=moved))
    return ready


def _moved(one: Exemplar, host: Exemplar) -> Prepared:
    case = replace(one.case, history=host.case.history)
    return replace(_prepared(replace(one, case=case)), host=host.case.id)


def _prepared(one: Exemplar) -> Prepared:
    situation = one.case.situation()
    own = evidence(situation).own
    seen = row(alone(situation.message, own))
    if not situation.history:
        return Prepared(one, seen, {}, row({}))
    around = {part: row(alone(text, read(text))) for part, text in texts_before(situation).items()}
    return Prepared(one, seen, around, row(unjudged(situation, own)))
