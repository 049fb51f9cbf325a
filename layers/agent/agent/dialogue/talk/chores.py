"""What somebody unsure tells of a chore: the sentences that describe it, and what goes wrong in it."""

from __future__ import annotations

import re
from typing import NamedTuple

from agent.dialogue.agent_acts.sources import named_source
from agent.workspace.agents import service_name
from conversation.sentences import split_sentences
from intent.acts.tokens import tokenise
from intent.acts.told_problems import GOING_WRONG, goes_wrong, problem_in
from intent.acts.told_systems import system_told_in
from intent.acts.unsure_chores import says_unsure
from intent.entities.services import find_services

_CLAUSE = re.compile(r",\s+(?:and |but |so )?|(?<!\s)\s++(?:and|but|so)\s+|[.;:!?]\s*")
_FEWEST_WORDS = 3


class Chore(NamedTuple):
    """A chore in its person's own words."""

    text: str
    job: str
    source: str


def chore_in(message: str) -> Chore | None:
    """Return the chore that a message describes; None without a source or any words about it."""
    known = named_source(message)
    source = service_name(known) if known else system_told_in(message)
    if not source or not (known or goes_wrong(problem_in([message]))):
        return None
    sentences = [one.strip() for one in split_sentences(message) if _describes(one)]
    text = " ".join(sentences)
    clauses = [one.strip(" ,.;:!?") for one in _CLAUSE.split(text) if len(one.split()) >= _FEWEST_WORDS]
    clauses = [one for one in clauses if not _APOLOGISING & _words(one)] or clauses
    if not clauses:
        return None
    ranked = sorted(clauses, key=lambda clause: -_troubles(clause))
    best = ranked[0] if _troubles(ranked[0]) else _without_source(clauses)
    return Chore(text, _behind_finding(best), source)


_APOLOGISING = frozenset("sorry apologies question bother bothering".split())


def _troubles(clause: str) -> int:
    """Return how many words of a clause tell that something goes wrong."""
    words = _words(clause)
    return len(GOING_WRONG & words) + any(word.endswith("n't") for word in words - {"don't"})


def _behind_finding(clause: str) -> str:
    """Return what is found out: of ``I keep finding out that nobody thanked them`` the last three words."""
    first = clause.split(maxsplit=1)[0].lower()
    told = next((clause.partition(mark)[2] for mark in _MARKS if mark in clause), "")
    return told if first in {"i", "we", "id", "i'd"} and len(told.split()) >= _FEWEST_WORDS else clause


_MARKS = (" that ", " to know ", " to see ", " find out ")


def _describes(sentence: str) -> bool:
    words = [token.word for token in tokenise(sentence) if token.is_word]
    is_asked = sentence.rstrip().endswith("?")
    apologises = len(_APOLOGISING & set(words)) > 1
    return len(words) >= _FEWEST_WORDS and not (is_asked or apologises or says_unsure(words))


def _words(text: str) -> set[str]:
    return {token.word for token in tokenise(text)} | ({"noone"} if "no one" in text.lower() else set())


def _without_source(clauses: list[str]) -> str:
    """Return the first clause that doesn't only say where the data are."""
    return next((clause for clause in clauses if not find_services(clause)), clauses[0])
