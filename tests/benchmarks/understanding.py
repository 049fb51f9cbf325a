"""What the offline tier takes for a message, and its weights to load: processor time, not the wall's."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle

from intent.classifier import weights
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Situation
from tests.benchmarks.figures import Figure, Limit, Report, at_most
from training import corpus

P95_MS = 8.0
LOADING_MS = 60.0
_EVERY = 12
_LONG = (500, 2_100, 8_000)
_LONG_MESSAGES = 60
_LOADS = 9


def measure() -> Report:
    """Every twelfth exemplar in its conversation, each said once; then long texts made of several of them."""
    yield Figure(
        "load of the weights", statistics.median(map(_load, range(_LOADS))), "ms", at_most(LOADING_MS)
    )
    every = [one.case.situation() for one in corpus.load_exemplars()]
    classifier = OfflineClassifier()
    for situation in every[1::_EVERY]:
        classifier.classify(situation)
    yield from _percentiles("exemplars", classifier, every[::_EVERY], at_most(P95_MS))
    for length in _LONG:
        yield from _percentiles(f"{length:,} characters", classifier, _long(every, length))


def _percentiles(
    name: str, classifier: OfflineClassifier, among: Iterable[Situation], *limits: Limit
) -> Iterable[Figure]:
    taken = sorted(_ms(classifier, situation) for situation in among)
    yield Figure(f"{name}, p50", taken[len(taken) // 2], "ms")
    yield Figure(f"{name}, p95", taken[len(taken) * 95 // 100], "ms", *limits)


def _ms(classifier: OfflineClassifier, situation: Situation) -> float:
    started = time.process_time()
    classifier.classify(situation)
    return (time.process_time() - started) * 1e3


def _load(_: int) -> float:
    started = time.process_time()
    weights.read_weights()
    return (time.process_time() - started) * 1e3


def _long(every: Sequence[Situation], length: int) -> list[Situation]:
    hosts = every[:: len(every) // _LONG_MESSAGES]
    said = cycle(situation.message for situation in every[5::_EVERY])
    return [replace(host, message=_text(said, length)) for host in hosts]


def _text(said: Iterator[str], length: int) -> str:
    text = ""
    while len(text) < length:
        text += f"{next(said)} "
    return text[:length]
