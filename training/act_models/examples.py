"""What the models learn from: the cuts, segments and tagged tokens of the labelled messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_matrix

from intent.acts.learned import kind_features, span_features
from intent.acts.learned.act_model import FILLER, OUTSIDE, PART, SEVERAL
from intent.acts.learned.segmentation import find_cuts
from training.act_models.corpus import SLOTS, LabelledAct, LabelledMessage
from training.act_models.fitting import Chains, Numbers
from training.act_models.matrices import Features

SPAN_LABELS = (OUTSIDE, *(f"{place} {slot}" for slot in SLOTS for place in "BI"))
_NUMBERS = {label: number for number, label in enumerate(SPAN_LABELS)}
_MOST_TOKENS = 80
_JOINTS = frozenset("and then but & plus also n or so oh ah please pls now ok okay well oops".split())


@dataclass(frozen=True, slots=True)
class Segmented:
    """A message with its possible cuts, which of them begin an act, and the segments between those."""

    message: LabelledMessage
    cuts: tuple[int, ...]
    begins: tuple[bool, ...]
    segments: tuple[tuple[int, int, str], ...]


def segment(message: LabelledMessage) -> Segmented:
    """Return the true segments of a message, at the cuts that the model may choose from."""
    tokens = message.marked.tokens
    owners = _owners(message)
    words = [place for place, one in enumerate(tokens) if one.token.is_word or one.token.text == "&"]
    before = {place: before for before, place in pairwise(words)}
    cuts = tuple(find_cuts(tokens))
    begins = tuple(owners[cut] != owners[before[cut]] for cut in cuts)
    edges = [0, *(cut for cut, is_begin in zip(cuts, begins, strict=True) if is_begin), len(tokens)]
    segments = []
    for start, end in pairwise(edges):
        count = Counter(owners[place] for place in range(start, end) if tokens[place].token.is_word)
        owner = count.most_common(1)[0][0] if count else -1
        segments.append((start, end, message.acts[owner].kind if owner >= 0 else FILLER))
    return Segmented(message, cuts, begins, tuple(segments))


def _owners(message: LabelledMessage) -> list[int]:
    """Return for each token the act it belongs to, -1 for none; joints belong to what follows them."""
    tokens, owners = message.marked.tokens, [-1] * len(message.marked.tokens)
    longest_first = sorted(enumerate(message.acts), key=lambda one: one[1].start - one[1].end)
    for number, act in longest_first:
        owners[act.start : act.end] = [number] * (act.end - act.start)
    following: int | None = None
    for place in range(len(tokens) - 1, 0, -1):
        token = tokens[place].token
        if token.is_word and token.word not in _JOINTS:
            following = owners[place]
        elif following is not None:
            owners[place] = following
    return owners


@dataclass(frozen=True, slots=True)
class Rows:
    """A row of features per text, and its label. The first ``counted`` rows tell which features are known."""

    features: csr_matrix
    labels: Numbers
    counted: int


def cut_rows(among: Sequence[Segmented], features: Features) -> Rows:
    """Return a row per possible cut, and whether an act begins there; joined messages last."""
    rows: list[kind_features.Groups] = []
    begins: list[bool] = []
    counted = 0
    for one in sorted(among, key=lambda one: one.message.is_joined):
        tokens = one.message.marked.tokens
        around = kind_features.scene_features(one.message.scene)
        edges = [0, *one.cuts, len(tokens)]
        rows += [
            kind_features.boundary_features(tokens, before, cut, after, around)
            for before, cut, after in zip(edges, edges[1:], edges[2:], strict=False)
        ]
        begins += one.begins
        counted += 0 if one.message.is_joined else len(one.cuts)
    return Rows(features.matrix(rows), np.array(begins, dtype=np.int64), counted)


def kind_rows(among: Sequence[Segmented], kinds: Sequence[str], features: Features) -> Rows:
    """Return a row per segment, and its kind; then joined messages, and stretches that are no whole act."""
    counted = [(one, true) for one in among if not one.message.is_joined for true in one.segments]
    others = [
        (one, other)
        for one in among
        for other in (*(one.segments if one.message.is_joined else ()), *_wrong(one))
    ]
    stretches = [*counted, *others]
    rows = (
        kind_features.act_features(
            one.message.marked.tokens,
            start,
            end,
            one.message.scene,
            kind_features.scene_features(one.message.scene),
        )
        for one, (start, end, _) in stretches
    )
    labels = [kinds.index(kind) for _, (_, _, kind) in stretches]
    return Rows(features.matrix(rows), np.array(labels, dtype=np.int64), len(counted))


def _wrong(one: Segmented) -> Iterator[tuple[int, int, str]]:
    """Yield two neighbouring acts as one, and acts that are cut where the model may cut them."""
    for before, after in pairwise(one.segments):
        yield before[0], after[1], SEVERAL
    for start, end, _ in one.segments:
        inner = [cut for cut in one.cuts if start < cut < end]
        for cut in inner[:: max(1, len(inner) // 2)]:
            yield start, cut, PART
            yield cut, end, PART


def span_labels(act: LabelledAct) -> list[int]:
    """Return the label of each token of an act; of two spans that overlap the shorter one counts."""
    taken: list[tuple[str, int] | None] = [None] * (act.end - act.start)
    found = [(end - start, start, end, slot) for slot, spans in act.slots.items() for start, end in spans]
    for _, start, end, slot in sorted(found):
        for place in range(max(start, act.start), min(end, act.end)):
            if taken[place - act.start] is None:
                taken[place - act.start] = (slot, start)
    labels = []
    for place, one in enumerate(taken):
        is_first = place == 0 or taken[place - 1] != one
        labels.append(_NUMBERS[f"{'B' if is_first else 'I'} {one[0]}"] if one else 0)
    return labels[:_MOST_TOKENS]


def span_chains(among: Sequence[LabelledMessage], features: Features) -> Chains:
    """Return the tokens of all acts, laid out step by step."""
    acts = []
    for message in among:
        for act in message.acts:
            end = min(act.end, act.start + _MOST_TOKENS)
            if end > act.start:
                names = span_features.token_features(message.marked.tokens, act.start, end, act.kind)
                acts.append((names, span_labels(act)))
    acts.sort(key=lambda one: -len(one[1]))
    counts = [
        sum(len(labels) > step for _, labels in acts) for step in range(max(len(one[1]) for one in acts))
    ]
    rows = [[(1.0, acts[number][0][step])] for step, count in enumerate(counts) for number in range(count)]
    labels = [acts[number][1][step] for step, count in enumerate(counts) for number in range(count)]
    return Chains(features.matrix(rows), np.array(labels, dtype=np.int64), counts)


def slots_of_kinds(among: Sequence[LabelledMessage]) -> dict[str, list[str]]:
    """Return for each kind of act the slots that it has had more than once."""
    count = Counter((act.kind, slot) for one in among for act in one.acts for slot in act.slots)
    kinds = sorted({kind for kind, _ in count})
    return {kind: [slot for slot in SLOTS if count[kind, slot] >= 2] for kind in kinds}
