"""Every rule of the grammar of times declares the words with which its pieces begin."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from itertools import chain, product
from pathlib import Path

from intent.times import words
from intent.times.words import scanner, zones
from intent.times.words.dates import Present
from intent.times.words.scanner import RULES, Rule
from intent.times.words.tokens import Token, tokenise
from tests.evals.times import CASES, read_time_cases

NOW = Present(datetime.fromisoformat("2026-03-04T10:53"), "America/New_York")
BEHIND = (
    "", "9", "monday", "mondays", "of the month", "day", "week", "9 am", "past 9", "every month", "in may",
    "of next month", "the 5th", "9 and 17", "2 days", "june", "1430", "times a day", "from now", "weeks ago",
)  # fmt: skip
"""What may stand behind a word so that it is the first of a piece."""

LONGEST = 30
"""Longer strings are docstrings."""

Declared = Sequence[tuple[frozenset[str], Rule]]


def zone(tokens: Sequence[Token], place: int, _now: Present) -> object:
    return scanner._zone_at(tokens, place, None)


@cache
def texts() -> tuple[tuple[Token, ...], ...]:
    """Every string in the rules' code with each continuation, and the labelled phrases from each word on."""
    said = (case.say for path in CASES for case in read_time_cases(path))
    probes = (f"{phrase} {behind}" for phrase, behind in product(sorted(phrases()), BEHIND))
    found = [tokenise(text)[:8] for text in probes]
    return (*found, *chain.from_iterable(map(beginnings, map(tokenise, said))))


def beginnings(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    yield from (tokens[place:] for place in range(len(tokens)))


def phrases() -> Iterable[str]:
    for path in set(Path(words.__path__[0]).glob("*.py")) - {Path(zones.__file__)}:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value[:1].isalpha():
                yield node.value if len(node.value) < LONGEST else ""


def undeclared(rules: Declared, among: Sequence[tuple[Token, ...]]) -> set[str]:
    """The words with which a rule finds a piece, and that it doesn't declare."""
    return {
        tokens[0].text
        for tokens in among
        for starts, rule in rules
        if tokens
        and not tokens[0].is_number
        and tokens[0].text not in starts
        and rule(tokens, 0, NOW) is not None
    }


def test_no_rule_finds_a_piece_that_begins_with_a_word_it_does_not_declare() -> None:
    assert undeclared(RULES, texts()) == set()
    assert all(
        tokens[0].text in zones.starts() or zone(tokens, 0, NOW) is None
        for tokens in texts()
        if tokens and not tokens[0].is_number
    )


def test_a_word_missing_from_what_a_rule_declares_is_found() -> None:
    left_out = {"tomorrow", "every", "twenty", "unless"}
    without = [(starts - left_out, rule) for starts, rule in RULES]
    among = [tokens for tokens in texts() if tokens and tokens[0].text in left_out]
    assert undeclared(without, among) == left_out
