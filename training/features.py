"""Preparation of exemplars: the features that don't depend on a fit, computed once for all folds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intent.classifier.context_features import plain_context_features, read_answered
from intent.classifier.features import message_features, read_written
from intent.rules.scoring import apply_rules, score
from training.corpus import Exemplar
from training.matrix import Row, to_row

_MOVED = 4
"""One in this many messages without a history is also trained on as if it were in a conversation."""


@dataclass(frozen=True, slots=True)
class PreparedExemplar:
    """An exemplar with its features.

    ``seen`` has the features of its text. When it follows other messages, ``around`` has those of the other
    texts by part, and ``unjudged`` the context features that need no judgement. ``moved`` is the exemplar
    moved into the conversation of another exemplar of the same author, whose case id is its ``host``.
    """

    exemplar: Exemplar
    text_row: Row
    context_rows: Mapping[str, Row]
    unjudged_row: Row
    transplanted: PreparedExemplar | None = None
    host: str = ""

    @property
    def is_later(self) -> bool:
        """Whether it follows other messages."""
        return bool(self.exemplar.case.history)


def prepare_exemplars(among: Sequence[Exemplar]) -> list[PreparedExemplar]:
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
        ready.append(replace(_prepared(one), transplanted=moved))
    return ready


def _moved(one: Exemplar, host: Exemplar) -> PreparedExemplar:
    case = replace(one.case, history=host.case.history)
    return replace(_prepared(replace(one, case=case)), host=host.case.id)


def _prepared(one: Exemplar) -> PreparedExemplar:
    situation = one.case.situation()
    own = apply_rules(situation).own_score
    answered = read_answered(situation, own)
    seen = to_row(message_features(answered.written, own))
    if not situation.history:
        return PreparedExemplar(one, seen, {}, to_row({}))
    around = {
        part: to_row(message_features(read_written(text), score(text)))
        for part, text in answered.texts.items()
    }
    return PreparedExemplar(one, seen, around, to_row(plain_context_features(answered)))
