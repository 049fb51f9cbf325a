"""The job of a new agent, told before the request: ``Nobody checks the till. Could you watch that?``"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intent.acts.lexicon import LEADS, QUESTION_WORDS
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, tokenise
from intent.acts.told_troubles import trouble_in

_POINTING = frozenset({"that", "this", "it", "them", "those", "these"})
_SEEING_TO = (
    ("eye", "on"), ("eye", "out", "for"), ("track", "of"), ("look", "after"), ("looks", "after"),
    ("take", "care", "of"), ("takes", "care", "of"), ("help", "with"), ("watch",), ("watches",), ("monitor",),
    ("monitors",), ("check",), ("checks",), ("track",), ("follow",),
    ("automate",), ("catch",),
)  # fmt: skip
_ENDS = frozenset(".!?;\n")
_BEHIND = LEADS | frozenset(
    "for me us instead automatically from now on , . ! ? ; every each at in all".split()
)
_ASKED = QUESTION_WORDS | {"if", "whether"}
_LOSING = (("lose", "track", "of"), ("losing", "track", "of"), ("lost", "track", "of"))


def job_told_before(text: str) -> str:
    """Return the job that the sentences before a request tell, where the request only points at it; empty
    where it says the job itself.
    """
    sentences = list(_sentences(tokenise(text)))
    request = next((at for at, one in enumerate(sentences) if at and _points_back(one)), 0)
    if not request:
        return chore_to_take_over(text)
    told = next((one for one in reversed(sentences[:request]) if len(_open(one)) > 1), None)
    return _job_of(text, told) if told is not None else ""


def chore_to_take_over(text: str) -> str:
    """Return what somebody does by hand, where the request behind it says only where that shall come from:
    ``I put the list of leases together by hand. I'd like this list to be taken from AppFolio``.
    """
    for before, behind in pairwise(_sentences(tokenise(text))):
        if _moves_told([token.word for token in behind]):
            return trouble_in(text[before[0].start : before[-1].end])
    return ""


def _moves_told(words: Sequence[str]) -> bool:
    """Return whether words ask to have "this", or "this list", taken from somewhere."""
    for at, word in enumerate(words[:-1]):
        end = at + 1 + (words[at + 1] in _REPORTS)
        is_passive = tuple(words[end : end + 2]) == ("to", "be") and words[end + 2 : end + 3] != []
        if word in _POINTING and is_passive and words[end + 2] in _TAKEN:
            return True
        if word in _TAKING and words[at + 1] in _POINTING and words[at + 2 : at + 3] == ["from"]:
            return True
    return False


_REPORTS = frozenset({"list", "report", "overview", "summary", "table", "figures"})
_TAKEN = frozenset("taken read pulled fetched collected made done drawn generated compiled".split())
_TAKING = frozenset("take read pull fetch collect do get draw generate compile".split())


def asks_to_see_to_told(text: str) -> bool:
    """Return whether a request is to see to what was told before it: ``could an agent do that?``"""
    sentences = list(_sentences(tokenise(text)))
    asked = (one for at, one in enumerate(sentences) if at and _points_back(one))
    return any(_ASKING & {token.word for token in one} for one in asked) and bool(job_told_before(text))


_ASKING = frozenset("can could would will please something agent agents bot you u should need want".split())


def _sentences(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text in _ENDS or place + 1 == len(tokens):
            if any(one.is_word for one in tokens[begin : place + 1]):
                yield tokens[begin : place + 1]
            begin = place + 1


def _points_back(sentence: Sequence[Token]) -> bool:
    """Return whether a sentence asks to see to "that", and says nothing more of what that is."""
    words = [token.word for token in sentence]
    for place in range(len(words)):
        for phrase in _SEEING_TO:
            end = place + len(phrase)
            points = tuple(words[place:end]) == phrase and bool(_POINTING & set(words[end : end + 1]))
            if points and (end + 1 >= len(words) or words[end + 1] in _BEHIND):
                return True
    return False


def _open(sentence: Sequence[Token]) -> list[str]:
    return [token.word for token in sentence if token.is_word and token.word not in CLOSED_CLASS]


def _job_of(text: str, sentence: Sequence[Token]) -> str:
    """Return what a complaint is about: what nobody checks, what is lost track of, or all of it."""
    words = [token.word for token in sentence]
    first = 0
    for place, word in enumerate(words):
        if any(tuple(words[place : place + len(phrase)]) == phrase for phrase in _LOSING):
            first = place + 3
            break
        if word in _ASKED and place and place + 1 < len(words):
            first = place
            break
    kept = list(sentence[first:])
    end = next((at for at, one in enumerate(kept) if at and one.text == "," and first), len(kept))
    kept = kept[:end]
    while kept and not kept[-1].is_word:
        kept.pop()
    return text[kept[0].start : kept[-1].end] if kept else ""
