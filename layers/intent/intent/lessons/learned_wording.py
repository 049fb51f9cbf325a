"""What a tenant's lessons make of a message: naive Bayes over its words, with our own reading as the prior.

A word tells of a kind of act by how much more often it is in the lessons of that kind than in what people in
general say. So a tenant's own words count from one lesson on, and the words of everybody hardly count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from intent.acts.act import ActKind
from intent.lessons.common_features import share_of
from intent.lessons.wording import features_of
from intent.situation import Lesson

K = ActKind
LEARNABLE = frozenset(
    {
        K.CREATE_AGENT, K.CHANGE_AGENT, K.PAUSE_AGENT, K.RESUME_AGENT, K.DELETE_AGENT, K.RUN_AGENT,
        K.CANCEL_RUN, K.LIST_AGENTS, K.SHOW_AGENT, K.SHOW_RESULT, K.ADD_TASK, K.COMPLETE_TASK,
        K.REOPEN_TASK, K.CHANGE_TASK, K.DELETE_TASK, K.LIST_TASKS, K.CONNECT, K.LIST_SKILLS,
    }
)  # fmt: skip
"""The kinds that words may be taught to mean. Nothing that erases, shares, or sets the workspace up is one:
a colleague's lesson must not bring such a thing about.
"""
_OF_WORD, _OF_PAIR = 0.7, 0.35
"""How much a word and a pair of words count: less than by naive Bayes, because they depend on each other."""
_EVERYDAY, _TELLING = 5.0, 1.5
"""From which rarity on (-log of the share of messages) a word is unusual, and how unusual all words must be
that a message shares with lessons.
"""
_GENERAL = 1.0
"""How many lessons the general use of a word counts for."""
_MARGIN = 2.0
"""By how much lessons must outdo our own reading."""
_LEAST, _UNREAD, _MOST = 0.05, 0.3, 0.95
"""How sure our own reading counts as at least, where it found nothing, and at most."""
_MOST_DOUBT = -1.0
_PLAIN = 0.99
"""How sure we are of a command in plain words. Lessons of colleagues don't count against it."""


class LearnedWording:
    """The lessons of one tenant. Later lessons come last and replace earlier ones in the same words."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        self._own = {lesson.wording: lesson for lesson in lessons if lesson.is_own}
        latest = {lesson.wording: ActKind(lesson.kind) for lesson in (*lessons, *self._own.values())}
        self._lessons = Counter(latest.values())
        self._features: dict[ActKind, Counter[str]] = {kind: Counter() for kind in self._lessons}
        for wording, kind in latest.items():
            self._features[kind].update(features_of(wording))

    def settled(self, wording: str, read: Mapping[ActKind, float]) -> ActKind | None:
        """Return what the user said that just these words mean; None: nothing.

        Of a command in plain words they have to say it twice: the first time it may have been their slip.
        """
        lesson = self._own.get(wording)
        needed = 2 if _is_plain(read) else 1
        return ActKind(lesson.kind) if lesson is not None and lesson.times >= needed else None

    def meant_instead(self, wording: str, read: Mapping[ActKind, float]) -> ActKind | None:
        """Return the kind that the lessons make of a message; None to leave it as it was read.

        ``read`` are the kinds of acts that we read in it, each with how sure we are.
        """
        if not wording or not self._lessons or _is_plain(read):
            return None
        scores = self.scores(wording)
        kind = max(scores, key=lambda one: scores[one])
        if kind in read and len(read) == 1:
            return None
        sure = min(max(min(read.values(), default=_UNREAD), _LEAST), _MOST)
        trust = max(_MOST_DOUBT, math.log(sure / (1 - sure)))
        rival = max(0.0, *(scores.get(one, 0.0) for one in read)) if len(read) == 1 else 0.0
        is_told = self._told(kind, wording) >= _TELLING
        return kind if is_told and scores[kind] - rival > _MARGIN + trust else None

    def _told(self, kind: ActKind, wording: str) -> float:
        """Return how unusual the words are that a message shares with the lessons of a kind."""
        return unusual(feature for feature in features_of(wording) if self._features[kind][feature])

    def scores(self, wording: str) -> dict[ActKind, float]:
        """Return for each kind with lessons how much the words speak for it; 0 is no more than elsewhere."""
        found = [(feature, share_of(feature)) for feature in features_of(wording)]
        return {kind: self._score(kind, count, found) for kind, count in self._lessons.items()}

    def _score(self, kind: ActKind, count: int, found: Iterable[tuple[str, float]]) -> float:
        told = self._features[kind]
        return sum(
            _weight(feature) * math.log((told[feature] + _GENERAL * share) / ((count + _GENERAL) * share))
            for feature, share in found
        )


def _weight(feature: str) -> float:
    return _OF_PAIR if " " in feature else _OF_WORD


def _is_plain(read: Mapping[ActKind, float]) -> bool:
    return bool(read) and min(read.values()) >= _PLAIN


@lru_cache(maxsize=64)
def learned_wording(lessons: tuple[Lesson, ...]) -> LearnedWording:
    """Return what the lessons teach; computed once for as long as they stay the same."""
    return LearnedWording(lessons)


def unusual(features: Iterable[str]) -> float:
    """Return how unusual features are together; everyday words count for nothing."""
    return sum(_weight(one) * max(0.0, -math.log(share_of(one)) - _EVERYDAY) for one in features)


def nearest_own(lessons: Sequence[Lesson], wording: str, *, most: int) -> list[Lesson]:
    """Return the user's own lessons that share a word of their own with a wording, the nearest first."""
    said = features_of(wording)
    shared = [(unusual(features_of(one.wording) & said), one) for one in lessons if one.is_own]
    near = sorted((pair for pair in shared if pair[0] >= _TELLING), key=lambda pair: -pair[0])
    return [lesson for _, lesson in near[:most]]
