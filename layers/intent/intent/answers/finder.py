"""Finds the answer to a question about the product, offline, and says whether a question is about the
product at all.

Answers of the tenant are found together with ours and come first. Keeps no state between questions.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from conversation.search.words import words
from intent.answers.answer import Answer
from intent.answers.direct_questions import direct
from intent.answers.index import AnswerIndex, Document, Query, similarities
from intent.answers.index_file import ShippedIndex, read_index
from intent.answers.subject_features import Features, subject_features
from intent.answers.terms import terms_of
from intent.regular_expressions import pattern

MIN_CONFIDENCE = 0.5
"""A question less likely about the product than this gets no answer of ours."""
MIN_OWN_SCORE = 0.4
"""A tenant's answers may be about anything, so their score alone counts."""
MIN_FOLLOW_UP_SCORE = 0.2
OWN_SUBJECT_SCORE = 0.6
"""A question that alone fits an answer as well as this is about that, whatever was asked before."""
OWN_BONUS = 0.1
PREVIOUS_SHARE = 0.4
"""How much the terms of the previous answer count in a question that continues it."""
PREVIOUS_PENALTY = 0.6
"""A question that continues an answer asks for another one."""
SAME_TOPIC_BONUS = 0.05
REST_ALLOWANCE = 0.4
"""How much less likely the whole message may be about the product than the question in it."""
SAME_QUESTION = 0.97
"""Questions as similar as this are the same."""
KNOWN_CONFIDENCE = 0.97
FOLLOW_UP_WORDS = 14
ELLIPTIC_WORDS = 5
"""A question of so few words that refers to something has no subject of its own."""
_CONTINUING_TEXT = "and or but so also then"
_CONTINUING = frozenset(_CONTINUING_TEXT.split())
_REFERRING_TEXT = "it its that this these those they them there one ones"
_REFERRING = frozenset(_REFERRING_TEXT.split())


class FoundAnswer(NamedTuple):
    """The best answer to a question, and the second."""

    answer: Answer
    score: float
    """From 0 to 1: how well it fits."""
    confidence: float
    """From 0 to 1: how likely the question is about the product, or about what a tenant's answer is about."""
    runner_up: Answer | None = None
    runner_up_score: float = 0.0


class AnswerFinder:
    """Finds answers among ours and a tenant's. Build it with `finder_for`, which keeps recent ones."""

    def __init__(self, own: Sequence[Answer] = ()) -> None:
        self._shipped = read_index()
        self._own = tuple(own)
        self._own_index = AnswerIndex.of(
            [Document.of(answer) for answer in own], self._shipped.answer_index.weights
        )
        replaced = {answer.id for answer in own}
        self._replaced = frozenset(
            place for place, answer in enumerate(self._shipped.answers) if answer.id in replaced
        )

    def answers(self) -> tuple[Answer, ...]:
        """Returns all answers: the tenant's first, then those of ours that it has not replaced."""
        ours = (each for place, each in enumerate(self._shipped.answers) if place not in self._replaced)
        return (*self._own, *ours)

    def get(self, answer_id: str) -> Answer | None:
        """Returns the answer of this id; None: there is none."""
        return next((answer for answer in self.answers() if answer.id == answer_id), None)

    def find(
        self, question: str, previous_answer_id: str | None = None, *, names: Collection[str] = ()
    ) -> FoundAnswer | None:
        """Returns the answer to a question about the product; None: it is about something else.

        ``previous_answer_id``: the answer just given, which a short question may continue. ``names``: what
        the user's own things are called; a question that has one of them is about that thing.
        """
        if not _names_any(question, names):
            alone = self.best(question)
            alone = alone if alone is not None and _is_enough(alone) else None
            previous = self.get(previous_answer_id) if previous_answer_id else None
            is_own = alone is not None and alone.score >= OWN_SUBJECT_SCORE and not _only_refers(question)
            if previous is None or is_own:
                return alone
            return self._continued(question, previous) or alone
        return None

    def is_about_product(self, question: str, names: Collection[str] = ()) -> float:
        """Returns how likely the question is about the product, from 0 to 1; ``names`` as for `find`."""
        if _names_any(question, names):
            return 0.0
        return self._likelihood(question, asked_part(question))

    def best(self, question: str) -> FoundAnswer | None:
        """Returns the answer that fits best, however badly; None: no answer has a word of the question."""
        asked = asked_part(question)
        scored = _scored(asked)
        return self._found(self._ranked(scored.query, scored.ours), self._likelihood(question, asked))

    def search(self, words_: str, *, limit: int) -> tuple[Answer, ...]:
        """Returns the answers that fit, best first."""
        query = self._shipped.query(words_)
        ranked = self._ranked(query, self._shipped.answer_index.scores(query))
        worst = ranked[0][0] / 3 if ranked else 0.0
        return tuple(answer for score, answer in ranked[:limit] if score > worst)

    def _continued(self, question: str, previous: Answer) -> FoundAnswer | None:
        """The answer to a question that only makes sense after the previous answer."""
        said = [word.term for word in words(question)]
        refers = bool(said) and (said[0] in _CONTINUING or not _REFERRING.isdisjoint(said))
        if not refers or len(said) > FOLLOW_UP_WORDS:
            return None
        query = dict.fromkeys(
            terms_of(f"{previous.title} {' '.join(previous.questions[:3])}"), PREVIOUS_SHARE
        )
        query |= self._shipped.query(question)
        ranked = self._ranked(query, self._shipped.answer_index.scores(query))
        scored = sorted(((_after(previous, score, answer), answer) for score, answer in ranked), key=_first)
        found = self._found(scored[::-1], self.is_about_product(question))
        return found if found is not None and found.score >= MIN_FOLLOW_UP_SCORE else None

    def _likelihood(self, message: str, asked: str) -> float:
        """How likely the message is about the product. What stands around its question counts less."""
        confidence = _scored(asked).confidence
        if asked in {message, direct(message)}:
            return confidence
        return min(confidence, _scored(message).confidence + REST_ALLOWANCE)

    def _ranked(self, query: Query, ours: Sequence[float]) -> list[tuple[float, Answer]]:
        scored = [
            (score, answer)
            for place, (score, answer) in enumerate(zip(ours, self._shipped.answers, strict=True))
            if score > 0 and place not in self._replaced
        ]
        own = zip(self._own_index.scores(query), self._own, strict=True)
        scored += [(min(1.0, score + OWN_BONUS), answer) for score, answer in own if score > 0]
        return sorted(scored, key=_first, reverse=True)

    def _found(self, ranked: Sequence[tuple[float, Answer]], confidence: float) -> FoundAnswer | None:
        if not ranked:
            return None
        (score, answer), second = ranked[0], ranked[1] if len(ranked) > 1 else None
        return FoundAnswer(
            answer, score, confidence, second[1] if second else None, second[0] if second else 0.0
        )


@lru_cache(maxsize=64)
def finder_for(own: tuple[Answer, ...] = ()) -> AnswerFinder:
    """Returns the finder over ours and these answers of a tenant; the same one for the same answers."""
    return AnswerFinder(own)


class _Scored(NamedTuple):
    """A question beside our answers."""

    query: Query
    ours: Sequence[float]
    """The score of each of our answers."""
    nearest: float
    """How similar our nearest question is."""
    features: Features

    @property
    def confidence(self) -> float:
        """How likely the question is about the product: known for the questions we have, else a logistic
        regression.
        """
        if max(self.nearest, self.features["other"]) >= SAME_QUESTION:
            return KNOWN_CONFIDENCE if self.nearest >= self.features["other"] else 0.0
        subject = read_index().subject
        total = sum(subject.get(name, 0.0) * value for name, value in self.features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=64)  # a turn asks about the same words many times over
def _scored(question: str) -> _Scored:
    return _score(question, read_index())


def features_of(question: str, shipped: ShippedIndex) -> Features:
    """Returns the features that say whether a question is about the product."""
    return _score(question, shipped).features


def _score(question: str, shipped: ShippedIndex) -> _Scored:
    query, index = shipped.query(question), shipped.answer_index
    similar = similarities(index.questions, query, index.weights)
    ours = index.scores_beside(query, similar)
    first, second = sorted(ours, reverse=True)[:2]
    others = similarities(shipped.others, query, index.weights).values()
    single = [term for term in query if " " not in term]
    features = subject_features(
        question,
        tuple(query),
        score=first,
        margin=first - second,
        other=max(others, default=0.0),
        unknown=sum(term not in index.weights.known for term in single) / (len(single) or 1),
    )
    return _Scored(query, ours, max(similar.values(), default=0.0), features)


def _is_enough(found: FoundAnswer) -> bool:
    return found.confidence >= MIN_CONFIDENCE or (found.answer.is_own and found.score >= MIN_OWN_SCORE)


def asked_part(message: str) -> str:
    """Returns the sentences of a message that end with a question mark, an indirect question as a direct one;
    the whole message when none or all do.
    """
    sentences = message.replace("?", "?\n").replace(". ", ".\n").replace("! ", "!\n").split("\n")
    asked = [_behind_lead(sentence.strip()) for sentence in sentences if sentence.rstrip().endswith("?")]
    if not asked and (found := _NOT_KNOWN.search(message)) is not None:
        return direct(f"tell me {found[1]}")
    return direct(" ".join(asked) if any(len(sentence.split()) > 2 for sentence in asked) else message)


def _behind_lead(question: str) -> str:
    """Returns a question without the words that only announce it: ``quick question: …``."""
    lead, mark, rest = question.rpartition(": ")
    is_short = len(lead.split()) <= _LONGEST_LEAD
    if mark and len(rest.split()) > _FEWEST_ASKED and (is_short or _ASKS.match(rest) is not None):
        return rest
    found = _ANNOUNCED.match(question)
    return question if found is None else question[found.end(1) :].lstrip(" ,-")


_FEWEST_ASKED, _LONGEST_LEAD = 3, 9
_ANNOUNCED = pattern(
    r"((?!if |when |once |what |how |who |where |which |can |do |is )(?:[\w']+ ){0,4}[\w']+)"
    r"(?:, | - )(?:what|how|who|where|when|which|why|can|could|do|does|is|are|will) "
)
_ASKS = pattern(
    r"(?:and |but |so )?(?:what|how|who|where|when|which|why|can|could|do|does|did|is|are|will|would|may"
    r"|should)(?:'s|s)? "
)
_NOT_KNOWN = pattern(
    r"(?:(?:n'?t|not|never)(?: \w+)? (?:understand|understood|know|get|grasp|follow|figured out|work out)"
    r"|no (?:idea|clue)|not (?:sure|certain|clear)|unsure|nobody (?:\w+ )?explained(?: to me)?"
    r"|to (?:know|understand)|curious|wondering)"
    r"(?: about)? ((?:what|how|why|who|where|when|which) [^.!?,;\n]{5,})"
)
"""Words by which somebody says that they don't know something, and that."""


def _only_refers(question: str) -> bool:
    """Whether a few words ask of what was spoken of before: ``how long does it take?``"""
    said = [word.term for word in words(question)]
    return len(said) <= ELLIPTIC_WORDS and not _REFERRING.isdisjoint(said)


def _names_any(question: str, names: Collection[str]) -> bool:
    """Whether one of the names stands in the question as whole words."""
    said = _plain(question)
    return any(f" {plain.strip()} " in said for plain in map(_plain, names) if plain.strip())


def _plain(text: str) -> str:
    return f" {' '.join(_terms(text))} "


def _terms(text: str) -> Iterable[str]:
    return (word.term for word in words(text))


def _after(previous: Answer, score: float, answer: Answer) -> float:
    if answer.id == previous.id:
        return score * PREVIOUS_PENALTY
    return score + SAME_TOPIC_BONUS * (answer.topic == previous.topic)


def _first(scored: tuple[float, Answer]) -> float:
    return scored[0]
