"""Reads a message with learned weights: where its acts begin, their kinds, and the spans of their slots."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from intent.acts.act import ActKind, Span
from intent.acts.commands import (
    begins_command,
    begins_on_another,
    changes_named,
    continues_command,
    follows_command,
    is_within_names,
)
from intent.acts.learned import kind_features, span_features, weight_tables
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.learned.segmentation import find_cuts
from intent.acts.learned.weight_tables import ActWeights, ActWeightsInvalid
from intent.acts.lexicon import REPORTS
from intent.acts.plain_answers import ends_reply, read_answer
from intent.acts.references import begins_restriction
from intent.acts.scene import Scene

LOG = logging.getLogger("omniforge.intent")
FILLER, PART, SEVERAL = "filler", "part", "several"
"""Labels that are no kinds: a greeting before a request, a part of an act, several acts in one."""
OUTSIDE = "O"
_SURELY_NONE = 0.04
_TOO_FAR = log(0.05)
"""No act is looked for that would run over a cut, or several, with less than this probability."""
_AT_LEAST = 0.1
"""How probable it is at least that an act begins after the end of a sentence."""
_AT_COMMAND = 0.8
"""The same for a command in plain form."""
_CERTAIN = 0.999
"""The same for a command that can only be another one."""
_PLAIN_ANSWER = 0.9
"""How probable an answer in plain form is at least."""
_REPLIES = frozenset({ActKind.YES, ActKind.NO})
_NO_ACTS = frozenset({None, ActKind.SMALL_TALK, ActKind.NONE})
_SENTENCE_ENDS = frozenset(".!?;…")
_MOST_NODES = 7
_LEAST = 1e-6
_TRUST, _DISBELIEVED = 0.5, 0.02
"""How much another reading counts beside our own. Chosen on authors that no weights were trained on."""
_MOST_RANKED = 3
_MOST_TOKENS = 80
_FORBIDDEN = -1e4


class RankedKind(NamedTuple):
    """A kind of act and how probable it is; None: no act of its own, such as a greeting before a request."""

    kind: ActKind | None
    probability: float


class Belief(NamedTuple):
    """The kinds that another reading of the whole message allows, and how probable it takes them to be."""

    kinds: frozenset[ActKind]
    probability: float

    def weight(self, kind: ActKind | None) -> float:
        """Return by how much the kind is to be believed; a kind that is not allowed is still possible."""
        probability = self.probability if kind in self.kinds else 1 - self.probability
        return float(max(probability, _DISBELIEVED) ** _TRUST)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a message that is one act: its tokens from ``start`` to ``end``, kinds best first."""

    start: int
    end: int
    ranked: tuple[RankedKind, ...]

    @property
    def kind(self) -> ActKind | None:
        """Return the likeliest kind."""
        return self.ranked[0].kind


class _Stretch(NamedTuple):
    """A stretch that may be one act, before its kinds are ranked: most of them are on no best path."""

    start: int
    end: int
    chances: Sequence[float]
    """The probability of each label, the kinds of acts and others."""
    answer: ActKind | None
    """What it answers in plain form; None: it is no such answer."""
    probability: float
    """That of its likeliest kind."""


class ActModel:
    """The learned models of boundaries, kinds and spans."""

    def __init__(self, weights: ActWeights) -> None:
        self._weights = weights
        self._wholes = tuple(
            (place, label, _kind(label))
            for place, label in enumerate(weights.kinds.labels)
            if label not in (PART, SEVERAL)
        )
        labels = weights.spans.labels
        self._label_at = {label: place for place, label in enumerate(labels)}
        self._allowed = {
            kind: tuple(
                place for place, label in enumerate(labels) if label == OUTSIDE or label[2:] in set(slots)
            )
            for kind, slots in weights.settings["slots"].items()
        }

    def split(self, marked: MarkedMessage, scene: Scene, belief: Belief | None = None) -> tuple[Segment, ...]:
        """Return the acts of a message in order; together they cover all its tokens.

        ``belief`` counts where the message has one act, its user has no agents that it may be about, and
        nothing was talked about or asked before.
        """
        if not marked.tokens:
            return ()
        around = kind_features.scene_features(scene)
        nodes, chances = self._nodes(marked, scene, around)
        best: list[tuple[float, tuple[_Stretch, ...]]] = [(0.0, ())]
        for end in range(1, len(nodes)):
            ways = []
            inner = 0.0
            for start in range(end - 1, -1, -1):
                stretch = self._stretch(marked, nodes[start], nodes[end], scene, around)
                score, path = best[start]
                total = score + log(stretch.probability) + inner + log(chances[end])
                ways.append((total, (*path, stretch)))
                inner += log(max(_LEAST, 1 - chances[start]))
                if inner < _TOO_FAR:
                    break
            best.append(max(ways, key=lambda way: way[0]))
        found = tuple(_with_joined_replies(map(self._ranked, best[-1][1])))
        if belief is not None and scene.question is None and not (scene.focus_kind or scene.agents):
            found = _believed(found, belief)
        return tuple(replace(one, ranked=one.ranked[:_MOST_RANKED]) for one in found)

    def _nodes(
        self, marked: MarkedMessage, scene: Scene, around: Sequence[str]
    ) -> tuple[list[int], list[float]]:
        """Return the places where acts may begin, with the message's end, and how probable each is."""
        tokens = marked.tokens
        cuts = find_cuts(tokens)
        edges = [0, *cuts, len(tokens)]
        heat = self._weights.settings["boundary_temperature"]
        found = []
        for before, cut, after in zip(edges, edges[1:], edges[2:], strict=False):
            if is_within_names(tokens, cut) or begins_restriction([one.token for one in tokens], cut):
                continue
            if tokens[cut - 1].token.word in REPORTS:
                continue  # ``a task that says pause parcels`` commands nothing
            groups = kind_features.boundary_features(tokens, before, cut, after, around)
            keep, begin = self._weights.boundaries.totals(groups)
            chance = 1 / (1 + exp(max(-50.0, min(50.0, (keep - begin) / heat))))
            chance = max(chance, _least_chance(tokens, cut, is_asked=scene.question is not None))
            if chance > _SURELY_NONE:
                found.append((chance, cut))
        kept = sorted(sorted(found, reverse=True)[: _MOST_NODES - 2], key=lambda one: one[1])
        return [0, *(cut for _, cut in kept), len(tokens)], [1.0, *(chance for chance, _ in kept), 1.0]

    def _stretch(
        self, marked: MarkedMessage, start: int, end: int, scene: Scene, around: Sequence[str]
    ) -> _Stretch:
        totals = self._weights.kinds.totals(
            kind_features.act_features(marked.tokens, start, end, scene, around)
        )
        chances = _softmax(totals, self._weights.settings["kind_temperature"])
        answer = read_answer(marked.tokens[start:end], scene)
        likeliest = max(chances[place] for place, _, _ in self._wholes)
        return _Stretch(start, end, chances, answer, likeliest if answer is None else _PLAIN_ANSWER)

    def _ranked(self, stretch: _Stretch) -> Segment:
        """Return a stretch as a segment with its kinds, best first."""
        whole = sorted(
            ((stretch.chances[place], label, kind) for place, label, kind in self._wholes), reverse=True
        )
        ranked = [RankedKind(kind, chance) for chance, _, kind in whole]
        if stretch.answer is not None:
            others = [one for one in ranked if one.kind is not stretch.answer]
            ranked = [RankedKind(stretch.answer, _PLAIN_ANSWER), *others]
        return Segment(stretch.start, stretch.end, tuple(ranked))

    def tag(
        self, marked: MarkedMessage, start: int, end: int, kind: ActKind
    ) -> Mapping[str, tuple[Span, ...]]:
        """Return the spans of the slots of an act of this kind, each slot's in order."""
        found: dict[str, tuple[Span, ...]] = {}
        for slot, first, last in self.tag_tokens(marked, start, end, kind):
            low, high = marked.tokens[first].token.start, marked.tokens[last - 1].token.end
            found[slot] = (*found.get(slot, ()), Span(marked.text[low:high], low, high))
        return found

    def tag_tokens(
        self, marked: MarkedMessage, start: int, end: int, kind: ActKind
    ) -> tuple[tuple[str, int, int], ...]:
        """Return the slots of an act with the tokens that fill them, from the first to behind the last."""
        end = min(end, start + _MOST_TOKENS)
        allowed = self._allowed.get(kind, ())
        if len(allowed) < 2 or start >= end:
            return ()
        features = span_features.token_features(marked.tokens, start, end, kind)
        scores = [self._weights.spans.totals([(1.0, names)]) for names in features]
        labels = self._best_labels(scores, allowed)
        return tuple((slot, start + first, start + last + 1) for slot, first, last in _spans(labels))

    def _best_labels(self, scores: Sequence[Sequence[float]], allowed: Sequence[int]) -> list[str]:
        """Return the best sequence of labels (Viterbi), among those that are allowed."""
        labels, moves = self._weights.spans.labels, self._moves
        best = {at: scores[0][at] for at in allowed if not labels[at].startswith("I")}
        back: list[dict[int, int]] = []
        for row in scores[1:]:
            chosen, new = {}, {}
            for at in allowed:
                ways = [(best[before] + move, before) for before, move in moves[at] if before in best]
                if ways:
                    top, before = max(ways)
                    new[at], chosen[at] = top + row[at], before
            best = new
            back.append(chosen)
        place = max(best, key=lambda at: best[at])
        path = [place]
        for chosen in reversed(back):
            place = chosen[place]
            path.append(place)
        return [labels[at] for at in reversed(path)]

    @cached_property
    def _moves(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """For each label those that may stand before it, with the score of the two in a row."""
        table = self._weights.settings["transitions"]
        return tuple(
            tuple((before, row[at]) for before, row in enumerate(table) if row[at] > _FORBIDDEN / 2)
            for at in range(len(table))
        )


def _believed(segments: tuple[Segment, ...], belief: Belief) -> tuple[Segment, ...]:
    """Return the segments; the kinds of the only one that is an act are put in order by the belief, too."""
    acts = [place for place, one in enumerate(segments) if one.kind not in _NO_ACTS]
    if len(acts) > 1 or (not acts and len(segments) > 1):
        return segments
    place = acts[0] if acts else 0
    ranked = sorted(segments[place].ranked, key=lambda one: -one.probability * belief.weight(one.kind))
    return (*segments[:place], replace(segments[place], ranked=tuple(ranked)), *segments[place + 1 :])


def _with_joined_replies(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments, with a reply said twice as one: ``no, never mind``."""
    waiting: Segment | None = None
    for segment in segments:
        if waiting is not None and waiting.kind is segment.kind and segment.kind in _REPLIES:
            waiting = replace(waiting, end=segment.end)
            continue
        if waiting is not None:
            yield waiting
        waiting = segment
    if waiting is not None:
        yield waiting


def _least_chance(tokens: Sequence[MarkedToken], cut: int, *, is_asked: bool) -> float:
    """Return how probable it is at least that an act begins at a cut."""
    if follows_command(tokens, cut) or changes_named(tokens, cut) or begins_on_another(tokens, cut):
        return _CERTAIN
    is_next = is_asked and (ends_reply(tokens, cut) or continues_command(tokens, cut))
    if is_next or begins_command(tokens, cut):
        return _AT_COMMAND
    return _AT_LEAST if tokens[cut - 1].token.text in _SENTENCE_ENDS else 0.0


def load_model(path: Path = weight_tables.SHIPPED_WEIGHTS) -> ActModel | None:
    """Return the model with the shipped weights; None, and a line in the log, when they can't be used."""
    try:
        return ActModel(weight_tables.read_weights(path))
    except ActWeightsInvalid as error:
        _report_unusable(error)
        return None


def _report_unusable(error: ActWeightsInvalid) -> None:
    LOG.error("act_weights_unusable: %s; the rules answer alone", error)


def _kind(label: str) -> ActKind | None:
    return None if label == FILLER else ActKind(label)


def _softmax(totals: Sequence[float], temperature: float) -> list[float]:
    highest = max(totals)
    raised = [exp((total - highest) / temperature) for total in totals]
    whole = sum(raised)
    return [max(_LEAST, value / whole) for value in raised]


def _spans(labels: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each slot with the places of its first and last token."""
    slot, first = "", 0
    for place, label in enumerate([*labels, OUTSIDE]):
        if slot and not label.startswith("I"):
            yield slot, first, place - 1
            slot = ""
        if label.startswith("B"):
            slot, first = label[2:], place
