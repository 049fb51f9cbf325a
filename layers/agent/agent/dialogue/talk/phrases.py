"""Words of a person, cut to what may be quoted or put on a list."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from intent.acts.tokens import Token, tokenise

_LONGEST = 120
_LEADS = frozenset(
    "hi hey hello morning please pls plz so ok okay and also then now well right oh um hmm just quick quickly"
    " aside side silly question random btw sorry but first anyway actually honestly".split()
)
_ASKING = (
    ("can", "you"), ("could", "you"), ("would", "you"), ("will", "you"), ("can", "u"), ("could", "u"),
    ("i", "need", "you", "to"), ("i'd", "like", "you", "to"), ("i", "want", "you", "to"), ("go", "and"),
    ("be", "a", "dear", "and"), ("while", "you're", "at", "it"), ("mind",), ("kindly",),
)  # fmt: skip
_TAILS = frozenset("please pls plz thanks thx ta cheers lol instead then now though mate x".split())
_BEFORE_VERB = frozenset({"so", "please", "and", ",", "you", "just", "pls", "then"})
_TAIL_PHRASES = (
    ("for", "me"),
    ("will", "you"),
    ("would", "you"),
    ("while", "you're", "at", "it"),
    ("for", "us"),
)


def trimmed(text: str) -> str:
    """Return what was said without lead-ins, closing marks and what is too long."""
    tokens = _without_leads(list(tokenise(text)))
    if not tokens:
        return " ".join(text.split())[:_LONGEST]
    words = " ".join(text[tokens[0].start :].split()).strip(" ()").rstrip("?!., ")
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1].rstrip()}…"


def as_title(text: str, verbs: Collection[str] = ()) -> str:
    """Return a request as the title of a task: ``ring the laundry`` for ``could you ring the laundry?``

    What is told before one of the ``verbs`` is left out: ``he is ill, so ring the laundry``.
    """
    tokens = _from_verb(_without_leads(list(tokenise(text))), verbs)
    moved = True
    while moved and tokens:
        moved = False
        for phrase in _ASKING:
            if tuple(token.word for token in tokens[: len(phrase)]) == phrase:
                tokens, moved = _without_leads(tokens[len(phrase) :]), True
    kept = _without_middles(_without_tails(tokens))
    parts = [text[run[0].start : run[-1].end] for run in kept]
    return " ".join(" ".join(parts).split()).replace(" ,", ",").rstrip(",;:")


def _from_verb(tokens: list[Token], verbs: Collection[str]) -> list[Token]:
    for before, token in pairwise(tokens):
        if token.word in verbs and before.word in _BEFORE_VERB:
            place = tokens.index(token)
            return tokens if any(one.word in verbs for one in tokens[:3]) else tokens[place:]
    return tokens


def _without_middles(tokens: list[Token]) -> list[list[Token]]:
    """Return the stretches of tokens around ``me`` behind the verb, ``for me`` and ``will you``."""
    runs: list[list[Token]] = [[]]
    place = 0
    while place < len(tokens):
        pair = tuple(token.word for token in tokens[place : place + 2])
        size = 2 if pair in _TAIL_PHRASES else 1 if place == 1 and tokens[1].word in {"me", "us"} else 0
        if size:
            runs.append([])
        else:
            runs[-1].append(tokens[place])
        place += size or 1
    return [run for run in runs if run]


def _without_leads(tokens: list[Token]) -> list[Token]:
    while tokens and (tokens[0].word in _LEADS or not tokens[0].is_word):
        tokens = tokens[1:]
    return tokens


def _without_tails(tokens: list[Token]) -> list[Token]:
    moved = True
    while moved and tokens:
        moved = False
        if tokens[-1].word in _TAILS or not tokens[-1].is_word:
            tokens, moved = tokens[:-1], True
        for phrase in _TAIL_PHRASES:
            if tuple(token.word for token in tokens[-len(phrase) :]) == phrase:
                tokens, moved = tokens[: -len(phrase)], True
    return tokens
