"""Scores answers by the terms of a question: BM25 over all an answer says and is asked by, and nearness to
a question.

Pure. `intent.answers.finder` decides which score is enough.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from intent.answers.answer import Answer
from intent.answers.terms import FRAMING, terms_of

WORDS_WEIGHT = 2.0
"""The count of a term among an answer's further words, beside 1 for each of its questions."""
TEXT_WEIGHT = 0.3
PAIR_WEIGHT = 0.5
SATURATION = 1.5
"""BM25's k1: how soon a term that occurs in more questions of an answer counts no more."""
PROFILE_SHARE = 0.85
"""How much of a score comes from the whole answer; the rest comes from its nearest question."""
FRAMING_SHARE = 0.6
OTHER_SHARE = 0.25
"""How much a question that is not about the product counts towards the frequency of its terms."""

Query = Mapping[str, float]
"""Terms with their shares: 1 for a term of the question itself."""
Postings = Mapping[str, Sequence[tuple[int, float]]]
"""For each term, the numbers of what it occurs in, with its part of them."""


class Document(NamedTuple):
    """The terms of one answer: each of its questions', its further words' and its text's."""

    questions: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    text: tuple[str, ...]

    @classmethod
    def of(cls, answer: Answer) -> Document:
        """Returns the terms of an answer; its title counts as a question."""
        return cls(
            tuple(map(terms_of, (answer.title, *answer.questions))),
            tuple(_single(terms_of(answer.words))),
            tuple(_single(terms_of(answer.text))),
        )


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much each term tells answers apart. A word that none of ours has counts most; a pair of words
    that only one question has, nothing.
    """

    known: Mapping[str, float]
    unknown: float

    @classmethod
    def of(cls, documents: Sequence[Document], others: Sequence[Sequence[str]]) -> TermWeights:
        """Returns the weights from the answers and from questions that are not about the product."""
        found = Counter[str]()
        for document in documents:
            found.update({*document.words, *(term for each in document.questions for term in each)})
        counts = {term: float(count) for term, count in found.items()}
        pairs = Counter(term for each in documents for question in each.questions for term in set(question))
        for term, count in Counter(term for other in others for term in set(other)).items():
            counts[term] = counts.get(term, 0.0) + OTHER_SHARE * count
        total = len(documents) + OTHER_SHARE * len(others)
        return cls(
            {
                term: round(math.log(1 + total / (count + 0.3)) * _share(term), 3)
                for term, count in counts.items()
                if " " not in term or pairs[term] > 1
            },
            round(math.log(1 + total), 3),
        )

    def weight(self, term: str) -> float:
        """Returns the weight of a term."""
        return self.known.get(term, 0.0 if " " in term else self.unknown)

    def unit_vector(self, query: Query) -> Query:
        """Returns the query's weighted terms as a vector of length 1."""
        weighted = {term: share * self.weight(term) for term, share in query.items()}
        length = math.sqrt(sum(weight * weight for weight in weighted.values())) or 1.0
        return {term: weight / length for term, weight in weighted.items()}


@dataclass(frozen=True, slots=True)
class AnswerIndex:
    """The answers of one author, ready to be scored."""

    weights: TermWeights
    size: int
    profiles: Postings
    """Which answers a term occurs in."""
    questions: Postings
    """Which questions it occurs in."""
    owners: Sequence[int]
    """Which answer each question belongs to."""

    @classmethod
    def of(cls, documents: Sequence[Document], weights: TermWeights) -> AnswerIndex:
        """Returns the index of the answers, in their order."""
        profiles = defaultdict[str, list[tuple[int, float]]](list)
        for place, document in enumerate(documents):
            for term, count in _counts(document).items():
                if weights.weight(term):
                    profiles[term].append((place, round(count / (count + SATURATION), 3)))
        asked = [(place, each) for place, document in enumerate(documents) for each in document.questions]
        questions = question_postings([terms for _, terms in asked], weights)
        return cls(weights, len(documents), profiles, questions, [place for place, _ in asked])

    def scores(self, query: Query) -> list[float]:
        """Returns a score from 0 to 1 for each answer, in the order they were given."""
        return self.scores_beside(query, similarities(self.questions, query, self.weights))

    def scores_beside(self, query: Query, similar: Mapping[int, float]) -> list[float]:
        """Returns the `scores` where the `similarities` of the questions are known."""
        weighted = {term: share * self.weights.weight(term) for term, share in query.items()}
        total = sum(weighted.values()) or 1.0
        found = [0.0] * self.size
        for term, weight in weighted.items():
            for place, part in self.profiles.get(term, ()):
                found[place] += PROFILE_SHARE * weight * part / total
        nearest = [0.0] * self.size
        for number, similarity in similar.items():
            place = self.owners[number]
            nearest[place] = max(nearest[place], similarity)
        return [one + (1 - PROFILE_SHARE) * other for one, other in zip(found, nearest, strict=True)]


def _share(term: str) -> float:
    """Returns how much a term counts: less where it only frames a question, as ``is there a way to`` does."""
    frames = all(word in FRAMING for word in term.split())
    return (PAIR_WEIGHT if " " in term else 1) * (FRAMING_SHARE if frames else 1)


def question_postings(questions: Sequence[Sequence[str]], weights: TermWeights) -> Postings:
    """Returns the terms of questions, each question with length 1."""
    postings = defaultdict[str, list[tuple[int, float]]](list)
    for number, terms in enumerate(questions):
        for term, part in weights.unit_vector(dict.fromkeys(terms, 1.0)).items():
            if part:
                postings[term].append((number, round(part, 3)))
    return postings


def similarities(questions: Postings, query: Query, weights: TermWeights) -> Mapping[int, float]:
    """Returns the cosine of each question that shares a term with the query, by its number."""
    found = defaultdict[int, float](float)
    for term, part in weights.unit_vector(query).items():
        for number, other in questions.get(term, ()):
            found[number] += part * other
    return found


def _counts(document: Document) -> Mapping[str, float]:
    counts = defaultdict[str, float](float)
    for question in document.questions:
        for term in set(question):
            counts[term] += 1
    for term in set(document.words):
        counts[term] += WORDS_WEIGHT
    for term in set(document.text):
        counts[term] += TEXT_WEIGHT
    return counts


def _single(terms: Iterable[str]) -> Iterable[str]:
    return (term for term in terms if " " not in term)
