"""The file that the search over our answers is loaded from: everything that takes long to compute.

`training.answers` writes it from the texts beside it. `sources_digest` tells whether it still fits them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from intent.answers.answer import Answer, other_questions, shipped_answers
from intent.answers.index import AnswerIndex, Document, Postings, TermWeights, question_postings
from intent.answers.spelling import Speller
from intent.answers.terms import HEADS, terms_of

INDEX_FILE = "index.json"


class ShippedIndex(NamedTuple):
    """Our answers with all that finds them."""

    answers: tuple[Answer, ...]
    answer_index: AnswerIndex
    others: Postings
    """The questions that are not about the product."""
    subject: Mapping[str, float]
    """The weights of `intent.answers.subject_features`."""
    speller: Speller

    def query(self, question: str) -> dict[str, float]:
        """Returns the terms of a question, with what is misspelled corrected by the words of the index."""
        return dict.fromkeys(terms_of(question, self.speller.correct), 1.0)


def sources_digest() -> str:
    """Returns a digest of the texts that the index is made of."""
    return hashlib.sha256(repr((shipped_answers(), other_questions())).encode()).hexdigest()


def build_index(
    answers: Sequence[Answer], others: Sequence[str], subject: Mapping[str, float]
) -> ShippedIndex:
    """Returns the index of the answers."""
    documents = [Document.of(answer) for answer in answers]
    other_terms = [terms_of(other) for other in others]
    weights = TermWeights.of(documents, other_terms)
    index = AnswerIndex.of(documents, weights)
    return ShippedIndex(
        tuple(answers), index, question_postings(other_terms, weights), subject, _speller(weights)
    )


def index_to_json(shipped: ShippedIndex, digest: str) -> str:
    """Returns the text of the file."""
    content = {
        "digest": digest,
        "answers": [[one.id, one.topic, one.title, one.questions, one.text] for one in shipped.answers],
        "weights": shipped.answer_index.weights.known,
        "unknown": shipped.answer_index.weights.unknown,
        "profiles": shipped.answer_index.profiles,
        "questions": shipped.answer_index.questions,
        "owners": shipped.answer_index.owners,
        "others": shipped.others,
        "subject": shipped.subject,
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


@cache
def read_index() -> ShippedIndex:
    """Returns the index from its file; read once."""
    found = json.loads(files(__package__).joinpath(INDEX_FILE).read_bytes())
    weights = TermWeights(found["weights"], found["unknown"])
    answers = tuple(
        Answer(id=name, topic=topic, title=title, questions=tuple(questions), text=text)
        for name, topic, title, questions, text in found["answers"]
    )
    index = AnswerIndex(weights, len(answers), found["profiles"], found["questions"], found["owners"])
    return ShippedIndex(answers, index, found["others"], found["subject"], _speller(weights))


def _speller(weights: TermWeights) -> Speller:
    return Speller(weights.known, HEADS)


def read_digest() -> str:
    """Returns the digest of the texts that the file was made of."""
    return str(json.loads(files(__package__).joinpath(INDEX_FILE).read_bytes())["digest"])
